#include "state/cleary_table.hpp"

#include <algorithm>
#include <new>

namespace beeline {
namespace {

constexpr double kLoad = 0.85;
constexpr std::size_t kFirstLines = 256;
constexpr std::size_t kManyLines = std::size_t{1} << 11; // from here on in smaller steps
constexpr std::size_t kMostBytes = 8;

std::uint64_t ones(std::size_t bits) { return bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits); }

} // namespace

ClearyTable::ClearyTable(MemoryAccount& account, unsigned bits, std::size_t expected)
    : region_(account), bits_(bits), tail_bytes_(bytes_for(bits, expected) - kHeadBytes),
      slots_(slots_of(kHeadBytes + tail_bytes_)), all_(static_cast<std::uint32_t>(ones(slots_))),
      tail_mask_(static_cast<std::uint32_t>(ones(8 * tail_bytes_))), mask_(ones(8 * (kHeadBytes + tail_bytes_))) {
    if (!take(lines_for(kHeadBytes + tail_bytes_, expected))) {
        throw std::bad_alloc();
    }
}

std::size_t ClearyTable::lines_for(std::size_t bytes, std::size_t expected) {
    const double slots = static_cast<double>(expected) / kLoad;
    return std::max(kFirstLines, static_cast<std::size_t>(slots / static_cast<double>(slots_of(bytes))) + 1);
}

// Numbers with the same home must differ in the bits that are kept.
std::size_t ClearyTable::bytes_for(unsigned bits, std::size_t expected) {
    std::size_t bytes = kHeadBytes;
    const auto told = [&] { return static_cast<unsigned>(std::bit_width(lines_for(bytes, expected))) - 1; };
    while (bytes < kMostBytes && bits > told() + 8 * bytes - kDistanceBits) {
        ++bytes;
    }
    return bytes;
}

std::uint64_t ClearyTable::last_of(std::size_t home, std::size_t lines) const {
    // Without a division of numbers of 128 bits: what goes into all lines alike, and a share of the rest.
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits_);
    const std::uint64_t each = all / lines;
    const std::uint64_t rest = all % lines + 1;
    return (home + 1) * each + ((home + 1) * rest - 1) / lines;
}

bool ClearyTable::take(std::size_t lines) {
    if (!region_.ensure((lines + kFar) * kLineBytes)) {
        return false;
    }
    lines_ = lines;
    threshold_ = static_cast<std::size_t>(static_cast<double>(lines * slots_) * kLoad);
    return true;
}

// Every home moves up or stays, so what a run of full lines, and the one behind them, hold goes to lines in or behind
// it.
bool ClearyTable::grow() {
    const std::size_t before = lines_;
    if (!take(lines_ < kManyLines ? 2 * lines_ : lines_ + lines_ * 3 / 8) && !take(lines_ + lines_ / 16)) {
        return false;
    }
    for (std::size_t end = before + kFar; end > 0;) {
        std::size_t begin = end - 1;
        while (begin > 0 && free_slots(line(begin - 1)) == 0) {
            --begin;
        }
        move_run(begin, end, before);
        end = begin;
    }
    return true;
}

void ClearyTable::move_run(std::size_t begin, std::size_t end, std::size_t before) {
    moved_.clear();
    for (std::size_t i = begin; i < end; ++i) {
        for_each_in(i, before, [this](std::uint64_t number) { moved_.push_back(number); });
    }
    std::memset(line(begin), 0, (end - begin) * kLineBytes);
    // Most go to the line to which the one before went. To look for its free slots at once would be to wait until what
    // was written is there to be read.
    const std::byte* last = nullptr;
    std::uint32_t taken = 0;
    for (const std::uint64_t number : moved_) {
        Place place{line(home(number)), 0, (number << kDistanceBits | 1) & mask_, false};
        for (;; ++place.kept, place.line += kLineBytes) {
            if (place.is_far()) {
                throw std::bad_alloc(); // more than a dozen lines behind a home are full: no hash does that
            }
            taken = place.line == last ? taken : slots_taken(place.line);
            last = place.line;
            if (taken < slots_) {
                break;
            }
        }
        place.slot = taken++;
        put(place);
    }
}

void ClearyTable::clear() {
    region_.zero();
    size_ = 0;
}

} // namespace beeline
