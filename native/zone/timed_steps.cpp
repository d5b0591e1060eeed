// Looking for the steps of a timed state: who can move with whom, and in which part of the zone.
#include "zone/timed_space.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <iterator>

namespace beeline {
namespace {

using zone::Bound;

} // namespace

void TimedSpace::steps() {
    held_.clear();
    for (std::size_t pid = 0; pid < program_->processes.size(); ++pid) {
        const auto number = static_cast<std::int32_t>(pid);
        const LocationRow here = location(number);
        for (std::int32_t edge = here.first_edge; edge < here.first_edge + here.edges; ++edge) {
            begin(number, edge);
        }
    }
    if (!held_.empty()) {
        by_priority();
    }
}

Machine::Result TimedSpace::ready(std::int32_t edge) { return machine_.run_if_any(program_->edges[at(edge)].guard); }

bool TimedSpace::channel_of(std::int32_t edge, std::int32_t& channel) {
    channel = program_->edges[at(edge)].channel;
    return resolve(program_->edges[at(edge)].channel_block, channel) && machine_.channel(channel) != nullptr;
}

// Whether an edge receives from the channel and its guard holds but for clocks.
bool TimedSpace::hears(std::int32_t edge, std::int32_t channel, bool& failed) {
    const EdgeRow& row = program_->edges[at(edge)];
    if (!row.is(Sync::Receive) || (row.channel_block < 0 && row.channel != channel)) {
        return false;
    }
    // A guard may protect the channel's index, so that the channel may have no value where the guard is false.
    std::int32_t own = row.channel;
    const bool known = resolve(row.channel_block, own);
    if (known && own != channel) {
        return false;
    }
    const Machine::Result result = ready(edge);
    failed |= result == Machine::kFailed || (result == Machine::kTrue && !known);
    return result == Machine::kTrue && known;
}

// All steps that a process begins with one edge.
void TimedSpace::begin(std::int32_t pid, std::int32_t edge) {
    const EdgeRow& row = program_->edges[at(edge)];
    if (row.is(Sync::Receive)) {
        return; // begun by the sender
    }
    if (committed_ && row.is(Sync::None) && !is_committed(pid)) {
        return;
    }
    parts_.assign(1, {pid, edge});
    const Machine::Result result = ready(edge);
    if (result == Machine::kFailed) {
        return fail(action_of(parts_));
    }
    if (result == Machine::kFalse) {
        return;
    }
    first_.assign(origin_zone_, origin_zone_ + size_);
    const TableRange& tests = clocks_->edges[at(edge)];
    const Outcome outcome = cut(tests.first, tests.count, first_.data());
    if (outcome == Outcome::Failed) {
        return fail(action_of(parts_));
    }
    if (outcome == Outcome::Empty) {
        return;
    }
    if (row.is(Sync::None)) {
        return found(first_.data());
    }
    std::int32_t channel = 0;
    if (!channel_of(edge, channel)) {
        return fail(action_of(parts_));
    }
    if (program_->channels[at(channel - 1)].broadcast != 0) {
        broadcast(pid, edge, channel);
    } else {
        handshake(pid, edge, channel);
    }
}

void TimedSpace::find_receivers(std::int32_t channel, std::vector<std::int32_t>& found) const {
    found.clear();
    const std::vector<std::int32_t>& known = receivers_[at(channel)];
    std::merge(known.begin(), known.end(), other_receivers_.begin(), other_receivers_.end(), std::back_inserter(found));
    std::erase_if(found, [this](std::int32_t edge) {
        return place_of_[at(edge)] != location_index(program_->number_of_edge[at(edge)]);
    });
}

void TimedSpace::handshake(std::int32_t pid, std::int32_t, std::int32_t channel) {
    find_receivers(channel, hearing_);
    for (const std::int32_t edge : hearing_) {
        const std::int32_t partner = program_->number_of_edge[at(edge)];
        if (partner == pid || (committed_ && !is_committed(pid) && !is_committed(partner))) {
            continue;
        }
        bool failed = false;
        const bool hearing = hears(edge, channel, failed);
        if (failed) {
            fail(action_of(parts_));
            continue;
        }
        if (!hearing) {
            continue;
        }
        second_ = first_;
        const TableRange& tests = clocks_->edges[at(edge)];
        const Outcome outcome = cut(tests.first, tests.count, second_.data());
        if (outcome == Outcome::Failed) {
            fail(action_of(parts_));
        } else if (outcome == Outcome::Some) {
            parts_.push_back({partner, edge});
            found(second_.data());
            parts_.pop_back();
        }
    }
}

void TimedSpace::broadcast(std::int32_t, std::int32_t, std::int32_t channel) {
    find_receivers(channel, hearing_);
    listen(0, channel, first_);
}

// Lets the processes choose whose edges may hear, from the edge at `from` on: each takes one that can receive, in the
// part of the zone where that edge's guard holds; it stays out where none of its guards does.
void TimedSpace::listen(std::size_t from, std::int32_t channel, Zone zone) {
    std::vector<std::int32_t> hearing;
    std::int32_t pid = -1;
    while (hearing.empty() && from < hearing_.size()) {
        pid = program_->number_of_edge[at(hearing_[from])];
        bool failed = false;
        for (; from < hearing_.size() && program_->number_of_edge[at(hearing_[from])] == pid; ++from) {
            if (pid != parts_.front().pid && hears(hearing_[from], channel, failed)) {
                hearing.push_back(hearing_[from]);
            }
        }
        if (failed) {
            return fail(action_of(parts_));
        }
    }
    if (hearing.empty()) {
        const bool allowed = !committed_ || std::any_of(parts_.begin(), parts_.end(),
                                                        [this](const Part& part) { return is_committed(part.pid); });
        return allowed ? found(zone.data()) : void();
    }
    zone::Federation silent(dim_);
    silent.add(zone.data());
    for (const std::int32_t edge : hearing) {
        Zone cut_zone = zone;
        const TableRange& tests = clocks_->edges[at(edge)];
        const Outcome outcome = cut(tests.first, tests.count, cut_zone.data());
        if (outcome == Outcome::Failed) {
            return fail(action_of(parts_));
        }
        if (outcome == Outcome::Some) {
            silent.subtract(cut_zone.data());
            parts_.push_back({pid, edge});
            listen(from, channel, std::move(cut_zone));
            parts_.pop_back();
        }
    }
    for (std::size_t i = 0; i < silent.size(); ++i) {
        listen(from, channel, Zone(silent[i], silent[i] + size_));
    }
}

// A step that can be taken from this part of the zone. With priorities it has to wait for the others.
void TimedSpace::found(const Bound* zone) {
    if ((program_->flags & (kPriorities | kChannelPriorities)) == 0) {
        take(parts_, zone);
    } else {
        hold(zone);
    }
}

// Keeps the step with the points where it is really possible; one that fails is possible wherever its guards hold.
void TimedSpace::hold(const Bound* zone) {
    std::int64_t priority = 0;
    std::int32_t channel = 0;
    if (!program_->edges[at(parts_.front().edge)].is(Sync::None) && channel_of(parts_.front().edge, channel)) {
        priority = program_->channels[at(channel - 1)].priority * (std::int64_t{1} << 32);
    }
    if ((program_->flags & kPriorities) != 0) {
        std::int64_t highest = 0;
        for (const Part& part : parts_) {
            const std::int64_t own = machine_.cells[at(program_->processes[at(part.pid)].priority)];
            highest = std::max(highest, own);
        }
        priority += highest;
    }
    Candidate candidate{parts_, Zone(zone, zone + size_), priority};
    const std::size_t mark = machine_.log.size();
    bool failed = !perform(parts_);
    const bool allowed = failed || plain_invariants_hold(failed);
    const bool possible = failed || (allowed && cut_to_arriving(candidate.zone.data()));
    undo(mark);
    if (possible) {
        held_.push_back(std::move(candidate));
    }
}

// A step is possible at those points only where none of higher priority is (David, Håkansson, Larsen, Pettersson,
// "Model Checking Timed Automata with Priorities Using DBM Subtraction", 2006).
void TimedSpace::by_priority() {
    const std::vector<Candidate> all = std::move(held_);
    held_.clear();
    for (const Candidate& candidate : all) {
        zone::Federation left(dim_);
        left.add(candidate.zone.data());
        for (const Candidate& other : all) {
            if (other.priority > candidate.priority) {
                left.subtract(other.zone.data());
            }
        }
        for (std::size_t i = 0; i < left.size(); ++i) {
            take(candidate.parts, left[i]);
        }
    }
}

// Urgency

bool TimedSpace::is_urgent() {
    for (const std::int32_t pid : *watched_) {
        const std::size_t here = location_index(pid);
        if (clocks_->invariants[here].urgent != 0 || (program_->locations[here].flags & kCommitted) != 0) {
            return true;
        }
    }
    return clocks_->has_urgent_channels && urgent_step_possible();
}

// Edges on urgent channels have no clock guards, so that the discrete state decides.
bool TimedSpace::urgent_step_possible() {
    for (const std::int32_t pid : *watched_) {
        if (may_hurry_[location_index(pid)] == 0) {
            continue;
        }
        const LocationRow here = location(pid);
        for (std::int32_t edge = here.first_edge; edge < here.first_edge + here.edges; ++edge) {
            std::int32_t channel = 0;
            if (!program_->edges[at(edge)].is(Sync::Send) || ready(edge) != Machine::kTrue ||
                !channel_of(edge, channel) || clocks_->urgent_channels[at(channel - 1)] == 0) {
                continue;
            }
            if (program_->channels[at(channel - 1)].broadcast != 0) {
                return true;
            }
            find_receivers(channel, urgently_hearing_);
            for (const std::int32_t answer : urgently_hearing_) {
                bool failed = false;
                if (program_->number_of_edge[at(answer)] != pid && hears(answer, channel, failed)) {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace beeline
