// What a step of the network does under one combination of values: see `Grounder::attempt`.
#include "task/grounder.hpp"

#include <algorithm>
#include <limits>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

void Grounder::attempt(Schema& schema) {
    failed_ = false;
    asked_ = std::numeric_limits<std::size_t>::max();
    switch (schema.kind) {
    case Kind::kGoal:
        // A goal that has no value in a state counts as reached there.
        interpreter_.errors = true;
        finish(schema, interpreter_.run(program_.goal) != AbstractInterpreter::End::kFalse);
        interpreter_.errors = with_errors_;
        return;
    case Kind::kMonitor:
    case Kind::kHalted:
        finish(schema, attempt_monitor(schema));
        return;
    case Kind::kEdge:
        attempt_edge(schema);
        return;
    }
}

bool Grounder::attempt_monitor(const Schema& schema) {
    const MonitorEdge& edge = program_.monitor_edges[at(schema.edge)];
    if (!interpreter_.assume(program_.monitor_cell, schema.location)) {
        return false;
    }
    const AbstractInterpreter::End guard = interpreter_.run_if_any(edge.guard);
    failed_ = guard == AbstractInterpreter::End::kFailed;
    if (guard != AbstractInterpreter::End::kTrue) {
        return false;
    }
    asked_ = interpreter_.reads.size();
    failed_ = interpreter_.run_if_any(edge.effect) == AbstractInterpreter::End::kFailed;
    const std::int32_t target = schema.kind == Kind::kHalted ? program_.monitor[at(edge.target)].halted : edge.target;
    interpreter_.write(program_.monitor_cell, {target, true});
    return !failed_;
}

void Grounder::attempt_edge(Schema& schema) {
    const EdgeRow& edge = program_.edges[at(schema.edge)];
    bool possible = assume_at(schema.body, schema.location) &&
                    (schema.second_body < 0 || assume_at(schema.second_body, schema.second_location)) &&
                    guard(schema.body, schema.edge);
    if (possible && schema.second_body >= 0) {
        possible = handshake(schema);
    } else if (possible) {
        switch (static_cast<Sync>(edge.sync)) {
        case Sync::None:
            possible = effect(edge) && arrive(schema.body, edge);
            break;
        case Sync::Send:
            possible = send(edge) && effect(edge) && arrive(schema.body, edge);
            break;
        case Sync::Receive:
            possible = receive(edge, schema.body) && effect(edge) && arrive(schema.body, edge);
            break;
        case Sync::Together:
            possible = together(schema);
            break;
        }
    }
    finish(schema, possible);
}

bool Grounder::assume_at(std::int32_t index, std::int32_t location) {
    const Body& body = program_.bodies[at(index)];
    const ProcessPlace& place = program_.processes[at(body.number)];
    return interpreter_.assume(place.tag, body.kind + 1) && interpreter_.assume(place.location, location);
}

bool Grounder::guard(std::int32_t body, std::int32_t edge) {
    // `provided` and the rank of other edges only forbid: leaving them out keeps the over-approximation.
    (void)body;
    const AbstractInterpreter::End end = interpreter_.run_if_any(program_.edges[at(edge)].guard);
    failed_ = failed_ || end == AbstractInterpreter::End::kFailed;
    return end == AbstractInterpreter::End::kTrue;
}

const ChannelPlace* Grounder::channel_of(const EdgeRow& edge, bool& unknown) {
    unknown = false;
    if (edge.channel_block < 0) {
        return &program_.channels[at(edge.channel - 1)];
    }
    if (interpreter_.run(edge.channel_block) == AbstractInterpreter::End::kFailed) {
        failed_ = true;
        return nullptr;
    }
    if (!interpreter_.value.known) {
        failed_ = with_errors_;
        unknown = true;
        return nullptr;
    }
    const ChannelPlace* found = interpreter_.channel(interpreter_.value.value);
    failed_ = failed_ || found == nullptr;
    return found;
}

bool Grounder::values_to_message(const EdgeRow& edge, const ChannelPlace& channel) {
    message_.clear();
    if (interpreter_.run_if_any(edge.values_block) == AbstractInterpreter::End::kFailed) {
        failed_ = true;
        return false;
    }
    if (edge.values < channel.fields) {
        failed_ = true;
        return false;
    }
    for (std::int32_t i = 0; i < channel.fields; ++i) {
        Guess value = interpreter_.read(edge.first_value + i);
        if (!interpreter_.fit(program_.domains[at(program_.field_domains[at(channel.first_domain + i)])], value)) {
            failed_ = true;
            return false;
        }
        message_.push_back(value);
    }
    return true;
}

bool Grounder::send(const EdgeRow& edge) {
    bool unknown = false;
    const ChannelPlace* channel = channel_of(edge, unknown);
    if (unknown) {
        // Some channel gets some message: every channel's cells can be anything.
        for (const ChannelPlace& any : program_.channels) {
            for (std::int32_t i = 0; i < any.capacity * any.fields; ++i) {
                interpreter_.write(any.base + i, {0, false});
            }
            interpreter_.write(any.length, {0, false});
        }
        return true;
    }
    if (channel == nullptr || !values_to_message(edge, *channel)) {
        return false;
    }
    if (channel->broadcast != 0) {
        return true; // alone; with a receiver it is another schema
    }
    if (channel->capacity == 0) {
        return false;
    }
    const Guess length = interpreter_.read(channel->length);
    if (length.known && length.value >= channel->capacity) {
        return (program_.flags & kLossy) != 0;
    }
    const bool anywhere = !length.known || (edge.flags & kSorted) != 0;
    // Inserting in order shifts what comes after: each place may then get the message or what was before it.
    for (std::int32_t position = 0; position < channel->capacity; ++position) {
        if (!anywhere && position != length.value) {
            continue;
        }
        for (std::int32_t i = 0; i < channel->fields; ++i) {
            interpreter_.write(channel->base + position * channel->fields + i,
                               anywhere ? Guess{0, false} : message_[at(i)]);
        }
    }
    interpreter_.write(channel->length, length.known ? Guess{length.value + 1, true} : length);
    return true;
}

bool Grounder::matches_message(const EdgeRow& edge, std::int32_t fields) {
    if (interpreter_.run_if_any(edge.values_block) == AbstractInterpreter::End::kFailed) {
        failed_ = true;
        return false;
    }
    const auto& pattern = program_.pattern_lists[at(edge.patterns)];
    for (std::size_t i = 0; i < std::min(pattern.size(), at(fields)); ++i) {
        if (pattern[i] == 0) {
            continue;
        }
        const Guess wanted = interpreter_.read(edge.first_value + static_cast<std::int32_t>(i));
        if (wanted.known && message_[i].known && wanted.value != message_[i].value) {
            return false;
        }
    }
    if (static_cast<std::int32_t>(pattern.size()) < fields && (edge.flags & kKeep) == 0) {
        failed_ = true; // it would be taken in part
        return false;
    }
    return true;
}

bool Grounder::bind(const EdgeRow& edge) {
    for (std::size_t i = 0; i < message_.size(); ++i) {
        interpreter_.write(program_.message_cell + static_cast<std::int32_t>(i), message_[i]);
    }
    const bool fine = interpreter_.run_if_any(edge.bind) != AbstractInterpreter::End::kFailed;
    failed_ = failed_ || !fine;
    return fine;
}

bool Grounder::receive(const EdgeRow& edge, std::int32_t) {
    bool unknown = false;
    const ChannelPlace* channel = channel_of(edge, unknown);
    if (unknown) {
        message_.assign(at(program_.message_cells), {0, false});
        return bind(edge);
    }
    if (channel == nullptr || channel->capacity == 0) {
        return false;
    }
    const Guess length = interpreter_.read(channel->length);
    if (length.known && (length.value <= 0 || length.value > channel->capacity)) {
        return false; // cells of a process were those of another kind before: the value need not be a length
    }
    const std::int32_t places = length.known ? length.value : channel->capacity;
    const std::int32_t position = (edge.flags & kAnywhere) != 0 ? interpreter_.choose(places) : 0;
    message_.clear();
    for (std::int32_t i = 0; i < channel->fields; ++i) {
        message_.push_back(interpreter_.read(channel->base + position * channel->fields + i));
    }
    if (!matches_message(edge, channel->fields)) {
        return false;
    }
    if ((edge.flags & kKeep) != 0) {
        return bind(edge);
    }
    // What moves up is independent of what else happens: each field is an operator of its own, 0 stands for the rest.
    const std::int32_t moved = (places - 1 - position) * channel->fields;
    const std::int32_t part = interpreter_.choose(1 + std::max(0, moved));
    if (part > 0) {
        const std::int32_t cell = channel->base + position * channel->fields + part - 1;
        interpreter_.write(cell, interpreter_.read(cell + channel->fields));
        return true;
    }
    for (std::int32_t i = 0; i < channel->fields; ++i) {
        const std::int32_t cell = channel->base + (places - 1) * channel->fields + i;
        interpreter_.write(cell, {std::clamp(0, program_.low[at(cell)], program_.high[at(cell)]), true});
    }
    interpreter_.write(channel->length, length.known ? Guess{length.value - 1, true} : length);
    return bind(edge);
}

bool Grounder::handshake(const Schema& schema) {
    const EdgeRow& sent = program_.edges[at(schema.edge)];
    const EdgeRow& received = program_.edges[at(schema.second_edge)];
    if (!guard(schema.second_body, schema.second_edge)) {
        return false;
    }
    bool unknown = false, other_unknown = false;
    const ChannelPlace* channel = channel_of(sent, unknown);
    const ChannelPlace* other = channel_of(received, other_unknown);
    if (unknown || other_unknown) {
        message_.assign(at(program_.message_cells), {0, false});
    } else {
        if (channel == nullptr || channel != other || (channel->capacity > 0 && channel->broadcast == 0)) {
            return false;
        }
        if (!values_to_message(sent, *channel) || !matches_message(received, channel->fields)) {
            return false;
        }
    }
    if (!bind(received)) {
        return false;
    }
    const bool receivers_first = (program_.flags & kReceiversFirst) != 0;
    const bool fine = receivers_first ? effect(received) && effect(sent) : effect(sent) && effect(received);
    return fine && arrive(schema.body, sent) && arrive(schema.second_body, received);
}

// Every process that knows the label takes one of its edges; the one that begins is the schema's.
bool Grounder::together(const Schema& schema) {
    const EdgeRow& first = program_.edges[at(schema.edge)];
    const auto& members = program_.label_members[at(first.label)];
    std::vector<std::pair<std::int32_t, std::int32_t>> taken{{schema.body, schema.edge}};
    const auto processes = static_cast<std::int32_t>(program_.processes.size());
    for (std::int32_t number = 0; number < processes; ++number) {
        if (number == program_.bodies[at(schema.body)].number) {
            continue;
        }
        const Body* body = interpreter_.body(number);
        if (body == nullptr || at(body->kind) >= members.size() || members[at(body->kind)] == 0) {
            continue;
        }
        if (number < program_.bodies[at(schema.body)].number) {
            return false;
        }
        const Guess location = interpreter_.read_place(program_.processes[at(number)].location);
        if (!location.known || location.value >= body->locations) {
            return false; // one of a process of another kind
        }
        const LocationRow& row = program_.locations[at(body->first_location + location.value)];
        std::vector<std::int32_t> fitting;
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            if (program_.edges[at(edge)].is(Sync::Together) && program_.edges[at(edge)].label == first.label) {
                fitting.push_back(edge);
            }
        }
        if (fitting.empty()) {
            return false;
        }
        const std::int32_t edge = fitting[at(interpreter_.choose(static_cast<std::int32_t>(fitting.size())))];
        const auto index = static_cast<std::int32_t>(body - program_.bodies.data());
        if (!guard(index, edge)) {
            return false;
        }
        taken.emplace_back(index, edge);
    }
    for (const auto& [body, edge] : taken) {
        if (!effect(program_.edges[at(edge)])) {
            return false;
        }
    }
    return std::all_of(taken.begin(), taken.end(),
                       [this](const auto& part) { return arrive(part.first, program_.edges[at(part.second)]); });
}

bool Grounder::effect(const EdgeRow& edge) {
    asked_ = std::min(asked_, interpreter_.reads.size());
    const bool fine = interpreter_.run_if_any(edge.effect) != AbstractInterpreter::End::kFailed;
    failed_ = failed_ || !fine;
    return fine;
}

bool Grounder::arrive(std::int32_t index, const EdgeRow& edge) {
    const std::int32_t number = program_.bodies[at(index)].number;
    interpreter_.write(program_.processes[at(number)].location, {edge.target, true});
    if ((edge.flags & kTerminates) == 0 || interpreter_.remove(number)) {
        return true;
    }
    failed_ = true; // if the process was the last one before this step, it ends in the step that starts another
    return false;
}

} // namespace beeline
