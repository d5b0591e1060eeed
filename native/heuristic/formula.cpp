#include "heuristic/formula.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace beeline {
namespace {

constexpr std::int32_t known(std::int32_t distance) { return distance < 0 ? kDeadEnd : distance; }

void require(bool condition) {
    if (!condition) {
        throw std::invalid_argument("a formula is malformed");
    }
}

bool is_join(std::int32_t kind) { return kind >= FormulaEstimator::kMaximum && kind <= FormulaEstimator::kSum; }

} // namespace

FormulaEstimator::FormulaEstimator(std::shared_ptr<const Program> program,
                                   const std::vector<std::vector<std::int32_t>>& nodes,
                                   std::vector<std::vector<std::int32_t>> distances, bool safe)
    : program_(std::move(program)), machine_(*program_), distances_(std::move(distances)), safe_(safe),
      values_(nodes.size()) {
    require(!nodes.empty());
    for (const auto& row : nodes) {
        require(!row.empty() && row[0] >= kConstant && row[0] <= kSum);
        Node node{static_cast<Kind>(row[0]), 0, 0};
        if (is_join(row[0])) {
            node.a = static_cast<std::int32_t>(parts_.size());
            parts_.insert(parts_.end(), row.begin() + 1, row.end());
            node.b = static_cast<std::int32_t>(parts_.size());
        } else {
            node.a = row.size() > 1 ? row[1] : -1;
            node.b = row.size() > 2 ? row[2] : 0;
        }
        check(node, nodes_.size());
        nodes_.push_back(node);
    }
}

void FormulaEstimator::check(const Node& node, std::size_t position) const {
    switch (node.kind) {
    case kConstant:
        return;
    case kValue:
        return require(node.a >= 0 && at(node.a) < program_->code.size());
    case kDiffers:
        return require(node.a >= 0 && node.a < program_->state_cells);
    case kPlace:
        require(node.a >= 0 && at(node.a) < program_->processes.size() && node.b >= 0);
        require(at(node.b) + at(program_->kinds) < distances_.size());
        for (std::int32_t tag = 0; tag <= program_->kinds; ++tag) {
            const auto& row = distances_[at(node.b + tag)];
            require(!row.empty());
            const std::int32_t body = program_->body_of[at(node.a)][at(tag)];
            require(row.size() == 1 || tag == 0 || body < 0 ||
                    static_cast<std::int64_t>(row.size()) >= program_->bodies[at(body)].locations);
        }
        return;
    default:
        require(node.a < node.b);
        for (std::int32_t i = node.a; i < node.b; ++i) {
            require(parts_[at(i)] >= 0 && at(parts_[at(i)]) < position);
        }
    }
}

std::int32_t FormulaEstimator::estimate(const Word* state) {
    program_->unpack(state, machine_.cells.data());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        values_[i] = value_of(nodes_[i]);
    }
    return values_.back();
}

std::int32_t FormulaEstimator::value_of(const Node& node) {
    switch (node.kind) {
    case kConstant:
        return known(node.a);
    case kValue:
        return run(node.a);
    case kDiffers:
        return machine_.cells[at(node.a)] != node.b;
    case kPlace:
        return distance(node.a, node.b);
    default:
        return joined(node);
    }
}

std::int32_t FormulaEstimator::run(std::int32_t block) {
    machine_.budget = Machine::kLoopLimit;
    const Machine::Result result = machine_.run(block);
    machine_.undo(0);
    return result == Machine::kFailed ? 0 : std::clamp(machine_.value, 0, kDeadEnd - 1);
}

std::int32_t FormulaEstimator::distance(std::int32_t number, std::int32_t table) const {
    const ProcessPlace& place = program_->processes[at(number)];
    const std::int32_t tag = machine_.cells[at(place.tag)];
    const auto& row = distances_[at(table + tag)];
    return known(row.size() == 1 ? row[0] : row[at(machine_.cells[at(place.location)])]);
}

std::int32_t FormulaEstimator::joined(const Node& node) const {
    std::int64_t total = node.kind == kMinimum ? kDeadEnd : 0;
    for (std::int32_t i = node.a; i < node.b; ++i) {
        const std::int64_t value = values_[at(parts_[at(i)])];
        if (node.kind == kMinimum) {
            total = std::min(total, value);
        } else if (node.kind == kMaximum || value == kDeadEnd || total == kDeadEnd) {
            total = std::max(total, value);
        } else {
            total = std::min<std::int64_t>(total + value, kDeadEnd - 1);
        }
    }
    return static_cast<std::int32_t>(total);
}

std::int32_t FormulaEstimator::add_to(Lookup& lookup) const {
    std::vector<std::int32_t> names;
    for (const Node& node : nodes_) {
        switch (node.kind) {
        case kConstant:
            names.push_back(lookup.constant(known(node.a)));
            break;
        case kValue:
            names.push_back(lookup.computed(program_, node.a));
            break;
        case kDiffers:
            names.push_back(lookup.at_cell(node.a, node.b, {0}, 1));
            break;
        case kPlace:
            names.push_back(add_place(lookup, node));
            break;
        default:
            names.push_back(add_join(lookup, node, names));
        }
    }
    return names.back();
}

std::int32_t FormulaEstimator::add_place(Lookup& lookup, const Node& node) const {
    const ProcessPlace& place = program_->processes[at(node.a)];
    const std::int32_t locations = program_->high[at(place.location)] + 1;
    std::vector<std::int32_t> tags(at(program_->kinds) + 1), numbers(at(locations)), entries;
    std::iota(tags.begin(), tags.end(), 0);
    std::iota(numbers.begin(), numbers.end(), 0);
    for (const std::int32_t tag : tags) {
        const auto& row = distances_[at(node.b + tag)];
        for (const std::int32_t location : numbers) {
            // A kind may have fewer locations than its number has room for.
            const bool has_entry = at(location) < row.size();
            entries.push_back(row.size() == 1 ? known(row[0]) : has_entry ? known(row[at(location)]) : kDeadEnd);
        }
    }
    const std::int32_t kind = lookup.at_cell(place.tag, 0, tags, Lookup::kNowhere);
    const std::int32_t location = lookup.at_cell(place.location, 0, numbers, Lookup::kNowhere);
    return lookup.at_pair(kind, location, locations, entries);
}

std::int32_t FormulaEstimator::add_join(Lookup& lookup, const Node& node,
                                        const std::vector<std::int32_t>& names) const {
    std::vector<std::int32_t> parts;
    for (std::int32_t i = node.a; i < node.b; ++i) {
        parts.push_back(names[at(parts_[at(i)])]);
    }
    const auto how = node.kind == kMaximum   ? Lookup::Kind::kMaximum
                     : node.kind == kMinimum ? Lookup::Kind::kMinimum
                                             : Lookup::Kind::kSum;
    return lookup.join(how, std::move(parts));
}

} // namespace beeline
