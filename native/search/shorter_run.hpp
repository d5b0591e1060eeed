// Looks for a shorter run than one that avoids something for ever, breadth-first and not for long: the first state in
// which a run may stay, and the first one from which it comes back to a state on the way there. A cycle that closes
// elsewhere is not seen, so that nothing is proven about the shortest one.
#pragma once

#include "search/closing_arc.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <cstdint>
#include <utility>

namespace beeline {

template <Space S, StateStore T>
class ShorterRun {
public:
    // `run` has found a run; the new one begins with the arcs in the buffer of `brief`, which has a store of its own.
    ShorterRun(Run<S, T>& run, Run<S, T>& brief, std::size_t most_states)
        : run_(run), brief_(brief), most_states_(most_states), on_way_(run.memory()) {}

    // Puts a shorter run in the place of the one that was found, if there is one.
    void search() {
        Outcome& outcome = run_.outcome();
        Outcome known = outcome;
        steps_ = steps_of(known);
        run_.go_on();
        outcome.cycle = -1;
        outcome.error_action = outcome.error_detail = 0;
        look();
        if (outcome.status == Status::kFound && steps_of(outcome) < steps_) {
            return;
        }
        const bool limited = !run_.going() && outcome.status != Status::kFound;
        known.statistics = outcome.statistics;
        known.truncated |= limited;
        outcome = std::move(known);
    }

private:
    static std::size_t steps_of(const Outcome& outcome) {
        return outcome.path.size() - 1 + ((outcome.found & kError) != 0);
    }

    void look() {
        take_in(kNoIndex);
        std::size_t layer_end = brief_.store.size(), depth = 0;
        for (std::size_t i = 0; run_.going() && i < brief_.store.size() && i < most_states_; ++i) {
            if (i == layer_end) {
                layer_end = brief_.store.size();
                ++depth;
            }
            if (depth >= steps_) {
                return;
            }
            visit(static_cast<Index>(i), depth);
            run_.pulse();
        }
    }

    void visit(Index index, std::size_t depth) {
        brief_.buffer.clear();
        brief_.expand(index);
        if (!run_.going() || depth + 1 == steps_) {
            return;
        }
        brief_.hash_arcs();
        note_way(index);
        if (!close_cycle(index)) {
            take_in(index);
        }
    }

    // Marks the states on the way to this one.
    void note_way(Index index) {
        for (Index state = index; state != kNoIndex; state = brief_.store.parent(state)) {
            if (!on_way_.ensure(state)) {
                return run_.end(Status::kMemory);
            }
            on_way_[state] = index + 1;
        }
    }

    bool close_cycle(Index source) {
        if (!run_.going()) {
            return false;
        }
        const auto closing = closing_arc(brief_.store, brief_.buffer, [&](Index known) {
            return on_way_.ensure(known) && on_way_[known] == source + 1;
        });
        if (closing) {
            report_cycle(source, closing->arc, closing->met);
        }
        return closing.has_value();
    }

    void report_cycle(Index source, std::size_t arc, Index met) {
        Path& path = run_.outcome().path;
        path = path_to(brief_.store, source);
        path.append(brief_.buffer.arc(arc).action, brief_.buffer.state(arc));
        std::size_t before = 0;
        while (brief_.store.parent(met) != kNoIndex) {
            met = brief_.store.parent(met);
            ++before;
        }
        run_.end_at_cycle(before);
    }

    void take_in(Index parent) {
        const SuccessorBuffer& buffer = brief_.buffer;
        for (std::size_t i = 0; run_.going() && i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) != 0) {
                continue;
            }
            const Word* target = buffer.state(i);
            const Insertion done = brief_.store.insert(target, brief_.store.hash(target), parent, buffer.arc(i).action);
            if (done.result == Insert::kFull) {
                run_.end_full();
            }
        }
    }

    Run<S, T>& run_;
    Run<S, T>& brief_;
    std::size_t most_states_;
    std::size_t steps_ = 0;        // of the run that is known
    Column<std::uint32_t> on_way_; // by state: one more than the last state that it was found on the way to
};

} // namespace beeline
