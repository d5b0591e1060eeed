// Which sets of labels the steps of a network are in, as bits.
//
// A label tells the message that a step sends or receives, so that it depends on more than the step's edges, but on few
// cells. What it depends on is remembered with the answer; whoever knows labels is asked once for each such key.
#pragma once

#include "program/program_space.hpp"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace beeline {

class StepSets {
public:
    using Cells = std::vector<std::int32_t>;
    // The sets of a step, given the state in which it begins, the arc, and the state to which it leads (null where it
    // fails).
    using Ask = std::function<Word(const Word* from, const SuccessorBuffer::Arc& arc, const Word* to)>;

    // `cells`: by action, those on which labels of its steps depend.
    StepSets(std::shared_ptr<const Program> program, std::vector<Cells> cells, Ask ask)
        : program_(std::move(program)), cells_(std::move(cells)), ask_(std::move(ask)) {
        for (const Cells& some : cells_) {
            for (const std::int32_t cell : some) {
                if (cell < 0 || static_cast<std::size_t>(cell) >= program_->packing.size()) {
                    throw std::invalid_argument("a label depends on a cell that is not there");
                }
            }
        }
    }

    Word of(const Word* from, const SuccessorBuffer::Arc& arc, const Word* to) {
        if ((arc.marks & kError) != 0) {
            return ask_(from, arc, nullptr); // rare, and what it tells may depend on anything
        }
        key_ = {static_cast<std::int32_t>(arc.action), static_cast<std::int32_t>(arc.detail)};
        add_values(arc.action, from);
        if (arc.detail != 0) {
            add_values(arc.detail - 1, from);
        }
        const auto [found, is_new] = known_.try_emplace(key_, Word{0});
        if (is_new) {
            try {
                found->second = ask_(from, arc, to);
            } catch (...) {
                known_.erase(found);
                throw;
            }
        }
        return found->second;
    }
    std::size_t asked() const { return known_.size(); }

private:
    struct Hash {
        std::size_t operator()(const Cells& key) const {
            std::uint64_t sum = 0x9e3779b97f4a7c15;
            for (const std::int32_t value : key) {
                sum = (sum ^ static_cast<std::uint32_t>(value)) * 0xff51afd7ed558ccd;
                sum ^= sum >> 32;
            }
            return sum;
        }
    };

    void add_values(std::uint32_t action, const Word* state) {
        if (action < cells_.size()) {
            for (const std::int32_t cell : cells_[action]) {
                key_.push_back(program_->packing[static_cast<std::size_t>(cell)].value(state));
            }
        }
    }

    std::shared_ptr<const Program> program_;
    std::vector<Cells> cells_;
    Ask ask_;
    Cells key_;
    std::unordered_map<Cells, Word, Hash> known_;
};

} // namespace beeline
