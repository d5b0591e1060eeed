#include "task/grounder.hpp"

#include "task/operator_merger.hpp"

#include <algorithm>

namespace beeline {

namespace {

constexpr std::int32_t kSpread =
    64; // an unknown value written to a cell with at most so many values can be any of them
constexpr std::int64_t kOverrun = 2; // times the work allowed, before it is given up
constexpr std::int64_t kApart = 10;  // the same for steps whose copies are followed apart, before they no longer are
constexpr std::size_t kMostPairs = 4000000;
constexpr std::size_t kMostMerged = 200000; // beyond, merging operators would take longer than it saves

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

Grounder::Grounder(Task& task, bool with_errors, TaskLimits limits, Allowance& allowance)
    : task_(task), program_(task.program()), with_errors_(with_errors), limits_(limits), allowance_(allowance),
      interpreter_(program_) {
    interpreter_.errors = with_errors;
}

void Grounder::run() {
    const std::size_t cells = program_.low.size();
    task_.facts_by_cell_.resize(cells);
    task_.wild_.assign(cells, 0);
    dependents_.resize(cells);
    noted_.assign(cells, 0);
    written_by_.assign(cells, 0);
    for (const std::int32_t cell : {program_.control, program_.last}) {
        if (cell >= 0) {
            make_wild(cell);
        }
    }
    for (const ProcessPlace& place : program_.processes) {
        if (place.priority >= 0) {
            make_wild(place.priority);
        }
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
        new_fact(static_cast<std::int32_t>(cell), program_.initial[cell]);
    }
    settle_values();
    make_schemas();
    while (!queue_.empty() && !is_late()) {
        const std::size_t next = queue_.front();
        queue_.pop_front();
        schemas_[next].queued = false;
        enumerate(next);
        settle_values();
        if (interpreter_.gave_up || interpreter_.work > (limits_.apart ? kApart + 1 : kOverrun) * limits_.work ||
            task_.operators_.size() > static_cast<std::size_t>(limits_.operators)) {
            task_.complete_ = false;
            return;
        }
    }
    if (task_.late_) {
        return;
    }
    task_.exact_ = task_.exact_ && !interpreter_.guessed;
    drop_replaced();
    task_.apart_ = std::any_of(schemas_.begin(), schemas_.end(), [](const Schema& s) { return s.apart && !s.loose; });
    drop_wild();
    if (task_.operators_.size() <= kMostMerged) {
        merge_operators(task_.operators_, task_.fact_cell_, task_.facts_by_cell_.size());
    }
}

bool Grounder::is_late() {
    task_.late_ = task_.late_ || allowance_.is_over();
    task_.complete_ = task_.complete_ && !task_.late_;
    return task_.late_;
}

// Schemas

void Grounder::make_schemas() {
    for (std::size_t i = 0; i < program_.bodies.size(); ++i) {
        const Body& body = program_.bodies[i];
        for (std::int32_t location = 0; location < body.locations; ++location) {
            const LocationRow& row = program_.locations[at(body.first_location + location)];
            for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                schemas_.push_back({Kind::kEdge, static_cast<std::int32_t>(i), location, edge});
                if (program_.edges[at(edge)].is(Sync::Send)) {
                    add_pairs(static_cast<std::int32_t>(i), location, edge);
                }
            }
        }
    }
    for (std::size_t i = 0; i < program_.monitor.size(); ++i) {
        const MonitorRow& row = program_.monitor[i];
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            const MonitorEdge& move = program_.monitor_edges[at(edge)];
            schemas_.push_back({Kind::kMonitor, -1, static_cast<std::int32_t>(i), edge});
            if (program_.monitor[at(move.target)].halted != move.target) {
                schemas_.push_back({Kind::kHalted, -1, static_cast<std::int32_t>(i), edge});
            }
        }
    }
    if (program_.goal >= 0) {
        schemas_.push_back({Kind::kGoal, -1, -1, -1});
    }
    for (std::size_t i = 0; i < schemas_.size(); ++i) {
        queue_.push_back(i);
    }
}

// Partners for a handshake or broadcast. Channels that are known now must agree.
void Grounder::add_pairs(std::int32_t sender, std::int32_t location, std::int32_t edge) {
    const EdgeRow& sent = program_.edges[at(edge)];
    if (sent.channel_block < 0) {
        const ChannelPlace& channel = program_.channels[at(sent.channel - 1)];
        if (channel.capacity > 0 && channel.broadcast == 0) {
            return;
        }
    }
    constexpr std::size_t kBetweenLooks = 64; // at the clock
    for (std::size_t i = 0; i < program_.bodies.size(); ++i) {
        if (i % kBetweenLooks == 0 && is_late()) {
            return;
        }
        const Body& body = program_.bodies[i];
        if (body.number == program_.bodies[at(sender)].number) {
            continue;
        }
        for (std::int32_t other = 0; other < body.locations; ++other) {
            const LocationRow& row = program_.locations[at(body.first_location + other)];
            for (std::int32_t partner = row.first_edge; partner < row.first_edge + row.edges; ++partner) {
                const EdgeRow& received = program_.edges[at(partner)];
                const bool both_known = sent.channel_block < 0 && received.channel_block < 0;
                if (!received.is(Sync::Receive) || (both_known && sent.channel != received.channel)) {
                    continue;
                }
                if (schemas_.size() > kMostPairs) {
                    task_.complete_ = false;
                    return;
                }
                schemas_.push_back({Kind::kEdge, sender, location, edge, static_cast<std::int32_t>(i), other, partner});
            }
        }
    }
}

void Grounder::enumerate(std::size_t index) {
    first_time_ = schemas_[index].known.empty();
    for (const auto& [cell, count] : schemas_[index].known) {
        interpreter_.old_counts[at(cell)] = count;
    }
    std::vector<std::int32_t> cells;
    const auto note = [&](std::int32_t cell) {
        if (noted_[at(cell)] == 0) {
            noted_[at(cell)] = 1;
            cells.push_back(cell);
        }
    };
    const auto look = [&] {
        attempt(schemas_[index]);
        std::for_each(interpreter_.looked_at.begin(), interpreter_.looked_at.end(), note);
    };
    Schema& schema = schemas_[index];
    // What is sought is seldom much, and where it is not followed, every state looks like an end of the search.
    const bool is_goal = schema.kind == Kind::kGoal;
    if (!is_goal && (schema.apart ? is_apart_too_long() : interpreter_.work > limits_.work)) {
        follow_less(schema);
    }
    std::size_t begun = 0, goals = 0;
    const auto go_through = [&] {
        begun = task_.operators_.size();
        goals = task_.goals_.size();
        interpreter_.apart = schema.apart;
        interpreter_.loose = schema.loose;
        interpreter_.copied = false;
        copies_.clear();
        return interpreter_.enumerate(limits_.branches, look);
    };
    bool ended = go_through();
    while (!schema.loose && (!ended || is_apart_in_vain(schema))) {
        if (schema.apart) {
            take_back(begun);
        }
        if (schema.kind == Kind::kGoal) { // all of them come again, with fewer conditions
            task_.goals_.erase(task_.goals_.begin() + static_cast<std::ptrdiff_t>(goals), task_.goals_.end());
        }
        follow_less(schema);
        ended = go_through();
    }
    task_.complete_ = ended && task_.complete_;
    for (const auto& [cell, count] : schemas_[index].known) {
        interpreter_.old_counts[at(cell)] = 0;
        note(cell);
    }
    std::sort(cells.begin(), cells.end());
    std::vector<std::pair<std::int32_t, std::int32_t>> known;
    auto earlier = schemas_[index].known.begin();
    for (const std::int32_t cell : cells) {
        noted_[at(cell)] = 0;
        known.emplace_back(cell, static_cast<std::int32_t>(interpreter_.values[at(cell)].size()));
        if (earlier != schemas_[index].known.end() && earlier->first == cell) {
            ++earlier; // both are sorted, and what was known is among the cells
            continue;
        }
        auto& asking = dependents_[at(cell)];
        if (!schemas_[index].enumerated || std::find(asking.begin(), asking.end(), index) == asking.end()) {
            asking.push_back(index);
        }
    }
    schemas_[index].known = std::move(known);
    schemas_[index].enumerated = true;
}

bool Grounder::is_apart_too_long() const {
    return interpreter_.work > kApart * limits_.work || task_.operators_.size() > at(limits_.operators / 2);
}

// After the enumeration of a step: nothing in it is only copied, so that it takes as long as before.
bool Grounder::is_apart_in_vain(const Schema& schema) const {
    return schema.apart && !interpreter_.copied && interpreter_.work > limits_.work;
}

// From now on: what is only copied apart, which takes the place of what was listed, or else nothing but locations.
void Grounder::follow_less(Schema& schema) {
    if (schema.loose) {
        return;
    }
    const bool now_apart = limits_.apart && !schema.apart;
    (now_apart ? schema.apart : schema.loose) = first_time_ = true;
    schema.begun = now_apart ? task_.operators_.size() : 0;
    task_.exact_ = false;
}

// Results

void Grounder::finish(Schema& schema, bool possible) {
    const bool is_new = first_time_ || interpreter_.used_new; // no earlier enumeration had it, but for what is copied
    if (is_new && possible && schema.kind == Kind::kGoal) {
        add_goal(0);
    }
    if (schema.kind == Kind::kGoal || (!is_new && !schema.apart)) {
        return;
    }
    if (is_new && failed_ && with_errors_) {
        add_failure(schema);
    }
    if (!possible) {
        return;
    }
    bool inside = false;
    if (schema.kind == Kind::kEdge) {
        const Body& body = program_.bodies[at(schema.body)];
        inside = (program_.locations[at(body.first_location + schema.location)].flags & kDeterministic) != 0;
    }
    add_operator(schema, inside ? 0 : 1, is_new);
}

void Grounder::add_goal(std::int32_t cost) {
    Goal goal{{}, cost};
    for (const AbstractInterpreter::Access& read : interpreter_.reads) {
        goal.conditions.push_back(task_.fact(read.cell, read.value.value));
    }
    task_.goals_.push_back(std::move(goal));
}

// A step with very many ways to fail is as good as one that fails wherever its processes stand.
void Grounder::add_failure(Schema& schema) {
    if (++schema.goals > limits_.goals) {
        if (schema.goals > limits_.goals + 1) {
            return;
        }
        const auto is_place = [this](const AbstractInterpreter::Access& read) {
            return std::any_of(program_.processes.begin(), program_.processes.end(), [&](const ProcessPlace& place) {
                return read.cell == place.tag || read.cell == place.location;
            });
        };
        std::erase_if(interpreter_.reads, [&](const AbstractInterpreter::Access& read) { return !is_place(read); });
    }
    add_goal(1);
    task_.goals_.back().failure = true;
}

void Grounder::add_operator(const Schema& schema, std::int32_t cost, bool is_new) {
    Operator op{{}, {}, static_cast<std::uint32_t>(schema.edge), 0, cost};
    if (schema.kind == Kind::kMonitor || schema.kind == Kind::kHalted) {
        op.action = static_cast<std::uint32_t>(program_.edges.size()) + 1 + static_cast<std::uint32_t>(schema.edge);
    }
    if (schema.second_edge >= 0) {
        op.second = static_cast<std::uint32_t>(schema.second_edge) + 1;
    }
    for (const AbstractInterpreter::Access& read : interpreter_.reads) {
        op.conditions.push_back(task_.fact(read.cell, read.value.value));
    }
    ++operator_number_;
    for (std::size_t i = interpreter_.writes.size(); i-- > 0;) {
        const AbstractInterpreter::Access& written = interpreter_.writes[i];
        const bool overwritten = written_by_[at(written.cell)] == operator_number_;
        written_by_[at(written.cell)] = operator_number_;
        if (overwritten || interpreter_.wild[at(written.cell)] != 0) {
            continue;
        }
        const Guess stored = interpreter_.settled(written.value);
        task_.exact_ = task_.exact_ && stored.known;
        if (stored.is_copy()) {
            add_copies(schema, op, written.cell, stored.copied, is_new);
            continue;
        }
        const std::int64_t span = std::int64_t{program_.high[at(written.cell)]} - program_.low[at(written.cell)] + 1;
        if (stored.known) {
            const std::int32_t added = new_fact(written.cell, stored.value);
            if (std::find(op.conditions.begin(), op.conditions.end(), added) == op.conditions.end()) {
                op.effects.push_back(added);
            }
        } else if (span <= kSpread) {
            for (std::int64_t value = program_.low[at(written.cell)]; value <= program_.high[at(written.cell)];
                 ++value) {
                op.effects.push_back(new_fact(written.cell, static_cast<std::int32_t>(value)));
            }
        } else {
            make_wild(written.cell);
        }
    }
    std::erase(op.effects, -1);
    if (is_new && !op.effects.empty()) {
        keep(schema, std::move(op));
    }
}

// One for each value. It asks for what the step asks before its effects, and not for what these ask of other cells.
void Grounder::add_copies(const Schema& schema, const Operator& op, std::int32_t target, std::int32_t source,
                          bool is_new) {
    const auto& values = interpreter_.values[at(source)];
    const auto first = is_new ? 0 : static_cast<std::size_t>(interpreter_.old_counts[at(source)]);
    for (std::size_t i = first; i < values.size(); ++i) {
        const std::int32_t from = task_.fact(source, values[i]), to = new_fact(target, values[i]);
        Operator copy{{}, {to}, op.action, op.second, op.cost};
        const auto asked = static_cast<std::ptrdiff_t>(std::min(asked_, op.conditions.size()));
        copy.conditions.assign(op.conditions.begin(), op.conditions.begin() + asked);
        copy.conditions.push_back(from);
        std::vector<std::int32_t> key = copy.conditions;
        key.push_back(to);
        if (to >= 0 && copies_.insert(std::move(key)).second) {
            keep(schema, std::move(copy));
        }
    }
}

void Grounder::keep(const Schema& schema, Operator op) {
    task_.operators_.push_back(std::move(op));
    maker_.push_back(static_cast<std::size_t>(&schema - schemas_.data()));
}

void Grounder::take_back(std::size_t operators) {
    task_.operators_.resize(operators);
    maker_.resize(operators);
}

// Those of steps whose copies were followed apart afterwards, all of them once more.
void Grounder::drop_replaced() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < maker_.size(); ++i) {
        if (i >= schemas_[maker_[i]].begun && kept++ != i) {
            task_.operators_[kept - 1] = std::move(task_.operators_[i]);
        }
    }
    task_.operators_.resize(kept);
}

// What no state can have is no fact: a relaxed step may read what was meant for a process of another kind.
std::int32_t Grounder::new_fact(std::int32_t cell, std::int32_t value) {
    if (task_.wild_[at(cell)] != 0 || value < program_.low[at(cell)] || value > program_.high[at(cell)]) {
        return -1;
    }
    auto& known = task_.facts_by_cell_[at(cell)];
    for (const std::int32_t fact : known) {
        if (task_.fact_value(fact) == value) {
            return fact;
        }
    }
    if (static_cast<std::int32_t>(known.size()) >= limits_.values) {
        make_wild(cell);
        return -1;
    }
    const std::int32_t fact = task_.facts();
    task_.fact_cell_.push_back(cell);
    task_.fact_value_.push_back(value);
    known.push_back(fact);
    fresh_cells_.push_back(cell);
    return fact;
}

void Grounder::make_wild(std::int32_t cell) {
    if (task_.wild_[at(cell)] == 0) {
        task_.wild_[at(cell)] = 1;
        fresh_cells_.push_back(cell);
    }
}

// New values become visible between enumerations only, so that one enumeration sees the same values throughout.
void Grounder::settle_values() {
    for (const std::int32_t cell : fresh_cells_) {
        const std::size_t place = at(cell);
        if (task_.wild_[place] != 0 && interpreter_.wild[place] == 0) {
            interpreter_.wild[place] = 1;
            for (const std::size_t index : dependents_[place]) {
                schemas_[index].known.clear(); // what was an enumeration of values is now none: begin again
            }
        }
        const auto& known = task_.facts_by_cell_[place];
        for (std::size_t i = interpreter_.values[place].size(); i < known.size(); ++i) {
            interpreter_.values[place].push_back(task_.fact_value(known[i]));
        }
        wake(cell);
    }
    fresh_cells_.clear();
}

void Grounder::wake(std::int32_t cell) {
    for (const std::size_t index : dependents_[at(cell)]) {
        if (!schemas_[index].queued) {
            schemas_[index].queued = true;
            queue_.push_back(index);
        }
    }
}

// Conditions on cells that turned wild later on say nothing any more.
void Grounder::drop_wild() {
    // So does a condition on a cell that has one value only.
    const auto is_wild = [this](std::int32_t fact) {
        return fact < 0 || task_.wild_[at(task_.fact_cell(fact))] != 0 ||
               task_.facts_by_cell_[at(task_.fact_cell(fact))].size() < 2;
    };
    for (Operator& op : task_.operators_) {
        std::erase_if(op.conditions, is_wild);
        std::erase_if(op.effects, is_wild);
    }
    std::erase_if(task_.operators_, [](const Operator& op) { return op.effects.empty(); });
    for (Goal& goal : task_.goals_) {
        std::erase_if(goal.conditions, is_wild);
    }
    for (const Body& body : program_.bodies) {
        for (std::int32_t location = 0; with_errors_ && location < body.locations; ++location) {
            const std::int32_t inside = task_.fact(program_.processes[at(body.number)].location, location);
            if ((program_.locations[at(body.first_location + location)].flags & kDeterministic) != 0 && inside >= 0) {
                task_.goals_.push_back({{inside}, 0, true}); // the step that leads there may block in the middle
            }
        }
    }
    add_places();
}

// Where a monitor is at its end, and what a cycle that is sought must come through.
void Grounder::add_places() {
    for (std::size_t i = 0; i < program_.monitor.size(); ++i) {
        if (program_.monitor[i].end != 0 || program_.monitor[i].accept != 0) {
            add_place(program_.monitor_cell, static_cast<std::int32_t>(i));
        }
    }
    if ((program_.flags & kSeeksLabels) == 0) {
        return;
    }
    for (const Body& body : program_.bodies) {
        for (std::int32_t location = 0; location < body.locations; ++location) {
            if ((program_.locations[at(body.first_location + location)].flags & kAcceptLabel) != 0) {
                add_place(program_.processes[at(body.number)].location, location);
            }
        }
    }
}

void Grounder::add_place(std::int32_t cell, std::int32_t location) {
    const std::int32_t there = task_.fact(cell, location);
    const bool is_wild = task_.wild_[at(cell)] != 0;
    if (is_wild || (there >= 0 && task_.facts_by_cell_[at(cell)].size() < 2)) {
        task_.goals_.push_back({{}, 0}); // no state tells the difference
    } else if (there >= 0) {
        task_.goals_.push_back({{there}, 0});
    }
}

} // namespace beeline
