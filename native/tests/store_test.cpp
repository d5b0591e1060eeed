#include "state/store.hpp"

#include "search/random.hpp"
#include "state/column.hpp"
#include "tests/check.hpp"

#include <array>
#include <set>
#include <vector>

using namespace beeline;

namespace {

Insertion put(Store& store, const std::vector<Word>& words, Index parent = kNoIndex, std::uint32_t action = 0) {
    return store.insert(words.data(), store.hash(words.data()), parent, action);
}

// Inserts different states until the store refuses.
std::size_t fill(Store& store, std::size_t most) {
    std::vector<Word> words(store.words(), 7);
    for (std::size_t i = 0; i < most; ++i) {
        words[0] = static_cast<Word>(i);
        if (put(store, words).result == Insert::kFull) {
            return i;
        }
    }
    return most;
}

} // namespace

TEST(store_numbers_states_in_order_of_insertion) {
    MemoryAccount account;
    Store store(3, account);
    CHECK(put(store, {1, 2, 3}).result == Insert::kFresh);
    CHECK(put(store, {1, 2, 4}, 0, 9).result == Insert::kFresh);
    const Insertion again = put(store, {1, 2, 3});
    CHECK(again.result == Insert::kKnown);
    CHECK_EQUAL(again.index, 0u);
    CHECK_EQUAL(store.size(), 2u);
    CHECK_EQUAL(store.parent(1), 0u);
    CHECK_EQUAL(store.action(1), 9u);
    CHECK_EQUAL(store.state(1)[2], 4u);
}

TEST(store_agrees_with_a_set_through_many_growths) {
    for (std::size_t words = 1; words <= 9; ++words) {
        MemoryAccount account;
        Store store(words, account);
        std::set<std::vector<Word>> model;
        Random random(words);
        for (int i = 0; i < 60000; ++i) {
            std::vector<Word> state(words, 5);
            state[random.below(words)] = static_cast<Word>(random.below(1 << 14));
            state[0] ^= static_cast<Word>(random.below(4));
            const bool fresh = model.insert(state).second;
            CHECK((put(store, state).result == Insert::kFresh) == fresh);
        }
        CHECK_EQUAL(store.size(), model.size());
        for (const auto& state : model) {
            const Index index = store.find(state.data(), store.hash(state.data()));
            CHECK(index != kNoIndex && std::equal(state.begin(), state.end(), store.state(index)));
        }
    }
}

TEST(store_stops_at_its_limit_of_states_and_still_knows_them) {
    MemoryAccount account;
    Store store(2, account, 10000);
    CHECK_EQUAL(fill(store, 20000), 10000u);
    CHECK(store.at_state_limit());
    CHECK(put(store, {9999, 7}).result == Insert::kKnown);
}

TEST(store_stays_within_its_memory_and_uses_most_of_it) {
    for (const std::size_t megabytes : {1, 3, 10, 37}) {
        MemoryAccount account(megabytes << 20);
        Store store(4, account);
        const std::size_t count = fill(store, 10'000'000);
        CHECK(!store.at_state_limit());
        CHECK(account.peak() <= account.limit());
        // 24 bytes of record and at best 8 / 0.95 of table.
        const double best = static_cast<double>(account.limit()) / (24 + 8 / 0.95);
        CHECK(static_cast<double>(count) > 0.8 * best);
        CHECK_EQUAL(fill(store, count), count); // all are still known
    }
}

TEST(store_without_any_memory_refuses_politely) {
    MemoryAccount account(1000);
    Store store(4, account);
    CHECK_EQUAL(fill(store, 10), 0u);
    const std::array<Word, 4> words{};
    CHECK_EQUAL(store.find(words.data(), store.hash(words.data())), kNoIndex);
}

TEST(store_can_be_cleared_and_used_again) {
    MemoryAccount account;
    Store store(1, account);
    fill(store, 50000);
    const std::size_t used = account.used();
    store.clear();
    CHECK_EQUAL(store.size(), 0u);
    CHECK_EQUAL(fill(store, 50000), 50000u);
    CHECK_EQUAL(store.size(), 50000u);
    CHECK_EQUAL(account.used(), used);
}

TEST(store_that_gave_back_its_memory_begins_again) {
    MemoryAccount account;
    Store store(2, account);
    const std::size_t before = account.used();
    for (int round = 0; round < 3; ++round) {
        for (Word i = 0; i < 100'000; ++i) {
            const Word state[] = {i, ~i};
            CHECK(store.insert(state, store.hash(state), kNoIndex, 0).result == Insert::kFresh);
        }
        CHECK(account.used() > before);
        store.release();
        CHECK_EQUAL(store.size(), 0u);
        CHECK(account.used() <= before);
    }
}

TEST(store_gives_its_memory_back) {
    MemoryAccount account;
    {
        Store store(1, account);
        fill(store, 100000);
        CHECK(account.used() > 0);
    }
    CHECK_EQUAL(account.used(), 0u);
}

TEST(hash_spreads_states_that_differ_in_few_bits) {
    for (std::size_t words = 1; words <= 8; ++words) {
        std::set<std::uint32_t> low, high;
        std::vector<Word> state(words, 0);
        std::size_t count = 0;
        for (std::size_t w = 0; w < words; ++w) {
            for (Word value = 1; value < 2000; ++value, ++count) {
                state[w] = value;
                const std::uint64_t hash = hash_words(state.data(), words);
                low.insert(static_cast<std::uint32_t>(hash));
                high.insert(static_cast<std::uint32_t>(hash >> 32));
            }
            state[w] = 0;
        }
        CHECK(low.size() + 2 >= count);
        CHECK(high.size() + 2 >= count);
    }
}

TEST(column_reads_zero_where_nothing_was_written) {
    MemoryAccount account(1 << 20);
    Column<std::uint16_t> column(account);
    CHECK(column.ensure(1000));
    CHECK_EQUAL(column[1000], 0u);
    CHECK(!column.ensure(1 << 20));
    CHECK(column.ensure(1000));
}
