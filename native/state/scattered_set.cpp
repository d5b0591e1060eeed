#include "state/scattered_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <vector>

namespace beeline {
namespace {

constexpr double kLoad = 0.85;
constexpr std::size_t kFirstCapacity = 4096;
constexpr std::size_t kLarge = std::size_t{1} << 15; // from here on in smaller steps
constexpr unsigned kMostShortened = 60;              // bits: so many can be told from a place

std::uint64_t ones(std::size_t bits) { return bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits); }

} // namespace

ScatteredSet::ScatteredSet(MemoryAccount& account, unsigned bits, std::size_t expected)
    : region_(account), bits_(bits), bytes_(bytes_for(bits, expected)), mask_(ones(8 * bytes_)) {
    const bool whole = 8 * bytes_ >= bits;
    low_ = whole ? mask_ : mask_ >> 1;
    full_ = whole ? 0 : mask_ ^ low_;
    if (!take(capacity_for(expected))) {
        throw std::bad_alloc();
    }
}

std::size_t ScatteredSet::capacity_for(std::size_t expected) {
    return std::max(kFirstCapacity, static_cast<std::size_t>(static_cast<double>(expected) / kLoad) + 1);
}

// Numbers with the same lower bits must lie further apart than twice the slots in which a number may be found.
std::size_t ScatteredSet::bytes_for(unsigned bits, std::size_t expected) {
    const std::size_t whole = (bits + 7) / 8;
    const unsigned homes = static_cast<unsigned>(std::bit_width(capacity_for(expected))) - 1;
    const unsigned window = static_cast<unsigned>(std::bit_width(kOverflow)) + 1; // a bit more for rounding
    if (bits > kMostShortened || bits < homes) {
        return whole;
    }
    const std::size_t shortened = (bits - homes + window + 1 + 7) / 8; // with the mark
    return std::min(whole, shortened);
}

// The largest number with the kept bits whose home is not behind the slot.
std::uint64_t ScatteredSet::number_at(std::size_t slot, std::size_t capacity) const {
    const std::uint64_t value = get(slot);
    if (full_ == 0) {
        return value;
    }
    const double step = std::ldexp(1.0, static_cast<int>(bits_)) / static_cast<double>(capacity);
    const double end = std::min(static_cast<double>(slot + 1) * step, static_cast<double>(largest()));
    const auto last = static_cast<std::uint64_t>(end);
    return last - ((last - value) & low_);
}

bool ScatteredSet::take(std::size_t capacity) {
    if (!region_.ensure((capacity + kOverflow) * bytes_ + sizeof(std::uint64_t))) {
        return false;
    }
    capacity_ = capacity;
    threshold_ = static_cast<std::size_t>(static_cast<double>(capacity) * kLoad);
    return true;
}

// Every home moves up or stays, so what a run of full slots holds goes to slots that lie in or behind it.
bool ScatteredSet::grow() {
    std::size_t end = slots();
    const std::size_t before = capacity_;
    if (!take(capacity_ < kLarge ? 2 * capacity_ : capacity_ + capacity_ / 4)) {
        return false;
    }
    std::vector<std::uint64_t> run;
    while (end > 0) {
        if (get(--end) == 0) {
            continue;
        }
        run.clear();
        for (++end; end > 0 && get(end - 1) != 0; --end) {
            run.push_back(number_at(end - 1, before));
            put(end - 1, 0);
        }
        for (auto number = run.rbegin(); number != run.rend(); ++number) {
            const std::size_t slot = find(*number);
            if (slot + 1 >= slots() || !is_near(slot, *number)) {
                throw std::bad_alloc(); // thousands of slots behind a home are full: no hash does that
            }
            put(slot, kept(*number));
        }
    }
    return true;
}

void ScatteredSet::clear() {
    region_.zero();
    size_ = 0;
}

} // namespace beeline
