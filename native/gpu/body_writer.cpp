#include "gpu/body_writer.hpp"

#include "gpu/monitor_writer.hpp"
#include "vm/at.hpp"
#include "vm/machine.hpp"

#include <algorithm>
#include <set>

namespace beeline {

namespace {

// Above this number of pairs of edges that may meet, they have no code of their own.
constexpr std::size_t kMostPairs = 150;

} // namespace

std::string BodyWriter::write() {
    functions_ = moves_.channel_at() + functions_;
    return moves_.dialect().tables() + functions_;
}

BodyWriter::BodyWriter(const Program& program) : program_(program), moves_(program) {
    count_pairs();
    starts();
    watching();
    functions_ += moves_.goal();
    for (const Body& body : program_.bodies) {
        functions_of(body);
    }
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(program_.bodies.size()); ++i) {
        run_on(i);
        can_begin(i);
        settle(i);
    }
    ends();
}

void BodyWriter::watching() {
    const std::string control = program_.control >= 0 ? value(program_.control) : "-1";
    functions_ += say("STEP int32_t control_of(const State& t) { (void)t; return ", control, "; }\n",
                      MonitorWriter(program_, moves_).write());
}

void BodyWriter::count_pairs() {
    std::size_t sends = 0, receives = 0, pairs = 0;
    std::map<std::int32_t, std::pair<std::size_t, std::size_t>> by_channel; // those whose channel is known
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(program_.edges.size()); ++i) {
        auto& [here, there] = by_channel[moves_.plan(i).channel];
        const bool known = moves_.plan(i).channel >= 0;
        if (moves_.may_offer(i)) {
            ++(known ? here : sends);
        } else if (moves_.may_hear(i)) {
            ++(known ? there : receives);
        }
    }
    for (const auto& [channel, both] : by_channel) {
        pairs += both.first * (both.second + receives) + sends * both.second;
    }
    has_many_pairs_ = pairs + sends * receives > kMostPairs;
}

// Functions of edges and bodies

void BodyWriter::functions_of(const Body& body) {
    if (body.provided >= 0) {
        functions_ += moves_.provided(body_index(body));
    }
    for (std::int32_t i = 0; i < body.locations; ++i) {
        const LocationPlan& here = program_.plan.locations[at(body.first_location + i)];
        for (std::int32_t edge = here.first_edge; edge < here.end_edge; ++edge) {
            edge_functions(edge);
        }
    }
}

void BodyWriter::edge_functions(std::int32_t edge) {
    const EdgeRow& row = moves_.row(edge);
    if (moves_.may_go_alone(edge)) {
        functions_ += moves_.move(edge);
    }
    if (moves_.may_offer(edge)) {
        functions_ += moves_.offer(edge);
    }
    if (moves_.may_hear(edge)) {
        functions_ += moves_.hear(edge) + moves_.bind(edge);
    }
    if (row.is(Sync::Together)) {
        functions_ += moves_.guard(edge);
    }
    if (moves_.may_offer(edge) || moves_.may_hear(edge) || row.is(Sync::Together)) {
        functions_ += moves_.effect(edge) + moves_.go(edge);
    }
}

void BodyWriter::starts() {
    std::set<std::pair<std::int32_t, std::int32_t>> kinds;
    for (const Instruction& ins : program_.plan.code) {
        if (static_cast<Op>(ins.op) == Op::START) {
            kinds.insert({ins.b, ins.d});
        }
    }
    for (const auto& [kind, parameters] : kinds) {
        functions_ += moves_.start(kind, parameters);
    }
}

// As StepTaker::run_on: first possible edges, through a region that is deterministic.
void BodyWriter::run_on(std::int32_t index) {
    const Body& body = program_.bodies[at(index)];
    std::string cases;
    for (std::int32_t i = 0; i < body.locations; ++i) {
        const LocationPlan& here = program_.plan.locations[at(body.first_location + i)];
        if ((here.flags & kDeterministic) == 0) {
            continue;
        }
        cases += say("    case ", i, ":\n");
        for (std::int32_t edge = here.first_edge; edge < here.end_edge; ++edge) {
            const EdgeRow& row = moves_.row(edge);
            if (row.is(Sync::Together) || moves_.may_offer(edge)) {
                cases += "      return LEFT;\n";
                break;
            }
            if (moves_.may_go_alone(edge)) {
                cases += say("      r = move_", edge, "(t, 0, 0); if (r < 0) return r;\n      if (r > 0) { ",
                             is_straight(edge) ? "break;" : "return r;", " }\n");
            }
        }
        cases += "      if (r <= 0) return FAILED;\n      break;\n";
    }
    if (!cases.empty()) {
        functions_ +=
            say("RARE int run_on_", index, "(State& t) {\n  for (int32_t moves = 0; moves < ", Machine::kLoopLimit,
                "; ++moves) {\n    int r = NO;\n    switch (", value(program_.processes[at(body.number)].location),
                ") {\n", cases, "    default: return LEFT;\n    }\n  }\n  return FAILED;\n}\n");
    }
}

bool BodyWriter::keeps(std::int32_t edge) const {
    return program_.control >= 0 && (moves_.row(edge).flags & (kKeepsControl | kTerminates)) == kKeepsControl;
}

bool BodyWriter::keeps_control(std::int32_t index) const {
    const Body& body = program_.bodies[at(index)];
    for (std::int32_t i = 0; program_.control >= 0 && i < body.locations; ++i) {
        const LocationPlan& here = program_.plan.locations[at(body.first_location + i)];
        for (std::int32_t edge = here.first_edge; edge < here.end_edge; ++edge) {
            if ((moves_.row(edge).flags & kKeepsControl) != 0) {
                return true;
            }
        }
    }
    return false;
}

// Whether an edge can begin a step, as statements that return if it can.
std::string BodyWriter::ask_edge(std::int32_t edge) {
    const EdgeRow& row = moves_.row(edge);
    std::string text;
    const std::string answer = "if (r != NO) return r == LEFT ? LEFT : YES; ";
    if (moves_.may_go_alone(edge)) {
        text += say("      r = move_", edge, "(t, 0, 1); ", answer, "\n");
    }
    if (row.is(Sync::Together)) {
        text += say("      if (guard_", edge, "(t, 0) != NO) return LEFT;\n"); // depends on all others
    }
    if (moves_.may_offer(edge)) {
        text +=
            say("      { Message f; int32_t number = 0, place = 0; int fine = YES; r = offer_", edge,
                "(t, 0, f, number, place);\n", "      if (r == FAILED || (r > 0 && is_broadcast(place))) return YES;\n",
                "      if (r == LEFT) return LEFT;\n      if (r > 0) {\n");
        for (std::size_t other = 0; other < program_.processes.size(); ++other) {
            const std::string name = listen(static_cast<std::int32_t>(other), edge);
            if (!name.empty()) {
                text += say("        if (", name,
                            "(t, 0, f, number, fields_of(place), fine) != 0 || fine == FAILED) return YES;\n"
                            "        if (fine == LEFT) return LEFT;\n");
            }
        }
        text += "      } }\n";
    }
    return text;
}

void BodyWriter::can_begin(std::int32_t index) {
    if (!keeps_control(index)) {
        return;
    }
    const Body& body = program_.bodies[at(index)];
    std::string cases;
    for (std::int32_t i = 0; i < body.locations; ++i) {
        const LocationPlan& here = program_.plan.locations[at(body.first_location + i)];
        if (here.first_edge == here.end_edge) {
            continue;
        }
        cases += say("    case ", i, ":\n");
        if (body.provided >= 0 && (here.flags & kDeterministic) == 0) {
            cases += say("      r = provided_", index, "(t, 0); if (r != YES) return r == LEFT ? LEFT : NO;\n");
        }
        for (std::int32_t edge = here.first_edge; edge < here.end_edge; ++edge) {
            cases += ask_edge(edge);
        }
        cases += "      return NO;\n";
    }
    functions_ +=
        say("RARE int can_begin_", index, "(State& t) {\n  int r = NO; (void)r;\n  switch (",
            value(program_.processes[at(body.number)].location), ") {\n", cases, "    default: return NO;\n  }\n}\n");
}

// As StepTaker::settle: after a step whose last mover is a process of this body.
void BodyWriter::settle(std::int32_t index) {
    const Body& body = program_.bodies[at(index)];
    const PackedDialect& dialect = moves_.dialect();
    std::string text;
    if (program_.last >= 0) {
        text += say("  ", dialect.put(program_.last, say(body.number), "return LEFT;"), "\n");
    }
    if (program_.control >= 0) {
        if (keeps_control(index)) {
            text += say("  if (r == KEEPS && ", value(program_.processes[at(body.number)].tag), " == ", body.kind + 1,
                        ") {\n    ", dialect.put(program_.control, say(body.number), "return LEFT;"),
                        "\n    const int able = can_begin_", index, "(t);\n    if (able != NO) return able;\n  }\n");
        }
        text += say("  ", dialect.put(program_.control, "-1", "return LEFT;"), "\n");
    }
    for (const auto& row : program_.hidden) {
        text += say("  ", dialect.put(row[0], number(row[1]), "return LEFT;"), "\n");
    }
    functions_ += say("STEP int settle_", index, "(State& t, int r) {\n  (void)r;\n", text, "  return YES;\n}\n");
}

// What is known of whole states.
void BodyWriter::ends() {
    std::string rests = "1";
    std::string committed = "0";
    for (const Body& body : program_.bodies) {
        const ProcessPlace& place = program_.processes[at(body.number)];
        std::vector<std::uint8_t> busy, urgent;
        for (std::int32_t i = 0; i < body.locations; ++i) {
            busy.push_back((program_.plan.locations[at(body.first_location + i)].flags & kEnd) == 0);
            urgent.push_back(is_committed(body.first_location + i));
        }
        const std::string is_it = say(value(place.tag), " == ", body.kind + 1, " && ");
        rests += say(" && !(", is_it, moves_.dialect().is_among(busy, value(place.location)), ")");
        const std::string hurry = moves_.dialect().is_among(urgent, value(place.location));
        committed += hurry == "0" ? "" : say(" || (", is_it, hurry, ")");
    }
    functions_ += say("STEP int rests_at_end(const State& t) { return ", rests, "; }\n",
                      "STEP int somebody_is_committed(const State& t) { return ", committed, "; }\n");
}

// Partners

bool BodyWriter::is_committed(std::int32_t location) const {
    return (program_.plan.locations[at(location)].flags & kCommitted) != 0;
}

bool BodyWriter::may_take(std::int32_t edge, std::int32_t other) const {
    const EdgeRow& row = moves_.row(edge);
    if (row.is(Sync::Together)) {
        return moves_.row(other).is(Sync::Together) && moves_.row(other).label == row.label;
    }
    if (!moves_.may_hear(other)) {
        return false;
    }
    const std::int32_t mine = moves_.plan(edge).channel;
    const std::int32_t theirs = moves_.plan(other).channel;
    return mine < 0 || theirs < 0 || mine == theirs;
}

BodyWriter::Partners BodyWriter::partners(std::int32_t process, std::int32_t edge) const {
    Partners all;
    for (const Body& body : program_.bodies) {
        if (body.number != process) {
            continue;
        }
        for (std::int32_t i = 0; i < body.locations; ++i) {
            const LocationPlan& here = program_.plan.locations[at(body.first_location + i)];
            for (std::int32_t other = here.first_edge; other < here.end_edge; ++other) {
                if (may_take(edge, other)) {
                    all.push_back({body_index(body), body.first_location + i, other});
                }
            }
        }
    }
    return all;
}

// The name of the function that tells which receives of a process take what an edge sends; none if there are none.
std::string BodyWriter::listen(std::int32_t process, std::int32_t edge) {
    const Partners all = partners(process, edge);
    if (process == program_.number_of_edge[at(edge)] || all.empty()) {
        return "";
    }
    const std::string text = listen_text(process, all, moves_.row(edge).is(Sync::Together));
    return named(
        listeners_, has_many_pairs_ ? "RARE uint64_t listen_" : "STEP uint64_t listen_",
        "(const State& t, const int32_t timeout, const Message& f, const int32_t number, const int32_t fields, "
        "int& fine)",
        text);
}

// As StepFinder::listening, or for edges with a label as StepFinder::labelled.
std::string BodyWriter::listen_text(std::int32_t process, const Partners& all, bool labelled) {
    const ProcessPlace& place = program_.processes[at(process)];
    std::string text = "  uint64_t found = 0; int r = NO; (void)r;\n";
    for (std::size_t i = 0; i < all.size();) {
        const Body& body = program_.bodies[at(all[i].body)];
        const std::int32_t here = all[i].location;
        text += say("  if (", value(place.tag), " == ", body.kind + 1, " && ", value(place.location),
                    " == ", here - body.first_location, ") {\n");
        if (body.provided >= 0) {
            text += say("    r = provided_", all[i].body,
                        "(t, timeout); if (r == LEFT) fine = LEFT; if (r != YES) return 0;\n");
        }
        for (std::size_t first = i; i < all.size() && all[i].location == here; ++i) {
            if (!labelled && i > first && moves_.plan(all[i].edge).rank != moves_.plan(all[i - 1].edge).rank) {
                text += "    if (found) return found;\n";
            }
            text += labelled ? say("    r = guard_", all[i].edge, "(t, timeout);")
                             : say("    r = hear_", all[i].edge, "(t, timeout, f, number, fields);");
            text += say(" if (r < 0) { fine = r; return 0; } if (r > 0) found |= 1ull << ", i, ";\n");
        }
        text += "    return found;\n  }\n";
    }
    return text + "  return 0;\n";
}

// Steps of several

// The name of the function by which a partner does its part, or parts of it.
std::string BodyWriter::answer(std::int32_t process, std::int32_t edge) {
    const Partners all = partners(process, edge);
    std::string text = "  int r = YES;\n  switch (k) {\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int32_t other = all[i].edge;
        text +=
            say("  case ", i, ":\n    if (stages & 1) r = bind_", other,
                "(t, f);\n    if (r > 0 && (stages & 2)) r = effect_", other,
                "(t);\n    if (r > 0 && (stages & 4)) r = go_", other, "(t);\n    if (r > 0 && (stages & 8)) { r = ",
                is_straight(other) ? say("run_on_", all[i].body, "(t)")
                : keeps(other)     ? "KEEPS"
                                   : "YES",
                "; if (r > 0) r = settle_", all[i].body, "(t, r); }\n    return r;\n");
    }
    return named(answers_, "RARE int answer_", "(State& t, const Message& f, const int k, const int stages)",
                 text + "  default: return LEFT;\n  }\n");
}

std::string BodyWriter::named(std::map<std::string, std::string>& known, const std::string& head,
                              const std::string& parameters, const std::string& text) {
    const std::string name = head.substr(head.rfind(' ') + 1);
    const auto [place, fresh] = known.try_emplace(text, say(name, known.size()));
    if (fresh) {
        functions_ += say(head, known.size() - 1, parameters, " {\n", text, "}\n");
    }
    return place->second;
}

std::string BodyWriter::shake(std::int32_t body, std::int32_t index, const Partner& partner) {
    const bool receivers_first = (program_.flags & kReceiversFirst) != 0;
    const std::int32_t first = receivers_first ? partner.edge : index;
    const std::int32_t second = receivers_first ? index : partner.edge;
    std::string text = say("  int r = bind_", partner.edge, "(t, f);\n  if (r > 0) r = effect_", first,
                           "(t);\n  if (r > 0) r = effect_", second, "(t);\n  if (r > 0) r = go_", index,
                           "(t);\n  if (r > 0) r = go_", partner.edge, "(t);\n");
    if (is_straight(index)) {
        text += say("  if (r > 0) r = run_on_", body, "(t);\n");
    }
    text += keeps(partner.edge) ? "  if (r > 0) r = KEEPS;\n" : "  if (r > 0) r = YES;\n";
    if (is_straight(partner.edge)) {
        text += say("  if (r > 0) r = run_on_", partner.body, "(t);\n");
    }
    const std::string name = say("shake_", index, "_", partner.edge);
    functions_ += say("STEP int ", name, "(State& t, const Message& f) {\n", text, "  return r;\n}\n");
    return name;
}

// In place, and who goes on after it: the partner with the highest number.
std::string BodyWriter::cast(std::int32_t body, std::int32_t index, const Groups& groups) {
    const bool labelled = moves_.row(index).is(Sync::Together);
    const auto result = [&](std::int32_t edge) { return !labelled && keeps(edge) ? "KEEPS" : "YES"; };
    std::string head = say("RARE int cast_", index, "(State& t, const Message& f");
    std::string binds, goes, runs;
    std::string effects;
    std::set<std::int32_t> movers{body};
    for (const auto& [other, all] : groups) {
        head += say(", const int c", other);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::int32_t edge = all[i].edge;
            const std::string chosen = say("  if (r > 0 && c", other, " == ", i, ") ");
            binds += labelled ? "" : say(chosen, "r = bind_", edge, "(t, f);\n");
            effects += say(chosen, "r = effect_", edge, "(t);\n");
            goes += say(chosen, "r = go_", edge, "(t);\n");
            const std::string on = is_straight(edge) ? say("run_on_", all[i].body, "(t)") : result(edge);
            runs += say("  if (last > 0 && c", other, " == ", i, ") { last = ", on, "; mover = ", all[i].body, "; }\n");
            movers.insert(all[i].body);
        }
    }
    const std::string own = say("  if (r > 0) r = effect_", index, "(t);\n");
    std::string settling;
    for (const std::int32_t mover : movers) {
        settling += say("  case ", mover, ": return settle_", mover, "(t, last);\n");
    }
    functions_ +=
        say(head, ") {\n  int r = YES, mover = ", body, "; (void)f;\n", binds,
            (program_.flags & kReceiversFirst) != 0 ? effects + own : own + effects, "  if (r > 0) r = go_", index,
            "(t);\n", goes,
            "  if (r < 0) return r;\n  int last = ", is_straight(index) ? say("run_on_", body, "(t)") : result(index),
            ";\n", runs, "  if (last < 0) return last;\n  switch (mover) {\n", settling,
            "  default: return LEFT;\n  }\n}\n");
    return say("cast_", index);
}

} // namespace beeline
