#include "state/scattered_set.hpp"

#include <algorithm>
#include <new>
#include <vector>

namespace beeline {
namespace {

constexpr double kLoad = 0.85;
constexpr std::size_t kFirstCapacity = 4096;
constexpr std::size_t kLarge = std::size_t{1} << 15; // from here on in smaller steps

} // namespace

ScatteredSet::ScatteredSet(MemoryAccount& account, std::size_t bytes)
    : region_(account), bytes_(bytes), mask_(bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1) {
    if (!take(kFirstCapacity)) {
        throw std::bad_alloc();
    }
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
            run.push_back(get(end - 1));
            put(end - 1, 0);
        }
        for (auto number = run.rbegin(); number != run.rend(); ++number) {
            const std::size_t slot = find(*number);
            if (slot + 1 >= slots()) {
                throw std::bad_alloc(); // thousands of slots behind the last home are full: no hash does that
            }
            put(slot, *number);
        }
    }
    return true;
}

void ScatteredSet::clear() {
    region_.zero();
    size_ = 0;
}

} // namespace beeline
