#include "state/tree_store.hpp"

#include "search/random.hpp"
#include "tests/check.hpp"

#include <map>
#include <vector>

using namespace beeline;

namespace {

Insertion put(TreeStore& store, const std::vector<Word>& words) {
    return store.insert(words.data(), store.hash(words.data()), kNoIndex, 0);
}

// States whose words have few values, and now and then a large one.
std::vector<Word> chosen_state(Random& random, std::size_t words) {
    std::vector<Word> state(words);
    for (Word& word : state) {
        word = static_cast<Word>(random.below(5) == 0 ? random.below(1u << 31) : random.below(4));
    }
    return state;
}

} // namespace

TEST(tree_store_tells_states_apart_and_gives_them_back) {
    for (std::size_t words = 1; words <= 9; ++words) {
        MemoryAccount account;
        TreeStore store(words, account, 1 << 20);
        Random random(words);
        std::map<std::vector<Word>, Index> known;
        std::vector<std::vector<Word>> all;
        for (int i = 0; i < 20000; ++i) {
            const std::vector<Word> state = chosen_state(random, words);
            const Insertion done = put(store, state);
            const auto [place, is_new] = known.try_emplace(state, static_cast<Index>(all.size()));
            CHECK(done.result == (is_new ? Insert::kFresh : Insert::kKnown));
            CHECK(!is_new || done.index == place->second);
            if (is_new) {
                all.push_back(state);
            }
        }
        CHECK_EQUAL(store.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Word* found = store.state(static_cast<Index>(i));
            CHECK(std::vector<Word>(found, found + words) == all[i]);
        }
    }
}

TEST(tree_store_refuses_states_when_memory_is_short) {
    MemoryAccount account(1 << 20);
    TreeStore store(6, account, 1 << 30);
    Random random(1);
    bool refused = false;
    for (int i = 0; i < 300000 && !refused; ++i) {
        refused = put(store, chosen_state(random, 6)).result == Insert::kFull;
    }
    CHECK(refused);
    CHECK(!store.at_state_limit());
    CHECK(account.peak() <= account.limit());
}

TEST(tree_store_keeps_to_a_number_of_states) {
    MemoryAccount account;
    TreeStore store(3, account, 2);
    CHECK(put(store, {1, 2, 3}).result == Insert::kFresh);
    CHECK(put(store, {1, 2, 4}).result == Insert::kFresh);
    CHECK(put(store, {1, 2, 5}).result == Insert::kFull);
    CHECK(put(store, {1, 2, 3}).result == Insert::kKnown);
    CHECK(store.at_state_limit());
}
