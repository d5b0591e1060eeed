#include "state/pair_set.hpp"

#include <algorithm>
#include <new>

namespace beeline {
namespace {

constexpr double kLoad = 0.85;
constexpr std::size_t kFirstCapacity = 4096;

} // namespace

PairColumn::Width PairColumn::Width::for_number(std::uint32_t number) const {
    const std::size_t wider = std::max(width, (static_cast<std::size_t>(std::bit_width(number)) + 7) / 8);
    return {wider, wider == 4 ? ~0u : (1u << 8 * wider) - 1};
}

bool PairColumn::widen(std::size_t count, std::uint32_t first, std::uint32_t second) {
    const Width first_width = first_.for_number(first);
    const Width second_width = second_.for_number(second);
    const std::size_t stride = first_width.width + second_width.width;
    if (!region_.ensure((count + 1) * stride + kSlack)) {
        return false;
    }
    for (std::size_t i = count; i-- > 0;) { // from the end, so that nothing is overwritten before it is moved
        const std::uint32_t moved[2] = {this->first(i), this->second(i)};
        std::memcpy(region_.data() + i * stride, &moved[0], first_width.width);
        std::memcpy(region_.data() + i * stride + first_width.width, &moved[1], second_width.width);
    }
    first_ = first_width;
    second_ = second_width;
    stride_ = stride;
    return true;
}

PairSet::PairSet(MemoryAccount& account) : table_(account), pairs_(account) {
    if (!take_table(kFirstCapacity)) {
        throw std::bad_alloc();
    }
}

bool PairSet::take_table(std::size_t capacity) {
    table_.release();
    if (!table_.ensure_exactly(capacity * sizeof(std::uint32_t))) {
        return false;
    }
    capacity_ = capacity;
    threshold_ = static_cast<std::size_t>(static_cast<double>(capacity) * kLoad);
    const int bits = static_cast<int>(std::bit_width(threshold_ + 1));
    number_mask_ = bits >= 32 ? ~0u : (1u << bits) - 1;
    return true;
}

bool PairSet::grow() {
    const std::size_t before = capacity_;
    const std::size_t wanted = before < (std::size_t{1} << 15) ? 2 * before : before + before / 4;
    if (wanted >= kNone) {
        return false;
    }
    const bool granted = take_table(wanted);
    if (!granted && !take_table(before)) {
        throw std::bad_alloc();
    }
    for (std::size_t i = 0; i < size_; ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        const std::uint64_t code = hash(first(number), second(number));
        std::size_t slot = home(code);
        while (slots()[slot] != 0) {
            slot = slot + 1 == capacity_ ? 0 : slot + 1;
        }
        set(slot, code, number);
    }
    return granted;
}

void PairSet::clear() {
    size_ = 0;
    table_.zero();
}

} // namespace beeline
