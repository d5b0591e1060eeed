#include "state/cleary_table.hpp"

#include "search/random.hpp"
#include "state/root_table.hpp"
#include "tests/check.hpp"

#include <set>
#include <utility>

using namespace beeline;

// With room for many numbers from the beginning, slots keep only the lower bits; the set must give back whole numbers.
TEST(cleary_table_gives_back_numbers_of_which_it_keeps_the_lower_bits) {
    for (const unsigned bits : {20u, 28u, 33u, 40u, 57u, 64u}) {
        for (const std::size_t expected : {std::size_t{0}, std::size_t{50000}}) {
            MemoryAccount account;
            ClearyTable set(account, bits, expected);
            std::set<std::uint64_t> known;
            Random random(bits);
            for (int i = 0; i < 60000; ++i) {
                const std::uint64_t number = (random.below(1ull << 32) << 32 | random.below(1ull << 32)) >> (64 - bits);
                CHECK_EQUAL(set.contains(number), known.contains(number));
                const bool is_new = known.insert(number).second;
                CHECK(set.add(number) == (is_new ? ClearyTable::Added::kFresh : ClearyTable::Added::kKnown));
            }
            std::set<std::uint64_t> told;
            set.for_each([&](std::uint64_t number) { told.insert(number); });
            CHECK(told == known);
        }
    }
}

TEST(cleary_table_takes_fewer_bytes_where_places_tell_upper_bits) {
    CHECK_EQUAL(ClearyTable::bytes_for(40, 0), 5u);
    CHECK_EQUAL(ClearyTable::bytes_for(40, 4'000'000), 4u);
    CHECK_EQUAL(ClearyTable::bytes_for(48, 4'000'000), 5u);
    CHECK_EQUAL(ClearyTable::bytes_for(64, 0), 8u);
    CHECK_EQUAL(ClearyTable::bytes_for(64, 4'000'000), 7u);
}

TEST(root_table_keeps_pairs_apart_while_their_halves_grow) {
    MemoryAccount account;
    RootTable set(account);
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    Random random(7);
    for (std::uint32_t i = 0; i < 200000; ++i) {
        const auto left = static_cast<std::uint32_t>(random.below(1 + i));
        const auto right = static_cast<std::uint32_t>(random.below(i < 150000 ? 1 + i / 64 : 1ull << 32));
        const bool is_new = known.emplace(left, right).second;
        CHECK(set.make_room(left, right));
        const std::uint64_t code = set.code(left, right);
        CHECK_EQUAL(set.contains(code), !is_new);
        CHECK(set.add(code) == (is_new ? ClearyTable::Added::kFresh : ClearyTable::Added::kKnown));
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> told;
    set.for_each([&](std::uint32_t left, std::uint32_t right) { told.emplace(left, right); });
    CHECK(told == known);
}
