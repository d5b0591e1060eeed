// Arcs between packed states, as spaces write them and searches and stores read them.
#pragma once

#include "state/word.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

namespace beeline {

// What is known of an arc's target (or, from `expand`, of the expanded state itself).
enum Mark : std::uint32_t {
    kNone = 0,
    kGoal = 1,      // the target satisfies the searched-for predicate (the property is violated there)
    kError = 2,     // the step ended in a run-time error or failed assertion; the arc has no target state
    kDeadlock = 4,  // returned by expand: no step is possible and the state is not a valid end
    kTransient = 8, // the target (from expand: the state itself) lies inside an uninterruptible region (counted apart,
                    // see Promela's atomic)
    kAccept = 16,   // returned by expand: a cycle through the state is a violation
    kCycle = 32,    // what a search for such cycles finds
    kBack = 64,     // the step changes nothing, in a network where such steps do not count as ones
};

// Bits of an arc's marks from here on: the acceptance sets of an automaton that the arc is in, where cycles are
// accepting that meet all of them.
inline constexpr std::uint32_t kFirstSet = 8;
inline constexpr std::uint32_t kMostSets = 32 - kFirstSet;

// Successors of one or many states, flat: no allocation per successor once the buffer is warm.
class SuccessorBuffer {
public:
    struct Arc {
        std::uint32_t action; // identifies the initiating edge instance, stable over a run
        std::uint32_t marks;  // Mark bits
        std::uint32_t
            detail; // error code if kError; else 1 + the action of a second process that moved along, 0 if none
    };

    // Where arcs are kept; code that is generated for a model writes here.
    struct Arrays {
        Word* states = nullptr;
        Arc* arcs = nullptr;
        std::uint64_t* hashes = nullptr;
        std::size_t size = 0;
        std::size_t capacity = 0;
    };

    explicit SuccessorBuffer(std::size_t words) : words_(words) {}

    void clear() { arrays_.size = 0; }
    // Takes back all arcs but the first `size`.
    void cut(std::size_t size) { arrays_.size = size; }
    // Appends an arc and returns the place where its target's words must be written. They are not initialised: every
    // word must be written, unless the arc is marked kError and so has no target.
    Word* add(std::uint32_t action, std::uint32_t marks, std::uint32_t detail = 0) {
        if (arrays_.size == arrays_.capacity) {
            grow();
        }
        arrays_.arcs[arrays_.size] = {action, marks, detail};
        return state(arrays_.size++);
    }
    // Takes back the most recent arc.
    void drop_last() { --arrays_.size; }
    // Writes an arc, its target and its hash over an earlier one.
    void copy(std::size_t from, std::size_t to) {
        arrays_.arcs[to] = arrays_.arcs[from];
        arrays_.hashes[to] = arrays_.hashes[from];
        std::copy_n(state(from), words_, state(to));
    }

    std::size_t size() const { return arrays_.size; }
    const Arc& arc(std::size_t i) const { return arrays_.arcs[i]; }
    Arc& arc(std::size_t i) { return arrays_.arcs[i]; }
    const Word* state(std::size_t i) const { return arrays_.states + i * words_; }
    Word* state(std::size_t i) { return arrays_.states + i * words_; }
    std::size_t words() const { return words_; }

    // The hash of a target (see state/hash.hpp): set by spaces that know it, otherwise by the search.
    std::uint64_t hash(std::size_t i) const { return arrays_.hashes[i]; }
    void set_hash(std::size_t i, std::uint64_t hash) { arrays_.hashes[i] = hash; }

    Arrays& arrays() { return arrays_; }
    void grow() {
        const std::size_t capacity = arrays_.capacity == 0 ? 64 : 2 * arrays_.capacity;
        auto states = std::make_unique_for_overwrite<Word[]>(capacity * words_ + kSpareWords);
        auto arcs = std::make_unique_for_overwrite<Arc[]>(capacity);
        auto hashes = std::make_unique_for_overwrite<std::uint64_t[]>(capacity);
        std::copy_n(arrays_.states, arrays_.size * words_, states.get());
        std::copy_n(arrays_.arcs, arrays_.size, arcs.get());
        std::copy_n(arrays_.hashes, arrays_.size, hashes.get());
        states_ = std::move(states);
        arcs_ = std::move(arcs);
        hashes_ = std::move(hashes);
        arrays_ = {states_.get(), arcs_.get(), hashes_.get(), arrays_.size, capacity};
    }

private:
    std::size_t words_;
    Arrays arrays_;
    std::unique_ptr<Word[]> states_;
    std::unique_ptr<Arc[]> arcs_;
    std::unique_ptr<std::uint64_t[]> hashes_;
};

} // namespace beeline
