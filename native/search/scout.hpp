// Looks for a first violation that is not far: a search that goes where the estimate is lowest, and among equals on
// from the newest state by its first step, so that it is a depth-first search where the estimate says nothing; and
// walks that go straight on, for where the estimate misleads. They look at each state before it waits, which costs
// estimates and saves states. What they find is seldom the shortest.
#pragma once

#include "search/aside.hpp"
#include "search/best_first.hpp"
#include "search/incumbent.hpp"
#include "search/walk.hpp"

#include <cstdint>

namespace beeline {

template <Space S, StateStore T>
class Scout {
public:
    // The search by estimates does so much work at most, in generated steps, or twice as much as when it last came
    // nearer.
    Scout(Run<S, T>& run, const BestFirstOptions& options, std::uint64_t budget)
        : aside_(run), best_(aside_.own()), search_(aside_.own(), straight(options)),
          walk_(aside_.own(), {options.estimators.front(), options.seed}, &best_), budget_(budget) {}

    // Whether there is more to do for the search, and whether it should go on before others.
    bool may_go_on() const {
        return !done_ && (search_.work() < budget_ || search_.work() < 2 * search_.last_progress());
    }
    bool is_keen() const { return may_go_on() && expanded_ < kLook + 2 * nearest_at_ + (is_flat() ? kFlat : 0); }
    // Expands a state. With a violation, the run ends.
    void step() {
        const Statistics& statistics = aside_.own().statistics;
        const std::uint64_t before = statistics.expanded, progress = search_.last_progress();
        aside_.act([this] {
            if (!begun_) {
                begun_ = true;
                search_.begin();
            } else {
                done_ = !search_.step();
            }
        });
        expanded_ += statistics.expanded - before;
        nearest_at_ = search_.last_progress() != progress ? expanded_ : nearest_at_;
    }
    // Whether the estimate told no states apart so far.
    bool is_flat() const { return search_.is_flat(); }
    void give_up() { done_ = true; }
    // States expanded by the search.
    std::uint64_t expanded() const { return expanded_; }

    // Whether one of the walks should be tried that leave nothing to chance.
    bool wants_dive() const {
        return !done_ && begun_ && !is_keen() && walk_.wants_dive() && kRare * walk_.expanded() <= expanded_;
    }
    // Tries a walk. With a violation, the run ends.
    void walk() {
        aside_.act([this] {
            walk_.search_once();
            if (best_.any()) {
                best_.report(false);
            }
        });
    }
    // In generated steps, of walks and of all.
    std::uint64_t walked() const { return walk_.work(); }
    std::uint64_t work() const { return walk_.work() + search_.work(); }

    Sightings seen() const { return aside_.seen(); }
    std::uint64_t replaced() const { return aside_.replaced(); }

    // For checkpoints, as in BestFirst. A walk that is not to its end is to be tried again.
    bool is_whole() const { return search_.is_whole(); }
    void take_back() {
        const Statistics& statistics = aside_.own().statistics;
        const std::uint64_t before = statistics.expanded;
        aside_.act([this] { search_.take_back(); });
        expanded_ += statistics.expanded - before;
    }
    struct Turn {
        Statistics statistics;
        typename Walk<S, T>::Turn walk{Random(0), {}};
    };
    Turn turn() { return {aside_.own().statistics, walk_.turn()}; }
    void put_back(const Turn& turn) {
        aside_.act([&] { aside_.own().statistics = turn.statistics; });
        walk_.put_back(turn.walk);
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(aside_.own());
    }
    template <class Archive>
    void archive(Archive& with) {
        auto walked = walk_.turn();
        with(begun_, done_, expanded_, nearest_at_);
        walked.archive(with);
        walk_.put_back(walked);
        aside_.archive(with);
        search_.archive(with);
    }

private:
    // States that the search expands before others take turns, beyond twice those with which it came nearest; and those
    // where the estimate tells no states apart.
    static constexpr std::uint64_t kLook = 100, kFlat = 500;

    // The search expands so many times the states of the walks before another one.
    static constexpr std::uint64_t kRare = 4;

    static BestFirstOptions straight(BestFirstOptions options) {
        options.lazy = options.preferred = options.types = false;
        options.novelty = 0;
        options.contexts = nullptr;
        options.estimators.resize(1);
        options.ties = Ties::kLifo;
        options.backwards = true;
        options.patience = Patience::kFirst;
        return options;
    }

    Aside<S, T> aside_;
    Incumbent<S, T> best_;
    BestFirst<S, T> search_;
    Walk<S, T> walk_;
    std::uint64_t budget_;
    bool begun_ = false, done_ = false;
    std::uint64_t expanded_ = 0;
    std::uint64_t nearest_at_ = 0; // of `expanded_`
};

} // namespace beeline
