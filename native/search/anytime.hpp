// The search that needs no advice: finds a violation quickly, then a short one, and proves that there is none at little
// more than the price of breadth-first search.
//
// First a scout looks for a violation that is not far. Beside it three searches take turns while nothing is found: a
// directed one, a plunge without an estimate, and a breadth-first sweep (see Sweep), each with a store of its own, so
// that the sweep is as fast as if it were alone. The directed search goes on while its estimates get better, and
// otherwise has a fixed share of the work. Now and then a random walk, which stores nothing, tries where neither would
// come in reasonable time. A violation is then made shorter, by leaving out steps and by A* with its length as a bound,
// until it is proven to be shortest or the work allowed is done. Where memory is full before anything is found, walks
// go on alone for a while. Work is counted, not timed, so that the same run gives the same result everywhere.
#pragma once

#include "search/best_first.hpp"
#include "search/breadth_first.hpp"
#include "search/elimination.hpp"
#include "search/scout.hpp"
#include "search/sweep.hpp"
#include "search/walk.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

namespace beeline {

struct AnytimeOptions {
    BestFirstOptions directed;        // without a heuristic the search is breadth-first
    std::shared_ptr<Estimator> bound; // never says too much about the violations that `covered` names
    std::shared_ptr<Estimator> blind; // says 0
    std::uint32_t covered = kNone;
    std::uint32_t improve = 100;  // per cent of the work of finding that may be spent on improving
    std::uint64_t ahead = 50'000; // work of scout and directed search each, in generated steps, before the sweep begins
};

template <Space S, StateStore T>
class Anytime {
public:
    static constexpr std::size_t kSideBytes = BestFirst<S, T>::kSideBytes;

    Anytime(Run<S, T>& run, const AnytimeOptions& options)
        : run_(run), options_(options), step_(std::max<std::uint64_t>(1, run.space.words() / kSmallState)),
          incumbent_(run) {
        options_.directed.patience = Patience::kNever;
    }

    // Whether there is something to go by; without it the search is a breadth-first one.
    static bool is_directed(const AnytimeOptions& options, const Limits& limits) {
        return !options.directed.estimators.empty() && !limits.bounds_depth();
    }

    void search() {
        if (!is_directed(options_, run_.limits())) {
            return BreadthFirst<S, T>(run_).search();
        }
        begin();
        while (step()) {
        }
        finish();
    }

    // A* that proves a violation to be a shortest one, or finds a shorter one.
    static BestFirstOptions exact_way(const AnytimeOptions& options, std::uint32_t stop) {
        // A bound on the way to one kind of violation says nothing about those of another kind.
        const bool covered = options.bound != nullptr && (stop & ~options.covered) == 0;
        BestFirstOptions exact;
        exact.estimators = {covered ? options.bound : options.blind};
        exact.bound = exact.estimators.front();
        exact.priority = Priority::kSum;
        exact.patience = Patience::kPopped;
        exact.reopen = true;
        exact.prune = covered;
        return exact;
    }

    // The parts of `search`, for callers that stop in between.

    void begin() {
        take_parts();
        parts_->directed.begin();
        run_.outcome().proven = run_.outcome().status == Status::kFound; // before the first step
        leave_room();
        is_whole_ = run_.going();
    }

    // One of the searches does some work. False if the run ended or something is found.
    bool step() {
        if (!run_.going() || incumbent_.any()) {
            return false;
        }
        auto& [directed, scout, plunge, sweep] = *parts_;
        if (scout.wants_dive()) {
            walk(scout);
        } else if (turn_ = next_ahead(); turn_ == Turn::kScout) {
            go_on(scout);
        } else if (turn_ == Turn::kPlunge) {
            go_on(plunge);
        } else if (turn_ == Turn::kDirected) {
            go_on(directed);
        } else if (kLate * options_.ahead / step_ + kRare * scout.walked() <= sweep.work()) {
            walk(scout);
        } else if (saw_all_ && !sweep.has_begun() && !sweep.merges()) {
            run_.end(Status::kExhausted);
        } else {
            go_on(sweep);
        }
        return run_.going() && !incumbent_.any();
    }

    void finish() {
        const std::uint64_t spent = conclude();
        bool proven = run_.outcome().proven;
        if (is_full() && !incumbent_.any()) {
            go_on_without_room(spent);
        } else if (!proven && incumbent_.any() && run_.going() && options_.improve > 0) {
            proven = improve(std::max(kLeastImprovement / step_, spent / 100 * options_.improve));
        }
        if (incumbent_.any()) {
            run_.outcome().truncated = !run_.going();
            incumbent_.report(proven);
        }
    }

    // For searches that race with this one, see Race.

    // In generated steps, until something is found.
    std::uint64_t work() const {
        return parts_->directed.work() + parts_->sweep.work() + parts_->scout.work() + parts_->plunge.work();
    }
    // Where to put what others found, between steps.
    Incumbent<S, T>& incumbent() { return incumbent_; }
    // Called often while a way is made shorter: whether others have proven that none is shorter.
    void meet_by(std::function<bool()> meet) { meet_ = std::move(meet); }

    // For checkpoints, as in BreadthFirst; none of the time after something is found, which is the answer already.

    bool is_whole() const {
        return is_whole_ && !incumbent_.any() && parts_->directed.is_whole() && parts_->scout.is_whole() &&
               parts_->plunge.is_whole() && parts_->sweep.is_whole();
    }
    void spoil() { is_whole_ = false; }
    void take_back() {
        switch (turn_) {
        case Turn::kDirected:
            return take_back_directed();
        case Turn::kScout:
            return parts_->scout.take_back();
        case Turn::kPlunge:
            return parts_->plunge.take_back();
        case Turn::kWalk:
            return parts_->scout.put_back(before_walk_);
        case Turn::kSweep:
            return parts_->sweep.take_back();
        }
    }
    template <class Visit>
    void visit_runs(Visit&& visit) {
        visit(run_);
        parts_->scout.visit_runs(visit);
        parts_->plunge.visit_runs(visit);
        parts_->sweep.visit_runs(visit);
    }
    template <class Archive>
    void archive(Archive& with) {
        take_parts();
        with(stuck_, saw_all_, expanded_);
        parts_->directed.archive(with);
        parts_->scout.archive(with);
        parts_->plunge.archive(with);
        parts_->sweep.archive(with);
    }

private:
    struct Parts {
        BestFirst<S, T> directed;
        Scout<S, T> scout;
        Scout<S, T> plunge; // without an estimate
        Sweep<S, T> sweep;
    };
    enum class Turn { kDirected, kScout, kPlunge, kWalk, kSweep };

    // In generated steps, of which there are some millions in a second where states are small; with larger ones, such
    // as zones of many clocks, fewer steps are as much work.
    static constexpr std::size_t kSmallState = 2048; // words
    // The sweep does so many times the work of a directed search that stalls, whose steps take some times as long where
    // states are small, and of random walks, the first of which waits for so many times the work ahead of the sweep.
    static constexpr std::uint64_t kShare = CoveringStateStore<T> ? 5 : 40;
    static constexpr std::uint64_t kRare = CoveringStateStore<T> ? 10 : 40;
    static constexpr std::uint64_t kLate = 4;
    // Of more places in a state, not all pairs are looked at.
    static constexpr std::size_t kFewPlaces = 128;
    // The others expand so many times the states of the plunge.
    static constexpr std::uint64_t kBlindly = 4;
    static constexpr std::uint64_t kLeastImprovement = 2'000'000;
    // When there is no room for more states, walks do so many times the work that was done until then, but not less
    // than the first of them waits for.
    static constexpr std::uint64_t kWithoutRoom = 4;

    // Finding

    void take_parts() {
        if (parts_ == nullptr) {
            const std::uint64_t ahead = options_.ahead / step_;
            BestFirstOptions& directed = options_.directed;
            directed.novelty = std::min(directed.novelty, value_places(run_.space).size() <= kFewPlaces ? 2u : 1u);
            BestFirstOptions blindly = directed;
            blindly.estimators = {options_.blind};
            parts_.reset(new Parts{BestFirst<S, T>(run_, options_.directed, &incumbent_),
                                   Scout<S, T>(run_, options_.directed, ahead),
                                   Scout<S, T>(run_, blindly, ahead / kBlindly), Sweep<S, T>(run_)});
        }
    }

    // Which search goes on before the sweep does, or that none does. They take turns, state for state, but for a scout
    // that comes nearer. One by an estimate that tells no states apart is a plunge already.
    Turn next_ahead() const {
        const auto& [directed, scout, plunge, sweep] = *parts_;
        const bool may_scout = scout.may_go_on() && !saw_all_;
        if (may_scout && scout.is_keen()) {
            return Turn::kScout;
        }
        Turn next = Turn::kSweep;
        std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
        const auto offer = [&](Turn turn, bool may_go_on, std::uint64_t expanded) {
            if (may_go_on && expanded < fewest) {
                next = turn;
                fewest = expanded;
            }
        };
        offer(Turn::kScout, may_scout, scout.expanded());
        offer(Turn::kDirected, !stuck_ && may_go_on(directed, sweep.work()), expanded_);
        offer(Turn::kPlunge, plunge.may_go_on() && !saw_all_ && !scout.is_flat(), kBlindly * plunge.expanded());
        return next;
    }

    bool may_go_on(const BestFirst<S, T>& directed, std::uint64_t swept) const {
        const std::uint64_t work = directed.work();
        return work <= options_.ahead / step_ + swept / kShare || work <= 2 * directed.last_progress();
    }

    void go_on(BestFirst<S, T>& directed) {
        const std::uint64_t before = run_.statistics.expanded;
        stuck_ = !directed.step();
        expanded_ += run_.statistics.expanded - before;
        saw_all_ = stuck_ && run_.going() && run_.statistics.dead_ends == 0;
        leave_room();
    }
    void take_back_directed() {
        const std::uint64_t before = run_.statistics.expanded;
        parts_->directed.take_back();
        expanded_ += run_.statistics.expanded - before;
    }

    void go_on(Scout<S, T>& scout) {
        scout.step();
        if (run_.outcome().status == Status::kStates) {
            run_.go_on();
            scout.give_up();
        }
        keep_found();
    }
    void walk(Scout<S, T>& scout) {
        turn_ = Turn::kWalk;
        before_walk_ = scout.turn();
        scout.walk();
        keep_found();
    }

    // A directed search that has filled its store ends. The sweep has one of its own.
    void leave_room() {
        if (run_.outcome().status == Status::kStates) {
            run_.go_on();
            stuck_ = true;
        }
    }

    // After a limit or an interrupt, what is found is reported as it is and not made shorter.
    void go_on(Sweep<S, T>& sweep) {
        sweep.step();
        Outcome& outcome = run_.outcome();
        if (outcome.status != Status::kFound || outcome.truncated) {
            return;
        }
        outcome.proven = !sweep.merges();
        if (sweep.merges()) {
            keep_found();
        }
    }

    // What a search has ended the run with that goes its own ways.
    void keep_found() {
        const Outcome& outcome = run_.outcome();
        if (outcome.status == Status::kFound) {
            run_.statistics.goals -= (outcome.found & kGoal) != 0; // counted when it is reported
            incumbent_.offer(outcome);
            run_.go_on();
        }
    }

    // The searches counted together. What there is in the space is told by the sweep, which may have proven it. Lets go
    // of them, and returns the work that they did.
    std::uint64_t conclude() {
        const auto& [directed, scout, plunge, sweep] = *parts_;
        Statistics& statistics = run_.statistics;
        if (incumbent_.any() || run_.outcome().status == Status::kFound) {
            statistics.stored -= scout.replaced() + plunge.replaced() + sweep.replaced();
        } else if (!sweep.has_begun()) {
            scout.seen().take_from(statistics);
            plunge.seen().take_from(statistics);
            statistics.stored -= scout.replaced() + plunge.replaced();
        } else {
            Sightings seen = sweep.seen();
            seen.stored += replaced_in(run_.store); // taken off in the end
            seen.put_into(statistics);
        }
        const std::uint64_t done = work();
        parts_ = nullptr;
        return done;
    }

    // Without room

    bool is_full() const {
        const Status status = run_.outcome().status;
        return status == Status::kMemory || status == Status::kStates;
    }

    // There is no room for more states. The stores of scout and sweep are let go of, and walks, which store nothing, go
    // on for a while. What they find is made shorter by what needs no room either.
    void go_on_without_room(std::uint64_t spent) {
        const Status full = run_.outcome().status;
        const std::uint64_t budget = std::max(kWithoutRoom * spent, kLate * options_.ahead / step_);
        run_.go_on();
        Walk<S, T> walk(run_, {options_.directed.estimators.front(), options_.directed.seed + 1}, &incumbent_);
        while (run_.going() && !incumbent_.any() && walk.work() < budget) {
            walk.search_once();
        }
        if (incumbent_.any() && options_.improve > 0) {
            Elimination<S, T>(run_, incumbent_).search(spent / 100 * options_.improve);
        } else if (!incumbent_.any() && (run_.going() || run_.outcome().status == Status::kTime)) {
            run_.end(full);
        }
    }

    // Improving

    // Whether the best violation is proven to be a shortest one. What is found must be replayed yet, so that half of
    // the time that is left is not for this.
    bool improve(std::uint64_t budget) {
        const double found_at = run_.statistics.seconds, limit = run_.limits().seconds;
        improve_until_ = found_at + (limit - found_at) / 2;
        const BestFirstOptions exact = exact_way(options_, run_.stop());
        if (proven_at_once(exact)) {
            return spend(exact, budget);
        }
        Elimination<S, T>(run_, incumbent_).search(budget / 4);
        if (options_.directed.estimators.front() != exact.bound) {
            // First by the better guide: a shorter way found early saves most of the proof. What was found in depth or
            // by a walk can be many times too long, and greedy search in breadth is soon much nearer.
            BestFirstOptions guided = exact;
            guided.estimators = {options_.directed.estimators.front()};
            BestFirstOptions greedy = guided;
            greedy.priority = Priority::kEstimate;
            greedy.patience = Patience::kNever;
            spend(greedy, budget / 4);
            spend(guided, budget / 2);
        }
        return spend(exact, budget);
    }

    bool proven_at_once(const BestFirstOptions& options) {
        SuccessorBuffer first(run_.space.words());
        run_.space.initial(first);
        std::int32_t least = kDeadEnd;
        for (std::size_t i = 0; i < first.size(); ++i) {
            least = std::min(least, options.bound->estimate(first.state(i)));
        }
        return least >= static_cast<std::int64_t>(incumbent_.length());
    }

    // The next search in the same store comes its own ways. Where states cover others, those of the one before would
    // take the place of what it finds, and everything would stand there twice.
    void forget_covered() {
        if constexpr (CoveringStateStore<T>) {
            run_.statistics.stored -= replaced_in(run_.store);
            run_.store.clear();
        }
    }

    // Runs a search for at most that much work. True if it came to its end.
    bool spend(const BestFirstOptions& options, std::uint64_t budget) {
        if (!run_.going()) {
            return false;
        }
        forget_covered();
        BestFirst<S, T> search(run_, options, &incumbent_);
        search.begin();
        while (search.work() < budget && run_.statistics.seconds < improve_until_) {
            if (meet_ && meet_()) {
                return true;
            }
            if (!search.step()) {
                return run_.going();
            }
        }
        return false;
    }

    Run<S, T>& run_;
    AnytimeOptions options_;
    std::uint64_t step_; // the work of one, next to one with small states
    Incumbent<S, T> incumbent_;
    std::unique_ptr<Parts> parts_;
    Turn turn_ = Turn::kDirected;
    typename Scout<S, T>::Turn before_walk_;
    std::function<bool()> meet_;
    double improve_until_ = 0; // seconds of the run
    bool is_whole_ = false;
    bool stuck_ = false;         // the directed search, for good
    bool saw_all_ = false;       // because it has expanded every state
    std::uint64_t expanded_ = 0; // by it
};

} // namespace beeline
