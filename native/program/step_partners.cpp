// The part of looking for steps that needs partners or channels.
#include "program/step_finder.hpp"

#include <algorithm>

namespace beeline {

const ChannelPlace* StepFinder::channel_of(const EdgeRow& edge, std::int32_t& number) {
    number = edge.channel;
    if (edge.channel_block < 0) {
        const ChannelPlace& channel = program_->channels[at(number - 1)];
        if (machine_.tells_exactly()) {
            machine_.touched->add(channel.length);
        } else if (machine_.touched != nullptr) {
            machine_.tell(channel);
        }
        return &channel;
    }
    if (machine_.run(edge.channel_block) == Machine::kFailed) {
        return nullptr;
    }
    number = machine_.value;
    return machine_.channel(number);
}

// Puts what an edge sends or compares into its scratch cells; false if that failed.
bool StepFinder::compute_values(std::int32_t index) {
    const EdgeRow& edge = program_->edges[at(index)];
    const std::int32_t sources = plan_->edges[at(index)].first_source;
    if (sources < 0) {
        return machine_.run(edge.values_block) != Machine::kFailed;
    }
    std::int32_t* const cells = machine_.cells.data();
    for (std::int32_t i = 0; i < edge.values; ++i) {
        cells[edge.first_value + i] = cells[plan_->sources[at(sources + i)]];
        if (machine_.tells_exactly()) {
            machine_.touched->add(plan_->sources[at(sources + i)]);
        }
    }
    return true;
}

bool StepFinder::sending(std::int32_t index, Visit visit, bool& go_on) {
    const EdgeRow& edge = program_->edges[at(index)];
    const std::size_t first_part = parts_.size() - 1;
    const std::size_t message = messages_.size();
    std::int32_t number = 0;
    const ChannelPlace* channel = channel_of(edge, number);
    if (channel == nullptr) {
        return failing(first_part, message, visit, go_on);
    }
    const bool is_buffer = channel->capacity > 0 && channel->broadcast == 0;
    if (is_buffer && machine_.length(*channel) >= channel->capacity && (program_->flags & kLossy) == 0) {
        return false;
    }
    Candidate candidate{first_part, 1, message, channel, 0, false};
    if (!push_message(index, *channel)) {
        const bool is_tried = is_buffer || channel->broadcast != 0 || is_awaited(candidate, number);
        return is_tried && failing(first_part, message, visit, go_on);
    }
    if (channel->broadcast != 0) {
        return with_all_receivers(candidate, number, visit, go_on);
    }
    if (channel->capacity == 0) {
        return with_receiver(candidate, number, visit, go_on);
    }
    candidate.position = insertion_point(edge, *channel);
    go_on = visit(candidate);
    return true;
}

// Computes what an edge sends; false, with the machine's error set, if that failed.
bool StepFinder::push_message(std::int32_t index, const ChannelPlace& channel) {
    const EdgeRow& edge = program_->edges[at(index)];
    if (!compute_values(index)) {
        return false;
    }
    if (edge.values < channel.fields) {
        machine_.error = Error::Channel;
        return false;
    }
    for (std::int32_t i = 0; i < channel.fields; ++i) {
        std::int32_t value = machine_.cells[at(edge.first_value + i)];
        if (!program_->domains[at(program_->field_domains[at(channel.first_domain + i)])].fit(value)) {
            machine_.error = Error::Range;
            return false;
        }
        messages_.push(value);
    }
    return true;
}

// Whether somebody waits for a handshake, whatever is sent; the rules may have it tried anyway.
bool StepFinder::is_awaited(Candidate candidate, std::int32_t number) {
    const Error error = machine_.error;
    bool go_on = true;
    candidate.channel = nullptr;
    const bool found = (program_->flags & kEagerSends) != 0 ||
                       with_receiver(candidate, number, [](const Candidate&) { return false; }, go_on);
    machine_.error = error;
    return found;
}

// Values are compared as they are sent, not as the fields store them.
std::int32_t StepFinder::insertion_point(const EdgeRow& edge, const ChannelPlace& channel) const {
    const std::int32_t count = machine_.length(channel);
    if ((edge.flags & kSorted) == 0) {
        return count;
    }
    touch_messages(channel);
    const auto is_larger = [&](std::int32_t position) {
        for (std::int32_t i = 0; i < channel.fields; ++i) {
            const std::int32_t stored = machine_.cells[at(channel.base + position * channel.fields + i)];
            const std::int32_t sent = machine_.cells[at(edge.first_value + i)];
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

// Calls `each` with everyone, but for the sender, who is where it may receive from a channel, until it says no.
template <class Each>
void StepFinder::each_listener(std::int32_t sender, std::int32_t number, Each&& each) {
    for (const std::int32_t other : plan_->listeners_to(number)) {
        if (other >= everyone()) {
            return;
        }
        touch_process(other);
        const LocationPlan* there = place(other);
        if (there == nullptr) {
            return;
        }
        if (other != sender && (there->listens & listening_bit(number)) != 0 && !each(other)) {
            return;
        }
    }
}

// A handshake: one partner at a time.
bool StepFinder::with_receiver(Candidate candidate, std::int32_t number, Visit visit, bool& go_on) {
    const std::size_t first_choice = choices_.size();
    bool any = false;
    candidate.parts = 2;
    each_listener(parts_[candidate.first_part].pid, number, [&](std::int32_t other) {
        if (!listening(other, number, candidate)) {
            choices_.cut(first_choice);
            any = failing(candidate.first_part, candidate.message, visit, go_on);
        }
        for (std::size_t i = first_choice; go_on && i < choices_.size(); ++i) {
            parts_.push(choices_[i]);
            any = true;
            go_on = visit(candidate);
            parts_.cut(candidate.first_part + 1);
        }
        choices_.cut(first_choice);
        return go_on;
    });
    return any;
}

// A broadcast: one receive of everyone who has one.
bool StepFinder::with_all_receivers(Candidate candidate, std::int32_t number, Visit visit, bool& go_on) {
    const std::size_t first_choice = choices_.size();
    const std::size_t first_group = groups_.size();
    bool fine = true;
    each_listener(parts_[candidate.first_part].pid, number, [&](std::int32_t other) {
        const std::size_t before = choices_.size();
        fine = listening(other, number, candidate);
        if (choices_.size() > before) {
            groups_.push(before);
        }
        return fine;
    });
    if (fine) {
        combinations(candidate, first_group, visit, go_on);
    } else {
        failing(candidate.first_part, candidate.message, visit, go_on);
    }
    groups_.cut(first_group);
    choices_.cut(first_choice);
    return true;
}

// Without a channel in the candidate, any message will do.
bool StepFinder::listening(std::int32_t pid, std::int32_t number, const Candidate& candidate) {
    const LocationPlan& here = location(pid);
    const std::size_t first_choice = choices_.size();
    bool asked_provided = false;
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        const EdgeRow& edge = program_->edges[at(i)];
        if (!edge.is(Sync::Receive) || (edge.channel_block < 0 && edge.channel != number)) {
            continue;
        }
        if (!machine_.tells_exactly()) {
            touch_edge(i);
        }
        if (choices_.size() > first_choice && edge.rank != program_->edges[at(choices_[first_choice].edge)].rank) {
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
        touch_guard(i);
        const Machine::Result result = guard(pid, plan_->edges[at(i)]);
        if (result == Machine::kFalse) {
            continue;
        }
        const bool asked = candidate.channel != nullptr;
        if (result == Machine::kFailed || !known || (asked && !compute_values(i))) {
            return false;
        }
        if (asked && hears(edge, candidate) && takes_in_part(edge, *candidate.channel)) {
            return false;
        }
        if (!asked || hears(edge, candidate)) {
            choices_.push({pid, i});
        }
    }
    return true;
}

// Whether the message sent is one that the receive, whose values are computed, takes.
bool StepFinder::hears(const EdgeRow& edge, const Candidate& candidate) const {
    const auto& pattern = program_->pattern_lists[at(edge.patterns)];
    const std::size_t compared = std::min(pattern.size(), at(candidate.channel->fields));
    for (std::size_t j = 0; j < compared; ++j) {
        if (pattern[j] != 0 && machine_.cells[at(edge.first_value) + j] != messages_[candidate.message + j]) {
            return false;
        }
    }
    return true;
}

// Whether a receive leaves out fields, which is an error; to look at some of them is none.
bool StepFinder::takes_in_part(const EdgeRow& edge, const ChannelPlace& channel) {
    if (edge.values >= channel.fields || (edge.flags & kKeep) != 0) {
        return false;
    }
    machine_.error = Error::Channel;
    return true;
}

bool StepFinder::receiving(std::int32_t index, Visit visit, bool& go_on) {
    const EdgeRow& edge = program_->edges[at(index)];
    const std::size_t first_part = parts_.size() - 1;
    const std::size_t message = messages_.size();
    std::int32_t number = 0;
    const ChannelPlace* channel = channel_of(edge, number);
    if (channel != nullptr && (channel->broadcast != 0 || machine_.length(*channel) == 0)) {
        return false; // nothing there, or begun by the sender
    }
    if (channel == nullptr || !compute_values(index)) {
        return failing(first_part, message, visit, go_on);
    }
    touch_messages(*channel);
    const std::int32_t position =
        machine_.find_message(*channel, machine_.cells.data() + edge.first_value,
                              program_->pattern_lists[at(edge.patterns)], (edge.flags & kAnywhere) != 0);
    if (position < 0) {
        return false;
    }
    if (takes_in_part(edge, *channel)) {
        return failing(first_part, message, visit, go_on);
    }
    for (std::int32_t i = 0; i < channel->fields; ++i) {
        messages_.push(machine_.cells[at(channel->base + position * channel->fields + i)]);
    }
    go_on = visit(Candidate{first_part, 1, message, channel, position, false});
    return true;
}

bool StepFinder::together(std::int32_t pid, std::int32_t index, Visit visit, bool& go_on) {
    if (machine_.touched != nullptr) {
        machine_.tell_everyone(false);
        machine_.touched->give_up(); // everybody is asked
    }
    const std::int32_t label = program_->edges[at(index)].label;
    const auto& members = program_->label_members[at(label)];
    const std::size_t first_part = parts_.size() - 1;
    const std::size_t first_choice = choices_.size();
    const std::size_t first_group = groups_.size();
    bool any = true;
    bool fine = true;
    const auto everyone = static_cast<std::int32_t>(machine_.live());
    for (std::int32_t other = 0; any && fine && other < everyone; ++other) {
        const std::size_t kind = at(body(other).kind);
        if (other == pid || kind >= members.size() || members[kind] == 0) {
            continue;
        }
        if (other < pid) {
            any = false; // the lowest-numbered process that knows the label begins
            break;
        }
        const std::size_t before = choices_.size();
        fine = labelled(other, label);
        any = !fine || choices_.size() > before;
        groups_.push(before);
    }
    if (!fine) {
        failing(first_part, messages_.size(), visit, go_on);
    } else if (any) {
        combinations(Candidate{first_part, 1, messages_.size(), nullptr, 0, false}, first_group, visit, go_on);
    }
    groups_.cut(first_group);
    choices_.cut(first_choice);
    return any;
}

bool StepFinder::labelled(std::int32_t pid, std::int32_t label) {
    if (!is_provided(pid)) {
        return true;
    }
    touch_process(pid);
    const LocationPlan& here = location(pid);
    for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
        const EdgeRow& edge = program_->edges[at(i)];
        if (!edge.is(Sync::Together) || edge.label != label) {
            continue;
        }
        touch_guard(i);
        const Machine::Result result = guard(pid, plan_->edges[at(i)]);
        if (result == Machine::kFailed) {
            return false;
        }
        if (result == Machine::kTrue) {
            choices_.push({pid, i});
        }
    }
    return true;
}

// One partner of each group, in lexicographic order.
bool StepFinder::combinations(Candidate candidate, std::size_t first_group, Visit visit, bool& go_on) {
    const std::size_t groups = groups_.size() - first_group;
    const std::size_t first_chosen = chosen_.size();
    const std::size_t end = choices_.size();
    for (std::size_t i = 0; i < groups; ++i) {
        chosen_.push(groups_[first_group + i]);
    }
    const auto end_of = [&](std::size_t group) { return group + 1 == groups ? end : groups_[first_group + group + 1]; };
    candidate.parts = groups + 1;
    std::size_t digit = 1;
    while (go_on && digit > 0) {
        parts_.cut(candidate.first_part + 1);
        for (std::size_t i = 0; i < groups; ++i) {
            parts_.push(choices_[chosen_[first_chosen + i]]);
        }
        go_on = visit(candidate);
        digit = groups;
        while (digit > 0 && ++chosen_[first_chosen + digit - 1] == end_of(digit - 1)) {
            chosen_[first_chosen + digit - 1] = groups_[first_group + digit - 1];
            --digit;
        }
    }
    parts_.cut(candidate.first_part + 1);
    chosen_.cut(first_chosen);
    return true;
}

} // namespace beeline
