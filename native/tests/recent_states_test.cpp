#include "state/recent_states.hpp"

#include "search/random.hpp"
#include "tests/check.hpp"

#include <set>
#include <vector>

using namespace beeline;

TEST(recent_states_are_those_met_before_and_no_others) {
    for (const std::size_t words : {1u, 3u, 8u}) {
        RecentStates recent;
        recent.reset(words);
        Random random(words);
        std::set<std::vector<Word>> met;
        std::size_t known = 0;
        for (int i = 0; i < 60000; ++i) {
            std::vector<Word> state(words, static_cast<Word>(random.below(3)));
            state[random.below(words)] = static_cast<Word>(random.below(1 << 12));
            // Many share a hash, and so a place.
            const std::uint64_t hash = hash_words(state.data(), words) % (1 << 10) << 3;
            const bool is_known = recent.meet(state.data(), hash);
            CHECK(!is_known || met.count(state) > 0);
            CHECK(recent.meet(state.data(), hash));
            met.insert(state);
            known += is_known;
        }
        CHECK(known > 100);
        const std::vector<Word> zeros(words);
        recent.meet(zeros.data(), 0);
        CHECK(recent.is_for(words));
        recent.forget();
        CHECK(!recent.is_for(words));
        recent.reset(words);
        CHECK(!recent.meet(zeros.data(), 0));
    }
}
