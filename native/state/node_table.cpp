#include "state/node_table.hpp"

#include <algorithm>
#include <new>

namespace beeline {
namespace {

constexpr double kLoad = 0.85;
constexpr std::size_t kFirstCapacity = 4096;

} // namespace

bool NodeColumn::widen(std::size_t count, const std::uint32_t* values) {
    std::vector<Field> wider;
    std::size_t stride = 0;
    for (std::size_t i = 0; i < length(); ++i) {
        const std::size_t width =
            std::max(fields_[i].width, (static_cast<std::size_t>(std::bit_width(values[i])) + 7) / 8);
        wider.push_back({stride, width, width == 4 ? ~0u : (1u << 8 * width) - 1});
        stride += width;
    }
    if (!region_.ensure((count + 1) * stride + kSlack)) {
        return false;
    }
    std::vector<std::uint32_t> moved(length());
    for (std::size_t i = count; i-- > 0;) { // from the end, so that nothing is overwritten before it is moved
        read(i, moved.data());
        put(wider, region_.data() + i * stride, moved.data());
    }
    fields_ = std::move(wider);
    stride_ = stride;
    return true;
}

NodeTable::NodeTable(std::size_t length, MemoryAccount& account) : table_(account), parts_(length, account) {
    if (!take_table(kFirstCapacity)) {
        throw std::bad_alloc();
    }
}

bool NodeTable::take_table(std::size_t capacity) {
    table_.release();
    if (!table_.ensure_finally(capacity * sizeof(std::uint32_t))) {
        return false;
    }
    capacity_ = capacity;
    threshold_ = static_cast<std::size_t>(static_cast<double>(capacity) * kLoad);
    const int bits = static_cast<int>(std::bit_width(threshold_ + 1));
    number_mask_ = bits >= 32 ? ~0u : (1u << bits) - 1;
    return true;
}

std::uint32_t NodeTable::append(const std::uint32_t* values, std::uint64_t hash, std::size_t slot) {
    if (size_ >= threshold_) {
        if (!grow()) {
            return kNone;
        }
        slot = free_slot(hash);
    }
    if (size_ + 1 >= kNone || !parts_.append(size_, values)) {
        return kNone;
    }
    set(slot, hash, static_cast<std::uint32_t>(size_));
    return static_cast<std::uint32_t>(size_++);
}

bool NodeTable::grow() {
    const std::size_t before = capacity_;
    const std::size_t wanted = before < (std::size_t{1} << 15) ? 2 * before : before + before / 4;
    if (wanted >= kNone) {
        return false;
    }
    const bool granted = take_table(wanted);
    if (!granted && !take_table(before)) {
        throw std::bad_alloc();
    }
    std::vector<std::uint32_t> values(parts_.length());
    for (std::size_t i = 0; i < size_; ++i) {
        parts_.read(i, values.data());
        const std::uint64_t code = hash(values.data());
        set(free_slot(code), code, static_cast<std::uint32_t>(i));
    }
    return granted;
}

} // namespace beeline
