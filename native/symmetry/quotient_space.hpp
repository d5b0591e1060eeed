// A space of a compiled program by symmetry: one state stands for all that differ from it in the names of
// interchangeable things only.
#pragma once

#include "space/wrapper.hpp"
#include "state/hash.hpp"
#include "symmetry/canonicaliser.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace beeline {

template <CompiledSpace Inner>
class QuotientSpace : public SameStates<QuotientSpace<Inner>, Inner> {
    using Base = SameStates<QuotientSpace, Inner>;

public:
    // Every state stands for itself without a canonicaliser.
    QuotientSpace(std::shared_ptr<Inner> inner, std::shared_ptr<Canonicaliser> symmetry)
        : Base(std::move(inner)), symmetry_(std::move(symmetry)) {}
    QuotientSpace(std::shared_ptr<Inner> inner, const QuotientSpace& other)
        : QuotientSpace(std::move(inner), other.symmetry_ == nullptr ? nullptr : other.symmetry_->clone()) {}

    void initial(SuccessorBuffer& out) {
        const std::size_t first = out.size();
        this->inner().initial(out);
        take_representatives(out, first);
    }

    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        const std::size_t first = out.size();
        const std::uint32_t marks = this->inner().expand(state, out);
        mark_back(state, out, first);
        take_representatives(out, first);
        if (symmetry_ != nullptr && symmetry_->counts()) {
            symmetry_->count(this->inner().program(), state);
        }
        return marks;
    }

    // See TallyingSpace: how many states were represented so far.
    double tally() const { return symmetry_ == nullptr ? 0 : symmetry_->represented(); }
    void put_back(double represented) {
        if (symmetry_ != nullptr) {
            symmetry_->put_back(represented);
        }
    }

private:
    // Afterwards it could not be told: a step to another state may have the same representative.
    void mark_back(const Word* state, SuccessorBuffer& out, std::size_t first) {
        if ((this->inner().program().flags & kStuttering) == 0) {
            return;
        }
        for (std::size_t i = first; i < out.size(); ++i) {
            if ((out.arc(i).marks & kError) == 0 && std::equal(state, state + this->words(), out.state(i))) {
                out.arc(i).marks |= kBack;
            }
        }
    }

    void take_representatives(SuccessorBuffer& out, std::size_t first) {
        if (symmetry_ == nullptr) {
            return;
        }
        for (std::size_t i = first; i < out.size(); ++i) {
            if ((out.arc(i).marks & kError) == 0 && symmetry_->apply(this->inner().program(), out.state(i))) {
                out.set_hash(i, hash_words(out.state(i), this->words()));
            }
        }
    }

    std::shared_ptr<Canonicaliser> symmetry_;
};

} // namespace beeline
