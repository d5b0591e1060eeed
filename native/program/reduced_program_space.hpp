// The space of a compiled network with its reductions: symmetry below, so that partial-order reduction asks about
// representatives.
#pragma once

#include "por/reduced_space.hpp"
#include "program/program_space.hpp"
#include "symmetry/quotient_space.hpp"

#include <memory>
#include <utility>

namespace beeline {

// One type for all combinations, each of which every search would have to be compiled for.
using ReducedProgramSpace = ReducedSpace<QuotientSpace<ProgramSpace>>;

// Either may be null.
inline ReducedProgramSpace reduced(std::shared_ptr<ProgramSpace> space, std::shared_ptr<Reducer> reducer,
                                   std::shared_ptr<Canonicaliser> symmetry) {
    auto quotient = std::make_shared<QuotientSpace<ProgramSpace>>(std::move(space), std::move(symmetry));
    return {std::move(quotient), std::move(reducer)};
}

} // namespace beeline
