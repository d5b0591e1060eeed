#include "program/step_taker.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace beeline {

// Two ways to change a cell: in the machine, where the change is logged and taken back later; and straight in the
// packed words of the target, where the machine keeps the origin's values.
struct StepTaker::Logged {
    Machine& machine;
    void operator()(std::int32_t cell, std::int32_t value) const { machine.set(cell, value); }
};
struct StepTaker::Direct {
    const Packing* packing;
    const std::uint64_t* keys;
    Word* target;
    std::uint64_t sum; // of the target's hash
    void operator()(std::int32_t cell, std::int32_t value) {
        const Packing& place = packing[cell];
        if (!place.holds(value)) [[unlikely]] {
            throw TooNarrow{cell, value};
        }
        set(place.word, (target[place.word] & place.keep) | place.bits(value));
    }
    void set(std::uint32_t word, std::uint32_t value) {
        sum += hash_difference(keys[word], target[word], value);
        target[word] = value;
    }
};

void StepTaker::take(const Candidate& candidate) {
    if (!candidate.failed && !machine_.tells_exactly() && is_direct(candidate)) {
        write_direct(candidate);
        return;
    }
    const std::size_t mark = machine_.log.size();
    const Part* const parts = finder_.parts(candidate);
    const auto action = static_cast<std::uint32_t>(parts[0].edge);
    const std::uint32_t second = second_of(candidate);
    Mover mover{parts[candidate.parts - 1].pid, parts[candidate.parts - 1].edge};
    bool fine = !candidate.failed && perform(candidate);
    for (std::size_t i = 0; fine && i < candidate.parts; ++i) {
        const Part part = finder_.parts(candidate)[i]; // looked for anew: the stack may have grown
        if (plan_->edges[at(part.edge)].straight) {
            std::int32_t passed = 0;
            fine = run_on(part.pid, i + 1 == candidate.parts ? mover.last_edge : passed);
        }
    }
    if (fine) {
        settle(mover, action, second);
    } else {
        arcs_.arrive_failed(action);
    }
    machine_.undo(mark);
}

// With three or more partners the second stands for them.
std::uint32_t StepTaker::second_of(const Candidate& candidate) const {
    return candidate.parts > 1 ? static_cast<std::uint32_t>(finder_.parts(candidate)[1].edge) + 1 : 0;
}

// Whether no part of the step reads what another part wrote, and nothing is to be decided after it.
bool StepTaker::is_direct(const Candidate& candidate) const {
    if (candidate.parts > 2) {
        return false;
    }
    const EdgePlan& first = plan_->edges[at(finder_.parts(candidate)[0].edge)];
    if (candidate.parts == 1) {
        return first.direct;
    }
    const EdgePlan& second = plan_->edges[at(finder_.parts(candidate)[1].edge)];
    const bool apart = (!first.effect.reads || second.bind.count + second.effect.count == 0) &&
                       (!second.effect.reads || first.effect.count == 0);
    return first.direct && second.direct && apart;
}

inline StepTaker::Direct StepTaker::begin_direct(std::int32_t edge, std::uint32_t second) {
    const std::uint32_t action = runs_.told(static_cast<std::uint32_t>(edge));
    Word* target = arcs_.out().add(action, arcs_.origin_goal ? kGoal : kNone, second);
    std::memcpy(target, arcs_.base.words, program_->words * sizeof(Word));
    return {program_->packing.data(), program_->hash_keys.data(), target, arcs_.base.sum};
}

// An edge's effect and its new location.
inline bool StepTaker::move_direct(const EdgePlan& plan, Direct& put) {
    const Patch* const end = plan_->patches.data() + plan.first_patch + plan.patches;
    for (const Patch* patch = end - plan.patches; patch != end; ++patch) {
        put.set(patch->word, (put.target[patch->word] & patch->keep) | patch->bits);
    }
    return plan.changes == 0 || assign(plan.first_change, plan.changes, put);
}

void StepTaker::fail_direct(std::int32_t edge) {
    arcs_.out().drop_last();
    arcs_.arrive_failed(static_cast<std::uint32_t>(edge));
}

inline void StepTaker::end_direct(std::int32_t mover, Direct& put) {
    ++arcs_.arrived;
    if (arcs_.base.controlled) {
        put(program_->control, -1);
    }
    if (plan_->has_afterthoughts) {
        return finish_direct(mover, put);
    }
    arcs_.out().set_hash(arcs_.out().size() - 1, finish_hash(put.sum));
}

// The whole step at once, for a candidate that is direct.
void StepTaker::write_direct(const Candidate& candidate) {
    const Part* const parts = finder_.parts(candidate);
    Direct put = begin_direct(parts[0].edge, second_of(candidate));
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (!transfer(candidate, parts[i], put)) {
            return fail_direct(parts[0].edge);
        }
    }
    const bool other_first = candidate.parts == 2 && (program_->flags & kReceiversFirst) != 0;
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (!move_direct(plan_->edges[at(parts[other_first ? 1 - i : i].edge)], put)) {
            return fail_direct(parts[0].edge);
        }
    }
    end_direct(parts[candidate.parts - 1].pid, put);
}

// The same for one edge without synchronisation.
[[gnu::always_inline]] inline void StepTaker::write_alone(std::int32_t pid, std::int32_t index, const EdgePlan& plan) {
    Direct put = begin_direct(index, 0);
    if (!move_direct(plan, put)) {
        return fail_direct(index);
    }
    end_direct(pid, put);
}

// What happens after every step whatever its edges are.
void StepTaker::finish_direct(std::int32_t mover, Direct& put) {
    if (program_->last >= 0) {
        put(program_->last, mover);
    }
    for (const auto& row : program_->hidden) {
        put(row[0], row[1]);
    }
    arcs_.out().set_hash(arcs_.out().size() - 1, finish_hash(put.sum));
}

// Carries out an effect; false, with the machine's error set, if it failed.
template <class Put>
bool StepTaker::apply(const EffectPlan& effect, Put& put) {
    return effect.planned ? assign(effect.first, effect.count, put) : machine_.run(effect.block) != Machine::kFailed;
}

template <class Put>
bool StepTaker::assign(std::int32_t first, std::int32_t count, Put& put) {
    const std::int32_t* const cells = machine_.cells.data();
    const Assignment* const end = plan_->assignments.data() + first + count;
    for (const Assignment* next = end - count; next != end; ++next) {
        if (next->compute >= 0) {
            if (machine_.run(next->compute) == Machine::kFailed) {
                return false;
            }
            if (next->cell < 0) {
                continue;
            }
        }
        std::int32_t cell = next->cell;
        if (next->extent != 0) {
            if (machine_.touched != nullptr) {
                machine_.touched->add(next->index); // that it fails depends on it, too
            }
            const std::int32_t index = cells[next->index];
            if (static_cast<std::uint32_t>(index) >= static_cast<std::uint32_t>(next->extent)) {
                machine_.error = Error::Index;
                return false;
            }
            cell += index;
        }
        if (machine_.touched != nullptr) {
            touch_assignment(*next, cell);
        }
        std::int32_t value = next->value(cells);
        if (!next->is_plain(value) && !machine_.fit_cell(cell, next->domain, value)) {
            return false;
        }
        put(cell, value);
    }
    return true;
}

// `cell` is the one that it writes.
void StepTaker::touch_assignment(const Assignment& one, std::int32_t cell) {
    machine_.touched->add(one.left);
    machine_.touched->add(one.right);
    machine_.touched->write(cell);
}

// Everything that the partners of a step do but change location: what is received is stored, then the effects run.
template <class Put>
bool StepTaker::transfer_all(const Candidate& candidate, Put& put) {
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (!transfer(candidate, finder_.parts(candidate)[i], put)) {
            return false;
        }
    }
    const bool receivers_first = (program_->flags & kReceiversFirst) != 0;
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        std::size_t turn = receivers_first ? i + 1 : i;
        turn = turn == candidate.parts ? 0 : turn;
        if (!apply(plan_->edges[at(finder_.parts(candidate)[turn].edge)].effect, put)) {
            return false;
        }
    }
    return true;
}

bool StepTaker::perform(const Candidate& candidate) {
    Logged put{machine_};
    if (!transfer_all(candidate, put)) {
        return false;
    }
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        const Part part = finder_.parts(candidate)[i];
        if (!change_location(part.pid, plan_->edges[at(part.edge)])) {
            return false;
        }
    }
    return true;
}

bool StepTaker::change_location(std::int32_t pid, const EdgePlan& edge) {
    machine_.set(program_->processes[at(pid)].location, edge.target);
    if (edge.terminates) {
        if (!finder_.is_highest(pid)) {
            machine_.error = Error::Blocked; // it ends in the very step that starts another
            return false;
        }
        machine_.remove(at(pid));
        if (machine_.touched != nullptr) {
            const ProcessPlace& place = program_->processes[at(pid)];
            machine_.touched->write_range(place.first_cell, place.end_cell - place.first_cell);
        }
    }
    return true;
}

// What `take` does with an edge without synchronisation.
void StepTaker::take_alone(std::int32_t pid, std::int32_t index, const EdgePlan& plan) {
    const std::size_t mark = machine_.log.size();
    std::int32_t last_edge = index;
    Logged put{machine_};
    if (apply(plan.effect, put) && change_location(pid, plan) && (!plan.straight || run_on(pid, last_edge))) {
        settle({pid, last_edge}, static_cast<std::uint32_t>(index), 0);
    } else {
        arcs_.arrive_failed(static_cast<std::uint32_t>(index));
    }
    machine_.undo(mark);
}

template <class Put>
bool StepTaker::transfer(const Candidate& candidate, const Part& part, Put& put) {
    const EdgeRow& edge = program_->edges[at(part.edge)];
    if (edge.is(Sync::Send)) {
        if (candidate.parts == 1 && candidate.channel->broadcast == 0) {
            put_message(candidate, put);
        }
        return true;
    }
    if (!edge.is(Sync::Receive)) {
        return true;
    }
    if (candidate.parts == 1 && (edge.flags & kKeep) == 0) {
        remove_message(*candidate.channel, candidate.position, put);
    }
    const EffectPlan& bind = plan_->edges[at(part.edge)].bind;
    if (bind.block < 0) {
        return true;
    }
    std::copy_n(finder_.message(candidate), candidate.channel->fields, machine_.cells.data() + program_->message_cell);
    return apply(bind, put);
}

template <class Put>
void StepTaker::put_message(const Candidate& candidate, Put& put) {
    const ChannelPlace& channel = *candidate.channel;
    const std::int32_t count = machine_.length(channel);
    if (count >= channel.capacity) {
        return; // lost
    }
    const std::int32_t fields = channel.fields;
    const std::int32_t* message = finder_.message(candidate);
    const std::int32_t* contents = machine_.cells.data() + channel.base;
    const std::int32_t position = candidate.position;
    if (machine_.tells_exactly()) {
        machine_.touched->write(channel.length);
        machine_.touched->write_range(channel.base + position * fields, (count + 1 - position) * fields);
    }
    for (std::int32_t i = count * fields - 1; i >= position * fields; --i) {
        put(channel.base + i + fields, contents[i]);
    }
    for (std::int32_t i = 0; i < fields; ++i) {
        put(channel.base + position * fields + i, message[i]);
    }
    put(channel.length, count + 1);
}

template <class Put>
void StepTaker::remove_message(const ChannelPlace& channel, std::int32_t position, Put& put) {
    const std::int32_t count = machine_.length(channel);
    const std::int32_t fields = channel.fields;
    const std::int32_t* contents = machine_.cells.data() + channel.base;
    if (machine_.tells_exactly()) {
        machine_.touched->write(channel.length);
        machine_.touched->write_range(channel.base + position * fields, (count - position) * fields);
    }
    for (std::int32_t i = position * fields; i < (count - 1) * fields; ++i) {
        put(channel.base + i, contents[i + fields]);
    }
    for (std::int32_t i = (count - 1) * fields; i < count * fields; ++i) {
        // An empty place holds what a fresh one does, so that equal states have equal words.
        const auto cell = at(channel.base + i);
        put(channel.base + i, std::clamp(0, program_->low[cell], program_->high[cell]));
    }
    put(channel.length, count - 1);
}

// Follows first possible edges; each is taken inside the enumeration that found it, which then ends.
bool StepTaker::run_on(std::int32_t pid, std::int32_t& last_edge) {
    for (std::int32_t moves = 0; moves < Machine::kLoopLimit; ++moves) {
        bool fine = false;
        bool stuck = true;
        finder_.begun_by(pid, [&](const Candidate& candidate) {
            stuck = candidate.parts > 1; // a deterministic region does not wait for partners
            if (!stuck) {
                last_edge = finder_.parts(candidate)[0].edge;
                fine = !candidate.failed && perform(candidate);
            }
            return false;
        });
        if (stuck) {
            machine_.error = Error::Blocked; // whatever went wrong with edges that are not possible
        }
        if (!fine) {
            return false;
        }
        if (!plan_->edges[at(last_edge)].straight) {
            return true;
        }
    }
    machine_.error = Error::Loop;
    return false;
}

// Decides who goes on alone, forgets scratch variables if nobody does, and arrives.
void StepTaker::settle(const Mover& mover, std::uint32_t action, std::uint32_t second) {
    if (program_->last >= 0) {
        if (machine_.tells_exactly()) {
            machine_.touched->write(program_->last);
        }
        machine_.set(program_->last, mover.pid);
    }
    if (program_->control >= 0) {
        const EdgeRow& edge = program_->edges[at(mover.last_edge)];
        if ((edge.flags & kKeepsControl) != 0 && !edge.is(Sync::Together) && machine_.body(at(mover.pid)) != nullptr) {
            machine_.set(program_->control, mover.pid);
            if (runs_.in_place()) {
                if (go_on_alone(mover.pid, action, second)) {
                    return;
                }
            } else if (finder_.can_begin(mover.pid) && !finder_.is_outranked(mover.pid)) {
                arcs_.arrive(action, second);
                return;
            }
        }
        machine_.set(program_->control, -1);
    }
    for (const auto& row : program_->hidden) {
        machine_.set(row[0], row[1]);
    }
    arcs_.arrive(action, second);
}

// The process has just been given control. Goes on with it from the state that the machine is in; false if it cannot.
bool StepTaker::go_on_alone(std::int32_t pid, std::uint32_t action, std::uint32_t second) {
    if (runs_.is_long()) {
        const bool able = finder_.can_begin(pid);
        if (able) {
            arcs_.arrive(action, second);
        }
        return able;
    }
    HeldStates& held = runs_.held();
    const MergedRuns::Middle here = runs_.enter(action);
    Word* const middle = runs_.middle();
    const std::uint64_t sum = arcs_.patch(middle);
    const bool holds = finder_.location(pid).meeting || !here.nests;
    HeldStates::Addition added{};
    if (holds) {
        added = runs_.hold(middle, finish_hash(sum));
        if (!added.fresh) {
            arcs_.arrived += held.ways(added.position);
            return true;
        }
    }
    const std::size_t arrived = arcs_.arrived;
    bool able = false;
    if (here.nests) {
        const ArcWriter::Base before = std::exchange(arcs_.base, {middle, sum, machine_.log.size(), true});
        able = runs_.deeper(here, [&] { return steps_of(pid); });
        arcs_.base = before;
    } else {
        able = finder_.can_begin(pid);
        held.put_off(added.position);
        arcs_.arrived += able;
    }
    if (holds && able) {
        held.set_ways(added.position, arcs_.arrived - arrived);
    } else if (holds) {
        held.drop_last();
    }
    return able;
}

// What `begun_by` would find, taken at once.
bool StepTaker::steps_of(std::int32_t pid, const LocationPlan& here) {
    const auto take_it = [this](const Candidate& candidate) {
        take(candidate);
        return true;
    };
    finder_.touch_steps(here, true);
    const std::int32_t* const cells = machine_.cells.data();
    bool any = false;
    bool go_on = true;
    std::int32_t rank = 0;
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        const Gate& gate = plan_->gates[at(i)];
        if (any && gate.rank != rank) {
            break; // edges stand in order of rank; once one of a rank is possible, higher ranks are not
        }
        if (!gate.test.holds(cells) || (any && (program_->edges[at(i)].flags & kOtherwise) != 0)) {
            continue;
        }
        const EdgePlan& plan = plan_->edges[at(i)];
        const Machine::Result result = finder_.guard(pid, plan);
        if (result == Machine::kFalse) {
            continue;
        }
        rank = gate.rank;
        if (result == Machine::kFailed) {
            arcs_.arrive_failed(static_cast<std::uint32_t>(i));
            any = true;
        } else if (plan.sync == 0) {
            plan.direct ? write_alone(pid, i, plan) : take_alone(pid, i, plan);
            any = true;
        } else {
            any = finder_.synchronising(pid, i, take_it, go_on) || any;
        }
    }
    return any;
}

} // namespace beeline
