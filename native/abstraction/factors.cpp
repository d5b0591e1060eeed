#include "abstraction/factors.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::size_t kMostMoves = 500000; // of one factor, over all its relations; a larger one is left out

} // namespace

FactoredTask::FactoredTask(std::shared_ptr<const Task> task, Allowance& allowance, bool whole)
    : task_(std::move(task)), whole_(whole) {
    number_facts();
    while (!make_product(allowance)) {
    }
    steps_.clear();
}

// False if a cell had to be left out: what the others do is then to be told without it, and so is the goal.
bool FactoredTask::make_product(Allowance& allowance) {
    steps_.clear();
    factors_.clear();
    labels_.clear();
    values_.resize(task_->program().low.size());
    collect_steps(allowance);
    keep_relevant();
    make_factors();
    make_goal();
    const std::vector<std::int32_t> overfull = make_labels(allowance);
    for (const std::int32_t factor : overfull) {
        leave_out(factors_[at(factor)].cell);
    }
    return overfull.empty();
}

void FactoredTask::leave_out(std::int32_t cell) {
    values_[at(cell)].clear();
    for (std::int32_t fact = 0; fact < task_->facts(); ++fact) {
        if (task_->fact_cell(fact) == cell) {
            state_of_fact_[at(fact)] = -1;
        }
    }
}

bool FactoredTask::is_goal_factor(std::size_t factor) const {
    const auto& goal = factors_[factor].goal;
    return std::find(goal.begin(), goal.end(), 0) != goal.end();
}

std::vector<std::vector<std::int32_t>> FactoredTask::causes() const {
    std::vector<std::set<std::int32_t>> found(factors_.size());
    for (const Label& label : labels_) {
        for (const Use& changed : label.uses) {
            const Relation& moves = factors_[at(changed.system)].relations[at(changed.relation)];
            const bool changes =
                std::any_of(moves.begin(), moves.end(), [](Move move) { return move.from != move.to; });
            for (const Use& asked : label.uses) {
                if (changes && asked.system != changed.system) {
                    found[at(changed.system)].insert(asked.system);
                }
            }
        }
    }
    std::vector<std::vector<std::int32_t>> causes;
    for (const auto& set : found) {
        causes.emplace_back(set.begin(), set.end());
    }
    return causes;
}

// Cells that go back to their initial value after each step, unseen by the task, are left out.
void FactoredTask::number_facts() {
    const Program& program = task_->program();
    std::vector<std::uint8_t> left_out(program.low.size(), 0);
    for (const auto& row : program.hidden) {
        left_out[at(row[0])] = 1;
    }
    values_.resize(program.low.size());
    state_of_fact_.assign(at(task_->facts()), -1);
    std::vector<std::uint8_t> used(program.low.size(), 0);
    for (const std::int32_t cell : task_->cells()) {
        used[at(cell)] = 1;
    }
    for (std::int32_t fact = 0; fact < task_->facts(); ++fact) {
        const std::int32_t cell = task_->fact_cell(fact);
        if (used[at(cell)] != 0 && left_out[at(cell)] == 0) {
            state_of_fact_[at(fact)] = size(cell);
            values_[at(cell)].push_back(task_->fact_value(fact));
        }
    }
}

// Steps

void FactoredTask::collect_steps(Allowance& allowance) {
    const Program& program = task_->program();
    std::map<std::uint32_t, std::pair<std::vector<const Operator*>, std::vector<const Operator*>>> broadcasts;
    for (const Operator& op : task_->operators()) {
        allowance.look();
        if (op.action >= program.edges.size()) {
            // The monitor moves along with the step that it watches, so its own move is free.
            steps_.push_back(step_of(op));
            steps_.back().cost = 0;
            continue;
        }
        if (is_broadcast(op)) {
            auto& group = broadcasts[op.action];
            (op.second == 0 ? group.first : group.second).push_back(&op);
            continue;
        }
        const EdgeRow& edge = program.edges[op.action];
        const bool takes = op.second == 0 && edge.is(Sync::Receive) && (edge.flags & kKeep) == 0;
        if (takes && !is_whole(op, edge)) {
            continue; // shows a part of what moves up in a channel; the rest of the step forgets that anyway
        }
        Step step = step_of(op);
        if (takes) {
            forget_contents(step, edge);
        }
        steps_.push_back(std::move(step));
    }
    for (const auto& [action, group] : broadcasts) {
        add_broadcast(action, group.first, group.second);
    }
}

FactoredTask::Step FactoredTask::step_of(const Operator& op) const {
    Step step{op.cost, {}, {}};
    for (const std::int32_t fact : op.conditions) {
        if (state_of_fact_[at(fact)] >= 0) {
            step.conditions.emplace_back(task_->fact_cell(fact), state_of_fact_[at(fact)]);
        }
    }
    for (const std::int32_t fact : op.effects) {
        const std::int32_t cell = task_->fact_cell(fact);
        if (state_of_fact_[at(fact)] < 0) {
            continue;
        }
        const auto known = std::find_if(step.effects.begin(), step.effects.end(),
                                        [&](const Effect& effect) { return effect.cell == cell; });
        if (known == step.effects.end()) {
            step.effects.push_back({Effect::Kind::kTo, cell, {state_of_fact_[at(fact)]}, {}});
        } else {
            known->targets.push_back(state_of_fact_[at(fact)]);
        }
    }
    for (Effect& effect : step.effects) {
        // Several values: it is not known which, and what the cell has may be one that an operator need not list.
        if (effect.targets.size() > 1) {
            effect = {Effect::Kind::kAny, effect.cell, {}, {}};
        }
    }
    return step;
}

void FactoredTask::forget(Step& step, std::int32_t cell) {
    std::erase_if(step.effects, [&](const Effect& effect) { return effect.cell == cell; });
    step.effects.push_back({Effect::Kind::kAny, cell, {}, {}});
}

// Taking a message is several operators of the task: one that shortens the channel, and one for each field that moves
// up. Where the channel or its length is not followed they cannot be told apart, and all count as whole.
bool FactoredTask::is_whole(const Operator& op, const EdgeRow& edge) const {
    if (edge.channel_block >= 0) {
        return true;
    }
    const std::int32_t length = task_->program().channels[at(edge.channel - 1)].length;
    if (values_[at(length)].empty()) {
        return true;
    }
    return std::any_of(op.effects.begin(), op.effects.end(),
                       [&](std::int32_t fact) { return task_->fact_cell(fact) == length; });
}

// After a message was taken the channel's other places may hold anything: what moves up is no move of single cells.
void FactoredTask::forget_contents(Step& step, const EdgeRow& edge) const {
    const Program& program = task_->program();
    for (std::size_t i = 0; i < program.channels.size(); ++i) {
        const ChannelPlace& channel = program.channels[i];
        const bool known = edge.channel_block < 0;
        if ((known && i + 1 != at(edge.channel)) || (channel.capacity <= 1 && known)) {
            continue;
        }
        for (std::int32_t cell = channel.base; cell < channel.base + channel.capacity * channel.fields; ++cell) {
            if (size(cell) > 0) {
                forget(step, cell);
            }
        }
        if (!known && size(channel.length) > 0) {
            forget(step, channel.length);
        }
    }
}

bool FactoredTask::is_broadcast(const Operator& op) const {
    const Program& program = task_->program();
    const EdgeRow& edge = program.edges[op.action];
    if (!edge.is(Sync::Send)) {
        return false;
    }
    if (edge.channel_block < 0) {
        return program.channels[at(edge.channel - 1)].broadcast != 0;
    }
    return std::any_of(program.channels.begin(), program.channels.end(),
                       [](const ChannelPlace& channel) { return channel.broadcast != 0; });
}

// Where the process that has an edge says where it is; -1 if no process has it.
std::int32_t FactoredTask::location_of(std::uint32_t action) const {
    const Program& program = task_->program();
    const auto edge = static_cast<std::int32_t>(action);
    for (const Body& body : program.bodies) {
        for (std::int32_t i = 0; i < body.locations; ++i) {
            const LocationRow& row = program.locations[at(body.first_location + i)];
            if (edge >= row.first_edge && edge < row.first_edge + row.edges) {
                return program.processes[at(body.number)].location;
            }
        }
    }
    return -1;
}

// A broadcast moves its sender and every process that listens; the task lists the sender alone and with each listener.
// Here each listener's location moves or stays. If a listener does more than move, all that sender and listeners write
// can have any value afterwards, because they may depend on one another, and only the sender's location is certain.
void FactoredTask::add_broadcast(std::uint32_t action, const std::vector<const Operator*>& alone,
                                 const std::vector<const Operator*>& heard) {
    const Program& program = task_->program();
    const std::int32_t sender = location_of(action);
    const bool certain = std::all_of(heard.begin(), heard.end(), [&](const Operator* op) {
        const EdgeRow& edge = program.edges[op->second - 1];
        return edge.effect < 0 && edge.bind < 0 && (edge.flags & kTerminates) == 0;
    });
    std::set<std::int32_t> places, written;
    for (const ProcessPlace& process : program.processes) {
        places.insert(process.location);
    }
    std::map<std::int32_t, std::set<Move>> listeners; // by cell of the location
    for (const Operator* op : heard) {
        const Step step = step_of(*op);
        for (const Effect& effect : step.effects) {
            if (effect.cell == sender) {
                continue;
            }
            if (!places.contains(effect.cell)) {
                written.insert(effect.cell);
                continue;
            }
            for (std::int32_t from = 0; from < size(effect.cell); ++from) {
                for (const std::int32_t to : effect.targets) {
                    if (step.allows(effect.cell, from)) {
                        listeners[effect.cell].insert({from, to});
                    }
                }
            }
        }
    }
    std::vector<const Operator*> all(alone);
    all.insert(all.end(), heard.begin(), heard.end());
    for (const Operator* op : all) {
        Step step = step_of(*op);
        if (!certain) {
            std::erase_if(step.conditions, [&](const auto& condition) { return condition.first != sender; });
            for (const Effect& effect : step_of(*op).effects) {
                if (effect.cell != sender) {
                    forget(step, effect.cell);
                }
            }
            for (const std::int32_t cell : written) {
                forget(step, cell);
            }
        }
        const std::int32_t certainly = certain && op->second > 0 ? location_of(op->second - 1) : -1;
        for (const auto& [cell, moves] : listeners) {
            if (cell == certainly) {
                continue;
            }
            const std::size_t before = step.effects.size();
            std::erase_if(step.effects, [&](const Effect& effect) { return effect.cell == cell; });
            const bool twice = certain && step.effects.size() < before; // the sender writes it, too
            step.effects.push_back(
                {twice ? Effect::Kind::kAny : Effect::Kind::kMaybe, cell, {}, {moves.begin(), moves.end()}});
        }
        steps_.push_back(std::move(step));
    }
}

bool FactoredTask::Step::allows(std::int32_t cell, std::int32_t state) const {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const auto& condition) { return condition.first != cell || condition.second == state; });
}

// Factors

// Leaves out cells that nothing on a way to the goal asks for.
void FactoredTask::keep_relevant() {
    std::vector<std::uint8_t> relevant(values_.size(), whole_ ? 1 : 0);
    for (const Goal& goal : task_->goals()) {
        for (const std::int32_t fact : goal.conditions) {
            relevant[at(task_->fact_cell(fact))] = 1;
        }
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (const Step& step : steps_) {
            const bool matters = std::any_of(step.effects.begin(), step.effects.end(),
                                             [&](const Effect& effect) { return relevant[at(effect.cell)] != 0; });
            for (const auto& [cell, state] : step.conditions) {
                if (matters && relevant[at(cell)] == 0) {
                    relevant[at(cell)] = 1;
                    grown = true;
                }
            }
        }
    }
    factor_of_.assign(values_.size(), -1);
    std::int32_t count = 0;
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
        if (relevant[cell] != 0 && !values_[cell].empty()) {
            factor_of_[cell] = count++;
        }
    }
}

void FactoredTask::make_factors() {
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
        if (factor_of_[cell] < 0) {
            continue;
        }
        Factor factor{
            static_cast<std::int32_t>(cell), values_[cell], 0, std::vector<std::uint8_t>(values_[cell].size(), 1), {}};
        const auto initial = std::find(factor.values.begin(), factor.values.end(), task_->program().initial[cell]);
        factor.initial = static_cast<std::int32_t>(initial - factor.values.begin());
        factors_.push_back(std::move(factor));
    }
}

// Whether the goals are all combinations of some values of some cells.
bool FactoredTask::goal_is_product() const {
    std::map<std::int32_t, std::set<std::int32_t>> wanted;
    std::set<std::vector<std::int32_t>> different;
    for (const Goal& goal : task_->goals()) {
        if (goal.cost != 0 || goal.conditions.size() != task_->goals().front().conditions.size()) {
            return false;
        }
        std::vector<std::int32_t> sorted(goal.conditions);
        std::sort(sorted.begin(), sorted.end());
        different.insert(sorted);
        for (const std::int32_t fact : goal.conditions) {
            if (state_of_fact_[at(fact)] < 0) {
                return false;
            }
            wanted[task_->fact_cell(fact)].insert(fact);
        }
    }
    std::size_t product = 1;
    for (const auto& [cell, facts] : wanted) {
        product = std::min(product * facts.size(), different.size() + 1);
    }
    return wanted.size() == task_->goals().front().conditions.size() && product == different.size();
}

void FactoredTask::make_goal() {
    if (task_->goals().empty()) {
        return;
    }
    if (goal_is_product()) {
        for (const Goal& goal : task_->goals()) {
            for (const std::int32_t fact : goal.conditions) {
                auto& wanted = factors_[at(factor_of_[at(task_->fact_cell(fact))])].goal;
                std::fill(wanted.begin(), wanted.end(), 0);
            }
        }
        for (const Goal& goal : task_->goals()) {
            for (const std::int32_t fact : goal.conditions) {
                factors_[at(factor_of_[at(task_->fact_cell(fact))])].goal[at(state_of_fact_[at(fact)])] = 1;
            }
        }
        return;
    }
    // Otherwise being there is a factor of its own, and each goal a step to it.
    const auto cell = static_cast<std::int32_t>(values_.size());
    values_.push_back({0, 1});
    factor_of_.push_back(static_cast<std::int32_t>(factors_.size()));
    factors_.push_back({-1, {0, 1}, 0, {0, 1}, {}});
    for (const Goal& goal : task_->goals()) {
        Step step{goal.cost, {}, {{Effect::Kind::kTo, cell, {1}, {}}}};
        for (const std::int32_t fact : goal.conditions) {
            if (state_of_fact_[at(fact)] >= 0) {
                step.conditions.emplace_back(task_->fact_cell(fact), state_of_fact_[at(fact)]);
            }
        }
        steps_.push_back(std::move(step));
    }
}

// Labels

// All that a step says about a cell: steps that say the same move it alike.
std::vector<std::int32_t> FactoredTask::Step::look_at(std::int32_t cell) const {
    std::vector<std::int32_t> key;
    for (const auto& [asked, state] : conditions) {
        if (asked == cell) {
            key.push_back(state);
        }
    }
    for (const Effect& effect : effects) {
        if (effect.cell == cell) {
            key.insert(key.end(), {-1, static_cast<std::int32_t>(effect.kind)});
            key.insert(key.end(), effect.targets.begin(), effect.targets.end());
            for (const Move& move : effect.moves) {
                key.insert(key.end(), {move.from, move.to});
            }
        }
    }
    return key;
}

Relation FactoredTask::relation_of(std::int32_t cell, const Step& step) const {
    const auto effect =
        std::find_if(step.effects.begin(), step.effects.end(), [&](const Effect& one) { return one.cell == cell; });
    Relation moves;
    for (std::int32_t from = 0; from < size(cell); ++from) {
        if (!step.allows(cell, from)) {
            continue;
        }
        if (effect == step.effects.end() || effect->kind == Effect::Kind::kMaybe) {
            moves.push_back({from, from});
        } else if (effect->kind == Effect::Kind::kTo) {
            moves.push_back({from, effect->targets.front()});
        } else {
            for (std::int32_t to = 0; to < size(cell); ++to) {
                moves.push_back({from, to});
            }
        }
        if (effect != step.effects.end()) {
            for (const Move& move : effect->moves) {
                if (move.from == from) {
                    moves.push_back(move);
                }
            }
        }
    }
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
}

// Returns the factors that have too many moves.
std::vector<std::int32_t> FactoredTask::make_labels(Allowance& allowance) {
    std::vector<std::map<std::vector<std::int32_t>, std::int32_t>> known(factors_.size());
    std::vector<std::size_t> moves(factors_.size(), 0);
    std::map<std::vector<std::int32_t>, std::size_t> labels; // by cost and uses: repeated ones say nothing new
    for (const Step& step : steps_) {
        allowance.look();
        Label label{step.cost, {}};
        std::set<std::int32_t> cells;
        for (const auto& [cell, state] : step.conditions) {
            cells.insert(cell);
        }
        for (const Effect& effect : step.effects) {
            cells.insert(effect.cell);
        }
        bool possible = true;
        for (const std::int32_t cell : cells) {
            const std::int32_t factor = factor_of_[at(cell)];
            if (factor < 0 || moves[at(factor)] > kMostMoves) {
                continue;
            }
            const auto next = static_cast<std::int32_t>(known[at(factor)].size());
            const auto [place, fresh] = known[at(factor)].try_emplace(step.look_at(cell), next);
            if (fresh) {
                factors_[at(factor)].relations.push_back(relation_of(cell, step));
                moves[at(factor)] += factors_[at(factor)].relations.back().size();
            }
            possible = possible && !factors_[at(factor)].relations[at(place->second)].empty();
            label.uses.push_back({factor, place->second});
        }
        std::sort(label.uses.begin(), label.uses.end());
        std::vector<std::int32_t> key{label.cost};
        for (const Use& use : label.uses) {
            key.insert(key.end(), {use.system, use.relation});
        }
        if (possible && !label.uses.empty() && labels.emplace(std::move(key), labels_.size()).second) {
            labels_.push_back(std::move(label));
        }
    }
    std::vector<std::int32_t> overfull;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (moves[i] > kMostMoves && factors_[i].cell >= 0) {
            overfull.push_back(static_cast<std::int32_t>(i));
        }
    }
    return overfull;
}

} // namespace beeline
