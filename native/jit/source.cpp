#include "jit/source.hpp"

#include "jit/function_table.hpp"
#include "jit/interface.hpp"
#include "jit/prelude.hpp"
#include "jit/sieve.hpp"
#include "jit/step_writer.hpp"
#include "vm/at.hpp"

#include <algorithm>
#include <map>

namespace beeline {

namespace {

template <class Rows, class Write>
std::string table(const char* type, const std::string& name, const Rows& rows, Write&& write, const char* last = "0") {
    std::string text = say("static const ", type, " ", name, "[] = {");
    for (const auto& row : rows) {
        text += say(write(row), ", ");
    }
    return text + last + "};\n"; // C knows no empty ones
}

std::string numbers(const Program& program) {
    const auto define = [](const char* name, auto value) { return say("#define ", name, " (", value, ")\n"); };
    const auto kind = [&](const char* name, Error error) { return define(name, static_cast<int>(error)); };
    std::int32_t most = 1;
    for (const LocationRow& location : program.locations) {
        most = std::max(most, location.edges);
    }
    return say(define("CONTROL", program.control), define("LAST", program.last),
               define("HIDDEN", program.hidden.size()), define("MESSAGE", program.message_cell),
               define("MESSAGE_CELLS", program.message_cells + 1), define("PROCESSES", program.processes.size()),
               define("KINDS", program.kinds + 1), define("LOCATIONS", program.locations.size()),
               define("MOST_EDGES", most), define("NETWORK_CHANNELS", program.network_channels),
               define("HAS_OWNED_CHANNELS", program.has_owned_channels ? 1 : 0),
               define("RECEIVERS_FIRST", (program.flags & kReceiversFirst) != 0 ? 1 : 0),
               define("LOOP_LIMIT", Machine::kLoopLimit), define("MOST_NESTED", kMostNested),
               define("HAS_GOAL", program.goal >= 0 ? 1 : 0), define("GOAL", static_cast<int>(kGoal)),
               kind("BLOCKED", Error::Blocked), kind("NO_CHANNEL", Error::Channel), kind("OUT_OF_RANGE", Error::Range),
               kind("ENDLESS", Error::Loop));
}

std::string same(const std::string& text) { return text; }

// By process number and tag.
std::vector<std::string> owned_channels(const Program& program) {
    const std::size_t width = at(program.kinds) + 1;
    std::vector<std::string> rows(program.processes.size() * width, "{0, 0}");
    for (const Body& body : program.bodies) {
        rows[at(body.number) * width + at(body.kind) + 1] = say("{", body.first_channel, ", ", body.channels, "}");
    }
    return rows;
}

std::string tables(const Program& program) {
    const auto channel = [](const ChannelPlace& c) {
        return say("{", c.length, ", ", c.base, ", ", c.capacity, ", ", c.broadcast, ", ", c.first_domain, ", ",
                   c.fields, "}");
    };
    const auto domain = [](const Domain& d) {
        return say("{", number(d.low), ", ", number(d.high), ", ", d.wrap, "}");
    };
    const auto process = [](const ProcessPlace& p) {
        return say("{", p.tag, ", ", p.location, ", ", p.first_cell, ", ", p.end_cell, "}");
    };
    const auto digit = [](auto value) { return say(value != 0 ? "1" : "0"); };
    const auto pair = [](const std::vector<std::int32_t>& row) { return say(number(row[0]), ", ", number(row[1])); };
    std::string text = table("struct channel", "channels", program.channels, channel, "{0}");
    text += table("struct domain", "domains", program.domains, domain, "{0}");
    text += table("struct process", "processes", program.processes, process, "{0}");
    text += table("int32_t", "first_locations", program.plan.first_locations, number);
    text += table("int32_t", "field_domains", program.field_domains, number);
    text += table("int32_t", "lowest", program.low, number);
    text += table("int32_t", "highest", program.high, number);
    text += table("uint8_t", "goal_reads", program.goal_reads, digit);
    text += table("int32_t", "hidden", program.hidden, pair);
    text += table("struct owned", "owned_channels", owned_channels(program), same, "{0}");
    for (std::size_t i = 0; i < program.location_sets.size(); ++i) {
        text += table("uint8_t", say("set", i), program.location_sets[i], digit);
    }
    for (std::size_t i = 0; i < program.pattern_lists.size(); ++i) {
        text += table("uint8_t", say("pattern", i), program.pattern_lists[i], digit);
    }
    return text;
}

// Whether a state is sought. This function is there once, so that its numbers need no marks.
std::string goal(const Program& program) {
    std::string body =
        program.goal < 0 || program.bodies.empty() ? "  return 0;\n" : StepWriter(program, program.bodies[0]).goal();
    std::erase(body, kMark);
    return say("static int goal(struct context* x) {\n", body, "}\n");
}

// All functions of a program.
class Functions {
public:
    explicit Functions(const Program& program) : program_(program), edges_(program.edges.size(), "{0}") {
        for (const Body& body : program.bodies) {
            for (std::int32_t i = 0; i < body.locations; ++i) {
                write(body, body.first_location + i);
            }
        }
    }

    std::string declarations() const {
        return say(table("uint8_t", "meeting", program_.plan.locations,
                         [](const LocationPlan& p) { return say(p.meeting ? 1 : 0); }),
                   table("struct edge", "edges", edges_, same, "{0}"), provided_.declaration(), steps_.declaration(),
                   straight_.declaration(), listening_.declaration(), binds_.declaration(), effects_.declaration());
    }
    std::string text() const {
        return say(provided_.text(), steps_.text(), straight_.text(), listening_.text(), binds_.text(),
                   effects_.text());
    }

    // Processes that are always there, at their only location, are asked by groups: those that no cell keeps from
    // their steps.
    std::string expansion() const {
        const std::vector<std::int32_t> places = fixed_places();
        const auto everyone = static_cast<std::int32_t>(places.size());
        std::string text = "static void expand(struct context* x) {\n  const int32_t* const m = x->cells; (void)m;\n";
        for (std::int32_t pid = 0, end = 0; pid < everyone; pid = end) {
            const bool fixed = places[at(pid)] >= 0;
            const std::int32_t most = fixed ? std::min(everyone, pid + kGroup) : everyone;
            for (end = pid + 1; end < most && (places[at(end)] >= 0) == fixed;) {
                ++end;
            }
            text += fixed ? steps_of_group({places.begin() + pid, places.begin() + end}, pid)
                          : say("  if (!expand_some(x, ", pid, ", ", end, ")) return;\n");
        }
        return text + "}\n";
    }

private:
    static constexpr std::int32_t kGroup = 64;
    // By value of a cell: the processes of a group that may have steps, and those whose guards may fail.
    struct Masks {
        std::vector<std::uint64_t> passing, failing;
    };

    // Processes at these locations, the first of which has this number.
    std::string steps_of_group(const std::vector<std::int32_t>& places, std::int32_t first) const {
        std::uint64_t asked = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const LocationPlan& here = program_.plan.locations[at(places[i])];
            asked |= std::uint64_t{here.first_edge != here.end_edge} << i;
        }
        std::string text =
            say("  {\n", table("int32_t", "places", places, number), "  uint64_t open = ", asked, "u, failing = 0;\n");
        for (const auto& [cell, masks] : masks_of(places)) {
            text += look_up(cell, "open &= ", masks.passing, ~std::uint64_t{0});
            text += look_up(cell, "failing |= ", masks.failing, 0);
        }
        return say(text, "  for (open |= failing; open != 0; open &= open - 1) {\n",
                   "    const int i = __builtin_ctzll(open);\n    x->pid = ", first,
                   " + i;\n    call(x, steps + places[i]);\n  }\n  }\n");
    }

    std::map<std::int32_t, Masks> masks_of(const std::vector<std::int32_t>& places) const {
        std::map<std::int32_t, Masks> masks;
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (const CellSieve& sieve : sieves_of(program_, places[i])) {
                Masks& all = masks[sieve.cell];
                all.passing.resize(sieve.passes.size(), ~std::uint64_t{0});
                all.failing.resize(sieve.passes.size(), 0);
                for (std::size_t value = 0; value < sieve.passes.size(); ++value) {
                    all.passing[value] &= ~(std::uint64_t{!sieve.passes[value]} << i);
                    all.failing[value] |= std::uint64_t{sieve.fails[value]} << i;
                }
            }
        }
        return masks;
    }

    // Nothing where all values have the mask that changes nothing.
    std::string look_up(std::int32_t cell, const char* use, const std::vector<std::uint64_t>& masks,
                        std::uint64_t idle) const {
        if (std::all_of(masks.begin(), masks.end(), [&](std::uint64_t mask) { return mask == idle; })) {
            return "";
        }
        const auto written = [](std::uint64_t mask) { return say(mask, "u"); };
        return say("  {\n", table("uint64_t", "masks", masks, written), "  ", use, "masks[m[", cell, "] - ",
                   number(program_.low[at(cell)]), "];\n  }\n");
    }

    // By process number: the location of a process that is always there and never elsewhere, or -1.
    std::vector<std::int32_t> fixed_places() const {
        std::vector<std::int32_t> found(program_.processes.size(), -1);
        for (std::size_t pid = 0; pid < program_.processes.size(); ++pid) {
            const ProcessPlace& process = program_.processes[pid];
            const bool fixed = has_one_value(program_, process.tag) && has_one_value(program_, process.location);
            const std::int32_t tag = program_.low[at(process.tag)];
            const std::int32_t body = fixed && tag > 0 ? program_.body_of[pid][at(tag)] : -1;
            if (body >= 0 && program_.bodies[at(body)].provided < 0) {
                found[pid] = program_.bodies[at(body)].first_location + program_.low[at(process.location)];
            }
        }
        return found;
    }

    void write(const Body& body, std::int32_t location) {
        const LocationPlan& here = program_.plan.locations[at(location)];
        const bool deterministic = (here.flags & kDeterministic) != 0;
        StepWriter writer(program_, body);
        if (body.provided >= 0 && !deterministic) {
            provided_.put(at(location), writer.provided());
        }
        if (here.first_edge != here.end_edge) {
            steps_.put(at(location), writer.steps(location));
        }
        if (deterministic) {
            straight_.put(at(location), writer.straight(location));
        }
        if (writer.listens(location)) {
            listening_.put(at(location), writer.listening(location));
        }
        for (std::int32_t i = here.first_edge; i < here.end_edge; ++i) {
            write_edge(body, i, writer);
        }
    }

    void write_edge(const Body& body, std::int32_t index, StepWriter& writer) {
        const EdgeRow& edge = program_.edges[at(index)];
        edges_[at(index)] =
            say("{", edge.target, ", ", target_of(program_, body, edge), ", ", keeps_control(program_, edge) ? 1 : 0,
                ", ", (edge.flags & kTerminates) != 0 ? 1 : 0, "}");
        if (writer.may_shake(index) && edge.bind >= 0) {
            binds_.put(at(index), writer.bind(index));
        }
        if (writer.may_shake(index) && edge.effect >= 0) {
            effects_.put(at(index), writer.effect(index));
        }
    }

    const Program& program_;
    std::vector<std::string> edges_;
    FunctionTable provided_{"provided", program_.locations.size()};
    FunctionTable steps_{"steps", program_.locations.size()};
    FunctionTable straight_{"straight", program_.locations.size()};
    FunctionTable listening_{"listening", program_.locations.size()};
    FunctionTable binds_{"binds", program_.edges.size()};
    FunctionTable effects_{"effects", program_.edges.size()};
};

} // namespace

std::string native_source(const Program& program) {
    const Functions functions(program);
    return say(numbers(program), kStructures, tables(program), functions.declarations(), kSteps, goal(program),
               functions.text(), functions.expansion(), "const struct code_table beeline_code = {", kInterface,
               ", LOCATIONS, expand};\n");
}

} // namespace beeline
