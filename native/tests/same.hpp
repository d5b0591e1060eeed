// Whether two searches came to the same answer in the same way.
#pragma once

#include "search/outcome.hpp"
#include "tests/check.hpp"

namespace beeline::test {

inline void check_same(const Outcome& one, const Outcome& several) {
    CHECK(one.status == several.status);
    CHECK_EQUAL(one.found, several.found);
    CHECK(one.path.actions == several.path.actions);
    CHECK(one.path.states == several.path.states);
    CHECK_EQUAL(one.error_action, several.error_action);
    CHECK_EQUAL(one.error_detail, several.error_detail);
    const Statistics& a = one.statistics;
    const Statistics& b = several.statistics;
    CHECK_EQUAL(a.stored, b.stored);
    CHECK_EQUAL(a.expanded, b.expanded);
    CHECK_EQUAL(a.generated, b.generated);
    CHECK_EQUAL(a.deadlocks, b.deadlocks);
    CHECK_EQUAL(a.errors, b.errors);
    CHECK_EQUAL(a.goals, b.goals);
    CHECK_EQUAL(a.depth, b.depth);
    CHECK_EQUAL(a.evaluated, b.evaluated);
    CHECK_EQUAL(a.dead_ends, b.dead_ends);
    CHECK_EQUAL(a.reopened, b.reopened);
    CHECK_EQUAL(a.best_estimate, b.best_estimate);
}

} // namespace beeline::test
