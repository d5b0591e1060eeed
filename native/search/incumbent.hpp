// The best violation seen so far, for searches that go on after the first one to find a shorter way.
#pragma once

#include "search/prize.hpp"
#include "search/run.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace beeline {

template <Space S, StateStore T>
class Incumbent {
public:
    explicit Incumbent(Run<S, T>& run) : run_(run) {}

    static constexpr std::uint32_t kNoLength = Prize::kNoLength;

    bool any() const { return length_ != kNoLength; }
    // In steps; kNoLength if there is none.
    std::uint32_t length() const { return length_; }
    // Up to the step that fails, if one does.
    const Path& path() const { return path_; }

    // State `index` itself, which is `depth` steps away.
    void offer_state(Index index, std::uint32_t depth, std::uint32_t marks) {
        if ((marks & run_.stop()) != 0 && depth < length_) {
            keep(path_to(run_.store, index), marks & run_.stop());
        }
    }

    // The arcs in the buffer from `first` on, which leave state `source` and lead `depth` steps away.
    void offer_arcs(Index source, std::size_t first, std::uint32_t depth) {
        for (std::size_t i = first; depth < length_ && i < run_.buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            if ((arc.marks & run_.stop()) == 0) {
                continue;
            }
            keep_arc(path_to(run_.store, source), i);
        }
    }

    // The end of a path, which has these marks, and the arcs in the buffer, which leave it.
    void offer_end(const Path& path, std::uint32_t marks) {
        const auto depth = static_cast<std::uint32_t>(path.size() - 1);
        if ((marks & run_.stop()) != 0 && depth < length_) {
            keep(path, marks & run_.stop());
        }
        for (std::size_t i = 0; depth + 1 < length_ && i < run_.buffer.size(); ++i) {
            if ((run_.buffer.arc(i).marks & run_.stop()) != 0) {
                keep_arc(path, i);
            }
        }
    }

    // What the run has ended with.
    void offer(const Outcome& outcome) {
        const std::uint32_t before = length_;
        keep(outcome.path, outcome.found);
        if (length_ < before) {
            error_action_ = outcome.error_action;
            error_detail_ = outcome.error_detail;
        }
    }

    // Tells searches that race what was found here, or hears what is shorter; this one is number `by` of them.
    void share(Prize& prize, std::uint32_t by) {
        if (prize.length() < length_) {
            prize.read([this](const Outcome& best) { offer(best); });
        } else if (length_ < prize.length()) {
            prize.offer(told(), by);
        }
    }

    // What was kept.
    Outcome told() const {
        Outcome outcome;
        outcome.found = found_;
        outcome.path = path_;
        outcome.error_action = error_action_;
        outcome.error_detail = error_detail_;
        return outcome;
    }

    // Ends the run with what was kept. `proven`: nothing shorter is left.
    void report(bool proven) {
        Outcome& outcome = run_.outcome();
        outcome.found = found_;
        outcome.path = std::move(path_);
        outcome.error_action = error_action_;
        outcome.error_detail = error_detail_;
        outcome.proven = proven;
        run_.statistics.goals += (found_ & kGoal) != 0;
        run_.reach_depth(length_);
        run_.end(Status::kFound);
    }

    template <class Archive>
    void archive(Archive& with) {
        with(length_, found_, path_.words, path_.actions, path_.states, error_action_, error_detail_);
    }

private:
    // The path goes on with arc `i` of the buffer.
    void keep_arc(Path path, std::size_t i) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        if ((arc.marks & kError) != 0) {
            error_action_ = arc.action;
            error_detail_ = arc.detail;
        } else {
            path.append(arc.action, run_.buffer.state(i));
        }
        keep(std::move(path), arc.marks & run_.stop());
    }

    // The length is counted along the path: the way through the store may have changed after a depth was noted.
    void keep(Path path, std::uint32_t found) {
        const std::uint32_t length = length_of(path, found);
        if (length >= length_) {
            return;
        }
        path_ = std::move(path);
        found_ = found;
        length_ = length;
        run_.statistics.shortest = length_;
    }

    Run<S, T>& run_;
    std::uint32_t length_ = kNoLength;
    std::uint32_t found_ = kNone;
    Path path_;
    std::uint32_t error_action_ = 0;
    std::uint32_t error_detail_ = 0;
};

} // namespace beeline
