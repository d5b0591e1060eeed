// A space of a compiled program in which a partial-order reduction leaves out arcs.
#pragma once

#include "por/reducer.hpp"
#include "space/wrapper.hpp"

#include <memory>
#include <utility>

namespace beeline {

template <CompiledSpace Inner>
class ReducedSpace : public SameStates<ReducedSpace<Inner>, Inner> {
    using Base = SameStates<ReducedSpace, Inner>;

public:
    // Leaves out nothing without a reducer.
    ReducedSpace(std::shared_ptr<Inner> inner, std::shared_ptr<Reducer> reducer)
        : Base(std::move(inner)), reducer_(std::move(reducer)) {}
    // A clone expands states for another thread and leaves out nothing: which arcs are, is decided in one place.
    ReducedSpace(std::shared_ptr<Inner> inner, const ReducedSpace&) : ReducedSpace(std::move(inner), nullptr) {}

    // See ReducingSpace.
    bool reduces() const { return reducer_ != nullptr; }
    bool reduces_by_visited() const { return reducer_ != nullptr && reducer_->needs_visited(); }
    template <class IsDone>
    void reduce(const Word* state, SuccessorBuffer& arcs, std::size_t first, IsDone&& is_done) {
        reducer_->reduce(this->inner().program(), state, arcs, first, is_done);
    }

    // See TallyingSpace.
    struct Tally {
        Reducer::Tally own;
        decltype(tally_of(std::declval<const Inner&>())) inner;
    };
    Tally tally() const { return {reduces() ? reducer_->tally() : Reducer::Tally{}, tally_of(this->inner())}; }
    void put_back(const Tally& tally) {
        if (reduces()) {
            reducer_->put_back(tally.own);
        }
        beeline::put_back(this->inner(), tally.inner);
    }

    // None while steps are left out, since a clone leaves out none.
    std::unique_ptr<ReducedSpace> merging_clone() const
        requires MergingSpace<Inner>
    {
        return reduces() ? nullptr : Base::merging_clone();
    }

private:
    std::shared_ptr<Reducer> reducer_;
};

} // namespace beeline
