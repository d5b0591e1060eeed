#include "zone/clock_tables.hpp"

#include <algorithm>
#include <stdexcept>

namespace beeline {
namespace {

void require(bool condition, const char* what) {
    if (!condition) {
        throw std::invalid_argument(std::string("not a program with clocks: ") + what);
    }
}

using Rows = std::vector<std::vector<std::int32_t>>;

const Rows& rows_of(const Tables& tables, const char* name) {
    const auto found = tables.rows.find(name);
    require(found != tables.rows.end(), name);
    return found->second;
}

std::int32_t number_of(const Tables& tables, const char* name) {
    const auto found = tables.numbers.find(name);
    require(found != tables.numbers.end(), name);
    return found->second;
}

// Rows of as many numbers as Row has fields.
template <class Row>
std::vector<Row> structures(const Tables& tables, const char* name) {
    constexpr std::size_t fields = sizeof(Row) / sizeof(std::int32_t);
    std::vector<Row> result;
    for (const auto& numbers : rows_of(tables, name)) {
        require(numbers.size() == fields, name);
        Row row;
        std::copy_n(numbers.begin(), fields, reinterpret_cast<std::int32_t*>(&row));
        result.push_back(row);
    }
    return result;
}

std::vector<ClockLimit> limits_of(const std::vector<std::int32_t>& numbers) {
    require(numbers.size() % 3 == 0, "limits");
    std::vector<ClockLimit> result;
    for (std::size_t i = 0; i < numbers.size(); i += 3) {
        result.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    return result;
}

} // namespace

ClockTables::ClockTables(const Tables& tables, const Program& program)
    : tests(structures<ClockTest>(tables, "tests")), edges(structures<TableRange>(tables, "edge_tests")),
      invariants(structures<InvariantRow>(tables, "invariants")), rates(structures<RateRow>(tables, "rates")),
      location_rates(structures<TableRange>(tables, "location_rates")), goals(structures<GoalCase>(tables, "goals")),
      avoided(structures<GoalCase>(tables, "avoided")), premises(structures<GoalCase>(tables, "premises")),
      measures(structures<MeasureRow>(tables, "measures")),
      clock_of_cell(static_cast<std::size_t>(program.state_cells), 0) {
    const std::int32_t clocks = number_of(tables, "clocks");
    require(clocks >= 0 && clocks < (1 << 12), "the number of clocks");
    dim = static_cast<std::size_t>(clocks) + 1;
    for (const auto& row : rows_of(tables, "limits")) {
        limits.push_back(limits_of(row));
    }
    const Rows& base = rows_of(tables, "base_limits");
    for (const auto& row : base) {
        const auto more = limits_of(row);
        base_limits.insert(base_limits.end(), more.begin(), more.end());
    }
    for (const auto& row : rows_of(tables, "diagonals")) {
        require(row.size() == 4 && row[0] > 0 && row[0] <= clocks && row[1] > 0 && row[1] <= clocks && row[0] != row[1],
                "a difference of clocks");
        diagonals.push_back({static_cast<std::uint32_t>(row[0]), static_cast<std::uint32_t>(row[1]), row[2], row[3]});
    }
    std::int32_t clock = 0;
    for (const auto& row : rows_of(tables, "clock_cells")) {
        ++clock;
        require(row.size() == 1 && row[0] >= 0 && row[0] < program.state_cells, "a clock's cell");
        clock_of_cell[static_cast<std::size_t>(row[0])] = clock;
    }
    elapsed = number_of(tables, "elapsed");
    require(elapsed == 0 || (elapsed == clocks && diagonals.empty()), "the clock that tells the time");
    require(clock == clocks - (elapsed > 0 ? 1 : 0), "the clocks' cells");
    for (const auto& row : rows_of(tables, "urgent_channels")) {
        require(row.size() == 1, "urgent channels");
        urgent_channels.push_back(row[0] != 0);
        has_urgent_channels |= row[0] != 0;
    }
    const std::int32_t mode = number_of(tables, "extrapolation");
    require(mode >= 0 && mode < static_cast<std::int32_t>(Extrapolation::COUNT), "the extrapolation");
    extrapolation = static_cast<Extrapolation>(mode);
    finds_deadlocks = number_of(tables, "deadlocks") != 0;
    confined = number_of(tables, "confined") != 0;
    merges = number_of(tables, "merges") != 0;
    check(program);
}

void ClockTables::check(const Program& program) const {
    const auto is_block = [&](std::int32_t entry) {
        return entry >= -1 && entry < static_cast<std::int32_t>(program.code.size());
    };
    const std::int32_t largest = zone::largest_constant(dim);
    const auto is_clock = [&](std::int32_t clock) { return clock >= 0 && static_cast<std::size_t>(clock) < dim; };
    for (const ClockTest& test : tests) {
        require(is_block(test.unless) && is_block(test.x_block) && is_block(test.y_block) && is_block(test.bound_block),
                "a constraint's code");
        require(is_clock(test.x) && is_clock(test.y), "a constraint's clock");
        require(test.comparison >= 0 && test.comparison < static_cast<std::int32_t>(Comparison::COUNT),
                "a constraint's comparison");
        require(test.bound >= -largest && test.bound <= largest, "a constraint's bound");
    }
    require(edges.size() == program.edges.size(), "one row for each edge");
    require(invariants.size() == program.locations.size() && limits.size() == program.locations.size() &&
                location_rates.size() == program.locations.size(),
            "one row for each location");
    require(urgent_channels.size() == program.channels.size(), "one row for each channel");
    for (const TableRange& edge : edges) {
        check_tests(edge.first, edge.count);
    }
    for (const InvariantRow& invariant : invariants) {
        require(is_block(invariant.condition), "an invariant's code");
        check_tests(invariant.first, invariant.count);
    }
    for (const TableRange& range : location_rates) {
        require(range.first >= 0 && range.count >= 0 &&
                    static_cast<std::size_t>(range.first) + static_cast<std::size_t>(range.count) <= rates.size(),
                "a range of rates");
    }
    for (const RateRow& rate : rates) {
        require(is_block(rate.unless) && is_block(rate.clock_block) && is_block(rate.value_block), "a rate's code");
        require(is_clock(rate.clock), "a rate's clock");
    }
    for (const std::vector<GoalCase>* cases : {&goals, &avoided, &premises}) {
        for (const GoalCase& goal : *cases) {
            require(is_block(goal.condition), "a goal's code");
            check_tests(goal.first, goal.count);
        }
    }
    require(!confined || (finds_deadlocks && rates.empty()), "runs can be confined where deadlocks are found and no "
                                                             "clock is stopped");
    for (const MeasureRow& measure : measures) {
        require(is_block(measure.block), "a measure's code");
        require(measure.is_clock == 0 || (is_clock(measure.number) && measure.number + measure.block >= 0),
                "a measure's clock");
    }
    const auto check_limits = [&](const std::vector<ClockLimit>& some) {
        for (const ClockLimit& limit : some) {
            require(is_clock(limit.clock) && limit.clock > 0, "a limit's clock");
            require(limit.lower <= largest && limit.upper <= largest, "a limit");
        }
    };
    check_limits(base_limits);
    for (const auto& row : limits) {
        check_limits(row);
    }
    for (const zone::Diagonal& diagonal : diagonals) {
        require(zone::constant_of(diagonal.low) >= -largest && zone::constant_of(diagonal.high) <= largest &&
                    diagonal.low <= diagonal.high && zone::is_weak(diagonal.low) == zone::is_weak(diagonal.high),
                "the bounds of a difference");
    }
    for (const EdgeRow& edge : program.edges) {
        require(!edge.is(Sync::Together), "labels that many processes share are not for timed networks");
        require(edge.rank == 0, "ranks of edges are not for timed networks");
    }
    for (const ProcessPlace& process : program.processes) {
        const auto tag = static_cast<std::size_t>(process.tag);
        require(program.low[tag] == program.high[tag] && program.low[tag] > 0,
                "processes that come and go are not for timed networks");
    }
    for (const Body& body : program.bodies) {
        require(body.provided < 0, "conditions on whole processes are not for timed networks");
    }
    for (const LocationRow& location : program.locations) {
        require((location.flags & kDeterministic) == 0, "deterministic locations are not for timed networks");
    }
    require(program.channels.size() == static_cast<std::size_t>(program.network_channels),
            "channels of processes are not for timed networks");
    require(program.hidden.empty(), "hidden variables are not for timed networks");
    for (const ChannelPlace& channel : program.channels) {
        require(channel.capacity == 0 && channel.fields == 0, "channels with messages are not for timed networks");
    }
    require(program.monitor_cell < 0 && program.control < 0, "monitors and control are not for timed networks");
}

void ClockTables::check_tests(std::int32_t first, std::int32_t count) const {
    require(first >= 0 && count >= 0 &&
                static_cast<std::size_t>(first) + static_cast<std::size_t>(count) <= tests.size(),
            "a range of constraints");
}

} // namespace beeline
