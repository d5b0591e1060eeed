// Iterative deepening (Korf, "Depth-first iterative-deepening", Artificial Intelligence 27, 1985), with a store:
// bounded depth-first searches with a growing bound. With step 1 the first violation found has a shortest path.
#pragma once

#include "search/depth_first.hpp"

#include <algorithm>

namespace beeline {

template <Space S, StateStore T>
class IterativeDeepening {
public:
    IterativeDeepening(Run<S, T>& run, std::uint32_t step) : run_(run), depth_first_(run, std::nullopt), step_(step) {}

    void search() {
        const std::uint32_t last = run_.limits().depth;
        std::uint32_t bound = std::min(step_ - 1, last);
        while (run_.going()) {
            restart();
            depth_first_.search_to(bound);
            if (run_.going() && (!depth_first_.cut() || bound == last)) {
                run_.end(depth_first_.cut() ? Status::kDepth : Status::kExhausted);
            }
            bound = last - bound > step_ ? bound + step_ : last;
        }
        run_.outcome().proven = run_.outcome().status == Status::kFound && step_ == 1;
    }

private:
    // Facts are counted anew in each round; the work done adds up.
    void restart() {
        run_.store.clear();
        Statistics& statistics = run_.statistics;
        statistics.stored = statistics.deadlocks = statistics.errors = statistics.goals = statistics.transient = 0;
    }

    Run<S, T>& run_;
    DepthFirst<S, T> depth_first_;
    std::uint32_t step_;
};

} // namespace beeline
