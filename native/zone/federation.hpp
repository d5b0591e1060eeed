// Unions of zones, needed where the answer is not convex: what is left of a zone when others are taken away.
#pragma once

#include "zone/dbm.hpp"

#include <cstddef>
#include <vector>

namespace beeline::zone {

// A list of tight, non-empty zones of one dimension. They may overlap unless an operation says otherwise.
class Federation {
public:
    explicit Federation(std::size_t dim) : dim_(dim) {}

    std::size_t dim() const { return dim_; }
    std::size_t size() const { return bounds_.size() / (dim_ * dim_); }
    bool empty() const { return bounds_.empty(); }
    const Bound* operator[](std::size_t i) const { return bounds_.data() + i * dim_ * dim_; }
    Bound* operator[](std::size_t i) { return bounds_.data() + i * dim_ * dim_; }

    void clear() { bounds_.clear(); }
    void add(const Bound* dbm);
    // Takes a zone away; what is left of zones that did not overlap before does not overlap either.
    void subtract(const Bound* dbm);
    // Keeps only what is also in the zone.
    void intersect(const Bound* dbm);

private:
    std::size_t dim_;
    std::vector<Bound> bounds_;
    std::vector<Bound> before_; // scratch
    std::vector<Bound> rest_;
    std::vector<Bound> piece_;
};

// Whether the union of two zones is a zone itself, and then makes `dbm` that.
bool merge(Bound* dbm, const Bound* other, std::size_t dim);

} // namespace beeline::zone
