// A stretch of address space that is reserved once and made usable bit by bit.
//
// It grows without moving or copying, so pointers into it stay good and an index is one multiplication away from its
// record. Only what has been committed counts against the account: untouched address space costs nothing.
#pragma once

#include "state/memory.hpp"

#include <cstddef>

namespace beeline {

class Region {
public:
    explicit Region(MemoryAccount& account) : account_(account) {}
    ~Region() { release(); }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    // Makes at least `bytes` usable (new memory reads as zero); false if the budget or the system refuses.
    bool ensure(std::size_t bytes) { return bytes <= committed_ || grow(bytes, true, true); }
    // The same without memory to spare: for tables, which grow seldom and by much.
    bool ensure_exactly(std::size_t bytes) { return bytes <= committed_ || grow(bytes, true, false); }
    // Without address space to spare either: for what never grows.
    bool ensure_finally(std::size_t bytes) { return bytes <= committed_ || grow(bytes, false, false); }
    // Has the system give the pages of this range now, where it knows how to. Others may use them meanwhile.
    void populate(std::size_t first, std::size_t end) const;
    void release();
    // Makes the contents zero again, keeping the memory.
    void zero();

    std::byte* data() const { return data_; }
    std::size_t committed() const { return committed_; }

private:
    bool reserve(std::size_t at_least, bool grows_later);
    bool extend(std::size_t bytes);
    bool grow(std::size_t bytes, bool grows_later, bool spare);
    std::size_t with_spare(std::size_t bytes) const;

    MemoryAccount& account_;
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::byte* data_ = nullptr;
    std::size_t reserved_ = 0;
    std::size_t committed_ = 0;
};

} // namespace beeline
