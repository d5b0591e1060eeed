// What directed searches are asked for.
#include "bind/register.hpp"
#include "search/anytime.hpp"
#include "search/frontier.hpp"
#include "search/ida_star.hpp"
#include "search/race.hpp"
#include "search/walk.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace beeline {
namespace {

using Estimators = std::vector<std::shared_ptr<Estimator>>;

template <class E>
E named(const std::string& name, std::initializer_list<std::pair<const char*, E>> all) {
    for (const auto& [text, value] : all) {
        if (name == text) {
            return value;
        }
    }
    throw std::invalid_argument("'" + name + "' is not a choice here");
}

void require_estimators(const Estimators& estimators) {
    for (const auto& estimator : estimators) {
        if (estimator == nullptr) {
            throw std::invalid_argument("an estimator is missing");
        }
    }
}

void make_best_first(BestFirstOptions* place, Estimators estimators, const std::string& priority,
                     const std::string& patience, std::uint32_t weight, bool prune, bool reopen, bool lazy,
                     bool preferred, bool late_penalty, std::uint32_t boost, const std::string& ties,
                     std::uint64_t seed, std::uint32_t learn, std::uint32_t novelty, bool types,
                     std::shared_ptr<Contexts> contexts) {
    require_estimators(estimators);
    BestFirstOptions options;
    options.estimators = std::move(estimators);
    options.priority = named<Priority>(priority, {{"estimate", Priority::kEstimate},
                                                  {"sum", Priority::kSum},
                                                  {"useless", Priority::kUseless},
                                                  {"context", Priority::kContext}});
    options.patience = named<Patience>(
        patience, {{"first", Patience::kFirst}, {"popped", Patience::kPopped}, {"never", Patience::kNever}});
    options.weight = weight;
    options.prune = prune;
    options.reopen = reopen;
    options.lazy = lazy;
    options.preferred = preferred;
    options.late_penalty = late_penalty;
    options.boost = boost;
    options.ties = named<Ties>(ties, {{"fifo", Ties::kFifo}, {"lifo", Ties::kLifo}, {"random", Ties::kRandom}});
    options.seed = seed;
    options.learn = learn;
    options.novelty = novelty;
    options.types = types;
    options.contexts = std::move(contexts);
    if (options.priority == Priority::kContext && options.contexts == nullptr) {
        throw std::invalid_argument("a search by contexts needs them");
    }
    const bool is_plain = !lazy && !preferred && novelty == 0 && !types && options.estimators.size() == 1;
    if (options.priority != Priority::kEstimate && !is_plain) {
        throw std::invalid_argument(
            "only a search by the estimate alone can be lazy, prefer, or have several open lists");
    }
    if (novelty > Novelty::kMostWidth) {
        throw std::invalid_argument("novelty is known up to width 2");
    }
    new (place) BestFirstOptions(std::move(options));
}

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::class_<BestFirstOptions>(module, "BestFirst", "How a best-first search orders states and when it ends.")
        .def("__init__", &make_best_first, nb::arg("estimators"), nb::kw_only(), nb::arg("priority") = "estimate",
             nb::arg("patience") = "first", nb::arg("weight") = 1, nb::arg("prune") = false, nb::arg("reopen") = false,
             nb::arg("lazy") = false, nb::arg("preferred") = false, nb::arg("late_penalty") = false,
             nb::arg("boost") = 1000, nb::arg("ties") = "fifo", nb::arg("seed") = 0, nb::arg("learn") = 0,
             nb::arg("novelty") = 0, nb::arg("types") = false, nb::arg("contexts").none() = nb::none());
    nb::class_<AnytimeOptions>(module, "Anytime", "How to find a first violation, and how to make it shorter.")
        .def(
            "__init__",
            [](AnytimeOptions* place, const BestFirstOptions& directed, std::shared_ptr<Estimator> bound,
               std::shared_ptr<Estimator> blind, std::uint32_t covered, std::uint32_t improve, std::uint64_t ahead) {
                require_estimators({blind});
                new (place) AnytimeOptions{directed, std::move(bound), std::move(blind), covered, improve, ahead};
            },
            nb::arg("directed"), nb::kw_only(), nb::arg("bound").none(), nb::arg("blind"), nb::arg("covered"),
            nb::arg("improve") = 100, nb::arg("ahead") = AnytimeOptions{}.ahead);
    nb::class_<Rival>(module, "Rival",
                      "What races beside another search: a best-first one, or by a seed a depth-first one.")
        .def(
            "__init__",
            [](Rival* place, std::string name, const std::variant<BestFirstOptions, std::uint64_t>& way) {
                new (place) Rival{std::move(name), way};
            },
            nb::arg("name"), nb::arg("way"))
        .def_ro("name", &Rival::name);
    nb::class_<IdaStarOptions>(module, "IdaStar", "How iterative deepening A* grows its bound, and what it keeps.")
        .def(
            "__init__",
            [](IdaStarOptions* place, std::shared_ptr<Estimator> estimator, bool prune, std::uint32_t step,
               unsigned log_bits, bool bits_by_depth) {
                require_estimators({estimator});
                if (step == 0 || (log_bits != 0 && (log_bits < 10 || log_bits > 44))) {
                    throw std::invalid_argument("the step must be at least 1, and the bits between 2^10 and 2^44");
                }
                new (place) IdaStarOptions{std::move(estimator), prune, step, log_bits, bits_by_depth};
            },
            nb::arg("estimator"), nb::kw_only(), nb::arg("prune") = false, nb::arg("step") = 1, nb::arg("log_bits") = 0,
            nb::arg("bits_by_depth") = false);
    nb::class_<WalkOptions>(module, "Walk", "How random walks are guided.")
        .def(
            "__init__",
            [](WalkOptions* place, std::shared_ptr<Estimator> estimator, std::uint64_t seed, std::uint32_t restarts,
               std::uint32_t tries, std::uint32_t length) {
                require_estimators({estimator});
                if (tries == 0 || length == 0) {
                    throw std::invalid_argument("a walk needs tries and a length");
                }
                WalkOptions options;
                options.estimator = std::move(estimator);
                options.seed = seed;
                options.restarts = restarts;
                options.tries = tries;
                options.length = length;
                new (place) WalkOptions(std::move(options));
            },
            nb::arg("estimator"), nb::kw_only(), nb::arg("seed") = 0, nb::arg("restarts") = 100, nb::arg("tries") = 20,
            nb::arg("length") = 16);
}

} // namespace beeline
