#include "heuristic/batch_relaxation.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// A matrix of eight times eight bits, a byte for each row: rows and columns change places, in squares of growing size.
std::uint64_t transposed(std::uint64_t rows) {
    const auto swapped = [](std::uint64_t all, std::uint64_t upper, int distance) {
        const std::uint64_t moved = (all ^ (all >> distance)) & upper;
        return all ^ moved ^ (moved << distance);
    };
    return swapped(swapped(swapped(rows, 0x00aa00aa00aa00aa, 7), 0x0000cccc0000cccc, 14), 0x00000000f0f0f0f0, 28);
}

} // namespace

BatchRelaxation::BatchRelaxation(const Relaxation& relaxation, bool may_remove, bool keeps_levels)
    : nothing_(static_cast<Small>(relaxation.goal_fact() + 1)), first_goal_(relaxation.first_goal()),
      keeps_levels_(keeps_levels), layers_(keeps_levels ? (1 << kPlanes) - 1 : Relaxation::kLargest),
      facts_(at(relaxation.goal_fact()) + 2), changed_(facts_.size() + 1), next_(facts_.size() + 1),
      is_touched_(relaxation.operators() - at(relaxation.first_goal()), 0) {
    for (std::size_t i = 0; i < relaxation.operators(); ++i) {
        const auto op = static_cast<std::int32_t>(i);
        const auto small = [](Relaxation::Range row) { return std::vector<Small>(row.begin(), row.end()); };
        conditions_.add(small(relaxation.conditions(op)));
        effects_.add(relaxation.is_goal(op) ? std::vector<Small>() : small(relaxation.effects(op)));
        if (relaxation.is_goal(op)) {
            goal_costs_.push_back(relaxation.cost(op));
        }
        blocker_.push_back(conditions_.items.size() > conditions_.starts[i] ? conditions_.items.back() : nothing_);
        if (relaxation.conditions(op).size() == 0) {
            unconditional_.push_back(static_cast<Small>(op));
        }
    }
    take_apart(relaxation, may_remove);
    opened_.resize(gates_.size() + 1);
    if (may_remove) {
        absent_.assign(relaxation.operators(), 0);
    }
    if (keeps_levels) {
        planes_.fill(std::vector<Mask>(facts_.size()));
        block_.resize(facts_.size());
    }
}

// Operators with one condition or two become edges, others are looked at as a whole. So are all of them if some can be
// removed: an edge stands for several.
void BatchRelaxation::take_apart(const Relaxation& relaxation, bool may_remove) {
    std::vector<std::vector<Small>> needing(facts_.size());
    std::vector<std::int32_t> pairs;
    const bool may_have_edges = !may_remove && effects_.items.size() < std::numeric_limits<Small>::max();
    for (std::size_t i = 0; i < relaxation.operators(); ++i) {
        const auto op = static_cast<std::int32_t>(i);
        const Relaxation::Range conditions = relaxation.conditions(op);
        if (may_have_edges && !relaxation.is_goal(op) && (conditions.size() == 1 || conditions.size() == 2)) {
            pairs.push_back(op);
            continue;
        }
        for (const std::int32_t fact : conditions) {
            needing[at(fact)].push_back(static_cast<Small>(op));
        }
    }
    for (const auto& row : needing) {
        needing_.add(row);
    }
    add_edges(relaxation, pairs);
}

void BatchRelaxation::add_edges(const Relaxation& relaxation, const std::vector<std::int32_t>& pairs) {
    // From a condition to an effect, the other conditions that allow it; an effect goes with the condition on the same
    // cell, since others then have the same gates.
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> others;
    const Task& task = relaxation.task();
    for (const std::int32_t op : pairs) {
        const Relaxation::Range conditions = relaxation.conditions(op);
        for (const std::int32_t effect : relaxation.effects(op)) {
            const std::int32_t first = *conditions.begin(), last = *(conditions.end() - 1);
            const bool is_last = task.fact_cell(last) == task.fact_cell(effect);
            others[{is_last ? last : first, effect}].push_back(is_last ? first : last);
        }
    }
    // Where there is one condition only, it is the other one as well.
    std::map<std::vector<std::int32_t>, Small> gates;
    std::vector<std::vector<Entry>> entries(facts_.size());
    std::vector<std::vector<Edge>> behind;
    closed_ = 0;
    behind.emplace_back();
    for (auto& [edge, alternatives] : others) {
        const auto [source, target] = edge;
        std::sort(alternatives.begin(), alternatives.end());
        alternatives.erase(std::unique(alternatives.begin(), alternatives.end()), alternatives.end());
        const bool is_free = std::binary_search(alternatives.begin(), alternatives.end(), source);
        Small gate = closed_;
        if (!is_free) {
            const auto [known, fresh] = gates.try_emplace(alternatives, static_cast<Small>(behind.size()));
            gate = known->second;
            if (fresh) {
                behind.emplace_back();
            }
            behind[gate].push_back({static_cast<Small>(source), static_cast<Small>(target)});
        }
        entries[at(source)].push_back({static_cast<Small>(target), gate, closed_});
    }
    std::vector<std::size_t> used(facts_.size(), 0);
    for (const auto& [members, gate] : gates) {
        for (const std::int32_t fact : members) {
            auto& row = entries[at(fact)];
            const std::size_t place = used[at(fact)]++;
            if (place == row.size()) {
                row.push_back({nothing_, closed_, closed_});
            }
            row[place].opens = gate;
        }
    }
    for (const auto& row : entries) {
        entries_.add(row);
    }
    for (const auto& row : behind) {
        behind_.add(row);
    }
    gates_.resize(behind.size());
}

void BatchRelaxation::clear() {
    std::fill(facts_.begin(), facts_.end(), Fact{});
    std::fill(gates_.begin(), gates_.end(), Gate{});
    std::fill(absent_.begin(), absent_.end(), 0);
    for (std::size_t plane = 0; plane < planes_used_; ++plane) {
        std::fill(planes_[plane].begin(), planes_[plane].end(), 0);
    }
    planes_used_ = 0;
    facts_[nothing_].reached = gates_[closed_].open = ~Mask{0};
    size_ = changes_ = nexts_ = openings_ = 0;
    wanted_ = found_ = 0;
    block_number_ = kCount;
}

void BatchRelaxation::add(const std::vector<std::int32_t>& facts, const std::vector<std::int32_t>& removed) {
    const Mask lane = Mask{1} << size_;
    for (const std::int32_t fact : facts) {
        reach(static_cast<Small>(fact), lane);
    }
    for (const std::int32_t op : removed) {
        absent_[at(op)] |= lane;
    }
    cost_[size_] = kNever;
    goal_[size_] = kSeveral;
    wanted_ |= lane;
    ++size_;
}

void BatchRelaxation::propagate() {
    for (std::int32_t layer = 0; (layer == 0 || nexts_ > 0) && found_ != wanted_; ++layer) {
        if (layer == layers_) {
            for (Mask left = wanted_ & ~found_; left != 0; left &= left - 1) {
                cost_[static_cast<std::size_t>(std::countr_zero(left))] = kUnknown;
            }
            return;
        }
        commit(layer);
        for (std::size_t i = 0; i < changes_; ++i) {
            follow(changed_[i]);
        }
        if (layer == 0) {
            for (const Small op : unconditional_) {
                fire(op, wanted_);
            }
        }
        note_goals(layer);
        open_gates();
    }
}

// What the last layer reached is true from now on.
void BatchRelaxation::commit(std::int32_t layer) {
    std::swap(changed_, next_);
    changes_ = nexts_;
    nexts_ = 0;
    for (std::size_t i = 0; i < changes_; ++i) {
        Fact& fact = facts_[changed_[i]];
        fact.now = fact.next;
        fact.reached |= fact.next;
        fact.next = 0;
    }
    if (keeps_levels_) {
        const auto number = static_cast<std::uint32_t>(layer);
        planes_used_ = static_cast<std::size_t>(std::bit_width(number));
        for (std::uint32_t bits = number; bits != 0; bits &= bits - 1) {
            Mask* const plane = planes_[static_cast<std::size_t>(std::countr_zero(bits))].data();
            for (std::size_t i = 0; i < changes_; ++i) {
                plane[changed_[i]] |= facts_[changed_[i]].now;
            }
        }
    }
}

// What a fact leads to in the lanes that have just reached it. Gates that it opens come later: others may open them,
// too.
void BatchRelaxation::follow(Small number) {
    const Mask lanes = facts_[number].now;
    for (std::uint32_t i = entries_.starts[number], last = entries_.starts[number + 1]; i < last; ++i) {
        const Entry entry = entries_.items[i];
        Gate& opens = gates_[entry.opens];
        const Mask opening = lanes & ~opens.open;
        opened_[openings_] = entry.opens;
        openings_ += (opens.next == 0) & (opening != 0);
        opens.next |= opening;
        reach(entry.target, lanes & gates_[entry.gate].open);
    }
    for (std::uint32_t i = needing_.starts[number], last = needing_.starts[number + 1]; i < last; ++i) {
        fire(needing_.items[i], lanes);
    }
}

void BatchRelaxation::reach(Small number, Mask lanes) {
    Fact& fact = facts_[number];
    const Mask fresh = lanes & ~fact.reached;
    next_[nexts_] = number;
    nexts_ += (fact.next == 0) & (fresh != 0);
    fact.next |= fresh;
}

// What an operator adds in lanes that have just reached a condition of it, if they have all of them.
void BatchRelaxation::fire(Small op, Mask lanes) {
    if (op >= first_goal_) {
        return touch_goal(op);
    }
    if ((facts_[blocker_[op]].reached & lanes) == 0) {
        return;
    }
    lanes &= absent_.empty() ? lanes : ~absent_[op];
    for (std::uint32_t i = conditions_.starts[op], last = conditions_.starts[op + 1]; i < last; ++i) {
        lanes &= facts_[conditions_.items[i]].reached;
        if (lanes == 0) {
            blocker_[op] = conditions_.items[i];
            return;
        }
    }
    for (std::uint32_t i = effects_.starts[op], last = effects_.starts[op + 1]; i < last; ++i) {
        reach(effects_.items[i], lanes);
    }
}

void BatchRelaxation::open_gates() {
    for (std::size_t i = 0; i < openings_; ++i) {
        Gate& gate = gates_[opened_[i]];
        const Mask lanes = gate.next;
        gate.open |= lanes;
        gate.next = 0;
        for (std::uint32_t edge = behind_.starts[opened_[i]], last = behind_.starts[opened_[i] + 1]; edge < last;
             ++edge) {
            reach(behind_.items[edge].target, lanes & facts_[behind_.items[edge].source].reached);
        }
    }
    openings_ = 0;
}

void BatchRelaxation::touch_goal(Small op) {
    std::uint8_t& touched = is_touched_[at(op - first_goal_)];
    if (touched == 0) {
        touched = 1;
        touched_.push_back(op);
    }
}

// A goal that is no step counts before one that is, which would count itself.
void BatchRelaxation::note_goals(std::int32_t layer) {
    Mask sooner = 0, later = 0;
    for (const Small op : touched_) {
        is_touched_[at(op - first_goal_)] = 0;
        const std::int32_t cost = goal_costs_[at(op - first_goal_)];
        Mask lanes = wanted_ & ~found_;
        for (std::uint32_t i = conditions_.starts[op], last = conditions_.starts[op + 1]; i < last; ++i) {
            lanes &= facts_[conditions_.items[i]].reached;
        }
        lanes &= cost == 0 ? lanes : ~sooner;
        for (Mask left = lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(left));
            goal_[lane] = cost == 0 && (sooner >> lane & 1) != 0 ? kSeveral : op;
            cost_[lane] = layer + cost;
        }
        (cost == 0 ? sooner : later) |= lanes;
    }
    touched_.clear();
    found_ |= sooner | later;
}

RelaxedPlan::Levels BatchRelaxation::levels(std::size_t lane) {
    constexpr std::size_t kBlock = sizeof(RelaxedPlan::Bytes);
    if (block_number_ != lane / kBlock) {
        fill_block(lane / kBlock);
    }
    return {block_.data(), lane % kBlock};
}

void BatchRelaxation::fill_block(std::size_t number) {
    block_number_ = number;
    const std::size_t shift = number * sizeof(RelaxedPlan::Bytes);
    for (std::size_t fact = 0; fact < block_.size(); ++fact) {
        block_[fact] = ~facts_[fact].reached >> shift << (8 * kPlanes);
    }
    for (std::size_t plane = 0; plane < planes_used_; ++plane) {
        const Mask* const bits = planes_[plane].data();
        for (std::size_t fact = 0; fact < block_.size(); ++fact) {
            block_[fact] |= (bits[fact] >> shift & 0xff) << (8 * plane);
        }
    }
    for (RelaxedPlan::Bytes& bytes : block_) {
        bytes = transposed(bytes);
    }
}

} // namespace beeline
