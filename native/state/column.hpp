// One fact per state (depth, estimate, flags), kept beside the store by the search that needs it.
#pragma once

#include "state/region.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace beeline {

template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit Column(MemoryAccount& account) : region_(account) {}

    // Makes room for the fact of state `index`; false if the budget refuses. New facts read as zero.
    bool ensure(std::size_t index) { return region_.ensure((index + 1) * sizeof(T)); }
    T& operator[](std::size_t index) { return data()[index]; }
    const T& operator[](std::size_t index) const { return data()[index]; }
    void release() { region_.release(); }
    T* data() const { return reinterpret_cast<T*>(region_.data()); }

private:
    Region region_;
};

} // namespace beeline
