// Folded spaces have the representatives of all states, and no others.
#include "program/program_space.hpp"
#include "symmetry/group.hpp"
#include "symmetry/sets.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

#include <set>
#include <stdexcept>
#include <vector>

namespace beeline {
namespace {

using State = std::vector<Word>;

std::unique_ptr<Canonicaliser> canonicaliser(const Program& program, const Tables& tables, std::size_t most) {
    if (tables.rows.contains("members")) {
        return std::make_unique<GroupCanonicaliser>(std::make_shared<GroupTables>(program, tables));
    }
    return std::make_unique<SetCanonicaliser>(std::make_shared<SetTables>(program, tables), most);
}

State representative(Canonicaliser& fold, const Program& program, State state) {
    fold.apply(program, state.data());
    return state;
}

// The states that can be reached, each replaced by its representative if there is something to fold with.
std::set<State> reachable(const std::shared_ptr<const Program>& program, Canonicaliser* fold) {
    ProgramSpace space(program, false);
    SuccessorBuffer out(space.words());
    std::set<State> found;
    std::vector<State> waiting;
    const auto take = [&] {
        for (std::size_t i = 0; i < out.size(); ++i) {
            State state(out.state(i), out.state(i) + out.words());
            if ((out.arc(i).marks & kError) != 0) {
                continue;
            }
            if (fold != nullptr) {
                fold->apply(*program, state.data());
            }
            if (found.insert(state).second) {
                waiting.push_back(state);
            }
        }
        out.clear();
    };
    space.initial(out);
    take();
    while (!waiting.empty()) {
        const State state = waiting.back();
        waiting.pop_back();
        space.expand(state.data(), out);
        take();
    }
    return found;
}

} // namespace

TEST(folded_spaces_have_all_representatives) {
    std::size_t folded = 0;
    for (const std::filesystem::path& file : test::programs("symmetric")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        const Tables tables = test::read_tables(in);
        const auto exact = canonicaliser(*program, tables, 0), quick = canonicaliser(*program, tables, 1);
        const std::set<State> all = reachable(program, nullptr), few = reachable(program, exact.get());
        std::set<State> expected, from_quick;
        const auto clone = exact->clone();
        for (const State& state : all) {
            const State one = representative(*exact, *program, state);
            CHECK(representative(*clone, *program, state) == one);
            CHECK(representative(*exact, *program, one) == one);
            CHECK(representative(*exact, *program, representative(*quick, *program, state)) == one);
            CHECK(exact->orbit(*program, state.data()) >= 1);
            expected.insert(one);
        }
        std::set<State> found;
        for (const State& state : few) {
            found.insert(representative(*exact, *program, state));
        }
        CHECK(found == expected);
        folded += few.size() < all.size() ? 1 : 0;
    }
    CHECK(std::getenv("BEELINE_PROGRAMS") == nullptr || folded > 3);
}

TEST(symmetry_tables_that_make_no_sense_are_refused) {
    for (const std::filesystem::path& file : test::programs("symmetric")) {
        std::ifstream in(file);
        const auto program = std::make_shared<const Program>(test::read_tables(in));
        Tables tables = test::read_tables(in);
        const char* name = tables.rows.contains("members") ? "members" : "cells";
        if (tables.rows[name].empty() || tables.rows[name][0].empty()) {
            continue;
        }
        tables.rows[name][0][0] = 1 << 20;
        bool refused = false;
        try {
            canonicaliser(*program, tables, 0);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

} // namespace beeline
