// What several threads do to a store between rounds. `make race` runs these under the thread sanitizer.
#include "state/shared_store.hpp"

#include "search/thread_team.hpp"
#include "tests/check.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

using namespace beeline;

namespace {

constexpr Word kStates = 50000;

// The state that has a number, in so many words.
std::vector<Word> state_of(Word number, std::size_t words) {
    std::vector<Word> state(words, number * 7);
    state[0] = number;
    return state;
}

struct ByTeam {
    ThreadTeam& team;
    template <class Part>
    void operator()(std::size_t count, const Part& part) const {
        team.run([&](std::size_t thread) { part(count * thread / team.size(), count * (thread + 1) / team.size()); });
    }
};

class Filled {
public:
    explicit Filled(std::size_t words) : store_(words, account_), team_(3) {
        while (!fill()) {
            CHECK(store_.make_room_for(team_.size(), ByTeam{team_}));
        }
        CHECK_EQUAL(store_.size(), std::size_t{kStates});
    }

    void repack(std::size_t words, bool same_hashes) {
        const auto convert = [words](const Word* from, Word* to) {
            const std::vector<Word> state = state_of(from[0], words);
            std::copy(state.begin(), state.end(), to);
        };
        CHECK(store_.repack(words, same_hashes, convert, ByTeam{team_}));
    }

    // All states are there and are found, each with its origin.
    void check() {
        for (Word number = 0; number < kStates; ++number) {
            const std::vector<Word> state = state_of(number, store_.words());
            const Index found = store_.find(state.data(), store_.hash(state.data()));
            CHECK(found != kNoIndex && std::equal(state.begin(), state.end(), store_.state(found)));
            CHECK_EQUAL(store_.origin(found).rank(), number);
        }
    }

private:
    // Each thread inserts a part of the states; false if there was no room for all.
    bool fill() {
        std::vector<SharedStore::Part> parts(team_.size());
        std::atomic<bool> all = true;
        team_.run([&](std::size_t thread) {
            for (auto number = static_cast<Word>(thread); number < kStates && all;
                 number += static_cast<Word>(team_.size())) {
                const std::vector<Word> state = state_of(number, store_.words());
                const Origin origin(number, 0, kNone);
                const std::uint64_t hash = store_.hash(state.data());
                if (store_.insert_shared(state.data(), hash, origin, parts[thread]).result == Insert::kFull) {
                    all = false;
                }
            }
        });
        std::vector<SharedStore::Room> rooms;
        for (const SharedStore::Part& part : parts) {
            rooms.push_back(part.room);
        }
        store_.close_holes(rooms);
        return all;
    }

    MemoryAccount account_;
    SharedStore store_;
    ThreadTeam team_;
};

} // namespace

TEST(parallel_store_keeps_its_states_when_their_words_become_more_or_fewer) {
    for (const std::size_t words : {2u, 3u, 8u}) {
        for (const std::size_t next : {2u, 3u, 4u, 5u, 8u, 17u}) {
            Filled filled(words);
            filled.check();
            filled.repack(next, false);
            filled.check();
            filled.repack(next, true);
            filled.check();
        }
    }
}

TEST(parallel_team_hands_on_what_a_job_threw) {
    ThreadTeam team(3);
    int caught = 0;
    for (std::size_t thrower = 0; thrower < 3; ++thrower) {
        try {
            team.run([&](std::size_t number) {
                if (number == thrower) {
                    throw std::runtime_error("as expected");
                }
            });
        } catch (const std::runtime_error&) {
            ++caught;
        }
    }
    CHECK_EQUAL(caught, 3);
    team.run([](std::size_t) {});
}
