#include "zone/federation.hpp"

#include <algorithm>

namespace beeline::zone {

void Federation::add(const Bound* dbm) {
    const std::size_t size = dim_ * dim_;
    bounds_.resize(bounds_.size() + size);
    std::copy(dbm, dbm + size, bounds_.data() + bounds_.size() - size);
}

// For every bound of `dbm` that cuts the zone: the part beyond it is left, and the part within it is cut further.
void Federation::subtract(const Bound* dbm) {
    const std::size_t size = dim_ * dim_;
    before_.swap(bounds_);
    bounds_.clear();
    for (std::size_t z = 0; z < before_.size(); z += size) {
        rest_.assign(before_.begin() + static_cast<std::ptrdiff_t>(z),
                     before_.begin() + static_cast<std::ptrdiff_t>(z + size));
        if (!meet(rest_.data(), dbm, dim_)) {
            add(rest_.data());
            continue;
        }
        for (std::size_t i = 0; i < dim_; ++i) {
            for (std::size_t j = 0; j < dim_; ++j) {
                const Bound bound = dbm[i * dim_ + j];
                if (i == j || bound == kInfinity || rest_[i * dim_ + j] <= bound) {
                    continue;
                }
                piece_ = rest_;
                if (constrain(piece_.data(), dim_, j, i, complement(bound))) {
                    add(piece_.data());
                }
                constrain(rest_.data(), dim_, i, j, bound); // not empty, since the zones meet
            }
        }
    }
}

void Federation::intersect(const Bound* dbm) {
    const std::size_t size = dim_ * dim_;
    before_.swap(bounds_);
    bounds_.clear();
    for (std::size_t z = 0; z < before_.size(); z += size) {
        piece_.assign(before_.begin() + static_cast<std::ptrdiff_t>(z),
                      before_.begin() + static_cast<std::ptrdiff_t>(z + size));
        if (zone::intersect(piece_.data(), dbm, dim_)) {
            add(piece_.data());
        }
    }
}

bool merge(Bound* dbm, const Bound* other, std::size_t dim) {
    std::vector<Bound> hull(dbm, dbm + dim * dim);
    widen_to(hull.data(), other, dim);
    Federation gap(dim);
    gap.add(hull.data());
    gap.subtract(dbm);
    gap.subtract(other);
    if (!gap.empty()) {
        return false;
    }
    std::copy(hull.begin(), hull.end(), dbm);
    return true;
}

} // namespace beeline::zone
