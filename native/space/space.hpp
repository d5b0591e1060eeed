// The one interface between searches and what they search.
//
// A space hands out packed states (a fixed number of 32-bit words) and labelled arcs between them. Searches are
// templates over a Space and know nothing else: plain programs, user-written Python classes, zone graphs and products
// all look like this. Arcs are never merged: two transitions to the same state are two arcs.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

namespace beeline {

using Word = std::uint32_t;

// Words behind a state in a buffer that may be read and written when states are copied.
inline constexpr std::size_t kSpareWords = 4;

// What is known of an arc's target (or, from `expand`, of the expanded state itself).
enum Mark : std::uint32_t {
    kNone = 0,
    kGoal = 1,      // the target satisfies the searched-for predicate (the property is violated there)
    kError = 2,     // the step ended in a run-time error or failed assertion; the arc has no target state
    kDeadlock = 4,  // returned by expand: no step is possible and the state is not a valid end
    kTransient = 8, // the target lies inside an uninterruptible region (counted apart, see Promela's atomic)
};

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

template <class S>
concept Space = requires(S space, const Word* state, SuccessorBuffer& out) {
    { space.words() } -> std::convertible_to<std::size_t>;
    // Appends the initial states (action 0); an arc marked kGoal violates at once.
    { space.initial(out) } -> std::same_as<void>;
    // Appends every arc leaving `state` in a fixed order and returns Mark bits of `state` itself.
    { space.expand(state, out) } -> std::convertible_to<std::uint32_t>;
};

// A space with a type `GivesHashes` sets the hash of every arc that has a target.
template <class S>
inline constexpr bool gives_hashes = requires { typename S::GivesHashes; };

// Thrown by the expansion of a state where the layout of words in use has no room for a cell's value. With the full
// layout, only malformed programs get here.
struct TooNarrow : std::invalid_argument {
    TooNarrow(std::int32_t cell, std::int32_t value)
        : std::invalid_argument("a step stores a value outside the range of its cell"), cell(cell), value(value) {}
    std::int32_t cell, value;
};

// A space that can change the layout of its words during a search; see ProgramSpace.
template <class S>
inline constexpr bool changes_layout = requires(S& space, const Word* from, Word* to) { space.convert(from, to); };

} // namespace beeline
