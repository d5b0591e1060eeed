// Bases of spaces that are made of another space: a wrapper says what it changes, and the rest is forwarded.
//
// Whatever of the concepts in space.hpp the inner space meets, the wrapper meets as well, as far as it stays true:
// `SpaceWrapper` forwards what does not depend on the words of a state, `SameStates` everything.
#pragma once

#include "space/space.hpp"

#include <memory>
#include <utility>

namespace beeline {

// For wrappers whose states are those of the inner space with further words behind them (products with an automaton).
// They have to define `words`, `initial` and `expand`; heuristics look at the inner state alone.
template <Space Inner>
class SpaceWrapper {
public:
    static constexpr bool kIsSlow = SlowSpace<Inner>;

    // The inner space may be shared with others that use it, but not at the same time.
    explicit SpaceWrapper(std::shared_ptr<Inner> inner) : inner_(std::move(inner)) {}

    Inner& inner() { return *inner_; }
    const Inner& inner() const { return *inner_; }

    std::size_t estimated_words() const {
        if constexpr (PartlyEstimatedSpace<Inner>) {
            return inner_->estimated_words();
        } else {
            return inner_->words();
        }
    }
    void check_state(const Word* state)
        requires CheckingSpace<Inner>
    {
        inner_->check_state(state);
    }

private:
    std::shared_ptr<Inner> inner_;
};

// For wrappers with the states of the inner space, which change initial states, arcs or marks. `Derived` must be
// constructible from an inner space and itself: so it is cloned.
template <class Derived, Space Inner>
class SameStates : public SpaceWrapper<Inner> {
public:
    using SpaceWrapper<Inner>::SpaceWrapper;
    using SpaceWrapper<Inner>::inner;
    static constexpr bool kGivesHashes = HashingSpace<Inner>;

    std::size_t words() const { return inner().words(); }
    void initial(SuccessorBuffer& out) { inner().initial(out); }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) { return inner().expand(state, out); }

    // clang-format off
    auto make_store(MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) requires CoveringSpace<Inner> {
        return inner().make_store(account, max_states, side_bytes);
    }

    std::unique_ptr<Derived> clone() const requires CloneableSpace<Inner> { return around(inner().clone()); }
    void follow(const SameStates& other) requires CloneableSpace<Inner> { inner().follow(other.inner()); }
    std::unique_ptr<Derived> merging_clone() const requires MergingSpace<Inner> { return around(inner().merging_clone()); }
    bool merges() const requires MergingSpace<Inner> { return inner().merges(); }
    std::uint64_t repeated_ways() const requires MergingSpace<Inner> { return inner().repeated_ways(); }

    bool reduces() const requires ReducingSpace<Inner> { return inner().reduces(); }
    bool reduces_by_visited() const requires ReducingSpace<Inner> { return inner().reduces_by_visited(); }
    template <class IsDone>
    void reduce(const Word* state, SuccessorBuffer& arcs, std::size_t first, IsDone&& is_done) requires ReducingSpace<Inner> {
        inner().reduce(state, arcs, first, is_done);
    }

    const Program& program() const requires CompiledSpace<Inner> { return inner().program(); }
    std::size_t acceptance_sets() const requires GeneralisedSpace<Inner> { return inner().acceptance_sets(); }
    std::size_t processes() const requires ProcessSpace<Inner> { return inner().processes(); }
    std::int32_t process_of(std::uint32_t action) const requires ProcessSpace<Inner> { return inner().process_of(action); }
    StepParts parts_of(std::uint32_t action) const requires JoiningSpace<Inner> { return inner().parts_of(action); }

    std::size_t sample() const requires RepackableSpace<Inner> { return inner().sample(); }
    bool tighten(std::size_t count, StateAt state) requires RepackableSpace<Inner> { return inner().tighten(count, state); }
    void widen(const TooNarrow& reason) requires RepackableSpace<Inner> { inner().widen(reason); }
    bool use_full_layout() requires RepackableSpace<Inner> { return inner().use_full_layout(); }
    void convert(const Word* from, Word* to) const requires RepackableSpace<Inner> { inner().convert(from, to); }
    bool keeps_hashes() const requires RepackableSpace<Inner> { return inner().keeps_hashes(); }
    UnitPlaces unit_places() const requires RepackableSpace<Inner> { return inner().unit_places(); }
    auto ranges() const requires RepackableSpace<Inner> { return inner().ranges(); }
    template <class Ranges>
    void take_ranges(const Ranges& ranges) requires RepackableSpace<Inner> { inner().take_ranges(ranges); }
    // clang-format on

private:
    std::unique_ptr<Derived> around(std::unique_ptr<Inner> other) const {
        return other == nullptr ? nullptr
                                : std::make_unique<Derived>(std::shared_ptr<Inner>(std::move(other)),
                                                            static_cast<const Derived&>(*this));
    }
};

} // namespace beeline
