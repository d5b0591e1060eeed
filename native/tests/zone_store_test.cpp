// The covering store keeps exactly the states that no other covers, whatever the order in which they come.
#include "tests/check.hpp"
#include "zone/covering_store.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace beeline;

constexpr std::size_t kDim = 3;
constexpr std::size_t kDiscrete = 2;
using State = std::vector<Word>;

// A discrete state and the packed form of a zone.
State pack(Word first, const zone::Bound* zone) {
    zone::ZonePacker packer(kDim);
    State words(kDiscrete + packer.words_for(kDim));
    words[0] = first;
    packer.pack(zone, zone::Frame::of_all(kDim), kDim, words.data() + kDiscrete);
    return words;
}

std::vector<zone::Bound> bounds(const State& words) {
    std::vector<zone::Bound> zone(kDim * kDim);
    zone::ZonePacker(kDim).unpack(words.data() + kDiscrete, zone::Frame::of_all(kDim), zone.data());
    return zone;
}

// x1 and x2 equal and at most `limit`, after `first` discretely.
State state(Word first, std::int32_t limit) {
    zone::Bound zone[kDim * kDim];
    zone::set_zero(zone, kDim);
    zone::up(zone, kDim);
    zone::constrain(zone, kDim, 1, 0, zone::at_most(limit));
    return pack(first, zone);
}

bool covers(const State& a, const State& b) {
    return a[0] == b[0] && a[1] == b[1] && zone::includes(bounds(a).data(), bounds(b).data(), kDim);
}

Insertion insert(CoveringStore& store, const State& words, Index parent = kNoIndex) {
    return store.insert(words.data(), store.hash(words.data()), parent, 7);
}

} // namespace

TEST(zone_store_drops_what_is_covered_and_replaces_what_it_covers) {
    MemoryAccount account(std::size_t{1} << 26);
    CoveringStore store(kDiscrete, kDim, kDim, account);
    const Insertion small = insert(store, state(1, 2));
    CHECK(small.result == Insert::kFresh);
    CHECK(insert(store, state(1, 1)).result == Insert::kKnown);
    CHECK(insert(store, state(1, 2)).index == small.index);
    const Insertion large = insert(store, state(1, 5), small.index);
    CHECK(large.result == Insert::kFresh);
    CHECK(!store.alive(small.index));
    CHECK(store.alive(large.index));
    CHECK_EQUAL(store.parent(large.index), small.index);
    CHECK_EQUAL(store.action(large.index), 7u);
    CHECK(insert(store, state(2, 1)).result == Insert::kFresh);
    CHECK_EQUAL(store.size(), std::size_t{3});
    CHECK_EQUAL(store.replaced(), std::size_t{1});
    const State known = state(1, 3);
    CHECK_EQUAL(store.find(known.data(), store.hash(known.data())), large.index);
    store.clear();
    CHECK(insert(store, state(1, 2)).result == Insert::kFresh);
}

TEST(zone_store_agrees_with_a_list_on_random_states) {
    std::mt19937 random(11);
    const auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
    for (int round = 0; round < 20; ++round) {
        MemoryAccount account(std::size_t{1} << 28);
        CoveringStore store(kDiscrete, kDim, kDim, account);
        std::vector<State> alive;
        for (int i = 0; i < 3000; ++i) {
            const auto first = static_cast<Word>(below(round < 10 ? 6 : 10000)); // few long chains, or many short ones
            zone::Bound zone[kDim * kDim];
            zone::set_universe(zone, kDim);
            zone::constrain(zone, kDim, 1, 0, zone::at_most(below(6)));
            zone::constrain(zone, kDim, 2, 0, zone::at_most(below(6)));
            zone::constrain(zone, kDim, 1, 2, zone::at_most(below(6)));
            if (below(3) == 0) {
                zone::free_clock(zone, kDim, static_cast<std::size_t>(1 + below(2))); // takes fewer words
            }
            const State next = pack(first, zone);
            bool known = false;
            for (const State& other : alive) {
                known |= covers(other, next);
            }
            const Insertion done = insert(store, next);
            CHECK_EQUAL(done.result == Insert::kKnown, known);
            if (!known) {
                CHECK(std::equal(next.begin(), next.end(), store.state(done.index)));
                std::erase_if(alive, [&](const State& other) { return covers(next, other); });
                alive.push_back(next);
            }
        }
        std::size_t living = 0;
        for (std::size_t i = 0; i < store.size(); ++i) {
            living += store.alive(static_cast<Index>(i));
        }
        CHECK_EQUAL(living, alive.size());
        CHECK_EQUAL(store.size() - store.replaced(), alive.size());
    }
}

TEST(zone_store_refuses_politely_at_its_limits) {
    MemoryAccount account(std::size_t{1} << 26);
    CoveringStore few(kDiscrete, kDim, kDim, account, 2);
    CHECK(insert(few, state(1, 1)).result == Insert::kFresh);
    CHECK(insert(few, state(2, 1)).result == Insert::kFresh);
    CHECK(insert(few, state(3, 1)).result == Insert::kFull);
    CHECK(few.at_state_limit());
    MemoryAccount tight(std::size_t{1} << 20);
    CoveringStore small(kDiscrete, kDim, kDim, tight);
    bool full = false;
    for (Word i = 0; !full && i < 1000000; ++i) {
        full = insert(small, state(i, 1)).result == Insert::kFull;
    }
    CHECK(full);
    CHECK(!small.at_state_limit());
}
