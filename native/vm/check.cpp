#include "vm/check.hpp"

#include "state/successors.hpp"
#include "vm/program.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace beeline {

namespace {

class Checker {
public:
    explicit Checker(const Program& program) : p_(program) {}

    void run() {
        tables();
        ownership();
        for (std::size_t i = 0; i < p_.code.size(); ++i) {
            instruction(static_cast<std::int64_t>(i));
        }
        if (!p_.code.empty()) {
            const auto last = static_cast<Op>(p_.code.back().op);
            require(last == Op::RETURN_FALSE || last == Op::RETURN_TRUE || last == Op::RETURN_VALUE,
                    "the code does not end with a return");
        }
    }

private:
    const Program& p_;
    // Cells that only the engine itself may write, counted up so that ranges can be asked about.
    std::vector<std::int32_t> structural_before_;

    // Every structural cell (kinds, locations, lengths of the network's channels, control, ..) has one meaning, and
    // nothing that programs fill, messages and locals and hidden cells, lies on one: then whatever the values are that
    // a step computes, the state that it leads to has the shape that the engine relies on.
    void ownership() {
        mark_structural();
        for (const ProcessPlace& place : p_.processes) {
            const std::int32_t own = place.priority >= 0 ? 3 : 2;
            for (const std::int32_t cell : {place.tag, place.location, place.priority}) {
                require(cell == -1 || within(cell, place.first_cell, place.end_cell - place.first_cell),
                        "a process's cells are misplaced");
            }
            require(structural_in(place.first_cell, place.end_cell - place.first_cell) == own,
                    "a process's cells are shared");
        }
        for (const ChannelPlace& channel : p_.channels) {
            require(structural_in(channel.base, std::int64_t{channel.capacity} * channel.fields) == 0,
                    "a channel's contents are misplaced");
        }
        for (std::size_t i = static_cast<std::size_t>(p_.network_channels); i < p_.channels.size(); ++i) {
            require(structural_in(p_.channels[i].length, 1) == 0, "a channel's length is misplaced");
        }
        for (const Body& body : p_.bodies) {
            require(structural_in(body.locals, body.locals_count) == 0, "a process's locals are misplaced");
        }
        for (const auto& row : p_.initial_cells) {
            require(structural_in(row[0], 1) == 0, "an initial value is misplaced");
        }
        for (const auto& row : p_.hidden) {
            require(structural_in(row[0], 1) == 0, "a hidden cell is misplaced");
        }
    }

    void mark_structural() {
        std::vector<std::uint8_t> structural(p_.low.size(), 0);
        const auto mark = [&](std::int32_t cell) {
            if (cell >= 0) {
                require(structural[static_cast<std::size_t>(cell)] == 0, "a cell has two meanings");
                structural[static_cast<std::size_t>(cell)] = 1;
            }
        };
        for (const ProcessPlace& place : p_.processes) {
            mark(place.tag);
            mark(place.location);
            mark(place.priority);
        }
        for (std::int32_t i = 0; i < p_.network_channels; ++i) {
            mark(p_.channels[static_cast<std::size_t>(i)].length);
        }
        mark(p_.control);
        mark(p_.last);
        mark(p_.monitor_cell);
        structural_before_.assign(1, 0);
        for (const std::uint8_t flag : structural) {
            structural_before_.push_back(structural_before_.back() + flag);
        }
    }
    // How many of these state cells are structural.
    std::int32_t structural_in(std::int64_t first, std::int64_t count) const {
        return structural_before_[static_cast<std::size_t>(first + count)] -
               structural_before_[static_cast<std::size_t>(first)];
    }
    // Whether programs may store into all of these cells.
    bool storable(std::int64_t first, std::int64_t count) const {
        if (is_temporary(first)) {
            return first + count <= p_.memory_cells;
        }
        return is_state_cell(first) && first + count <= p_.state_cells && structural_in(first, count) == 0;
    }

    static void require(bool condition, const char* message) {
        if (!condition) {
            throw std::invalid_argument(message);
        }
    }
    bool within(std::int64_t value, std::int64_t low, std::int64_t count) const {
        return value >= low && value < low + count;
    }
    bool is_state_cell(std::int64_t cell) const { return within(cell, 0, p_.state_cells); }
    bool is_cell(std::int64_t cell) const { return within(cell, 0, p_.memory_cells); }
    bool is_temporary(std::int64_t cell) const {
        return cell >= p_.state_cells + static_cast<std::int64_t>(p_.constants.size()) && is_cell(cell);
    }
    bool are_cells(std::int64_t first, std::int64_t count) const {
        return count >= 0 && first >= 0 && first + count <= p_.memory_cells;
    }
    bool is_block(std::int32_t entry) const {
        return entry == -1 || within(entry, 0, static_cast<std::int64_t>(p_.code.size()));
    }
    static std::int64_t size(const auto& table) { return static_cast<std::int64_t>(table.size()); }

    void tables() {
        require(size(p_.low) < 1 << 24 && size(p_.constants) < 1 << 24, "the state is too large");
        for (std::size_t i = 0; i < p_.low.size(); ++i) {
            require(p_.low[i] <= p_.high[i], "a cell has an empty range");
        }
        require(size(p_.initial) == p_.state_cells, "the initial state has the wrong size");
        require(!p_.domains.empty(), "there is no domain");
        for (const Domain& domain : p_.domains) {
            const std::int64_t span = std::int64_t{domain.high} - domain.low + 1;
            require(span >= 1 && (domain.wrap == 0 || (span & (span - 1)) == 0), "a domain is malformed");
        }
        require(p_.kinds >= 0 && p_.kinds <= 1 << 16, "the number of kinds is out of range");
        require(is_temporary(p_.timeout_cell), "the timeout cell is misplaced");
        require(p_.message_cells >= 0 && is_temporary(p_.message_cell) &&
                    are_cells(p_.message_cell, std::max<std::int64_t>(1, p_.message_cells)),
                "the message cells are misplaced");
        for (const std::int32_t cell : {p_.control, p_.last, p_.monitor_cell}) {
            require(cell == -1 || is_state_cell(cell), "a special cell is misplaced");
        }
        if (p_.control >= 0) {
            const auto cell = static_cast<std::size_t>(p_.control);
            require(p_.low[cell] == -1 && p_.high[cell] == size(p_.processes) - 1, "the control cell is malformed");
        }
        require(is_block(p_.goal), "the goal is misplaced");
        channels();
        processes();
        require((p_.flags & kOpened) == 0 ||
                    (!p_.processes.empty() && p_.initial[static_cast<std::size_t>(p_.processes[0].tag)] > 0),
                "nobody opens the network");
        bodies();
        edges();
        monitor();
        for (const auto& row : p_.hidden) {
            require(row.size() == 2 && is_state_cell(row[0]) && fits(row[0], row[1]), "a hidden cell is misplaced");
        }
    }

    bool fits(std::int32_t cell, std::int32_t value) const {
        return value >= p_.low[static_cast<std::size_t>(cell)] && value <= p_.high[static_cast<std::size_t>(cell)];
    }

    void channels() {
        require(within(p_.network_channels, 0, size(p_.channels) + 1), "the number of channels is out of range");
        for (const ChannelPlace& channel : p_.channels) {
            require(is_state_cell(channel.length), "a channel's length is misplaced");
            require(channel.capacity >= 0 && channel.capacity <= 65535 && channel.fields >= 0 &&
                        channel.fields <= p_.message_cells,
                    "a channel is malformed");
            require(channel.base >= 0 &&
                        channel.base + std::int64_t{channel.capacity} * channel.fields <= p_.state_cells,
                    "a channel's contents are misplaced");
            require(range(channel.first_domain, channel.fields, size(p_.field_domains)),
                    "a channel's fields are misplaced");
            require(p_.low[static_cast<std::size_t>(channel.length)] <= 0 &&
                        p_.high[static_cast<std::size_t>(channel.length)] >= channel.capacity,
                    "a channel's length has no room");
        }
        for (std::int32_t i = 0; i < p_.network_channels; ++i) {
            const ChannelPlace& channel = p_.channels[static_cast<std::size_t>(i)];
            const auto cell = static_cast<std::size_t>(channel.length);
            require(p_.low[cell] == 0 && p_.high[cell] == channel.capacity, "a channel's length is malformed");
        }
        for (const std::int32_t domain : p_.field_domains) {
            require(within(domain, 0, size(p_.domains)), "a field's domain is missing");
        }
        for (const std::int32_t domain : p_.parameter_domains) {
            require(within(domain, 0, size(p_.domains)), "a parameter's domain is missing");
        }
    }

    void processes() {
        require(p_.processes.size() <= 65536 && size(p_.processes) * (std::int64_t{p_.kinds} + 1) <= 1 << 26,
                "too many processes");
        for (const ProcessPlace& place : p_.processes) {
            require(is_state_cell(place.tag) && is_state_cell(place.location), "a process is misplaced");
            require(place.priority == -1 || is_state_cell(place.priority), "a priority is misplaced");
            require((p_.flags & kPriorities) == 0 || place.priority >= 0, "a priority is missing");
            require(place.first_cell >= 0 && place.first_cell <= place.end_cell && place.end_cell <= p_.state_cells,
                    "a process's cells are misplaced");
        }
    }

    void bodies() {
        for (const auto& row : p_.initial_cells) {
            require(row.size() == 2 && is_state_cell(row[0]), "an initial value is misplaced");
        }
        for (const LocationRow& location : p_.locations) {
            require(location.first_edge >= 0 && location.edges >= 0 &&
                        std::int64_t{location.first_edge} + location.edges <= size(p_.edges),
                    "a location's edges are misplaced");
        }
        for (const Body& body : p_.bodies) {
            require(within(body.number, 0, size(p_.processes)) && within(body.kind, 0, p_.kinds),
                    "a process body is misplaced");
            require(body.locals >= 0 && body.locals_count >= 0 &&
                        std::int64_t{body.locals} + body.locals_count <= p_.state_cells,
                    "a process's locals are misplaced");
            require(range(body.first_parameter, body.parameters, size(p_.parameter_domains)) &&
                        std::int64_t{body.parameters} + body.channels <= body.locals_count,
                    "a process's parameters are misplaced");
            require(range(body.first_channel, body.channels, size(p_.channels)) &&
                        (body.channels == 0 || body.first_channel >= p_.network_channels),
                    "a process's channels are misplaced");
            require(range(body.first_initial, body.locals_count, size(p_.initial_cells)),
                    "a process's initial values are misplaced");
            require(range(body.first_location, body.locations, size(p_.locations)) &&
                        within(body.initial_location, 0, body.locations),
                    "a process's locations are misplaced");
            require(is_block(body.setup) && is_block(body.provided), "a process's code is misplaced");
            const ProcessPlace& place = p_.processes[static_cast<std::size_t>(body.number)];
            require(fits(place.tag, body.kind + 1) && fits(place.location, body.initial_location),
                    "a process body has no place");
            for (std::int32_t i = 0; i < body.locations; ++i) {
                const LocationRow& location = p_.locations[static_cast<std::size_t>(body.first_location + i)];
                for (std::int32_t j = 0; j < location.edges; ++j) {
                    const EdgeRow& edge = p_.edges[static_cast<std::size_t>(location.first_edge + j)];
                    require(within(edge.target, 0, body.locations) && fits(place.location, edge.target),
                            "an edge leads nowhere");
                    require((edge.flags & kTerminates) == 0 || (fits(place.tag, 0) && fits(place.location, 0)),
                            "a process cannot end");
                }
            }
        }
    }

    bool range(std::int32_t first, std::int32_t count, std::int64_t all) const {
        return first >= 0 && count >= 0 && std::int64_t{first} + count <= all;
    }

    void edges() {
        for (const EdgeRow& edge : p_.edges) {
            require(is_block(edge.guard) && is_block(edge.channel_block) && is_block(edge.values_block) &&
                        is_block(edge.bind) && is_block(edge.effect),
                    "an edge's code is misplaced");
            require(within(edge.sync, 0, 4), "an edge has an unknown synchronisation");
            if (edge.is(Sync::Send) || edge.is(Sync::Receive)) {
                require(edge.channel_block >= 0 || within(edge.channel, 1, p_.network_channels),
                        "an edge's channel is missing");
                require(edge.values >= 0 && are_cells(edge.first_value, edge.values), "an edge's values are misplaced");
            }
            if (edge.is(Sync::Receive)) {
                require(within(edge.patterns, 0, size(p_.pattern_lists)) &&
                            size(p_.pattern_lists[static_cast<std::size_t>(edge.patterns)]) == edge.values,
                        "an edge's patterns are missing");
            }
            if (edge.is(Sync::Together)) {
                require(within(edge.label, 0, size(p_.label_members)), "an edge's label is missing");
            }
        }
    }

    void monitor() {
        require((p_.monitor_cell >= 0) == !p_.monitor.empty(), "the monitor is incomplete");
        if (p_.monitor_cell >= 0) {
            const auto cell = static_cast<std::size_t>(p_.monitor_cell);
            require(p_.low[cell] >= 0 && p_.high[cell] < size(p_.monitor), "the monitor's cell is malformed");
        }
        require(within(p_.acceptance_sets, 0, static_cast<std::int64_t>(kMostSets) + 1),
                "there are too many acceptance sets");
        for (const MonitorRow& row : p_.monitor) {
            require(range(row.first_edge, row.edges, size(p_.monitor_edges)), "the monitor's edges are misplaced");
            require(within(row.halted, 0, size(p_.monitor)) && fits(p_.monitor_cell, row.halted),
                    "a place of the monitor is malformed");
        }
        for (const MonitorEdge& edge : p_.monitor_edges) {
            require(is_block(edge.guard) && is_block(edge.effect) && within(edge.target, 0, size(p_.monitor)) &&
                        fits(p_.monitor_cell, edge.target) && within(edge.sets, 0, 1 << p_.acceptance_sets),
                    "a monitor's edge is malformed");
        }
    }

    void instruction(std::int64_t position) {
        const Instruction& ins = p_.code[static_cast<std::size_t>(position)];
        require(within(ins.op, 0, static_cast<std::int64_t>(Op::COUNT)), "an instruction is unknown");
        const std::int32_t operands[] = {ins.a, ins.b, ins.c, ins.d, ins.e};
        const char* signature = op_table()[static_cast<std::size_t>(ins.op)].signature;
        for (std::size_t i = 0; signature[i] != '\0'; ++i) {
            require(operand(signature[i], operands[i], position, ins), "an operand is out of range");
        }
    }

    bool operand(char letter, std::int32_t value, std::int64_t position, const Instruction& ins) const {
        switch (letter) {
        case 'w':
            return is_temporary(value);
        case 'r':
            return is_cell(value);
        case 's':
            return storable(value, 1);
        case 'j':
            return value > position && value < size(p_.code);
        case 'l':
            return value >= 0 && value <= position;
        case 'B':
            return ins.d >= 1 && are_cells(value, ins.d) &&
                   (static_cast<Op>(ins.op) != Op::STORE_AT || storable(value, ins.d));
        case 'A':
            return ins.d >= 0 && are_cells(value, ins.d);
        case 'C':
            return ins.b >= 1 && is_temporary(value) && are_cells(value, ins.b);
        case 'P':
            return within(ins.d, 0, size(p_.pattern_lists)) &&
                   are_cells(value, size(p_.pattern_lists[static_cast<std::size_t>(ins.d)]));
        case 'n':
            return value >= (static_cast<Op>(ins.op) == Op::START ? 0 : 1);
        case 'f':
            return within(value, 0, size(p_.domains));
        case 'p':
            return within(value, 0, size(p_.pattern_lists));
        case 't':
            return within(value, 0, size(p_.location_sets));
        case 'k':
            return within(value, 0, p_.kinds);
        default:
            return static_cast<Op>(ins.op) != Op::ERROR || within(value, 0, static_cast<std::int64_t>(Error::COUNT));
        }
    }
};

} // namespace

void check_program(const Program& program) { Checker(program).run(); }

} // namespace beeline
