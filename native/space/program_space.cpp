#include "space/program_space.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <cstring>

namespace beeline {

namespace {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

ProgramSpace::ProgramSpace(std::shared_ptr<const Program> program, bool merged)
    : program_(std::move(program)), machine_(*program_), merged_(merged && program_->control >= 0) {
    machine_.can_move = [this](std::int32_t pid) { return can_begin(pid); };
}

void ProgramSpace::check_state(const Word* state) {
    std::vector<std::int32_t> cells(program_->initial);
    program_->unpack(state, cells.data());
    program_->check_cells(cells.data());
}

void ProgramSpace::initial(SuccessorBuffer& out) {
    std::copy(program_->initial.begin(), program_->initial.end(), machine_.cells.begin());
    const bool goal = program_->goal >= 0 && machine_.run(program_->goal) != Machine::kFalse;
    program_->pack(machine_.cells.data(), out.add(0, goal ? kGoal : kNone));
}

const LocationRow& ProgramSpace::location(std::int32_t pid) const {
    return program_
        ->locations[at(body(pid).first_location + machine_.cells[at(program_->processes[at(pid)].location)])];
}

bool ProgramSpace::is_provided(std::int32_t pid) { return machine_.run_if_any(body(pid).provided) == Machine::kTrue; }

Machine::Result ProgramSpace::guard(std::int32_t pid, const EdgeRow& edge) {
    const Machine::Result result = machine_.run_if_any(edge.guard);
    if (result == Machine::kTrue && (edge.flags & kTerminates) != 0) {
        return is_highest(pid) ? Machine::kTrue : Machine::kFalse;
    }
    return result;
}

bool ProgramSpace::is_highest(std::int32_t pid) const {
    const std::size_t next = at(pid) + 1;
    return next == program_->processes.size() || machine_.body(next) == nullptr;
}

// Looking for steps

template <class Visit>
bool ProgramSpace::begun_by(std::int32_t pid, Visit&& visit) {
    const LocationRow& here = location(pid);
    if ((here.flags & kDeterministic) == 0 && !is_provided(pid)) {
        return false;
    }
    bool any = false;
    bool go_on = true;
    for (std::int32_t i = here.first_edge; go_on && i < here.first_edge + here.edges; ++i) {
        // Edges stand in order of rank; once one of a rank is possible, higher ranks are not.
        if (any && program_->edges[at(i)].rank != program_->edges[at(i - 1)].rank) {
            break;
        }
        any = of_edge(pid, i, visit, go_on) || any;
    }
    return any;
}

template <class Visit>
bool ProgramSpace::of_edge(std::int32_t pid, std::int32_t index, Visit& visit, bool& go_on) {
    const EdgeRow& edge = program_->edges[at(index)];
    const Machine::Result result = guard(pid, edge);
    if (result == Machine::kFalse) {
        return false;
    }
    const std::size_t first_part = parts_.size();
    const std::size_t message = messages_.size();
    parts_.push_back({pid, index});
    bool any = false;
    if (result == Machine::kFailed) {
        any = true;
        go_on = visit(Candidate{first_part, 1, message, nullptr, 0, true});
    } else {
        switch (static_cast<Sync>(edge.sync)) {
        case Sync::None:
            any = true;
            go_on = visit(Candidate{first_part, 1, message, nullptr, 0, false});
            break;
        case Sync::Send:
            any = sending(pid, index, visit, go_on);
            break;
        case Sync::Receive:
            any = receiving(pid, index, visit, go_on);
            break;
        case Sync::Together:
            any = together(pid, index, visit, go_on);
            break;
        }
    }
    parts_.resize(first_part);
    messages_.resize(message);
    return any;
}

const ChannelPlace* ProgramSpace::channel_of(const EdgeRow& edge, std::int32_t& number) {
    number = edge.channel;
    if (edge.channel_block >= 0) {
        if (machine_.run(edge.channel_block) == Machine::kFailed) {
            return nullptr;
        }
        number = machine_.value;
    }
    return machine_.channel(number);
}

template <class Visit>
bool ProgramSpace::sending(std::int32_t pid, std::int32_t index, Visit& visit, bool& go_on) {
    const EdgeRow& edge = program_->edges[at(index)];
    const std::size_t first_part = parts_.size() - 1;
    const std::size_t message = messages_.size();
    std::int32_t number = 0;
    const ChannelPlace* channel = channel_of(edge, number);
    const auto failed = [&] {
        go_on = visit(Candidate{first_part, 1, message, nullptr, 0, true});
        return true;
    };
    if (channel == nullptr || machine_.run_if_any(edge.values_block) == Machine::kFailed) {
        return failed();
    }
    for (std::int32_t i = 0; i < channel->fields; ++i) {
        std::int32_t value = i < edge.values ? machine_.cells[at(edge.first_value + i)] : 0;
        if (!machine_.fit(program_->domains[at(program_->field_domains[at(channel->first_domain + i)])], value)) {
            machine_.error = Error::Range;
            return failed();
        }
        messages_.push_back(value);
    }
    if (channel->broadcast == 0 && channel->capacity > 0) {
        if (machine_.length(*channel) >= channel->capacity && (program_->flags & kLossy) == 0) {
            return false;
        }
        go_on = visit(Candidate{first_part, 1, message, channel, insertion_point(edge, *channel), false});
        return true;
    }
    std::vector<std::vector<Part>> choices;
    std::vector<Part> ready;
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    bool any = false;
    for (std::int32_t other = 0; go_on && other < everyone; ++other) {
        if (other == pid) {
            continue;
        }
        ready.clear();
        if (!listening(other, number, message, channel->fields, ready)) {
            any = true;
            go_on = visit(Candidate{first_part, 1, message, nullptr, 0, true});
            if (channel->broadcast != 0) {
                return true;
            }
            continue;
        }
        if (channel->broadcast != 0) {
            if (!ready.empty()) {
                choices.push_back(ready);
            }
            continue;
        }
        for (std::size_t i = 0; go_on && i < ready.size(); ++i) {
            parts_.push_back(ready[i]);
            any = true;
            go_on = visit(Candidate{first_part, 2, message, channel, 0, false});
            parts_.pop_back();
        }
    }
    if (channel->broadcast != 0) {
        return combinations(first_part, message, channel, choices, visit, go_on);
    }
    return any;
}

bool ProgramSpace::listening(std::int32_t pid, std::int32_t number, std::size_t message, std::int32_t fields,
                             std::vector<Part>& ready) {
    const LocationRow& here = location(pid);
    bool asked_provided = false;
    for (std::int32_t i = here.first_edge; i < here.first_edge + here.edges; ++i) {
        const EdgeRow& edge = program_->edges[at(i)];
        if (!edge.is(Sync::Receive) || (edge.channel_block < 0 && edge.channel != number)) {
            continue;
        }
        if (!ready.empty() && edge.rank != program_->edges[at(ready.front().edge)].rank) {
            break;
        }
        if (!asked_provided) {
            asked_provided = true;
            if (!is_provided(pid)) {
                return true;
            }
        }
        // A guard may protect the channel's index, so that the channel may have no value where the guard is false.
        const bool known = edge.channel_block < 0 || machine_.run(edge.channel_block) == Machine::kTrue;
        if (known && edge.channel_block >= 0 && machine_.value != number) {
            continue;
        }
        const Machine::Result result = guard(pid, edge);
        if (result == Machine::kFalse) {
            continue;
        }
        if (result == Machine::kFailed || !known) {
            return false;
        }
        if (machine_.run_if_any(edge.values_block) == Machine::kFailed) {
            return false;
        }
        const auto& pattern = program_->pattern_lists[at(edge.patterns)];
        bool equal = true;
        for (std::size_t j = 0; equal && j < std::min(pattern.size(), at(fields)); ++j) {
            equal = pattern[j] == 0 || machine_.cells[at(edge.first_value) + j] == messages_[message + j];
        }
        if (equal) {
            ready.push_back({pid, i});
        }
    }
    return true;
}

template <class Visit>
bool ProgramSpace::receiving(std::int32_t, std::int32_t index, Visit& visit, bool& go_on) {
    const EdgeRow& edge = program_->edges[at(index)];
    const std::size_t first_part = parts_.size() - 1;
    const std::size_t message = messages_.size();
    std::int32_t number = 0;
    const ChannelPlace* channel = channel_of(edge, number);
    if (channel != nullptr && (channel->broadcast != 0 || machine_.length(*channel) == 0)) {
        return false; // nothing there, or begun by the sender
    }
    if (channel == nullptr || machine_.run_if_any(edge.values_block) == Machine::kFailed) {
        go_on = visit(Candidate{first_part, 1, message, nullptr, 0, true});
        return true;
    }
    const std::int32_t position =
        machine_.find_message(*channel, machine_.cells.data() + edge.first_value,
                              program_->pattern_lists[at(edge.patterns)], (edge.flags & kAnywhere) != 0);
    if (position < 0) {
        return false;
    }
    const auto first = machine_.cells.begin() + channel->base + position * channel->fields;
    messages_.insert(messages_.end(), first, first + channel->fields);
    go_on = visit(Candidate{first_part, 1, message, channel, position, false});
    return true;
}

template <class Visit>
bool ProgramSpace::together(std::int32_t pid, std::int32_t index, Visit& visit, bool& go_on) {
    const std::int32_t label = program_->edges[at(index)].label;
    const auto& members = program_->label_members[at(label)];
    const std::size_t first_part = parts_.size() - 1;
    std::vector<std::vector<Part>> choices;
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t other = 0; other < everyone; ++other) {
        const std::size_t kind = at(body(other).kind);
        if (other == pid || kind >= members.size() || members[kind] == 0) {
            continue;
        }
        if (other < pid) {
            return false; // the lowest-numbered process that knows the label begins
        }
        std::vector<Part> ready;
        if (!labelled(other, label, ready)) {
            go_on = visit(Candidate{first_part, 1, messages_.size(), nullptr, 0, true});
            return true;
        }
        if (ready.empty()) {
            return false;
        }
        choices.push_back(std::move(ready));
    }
    return combinations(first_part, messages_.size(), nullptr, choices, visit, go_on);
}

bool ProgramSpace::labelled(std::int32_t pid, std::int32_t label, std::vector<Part>& ready) {
    if (!is_provided(pid)) {
        return true;
    }
    const LocationRow& here = location(pid);
    for (std::int32_t i = here.first_edge; i < here.first_edge + here.edges; ++i) {
        const EdgeRow& edge = program_->edges[at(i)];
        if (!edge.is(Sync::Together) || edge.label != label) {
            continue;
        }
        const Machine::Result result = guard(pid, edge);
        if (result == Machine::kFailed) {
            return false;
        }
        if (result == Machine::kTrue) {
            ready.push_back({pid, i});
        }
    }
    return true;
}

// One partner of each choice, in lexicographic order.
template <class Visit>
bool ProgramSpace::combinations(std::size_t first_part, std::size_t message, const ChannelPlace* channel,
                                const std::vector<std::vector<Part>>& choices, Visit& visit, bool& go_on) {
    std::vector<std::size_t> chosen(choices.size(), 0);
    while (go_on) {
        parts_.resize(first_part + 1);
        for (std::size_t i = 0; i < choices.size(); ++i) {
            parts_.push_back(choices[i][chosen[i]]);
        }
        go_on = visit(Candidate{first_part, choices.size() + 1, message, channel, 0, false});
        std::size_t digit = choices.size();
        while (digit > 0 && ++chosen[digit - 1] == choices[digit - 1].size()) {
            chosen[--digit] = 0;
        }
        if (digit == 0) {
            break;
        }
    }
    parts_.resize(first_part + 1);
    return true;
}

bool ProgramSpace::can_begin(std::int32_t pid) {
    return begun_by(pid, [](const Candidate&) { return false; });
}

std::int32_t ProgramSpace::active(const Word* state) {
    program_->unpack(state, machine_.cells.data());
    machine_.log.clear();
    parts_.clear();
    messages_.clear();
    machine_.cells[at(program_->timeout_cell)] = 0;
    std::int32_t count = 0;
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        count += can_begin(pid);
    }
    return count;
}

// Expansion

std::uint32_t ProgramSpace::expand(const Word* state, SuccessorBuffer& out) {
    if (!merged_) {
        return expand_one(state, out);
    }
    held_.clear();
    held_actions_.clear();
    held_index_.clear();
    inside_run_ = false;
    const std::size_t before = out.size();
    std::uint32_t marks = expand_one(state, out);
    inside_run_ = true;
    std::vector<Word> current(words());
    for (std::size_t i = 0; i < held_actions_.size(); ++i) {
        std::copy_n(held_.data() + i * words(), words(), current.data());
        held_action_ = held_actions_[i];
        expand_one(current.data(), out);
    }
    inside_run_ = false;
    if (out.size() > before || !held_actions_.empty()) {
        marks &= ~static_cast<std::uint32_t>(kDeadlock);
    }
    return marks;
}

std::uint32_t ProgramSpace::expand_one(const Word* state, SuccessorBuffer& out) {
    program_->unpack(state, machine_.cells.data());
    machine_.log.clear();
    parts_.clear();
    messages_.clear();
    origin_ = state;
    out_ = &out;
    arrived_ = 0;
    origin_goal_ = program_->goal >= 0 && machine_.run(program_->goal) != Machine::kFalse;
    if (program_->monitor_cell >= 0) {
        find_monitor_moves();
        if (monitor_moves_.empty()) {
            return kNone;
        }
        arrived_ = 0;
    }
    const std::int32_t control = program_->control >= 0 ? machine_.cells[at(program_->control)] : -1;
    if (control >= 0) {
        begun_by(control, [this](const Candidate& candidate) {
            take(candidate);
            return true;
        });
    }
    if (arrived_ == 0) {
        steps_of_all();
    }
    if (program_->monitor_cell >= 0) {
        if (arrived_ == 0) {
            second_ = 0;
            arrive(static_cast<std::uint32_t>(program_->edges.size()));
        }
        return kNone;
    }
    return arrived_ == 0 && !rests_at_end() ? kDeadlock : kNone;
}

void ProgramSpace::steps_of_all() {
    for (const bool timeout : {false, true}) {
        if (timeout && (program_->flags & kUsesTimeout) == 0) {
            return;
        }
        machine_.cells[at(program_->timeout_cell)] = timeout;
        bool any = false;
        std::int64_t best = 0;
        const bool prioritised = (program_->flags & (kPriorities | kChannelPriorities)) != 0;
        if (prioritised) {
            best = INT64_MIN;
            const auto everyone = static_cast<std::int32_t>(machine_.live());
            for (std::int32_t pid = 0; pid < everyone; ++pid) {
                begun_by(pid, [&](const Candidate& candidate) {
                    if (passes_committed(candidate)) {
                        best = std::max(best, priority(candidate));
                    }
                    return true;
                });
            }
        }
        pass_over_all(prioritised, best, any);
        machine_.cells[at(program_->timeout_cell)] = 0;
        if (any) {
            return;
        }
    }
}

void ProgramSpace::pass_over_all(bool best_only, std::int64_t best, bool& any) {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    std::int32_t& timeout = machine_.cells[at(program_->timeout_cell)];
    const std::int32_t asked = timeout;
    bool committed = false;
    for (std::int32_t pid = 0; !committed && pid < everyone; ++pid) {
        committed = is_committed(pid);
    }
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        begun_by(pid, [&](const Candidate& candidate) {
            if ((committed && !passes_committed(candidate)) || (best_only && priority(candidate) != best)) {
                return true;
            }
            any = true;
            timeout = 0; // what a step arrives at is judged without it
            take(candidate);
            timeout = asked;
            return true;
        });
    }
}

bool ProgramSpace::passes_committed(const Candidate& candidate) const {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    bool somewhere = false;
    for (std::int32_t pid = 0; !somewhere && pid < everyone; ++pid) {
        somewhere = is_committed(pid);
    }
    if (!somewhere) {
        return true;
    }
    const bool all = (program_->flags & kCommittedTogether) != 0;
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (is_committed(parts_[candidate.first_part + i].pid) != all) {
            return !all;
        }
    }
    return all;
}

// The channel's priority counts before that of the processes.
std::int64_t ProgramSpace::priority(const Candidate& candidate) const {
    const std::int64_t channel = candidate.channel == nullptr ? 0 : candidate.channel->priority;
    std::int64_t process = 0;
    if ((program_->flags & kPriorities) != 0) {
        for (std::size_t i = 0; i < candidate.parts; ++i) {
            const auto pid = at(parts_[candidate.first_part + i].pid);
            process = std::max<std::int64_t>(process, machine_.cells[at(program_->processes[pid].priority)]);
        }
    }
    return channel * (std::int64_t{1} << 32) + process;
}

// Taking a step

void ProgramSpace::take(const Candidate& candidate) {
    const std::size_t mark = machine_.log.size();
    const Part first = parts_[candidate.first_part];
    const auto action = static_cast<std::uint32_t>(first.edge);
    bool fine = !candidate.failed && perform(candidate);
    const Part mover = parts_[candidate.first_part + candidate.parts - 1];
    std::int32_t last_edge = mover.edge;
    for (std::size_t i = 0; fine && i < candidate.parts; ++i) {
        const Part part = parts_[candidate.first_part + i];
        if (at_deterministic(part.pid)) {
            std::int32_t& end = i + 1 == candidate.parts ? last_edge : machine_.value;
            fine = run_on(part.pid, end);
        }
    }
    if (fine) {
        finish(mover.pid, last_edge);
        // With three or more partners the second stands for them.
        second_ = candidate.parts > 1 ? static_cast<std::uint32_t>(parts_[candidate.first_part + 1].edge) + 1 : 0;
        arrive(action);
    } else {
        arrive_failed(action);
    }
    machine_.undo(mark);
}

bool ProgramSpace::perform(const Candidate& candidate) {
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        if (!transfer(candidate, parts_[candidate.first_part + i])) {
            return false;
        }
    }
    const bool receivers_first = (program_->flags & kReceiversFirst) != 0;
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        const std::size_t turn = receivers_first ? (i + 1) % candidate.parts : i;
        const EdgeRow& edge = program_->edges[at(parts_[candidate.first_part + turn].edge)];
        if (machine_.run_if_any(edge.effect) == Machine::kFailed) {
            return false;
        }
    }
    for (std::size_t i = 0; i < candidate.parts; ++i) {
        const Part part = parts_[candidate.first_part + i];
        const EdgeRow& edge = program_->edges[at(part.edge)];
        machine_.set(program_->processes[at(part.pid)].location, edge.target);
        if ((edge.flags & kTerminates) != 0) {
            if (!is_highest(part.pid)) {
                machine_.error = Error::Blocked; // it ends in the very step that starts another
                return false;
            }
            machine_.remove(at(part.pid));
        }
    }
    return true;
}

bool ProgramSpace::transfer(const Candidate& candidate, const Part& part) {
    const EdgeRow& edge = program_->edges[at(part.edge)];
    if (edge.is(Sync::Send)) {
        if (candidate.parts == 1 && candidate.channel->broadcast == 0) {
            put_message(candidate);
        }
        return true;
    }
    if (!edge.is(Sync::Receive)) {
        return true;
    }
    if (candidate.parts == 1 && (edge.flags & kKeep) == 0) {
        remove_message(*candidate.channel, candidate.position);
    }
    if (edge.bind < 0) {
        return true;
    }
    std::copy_n(messages_.begin() + static_cast<std::ptrdiff_t>(candidate.message), candidate.channel->fields,
                machine_.cells.begin() + program_->message_cell);
    return machine_.run(edge.bind) != Machine::kFailed;
}

// Values are compared as they are sent, not as the fields store them.
std::int32_t ProgramSpace::insertion_point(const EdgeRow& edge, const ChannelPlace& channel) const {
    const std::int32_t count = machine_.length(channel);
    if ((edge.flags & kSorted) == 0) {
        return count;
    }
    const auto is_larger = [&](std::int32_t position) {
        for (std::int32_t i = 0; i < channel.fields; ++i) {
            const std::int32_t stored = machine_.cells[at(channel.base + position * channel.fields + i)];
            const std::int32_t sent = i < edge.values ? machine_.cells[at(edge.first_value + i)] : 0;
            if (stored != sent) {
                return stored > sent;
            }
        }
        return false;
    };
    std::int32_t position = 0;
    while (position < count && !is_larger(position)) {
        ++position;
    }
    return position;
}

void ProgramSpace::put_message(const Candidate& candidate) {
    const ChannelPlace& channel = *candidate.channel;
    const std::int32_t count = machine_.length(channel);
    if (count >= channel.capacity) {
        return; // lost
    }
    const std::int32_t fields = channel.fields;
    const std::int32_t* message = messages_.data() + candidate.message;
    const std::int32_t position = candidate.position;
    for (std::int32_t i = count * fields - 1; i >= position * fields; --i) {
        machine_.set(channel.base + i + fields, machine_.cells[at(channel.base + i)]);
    }
    for (std::int32_t i = 0; i < fields; ++i) {
        machine_.set(channel.base + position * fields + i, message[i]);
    }
    machine_.set(channel.length, count + 1);
}

void ProgramSpace::remove_message(const ChannelPlace& channel, std::int32_t position) {
    const std::int32_t count = machine_.length(channel);
    const std::int32_t fields = channel.fields;
    for (std::int32_t i = position * fields; i < (count - 1) * fields; ++i) {
        machine_.set(channel.base + i, machine_.cells[at(channel.base + i + fields)]);
    }
    for (std::int32_t i = (count - 1) * fields; i < count * fields; ++i) {
        // An empty place holds what a fresh one does, so that equal states have equal words.
        const auto cell = at(channel.base + i);
        machine_.set(channel.base + i, std::clamp(0, program_->low[cell], program_->high[cell]));
    }
    machine_.set(channel.length, count - 1);
}

bool ProgramSpace::at_deterministic(std::int32_t pid) const {
    return machine_.body(at(pid)) != nullptr && (location(pid).flags & kDeterministic) != 0;
}

bool ProgramSpace::run_on(std::int32_t pid, std::int32_t& last_edge) {
    for (std::int32_t moves = 0; moves < Machine::kLoopLimit; ++moves) {
        const std::size_t first_part = parts_.size();
        const std::size_t message = messages_.size();
        Candidate next{first_part, 0, message, nullptr, 0, false};
        std::vector<Part> found;
        std::vector<std::int32_t> carried;
        begun_by(pid, [&](const Candidate& candidate) {
            next = candidate;
            found.assign(parts_.begin() + static_cast<std::ptrdiff_t>(candidate.first_part),
                         parts_.begin() + static_cast<std::ptrdiff_t>(candidate.first_part + candidate.parts));
            carried.assign(messages_.begin() + static_cast<std::ptrdiff_t>(candidate.message), messages_.end());
            return false;
        });
        if (found.size() != 1) {
            machine_.error = Error::Blocked;
            return false;
        }
        if (next.failed) {
            return false;
        }
        parts_.push_back(found.front());
        messages_.insert(messages_.end(), carried.begin(), carried.end());
        next.first_part = first_part;
        next.message = message;
        const bool fine = perform(next);
        parts_.resize(first_part);
        messages_.resize(message);
        if (!fine) {
            return false;
        }
        last_edge = found.front().edge;
        if (!at_deterministic(pid)) {
            return true;
        }
    }
    machine_.error = Error::Loop;
    return false;
}

void ProgramSpace::finish(std::int32_t mover, std::int32_t last_edge) {
    if (program_->last >= 0) {
        machine_.set(program_->last, mover);
    }
    bool held = false;
    if (program_->control >= 0) {
        const EdgeRow& edge = program_->edges[at(last_edge)];
        held = (edge.flags & kKeepsControl) != 0 && !edge.is(Sync::Together) && machine_.body(at(mover)) != nullptr;
        machine_.set(program_->control, held ? mover : -1);
        if (held && (!can_begin(mover) || is_outranked(mover))) {
            machine_.set(program_->control, -1);
            held = false;
        }
    }
    if (!held) {
        for (const auto& row : program_->hidden) {
            machine_.set(row[0], row[1]);
        }
    }
}

// Whether a process of a higher priority can move, so that this one loses control.
bool ProgramSpace::is_outranked(std::int32_t pid) {
    if ((program_->flags & kPriorities) == 0) {
        return false;
    }
    const std::int32_t own = machine_.cells[at(program_->processes[at(pid)].priority)];
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t other = 0; other < everyone; ++other) {
        if (machine_.cells[at(program_->processes[at(other)].priority)] > own && can_begin(other)) {
            return true;
        }
    }
    return false;
}

// Arriving

// A goal that has no value in a state, because of an index out of range, counts as reached: the replay tells why.
bool ProgramSpace::goal_reached() {
    if (program_->goal < 0) {
        return false;
    }
    for (const Machine::Change& change : machine_.log) {
        if (program_->goal_reads[at(change.cell)] != 0) {
            return machine_.run(program_->goal) != Machine::kFalse;
        }
    }
    return origin_goal_;
}

void ProgramSpace::find_monitor_moves() {
    monitor_moves_.clear();
    const MonitorRow& here = program_->monitor[at(machine_.cells[at(program_->monitor_cell)])];
    if (here.end != 0) {
        return;
    }
    bool any = false;
    for (std::int32_t i = here.first_edge; i < here.first_edge + here.edges; ++i) {
        const MonitorEdge& edge = program_->monitor_edges[at(i)];
        if (any && edge.rank != program_->monitor_edges[at(i - 1)].rank) {
            return;
        }
        if (machine_.run_if_any(edge.guard) != Machine::kTrue) {
            continue;
        }
        any = true;
        if (program_->monitor[at(edge.target)].end == 0) {
            monitor_moves_.push_back(edge.target);
            continue;
        }
        // What the monitor watches for is complete before the network moves.
        machine_.set(program_->monitor_cell, edge.target);
        second_ = 0;
        write_arc(static_cast<std::uint32_t>(program_->edges.size() + 1) + static_cast<std::uint32_t>(i), kGoal);
        machine_.undo(0);
    }
}

void ProgramSpace::arrive(std::uint32_t action) {
    ++arrived_;
    std::uint32_t marks = goal_reached() ? kGoal : kNone;
    if (program_->control >= 0 && machine_.cells[at(program_->control)] >= 0) {
        marks |= kTransient;
    }
    if (inside_run_) {
        action = held_action_;
    }
    if (program_->monitor_cell < 0) {
        write_arc(action, marks);
        return;
    }
    for (const std::int32_t target : monitor_moves_) {
        const std::size_t mark = machine_.log.size();
        machine_.set(program_->monitor_cell, target);
        write_arc(action, marks);
        machine_.undo(mark);
    }
}

void ProgramSpace::arrive_failed(std::uint32_t action) {
    if (machine_.error == Error::Processes && (program_->flags & kGrowable) != 0) {
        throw OutOfRoom{};
    }
    ++arrived_;
    const std::size_t copies = program_->monitor_cell < 0 ? 1 : monitor_moves_.size();
    for (std::size_t i = 0; i < copies; ++i) {
        Word* target =
            out_->add(inside_run_ ? held_action_ : action, kError, static_cast<std::uint32_t>(machine_.error) + 1);
        std::copy_n(origin_, words(), target);
    }
}

// The target is the origin with the changed cells patched.
void ProgramSpace::write_arc(std::uint32_t action, std::uint32_t marks) {
    Word* target = out_->add(action, marks, second_);
    std::copy_n(origin_, words(), target);
    for (const Machine::Change& change : machine_.log) {
        const Packing& place = program_->packing[at(change.cell)];
        const std::uint32_t value =
            static_cast<std::uint32_t>(machine_.cells[at(change.cell)]) - static_cast<std::uint32_t>(place.low);
        Word& word = target[place.word];
        word = (word & ~(place.mask << place.shift)) | ((value & place.mask) << place.shift);
    }
    if (merged_ && (marks & kTransient) != 0 && (marks & kGoal) == 0) {
        hold_back(action);
    }
}

// Moves the arc just written from the buffer to the states held back, unless its target was met before. A run that goes
// on and on is handed out in the end: the search then keeps its states, and its limits see them.
void ProgramSpace::hold_back(std::uint32_t action) {
    constexpr std::size_t longest_run = 1 << 16;
    const Word* target = out_->state(out_->size() - 1);
    if (held_actions_.size() >= longest_run) {
        return;
    }
    if (!already_held(target)) {
        held_.insert(held_.end(), target, target + words());
        held_actions_.push_back(action);
    }
    out_->drop_last();
}

bool ProgramSpace::already_held(const Word* target) {
    constexpr std::size_t few = 16; // up to here a scan is quicker than an index
    const std::size_t count = held_actions_.size();
    const auto same = [&](std::size_t i) {
        return std::memcmp(held_.data() + i * words(), target, words() * sizeof(Word)) == 0;
    };
    if (count < few) {
        for (std::size_t i = 0; i < count; ++i) {
            if (same(i)) {
                return true;
            }
        }
        return false;
    }
    for (std::size_t i = held_index_.size(); i < count; ++i) {
        held_index_.emplace(hash_words(held_.data() + i * words(), words()), i);
    }
    const auto range = held_index_.equal_range(hash_words(target, words()));
    return std::any_of(range.first, range.second, [&](const auto& entry) { return same(entry.second); });
}

bool ProgramSpace::rests_at_end() const {
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t pid = 0; pid < everyone; ++pid) {
        if ((location(pid).flags & kEnd) == 0) {
            return false;
        }
    }
    return true;
}

} // namespace beeline
