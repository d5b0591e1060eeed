#include "state/table.hpp"

#include "search/random.hpp"
#include "state/parts.hpp"
#include "tests/check.hpp"

#include <functional>
#include <vector>

using namespace beeline;

namespace {

// Whether a lookup comes to the entry before it comes to a free slot.
bool finds(const Table& table, std::uint64_t hash, std::uint32_t index) {
    for (std::size_t slot = table.home(hash);; slot = table.next(slot)) {
        const std::uint64_t entry = table.entry(slot);
        if (Table::empty(entry) || entry == Table::entry_of(hash, index)) {
            return !Table::empty(entry);
        }
    }
}

void add(Table& table, std::uint64_t hash, std::uint32_t index) {
    std::size_t slot = table.home(hash);
    while (!Table::empty(table.entry(slot))) {
        slot = table.next(slot);
    }
    table.set(slot, hash, index);
}

// Shares work out among four, in no order that anybody could wish for.
void by_four(std::size_t count, const std::function<void(std::size_t, std::size_t)>& part) {
    for (const std::size_t i : {2u, 0u, 3u, 1u}) {
        part(count * i / 4, count * (i + 1) / 4);
    }
}

// Fills a table to a load, extends it again and again, and looks for every entry each time. `kept` are the bits of
// random numbers that hashes have.
template <class By>
void check_growth(std::uint64_t seed, std::uint64_t kept, double load, std::size_t capacity, const By& by) {
    MemoryAccount account;
    Table table(account);
    Random random(seed);
    std::vector<std::uint64_t> hashes;
    CHECK(table.reset(capacity));
    const int rounds = capacity < 1024 ? 12 : 4;
    for (int round = 0; round < rounds; ++round) {
        while (static_cast<double>(hashes.size()) < load * static_cast<double>(table.capacity())) {
            hashes.push_back(random.next() & kept);
            add(table, hashes.back(), static_cast<std::uint32_t>(hashes.size() - 1));
        }
        capacity = table.capacity() + 8 * (1 + random.next() % (table.capacity() / 8));
        CHECK(table.extend(capacity, by));
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            CHECK(finds(table, hashes[i], static_cast<std::uint32_t>(i)));
        }
    }
}

} // namespace

TEST(table_keeps_its_entries_when_it_is_extended) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        check_growth(seed, ~std::uint64_t{0}, 0.75, 64, ByOne{});
        check_growth(seed, ~std::uint64_t{0}, 0.95, 64, ByOne{});
    }
}

TEST(table_keeps_its_entries_when_several_extend_it) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        check_growth(seed, ~std::uint64_t{0}, 0.75, 8192, by_four);
        check_growth(seed, ~std::uint64_t{0}, 0.95, 8192, by_four);
        check_growth(seed, 0xf0f0000000000000, 0.6, 8192, by_four);
    }
}

// Entries crowd into few lines and run over the end of the table.
TEST(table_keeps_entries_that_crowd_when_it_is_extended) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        check_growth(seed, 0xf000000000000000, 0.6, 64, ByOne{});
        check_growth(seed, 0x00f0000000000000, 0.6, 64, ByOne{});
    }
}

TEST(table_that_cannot_be_extended_is_as_it_was) {
    MemoryAccount account(1 << 17);
    Table table(account);
    CHECK(table.reset(8192));
    add(table, 0x123456789abcdef0, 5);
    CHECK(!table.extend(1 << 20, ByOne{}));
    CHECK_EQUAL(table.capacity(), 8192u);
    CHECK(finds(table, 0x123456789abcdef0, 5));
}
