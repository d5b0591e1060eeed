// Leaves out steps of a way that the violation at its end does not need.
//
// One step after the other is left out on trial, together with all later ones that are not possible without it. If the
// rest still leads to a violation, the way without them takes its place (action elimination; Nakhost and Mueller,
// "Action elimination and plan neighborhood graph search", ICAPS 2010). Nothing is stored, and the work grows with the
// square of the length only: it helps where no search for a shorter way would come to an end.
#pragma once

#include "search/incumbent.hpp"
#include "search/run.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class Elimination {
public:
    Elimination(Run<S, T>& run, Incumbent<S, T>& incumbent) : run_(run), incumbent_(incumbent) {}

    // Until nothing can be left out, or about that much work is done, counted in generated steps.
    void search(std::uint64_t budget) {
        way_ = recall(incumbent_.path());
        for (std::size_t step = 1; step < way_.path.size() && work_ < budget && run_.going();) {
            if (!works_without(step)) {
                ++step;
            }
        }
    }

private:
    struct Way {
        Path path;
        std::vector<std::uint32_t> details; // of the steps' arcs
    };

    static void append(Way& way, const SuccessorBuffer::Arc& arc, const Word* target) {
        way.path.append(arc.action, target);
        way.details.push_back(arc.detail);
    }

    // Which arcs the steps of a path are.
    Way recall(const Path& path) {
        Way way{path, std::vector<std::uint32_t>(path.size(), 0)};
        for (std::size_t i = 1; run_.going() && i < path.size(); ++i) {
            expand(path.state(i - 1));
            for (std::size_t arc = 0; arc < run_.buffer.size(); ++arc) {
                const bool is_it = run_.buffer.arc(arc).action == path.actions[i] && has_target(arc) &&
                                   std::equal(path.state(i), path.state(i) + path.words, run_.buffer.state(arc));
                if (is_it) {
                    way.details[i] = run_.buffer.arc(arc).detail;
                }
            }
        }
        return way;
    }

    bool works_without(std::size_t skipped) {
        const std::uint32_t before = incumbent_.length();
        Way rest = first_steps(skipped);
        for (std::size_t i = skipped + 1; i < way_.path.size() && is_shorter(rest, before); ++i) {
            const std::size_t arc = find(rest, i);
            if (!run_.going() || incumbent_.length() < before) {
                break;
            }
            if (arc < run_.buffer.size()) {
                append(rest, run_.buffer.arc(arc), run_.buffer.state(arc));
            }
        }
        if (run_.going() && incumbent_.length() == before) {
            look(rest);
        }
        if (incumbent_.length() == before) {
            return false;
        }
        rest.path = incumbent_.path(); // may have one step more, and may end sooner
        rest.details.resize(rest.path.size(), 0);
        way_ = std::move(rest);
        return true;
    }

    Way first_steps(std::size_t count) const {
        Way way;
        way.path.words = way_.path.words;
        way.path.actions.assign(way_.path.actions.begin(), way_.path.actions.begin() + std::ptrdiff_t(count));
        way.path.states.assign(way_.path.states.begin(),
                               way_.path.states.begin() + std::ptrdiff_t(count * way_.path.words));
        way.details.assign(way_.details.begin(), way_.details.begin() + std::ptrdiff_t(count));
        return way;
    }

    // The arc by which step i of the way can be made at the end of `rest`; past the end of the buffer if it cannot.
    std::size_t find(const Way& rest, std::size_t i) {
        look(rest);
        std::size_t found = run_.buffer.size();
        for (std::size_t arc = 0; arc < run_.buffer.size(); ++arc) {
            if (run_.buffer.arc(arc).action == way_.path.actions[i] && has_target(arc)) {
                if (run_.buffer.arc(arc).detail == way_.details[i]) {
                    return arc;
                }
                found = std::min(found, arc);
            }
        }
        return found;
    }

    // Expands the last state of `rest` and offers what violations there are.
    void look(const Way& rest) {
        const std::uint32_t marks = expand(rest.path.state(rest.path.size() - 1));
        incumbent_.offer_end(rest.path, marks);
    }

    std::uint32_t expand(const Word* state) {
        run_.buffer.clear();
        const std::uint32_t marks = run_.space.expand(state, run_.buffer);
        ++run_.statistics.expanded;
        run_.statistics.generated += run_.buffer.size();
        work_ += 1 + run_.buffer.size();
        run_.pulse();
        return marks;
    }

    static bool is_shorter(const Way& way, std::uint32_t length) { return way.path.size() <= length; }
    bool has_target(std::size_t arc) const { return (run_.buffer.arc(arc).marks & kError) == 0; }

    Run<S, T>& run_;
    Incumbent<S, T>& incumbent_;
    Way way_;
    std::uint64_t work_ = 0;
};

} // namespace beeline
