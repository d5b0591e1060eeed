// Tells a way through a space in which uninterrupted runs are one step as a way through the space in which they are
// not: what lies between is sought again, run by run.
#pragma once

#include "search/outcome.hpp"
#include "space/space.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace beeline {

template <Space S>
class Unfolding {
public:
    // The space with all its steps.
    explicit Unfolding(S& space) : space_(space), arcs_(space.words()) {}

    // A way that cannot be found again stays as it is.
    void operator()(Outcome& outcome) {
        const Path& merged = outcome.path;
        path_ = Path{};
        path_.words = merged.words;
        path_.append(merged.actions[0], merged.state(0));
        for (std::size_t i = 1; i < merged.size(); ++i) {
            if (!go_to(merged.state(i))) {
                return;
            }
        }
        if ((outcome.found & kError) != 0 && !go_to(nullptr)) {
            return;
        }
        outcome.path = path_;
        if ((outcome.found & kError) != 0) {
            outcome.error_action = arcs_.arc(found_).action;
            outcome.error_detail = arcs_.arc(found_).detail;
        }
    }

private:
    static constexpr std::size_t kLongestRun = 1 << 18; // states; runs that are longer were not taken as one step

    // The states of a run, each with the place of the one before it.
    struct Run {
        Path states;
        std::vector<std::size_t> before;
    };

    // Goes on from the end of the path through states inside a run, to the wanted one or, if that is null, to a state
    // with a step that fails. A shortest way.
    bool go_to(const Word* wanted) {
        Run run;
        run.states.words = path_.words;
        run.states.append(0, path_.state(path_.size() - 1));
        run.before.push_back(0);
        std::set<std::vector<Word>> met;
        for (std::size_t next = 0; next < run.states.size() && next < kLongestRun; ++next) {
            arcs_.clear();
            space_.expand(run.states.state(next), arcs_);
            for (found_ = 0; found_ < arcs_.size(); ++found_) {
                if (is_wanted(wanted)) {
                    follow(run, next);
                    if (wanted != nullptr) {
                        path_.append(arcs_.arc(found_).action, wanted);
                    }
                    return true;
                }
                const Word* target = arcs_.state(found_);
                if ((arcs_.arc(found_).marks & (kTransient | kError)) == kTransient &&
                    met.emplace(target, target + path_.words).second) {
                    run.states.append(arcs_.arc(found_).action, target);
                    run.before.push_back(next);
                }
            }
        }
        return false;
    }

    bool is_wanted(const Word* state) const {
        const bool fails = (arcs_.arc(found_).marks & kError) != 0;
        return state == nullptr ? fails : !fails && std::equal(state, state + path_.words, arcs_.state(found_));
    }

    // Up to state `last` of a run, whose first one is the end of the path.
    void follow(const Run& run, std::size_t last) {
        std::vector<std::size_t> way;
        for (std::size_t i = last; i > 0; i = run.before[i]) {
            way.push_back(i);
        }
        for (auto i = way.rbegin(); i != way.rend(); ++i) {
            path_.append(run.states.actions[*i], run.states.state(*i));
        }
    }

    S& space_;
    SuccessorBuffer arcs_;
    Path path_;
    std::size_t found_ = 0; // the arc that was sought, or the one that is looked at
};

} // namespace beeline
