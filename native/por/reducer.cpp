#include "por/reducer.hpp"

#include "state/hash.hpp"
#include "vm/at.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

namespace beeline {

namespace {

using Rows = std::vector<std::vector<std::int32_t>>;

const Rows& rows_of(const Tables& tables, const char* name) {
    const auto found = tables.rows.find(name);
    if (found == tables.rows.end()) {
        throw std::invalid_argument(std::string("table '") + name + "' is missing");
    }
    return found->second;
}

const std::vector<std::int32_t>& list_of(const Tables& tables, const char* name) {
    const auto found = tables.lists.find(name);
    if (found == tables.lists.end()) {
        throw std::invalid_argument(std::string("table '") + name + "' is missing");
    }
    return found->second;
}

std::int32_t number_of(const Tables& tables, const char* name, std::int32_t least, std::int32_t most) {
    const auto found = tables.numbers.find(name);
    if (found == tables.numbers.end() || found->second < least || found->second > most) {
        throw std::invalid_argument(std::string("number '") + name + "' is missing or out of bounds");
    }
    return found->second;
}

// Rows of a fixed width become structs of as many numbers.
template <class T>
std::vector<T> structs_of(const Tables& tables, const char* name) {
    constexpr std::size_t width = sizeof(T) / sizeof(std::int32_t);
    std::vector<T> found;
    for (const auto& row : rows_of(tables, name)) {
        if (row.size() != width) {
            throw std::invalid_argument(std::string("table '") + name + "' has a row of another width");
        }
        T value;
        std::copy_n(row.begin(), width, reinterpret_cast<std::int32_t*>(&value));
        found.push_back(value);
    }
    return found;
}

void need(bool fine, const char* what) {
    if (!fine) {
        throw std::invalid_argument(what);
    }
}

bool compare(std::int32_t left, std::int32_t comparison, std::int32_t right) {
    switch (comparison) {
    case 0:
        return left == right;
    case 1:
        return left != right;
    case 2:
        return left < right;
    case 3:
        return left <= right;
    case 4:
        return left > right;
    default:
        return left >= right;
    }
}

} // namespace

Reducer::Reducer(const Program& program, const Tables& tables) : program_(&program) {
    read(tables);
    const Rows& rows = rows_of(tables, "rows");
    row_count_ = rows.size();
    locations_ = resting_.size();
    check();
    for (const auto& row : rows) {
        for (const std::int32_t edge : row) {
            need(edge >= 0 && at(edge) < edges_.size(), "a row names an edge that is not there");
        }
    }
    project(rows);
    here_.resize(processes_.size());
    enabled_.resize(processes_.size());
    chosen_.resize(processes_.size());
    base_.resize(processes_.size());
    hopeless_.resize(kRemembered);
}

void Reducer::read(const Tables& tables) {
    strategy_ = static_cast<Strategy>(number_of(tables, "strategy", 0, 2));
    proviso_ = static_cast<Proviso>(number_of(tables, "proviso", 0, 3));
    keep_one_ = number_of(tables, "keep_one", 0, 1) != 0;
    watched_ = number_of(tables, "watched", 0, 1) != 0;
    patience_ = static_cast<std::uint64_t>(number_of(tables, "patience", 0, INT32_MAX));
    visible_row_ = number_of(tables, "visible_row", -1, INT32_MAX);
    processes_ = structs_of<ProcessRow>(tables, "processes");
    constants_ = structs_of<Constant>(tables, "constants");
    edges_ = structs_of<EdgeRow>(tables, "edges");
    tests_ = structs_of<Test>(tables, "tests");
    goal_ = rows_of(tables, "goal");
    resting_ = list_of(tables, "resting");
    seeds_ = list_of(tables, "seeds");
}

void Reducer::check() const {
    const auto cells = static_cast<std::int32_t>(program_->low.size());
    const auto rows = static_cast<std::int32_t>(row_count_);
    const auto locations = static_cast<std::int32_t>(locations_);
    const auto is_cell = [&](std::int32_t cell) { return cell >= 0 && cell < cells; };
    const auto is_row = [&](std::int32_t row) { return row >= 0 && row < rows; };
    for (const ProcessRow& process : processes_) {
        need(is_cell(process.tag) && is_cell(process.location) && process.first_location >= 0 &&
                 process.locations >= 0 && process.first_location <= locations - process.locations,
             "a process is out of bounds");
    }
    for (const Constant& constant : constants_) {
        need(constant.process >= 0 && at(constant.process) < processes_.size() && is_cell(constant.cell),
             "a constant is out of bounds");
    }
    std::int32_t before = 0;
    for (const EdgeRow& edge : edges_) {
        need(edge.number >= 0 && at(edge.number) < program_->edges.size() && edge.process >= 0 &&
                 at(edge.process) < processes_.size() && edge.source >= before && edge.source < locations &&
                 edge.target >= 0 && edge.target < locations && is_row(edge.disturbing) && is_row(edge.enabling) &&
                 is_row(edge.pairs) && edge.first_test >= 0 && edge.tests >= 0 &&
                 at(edge.first_test) + at(edge.tests) <= tests_.size(),
             "an edge is out of bounds or out of order");
        before = edge.source;
    }
    for (const Test& test : tests_) {
        need(is_cell(test.cell) && is_row(test.row), "a test is out of bounds");
    }
    for (const std::int32_t seed : seeds_) {
        need(seed >= 0 && at(seed) < edges_.size(), "a seed is no edge");
    }
    need(visible_row_ < rows, "the row of visible edges is not there");
    for (std::size_t node = 0; node < goal_.size(); ++node) {
        const auto& row = goal_[node];
        need(!row.empty() && row[0] >= kTest && row[0] <= kAny, "a node of the goal is of no known kind");
        if (row[0] == kTest) {
            need(row.size() == 5 && is_cell(row[1]) && is_row(row[4]), "a test of the goal is out of bounds");
        } else if (row[0] == kUnknown) {
            need(row.size() == 2 && is_row(row[1]), "a part of the goal is out of bounds");
        } else {
            for (std::size_t i = 1; i < row.size(); ++i) {
                need(row[i] >= 0 && at(row[i]) < node, "a node of the goal comes before its parts");
            }
        }
    }
}

void Reducer::project(const Rows& rows) {
    edge_of_.assign(program_->edges.size(), -1);
    first_edge_.assign(locations_ + 1, 0);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        edge_of_[at(edges_[i].number)] = static_cast<std::int32_t>(i);
        ++first_edge_[at(edges_[i].source) + 1];
    }
    std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
    for (std::size_t location = 0; location < locations_; ++location) {
        need(first_edge_[location + 1] - first_edge_[location] <= 64, "a location has more than 64 edges");
    }
    tested_.assign(locations_, 0);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const auto source = at(edges_[i].source);
        tested_[source] |= Mask{edges_[i].tests > 0} << (static_cast<std::int32_t>(i) - first_edge_[source]);
    }
    std::vector<std::vector<std::int32_t>> ahead;
    for (const EdgeRow& edge : edges_) {
        ahead.push_back(locations_ahead(edge));
    }
    masks_.assign(rows.size() * locations_, 0);
    std::vector<std::uint8_t> wanted(locations_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::fill(wanted.begin(), wanted.end(), 0);
        Mask* masks = masks_.data() + row * locations_;
        for (const std::int32_t edge : rows[row]) {
            const auto source = at(edges_[at(edge)].source);
            wanted[source] = 1;
            masks[source] |= Mask{1} << (edge - first_edge_[source]);
        }
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            const auto leads = [&](std::int32_t location) { return wanted[at(location)] != 0; };
            if (std::any_of(ahead[i].begin(), ahead[i].end(), leads)) {
                const auto source = at(edges_[i].source);
                masks[source] |= Mask{1} << (static_cast<std::int32_t>(i) - first_edge_[source]);
            }
        }
    }
}

// The other locations that a process can come to after an edge before it is back where the edge begins.
std::vector<std::int32_t> Reducer::locations_ahead(const EdgeRow& edge) const {
    std::vector<std::int32_t> found;
    if (edge.target != edge.source) {
        found.push_back(edge.target);
    }
    for (std::size_t next = 0; next < found.size(); ++next) {
        const auto here = at(found[next]);
        for (std::int32_t i = first_edge_[here]; i < first_edge_[here + 1]; ++i) {
            const std::int32_t target = edges_[at(i)].target;
            if (target != edge.source && std::find(found.begin(), found.end(), target) == found.end()) {
                found.push_back(target);
            }
        }
    }
    return found;
}

bool Reducer::holds(const Test& test) const { return compare(value(test.cell), test.comparison, test.value); }

// Looking at a state

bool Reducer::look(const Word* state, const SuccessorBuffer& buffer, std::size_t first) {
    if (buffer.size() - first < 2) {
        return false;
    }
    state_ = state;
    if (program_->control >= 0 && value(program_->control) >= 0) {
        return false; // one process goes on alone
    }
    return find_locations() && find_enabled(buffer, first);
}

// False if the processes are not those that the tables speak about.
bool Reducer::find_locations() {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        const ProcessRow& process = processes_[i];
        const std::int32_t tag = value(process.tag);
        if (tag != 0 && tag != process.kind) {
            return false;
        }
        here_[i] = tag == 0 ? -1 : process.first_location + value(process.location);
        if (tag != 0 && resting_[at(here_[i])] == 0) {
            return false;
        }
    }
    if (processes_.size() < program_->processes.size() && value(program_->processes[processes_.size()].tag) != 0) {
        return false; // more are alive
    }
    return std::all_of(constants_.begin(), constants_.end(), [this](const Constant& constant) {
        return here_[at(constant.process)] < 0 || value(constant.cell) == constant.value;
    });
}

// False where nothing is to be left out: a violation is next, or steps that wait for everyone else are possible.
bool Reducer::find_enabled(const SuccessorBuffer& buffer, std::size_t first) {
    std::fill(enabled_.begin(), enabled_.end(), 0);
    for (std::size_t i = first; i < buffer.size(); ++i) {
        const SuccessorBuffer::Arc& arc = buffer.arc(i);
        if ((arc.marks & (kGoal | kError)) != 0 || arc.action >= edge_of_.size() || edge_of_[arc.action] < 0) {
            return false;
        }
        if ((arc.marks & kBack) != 0) {
            continue; // no step at all, so that what would make it one is looked for
        }
        const EdgeRow& edge = edges_[at(edge_of_[arc.action])];
        if ((edge.flags & kAsksTimeout) != 0 || edge.source != here_[at(edge.process)]) {
            return false;
        }
        enabled_[at(edge.process)] |= Mask{1} << (edge_of_[arc.action] - first_edge_[at(edge.source)]);
    }
    return true;
}

// Choosing a subset

std::uint64_t Reducer::fingerprint() {
    std::uint64_t sum = 0;
    std::uint64_t truths = 0;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        const auto here = static_cast<std::uint64_t>(here_[i] + 1);
        sum += fold_multiply(enabled_[i] + kHashKey[2 * i % kHashKeys], here + kHashKey[(2 * i + 1) % kHashKeys]);
        for (Mask open = here_[i] < 0 ? 0 : tested_[at(here_[i])] & ~enabled_[i]; open != 0; open &= open - 1) {
            const EdgeRow& edge = edges_[at(first_edge_[at(here_[i])] + std::countr_zero(open))];
            for (std::int32_t test = edge.first_test; test < edge.first_test + edge.tests; ++test) {
                truths = truths * kHashKey[0] + static_cast<std::uint64_t>(holds(tests_[at(test)])) + 1;
            }
        }
    }
    for (std::size_t node = 0; node < goal_.size(); ++node) {
        truths = truths * kHashKey[0] + static_cast<std::uint64_t>(truth(node)) + 1;
    }
    fingerprint_ = sum + fold_multiply(truths, kHashKey[1]);
    return fingerprint_;
}

void Reducer::begin() {
    candidates_.clear();
    sizes_.clear();
    order_.clear();
    handed_out_ = 0;
    seed_ = 0;
    std::fill(base_.begin(), base_.end(), 0);
    if (strategy_ == Strategy::kStubborn && !goal_.empty() && !begin_with_goal()) {
        seed_ = processes_.size();
    }
}

// What the goal asks for: the set itself, or what other sets begin with. False if no other set is to be tried.
bool Reducer::begin_with_goal() {
    std::fill(chosen_.begin(), chosen_.end(), 0);
    waiting_.clear();
    add_goal(goal_.size() - 1);
    if (!close()) {
        return false;
    }
    if (!keep_one_ || enabled_chosen() > 0) {
        candidates_ = chosen_;
        sizes_.push_back(enabled_chosen());
        return false;
    }
    base_ = chosen_;
    return true;
}

bool Reducer::next() {
    if (strategy_ == Strategy::kSeeds) {
        return next_seed();
    }
    for (; seed_ < processes_.size(); ++seed_) {
        if (enabled_[seed_] == 0 || !grow(seed_)) {
            continue;
        }
        const std::int32_t size = enabled_chosen();
        if (size == 1) {
            ++seed_;
            return true;
        }
        candidates_.insert(candidates_.end(), chosen_.begin(), chosen_.end());
        sizes_.push_back(size);
    }
    if (order_.empty()) {
        order_.resize(sizes_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [this](std::size_t a, std::size_t b) { return sizes_[a] < sizes_[b]; });
    }
    if (handed_out_ == order_.size()) {
        return false;
    }
    const auto from = candidates_.begin() + static_cast<std::ptrdiff_t>(order_[handed_out_++] * chosen_.size());
    std::copy_n(from, chosen_.size(), chosen_.begin());
    return true;
}

// In the order of the seeds, whatever the size.
bool Reducer::next_seed() {
    while (seed_ < seeds_.size()) {
        const std::int32_t edge = seeds_[seed_++];
        const EdgeRow& row = edges_[at(edge)];
        if (here_[at(row.process)] != row.source || !is_enabled(edge)) {
            continue;
        }
        chosen_ = base_;
        waiting_.clear();
        add_edge(edge);
        if (close() && !shows_chosen()) {
            return true;
        }
    }
    return false;
}

// The smallest set with a step of a process, or all its steps if they have nothing to do with others and none of them
// can be seen. False if that is every step.
bool Reducer::grow(std::size_t process) {
    if (strategy_ == Strategy::kAmple) {
        std::fill(chosen_.begin(), chosen_.end(), 0);
        chosen_[process] = ~Mask{0};
        return !covers_enabled() && stays_within(process);
    }
    chosen_ = base_;
    waiting_.clear();
    add_edge(first_edge_[at(here_[process])] + std::countr_zero(enabled_[process]));
    return close() && !(watched_ && shows_chosen());
}

// Whether a step of the set that is possible now can be seen.
bool Reducer::shows_chosen() const {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        for (Mask rest = chosen_[i] & enabled_[i]; rest != 0; rest &= rest - 1) {
            if ((edges_[at(first_edge_[at(here_[i])] + std::countr_zero(rest))].flags & kVisible) != 0) {
                return true;
            }
        }
    }
    return false;
}

std::int32_t Reducer::enabled_chosen() const {
    std::int32_t size = 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        size += std::popcount(chosen_[i] & enabled_[i]);
    }
    return size;
}

bool Reducer::stays_within(std::size_t process) {
    const auto only_own = [&](std::int32_t row) {
        for (std::size_t other = 0; other < processes_.size(); ++other) {
            if (other != process && mask(row, other) != 0) {
                return false;
            }
        }
        return true;
    };
    const auto here = at(here_[process]);
    for (std::int32_t i = first_edge_[here]; i < first_edge_[here + 1]; ++i) {
        const EdgeRow& edge = edges_[at(i)];
        const bool enabled = is_enabled(i);
        if ((edge.flags & kJoins) != 0 || (enabled && (edge.flags & kVisible) != 0)) {
            return false;
        }
        if ((enabled || (edge.flags & kUncertain) != 0) && !only_own(edge.disturbing)) {
            return false;
        }
        if (!enabled && !only_own(cheapest_enabling(edge))) {
            return false;
        }
    }
    return true;
}

void Reducer::add(std::int32_t row) {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        Mask fresh = mask(row, i) & ~chosen_[i];
        chosen_[i] |= fresh;
        for (; fresh != 0; fresh &= fresh - 1) {
            waiting_.push_back(first_edge_[at(here_[i])] + std::countr_zero(fresh));
        }
    }
}

void Reducer::add_edge(std::int32_t edge) {
    const EdgeRow& row = edges_[at(edge)];
    Mask& chosen = chosen_[at(row.process)];
    const Mask bit = Mask{1} << (edge - first_edge_[at(row.source)]);
    if ((chosen & bit) == 0) {
        chosen |= bit;
        waiting_.push_back(edge);
    }
}

bool Reducer::close() {
    while (!waiting_.empty()) {
        const std::int32_t edge = waiting_.back();
        waiting_.pop_back();
        follow(edge);
        if (covers_enabled()) {
            return false;
        }
    }
    return !covers_enabled();
}

void Reducer::follow(std::int32_t index) {
    const EdgeRow& edge = edges_[at(index)];
    if ((edge.flags & kBegins) != 0) {
        const bool enabled = is_enabled(index);
        const bool uncertain = (edge.flags & kUncertain) != 0;
        if (enabled || uncertain) {
            add(edge.disturbing);
            if ((edge.flags & kShowsInside) != 0) {
                add(visible_row_);
            }
        }
        if (!enabled) {
            add(cheapest_enabling(edge));
        }
    }
    if ((edge.flags & kJoins) != 0) {
        add(edge.pairs);
    }
}

// Of the sets of edges one of which must happen before a disabled edge is enabled, the one that adds least.
std::int32_t Reducer::cheapest_enabling(const EdgeRow& edge) const {
    std::int32_t best = edge.enabling;
    std::int32_t least = cost(best);
    bool first_holds = true;
    for (std::int32_t i = edge.first_test; i < edge.first_test + edge.tests; ++i) {
        const Test& test = tests_[at(i)];
        if (test.after_first == 0) {
            first_holds = true;
        }
        if ((test.after_first != 0 && !first_holds) || holds(test)) {
            continue;
        }
        if (test.after_first == 0) {
            first_holds = false;
        }
        const std::int32_t price = cost(test.row);
        if (price < least) {
            best = test.row;
            least = price;
        }
    }
    return best;
}

std::int32_t Reducer::cost(std::int32_t row) const {
    std::int32_t count = 0;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
        const Mask fresh = mask(row, i) & ~chosen_[i];
        count += std::popcount(fresh) + 8 * std::popcount(fresh & enabled_[i]);
    }
    return count;
}

bool Reducer::covers_enabled() const {
    for (std::size_t i = 0; i < enabled_.size(); ++i) {
        if ((enabled_[i] & ~chosen_[i]) != 0) {
            return false;
        }
    }
    return true;
}

bool Reducer::is_enabled(std::int32_t edge) const {
    const EdgeRow& row = edges_[at(edge)];
    return (enabled_[at(row.process)] >> (edge - first_edge_[at(row.source)]) & 1) != 0;
}

// Goals

Reducer::Truth Reducer::truth(std::size_t node) const {
    const auto& row = goal_[node];
    if (row[0] == kTest) {
        return compare(value(row[1]), row[2], row[3]) ? Truth::kTrue : Truth::kFalse;
    }
    if (row[0] == kUnknown) {
        return Truth::kOpen;
    }
    const Truth decisive = row[0] == kAll ? Truth::kFalse : Truth::kTrue;
    Truth found = row[0] == kAll ? Truth::kTrue : Truth::kFalse;
    for (std::size_t i = 1; i < row.size(); ++i) {
        const Truth part = truth(at(row[i]));
        if (part == decisive) {
            return decisive;
        }
        found = part == Truth::kOpen ? Truth::kOpen : found;
    }
    return found;
}

// Of a conjunction one false part is enough, of a disjunction all parts count.
void Reducer::add_goal(std::size_t node) {
    const auto& row = goal_[node];
    if (row[0] == kTest) {
        return add(row[4]);
    }
    if (row[0] == kUnknown) {
        return add(row[1]);
    }
    if (row[0] == kAll) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (truth(at(row[i])) == Truth::kFalse) {
                return add_goal(at(row[i]));
            }
        }
    }
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (truth(at(row[i])) != Truth::kTrue) {
            add_goal(at(row[i]));
        }
    }
}

// Taking arcs out

bool Reducer::is_chosen(std::uint32_t action) const {
    const std::int32_t edge = edge_of_[action];
    const EdgeRow& row = edges_[at(edge)];
    return (chosen_[at(row.process)] >> (edge - first_edge_[at(row.source)]) & 1) != 0;
}

void Reducer::keep_chosen(SuccessorBuffer& buffer, std::size_t first) const {
    std::size_t kept = first;
    for (std::size_t i = first; i < buffer.size(); ++i) {
        if (!is_chosen(buffer.arc(i).action)) {
            continue;
        }
        if (kept != i) {
            buffer.copy(i, kept);
        }
        ++kept;
    }
    while (buffer.size() > kept) {
        buffer.drop_last();
    }
}

} // namespace beeline
