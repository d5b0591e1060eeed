// A breadth-first search beside another search, step by step: the part of a run that proves that there is nothing to be
// found, in a store of its own.
//
// It looks at a clone of the space, where there is one, which can change its layout, and which takes uninterrupted runs
// as one step if it can do so quickly. What it finds is told in the steps and the layout of the space itself.
#pragma once

#include "search/breadth_first.hpp"
#include "search/driver.hpp"
#include "search/unfolding.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace beeline {

template <Space S, StateStore T>
class Sweep {
public:
    // Counts in the statistics of the run, and ends it.
    explicit Sweep(Run<S, T>& run)
        : run_(run), clone_(clone_of(run.space)), space_(clone_ == nullptr ? run.space : *clone_),
          store_(make_store(space_, run.memory(), run.limits().states, 0)), own_(run.beside(space_, store_)),
          search_(own_, clone_ != nullptr) {}

    // Expands some states. At the end of all, or with a violation, the run ends.
    void step() {
        const Sightings before = Sightings::of(run_.statistics);
        const std::uint64_t generated = run_.statistics.generated;
        if (!begun_) {
            begun_ = true;
            search_.begin();
        } else if (!search_.step()) {
            search_.finish();
        }
        seen_.add_since(before, run_.statistics);
        work_ += run_.statistics.generated - generated;
        if (run_.outcome().status == Status::kFound) {
            tell_in_full();
        }
    }

    // For checkpoints, as in BreadthFirst.
    bool is_whole() const { return search_.is_whole(); }
    void take_back() {
        const Sightings before = Sightings::of(run_.statistics);
        const std::uint64_t generated = run_.statistics.generated;
        search_.take_back();
        seen_.add_since(before, run_.statistics); // less than nothing: numbers go round
        work_ += run_.statistics.generated - generated;
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(own_);
    }
    template <class Archive>
    void archive(Archive& with) {
        with(begun_, seen_, work_);
        search_.archive(with);
    }

    bool has_begun() const { return begun_; }
    // In generated steps.
    std::uint64_t work() const { return work_; }
    // What it has seen of the space, each thing once.
    Sightings seen() const {
        Sightings seen = seen_;
        seen.stored -= replaced();
        return seen;
    }
    std::uint64_t replaced() const { return replaced_in(store_); }
    // Whether it takes several steps of the space as one: what it finds may then be a longer way than necessary.
    bool merges() const {
        if constexpr (MergingSpace<S>) {
            return space_.merges() && !run_.space.merges();
        }
        return false;
    }

private:
    static std::unique_ptr<S> clone_of(S& space) {
        if constexpr (MergingSpace<S>) {
            return space.merging_clone();
        }
        return nullptr;
    }

    void tell_in_full() {
        if constexpr (RepackableSpace<S>) {
            use_full_layout(space_, run_.outcome().path);
        }
        if (merges()) {
            Unfolding<S>(run_.space)(run_.outcome());
        }
    }

    Run<S, T>& run_;
    std::unique_ptr<S> clone_;
    S& space_;
    T store_;
    Run<S, T> own_;
    BreadthFirst<S, T> search_;
    bool begun_ = false;
    Sightings seen_;
    std::uint64_t work_ = 0;
};

} // namespace beeline
