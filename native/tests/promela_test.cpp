// Random Promela programs, searched in every way that makes use of estimates: faults of memory show under the
// sanitizers.
#include "heuristic/combination.hpp"
#include "heuristic/relaxed_estimator.hpp"
#include "program/program_space.hpp"
#include "search/anytime.hpp"
#include "search/driver.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

#include <filesystem>
#include <memory>

namespace beeline {
namespace {

Outcome search(const std::shared_ptr<const Program>& program, const std::shared_ptr<const Task>& task,
               std::uint64_t ahead, std::size_t sample) {
    ProgramSpace space(program, false, sample);
    AnytimeOptions options;
    options.blind = std::make_shared<BlindEstimator>();
    options.directed.estimators = {std::make_shared<RelaxedEstimator>(task, RelaxedKind::kU), options.blind};
    options.directed.lazy = options.directed.preferred = true;
    options.ahead = ahead;
    Request request;
    request.stop = kError | kDeadlock;
    request.limits.states = 3000;
    return run_search<Anytime>(space, request, options);
}

Outcome breadth_first(const std::shared_ptr<const Program>& program) {
    ProgramSpace space(program, false);
    Request request;
    request.stop = kError | kDeadlock;
    request.limits.states = 3000;
    return run_search<BreadthFirst>(space, request);
}

} // namespace

TEST(random_programs_are_searched_alike_whoever_looks_first) {
    std::size_t found = 0;
    for (const std::filesystem::path& file : test::programs("promela")) {
        const auto program = test::read_program(file);
        const auto task = std::make_shared<const Task>(program, true);
        try {
            const Outcome expected = breadth_first(program);
            for (const std::uint64_t ahead : {0u, 1000u}) {
                for (const std::size_t sample : {16u, 1u << 14}) {
                    const Outcome outcome = search(program, task, ahead, sample);
                    const bool decided = expected.status == Status::kFound || expected.status == Status::kExhausted;
                    CHECK(!decided || outcome.status == expected.status);
                    if (decided && outcome.proven) {
                        CHECK_EQUAL(outcome.path.size() + ((outcome.found & kError) != 0),
                                    expected.path.size() + ((expected.found & kError) != 0));
                    }
                    found += outcome.status == Status::kFound;
                }
            }
        } catch (const TooManyProcesses&) {
        }
    }
    CHECK(found > 0 || test::programs("promela").empty());
}

} // namespace beeline
