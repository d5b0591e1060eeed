#include "external/candidates.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace beeline {

// The first word in which the states differ.
std::size_t Candidates::first_difference() const {
    std::size_t least = format_.words;
    const Word* first = store_.state(0);
    for (std::size_t i = 1; i < store_.size() && least > 0; ++i) {
        const Word* other = store_.state(static_cast<Index>(i));
        least = static_cast<std::size_t>(std::mismatch(first, first + least, other).first - first);
    }
    return least;
}

// Returns the number of entries.
std::size_t Candidates::sort() {
    const std::size_t from = first_difference();
    const std::size_t words = format_.words;
    std::size_t count = 0;
    for (std::size_t i = 0; i < store_.size(); ++i) {
        const auto index = static_cast<Index>(i);
        const Word* state = store_.state(index);
        const std::uint64_t high = from < words ? state[from] : 0;
        const std::uint64_t low = from + 1 < words ? state[from + 1] : 0;
        if (store_.parent(index) != kDropped) {
            order_[count++] = {high << 32 | low, index, store_.parent(index)};
        }
    }
    const std::size_t rest = std::min(from + 2, words);
    std::sort(order_.data(), order_.data() + count, [&](const Entry& a, const Entry& b) {
        if (std::tie(a.bucket, a.key) != std::tie(b.bucket, b.key)) {
            return std::tie(a.bucket, a.key) < std::tie(b.bucket, b.key);
        }
        return compare_states(store_.state(a.index) + rest, store_.state(b.index) + rest, words - rest) < 0;
    });
    return count;
}

void Candidates::write_all(Disk& disk, const std::function<void(std::uint32_t, SortedFile)>& take) {
    const std::size_t count = store_.size() == 0 ? 0 : sort();
    for (std::size_t i = 0; i < count;) {
        const std::uint32_t bucket = order_[i].bucket;
        SortedWriter writer(disk, format_);
        for (; i < count && order_[i].bucket == bucket; ++i) {
            writer.add(store_.state(order_[i].index), store_.action(order_[i].index));
        }
        take(bucket, writer.finish());
    }
    store_.clear();
}

bool IndexMemory::hold(const Disk& disk) {
    const std::size_t bytes = disk.index_bytes();
    if (bytes <= held_ / 4 * 3) {
        return true;
    }
    account_.give_back(std::exchange(held_, 0));
    const std::size_t wanted = 2 * bytes;
    if (!account_.take(wanted)) {
        candidates_.release();
        if (!account_.take(wanted)) {
            return false;
        }
    }
    held_ = wanted;
    return true;
}

} // namespace beeline
