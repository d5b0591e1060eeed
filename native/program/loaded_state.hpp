// The state that is expanded, and the machine's cells as far as they have its values.
//
// Steps that are known can do without cells, so the words alone are loaded first. Between expansions the cells keep the
// values that they had last, and most words are the same again: unpacking takes the changed words only.
#pragma once

#include "program/step_cache.hpp"
#include "state/hash.hpp"
#include "vm/at.hpp"
#include "vm/machine.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace beeline {

class LoadedState {
public:
    explicit LoadedState(Machine& machine) : machine_(machine) { use_layout(); }

    // After the machine has changed to another layout of the program.
    void use_layout() {
        program_ = machine_.program;
        loaded_.assign(program_->words + kSpareWords, 0);
        unpacked_.resize(program_->words);
        sum_ = 0;
        is_unpacked_ = knows_cells_ = false;
    }
    void load(const Word* state) {
        for (std::size_t w = 0; w < program_->words; ++w) {
            if (state[w] != loaded_[w]) {
                sum_ += hash_difference(program_->hash_keys[w], loaded_[w], state[w]);
                loaded_[w] = state[w];
                changed_ |= StepCache::bit_of(w);
            }
        }
        is_unpacked_ = false;
    }
    // Gives the cells the values of the state.
    void unpack() {
        if (!is_unpacked_) {
            unpack_now();
        }
    }
    // The end of the expansion: what the machine has changed is taken back.
    void unload() {
        if (is_unpacked_) {
            machine_.undo(0);
            knows_cells_ = true;
        }
    }

    const Word* words() const { return loaded_.data(); }
    std::uint64_t sum() const { return sum_; }
    // A cell of the state, whether it is unpacked or not.
    std::int32_t value(std::int32_t cell) const { return program_->packing[at(cell)].value(loaded_.data()); }
    // The words that changed since the last `settle`, as a set of StepCache.
    std::uint64_t changed() const { return changed_; }
    void settle() { changed_ = 0; }

private:
    void unpack_now() {
        if (knows_cells_) {
            program_->unpack_changed(loaded_.data(), unpacked_.data(), machine_.cells.data());
        } else {
            machine_.log.clear();
            program_->unpack(loaded_.data(), machine_.cells.data());
            std::copy_n(loaded_.data(), program_->words, unpacked_.data());
        }
        is_unpacked_ = true;
        knows_cells_ = false; // until `unload`
    }

    Machine& machine_;
    const Program* program_ = nullptr;
    std::vector<Word> loaded_;
    std::uint64_t sum_ = 0;      // of its hash
    bool is_unpacked_ = false;   // whether the machine's cells have its values
    std::vector<Word> unpacked_; // the state whose values they have between expansions,
    bool knows_cells_ = false;   // if there is one
    std::uint64_t changed_ = 0;
};

} // namespace beeline
