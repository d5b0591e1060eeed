// Best-first search by several threads, or with estimates of several states at once, with the answers of one that asks
// for one estimate after the other.
//
// Nearly all time of a directed search goes into its estimates, and which ones it will ask for next is mostly known:
// those of the states at the head of its frontier, or of their successors. A lookahead has them made together or by
// other threads (see SpeculativeEvaluator), and the search goes on as ever. It keeps the arcs that it finds on the way,
// so that a state is still expanded once.
#pragma once

#include "search/run.hpp"
#include "search/speculative_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class Lookahead {
public:
    Lookahead(Run<S, T>& run, const BestFirstOptions& options)
        : run_(run), estimators_(options), lazy_(options.lazy), again_(options.lazy || options.preferred) {
        if (!SlowSpace<S> && run.threads() > 1 && estimators_.cost() > 0 && estimators_.can_clone()) {
            helpers_ = run.threads() - 1;
            run.outcome().threads = static_cast<std::uint32_t>(run.threads());
        }
        is_on_ = helpers_ > 0 || (!SlowSpace<S> && !has_zones() && has_plain_store() && estimators_.has_batches());
    }

    // Before each step: has other threads begin with what the search will want to know of the states that come next.
    // `is_worth(index)`: it is not sure that nothing will be done with a state. `is_evaluated(index)`: the search knows
    // what it needs of a stored state.
    template <class IsWorth, class IsEvaluated>
    void look(const Frontier& frontier, const IsWorth& is_worth, const IsEvaluated& is_evaluated) {
        trail_.clear();
        if (!is_on_ || !is_begun()) {
            return;
        }
        wide_ = std::min(wide_ + (helpers_ > 0 ? kGift : kSmallGift), kMostTrust);
        deep_ = std::min(deep_ + kSmallGift, kMostTrust);
        if (helpers_ > 0 && --rest_ <= 0 && speculative_->waiting() < wanted() / 2) {
            look_further(frontier, is_worth, is_evaluated);
            rest_ = speculative_->waiting() < wanted() / 2 ? kRest : 0; // there was not much to be found
            speculative_->call();
        }
    }

    // Asks for more states that the search may come to, as many as are wanted: successors of those at the head of the
    // frontier.
    template <class IsWorth, class IsEvaluated>
    void look_further(const Frontier& frontier, const IsWorth& is_worth, const IsEvaluated& is_evaluated) {
        const auto goes_on = [this] { return speculative_->waiting() < wanted() && (again_ || wide_ >= kPrice); };
        if (!goes_on()) {
            return;
        }
        frontier.look(kFar, [&](Index index) {
            if (is_worth(index)) {
                const Word* state = run_.store.state(index);
                const std::uint64_t hash = run_.store.hash(state);
                if (again_) {
                    speculative_->ask(state, hash, SpeculativeEvaluator::When::kLater);
                }
                if (!lazy_ && wide_ >= kPrice && !is_kept(state, hash)) {
                    expand(state, hash, wide_, is_evaluated);
                }
            }
            return goes_on();
        });
    }

    // The same for successors of the states in the search's buffer, and for theirs in turn: where the search dives.
    template <class IsEvaluated>
    void look_deeper(const IsEvaluated& is_evaluated) {
        if (lazy_ || deep_ < kPrice) {
            return;
        }
        trail_.clear();
        for (std::size_t i = 0; i < run_.buffer.size(); ++i) {
            if (is_state(run_.buffer, i) && speculative_->waits(run_.buffer.state(i), run_.buffer.hash(i))) {
                trail_.push_back({run_.buffer.state(i), run_.buffer.hash(i)});
            }
        }
        for (std::size_t i = 0; i < trail_.size() && i < kDeep && deep_ >= kPrice; ++i) {
            if (const auto [state, hash] = trail_[i]; !is_kept(state, hash)) {
                expand(state, hash, deep_, is_evaluated);
            }
        }
    }

    // The arcs of a state, if they are known; to be used before the next call of `look`.
    Expansion* expansion_of(Index index) {
        if (speculative_ == nullptr) {
            return nullptr;
        }
        const Word* state = run_.store.state(index);
        const std::uint64_t hash = run_.store.hash(state);
        if (!is_kept(state, hash)) {
            return nullptr;
        }
        Kept& kept = kept_[place(hash)];
        kept.is_used = true;
        *kept.trust = std::min(*kept.trust + kReward, kMostTrust);
        return kept.is_whole ? &kept.expansion : nullptr;
    }

    // The search is about to ask for the successors in its buffer, one after the other.
    template <class IsEvaluated>
    void ask_all(const IsEvaluated& is_evaluated) {
        if (speculative_ != nullptr && !lazy_) {
            ask_successors(run_.buffer, SpeculativeEvaluator::When::kNow, is_evaluated);
            if (helpers_ > 0) {
                speculative_->call();
            }
        }
    }

    // What the estimates say of a state, if someone has found out. Where they are asked for several states at once,
    // `look_further()` is called first, for more of them.
    template <class LookFurther>
    const Evaluation* evaluation_of(const Word* state, std::uint64_t hash, const LookFurther& look_further) {
        if (speculative_ == nullptr) {
            return nullptr;
        }
        if (helpers_ == 0) {
            if (again_) {
                speculative_->ask(state, hash, SpeculativeEvaluator::When::kNow);
            }
            if (speculative_->waits(state, hash)) {
                look_further();
            }
        }
        return speculative_->answer(state, hash);
    }
    template <class LookFurther>
    const Evaluation* evaluation_of(const Word* state, const LookFurther& look_further) {
        return speculative_ == nullptr ? nullptr : evaluation_of(state, run_.store.hash(state), look_further);
    }

private:
    using Clock = std::chrono::steady_clock; // decides on how long the search takes, not on what it does
    static constexpr auto kShort = std::chrono::milliseconds(20); // sooner, it may be over before others can help
    static constexpr double kDear = 1e-6, kCheap = 4e-7; // seconds: cheaper evaluations are not worth the trouble
    static constexpr std::size_t kFewest = 64;           // estimates before several are made at once
    static constexpr std::size_t kWaiting = 32;          // states for each helper
    static constexpr int kRest = 8;                      // steps without a look
    static constexpr std::int64_t kFar = 96;             // states of the frontier to look at
    static constexpr std::size_t kKept = 128;            // expansions
    static constexpr std::size_t kPlaces = 4096;
    static constexpr std::size_t kDeep = 48;
    // Expanding a state before it is needed takes time from the search. So a credit limits it: an expansion costs
    // kPrice, one that is used later earns kReward, and every step of the search earns a little.
    static constexpr int kPrice = 128, kReward = 256, kGift = 32, kSmallGift = 1, kMostTrust = 64 * kPrice;

    struct Kept {
        explicit Kept(std::size_t words) : expansion(words) {}
        std::vector<Word> state; // a copy, made when it is first needed: zones can be large
        std::uint64_t hash = 0;
        int* trust = nullptr; // that paid for it
        bool is_used = true;
        bool is_whole = false;
        Expansion expansion;
    };
    struct Met {
        const Word* state;
        std::uint64_t hash;
    };

    bool is_begun() {
        if (speculative_ != nullptr) {
            return true;
        }
        const std::size_t fewest = run_.smallest_search();
        if (run_.statistics.evaluated - evaluated_before_ < (helpers_ > 0 ? fewest : std::min(fewest, kFewest))) {
            return false;
        }
        if (fewest > 0) {
            if (helpers_ > 0 && Clock::now() - start_ < kShort) {
                return false;
            }
            is_on_ = is_dear(helpers_ > 0 ? kDear : kCheap);
            if (!is_on_) {
                return false;
            }
        }
        speculative_ = std::make_unique<SpeculativeEvaluator>(estimators_, helpers_, estimated_words());
        while (kept_.size() < kKept) {
            kept_.emplace_back(run_.space.words());
        }
        make_scout();
        return true;
    }

    // Evaluates some states by the clock.
    bool is_dear(double seconds) const {
        constexpr std::size_t kSample = 8;
        Evaluation evaluation;
        std::chrono::duration<double> least = std::chrono::seconds(1);
        for (std::size_t part = 0; part < kSample; ++part) {
            const Clock::time_point start = Clock::now();
            for (std::size_t i = 0; i < kSample; ++i) {
                const std::size_t index = run_.store.size() * (part * kSample + i) / (kSample * kSample);
                estimators_.evaluate(run_.store.state(static_cast<Index>(index)), evaluation);
            }
            least = std::min<std::chrono::duration<double>>(least, Clock::now() - start);
        }
        return least.count() >= seconds * kSample;
    }

    // Others take note of a state that is looked at.
    static constexpr bool has_plain_store() { return std::same_as<T, Store>; }
    // Then arcs are large, and many states share what estimates say of them.
    static constexpr bool has_zones() { return CoveringSpace<S>; }
    std::size_t estimated_words() const {
        if constexpr (PartlyEstimatedSpace<S>) {
            return run_.space.estimated_words();
        } else {
            return run_.space.words();
        }
    }

    std::size_t wanted() const {
        return helpers_ > 0 ? kWaiting * speculative_->helpers() : SpeculativeEvaluator::kAlone;
    }

    // Of states with the same place the last one is found.
    std::size_t place(std::uint64_t hash) const { return places_[hash % kPlaces]; }
    bool is_kept(const Word* state, std::uint64_t hash) const {
        const Kept& kept = kept_[place(hash)];
        return !kept.is_used && kept.hash == hash && std::equal(kept.state.begin(), kept.state.end(), state);
    }

    template <class IsEvaluated>
    void expand(const Word* state, std::uint64_t hash, int& trust, const IsEvaluated& is_evaluated) {
        trust -= kPrice;
        Kept& kept = kept_[next_];
        kept.state.assign(state, state + run_.space.words());
        kept.hash = hash;
        kept.trust = &trust;
        kept.is_used = false;
        places_[hash % kPlaces] = static_cast<std::uint16_t>(next_);
        next_ = (next_ + 1) % kept_.size();
        kept.is_whole = find_arcs(kept.state.data(), kept.expansion);
        if (kept.is_whole) {
            ask_successors(kept.expansion.arcs, SpeculativeEvaluator::When::kLater, is_evaluated);
        }
    }

    // False if the space cannot expand the state. That is no news before the search itself comes there.
    bool find_arcs(const Word* state, Expansion& expansion) {
        expansion.arcs.clear();
        try {
            expansion.marks = scout().expand(state, expansion.arcs);
            return true;
        } catch (const std::exception&) {
            make_scout(); // the old one stopped in the middle of a step
            return false;
        }
    }

    bool is_state(const SuccessorBuffer& arcs, std::size_t i) const {
        return (arcs.arc(i).marks & (kError | run_.stop())) == 0;
    }

    template <class IsEvaluated>
    void ask_successors(const SuccessorBuffer& arcs, SpeculativeEvaluator::When when, const IsEvaluated& is_evaluated) {
        hashes_.assign(arcs.size(), 0);
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (is_state(arcs, i)) {
                hashes_[i] = hash_of(arcs, i);
                run_.store.prefetch(hashes_[i]);
            }
        }
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (is_state(arcs, i)) {
                if (!is_known(arcs.state(i), hashes_[i], is_evaluated) &&
                    speculative_->ask(arcs.state(i), hashes_[i], when)) {
                    trail_.push_back({arcs.state(i), hashes_[i]});
                }
            }
        }
    }

    std::uint64_t hash_of(const SuccessorBuffer& arcs, std::size_t i) const {
        if constexpr (HashingSpace<S> && PlainHashStore<T>) {
            return arcs.hash(i);
        } else {
            return run_.store.hash(arcs.state(i));
        }
    }

    // Whether the search will not ask for a state's evaluation. That costs too much to be found out where states cover
    // others; but such states share their evaluations with many.
    template <class IsEvaluated>
    bool is_known(const Word* state, std::uint64_t hash, const IsEvaluated& is_evaluated) const {
        if constexpr (has_zones()) {
            return false;
        } else {
            const Index known = run_.store.find(state, hash);
            return known != kNoIndex && is_evaluated(known);
        }
    }

    // Arcs come from a clone of the space, where it has one: what goes wrong there leaves no trace in the search.
    S& scout() { return clone_ == nullptr ? run_.space : *clone_; }
    void make_scout() {
        if constexpr (CloneableSpace<S>) {
            clone_ = run_.space.clone();
            clone_->follow(run_.space);
        }
    }

    Run<S, T>& run_;
    EstimatorSet estimators_;
    bool lazy_;
    bool again_; // states are evaluated when they are taken from the frontier
    std::size_t helpers_ = 0;
    bool is_on_ = false;
    Clock::time_point start_ = Clock::now();
    std::uint64_t evaluated_before_ = run_.statistics.evaluated;
    std::unique_ptr<SpeculativeEvaluator> speculative_; // once the search has been going on for a while
    std::unique_ptr<S> clone_;
    std::vector<Kept> kept_;
    std::size_t next_ = 0;                                                       // to be used next
    std::vector<std::uint16_t> places_ = std::vector<std::uint16_t>(kPlaces, 0); // by state: which of those kept
    int wide_ = 4 * kPrice, deep_ = 4 * kPrice;                                  // trust
    std::vector<Met> trail_;
    int rest_ = 0;
    std::vector<std::uint64_t> hashes_;
};

} // namespace beeline
