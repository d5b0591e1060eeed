#include "gpu/expansion_writer.hpp"

#include "vm/at.hpp"

#include <algorithm>

namespace beeline {

namespace {

// Partners of one process are told by a set of bits.
constexpr std::size_t kMostPartners = 64;
// States with more ways to choose partners are left to the engine.
constexpr int kMostCombinations = 100000;

} // namespace

std::string ExpansionWriter::write() {
    owners_.resize(program_.edges.size());
    origins_.resize(program_.edges.size());
    for (std::size_t i = 0; i < program_.bodies.size(); ++i) {
        const Body& body = program_.bodies[i];
        for (std::int32_t place = body.first_location; place < body.first_location + body.locations; ++place) {
            const LocationRow& row = program_.locations[at(place)];
            for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                owners_[at(edge)] = static_cast<std::int32_t>(i);
                origins_[at(edge)] = place;
            }
        }
    }
    for (const Body& body : program_.bodies) {
        process(body);
    }
    return say(bodies_.write(), "STEP void expand(const State& s, Lane& x) {\n  const State& t = s; (void)t;\n", text_,
               "}\n");
}

void ExpansionWriter::process(const Body& body) {
    std::string cases;
    for (std::int32_t i = 0; i < body.locations; ++i) {
        const std::int32_t flags = program_.plan.locations[at(body.first_location + i)].flags;
        const bool inside = (flags & kDeterministic) != 0;
        const Ways all = inside && i != body.initial_location ? Ways{} : ways(body, body.first_location + i);
        if (all.empty()) {
            continue; // nobody rests in the middle of a deterministic region
        }
        cases += say("      case ", i, ":\n");
        if (body.provided >= 0 && !inside) {
            cases += say("        if (k == 0 && done == 0) { r = provided_", &body - program_.bodies.data(),
                         "(s, x.timeout); open = r == YES; if (r != LEFT) r = NO; }\n");
        }
        cases += all.size() > 1 ? "        switch (k) {\n" : "";
        for (std::size_t way = 0; way < all.size(); ++way) {
            cases += all.size() > 1 ? say("        case ", way, ": {\n", all[way], "        break; }\n")
                                    : say("        {\n", all[way], "        }\n");
        }
        cases += all.size() > 1 ? "        }\n" : "";
        cases += say("        if (!again) { done = 0; ++k; }\n        more = again || (open && k < ", all.size(),
                     ");\n        break;\n");
    }
    if (cases.empty()) {
        return;
    }
    const ProcessPlace& place = program_.processes[at(body.number)];
    text_ += say("  { // process ", body.number, ", kind ", body.kind,
                 "\n    const int32_t here = ", bodies_.value(place.location),
                 "; (void)here;\n    int k = 0; uint32_t done = 0; bool more = x.active && (x.only < 0 || x.only == ",
                 body.number, ") && ", bodies_.value(place.tag), " == ", body.kind + 1,
                 ", open = true, go = true, any = false; (void)go; (void)any;\n"
                 "    while (VOTE(more)) {\n      State t = s; int r = NO; bool again = false;\n"
                 "      if (more) { more = false; switch (here) {\n",
                 cases, "      } }\n      arrive(x, r, t);\n    }\n  }\n");
}

// In the order of edges: those of a higher rank are possible only where none before were.
ExpansionWriter::Ways ExpansionWriter::ways(const Body&, std::int32_t location) {
    const LocationPlan& here = program_.plan.locations[at(location)];
    const MoveWriter& moves = bodies_.moves();
    Ways all;
    std::int32_t rank = here.first_edge < here.end_edge ? moves.plan(here.first_edge).rank : 0;
    for (std::int32_t edge = here.first_edge; edge < here.end_edge; ++edge) {
        const EdgeRow& row = moves.row(edge);
        if (moves.plan(edge).never) {
            continue;
        }
        Ways own;
        if (moves.may_go_alone(edge)) {
            alone(own, edge);
        }
        if (row.is(Sync::Together) || (row.is(Sync::Send) && moves.may_broadcast(edge))) {
            casting(own, edge);
        }
        if (row.is(Sync::Send) && moves.may_shake(edge)) {
            shaking(own, edge);
        }
        if (!own.empty()) {
            own[0] = say(moves.plan(edge).rank != rank ? "          open = open && !any;\n" : "",
                         "          if (done == 0) go = open", (row.flags & kOtherwise) != 0 ? " && !any" : "", ";\n",
                         own[0]);
            rank = moves.plan(edge).rank;
        }
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

bool ExpansionWriter::is_committed(std::int32_t edge) const { return bodies_.is_committed(origins_[at(edge)]); }

// Beside a committed location only steps from such locations count.
std::string ExpansionWriter::is_allowed(const std::string& committed) const {
    if (!program_.plan.has_committed || committed == "1") {
        return "";
    }
    return committed == "0" ? " if (x.committed) r = NO;" : say(" if (x.committed && !(", committed, ")) r = NO;");
}

void ExpansionWriter::alone(Ways& ways, std::int32_t edge) const {
    const std::string run_on = bodies_.is_straight(edge) ? say(" if (r > 0) r = run_on_", body_of(edge), "(t);") : "";
    ways.push_back(say("          if (go) { r = move_", edge, "(t, x.timeout, 0);", run_on, " if (r > 0) r = settle_",
                       body_of(edge), "(t, r); any = any || r != NO;", is_allowed(is_committed(edge) ? "1" : "0"),
                       " }\n"));
}

// One way for each process that may answer. What fails before is told by the first, or by one of its own.
void ExpansionWriter::shaking(Ways& ways, std::int32_t edge) {
    const std::string tell = say("any = any || r != NO;", is_allowed(is_committed(edge) ? "1" : "0"));
    const std::string offer = say("          Message f; int32_t number = 0, place = 0; int fine = YES; (void)fine;\n"
                                  "          int offered = go ? offer_",
                                  edge,
                                  "(s, x.timeout, f, number, place) : NO; if (offered > 0 && is_broadcast(place)) "
                                  "offered = NO;\n");
    Ways all;
    for (std::int32_t other = 0; other < static_cast<std::int32_t>(program_.processes.size()); ++other) {
        const BodyWriter::Partners partners = bodies_.partners(other, edge);
        if (other == program_.number_of_edge[at(edge)] || partners.empty()) {
            continue;
        }
        all.push_back(
            partners.size() > kMostPartners
                ? "          if (offered > 0) { r = LEFT; any = true; }\n"
                : say("          if (offered > 0) {\n            uint64_t found = ", bodies_.listen(other, edge),
                      "(s, x.timeout, f, number, fields_of(place), fine);\n            if (fine < 0) { r = fine; ",
                      tell, " }\n            else if (found >> done != 0) {\n", meeting(edge, other, partners),
                      "            }\n          }\n"));
    }
    if (all.empty()) {
        all.push_back("");
    }
    all[0] = say("          if (offered < 0) { r = offered; ", tell, " }\n", all[0]);
    for (const std::string& one : all) {
        ways.push_back(offer + one);
    }
}

// The next of those who take the message: `done` tells up to which bit they had their turn.
std::string ExpansionWriter::meeting(std::int32_t edge, std::int32_t process, const BodyWriter::Partners& all) {
    const bool both = (program_.flags & kCommittedTogether) != 0;
    const bool first = is_committed(edge);
    std::string text = "              const int chosen = (int)done + NTH(found >> done, 0); any = true;\n"
                       "              done = (uint32_t)chosen + 1u; again = done < 64u && found >> done != 0;\n";
    std::string theirs = "0";
    for (std::size_t i = 0; i < all.size(); ++i) {
        theirs += bodies_.is_committed(all[i].location) ? say(" || chosen == ", i) : "";
    }
    if (bodies_.has_many_pairs()) {
        const bool receivers_first = (program_.flags & kReceiversFirst) != 0;
        const std::string partner = say("if (r > 0) r = ", bodies_.answer(process, edge), "(t, f, chosen, ");
        const bool idle = bodies_.moves().row(edge).effect < 0;
        const std::string own = idle ? "" : say("if (r > 0) r = effect_", edge, "(t); ");
        text += say("              r = YES; ",
                    idle || receivers_first ? partner + "3); " + own : partner + "1); " + own + partner + "2); ",
                    "if (r > 0) r = go_", edge, "(t); ", partner, "4); ",
                    bodies_.is_straight(edge) ? say("if (r > 0) r = run_on_", body_of(edge), "(t); ") : "", partner,
                    "8);\n");
    } else {
        text += "              switch (chosen) {\n";
        for (std::size_t i = 0; i < all.size(); ++i) {
            text += say("              case ", i, ": r = ", bodies_.shake(body_of(edge), edge, all[i]),
                        "(t, f); if (r > 0) r = settle_", all[i].body, "(t, r); break;\n");
        }
        text += "              }\n";
    }
    const std::string hurried = both ? (first ? theirs : "0") : (first ? "1" : theirs);
    return say(text, "             ", is_allowed(hurried), "\n");
}

// Whether a process, by its number, knows a label.
std::string ExpansionWriter::knows(std::int32_t process, std::int32_t label) const {
    const auto& members = program_.label_members[at(label)];
    std::string text = "0";
    for (const Body& one : program_.bodies) {
        if (one.number == process && at(one.kind) < members.size() && members[at(one.kind)] != 0) {
            text += say(" || ", bodies_.value(program_.processes[at(process)].tag), " == ", one.kind + 1);
        }
    }
    return text;
}

// A broadcast, or a step of all who know a label: one edge of each who has some, in all combinations, of which `done`
// counts those that had their turn.
void ExpansionWriter::casting(Ways& ways, std::int32_t edge) {
    const std::int32_t own = program_.number_of_edge[at(edge)];
    const MoveWriter& moves = bodies_.moves();
    const bool labelled = moves.row(edge).is(Sync::Together);
    const bool all_committed = (program_.flags & kCommittedTogether) != 0;
    BodyWriter::Groups groups;
    std::string asking, counting, choosing, names;
    std::string hurried = is_committed(edge) ? "1" : "0";
    for (std::int32_t other = 0; other < static_cast<std::int32_t>(program_.processes.size()); ++other) {
        const std::string member = labelled && other != own ? knows(other, moves.row(edge).label) : "0";
        if (other == own || (labelled && member == "0")) {
            continue;
        }
        const BodyWriter::Partners all = bodies_.partners(other, edge);
        if (labelled && (other < own || all.empty())) { // the one with the lowest number begins, and nobody is left out
            asking += say("          if (offered > 0 && (", member, ")) offered = NO;\n");
            continue;
        }
        if (all.empty()) {
            continue;
        }
        if (all.size() > kMostPartners) {
            ways.push_back("          if (go) r = LEFT;\n");
            return;
        }
        const std::string found = say("found_", other);
        const std::string chosen = say("c", other);
        asking += say("          uint64_t ", found, " = 0; if (offered > 0 && fine > 0) ", found, " = ",
                      bodies_.listen(other, edge), "(s, x.timeout, f, number, fields_of(place), fine);\n");
        if (labelled) {
            asking += say("          if (offered > 0 && fine > 0 && (", member, ") && !", found, ") offered = NO;\n");
        }
        counting += say("          if (", found, ") total *= COUNT(", found, ");\n");
        choosing += say("            int ", chosen, " = -1; if (", found, ") { const uint32_t n = COUNT(", found, "); ",
                        chosen, " = NTH(", found, ", rest % n); rest /= n; }\n");
        names += say(", ", chosen);
        std::string theirs = "0";
        for (std::size_t i = 0; i < all.size(); ++i) {
            theirs += bodies_.is_committed(all[i].location) ? say(" || ", chosen, " == ", i) : "";
        }
        hurried = all_committed ? say("(", hurried, ") && (", chosen, " < 0 || ", theirs, ")")
                                : say("(", hurried, ") || ", theirs);
        groups.emplace_back(other, all);
    }
    const std::string offering = labelled ? say("offered = guard_", edge, "(s, x.timeout);")
                                          : say("offered = offer_", edge, "(s, x.timeout, f, number, place); if (",
                                                moves.may_shake(edge) ? "offered < 0 || " : "", // which `shaking` tells
                                                "(offered > 0 && !is_broadcast(place))) offered = NO;");
    ways.push_back(say(
        "          Message f; int32_t number = 0, place = 0; int offered = NO, fine = YES; if (go) { ", offering,
        " }\n", asking,
        "          if (offered > 0 && fine < 0) offered = fine;\n          any = any || offered != NO;\n",
        "          if (offered < 0) { r = offered;", is_allowed(is_committed(edge) ? "1" : "0"), " }\n",
        "          uint64_t total = offered > 0;\n", counting, "          if (total > ", kMostCombinations,
        "u) { r = LEFT; total = 0; }\n          if (done < total) {\n            uint32_t rest = done++; (void)rest; "
        "again = done < total;\n",
        choosing, "            r = ", bodies_.cast(body_of(edge), edge, groups), "(t, f", names, ");",
        is_allowed(hurried), "\n          }\n"));
}

} // namespace beeline
