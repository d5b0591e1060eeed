// A set of short vectors of 32-bit numbers in a few bytes each: every vector has the number of its insertion.
//
// Vectors lie in a column whose fields are as wide as the largest numbers need. A slot of the table is 32 bits: the
// vector's number, and in the bits left over a piece of its hash that saves most looks at the column.
#pragma once

#include "state/hash.hpp"
#include "state/region.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace beeline {

// Vectors of numbers of zero to four bytes, side by side; the widths grow with the largest numbers.
class NodeColumn {
public:
    NodeColumn(std::size_t length, MemoryAccount& account) : region_(account), fields_(length) {}

    std::size_t length() const { return fields_.size(); }
    // Puts zeros at the end of all vectors.
    void lengthen(std::size_t length) { fields_.resize(length, {stride_, 0, 0}); }
    void read(std::size_t i, std::uint32_t* values) const {
        const std::byte* place = region_.data() + i * stride_;
        for (const Field& field : fields_) {
            *values++ = load(place + field.place) & field.mask;
        }
    }
    bool is(std::size_t i, const std::uint32_t* values) const {
        const std::byte* place = region_.data() + i * stride_;
        std::uint32_t difference = 0;
        for (const Field& field : fields_) {
            difference |= (load(place + field.place) & field.mask) ^ *values++;
        }
        return difference == 0;
    }
    void prefetch(std::size_t i) const { __builtin_prefetch(region_.data() + i * stride_); }
    // Writes the vector after the first `count`; false if memory is short.
    bool append(std::size_t count, const std::uint32_t* values) {
        if ((!fits(values) && !widen(count, values)) || !region_.ensure((count + 1) * stride_ + kSlack)) {
            return false;
        }
        put(fields_, region_.data() + count * stride_, values);
        return true;
    }

private:
    static constexpr std::size_t kSlack = sizeof(std::uint32_t); // reads go a little further than the number

    struct Field {
        std::size_t place = 0, width = 0; // bytes
        std::uint32_t mask = 0;
    };
    static std::uint32_t load(const std::byte* place) {
        std::uint32_t value;
        std::memcpy(&value, place, sizeof value);
        return value;
    }
    static void put(const std::vector<Field>& fields, std::byte* place, const std::uint32_t* values) {
        for (const Field& field : fields) {
            std::memcpy(place + field.place, values++, field.width);
        }
    }
    bool fits(const std::uint32_t* values) const {
        for (const Field& field : fields_) {
            if (*values++ > field.mask) {
                return false;
            }
        }
        return true;
    }
    bool widen(std::size_t count, const std::uint32_t* values);

    Region region_;
    std::vector<Field> fields_;
    std::size_t stride_ = 0;
};

class NodeTable {
public:
    static constexpr std::uint32_t kNone = ~0u;

    // Of vectors of so many numbers.
    NodeTable(std::size_t length, MemoryAccount& account);

    std::size_t size() const { return size_; }
    // Puts zeros at the end of all vectors; hashes do not depend on them.
    void lengthen(std::size_t length) { parts_.lengthen(length); }
    void read(std::uint32_t number, std::uint32_t* values) const { parts_.read(number, values); }
    void prefetch_number(std::uint32_t number) const { parts_.prefetch(number); }

    std::uint64_t hash(const std::uint32_t* values) const { return hash_words(values, parts_.length()); }
    // The number of a vector, new or not; kNone if memory is short.
    std::uint32_t insert(const std::uint32_t* values, std::uint64_t hash) {
        std::size_t slot = home(hash);
        for (std::uint32_t entry; (entry = slots()[slot]) != 0; slot = next(slot)) {
            const std::uint32_t number = (entry & number_mask_) - 1;
            if ((entry & ~number_mask_) == piece(hash) && parts_.is(number, values)) {
                return number;
            }
        }
        return append(values, hash, slot);
    }

private:
    std::uint32_t* slots() const { return reinterpret_cast<std::uint32_t*>(table_.data()); }
    std::size_t home(std::uint64_t hash) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(hash) * capacity_) >> 64);
    }
    std::size_t next(std::size_t slot) const { return slot + 1 == capacity_ ? 0 : slot + 1; }
    // What the bits above a slot's number must be.
    std::uint32_t piece(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash) & ~number_mask_; }
    std::size_t free_slot(std::uint64_t hash) const {
        std::size_t slot = home(hash);
        while (slots()[slot] != 0) {
            slot = next(slot);
        }
        return slot;
    }
    void set(std::size_t slot, std::uint64_t hash, std::uint32_t number) { slots()[slot] = piece(hash) | (number + 1); }
    std::uint32_t append(const std::uint32_t* values, std::uint64_t hash, std::size_t slot);
    bool grow();
    bool take_table(std::size_t capacity);

    Region table_;
    NodeColumn parts_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t threshold_ = 0;
    std::uint32_t number_mask_ = 0;
};

} // namespace beeline
