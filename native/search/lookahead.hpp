// Best-first search by several threads, with the answers of one.
//
// Nearly all time of a directed search goes into its estimates, and which ones it will ask for next is mostly known:
// those of the states at the head of its frontier, or of their successors. A lookahead has them made by other threads
// (see Forecast), and the search goes on as ever. It keeps the arcs that it finds on the way, so that a state is still
// expanded once.
#pragma once

#include "search/forecast.hpp"
#include "search/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class Lookahead {
public:
    Lookahead(Run<S, T>& run, const BestFirstOptions& options)
        : run_(run), panel_(options), lazy_(options.lazy), again_(options.lazy || options.preferred) {
        if (!is_slow<S> && run.threads() > 1 && panel_.cost() > 0 && panel_.has_twin()) {
            helpers_ = run.threads() - 1;
            run.outcome().threads = static_cast<std::uint32_t>(run.threads());
        }
    }

    // Asks for what the search will want to know of the states that come next. `is_worth(index)`: it is not sure that
    // nothing will be done with a state. `has_opinion(index)`: the search knows what it needs of a stored state.
    template <class IsWorth, class HasOpinion>
    void look(const Frontier& frontier, const IsWorth& is_worth, const HasOpinion& has_opinion) {
        if (helpers_ == 0 || !is_begun()) {
            return;
        }
        trust_ = std::min(trust_ + kGift, kMostTrust);
        const std::size_t wanted = kWaiting * forecast_->helpers();
        if (--rest_ > 0 || forecast_->waiting() >= wanted / 2 || (!again_ && trust_ < kPrice)) {
            return;
        }
        frontier.look(kFar, [&](Index index) {
            if (is_worth(index)) {
                if (again_) {
                    ask(run_.store.state(index), Forecast::When::kLater);
                }
                if (!lazy_ && trust_ >= kPrice && !expansions_.contains(index)) {
                    expand(index, has_opinion);
                }
            }
            return forecast_->waiting() < wanted && (again_ || trust_ >= kPrice);
        });
        rest_ = forecast_->waiting() < wanted / 2 ? kRest : 0; // there was not much to be found
        forecast_->call();
    }

    // The arcs of a state, if they are known; to be used before the next call of `look`.
    Expansion* expansion_of(Index index) {
        const auto known = expansions_.find(index);
        if (known == expansions_.end()) {
            return nullptr;
        }
        Kept& kept = kept_[known->second];
        expansions_.erase(known);
        kept.index = kNoIndex;
        trust_ = std::min(trust_ + kReward, kMostTrust);
        return kept.is_whole ? &kept.expansion : nullptr;
    }

    // The search is about to ask for the successors in its buffer, one after the other.
    template <class HasOpinion>
    void ask_all(const HasOpinion& has_opinion) {
        if (forecast_ != nullptr && !lazy_) {
            ask_successors(run_.buffer, Forecast::When::kNow, has_opinion);
            forecast_->call();
        }
    }

    // What the estimates say of a state, if someone has found out.
    const Opinion* opinion_of(const Word* state, std::uint64_t hash) {
        return forecast_ == nullptr ? nullptr : forecast_->answer(state, hash);
    }
    const Opinion* opinion_of(const Word* state) {
        return forecast_ == nullptr ? nullptr : forecast_->answer(state, run_.store.hash(state));
    }

private:
    using Clock = std::chrono::steady_clock; // decides on how long the search takes, not on what it does
    static constexpr auto kShort = std::chrono::milliseconds(20); // sooner, it may be over before others can help
    static constexpr double kDear = 1e-6;                         // seconds: cheaper opinions are not worth sharing
    static constexpr std::size_t kWaiting = 32;                   // states for each helper
    static constexpr int kRest = 8;                               // steps without a look
    static constexpr std::int64_t kFar = 96;                      // states of the frontier to look at
    static constexpr std::size_t kKept = 128;                     // expansions
    // A state that is expanded too early, or in vain, takes time from the search. Trust pays for it: states that are
    // used earn some, and every step a little.
    static constexpr int kPrice = 16, kReward = 24, kGift = 4, kMostTrust = 64 * kPrice;

    struct Kept {
        explicit Kept(std::size_t words) : expansion(words) {}
        Index index = kNoIndex;
        bool is_whole = false;
        Expansion expansion;
    };

    bool is_begun() {
        if (forecast_ != nullptr) {
            return true;
        }
        if (run_.statistics.evaluated - evaluated_before_ < run_.smallest_search()) {
            return false;
        }
        if (run_.smallest_search() > 0) {
            if (Clock::now() - start_ < kShort) {
                return false;
            }
            if (!is_dear()) {
                helpers_ = 0;
                return false;
            }
        }
        forecast_ = std::make_unique<Forecast>(panel_, helpers_, estimated_words());
        while (kept_.size() < kKept) {
            kept_.emplace_back(run_.space.words());
        }
        make_scout();
        return true;
    }

    // Judges some states by the clock.
    bool is_dear() const {
        constexpr std::size_t kSample = 8;
        Opinion opinion;
        std::chrono::duration<double> least = std::chrono::seconds(1);
        for (std::size_t part = 0; part < kSample; ++part) {
            const Clock::time_point start = Clock::now();
            for (std::size_t i = 0; i < kSample; ++i) {
                const std::size_t index = run_.store.size() * (part * kSample + i) / (kSample * kSample);
                panel_.judge(run_.store.state(static_cast<Index>(index)), opinion);
            }
            least = std::min<std::chrono::duration<double>>(least, Clock::now() - start);
        }
        return least.count() >= kDear * kSample;
    }

    std::size_t estimated_words() const {
        if constexpr (requires { run_.space.estimated_words(); }) {
            return run_.space.estimated_words();
        } else {
            return run_.space.words();
        }
    }

    void ask(const Word* state, Forecast::When when) { forecast_->ask(state, run_.store.hash(state), when); }

    template <class HasOpinion>
    void expand(Index index, const HasOpinion& has_opinion) {
        trust_ -= kPrice;
        Kept& kept = kept_[next_];
        if (kept.index != kNoIndex) {
            expansions_.erase(kept.index);
        }
        kept.index = index;
        expansions_[index] = next_;
        next_ = (next_ + 1) % kept_.size();
        kept.is_whole = find_arcs(run_.store.state(index), kept.expansion);
        if (kept.is_whole) {
            ask_successors(kept.expansion.arcs, Forecast::When::kLater, has_opinion);
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

    template <class HasOpinion>
    void ask_successors(const SuccessorBuffer& arcs, Forecast::When when, const HasOpinion& has_opinion) {
        hashes_.assign(arcs.size(), 0);
        const auto is_state = [&](std::size_t i) { return (arcs.arc(i).marks & (kError | run_.stop())) == 0; };
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (is_state(i)) {
                hashes_[i] = hash_of(arcs, i);
                run_.store.prefetch(hashes_[i]);
            }
        }
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (is_state(i)) {
                if (!is_judged(arcs.state(i), hashes_[i], has_opinion)) {
                    forecast_->ask(arcs.state(i), hashes_[i], when);
                }
            }
        }
    }

    std::uint64_t hash_of(const SuccessorBuffer& arcs, std::size_t i) const {
        if constexpr (gives_hashes<S> && takes_plain_hashes<T>) {
            return arcs.hash(i);
        } else {
            return run_.store.hash(arcs.state(i));
        }
    }

    // Whether the search will not ask for a state's opinion. That costs too much to be found out where states cover
    // others; but such states share their opinions with many.
    template <class HasOpinion>
    bool is_judged(const Word* state, std::uint64_t hash, const HasOpinion& has_opinion) const {
        if constexpr (requires { run_.space.estimated_words(); }) {
            return false;
        } else {
            const Index known = run_.store.find(state, hash);
            return known != kNoIndex && has_opinion(known);
        }
    }

    // Arcs come from a twin of the space, where it has one: what goes wrong there leaves no trace in the search.
    S& scout() { return twin_ == nullptr ? run_.space : *twin_; }
    void make_scout() {
        if constexpr (requires { run_.space.twin(); }) {
            twin_ = run_.space.twin();
        }
    }

    Run<S, T>& run_;
    Panel panel_;
    bool lazy_;
    bool again_; // states are judged when they are taken from the frontier
    std::size_t helpers_ = 0;
    Clock::time_point start_ = Clock::now();
    std::uint64_t evaluated_before_ = run_.statistics.evaluated;
    std::unique_ptr<Forecast> forecast_; // once the search has been going on for a while
    std::unique_ptr<S> twin_;
    std::vector<Kept> kept_;
    std::size_t next_ = 0;                              // to be used next
    std::unordered_map<Index, std::size_t> expansions_; // by state: which of those kept
    int trust_ = 4 * kPrice;
    int rest_ = 0;
    std::vector<std::uint64_t> hashes_;
};

} // namespace beeline
