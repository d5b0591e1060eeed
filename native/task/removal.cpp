#include "task/removal.hpp"

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

} // namespace

Removal::Removal(std::shared_ptr<const Task> task)
    : task_(std::move(task)), is_location_(task_->program().low.size(), 0), achievers_(at(task_->facts())) {
    for (const ProcessPlace& place : task_->program().processes) {
        is_location_[at(place.tag)] = 1;
        is_location_[at(place.location)] = 1;
    }
    for (std::size_t i = 0; i < task_->operators().size(); ++i) {
        for (const std::int32_t fact : task_->operators()[i].effects) {
            achievers_[at(fact)].push_back(static_cast<std::int32_t>(i));
        }
    }
}

const std::vector<std::uint8_t>& Removal::without(std::uint32_t action, std::uint32_t detail) {
    const std::uint64_t key = (std::uint64_t{action} << 32) | detail;
    const auto found = known_.find(key);
    if (found != known_.end()) {
        return found->second;
    }
    std::vector<std::uint8_t> removed(task_->operators().size() + task_->goals().size(), 0);
    remove_edge(action, removed);
    if (detail > 0) {
        remove_edge(detail - 1, removed);
    }
    return known_.emplace(key, std::move(removed)).first->second;
}

// Besides the edge itself: whatever leads to the same location of the same process, and whatever reads a variable that
// the edge writes.
void Removal::remove_edge(std::uint32_t edge, std::vector<std::uint8_t>& removed) const {
    const auto& operators = task_->operators();
    std::vector<std::uint8_t> written(is_location_.size(), 0);
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const Operator& op = operators[i];
        if (op.action != edge && op.second != edge + 1) {
            continue;
        }
        removed[i] = 1;
        for (const std::int32_t fact : op.effects) {
            const std::int32_t cell = task_->fact_cell(fact);
            if (is_location_[at(cell)] == 0) {
                written[at(cell)] = 1;
                continue;
            }
            for (const std::int32_t same : achievers_[at(fact)]) {
                removed[at(same)] = 1;
            }
        }
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        for (const std::int32_t fact : operators[i].conditions) {
            removed[i] = removed[i] != 0 || written[at(task_->fact_cell(fact))] != 0;
        }
    }
}

} // namespace beeline
