// Work on a range that can be shared out: `by(count, part)` calls part(first, end) for parts of 0 .. count that do not
// overlap, and returns when all are done.
#pragma once

#include <cstddef>

namespace beeline {

// What one thread does when there are no others.
struct ByOne {
    template <class Part>
    void operator()(std::size_t count, const Part& part) const {
        part(std::size_t{0}, count);
    }
};

} // namespace beeline
