#include "heuristic/operator_merger.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

class OperatorMerger {
public:
    OperatorMerger(std::vector<Operator>& operators, const std::vector<std::int32_t>& fact_cell, std::size_t cells)
        : operators_(operators), fact_cell_(fact_cell), values_(cells, 0), due_(cells, 1) {
        for (const std::int32_t cell : fact_cell) {
            ++values_[at(cell)];
        }
    }

    void run();

private:
    // An operator that asks for a fact of the cell that is merged over.
    struct Alike {
        std::uint64_t hash; // of the rest
        std::size_t index;
        std::int32_t own;
    };
    void merge_over(std::int32_t cell, const std::vector<std::size_t>& asking);
    void merge_alike(std::vector<Alike> group, std::size_t values);
    bool are_alike(const Alike& a, const Alike& b) const;
    static std::uint64_t hash_without(const Operator& op, std::int32_t own);
    std::int32_t cell_of(std::int32_t fact) const { return fact_cell_[at(fact)]; }

    std::vector<Operator>& operators_;
    const std::vector<std::int32_t>& fact_cell_;
    std::vector<std::size_t> values_; // how many, by cell
    std::vector<std::uint8_t> due_;   // cells to look at
};

void OperatorMerger::run() {
    std::vector<std::vector<std::size_t>> asking(values_.size());
    for (std::size_t i = 0; i < operators_.size(); ++i) {
        Operator& op = operators_[i];
        std::sort(op.conditions.begin(), op.conditions.end());
        std::sort(op.effects.begin(), op.effects.end());
        for (const std::int32_t fact : op.conditions) {
            asking[at(cell_of(fact))].push_back(i);
        }
    }
    // A merged operator may be like others in what it still asks: those cells are looked at once more.
    while (std::find(due_.begin(), due_.end(), 1) != due_.end()) {
        for (std::size_t cell = 0; cell < asking.size(); ++cell) {
            if (due_[cell] != 0) {
                due_[cell] = 0;
                merge_over(static_cast<std::int32_t>(cell), asking[cell]);
            }
        }
    }
    std::erase_if(operators_, [](const Operator& op) { return op.effects.empty(); });
}

// Operators are told apart by a hash of all but the cell, and then compared. Merged ones are left behind without
// effects.
void OperatorMerger::merge_over(std::int32_t cell, const std::vector<std::size_t>& asking) {
    const std::size_t values = values_[at(cell)];
    if (asking.size() < values) {
        return;
    }
    std::vector<Alike> found;
    for (const std::size_t index : asking) {
        const Operator& op = operators_[index];
        const auto own = std::find_if(op.conditions.begin(), op.conditions.end(),
                                      [&](std::int32_t fact) { return cell_of(fact) == cell; });
        if (own != op.conditions.end() && !op.effects.empty()) {
            found.push_back({hash_without(op, *own), index, *own});
        }
    }
    std::sort(found.begin(), found.end(),
              [](const Alike& a, const Alike& b) { return std::tie(a.hash, a.index) < std::tie(b.hash, b.index); });
    for (std::size_t first = 0; first < found.size();) {
        std::size_t last = first + 1;
        while (last < found.size() && found[last].hash == found[first].hash) {
            ++last;
        }
        if (last - first >= values) {
            merge_alike(
                {found.begin() + static_cast<std::ptrdiff_t>(first), found.begin() + static_cast<std::ptrdiff_t>(last)},
                values);
        }
        first = last;
    }
}

std::uint64_t OperatorMerger::hash_without(const Operator& op, std::int32_t own) {
    std::uint64_t hash = (std::uint64_t{op.action} << 32 | op.second) ^ static_cast<std::uint64_t>(op.cost) << 63;
    const auto add = [&hash](std::int32_t number) {
        hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (const std::int32_t fact : op.conditions) {
        if (fact != own) {
            add(fact);
        }
    }
    add(-1);
    for (const std::int32_t fact : op.effects) {
        add(fact);
    }
    return hash;
}

bool OperatorMerger::are_alike(const Alike& a, const Alike& b) const {
    const Operator& one = operators_[a.index];
    const Operator& other = operators_[b.index];
    if (one.action != other.action || one.second != other.second || one.cost != other.cost ||
        one.effects != other.effects || one.conditions.size() != other.conditions.size()) {
        return false;
    }
    auto theirs = other.conditions.begin();
    for (const std::int32_t fact : one.conditions) {
        theirs += theirs != other.conditions.end() && *theirs == b.own;
        if (fact != a.own && *theirs++ != fact) {
            return false;
        }
    }
    return true;
}

// Among operators with the same hash, in order: those like the first are one if they allow all values.
void OperatorMerger::merge_alike(std::vector<Alike> group, std::size_t values) {
    while (group.size() >= values) {
        const Alike leader = group.front();
        std::map<std::int32_t, std::size_t> by_value;
        std::erase_if(group, [&](const Alike& other) {
            const bool alike = are_alike(leader, other);
            if (alike) {
                by_value.emplace(other.own, other.index);
            }
            return alike;
        });
        if (by_value.size() < values) {
            continue;
        }
        const auto [own, kept] = *by_value.begin();
        const std::vector<std::int32_t> effects = operators_[kept].effects;
        for (const auto& [fact, index] : by_value) {
            operators_[index].effects.clear();
        }
        Operator& one = operators_[kept];
        one.effects = effects;
        std::erase(one.conditions, own);
        due_[at(cell_of(own))] = 1; // the same operators may be there twice
        for (const std::int32_t fact : one.conditions) {
            due_[at(cell_of(fact))] = 1;
        }
    }
}

} // namespace

void merge_operators(std::vector<Operator>& operators, const std::vector<std::int32_t>& fact_cell, std::size_t cells) {
    OperatorMerger(operators, fact_cell, cells).run();
}

} // namespace beeline
