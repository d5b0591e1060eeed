#include "state/tree_store.hpp"

#include "search/random.hpp"
#include "tests/check.hpp"

#include <algorithm>
#include <map>
#include <new>
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

namespace {

// A search whose steps change a word or two: every state must be told apart and given back, whatever shape the tree
// takes on the way. False if memory ran out.
bool walk(TreeStore& store, std::size_t words, std::size_t most, std::uint64_t seed) {
    Random random(seed);
    SuccessorBuffer arcs(words);
    std::map<std::vector<Word>, Index> known;
    std::vector<std::vector<Word>> all;
    const auto add = [&](std::vector<Word> state) {
        std::copy(state.begin(), state.end(), arcs.add(0, kNone));
        arcs.set_hash(arcs.size() - 1, hash_words(state.data(), words));
    };
    const auto insert = [&](Index parent) {
        store.hash_noted(arcs);
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            const std::vector<Word> state(arcs.state(i), arcs.state(i) + words);
            const bool is_new = known.try_emplace(state, static_cast<Index>(all.size())).second;
            if (store.is_seen(i)) {
                CHECK(!is_new);
                store.pass_over(parent);
                continue;
            }
            const Insertion done = store.insert(arcs.state(i), arcs.hash(i), parent, 0);
            if (done.result == Insert::kFull) {
                return false;
            }
            CHECK(done.result == (is_new ? Insert::kFresh : Insert::kKnown));
            if (is_new) {
                CHECK_EQUAL(done.index, all.size());
                all.push_back(state);
            }
        }
        return true;
    };
    add(std::vector<Word>(words));
    store.note_arcs(arcs, 0);
    bool room = insert(kNoIndex);
    for (std::size_t next = 0; room && next < all.size() && all.size() < most; ++next) {
        const Word* origin = store.state(static_cast<Index>(next));
        CHECK(std::vector<Word>(origin, origin + words) == all[next]);
        arcs.clear();
        for (int step = 0; step < 3; ++step) {
            std::vector<Word> state = all[next];
            const std::size_t word = random.below(words);
            state[word] = static_cast<Word>(random.below(word == 0 ? 1ull << 32 : 6));
            state[(word + 3) % words] = state[word] % 5; // words that change together and lie apart
            add(state);
        }
        store.note_arcs(arcs, 0);
        room = insert(static_cast<Index>(next));
    }
    return room;
}

} // namespace

TEST(tree_store_takes_another_shape_and_loses_nothing) {
    for (const std::size_t words : {1, 2, 3, 5, 9, 14, 33, 80}) {
        for (const std::size_t sample : {std::size_t{1}, std::size_t{500}, TreeStore::kUsualSample}) {
            MemoryAccount account;
            TreeStore store(words, account, 1 << 30, sample);
            CHECK(walk(store, words, 3000, words));
        }
    }
}

namespace {

// Cells of some bits, from the lowest bits of the first word on; those of words that are full begin the next.
struct Layout {
    std::vector<unsigned> bits;

    UnitPlaces places() const {
        UnitPlaces places;
        Word word = 0;
        unsigned used = 0;
        for (const unsigned width : bits) {
            if (used + width > 32) {
                ++word;
                used = 0;
            }
            places.push_back({word, ((1u << width) - 1) << used});
            used += width;
        }
        return places;
    }
    std::size_t words() const { return places().back().word + 1; }
    std::vector<Word> pack(const std::vector<Word>& cells) const {
        std::vector<Word> words(this->words());
        const UnitPlaces places = this->places();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            words[places[i].word] |= cells[i] * (places[i].mask & (~places[i].mask + 1));
        }
        return words;
    }
    std::vector<Word> unpack(const Word* words) const {
        std::vector<Word> cells;
        for (const UnitPlace& place : places()) {
            cells.push_back((words[place.word] & place.mask) / (place.mask & (~place.mask + 1)));
        }
        return cells;
    }
};

} // namespace

TEST(tree_store_knows_its_states_in_whatever_layout_they_come) {
    constexpr std::size_t kCells = 24;
    Random random(9);
    Layout layout{std::vector<unsigned>(kCells, 16)};
    MemoryAccount account;
    TreeStore store(layout.words(), account, 1 << 20);
    std::vector<std::vector<Word>> all;
    const auto change = [&](const Layout& next, bool same_hashes) {
        const auto convert = [&](const Word* from, Word* to) {
            const std::vector<Word> words = next.pack(layout.unpack(from));
            std::copy(words.begin(), words.end(), to);
        };
        CHECK(store.repack(next.words(), same_hashes, convert, next.places()));
        layout = next;
    };
    const auto add_states = [&] {
        for (int i = 0; i < 500; ++i) {
            std::vector<Word> cells(kCells);
            for (std::size_t k = 0; k < kCells; ++k) {
                cells[k] = static_cast<Word>(random.below(k % 5 == 0 ? 8 : 2));
            }
            const bool is_new = std::find(all.begin(), all.end(), cells) == all.end();
            CHECK(put(store, layout.pack(cells)).result == (is_new ? Insert::kFresh : Insert::kKnown));
            if (is_new) {
                all.push_back(cells);
            }
        }
        for (const std::vector<Word>& cells : all) {
            CHECK(put(store, layout.pack(cells)).result == Insert::kKnown);
        }
        const auto middle = static_cast<Index>(all.size() / 2);
        const Word* words = store.state(middle);
        CHECK(layout.unpack(words) == all[middle]);
    };
    add_states();
    for (const unsigned bits : {5u, 8u, 11u, 5u}) { // fewer words, then other words
        Layout next{std::vector<unsigned>(kCells, bits)};
        next.bits[kCells / 2] = 3; // and cells that move by some bits
        change(next, false);
        add_states();
    }
    Layout longer = layout; // a last cell with room in a new word
    change(longer, true);
    add_states();
}

TEST(tree_store_keeps_every_memory_limit) {
    constexpr std::size_t kPage = 1 << 16;
    for (std::size_t limit = 0; limit < 40 * kPage; limit += kPage) {
        MemoryAccount account(limit);
        try {
            TreeStore store(5, account, 1 << 30, 2000);
            CHECK(!walk(store, 5, 200000, 3));
        } catch (const std::bad_alloc&) {
        }
        CHECK(account.peak() <= limit);
        CHECK_EQUAL(account.used(), 0u);
    }
}

TEST(tree_shape_puts_words_together_that_change_together) {
    Random random(5);
    std::vector<Word> sample;
    for (int i = 0; i < 2000; ++i) {
        std::vector<Word> state(16);
        for (std::size_t word = 0; word < 8; ++word) { // a word and the one eight further tell the same
            state[word] = static_cast<Word>(random.below(2));
            state[word + 8] = 7 * state[word];
        }
        sample.insert(sample.end(), state.begin(), state.end());
    }
    const TreeShape shape = TreeShape::learnt(16, word_places(16), sample);
    std::vector<std::size_t> half(16);
    for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
        std::size_t top = i;
        while (shape.nodes[top].parent != TreeShape::kNone) {
            top = shape.nodes[top].parent;
        }
        for (const std::size_t word : shape.nodes[i].units) {
            half[word] = top;
        }
    }
    for (std::size_t word = 0; word < 8; ++word) {
        CHECK_EQUAL(half[word], half[word + 8]);
    }
}

// The words of one state become those of another.
TEST(tree_store_forgets_recent_states_with_their_layout) {
    const Layout layout{std::vector<unsigned>(12, 8)};
    Layout moved = layout;
    moved.bits.front() = 4; // so that the cells behind it move
    MemoryAccount account;
    TreeStore store(layout.words(), account, 1 << 20, 1);
    SuccessorBuffer arcs(layout.words());
    const auto meet = [&](const std::vector<Word>& words) {
        arcs.clear();
        std::copy(words.begin(), words.end(), arcs.add(0, kNone));
        arcs.set_hash(0, hash_words(words.data(), words.size()));
        store.note_arcs(arcs, 0);
        store.hash_noted(arcs);
        if (store.is_seen(0)) {
            return true;
        }
        CHECK(store.insert(arcs.state(0), arcs.hash(0), kNoIndex, 0).result == Insert::kFresh);
        return false;
    };
    CHECK(!meet(std::vector<Word>(layout.words(), 1)));
    const std::vector<Word> words(layout.words(), 3 << 8);
    CHECK(!meet(words));
    CHECK(meet(words));
    const auto convert = [&](const Word* from, Word* to) {
        const std::vector<Word> packed = moved.pack(layout.unpack(from));
        std::copy(packed.begin(), packed.end(), to);
    };
    CHECK_EQUAL(moved.words(), layout.words());
    CHECK(store.repack(moved.words(), false, convert, moved.places()));
    CHECK(!meet(words));
}

// Each cell has a word of its own at first, so that there are as many cells as words; then they lie side by side, above
// the least value that they took.
TEST(tree_store_moves_to_cells_that_begin_at_their_least_value) {
    constexpr std::size_t kCells = 12;
    constexpr Word kLeast = 5;
    const Layout narrow{std::vector<unsigned>(kCells, 8)};
    const auto lowered = [&](const Word* cells) {
        std::vector<Word> words(narrow.words());
        for (std::size_t i = 0; i < kCells; ++i) { // a sum, in which a cell below its least value borrows from the next
            words[i / 4] += (cells[i] - kLeast) << 8 * (i % 4);
        }
        return words;
    };
    MemoryAccount account;
    TreeStore store(kCells, account, 1 << 20, 1);
    Random random(4);
    SuccessorBuffer arcs(kCells);
    std::vector<std::vector<Word>> all;
    for (int i = 0; i < 300; ++i) {
        std::vector<Word> cells(kCells);
        for (Word& cell : cells) {
            cell = kLeast + static_cast<Word>(random.below(3));
        }
        if (put(store, cells).result == Insert::kFresh) {
            all.push_back(cells);
        }
        store.note_arcs(arcs, 0); // takes a shape
    }
    const auto convert = [&](const Word* from, Word* to) {
        const std::vector<Word> words = lowered(from);
        std::copy(words.begin(), words.end(), to);
    };
    CHECK(store.repack(narrow.words(), false, convert, narrow.places()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Word* words = store.state(static_cast<Index>(i));
        CHECK(std::vector<Word>(words, words + narrow.words()) == lowered(all[i].data()));
        CHECK(put(store, lowered(all[i].data())).result == Insert::kKnown);
    }
}
