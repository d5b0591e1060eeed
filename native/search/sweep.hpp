// A breadth-first search beside other searches, step by step: the part of a run that proves that there is nothing to be
// found. Its clone of the space can change its layout.
#pragma once

#include "search/aside.hpp"
#include "search/breadth_first.hpp"

#include <cstdint>

namespace beeline {

template <Space S, StateStore T>
class Sweep {
public:
    explicit Sweep(Run<S, T>& run) : aside_(run), search_(aside_.own(), aside_.has_clone()) {}

    // Expands some states. At the end of all, or with a violation, the run ends.
    void step() {
        act([this] {
            if (!begun_) {
                begun_ = true;
                search_.begin();
            } else if (!search_.step()) {
                search_.finish();
            }
        });
    }

    // For checkpoints, as in BreadthFirst.
    bool is_whole() const { return search_.is_whole(); }
    void take_back() {
        act([this] { search_.take_back(); });
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(aside_.own());
    }
    template <class Archive>
    void archive(Archive& with) {
        with(begun_, work_);
        aside_.archive(with);
        search_.archive(with);
    }

    bool has_begun() const { return begun_; }
    // In generated steps.
    std::uint64_t work() const { return work_; }
    Sightings seen() const { return aside_.seen(); }
    std::uint64_t replaced() const { return aside_.replaced(); }
    bool merges() const { return aside_.merges(); }

private:
    template <class Act>
    void act(Act&& act) {
        const Statistics& statistics = aside_.own().statistics;
        const std::uint64_t before = statistics.generated;
        aside_.act(act);
        work_ += statistics.generated - before;
    }

    Aside<S, T> aside_;
    BreadthFirst<S, T> search_;
    bool begun_ = false;
    std::uint64_t work_ = 0;
};

} // namespace beeline
