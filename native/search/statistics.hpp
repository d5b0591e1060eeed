// What a search counts, and how it can end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beeline {

struct Statistics {
    std::uint64_t stored = 0;    // different states seen
    std::uint64_t expanded = 0;  // expansions, repeated ones included
    std::uint64_t generated = 0; // arcs seen, repeated ones included
    std::uint64_t reopened = 0;  // states expanded again because a shorter way to them was found
    std::uint64_t evaluated = 0; // estimates computed
    std::uint64_t dead_ends = 0; // states from which a heuristic saw no way on
    std::uint64_t deadlocks = 0; // states without a step that are not valid ends
    std::uint64_t errors = 0;    // arcs that end in a run-time error
    std::uint64_t goals = 0;     // different states that satisfy the searched-for predicate
    std::uint64_t transient = 0; // different states inside an uninterruptible region
    std::uint64_t depth = 0;     // the longest path followed, in steps
    std::uint64_t shortest = 0; // length of the best violation so far, for searches that go on after the first; 0: none
    std::uint64_t frontier = 0; // states that wait to be expanded, as of the last look at the clock
    std::uint64_t memory = 0;   // bytes held by the engine at its peak
    std::uint64_t disk = 0;     // bytes held on disk at the peak
    std::uint64_t disk_read = 0, disk_written = 0;
    double seconds = 0;
    std::int32_t best_estimate = -1;      // the least that the first heuristic said of a state; -1: nothing yet
    std::vector<std::uint64_t> estimates; // how often the first heuristic said 0, 1, 2, ...; the last counts all above

    static constexpr std::size_t kEstimates = 512;

    // What is counted, to be kept or to go on from.
    template <class Archive>
    void archive(Archive& with) {
        with(stored, expanded, generated, reopened, evaluated, dead_ends, deadlocks, errors, goals, transient, depth,
             shortest, best_estimate, estimates);
    }

    void note_estimate(std::int32_t value) {
        const auto slot = std::min(static_cast<std::size_t>(value), kEstimates - 1);
        if (slot >= estimates.size()) {
            estimates.resize(slot + 1);
        }
        ++estimates[slot];
        best_estimate = best_estimate < 0 ? value : std::min(best_estimate, value);
    }
};

// The counters of expansion alone, for searches that count in advance or apart.
struct Counts {
    std::uint64_t expanded = 0, generated = 0, deadlocks = 0, errors = 0;

    static Counts of(const Statistics& all) { return {all.expanded, all.generated, all.deadlocks, all.errors}; }
    void put_into(Statistics& all) const {
        all.expanded = expanded;
        all.generated = generated;
        all.deadlocks = deadlocks;
        all.errors = errors;
    }
    void add_to(Statistics& all) const {
        all.expanded += expanded;
        all.generated += generated;
        all.deadlocks += deadlocks;
        all.errors += errors;
    }
};

// The counters of what there is in a space, each thing once, for searches that share their statistics with others.
struct Sightings {
    std::uint64_t stored = 0, deadlocks = 0, errors = 0, goals = 0, transient = 0;

    static Sightings of(const Statistics& all) {
        return {all.stored, all.deadlocks, all.errors, all.goals, all.transient};
    }
    void put_into(Statistics& all) const {
        all.stored = stored;
        all.deadlocks = deadlocks;
        all.errors = errors;
        all.goals = goals;
        all.transient = transient;
    }
    void take_from(Statistics& all) const {
        all.stored -= stored;
        all.deadlocks -= deadlocks;
        all.errors -= errors;
        all.goals -= goals;
        all.transient -= transient;
    }
    // What has been counted since.
    void add_since(const Sightings& before, const Statistics& now) {
        stored += now.stored - before.stored;
        deadlocks += now.deadlocks - before.deadlocks;
        errors += now.errors - before.errors;
        goals += now.goals - before.goals;
        transient += now.transient - before.transient;
    }
};

// The counters that are worth drawing over time.
struct Sample {
    double seconds;
    std::uint64_t stored;
    std::uint64_t frontier;
    std::int32_t best_estimate;
    std::uint64_t memory;
};

enum class Status : std::uint8_t {
    kRunning,
    kExhausted, // every reachable state was expanded
    kFound,     // an arc or state that the search was asked for
    kTime,
    kMemory,
    kStates,
    kDepth,  // nothing found, and the depth bound cut something off
    kGaveUp, // nothing found by a search that does not look everywhere
    kInterrupted,
    kDisk, // there is no room left
};

} // namespace beeline
