#include "vm/plan.hpp"

#include "vm/at.hpp"
#include "vm/effect_reader.hpp"
#include "vm/program.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace beeline {
namespace {

Op op_of(const Instruction& ins) { return static_cast<Op>(ins.op); }

// What must hold for a jump not to be taken; nothing for other instructions.
std::optional<Test> test_of(const Instruction& ins, std::int32_t zero) {
    switch (op_of(ins)) {
    case Op::JUMP_IF:
        return Test{ins.a, zero, Test::kEqual};
    case Op::JUMP_IF_NOT:
        return Test{ins.a, zero, Test::kLess | Test::kGreater};
    case Op::JUMP_EQ:
        return Test{ins.a, ins.b, Test::kLess | Test::kGreater};
    case Op::JUMP_NE:
        return Test{ins.a, ins.b, Test::kEqual};
    case Op::JUMP_LT:
        return Test{ins.a, ins.b, Test::kEqual | Test::kGreater};
    case Op::JUMP_LE:
        return Test{ins.a, ins.b, Test::kGreater};
    default:
        return std::nullopt;
    }
}

std::int32_t jump_target(const Instruction& ins) {
    return op_of(ins) == Op::JUMP_IF || op_of(ins) == Op::JUMP_IF_NOT ? ins.b : ins.c;
}

class Planner {
public:
    explicit Planner(const Program& program) : p_(program), reader_(program, plan_) {}

    Plan make() {
        plan_.code = p_.code;
        plan_.constants.push_back(0);
        plan_.edges.resize(p_.edges.size());
        plan_.gates.resize(p_.edges.size());
        for (const Body& body : p_.bodies) {
            plan_.has_provided = plan_.has_provided || body.provided >= 0;
            for (std::int32_t i = 0; i < body.locations; ++i) {
                const LocationRow& row = p_.locations[at(body.first_location + i)];
                for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                    plan_.edges[at(edge)] = plan_edge(p_.edges[at(edge)], body);
                    plan_.gates[at(edge)] = plan_gate(plan_.edges[at(edge)]);
                }
            }
        }
        for (const LocationRow& row : p_.locations) {
            plan_.locations.push_back(plan_location(row));
        }
        find_meetings();
        plan_processes();
        plan_.has_afterthoughts = p_.last >= 0 || !p_.hidden.empty();
        return std::move(plan_);
    }

private:
    const Program& p_;
    Plan plan_;
    EffectReader reader_;
    CellRanges written_;

    EdgePlan plan_edge(const EdgeRow& edge, const Body& body) {
        EdgePlan plan{};
        plan.guard = edge.guard;
        plan.sync = edge.sync;
        plan.rank = edge.rank;
        plan.target = edge.target;
        plan.location = p_.processes[at(body.number)].location;
        plan.channel = edge.channel_block < 0 ? edge.channel - 1 : -1;
        plan.terminates = (edge.flags & kTerminates) != 0;
        read_guard(plan);
        read_values(edge, plan);
        written_.clear();
        if ((edge.is(Sync::Send) || edge.is(Sync::Receive)) && (edge.flags & kKeep) == 0) {
            mark_messages(plan.channel);
        }
        plan.bind = reader_.read(edge.bind, written_);
        plan.effect = reader_.read(edge.effect, written_);
        written_.push_back({plan.location, 1});
        mark_afterthoughts();
        const LocationRow& target = p_.locations[at(body.first_location + edge.target)];
        plan.straight = !plan.terminates && (target.flags & kDeterministic) != 0;
        plan.direct = plan.bind.planned && plan.effect.planned && (edge.flags & (kTerminates | kKeepsControl)) == 0 &&
                      !plan.straight && !touches_goal() && p_.packing[at(plan.location)].holds(edge.target);
        split_effect(plan);
        return plan;
    }

    // Constants can be patched in at once, unless another assignment may go to the same cell.
    void split_effect(EdgePlan& plan) {
        const auto first = plan_.assignments.begin() + plan.effect.first;
        std::vector<Assignment> all(first, first + plan.effect.count);
        const auto is_alone = [&](const Assignment& one) {
            return std::none_of(all.begin(), all.end(), [&](const Assignment& other) {
                return &one != &other && one.cell >= other.cell && one.cell < other.cell + std::max(1, other.extent);
            });
        };
        std::vector<Patch> patches;
        add_patch(patches, plan.location, plan.target);
        plan.first_change = static_cast<std::int32_t>(plan_.assignments.size());
        for (const Assignment& one : all) {
            const auto value = constant_of(one);
            if (value && p_.packing[at(one.cell)].holds(*value) && is_alone(one)) {
                add_patch(patches, one.cell, *value);
            } else {
                plan_.assignments.push_back(one);
                ++plan.changes;
            }
        }
        plan.first_patch = static_cast<std::int32_t>(plan_.patches.size());
        plan.patches = static_cast<std::int32_t>(patches.size());
        plan_.patches.insert(plan_.patches.end(), patches.begin(), patches.end());
    }

    std::optional<std::int32_t> constant_of(const Assignment& one) const {
        const auto constant = [this](std::int32_t cell) -> std::optional<std::int32_t> {
            const std::int32_t index = cell - p_.state_cells;
            if (cell == p_.zero_cell) {
                return 0;
            }
            return index >= 0 && at(index) < p_.constants.size() ? std::optional(p_.constants[at(index)])
                                                                 : std::nullopt;
        };
        const auto value = constant(one.left);
        const bool plain = one.cell >= 0 && one.compute < 0 && one.extent == 0 && one.right == p_.zero_cell;
        return plain && value && one.is_plain(*value) ? value : std::nullopt;
    }

    // Patches of the same word become one.
    void add_patch(std::vector<Patch>& patches, std::int32_t cell, std::int32_t value) const {
        const Packing& place = p_.packing[at(cell)];
        auto found = std::find_if(patches.begin(), patches.end(), [&](const Patch& p) { return p.word == place.word; });
        if (found == patches.end()) {
            found = patches.insert(found, {place.word, ~0u, 0});
        }
        found->bits |= place.bits(value);
        found->keep &= place.keep;
    }

    void plan_processes() {
        const std::int32_t width = p_.kinds + 1;
        plan_.first_locations.assign(p_.processes.size() * at(width), -1);
        for (const ProcessPlace& place : p_.processes) {
            const auto row = static_cast<std::int32_t>(plan_.processes.size()) * width;
            plan_.processes.push_back({place.tag, place.location, row});
        }
        for (const Body& body : p_.bodies) {
            plan_.first_locations[at(body.number * width + body.kind + 1)] = body.first_location;
        }
        plan_listeners();
    }

    // Who may receive from which channel. A process that computes which one is listed under all of them; where that
    // were too many entries, some channels share theirs.
    void plan_listeners() {
        constexpr std::size_t kMost = std::size_t{1} << 20, kFew = 64;
        std::vector<std::vector<std::int32_t>> channels(plan_.processes.size()); // by process
        std::vector<std::uint8_t> computes(plan_.processes.size(), 0);
        for (const Body& body : p_.bodies) {
            for (std::int32_t i = 0; i < body.locations; ++i) {
                const LocationPlan& place = plan_.locations[at(body.first_location + i)];
                for (std::int32_t edge = place.first_edge; edge < place.end_edge; ++edge) {
                    note_receive(edge, channels[at(body.number)], computes[at(body.number)]);
                }
            }
        }
        const auto everywhere = static_cast<std::size_t>(std::count(computes.begin(), computes.end(), 1));
        const std::size_t rows = std::max<std::size_t>(p_.channels.size(), 1);
        plan_.listeners.resize(everywhere * rows > kMost ? kFew : rows);
        for (std::size_t number = 0; number < channels.size(); ++number) {
            const auto process = static_cast<std::int32_t>(number);
            for (const std::int32_t channel : channels[number]) {
                std::vector<std::int32_t>& row = plan_.listeners[at(channel) % plan_.listeners.size()];
                if (computes[number] == 0 && (row.empty() || row.back() != process)) {
                    row.push_back(process);
                }
            }
            for (std::size_t i = 0; computes[number] != 0 && i < plan_.listeners.size(); ++i) {
                plan_.listeners[i].push_back(process);
            }
        }
    }

    void note_receive(std::int32_t number, std::vector<std::int32_t>& channels, std::uint8_t& computes) const {
        const EdgeRow& edge = p_.edges[at(number)];
        if (!edge.is(Sync::Receive) || plan_.edges[at(number)].never) {
            return;
        }
        if (edge.channel_block >= 0) {
            computes = 1;
        } else {
            channels.push_back(edge.channel);
        }
    }

    // A guard that is a chain of jumps to "false" with "true" behind them.
    void read_guard(EdgePlan& plan) {
        plan.first_test = static_cast<std::int32_t>(plan_.tests.size());
        if (plan.guard < 0) {
            return;
        }
        const Instruction* ins = p_.code.data() + plan.guard;
        for (; const auto test = test_of(*ins, p_.zero_cell); ++ins) {
            if (op_of(p_.code[at(jump_target(*ins))]) != Op::RETURN_FALSE) {
                break;
            }
            plan_.tests.push_back(*test);
        }
        plan.never = op_of(*ins) == Op::RETURN_FALSE;
        if (plan.never || op_of(*ins) == Op::RETURN_TRUE) {
            plan.tests = static_cast<std::int32_t>(plan_.tests.size()) - plan.first_test;
            plan.guard = -1;
        } else {
            plan_.tests.resize(at(plan.first_test));
        }
    }

    // A look at the channel comes first where nothing can go wrong before it would be looked at anyway.
    Gate plan_gate(const EdgePlan& plan) {
        Test test{p_.zero_cell, p_.zero_cell, plan.never ? 0u : Test::kEqual};
        if (plan.guard < 0 && plan.tests > 0) {
            test = plan_.tests[at(plan.first_test)];
        }
        if (plan.guard < 0 && plan.steady && !plan.never) {
            const ChannelPlace& channel = p_.channels[at(plan.channel)];
            const bool buffered = channel.capacity > 0 && channel.broadcast == 0;
            if (plan.sync == static_cast<std::int32_t>(Sync::Receive)) {
                test = {channel.length, p_.zero_cell, buffered ? Test::kGreater : 0u};
            } else if (buffered && (p_.flags & kLossy) == 0) {
                test = {channel.length, constant_cell(channel.capacity), Test::kLess};
            }
        }
        return {test, plan.rank};
    }

    std::int32_t constant_cell(std::int32_t value) {
        const auto found = std::find(plan_.constants.begin(), plan_.constants.end(), value);
        const auto position = static_cast<std::int32_t>(found - plan_.constants.begin());
        if (found == plan_.constants.end()) {
            plan_.constants.push_back(value);
        }
        return p_.zero_cell + position;
    }

    // Values that only have to be fetched.
    void read_values(const EdgeRow& edge, EdgePlan& plan) {
        plan.first_source = static_cast<std::int32_t>(plan_.sources.size());
        plan_.sources.insert(plan_.sources.end(), at(edge.values), p_.zero_cell);
        if (edge.values_block >= 0) {
            const Instruction* ins = p_.code.data() + edge.values_block;
            for (; op_of(*ins) == Op::MOVE; ++ins) {
                const std::int32_t position = ins->a - edge.first_value;
                const bool clean = ins->b < edge.first_value || ins->b >= edge.first_value + edge.values;
                if (position < 0 || position >= edge.values || !clean) {
                    break;
                }
                plan_.sources[at(plan.first_source + position)] = ins->b;
            }
            if (op_of(*ins) != Op::RETURN_TRUE) {
                plan_.sources.resize(at(plan.first_source));
                plan.first_source = -1;
            }
        }
        const bool channelled = edge.is(Sync::Send) || edge.is(Sync::Receive);
        plan.steady = channelled && plan.channel >= 0 && plan.first_source >= 0 &&
                      (!edge.is(Sync::Send) || always_fits(edge, plan));
    }

    bool always_fits(const EdgeRow& edge, const EdgePlan& plan) const {
        const ChannelPlace& channel = p_.channels[at(plan.channel)];
        for (std::int32_t i = 0; i < channel.fields; ++i) {
            const Domain& domain = p_.domains[at(p_.field_domains[at(channel.first_domain + i)])];
            const std::int32_t source = i < edge.values ? plan_.sources[at(plan.first_source + i)] : p_.zero_cell;
            if (domain.wrap == 0 && !fits(source, domain)) {
                return false;
            }
        }
        return true;
    }

    bool fits(std::int32_t cell, const Domain& domain) const {
        std::int32_t low = 0;
        std::int32_t high = 0;
        const std::int32_t constant = cell - p_.state_cells;
        if (constant < 0) {
            low = p_.low[at(cell)];
            high = p_.high[at(cell)];
        } else if (at(constant) < p_.constants.size()) {
            low = high = p_.constants[at(constant)];
        } else if (cell != p_.zero_cell) {
            return false;
        }
        return low >= domain.low && high <= domain.high;
    }

    // The cells that sending to or receiving from a channel changes; those of all channels if it is not known which.
    void mark_messages(std::int32_t known) {
        for (std::size_t i = 0; i < p_.channels.size(); ++i) {
            const ChannelPlace& channel = p_.channels[i];
            if (channel.capacity == 0 || (known >= 0 && at(known) != i)) {
                continue;
            }
            written_.push_back({channel.length, 1});
            written_.push_back({channel.base, channel.capacity * channel.fields});
        }
    }

    // What is written after every step whatever its edges are.
    void mark_afterthoughts() {
        if (p_.last >= 0) {
            written_.push_back({p_.last, 1});
        }
        for (const auto& row : p_.hidden) {
            written_.push_back({row[0], 1});
        }
    }

    bool touches_goal() const {
        const auto touches = [this](const CellRange& range) {
            const auto first = p_.goal_reads.begin() + range.first;
            return std::find(first, first + range.count, 1) != first + range.count;
        };
        return p_.goal >= 0 && std::any_of(written_.begin(), written_.end(), touches);
    }

    // Every cycle of one process has such a location, where it is entered. A cycle in which several hand control to
    // each other may have none that is asked; it ends where runs nest too deep.
    void find_meetings() {
        std::vector<int> ways(p_.locations.size(), 0);
        for (const Body& body : p_.bodies) {
            ++ways[at(body.first_location + body.initial_location)];
            for (std::int32_t i = body.first_location; i < body.first_location + body.locations; ++i) {
                const LocationRow& row = p_.locations[at(i)];
                for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                    ++ways[at(body.first_location + p_.edges[at(edge)].target)];
                }
            }
        }
        for (std::size_t i = 0; i < ways.size(); ++i) {
            plan_.locations[i].meeting = ways[i] > 1;
        }
    }

    LocationPlan plan_location(const LocationRow& row) {
        LocationPlan plan{row.first_edge, row.first_edge + row.edges, row.flags, 0, false};
        plan_.has_committed = plan_.has_committed || (row.flags & kCommitted) != 0;
        for (std::int32_t i = plan.first_edge; i < plan.end_edge; ++i) {
            const EdgeRow& edge = p_.edges[at(i)];
            if (edge.is(Sync::Receive) && !plan_.edges[at(i)].never) {
                plan.listens |= edge.channel_block >= 0 ? ~std::uint64_t{0} : listening_bit(edge.channel);
            }
        }
        while (plan.end_edge > plan.first_edge && plan_.edges[at(plan.end_edge - 1)].never) {
            --plan.end_edge;
        }
        return plan;
    }
};

} // namespace

Plan make_plan(const Program& program) { return Planner(program).make(); }

} // namespace beeline
