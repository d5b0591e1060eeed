// Solves boolean equation systems locally: only what one variable depends on is looked at, and only until it is decided
// (Joubert and Mateescu, Distributed on-the-fly model checking and test case generation, SPIN 2006).
//
// Values go back along dependencies as soon as they are known: one absorbing value decides a variable (true a
// disjunction, false a conjunction), and so do the values of all that it depends on. The highest block that somebody
// waits for works first. When it has nothing left to look at, it is closed: what is undecided gets the block's default,
// or is a parity game. All that is decided stays so when new questions come to a block later.
#pragma once

#include "equations/boolean_graph.hpp"
#include "equations/parity_game.hpp"
#include "search/monitor.hpp"
#include "search/open_list.hpp"
#include "state/column.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

namespace beeline {

// In which order undecided variables are looked at: the nearest to the question first, the one with the least estimate,
// the least sum of both, or the latest.
enum class SolveOrder : std::uint8_t { kNearest, kEstimate, kSum, kLatest };

struct SolveOptions {
    SolveOrder order = SolveOrder::kNearest;
    Ties ties = Ties::kFifo;
    std::uint64_t seed = 0;
};

struct SolveCounts {
    std::uint64_t variables = 0;    // that were mentioned
    std::uint64_t expanded = 0;     // that were looked at
    std::uint64_t dependencies = 0; // that were kept, to tell values
    std::uint64_t closings = 0;     // of blocks
};

// What is outside of a solver that has the whole system: nothing.
struct NothingOutside {
    bool is_foreign(Variable) const { return false; }
    void ask(Variable, std::uint32_t /*depth*/) {}
    void tell(Variable, bool /*value*/) {}
};

// Some variables may be `outside`: it is asked for their values, and tells them by `learn`. It is told what is decided.
template <BooleanGraph G, class Outside = NothingOutside>
class EquationSolver {
public:
    EquationSolver(G& graph, MemoryAccount& account, const SolveOptions& options, Outside outside = {})
        : graph_(graph), outside_(outside), options_(options), facts_(account), links_(account),
          members_(graph.blocks()), wanted_(graph.blocks(), 0) {
        const Ties ties = options.order == SolveOrder::kLatest ? Ties::kLifo : options.ties;
        for (std::size_t block = 0; block < graph.blocks(); ++block) {
            queues_.push_back(std::make_unique<OpenList>(account, ties, options.seed));
        }
    }

    // Until the variable is decided: kFound then, or why it ended before. `pulse` is asked after each expansion.
    template <class Pulse>
    Status solve(Variable root, Pulse&& pulse) {
        want(mention(root, 0));
        while (!is_decided(root)) {
            const std::size_t block = working_block();
            if (queues_[block]->empty()) {
                close(block);
            } else {
                expand_next_of(block);
            }
            if (const Status status = pulse(); status != Status::kRunning) {
                return status;
            }
        }
        return Status::kFound;
    }

    // For solvers that share a system: they decide together which block is closed.

    // Somebody waits for the variable. Whether it is decided already.
    bool want(Variable variable, std::uint32_t depth) {
        want(mention(variable, depth));
        return is_decided(variable);
    }

    // From outside.
    void learn(Variable variable, bool value) {
        if (!is_decided(variable)) {
            decide(variable, value, kNoVariable);
            propagate();
        }
    }

    // Looks at a variable of the highest block that has one. False if there is none.
    bool expand_next() {
        for (std::size_t block = queues_.size(); block-- > 0;) {
            if (!queues_[block]->empty()) {
                expand_next_of(block);
                return true;
            }
        }
        return false;
    }

    // How many variables are still to be looked at, if they are open then.
    std::size_t waiting() const { return waiting_; }

    // How many blocks there are up to the highest one with an open variable.
    std::size_t open_blocks() {
        for (std::size_t block = members_.size(); block-- > 0;) {
            drop_decided(block);
            if (!members_[block].empty()) {
                return block + 1;
            }
        }
        return 0;
    }

    // Nothing else decides the open variables of this block, here or outside, and no higher block has any. Whoever
    // shares the system closes the block at the same time, and is not told.
    void close(std::size_t block) {
        ++counts_.closings;
        drop_decided(block);
        if (graph_.kind(block) == BlockKind::kMixed) {
            play(members_[block]);
        } else {
            for (const Variable variable : members_[block]) {
                settle(variable, graph_.kind(block) == BlockKind::kGreatest, kNoVariable);
            }
        }
        members_[block].clear();
        propagate();
    }

    bool is_decided(Variable variable) const { return (facts_[variable].flags & kDecided) != 0; }
    bool value(Variable variable) const { return (facts_[variable].flags & kTrue) != 0; }
    const SolveCounts& counts() const { return counts_; }

    // The variables whose values are a reason for the value of one that is decided: a single one where that is enough,
    // none where none is needed.
    std::vector<Variable> reasons(Variable variable) {
        std::vector<Variable> all;
        if (graph_.successors(variable, all) != Decided::kOpen) {
            return {};
        }
        if (value(variable) != graph_.is_disjunction(variable)) {
            return all;
        }
        if (facts_[variable].why != kNoVariable) {
            return {facts_[variable].why};
        }
        // Decided when its block was closed: the way through equal values may go on for ever.
        for (const Variable successor : all) {
            if (is_decided(successor) && value(successor) == value(variable)) {
                return {successor};
            }
        }
        return {};
    }

private:
    enum Flag : std::uint32_t { kMentioned = 1, kDecided = 2, kTrue = 4, kWanted = 8 };
    static constexpr std::uint32_t kNoLink = 0; // links are numbered from 1

    struct Fact {
        std::uint32_t flags;
        std::uint32_t pending;    // values that are still awaited
        std::uint32_t first_link; // of those that wait for this one
        std::uint32_t depth;      // from the variable that another block asked for
        Variable why;             // the one whose value decided this one
    };
    struct Link {
        Variable dependant;
        std::uint32_t next;
    };

    std::size_t working_block() const {
        std::size_t block = wanted_.size() - 1;
        while (wanted_[block] == 0) {
            --block; // somebody waits for the root
        }
        return block;
    }

    Variable mention(Variable variable, std::uint32_t depth) {
        if (!facts_.ensure(variable)) {
            throw std::bad_alloc();
        }
        Fact& fact = facts_[variable];
        if ((fact.flags & kMentioned) == 0) {
            fact = {kMentioned, 0, kNoLink, depth, kNoVariable};
            ++counts_.variables;
            const std::size_t block = graph_.block(variable);
            members_[block].push_back(variable);
            if (outside_.is_foreign(variable)) {
                outside_.ask(variable, depth);
            } else if (!queues_[block]->push(key(variable, depth), variable)) {
                throw std::bad_alloc();
            } else {
                ++waiting_;
            }
        }
        return variable;
    }

    Key key(Variable variable, std::uint32_t depth) {
        switch (options_.order) {
        case SolveOrder::kNearest:
            return depth;
        case SolveOrder::kEstimate:
            return Key{graph_.estimate(variable)} << 32 | depth;
        case SolveOrder::kSum:
            return Key{graph_.estimate(variable)} + depth;
        case SolveOrder::kLatest:
            break;
        }
        return 0;
    }

    void want(Variable variable) {
        Fact& fact = facts_[variable];
        if ((fact.flags & (kDecided | kWanted)) == 0) {
            fact.flags |= kWanted;
            ++wanted_[graph_.block(variable)];
        }
    }

    void expand_next_of(std::size_t block) {
        --waiting_;
        expand(queues_[block]->pop());
    }

    void expand(Variable variable) {
        if (is_decided(variable)) {
            return;
        }
        ++counts_.expanded;
        successors_.clear();
        const Decided known = graph_.successors(variable, successors_);
        const bool absorbing = graph_.is_disjunction(variable);
        if (known != Decided::kOpen) {
            decide(variable, known == Decided::kTrue, kNoVariable);
        } else if (successors_.empty()) {
            decide(variable, !absorbing, kNoVariable);
        } else if (!decide_by_known(variable, absorbing)) {
            wait_for_successors(variable);
        }
        propagate();
    }

    // One value that is known already may be enough.
    bool decide_by_known(Variable variable, bool absorbing) {
        for (const Variable successor : successors_) {
            if (!facts_.ensure(successor)) {
                throw std::bad_alloc();
            }
            if (is_decided(successor) && value(successor) == absorbing) {
                decide(variable, absorbing, successor);
                return true;
            }
        }
        return false;
    }

    void wait_for_successors(Variable variable) {
        const std::size_t block = graph_.block(variable);
        const std::uint32_t depth = facts_[variable].depth + 1;
        std::uint32_t pending = 0;
        for (const Variable successor : successors_) {
            const bool inside = graph_.block(successor) == block;
            mention(successor, inside ? depth : 0);
            if (is_decided(successor)) {
                continue;
            }
            if (!inside) {
                want(successor);
            }
            link(variable, successor);
            ++pending;
        }
        facts_[variable].pending = pending;
        if (pending == 0) {
            decide(variable, !graph_.is_disjunction(variable), kNoVariable);
        }
    }

    void link(Variable dependant, Variable awaited) {
        const auto number = static_cast<std::uint32_t>(++counts_.dependencies);
        if (number == 0 || !links_.ensure(number)) {
            throw std::bad_alloc();
        }
        links_[number] = {dependant, facts_[awaited].first_link};
        facts_[awaited].first_link = number;
    }

    void decide(Variable variable, bool value, Variable why) {
        settle(variable, value, why);
        outside_.tell(variable, value);
    }

    void settle(Variable variable, bool value, Variable why) {
        Fact& fact = facts_[variable];
        if ((fact.flags & kWanted) != 0) {
            --wanted_[graph_.block(variable)];
        }
        fact.flags |= value ? kDecided | kTrue : kDecided;
        fact.why = why;
        untold_.push_back(variable);
    }

    // Tells all that wait for what was decided.
    void propagate() {
        while (!untold_.empty()) {
            const Variable variable = untold_.back();
            untold_.pop_back();
            for (std::uint32_t at = facts_[variable].first_link; at != kNoLink; at = links_[at].next) {
                tell(links_[at].dependant, variable);
            }
        }
    }

    void tell(Variable dependant, Variable variable) {
        if (is_decided(dependant)) {
            return;
        }
        const bool absorbing = graph_.is_disjunction(dependant);
        if (value(variable) == absorbing) {
            decide(dependant, absorbing, variable);
        } else if (--facts_[dependant].pending == 0) {
            decide(dependant, !absorbing, kNoVariable);
        }
    }

    void drop_decided(std::size_t block) {
        std::erase_if(members_[block], [this](Variable variable) { return is_decided(variable); });
    }

    // Whatever was decided did not matter to those that are still open: they are a game among themselves.
    void play(const std::vector<Variable>& variables) {
        std::unordered_map<Variable, ParityGame::Position> positions;
        for (const Variable variable : variables) {
            positions.emplace(variable, static_cast<ParityGame::Position>(positions.size()));
        }
        ParityGame game;
        for (const Variable variable : variables) {
            game.add(graph_.is_disjunction(variable), graph_.rank(variable));
            successors_.clear();
            graph_.successors(variable, successors_);
            for (const Variable successor : successors_) {
                if (!is_decided(successor)) {
                    game.add_edge(positions.at(successor));
                }
            }
        }
        game.solve();
        for (std::size_t i = 0; i < variables.size(); ++i) {
            const auto position = static_cast<ParityGame::Position>(i);
            const bool value = game.is_even(position);
            const bool chooses = value == graph_.is_disjunction(variables[i]);
            settle(variables[i], value, chooses ? variables[game.choice(position)] : kNoVariable);
        }
    }

    G& graph_;
    Outside outside_;
    SolveOptions options_;
    Column<Fact> facts_;
    Column<Link> links_;
    std::vector<std::unique_ptr<OpenList>> queues_; // by block: variables to look at
    std::vector<std::vector<Variable>> members_;    // by block: those that may be open
    std::vector<std::uint64_t> wanted_;             // by block: open variables that others wait for
    std::size_t waiting_ = 0;
    std::vector<Variable> successors_, untold_;
    SolveCounts counts_;
};

} // namespace beeline
