// The interface of heuristics that are made ready for a search: from a packed state to a guess of the steps that are
// still missing.
#pragma once

#include "gpu/lookup.hpp"
#include "space/space.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace beeline {

// The value of a state from which the heuristic sees no way to the goal. Whether such a state may be dropped is a
// promise of the heuristic (`is_safe`).
constexpr std::int32_t kDeadEnd = std::numeric_limits<std::int32_t>::max();
static_assert(kDeadEnd == Lookup::kDead);

class Estimator {
public:
    virtual ~Estimator() = default;

    // Steps still missing from `state`, or kDeadEnd. Deterministic. One thread at a time.
    virtual std::int32_t estimate(const Word* state) = 0;

    // The same of several states, into `values`; some heuristics do that in far less time than one after the other
    // (`has_batches`, which may change to false). What `preferred` tells then is of no state in particular.
    virtual bool has_batches() const { return false; }
    virtual void estimate_all(const std::vector<const Word*>& states, std::vector<std::int32_t>& values) {
        values.clear();
        for (const Word* state : states) {
            values.push_back(estimate(state));
        }
    }

    // Whether kDeadEnd proves that the goal cannot be reached.
    virtual bool is_safe() const = 0;

    // What one call costs, very roughly, in units of one generated step. Searches share their time by it: reading the
    // clock instead would make their results depend on the machine.
    virtual std::uint32_t cost() const { return 1; }

    // The estimate of `state` if the edges behind an arc (its action and detail, see SuccessorBuffer::Arc) did not
    // exist; used by the search that avoids useless transitions. False in `has_removal` where the heuristic offers no
    // such thing.
    virtual bool has_removal() const { return false; }
    virtual std::int32_t estimate_without(const Word* state, std::uint32_t, std::uint32_t) { return estimate(state); }
    // The same for several arcs of one state, given by action and detail; see `has_batches`.
    using Steps = std::vector<StepParts>;
    virtual void estimate_without_each(const Word* state, const Steps& steps, std::vector<std::int32_t>& values) {
        values.clear();
        for (const auto& [action, detail] : steps) {
            values.push_back(estimate_without(state, action, detail));
        }
    }

    // Actions that begin the relaxed plan found by the last call of `estimate`: worth trying first. Empty where
    // unknown.
    virtual const std::vector<std::uint32_t>& preferred() const {
        static const std::vector<std::uint32_t> none;
        return none;
    }

    // Adds nodes to `lookup` that give the same values, and returns the number of the last one; -1 where there are no
    // tables to look them up in.
    virtual std::int32_t add_to(Lookup&) const { return -1; }

    // Another one, for another thread, which says the same of every state; null where there can be none.
    virtual bool can_clone() const { return false; }
    virtual std::shared_ptr<Estimator> clone() const { return nullptr; }
};

} // namespace beeline
