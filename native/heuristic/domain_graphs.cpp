#include "heuristic/domain_graphs.hpp"

#include <algorithm>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

DomainGraphs::DomainGraphs(std::shared_ptr<const Task> task)
    : task_(std::move(task)), variable_of_cell_(task_->program().low.size(), -1), value_of_fact_(at(task_->facts())) {
    for (const std::int32_t cell : task_->cells()) {
        variable_of_cell_[at(cell)] = static_cast<std::int32_t>(variables_.size());
        variables_.emplace_back();
    }
    for (const ProcessPlace& place : task_->program().processes) {
        for (const std::int32_t cell : {place.tag, place.location}) {
            if (variable_of_cell_[at(cell)] >= 0) {
                variables_[at(variable_of_cell_[at(cell)])].is_automaton = true;
            }
        }
    }
    for (std::int32_t fact = 0; fact < task_->facts(); ++fact) {
        const std::int32_t variable = variable_of_cell_[at(task_->fact_cell(fact))];
        if (variable >= 0) {
            value_of_fact_[at(fact)] = variables_[at(variable)].values++;
            variables_[at(variable)].leaving.emplace_back();
        }
    }
    for (std::size_t i = 0; i < task_->operators().size(); ++i) {
        add_operator(static_cast<std::int32_t>(i));
    }
    for (const Goal& goal : task_->goals()) {
        Target target{{}, goal.cost};
        for (const std::int32_t fact : goal.conditions) {
            target.conditions.push_back(condition(fact));
        }
        targets_.push_back(std::move(target));
    }
}

DomainGraphs::Condition DomainGraphs::condition(std::int32_t fact) const {
    return {variable_of_cell_[at(task_->fact_cell(fact))], value_of_fact_[at(fact)]};
}

// One transition for each effect. Of several values that a cell may get, others see the first.
void DomainGraphs::add_operator(std::int32_t index) {
    const Operator& op = task_->operators()[at(index)];
    std::vector<Setting> all;
    for (const std::int32_t fact : op.conditions) {
        const auto [variable, value] = condition(fact);
        all.push_back({variable, value, -1});
    }
    for (const std::int32_t fact : op.effects) {
        const auto [variable, value] = condition(fact);
        const auto known = std::find_if(all.begin(), all.end(),
                                        [own = variable](const Setting& other) { return other.variable == own; });
        if (known == all.end()) {
            all.push_back({variable, -1, value});
        } else if (known->left < 0) {
            known->left = value;
        }
    }
    for (const std::int32_t fact : op.effects) {
        const auto [variable, value] = condition(fact);
        Transition transition{-1, value, op.cost, index, {}};
        for (const Setting& setting : all) {
            if (setting.variable == variable) {
                transition.from = setting.needed;
            } else {
                transition.settings.push_back(setting);
            }
        }
        const auto id = static_cast<std::int32_t>(transitions_.size());
        Variable& place = variables_[at(variable)];
        (transition.from < 0 ? place.from_any : place.leaving[at(transition.from)]).push_back(id);
        transitions_.push_back(std::move(transition));
    }
}

void DomainGraphs::values_of(const std::uint32_t* words, std::vector<std::int32_t>& out) {
    out.assign(variables_.size(), 0);
    task_->facts_of(words, facts_);
    for (const std::int32_t fact : facts_) {
        out[at(variable_of_cell_[at(task_->fact_cell(fact))])] = value_of_fact_[at(fact)];
    }
}

} // namespace beeline
