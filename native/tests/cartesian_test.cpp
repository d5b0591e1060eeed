// Cartesian abstractions and shared costs of whole models: what the sanitizers look at, and that limits never make an
// estimate larger than the exact one.
#include "abstraction/partition_estimator.hpp"
#include "abstraction/patterns.hpp"
#include "abstraction/subtasks.hpp"
#include "tests/check.hpp"
#include "tests/programs.hpp"

namespace {

using namespace beeline;

struct Model {
    std::shared_ptr<const FactoredTask> task;
    std::vector<Word> initial;
};

std::vector<Model> models() {
    std::vector<Model> all;
    for (const std::filesystem::path& file : test::programs("plain")) {
        const auto program = test::read_program(file);
        Allowance allowance;
        Model model{std::make_shared<FactoredTask>(std::make_shared<const Task>(program, false), allowance),
                    std::vector<Word>(program->words)};
        program->pack(program->initial.data(), model.initial.data());
        all.push_back(std::move(model));
    }
    return all;
}

std::int32_t exact_distance(const Model& model) {
    Allowance allowance;
    AbstractionOptions options;
    options.states = 100000;
    return Abstraction(*model.task, options, allowance).estimate(model.initial.data());
}

PartitionParts all_parts(const Model& model) {
    Allowance allowance;
    PartitionParts parts(model.task);
    AbstractionOptions composed;
    composed.states = 20;
    composed.labelled = true;
    parts.add(Abstraction(*model.task, composed, allowance));
    for (const Pattern& pattern : small_patterns(*model.task, 1000, 5)) {
        parts.add(pattern_database(*model.task, pattern, {100000, 100000, true}, allowance));
    }
    std::vector<CartesianAim> aims = goal_aims(*model.task);
    for (CartesianAim& aim : landmark_aims(*model.task, allowance)) {
        aims.push_back(std::move(aim));
    }
    for (const CartesianAim& aim : aims) {
        CartesianOptions options;
        options.states = 30;
        options.labelled = true;
        parts.add(CartesianAbstraction(*model.task, aim, options, allowance));
    }
    return parts;
}

} // namespace

TEST(cartesian_abstraction_of_every_model_is_at_most_the_exact_one_and_grows_with_its_states) {
    for (const Model& model : models()) {
        const std::int32_t most = exact_distance(model);
        for (const SplitChoice choice : {SplitChoice::kRefined, SplitChoice::kCoarse, SplitChoice::kFirst}) {
            std::int32_t before = 0;
            for (const std::int32_t states : {1, 5, 50, 1000}) {
                Allowance allowance;
                CartesianOptions options;
                options.states = states;
                options.choice = choice;
                const CartesianAbstraction made(*model.task, aim_of(*model.task), options, allowance);
                CHECK(made.states() <= states);
                const std::int32_t said = made.estimate(model.initial.data());
                CHECK(said >= before);
                CHECK(said <= most);
                CHECK(!made.is_exact() || said == most);
                before = said;
            }
        }
    }
}

TEST(shared_costs_of_every_model_say_at_most_the_exact_distance) {
    for (const Model& model : models()) {
        const std::int32_t most = exact_distance(model);
        for (const Saturation saturation : {Saturation::kGeneral, Saturation::kNonNegative}) {
            for (const bool online : {false, true}) {
                Allowance allowance;
                OrderOptions options;
                options.samples = 20;
                options.rounds = 20;
                options.swaps = 3;
                PartitionEstimator made(all_parts(model), saturation, options, online, allowance);
                const std::int32_t said = made.estimate(model.initial.data());
                CHECK(said > 0);
                CHECK(said <= most);
                CHECK_EQUAL(made.estimate(model.initial.data()), said);
            }
        }
    }
}
