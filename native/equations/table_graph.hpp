// A system of boolean equations that is given as a table. Several ranks may share it, with the variables dealt out in
// turn.
#pragma once

#include "equations/boolean_graph.hpp"
#include "state/word.hpp"

#include <stdexcept>
#include <utility>

namespace beeline {

class TableGraph {
public:
    struct Equation {
        bool is_disjunction;
        std::uint32_t block;
        std::uint32_t rank;
        std::vector<Variable> successors;
    };

    TableGraph(std::vector<Equation> equations, std::vector<BlockKind> kinds, std::uint32_t ranks = 1)
        : equations_(std::move(equations)), kinds_(std::move(kinds)), ranks_(ranks) {
        for (const Equation& equation : equations_) {
            check(equation);
        }
    }

    std::size_t size() const { return equations_.size(); }
    std::size_t blocks() const { return kinds_.size(); }
    BlockKind kind(std::size_t block) const { return kinds_[block]; }
    std::size_t block(Variable variable) const { return equations_[variable].block; }
    std::uint32_t rank(Variable variable) const { return equations_[variable].rank; }
    bool is_disjunction(Variable variable) const { return equations_[variable].is_disjunction; }
    std::uint32_t estimate(Variable) const { return 0; }
    Decided successors(Variable variable, std::vector<Variable>& out) const {
        const std::vector<Variable>& all = equations_[variable].successors;
        out.insert(out.end(), all.begin(), all.end());
        return Decided::kOpen;
    }

    // See SharedGraph.
    std::size_t key_words() const { return 1; }
    void write_key(Variable variable, Word* out) const { *out = variable; }
    std::uint32_t owner(Variable variable) const { return variable % ranks_; }
    Variable variable_of(const Word* key) const {
        if (*key >= size()) {
            throw std::invalid_argument("there is no such variable");
        }
        return *key;
    }

private:
    void check(const Equation& equation) const {
        if (equation.block >= kinds_.size()) {
            throw std::invalid_argument("an equation is in a block that is not there");
        }
        for (const Variable successor : equation.successors) {
            if (successor >= equations_.size() || equations_[successor].block < equation.block) {
                throw std::invalid_argument("an equation depends on one of an earlier block, or on none");
            }
        }
    }

    std::vector<Equation> equations_;
    std::vector<BlockKind> kinds_;
    std::uint32_t ranks_;
};

} // namespace beeline
