// Searches that race: the one that needs no advice (see Anytime), and others, each in a thread of its own, with a copy
// of the space and a store of its own.
//
// The first one goes alone for a while, so that short searches are the same with any number of threads. Until something
// is found the others share nothing but memory and limits with it, so that nobody's way depends on who is quicker. The
// first to find a violation, or to have seen the whole space, decides for all. Then everybody looks for something
// shorter, or proves that there is nothing, with the length of the best violation found by anyone as a bound.
//
// The first search watches the limits and reports. Whatever ends one of the others (a limit of states, a state that
// the space cannot expand) is its own affair; when half of the memory is used, all others make way for the first.
#pragma once

#include "search/anytime.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "search/parallel_breadth_first.hpp"
#include "search/prize.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace beeline {

// A best-first search, or, by its seed, a depth-first one in random order.
struct Rival {
    std::string name;
    std::variant<BestFirstOptions, std::uint64_t> way;
};

struct RaceOptions {
    std::string name; // of the first
    AnytimeOptions first;
    std::vector<Rival> rivals;
    std::uint64_t head_start = 100'000; // of the first, in generated steps
};

inline bool can_clone(const BestFirstOptions& way) {
    const auto has_clone = [](const auto& estimator) { return estimator == nullptr || estimator->can_clone(); };
    return has_clone(way.bound) && std::all_of(way.estimators.begin(), way.estimators.end(), has_clone);
}

// What one of the others has counted so far, for whoever watches.
struct alignas(64) Tally {
    std::atomic<std::uint64_t> stored = 0, expanded = 0, generated = 0, evaluated = 0;

    void set(const Statistics& done, const Statistics& now) {
        stored.store(done.stored + now.stored, std::memory_order_relaxed);
        expanded.store(done.expanded + now.expanded, std::memory_order_relaxed);
        generated.store(done.generated + now.generated, std::memory_order_relaxed);
        evaluated.store(done.evaluated + now.evaluated, std::memory_order_relaxed);
    }
    void add_to(Statistics& all) const {
        all.stored += stored.load(std::memory_order_relaxed);
        all.expanded += expanded.load(std::memory_order_relaxed);
        all.generated += generated.load(std::memory_order_relaxed);
        all.evaluated += evaluated.load(std::memory_order_relaxed);
    }
};

// Looks for something shorter than the best violation that anyone has found, and tells what it finds.
template <Space S, StateStore T>
class Chase {
public:
    static constexpr std::size_t kSideBytes = BestFirst<S, T>::kSideBytes;

    // `by` is this search's number. If it `proves`, its end shows that nothing is shorter.
    Chase(Run<S, T>& run, const BestFirstOptions& options, Prize* prize, std::uint32_t by, bool proves)
        : run_(run), options_(options), prize_(*prize), by_(by), proves_(proves), incumbent_(run) {}

    void search() {
        incumbent_.share(prize_, by_);
        BestFirst<S, T> search(run_, options_, &incumbent_);
        search.begin();
        while (search.step()) {
            incumbent_.share(prize_, by_);
        }
        incumbent_.share(prize_, by_);
        if (run_.going()) {
            if (proves_) {
                prize_.prove(incumbent_.length());
            }
            run_.end(Status::kGaveUp);
        }
    }

private:
    Run<S, T>& run_;
    const BestFirstOptions& options_;
    Prize& prize_;
    std::uint32_t by_;
    bool proves_;
    Incumbent<S, T> incumbent_;
};

// A space that several searches can have, each for itself.
template <class S>
concept RacingSpace = CloneableSpace<S> || TwinSpace<S>;

template <class S>
bool can_have_twins(S& space) {
    if constexpr (TwinSpace<S>) {
        return space.can_have_twins();
    } else {
        return can_share(space);
    }
}
template <RacingSpace S>
std::unique_ptr<S> twin_of(const S& space) {
    if constexpr (TwinSpace<S>) {
        return space.twin();
    } else {
        return space.clone();
    }
}

template <RacingSpace S, StateStore T>
class Race {
public:
    static constexpr std::size_t kSideBytes = Anytime<S, T>::kSideBytes;

    // With a tally for each rival.
    Race(Run<S, T>& run, const RaceOptions& options, std::vector<Tally>* tallies)
        : run_(run), options_(options), tallies_(*tallies), first_(run, options.first) {
        run.outcome().threads = static_cast<std::uint32_t>(1 + options.rivals.size());
    }
    ~Race() { dismiss(); }
    Race(const Race&) = delete;
    Race& operator=(const Race&) = delete;

    void search() {
        first_.begin();
        while (is_open() && first_.work() < options_.head_start) {
            first_.step();
        }
        if (is_open()) {
            start();
            look();
        }
        found_at_ = run_.statistics.generated;
        first_.meet_by([this] { return meet(); });
        first_.finish();
        dismiss();
        conclude();
    }

private:
    static constexpr auto kRest = std::chrono::milliseconds(1);

    struct Runner {
        Runner(const Run<S, T>& run, const Rival& rival, Tally& tally)
            : space(twin_of(run.space)), way(rival.way), tally(tally) {}

        std::uint32_t number = 0;
        std::unique_ptr<S> space;
        std::variant<BestFirstOptions, std::uint64_t> way;
        std::optional<BestFirstOptions> chase; // what it does once something is found
        bool proves = false;
        Statistics done; // counted in searches that have ended
        Tally& tally;
        std::thread thread;
    };

    // Estimators for another thread. One that has several uses is the same one in all of them.
    class Clones {
    public:
        void take(BestFirstOptions& options) {
            for (auto& estimator : options.estimators) {
                take(estimator);
            }
            take(options.bound);
        }

    private:
        void take(std::shared_ptr<Estimator>& estimator) {
            if (estimator != nullptr) {
                auto& clone = clones_[estimator.get()];
                clone = clone == nullptr ? estimator->clone() : clone;
                estimator = clone;
            }
        }
        std::unordered_map<const Estimator*, std::shared_ptr<Estimator>> clones_;
    };

    bool is_open() { return run_.going() && !first_.incumbent().any(); }

    // The first search

    void look() {
        while (is_open()) {
            first_.step();
            watch();
        }
        if (run_.outcome().status == Status::kStates) {
            await_others();
        }
        tell();
    }

    // What the others have come to.
    void watch() {
        if (prize_.any() && is_open()) {
            first_.incumbent().share(prize_, 0);
        } else if (seen_by_ != Prize::kNobody && is_open()) {
            run_.end(Status::kExhausted);
        }
        make_room();
    }
    void make_room() {
        if (run_.memory().used() > run_.memory().limit() / 2) {
            is_found_ = is_over_ = true;
        }
    }

    // The first search has no room for more states; another one may find something with its own.
    void await_others() {
        while (looking_ > 0 && !prize_.any() && seen_by_ == Prize::kNobody) {
            std::this_thread::sleep_for(kRest);
            run_.go_on();
            run_.pulse();
            if (!run_.going()) {
                return;
            }
        }
        run_.end(Status::kStates);
    }

    // Everybody else of how it has ended.
    void tell() {
        const Outcome& outcome = run_.outcome();
        if (first_.incumbent().any()) {
            first_.incumbent().share(prize_, 0);
        } else if (outcome.status == Status::kFound) {
            prize_.offer(outcome, 0);
            is_over_ = outcome.proven;
        } else {
            is_over_ = true;
        }
        wake();
    }

    // Whether others have proven that nothing is shorter.
    bool meet() {
        Incumbent<S, T>& incumbent = first_.incumbent();
        incumbent.share(prize_, 0);
        if (runners_.empty()) {
            if (run_.statistics.generated - found_at_ >= options_.head_start) {
                start();
            }
            return false;
        }
        make_room();
        return prize_.is_proven() && prize_.length() == incumbent.length();
    }

    // After all have ended.
    void conclude() {
        Outcome& outcome = run_.outcome();
        Statistics& all = run_.statistics;
        if (outcome.status != Status::kFound && prize_.any()) { // worth more than a limit
            outcome.truncated = true;
            first_.incumbent().share(prize_, 0);
            first_.incumbent().report(false);
        } else if (outcome.status != Status::kFound && seen_by_ != Prize::kNobody) {
            run_.end(Status::kExhausted);
        }
        for (const auto& runner : runners_) {
            add(runner->done, all);
            if (outcome.status == Status::kFound) {
                add_seen(runner->done, all);
            } else if (outcome.status == Status::kExhausted && runner->number == seen_by_) {
                Sightings seen = Sightings::of(runner->done);
                seen.stored += replaced_in(run_.store); // taken off in the end
                seen.put_into(all);
            }
        }
        outcome.raced = static_cast<std::uint32_t>(1 + runners_.size());
        if (outcome.status == Status::kFound || outcome.status == Status::kExhausted) {
            const std::uint32_t first = outcome.status == Status::kFound ? prize_.first() : seen_by_.load();
            outcome.winner = first == Prize::kNobody || first == 0 ? options_.name : options_.rivals[first - 1].name;
        }
    }

    // Work, by whomever it was done.
    static void add(const Statistics& some, Statistics& all) {
        all.expanded += some.expanded;
        all.generated += some.generated;
        all.reopened += some.reopened;
        all.evaluated += some.evaluated;
        all.dead_ends += some.dead_ends;
        all.depth = std::max(all.depth, some.depth);
    }

    // What was seen, the more often the more have seen it, but for what was found, which is counted when it is
    // reported.
    static void add_seen(const Statistics& some, Statistics& all) {
        all.stored += some.stored;
        all.deadlocks += some.deadlocks;
        all.errors += some.errors;
        all.transient += some.transient;
    }

    // The others

    void start() {
        const bool improves = options_.first.improve > 0;
        for (std::size_t i = 0; i < options_.rivals.size(); ++i) {
            auto runner = std::make_unique<Runner>(run_, options_.rivals[i], tallies_[i]);
            runner->number = static_cast<std::uint32_t>(i + 1);
            if (improves) {
                give_chase(*runner);
            }
            Clones clones;
            if (auto* directed = std::get_if<BestFirstOptions>(&runner->way)) {
                clones.take(*directed);
            }
            if (runner->chase) {
                clones.take(*runner->chase);
            }
            runners_.push_back(std::move(runner));
        }
        is_found_ = prize_.any();
        looking_ = static_cast<std::uint32_t>(runners_.size());
        for (const auto& runner : runners_) {
            try {
                runner->thread = std::thread([this, &own = *runner] { compete(own); });
            } catch (const std::system_error&) { // those that are there will do
                --looking_;
            }
        }
    }

    // The second search proves that nothing is shorter by looking everywhere within the length, which is cheap where
    // the space is small; the third by the bound, as the first will in the end; the fourth goes by the guide.
    void give_chase(Runner& runner) {
        AnytimeOptions options = options_.first;
        if (runner.number == 1) {
            options.bound = nullptr;
        }
        BestFirstOptions way = Anytime<S, T>::exact_way(options, run_.stop());
        runner.proves = runner.number <= 2;
        if (!runner.proves) {
            way.estimators = {options.directed.estimators.front()};
        }
        if (runner.number <= 3 && can_clone(way)) {
            runner.chase = std::move(way);
        }
    }

    void compete(Runner& runner) noexcept {
        guarded([&] { look(runner); });
        --looking_;
        is_found_.wait(false);
        if (runner.chase && prize_.any() && !is_over_) {
            guarded([&] {
                const Request request = ask(runner, is_over_);
                count(runner,
                      run_search<Chase>(*runner.space, request, *runner.chase, &prize_, runner.number, runner.proves));
            });
        }
    }

    // What goes wrong in a state that the first search does not come to is no concern of it.
    template <class Act>
    static void guarded(const Act& act) noexcept {
        try {
            act();
        } catch (...) {
        }
    }

    void look(Runner& runner) {
        if (is_found_) {
            return;
        }
        const Request request = ask(runner, is_found_);
        const Outcome outcome = follow(runner, request);
        count(runner, outcome);
        if (outcome.status == Status::kFound) {
            prize_.offer(outcome, runner.number);
            wake();
        } else if (outcome.status == Status::kExhausted) {
            std::uint32_t nobody = Prize::kNobody;
            seen_by_.compare_exchange_strong(nobody, runner.number);
        }
    }
    Outcome follow(Runner& runner, const Request& request) {
        if (const auto* directed = std::get_if<BestFirstOptions>(&runner.way)) {
            return run_search<BestFirst>(*runner.space, request, *directed);
        }
        return run_search<DepthFirst>(*runner.space, request, std::optional(std::get<std::uint64_t>(runner.way)));
    }

    Request ask(Runner& runner, const std::atomic<bool>& end) {
        Request request;
        request.stop = run_.stop();
        request.limits.states = run_.limits().states;
        request.observer = [&runner](const Statistics& now) {
            runner.tally.set(runner.done, now);
            return true;
        };
        request.cancelled = &end;
        request.account = &run_.memory();
        return request;
    }

    void count(Runner& runner, const Outcome& outcome) {
        const Statistics& counted = outcome.statistics;
        add(counted, runner.done);
        add_seen(counted, runner.done);
        runner.done.goals += counted.goals;
        runner.tally.set(runner.done, {});
    }

    void wake() {
        is_found_ = true;
        is_found_.notify_all();
    }
    void dismiss() {
        is_over_ = true;
        wake();
        for (const auto& runner : runners_) {
            if (runner->thread.joinable()) {
                runner->thread.join();
            }
        }
    }

    Run<S, T>& run_;
    const RaceOptions& options_;
    std::vector<Tally>& tallies_;
    Anytime<S, T> first_;
    std::uint64_t found_at_ = 0; // in steps generated by the first search
    Prize prize_;
    std::vector<std::unique_ptr<Runner>> runners_; // none before they are needed
    std::atomic<bool> is_found_ = false;           // or nobody need look for it any more
    std::atomic<bool> is_over_ = false;
    std::atomic<std::uint32_t> looking_ = 0;
    std::atomic<std::uint32_t> seen_by_ = Prize::kNobody; // who has seen the whole space
};

// As many rivals race as there are threads beside the first one's, the first of those that can. Where there can be no
// race, since not every thread can have the space with all its steps or there is nothing to go by, the first search
// shares its estimates among the threads.
template <Space S>
Outcome race(S& space, const Request& asked, const RaceOptions& wanted) {
    if constexpr (RacingSpace<S>) {
        RaceOptions options = wanted;
        std::erase_if(options.rivals, [](const Rival& rival) {
            const auto* way = std::get_if<BestFirstOptions>(&rival.way);
            return way != nullptr && !can_clone(*way);
        });
        options.rivals.resize(std::min(options.rivals.size(), asked.threads - 1));
        options.head_start = asked.smallest_search == 0 ? 0 : options.head_start;
        const bool is_directed = Anytime<S, Store>::is_directed(options.first, asked.limits);
        if (can_have_twins(space) && is_directed && asked.stop != kNone && !options.rivals.empty()) {
            std::vector<Tally> tallies(options.rivals.size());
            Request request = asked;
            request.threads = 1;
            request.observer = [&](const Statistics& own) {
                Statistics all = own;
                for (const Tally& tally : tallies) {
                    tally.add_to(all);
                }
                return !asked.observer || asked.observer(all);
            };
            return run_search<Race>(space, request, options, &tallies);
        }
    }
    return run_search<Anytime>(space, asked, wanted.first);
}

} // namespace beeline
