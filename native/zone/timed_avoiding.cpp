// Runs that avoid something for ever: what a question about all runs has to exclude.
//
// The zone of a step that arrives is divided into parts that time brings about without meeting what is avoided, at no
// moment in between. A part need not be closed under time: it says where the run may be when it goes on.
#include "zone/timed_space.hpp"

#include <algorithm>

namespace beeline {
namespace {

using zone::Bound;

// What is common to two lists of zones.
zone::Federation common(const zone::Federation& some, const zone::Federation& others) {
    zone::Federation found(some.dim());
    for (std::size_t i = 0; i < others.size(); ++i) {
        zone::Federation part = some;
        part.intersect(others[i]);
        for (std::size_t j = 0; j < part.size(); ++j) {
            found.add(part[j]);
        }
    }
    return found;
}

} // namespace

// The zones of the cases in the machine's discrete state, as far as they lie in another one.
std::vector<TimedSpace::Zone> TimedSpace::zones_of(const std::vector<GoalCase>& cases, const Bound* within) {
    std::vector<Zone> found;
    for (const GoalCase& one : cases) {
        if (machine_.run_if_any(one.condition) != Machine::kTrue) {
            continue;
        }
        Zone zone(within, within + size_);
        if (cut(one.first, one.count, zone.data()) == Outcome::Some) {
            found.push_back(std::move(zone));
        }
    }
    return found;
}

// Points that time brings about from those of `zone` without passing what is avoided. Of one convex set B: what does
// not lie behind any of its points, and what is reached from points that lie behind all of them. Of several: what all
// of these have in common, since of two moments at which a run was in a convex `zone` the later one serves both (as
// for predecessors in Cassez, David, Fleury, Larsen, Lime, "Efficient On-the-Fly Algorithms for the Analysis of Timed
// Games", 2005, theorem 4).
zone::Federation TimedSpace::avoiding(const Bound* zone, bool passes) {
    zone::Federation found(dim_);
    zone::set_universe(goal_.data(), dim_);
    const std::vector<Zone> avoided = zones_of(clocks_->avoided, goal_.data());
    found.add(zone);
    if (passes) {
        let_time_pass(found[0]);
    }
    for (const Zone& bad : avoided) {
        if (!passes) {
            found.subtract(bad.data());
            continue;
        }
        Zone after = bad;
        zone::up(after.data(), dim_);
        zone::Federation behind(dim_);
        behind.add(zone);
        behind.intersect(after.data());
        behind.subtract(bad.data());
        for (std::size_t i = 0; i < behind.size(); ++i) {
            zone::up(behind[i], dim_);
        }
        zone::Federation next = common(found, behind);
        found.subtract(after.data());
        for (std::size_t i = 0; i < found.size(); ++i) {
            next.add(found[i]);
        }
        found = std::move(next);
    }
    return found;
}

void TimedSpace::begin(const Word* state, SuccessorBuffer& out) {
    program_->unpack(state, machine_.cells.data());
    machine_.log.clear();
    origin_ = state;
    out_ = &out;
    watch_all();
    read_zone(state);
    collect_limits();
    const bool passes = find_running(running_) == Passing::Ever;
    for (const Zone& zone : zones_of(clocks_->premises, origin_zone_)) {
        zone::Federation parts = avoiding(zone.data(), passes);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            hand_out(0, kNone, parts[i]);
        }
    }
}

// The points of the origin from which a run may go on without a step for as long as it can: nothing that is avoided
// lies before them, and either time is unbounded or no step is possible any more. All steps must be known.
std::uint32_t TimedSpace::find_endings(zone::Federation& ends) {
    ends.clear();
    ends.add(origin_zone_);
    if (!origin_stands_) {
        const bool unbounded = time_is_unbounded(); // leaves the invariants in before_
        for (Zone& bad : zones_of(clocks_->avoided, before_.data())) {
            zone::down(bad.data(), dim_);
            ends.subtract(bad.data());
        }
        if (unbounded) {
            return ends.empty() ? kNone : kGoal;
        }
    }
    ends = common(ends, dead_);
    return ends.empty() ? kNone : kDeadlock;
}

// Whether no invariant of the machine's discrete state ever ends a delay.
bool TimedSpace::time_is_unbounded() {
    zone::set_universe(before_.data(), dim_);
    cut_to_invariants(before_.data());
    for (std::size_t x = 1; x < dim_; ++x) {
        if (before_[x * dim_] != zone::kInfinity) {
            return false;
        }
    }
    return true;
}

std::vector<std::vector<Bound>> TimedSpace::endings(const Word* state) {
    SuccessorBuffer ignored(words());
    expand(state, ignored);
    zone::Federation ends(dim_);
    find_endings(ends);
    std::vector<std::vector<Bound>> parts;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        parts.emplace_back(ends[i], ends[i] + size_);
    }
    return parts;
}

} // namespace beeline
