// Ranks that share random systems of equations agree with a solver that has all of one.
#include "equations/equation_share.hpp"
#include "equations/table_graph.hpp"
#include "tests/check.hpp"

#include <algorithm>
#include <memory>
#include <random>

namespace beeline {
namespace {

struct System {
    std::vector<TableGraph::Equation> equations;
    std::vector<BlockKind> kinds;
};

System random_system(std::mt19937& random) {
    const std::uint32_t size = 1 + random() % 12, blocks = 1 + random() % 3;
    System system;
    for (std::uint32_t block = 0; block < blocks; ++block) {
        system.kinds.push_back(random() % 2 == 0 ? BlockKind::kLeast : BlockKind::kGreatest);
    }
    for (std::uint32_t i = 0; i < size; ++i) {
        system.equations.push_back({random() % 2 == 0, i * blocks / size, 0, {}});
    }
    for (TableGraph::Equation& equation : system.equations) {
        for (std::uint32_t left = random() % 4; left > 0; --left) {
            const Variable successor = random() % size;
            if (system.equations[successor].block >= equation.block) {
                equation.successors.push_back(successor);
            }
        }
    }
    return system;
}

bool alone(const System& system, Variable root) {
    TableGraph graph(system.equations, system.kinds);
    MemoryAccount account;
    EquationSolver<TableGraph> solver(graph, account, {});
    solver.solve(root, [] { return Status::kRunning; });
    return solver.value(root);
}

// Ranks whose lines arrive at once.
class Together {
public:
    Together(const System& system, std::uint32_t ranks, std::mt19937& random) : random_(random) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            graphs_.push_back(std::make_unique<TableGraph>(system.equations, system.kinds, ranks));
            const RankPlace place{rank, ranks, 1 + random() % 3};
            shares_.push_back(std::make_unique<Share>(*graphs_.back(), account_, SolveOptions(), place));
        }
    }

    bool solve(Variable root) {
        shares_[0]->ask({root});
        while (!shares_[0]->verdict()) {
            if (is_quiet()) {
                close();
            }
            Share& share = *shares_[random_() % shares_.size()];
            share.expand(1);
            deliver(share);
        }
        return shares_[0]->verdict()->first;
    }

private:
    using Share = EquationShare<TableGraph>;

    bool deliver(Share& share) {
        share.flush();
        const bool any = share.any_full();
        while (share.any_full()) {
            const auto [owner, line] = share.take();
            shares_[owner]->accept(line.data(), line.size());
        }
        return any;
    }

    bool is_quiet() {
        bool quiet = true;
        for (const auto& share : shares_) {
            quiet = !deliver(*share) && share->waiting() == 0 && quiet;
        }
        return quiet;
    }

    void close() {
        std::size_t blocks = 0;
        for (const auto& share : shares_) {
            blocks = std::max(blocks, share->open_blocks());
        }
        for (const auto& share : shares_) {
            share->close(blocks - 1);
        }
    }

    std::mt19937& random_;
    MemoryAccount account_;
    std::vector<std::unique_ptr<TableGraph>> graphs_;
    std::vector<std::unique_ptr<Share>> shares_;
};

TEST(ranks_that_share_a_system_agree_with_one_that_has_all_of_it) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const System system = random_system(random);
        const Variable root = random() % static_cast<std::uint32_t>(system.equations.size());
        CHECK_EQUAL(Together(system, 1 + random() % 4, random).solve(root), alone(system, root));
    }
}

TEST(a_line_that_is_none_of_the_system_is_refused) {
    TableGraph graph({{true, 0, 0, {}}}, {BlockKind::kLeast}, 2);
    MemoryAccount account;
    EquationShare<TableGraph> share(graph, account, SolveOptions(), RankPlace{0, 2, 1});
    for (const std::vector<Word>& line : {std::vector<Word>{0, 1}, {0, 1, 2, 0}, {0, 1, 0, 0}, {0, 2, 1, 0, 1}}) {
        bool refused = false;
        try {
            share.accept(line.data(), line.size());
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

} // namespace
} // namespace beeline
