// Random walks, guided by a heuristic (Nakhost and Müller, "Monte-Carlo exploration for deterministic planning", IJCAI
// 2009): from where it stands it tries several short walks, goes on where one comes nearer, or at the end of the best,
// and begins anew when that brings nothing for a while, mostly from a place on the way that came nearest so far (smart
// restarts: Nakhost, Hoffmann and Müller, "Resource-constrained planning: a Monte Carlo random walk approach", ICAPS
// 2012). The first three tries leave nothing to chance: one goes downhill by the first step to a
// better estimate, two always take the first step, and always the last. In a model of many like processes that keeps an
// order that chance never would. Where their length ends the latter, they are made again, longer, once other tries have
// done as much work. Stores no states, so it never knows that it has seen them all.
#pragma once

#include "heuristic/estimator.hpp"
#include "search/incumbent.hpp"
#include "search/random.hpp"
#include "search/run.hpp"
#include "state/hash.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace beeline {

struct WalkOptions {
    std::shared_ptr<Estimator> estimator;
    std::uint64_t seed = 0;
    std::uint32_t restarts = 100;
    std::uint32_t tries = 20;    // walks from one place, of which the best is taken
    std::uint32_t length = 16;   // steps of a walk; doubled whenever nothing got better
    std::uint32_t patience = 8;  // how often nothing may get better before a restart
    std::uint32_t longest = 512; // to which the length of a walk grows
};

template <Space S, StateStore T>
class Walk {
public:
    Walk(Run<S, T>& run, const WalkOptions& options) : Walk(run, options, nullptr) {}
    // Beside other searches, which share the best violation.
    Walk(Run<S, T>& run, const WalkOptions& options, Incumbent<S, T>* shared)
        : run_(run), options_(options), random_(options.seed), words_(run.space.words()),
          stride_(std::clamp(options.estimator->cost() / kStepsOfCost, 1U, kLongestStride)), own_(run),
          incumbent_(shared == nullptr ? own_ : *shared) {}

    void search() {
        for (std::uint32_t i = 0; going() && i < options_.restarts; ++i) {
            search_once();
        }
        if (incumbent_.any()) {
            incumbent_.report(false);
        } else if (run_.going()) {
            run_.end(Status::kGaveUp);
        }
    }

    // One try from the beginning, for callers that stop in between.
    void search_once() {
        if (const Dives due = dives_due(); due != kNoDive) {
            dive_once(due & -due);
        } else if (start([this](std::size_t count) { return random_.below(count); })) {
            wander();
        }
    }
    // Whether the next try is one of those that begin.
    bool wants_dive() const { return dives_.due != kNoDive && dives_.longest == kFirstDive; }
    // What was done so far, in generated steps and in states.
    std::uint64_t work() const { return work_; }
    std::uint64_t expanded() const { return expanded_; }

    // What the next try depends on, for checkpoints.
    using Dives = std::uint32_t; // a set
    static constexpr Dives kNoDive = 0, kDownhill = 1, kByFirst = 2, kByLast = 4;
    static constexpr std::uint64_t kFirstDive = 1024;
    struct Straight {
        std::uint64_t longest = kFirstDive;         // steps
        Dives due = kDownhill | kByFirst | kByLast; // of that length
        Dives ended_by_length = kNoDive;
        std::uint64_t work = 0; // of all so far
    };
    struct Nearest {
        Path way;
        std::int32_t value = kDeadEnd; // the estimate at its end
    };
    struct Turn {
        Random random;
        Straight dives;
        std::uint64_t work = 0, expanded = 0;
        Nearest nearest = {};

        template <class Archive>
        void archive(Archive& with) {
            with(random, dives, work, expanded, nearest.way.words, nearest.way.actions, nearest.way.states,
                 nearest.value);
        }
    };
    Turn turn() const { return {random_, dives_, work_, expanded_, nearest_}; }
    void put_back(const Turn& turn) {
        random_ = turn.random;
        dives_ = turn.dives;
        work_ = turn.work;
        expanded_ = turn.expanded;
        nearest_ = turn.nearest;
    }

private:
    static constexpr std::uint64_t kLonger = 8;
    static constexpr std::uint32_t kLevel = 64; // steps downhill without getting any lower
    static constexpr std::size_t kCopies = 6;
    static constexpr std::size_t kGoBack = 5; // one start in so many is from the beginning
    // Estimates take about as much as the steps between them, but are not so far apart that what is near is passed by.
    static constexpr std::uint32_t kStepsOfCost = 4, kLongestStride = 64;

    bool going() const { return run_.going() && !incumbent_.any(); }

    // At the initial state that is chosen; false if that ends the run or there is none.
    template <class Choose>
    bool start(const Choose& choose) {
        run_.initial();
        if (!going()) {
            return false;
        }
        way_ = Path{};
        way_.words = words_;
        const std::size_t count = run_.buffer.size();
        if (count == 0) {
            return false;
        }
        const std::size_t i = choose(count);
        way_.append(run_.buffer.arc(i).action, run_.buffer.state(i));
        return true;
    }

    Dives dives_due() const {
        return dives_.longest == kFirstDive || dives_.longest <= work_ - dives_.work ? dives_.due : kNoDive;
    }

    void dive_once(Dives which) {
        const std::uint64_t before = work_;
        if (start([which](std::size_t count) { return which == kByLast ? count - 1 : 0; })) {
            if (which == kDownhill) {
                go_downhill();
            } else if (dive(which == kByFirst)) {
                dives_.ended_by_length |= which;
            }
        }
        dives_.work += work_ - before;
        dives_.due &= ~which;
        if (dives_.due == kNoDive) {
            dives_ = Straight{dives_.longest * kLonger, dives_.ended_by_length, kNoDive, dives_.work};
        }
    }

    // By the first step that leads to a better estimate, or else the first to the best that was not met on the way.
    void go_downhill() {
        std::unordered_set<std::uint64_t> met;
        std::int32_t here = estimate(way_.state(way_.size() - 1)), lowest = here;
        for (std::uint32_t level = 0; level < kLevel && has_room() && expand(); ++level) {
            met.insert(hash_words(way_.state(way_.size() - 1), words_));
            find_choices();
            const auto [next, value] = downhill(here, met);
            if (value == kDeadEnd || !going()) {
                return;
            }
            go(next);
            here = value;
            if (here < lowest) {
                lowest = here;
                level = 0;
            }
        }
    }

    std::pair<std::size_t, std::int32_t> downhill(std::int32_t here, const std::unordered_set<std::uint64_t>& met) {
        std::pair<std::size_t, std::int32_t> best{0, kDeadEnd};
        for (std::size_t i = 0; i < choices_.size() && going() && best.second >= here; ++i) {
            const Word* state = run_.buffer.state(choices_[i]);
            if (!met.contains(hash_words(state, words_))) {
                const std::int32_t value = estimate(state);
                best = value < best.second ? std::pair{choices_[i], value} : best;
            }
        }
        return best;
    }

    // Straight on by the first or the last step that leads to a state not met on the way. Whether it could go on.
    bool dive(bool by_first) {
        std::unordered_set<std::uint64_t> met;
        for (std::uint64_t i = 0; i < dives_.longest; ++i) {
            if (!has_room() || !expand()) {
                return false;
            }
            met.insert(hash_words(way_.state(way_.size() - 1), words_));
            find_choices();
            if (!by_first) {
                std::reverse(choices_.begin(), choices_.end());
            }
            const auto next = std::find_if(choices_.begin(), choices_.end(), [&](std::size_t arc) {
                return !met.contains(hash_words(run_.buffer.state(arc), words_));
            });
            if (next == choices_.end()) {
                return false;
            }
            go(*next);
        }
        return true;
    }

    void wander() {
        go_back();
        lowest_ = estimate(way_.state(way_.size() - 1));
        std::uint32_t length = options_.length;
        for (std::uint32_t idle = 0; going() && idle < options_.patience;) {
            const std::size_t start = way_.size();
            const std::int32_t before = lowest_;
            go_best_walk(length);
            if (!going() || way_.size() == start) {
                return;
            }
            if (lowest_ < before) {
                note_nearest();
                idle = 0;
                length = options_.length;
            } else {
                ++idle;
                length = std::min(2 * length, options_.longest);
            }
        }
    }

    // Mostly to a place by chance on the way that came nearest so far, which need not be found again.
    void go_back() {
        if (nearest_.way.size() > 1 && random_.below(kGoBack) > 0) {
            way_ = nearest_.way;
            cut_back(1 + random_.below(way_.size()));
        }
    }
    void note_nearest() {
        if (lowest_ < nearest_.value) {
            nearest_ = {without_loops(), lowest_};
        }
    }

    // Goes the first of several walks that comes nearer than ever since the start, or else the best of them. The way is
    // unchanged if all were dead ends.
    void go_best_walk(std::uint32_t length) {
        const std::size_t start = way_.size();
        std::int32_t best = kDeadEnd;
        Path kept;
        for (std::uint32_t i = 0; going() && i < options_.tries; ++i) {
            cut_back(start);
            const End end = walk(length);
            if (end.is_stuck) {
                continue;
            }
            if (end.value < lowest_) {
                lowest_ = end.value;
                return;
            }
            if (end.value < best || kept.size() == 0) {
                best = end.value;
                kept = tail(start);
            }
        }
        if (going()) {
            cut_back(start);
            for (std::size_t i = 0; i < kept.size(); ++i) {
                way_.append(kept.actions[i], kept.state(i));
            }
        }
    }

    // Where a walk ends, and what is estimated there. It is stuck at a place without a way on, or where something is
    // found.
    struct End {
        std::int32_t value = kDeadEnd;
        bool is_stuck = true;
    };
    // Looks at the estimate now and then, and ends where it is lower than ever since the start.
    End walk(std::uint32_t length) {
        std::int32_t value = kDeadEnd;
        for (std::uint32_t i = 0; i < length && has_room(); ++i) {
            if (!expand()) {
                return {};
            }
            find_choices();
            if (choices_.empty()) {
                return {};
            }
            go(choices_[random_.below(choices_.size())]);
            if ((i + 1) % stride_ == 0 || i + 1 == length) {
                value = estimate(way_.state(way_.size() - 1));
                if (value < lowest_) {
                    break;
                }
            }
        }
        return {value, way_.size() == 1};
    }

    void find_choices() {
        choices_.clear();
        for (std::size_t arc = 0; arc < run_.buffer.size(); ++arc) {
            if ((run_.buffer.arc(arc).marks & kError) == 0) {
                choices_.push_back(arc);
            }
        }
    }

    void go(std::size_t arc) {
        way_.append(run_.buffer.arc(arc).action, run_.buffer.state(arc));
        run_.reach_depth(way_.size() - 1);
    }

    // For one more state on the way. Vectors that grow, and copies of the way, take some times what it needs itself.
    bool has_room() {
        const std::size_t bytes = kCopies * (way_.size() + 1) * words_ * sizeof(Word);
        return way_.size() <= run_.limits().depth && bytes <= run_.memory().available();
    }

    // Looks at the steps from the last state; false if one of them, or the state itself, is sought.
    bool expand() {
        run_.buffer.clear();
        const std::uint32_t marks = run_.space.expand(way_.state(way_.size() - 1), run_.buffer);
        ++run_.statistics.expanded;
        run_.statistics.generated += run_.buffer.size();
        work_ += run_.buffer.size() + 1;
        ++expanded_;
        std::uint32_t any = marks;
        for (std::size_t i = 0; i < run_.buffer.size(); ++i) {
            any |= run_.buffer.arc(i).marks;
        }
        if ((any & run_.stop()) != 0) {
            run_.statistics.errors += (any & run_.stop() & kError) != 0;
            incumbent_.offer_end(without_loops(), marks);
            return false;
        }
        run_.pulse();
        return going();
    }

    std::int32_t estimate(const Word* state) {
        const std::int32_t value = options_.estimator->estimate(state);
        ++run_.statistics.evaluated;
        work_ += options_.estimator->cost();
        if (value == kDeadEnd) {
            ++run_.statistics.dead_ends;
        } else {
            run_.statistics.note_estimate(value);
        }
        run_.pulse();
        return value;
    }

    // The way

    void cut_back(std::size_t size) {
        way_.actions.resize(size);
        way_.states.resize(size * words_);
    }
    Path tail(std::size_t start) const {
        Path path;
        path.words = words_;
        for (std::size_t i = start; i < way_.size(); ++i) {
            path.append(way_.actions[i], way_.state(i));
        }
        return path;
    }
    // Wherever the way returns to a state, what lies between is left out.
    Path without_loops() const {
        std::unordered_map<std::string, std::size_t> last;
        const auto bytes = [&](std::size_t i) {
            return std::string(reinterpret_cast<const char*>(way_.state(i)), words_ * sizeof(Word));
        };
        for (std::size_t i = 0; i < way_.size(); ++i) {
            last[bytes(i)] = i;
        }
        Path path;
        path.words = words_;
        for (std::size_t i = 0; i < way_.size(); i = last[bytes(i)] + 1) {
            path.append(way_.actions[i], way_.state(i));
        }
        return path;
    }

    Run<S, T>& run_;
    WalkOptions options_;
    Random random_;
    std::size_t words_;
    std::uint32_t stride_;
    Incumbent<S, T> own_;
    Incumbent<S, T>& incumbent_;
    std::vector<std::size_t> choices_;
    Path way_;
    Nearest nearest_;
    std::int32_t lowest_ = kDeadEnd; // since the start
    Straight dives_;
    std::uint64_t work_ = 0, expanded_ = 0;
};

} // namespace beeline
