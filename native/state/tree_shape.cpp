#include "state/tree_shape.hpp"

#include "state/hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

namespace beeline {
namespace {

using Units = std::vector<std::size_t>;
using Halves = std::pair<Units, Units>;
using Divide = std::function<Halves(const Units&)>;

constexpr std::size_t kLeafWords = 16; // longer leaves take fewer lookups, shorter ones less memory
constexpr std::size_t kMostLeaves = 16;

Halves in_order(const Units& units) {
    const auto middle = units.begin() + static_cast<std::ptrdiff_t>((units.size() + 1) / 2);
    return {{units.begin(), middle}, {middle, units.end()}};
}

// Divides units between two sides so that few different halves occur in a sample, by moving and exchanging units as
// long as that helps.
class Division {
public:
    Division(std::size_t words, const UnitPlaces& places, const std::vector<Word>& sample)
        : words_(words), count_(sample.size() / words), places_(places), sample_(sample),
          slots_(std::bit_ceil(2 * std::max<std::size_t>(count_, 1))) {}

    Halves operator()(const Units& units) {
        begin(units);
        improve(group_size()); // neighbours together,
        improve(1);            // and then each for itself
        Halves halves;
        for (std::size_t i = 0; i < varying_.size(); ++i) {
            (side_[i] == 0 ? halves.first : halves.second).push_back(varying_[i]);
        }
        for (const std::size_t unit : units) {
            if (!std::binary_search(varying_.begin(), varying_.end(), unit)) {
                (side_of_neighbour(unit) == 0 ? halves.first : halves.second).push_back(unit);
            }
        }
        std::sort(halves.first.begin(), halves.first.end());
        std::sort(halves.second.begin(), halves.second.end());
        return halves.first.empty() || halves.second.empty() ? in_order(units) : halves;
    }

private:
    static constexpr int kRounds = 4;
    static constexpr int kBisections = 24;
    static constexpr std::size_t kMostExchanged = 24; // units or groups of them

    Word value(std::size_t state, std::size_t unit) const {
        return sample_[state * words_ + places_[unit].word] & places_[unit].mask;
    }

    bool varies(std::size_t unit) const {
        for (std::size_t i = 1; i < count_; ++i) {
            if (value(i, unit) != value(0, unit)) {
                return true;
            }
        }
        return false;
    }

    // What has not changed yet will do so with what lies next to it: variables of the same process, elements of an
    // array.
    std::uint8_t side_of_neighbour(std::size_t unit) const {
        if (varying_.empty()) {
            return 0;
        }
        auto i = static_cast<std::size_t>(std::lower_bound(varying_.begin(), varying_.end(), unit) - varying_.begin());
        if (i == varying_.size() || (i > 0 && unit - varying_[i - 1] <= varying_[i] - unit)) {
            --i;
        }
        return side_[i];
    }

    // So that there are few enough groups of neighbours to exchange any two.
    std::size_t group_size() const {
        return std::max<std::size_t>(1, (varying_.size() + kMostExchanged - 1) / kMostExchanged);
    }

    void begin(const Units& units) {
        varying_.clear();
        std::copy_if(units.begin(), units.end(), std::back_inserter(varying_),
                     [&](std::size_t i) { return varies(i); });
        side_.assign(varying_.size(), 0);
        sums_[0].assign(count_, 0);
        sums_[1].assign(count_, 0);
        const std::size_t group = group_size(), groups = (varying_.size() + group - 1) / group;
        for (std::size_t i = 0; i < varying_.size(); ++i) {
            side_[i] = i / group >= (groups + 1) / 2;
            add(side_[i], varying_[i], 1);
        }
        cost_ = cost();
    }

    // With groups of so many neighbours, which are on the same side.
    void improve(std::size_t group) {
        const std::size_t groups = (varying_.size() + group - 1) / group;
        for (int round = 0; round < kRounds && improve(group, groups); ++round) {
        }
    }

    // Exchanges first: where units tell the same, moves alone would gather everything on one side.
    bool improve(std::size_t group, std::size_t groups) {
        bool better = false;
        for (std::size_t i = 0; groups <= kMostExchanged && i < groups; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                better |= side_[i * group] != side_[j * group] && try_moving({i, j}, group);
            }
        }
        for (std::size_t i = 0; i < groups; ++i) {
            better |= try_moving({i}, group);
        }
        return better;
    }

    bool try_moving(std::initializer_list<std::size_t> groups, std::size_t group) {
        const auto move = [&] {
            for (const std::size_t first : groups) {
                for (std::size_t i = first * group; i < std::min((first + 1) * group, varying_.size()); ++i) {
                    add(side_[i], varying_[i], ~std::uint64_t{0});
                    side_[i] ^= 1;
                    add(side_[i], varying_[i], 1);
                }
            }
        };
        move();
        const double cost = this->cost();
        if (cost < cost_) {
            cost_ = cost;
            return true;
        }
        move();
        return false;
    }

    // Adds a unit times `sign` to the hashes of a side.
    void add(std::size_t side, std::size_t unit, std::uint64_t sign) {
        const std::uint64_t key = make_hash_key(unit) * sign;
        for (std::size_t i = 0; i < count_; ++i) {
            sums_[side][i] += value(i, unit) * key;
        }
    }
    // How many different halves all states together may have.
    double cost() { return expected(different(sums_[0])) + expected(different(sums_[1])); }
    // The number of equally frequent values of which a sample of this size shows so many.
    double expected(std::size_t found) const {
        const auto shown = static_cast<double>(found), all = static_cast<double>(count_);
        double low = shown, high = all * all;
        for (int i = 0; i < kBisections; ++i) {
            const double middle = std::sqrt(low * high);
            (middle * -std::expm1(-all / middle) < shown ? low : high) = middle;
        }
        return high;
    }
    std::size_t different(const std::vector<std::uint64_t>& sums) {
        std::fill(slots_.begin(), slots_.end(), 0);
        std::size_t found = 0;
        for (const std::uint64_t sum : sums) {
            const std::uint64_t code = finish_hash(sum) | 1; // two that look alike do no harm
            std::size_t slot = code >> 32 & (slots_.size() - 1);
            while (slots_[slot] != 0 && slots_[slot] != code) {
                slot = (slot + 1) & (slots_.size() - 1);
            }
            found += slots_[slot] == 0;
            slots_[slot] = code;
        }
        return found;
    }

    std::size_t words_, count_;
    const UnitPlaces& places_;
    const std::vector<Word>& sample_;
    Units varying_;                  // in their order
    std::vector<std::uint8_t> side_; // by position in `varying_`
    std::array<std::vector<std::uint64_t>, 2> sums_;
    std::vector<std::uint64_t> slots_;
    double cost_ = 0;
};

// Adds the nodes of some units; returns the last.
std::size_t add_nodes(TreeShape& shape, const Units& units, std::size_t leaf_units, const Divide& divide) {
    TreeShape::Node node;
    if (units.size() <= leaf_units) {
        node.units = units;
    } else {
        const Halves halves = divide(units);
        node.left = add_nodes(shape, halves.first, leaf_units, divide);
        node.right = add_nodes(shape, halves.second, leaf_units, divide);
        shape.nodes[node.left].parent = shape.nodes[node.right].parent = shape.nodes.size();
    }
    shape.nodes.push_back(std::move(node));
    return shape.nodes.size() - 1;
}

TreeShape shape_of(std::size_t words, std::size_t count, const Divide& divide) {
    TreeShape shape;
    if (words <= 2) {
        return shape;
    }
    Units units(count);
    for (std::size_t i = 0; i < count; ++i) {
        units[i] = i;
    }
    const std::size_t leaves = std::min((words + kLeafWords - 1) / kLeafWords, kMostLeaves);
    const std::size_t leaf_units = leaves <= 2 ? count : (count + leaves - 1) / leaves;
    const Halves halves = divide(units);
    shape.left = add_nodes(shape, halves.first, leaf_units, divide);
    shape.right = add_nodes(shape, halves.second, leaf_units, divide);
    return shape;
}

} // namespace

UnitPlaces word_places(std::size_t words) {
    UnitPlaces places;
    for (std::size_t i = 0; i < words; ++i) {
        places.push_back({static_cast<Word>(i), ~Word{0}});
    }
    return places;
}

TreeShape TreeShape::even(std::size_t words, std::size_t units) { return shape_of(words, units, in_order); }

TreeShape TreeShape::learnt(std::size_t words, const UnitPlaces& places, const std::vector<Word>& sample) {
    TreeShape shape = shape_of(words, places.size(), Division(words, places, sample));
    return shape.nodes.size() <= kMostNodes ? shape : even(words, places.size());
}

} // namespace beeline
