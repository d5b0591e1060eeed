#include "task/operator_merger.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

namespace beeline {

namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

std::uint64_t mixed(std::uint64_t number) {
    number = (number + 1) * 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
    return number ^ number >> 32;
}

class OperatorMerger {
public:
    OperatorMerger(std::vector<Operator>& operators, const std::vector<std::int32_t>& fact_cell, std::size_t cells)
        : operators_(operators), fact_cell_(fact_cell), values_(cells, 0), due_(cells, 1), asking_(cells) {
        for (const std::int32_t cell : fact_cell) {
            ++values_[at(cell)];
        }
    }

    void run();

private:
    // An operator that asks, or once asked, for a fact of the cell that is merged over.
    struct Asking {
        std::size_t index;
        std::int32_t own;
    };
    struct Alike {
        std::uint64_t hash; // of the rest
        std::size_t index;
        std::int32_t own;
    };
    void note(std::size_t index);
    void merge_over(std::int32_t cell);
    void find_alike(const std::vector<Asking>& asking, std::size_t values);
    void merge_alike(std::vector<Alike> group, std::size_t values);
    bool are_alike(const Alike& a, const Alike& b) const;
    // A sum, so that a condition can be taken out of it.
    std::uint64_t hash_without(const Asking& ask) const {
        return hashes_[ask.index] - mixed(static_cast<std::uint64_t>(ask.own));
    }
    bool asks(const Asking& ask) const {
        const Operator& op = operators_[ask.index];
        return !op.effects.empty() && std::binary_search(op.conditions.begin(), op.conditions.end(), ask.own);
    }
    std::int32_t cell_of(std::int32_t fact) const { return fact_cell_[at(fact)]; }

    std::vector<Operator>& operators_;
    const std::vector<std::int32_t>& fact_cell_;
    std::vector<std::size_t> values_; // how many, by cell
    std::vector<std::uint8_t> due_;   // cells to look at
    std::vector<std::vector<Asking>> asking_;
    std::vector<std::uint64_t> hashes_; // by operator
    std::vector<Alike> found_;
    std::vector<std::uint16_t> counts_; // by the end of a hash
};

void OperatorMerger::run() {
    for (std::size_t i = 0; i < operators_.size(); ++i) {
        note(i);
    }
    // A merged operator may be like others in what it still asks: those cells are looked at once more.
    while (std::find(due_.begin(), due_.end(), 1) != due_.end()) {
        for (std::size_t cell = 0; cell < asking_.size(); ++cell) {
            if (due_[cell] != 0) {
                due_[cell] = 0;
                merge_over(static_cast<std::int32_t>(cell));
            }
        }
    }
    std::erase_if(operators_, [](const Operator& op) { return op.effects.empty(); });
}

void OperatorMerger::note(std::size_t index) {
    Operator& op = operators_[index];
    std::sort(op.conditions.begin(), op.conditions.end());
    std::sort(op.effects.begin(), op.effects.end());
    std::uint64_t hash = mixed(std::uint64_t{op.action} << 32 | op.second) + static_cast<std::uint64_t>(op.cost);
    for (const std::int32_t fact : op.effects) {
        hash += mixed(static_cast<std::uint64_t>(fact) << 32);
    }
    for (const std::int32_t fact : op.conditions) {
        hash += mixed(static_cast<std::uint64_t>(fact));
        asking_[at(cell_of(fact))].push_back({index, fact});
    }
    hashes_.push_back(hash);
}

// Operators are told apart by a hash of all but the cell, and then compared. Merged ones are left behind without
// effects.
void OperatorMerger::merge_over(std::int32_t cell) {
    const std::size_t values = values_[at(cell)];
    if (asking_[at(cell)].size() < values) {
        return;
    }
    find_alike(asking_[at(cell)], values);
    std::sort(found_.begin(), found_.end(),
              [](const Alike& a, const Alike& b) { return std::tie(a.hash, a.index) < std::tie(b.hash, b.index); });
    for (std::size_t first = 0; first < found_.size();) {
        std::size_t last = first + 1;
        while (last < found_.size() && found_[last].hash == found_[first].hash) {
            ++last;
        }
        if (last - first >= values) {
            merge_alike({found_.begin() + static_cast<std::ptrdiff_t>(first),
                         found_.begin() + static_cast<std::ptrdiff_t>(last)},
                        values);
        }
        first = last;
    }
}

// Those whose hash is that of enough others. Most have none, and are not looked at any closer.
void OperatorMerger::find_alike(const std::vector<Asking>& asking, std::size_t values) {
    found_.clear();
    counts_.assign(std::bit_ceil(2 * asking.size()), 0);
    const std::size_t end = counts_.size() - 1;
    constexpr std::uint16_t kMany = std::numeric_limits<std::uint16_t>::max();
    for (const Asking& ask : asking) {
        std::uint16_t& count = counts_[hash_without(ask) & end];
        count = static_cast<std::uint16_t>(count + (count < kMany));
    }
    const std::size_t enough = std::min<std::size_t>(values, kMany);
    for (const Asking& ask : asking) {
        const std::uint64_t hash = hash_without(ask);
        if (counts_[hash & end] >= enough && asks(ask)) {
            found_.push_back({hash, ask.index, ask.own});
        }
    }
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
        hashes_[kept] -= mixed(static_cast<std::uint64_t>(own));
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
