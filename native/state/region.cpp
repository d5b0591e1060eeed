#include "state/region.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace beeline {
namespace {

constexpr std::size_t kPage = std::size_t{1} << 16;     // a multiple of every page size in use
constexpr std::size_t kHugePage = std::size_t{1} << 21; // fewer address-translation misses on random access
constexpr std::size_t kHugeFrom = std::size_t{4} << 20;
constexpr std::size_t kSpareMax = std::size_t{8} << 20;
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t kReserveMax = std::size_t{1} << 36; // the sanitizer leaves programs less room
#else
constexpr std::size_t kReserveMax = std::size_t{1} << 42;
#endif
constexpr std::uintptr_t kFarFrom = std::uintptr_t{1} << 44; // addresses that programs and libraries keep away from
constexpr std::uintptr_t kFarApart = std::uintptr_t{1} << 41;
constexpr std::uintptr_t kFarPlaces = 40;

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

void* map_nothing(std::size_t bytes, void* hint = nullptr, int more_flags = 0) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | more_flags;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    void* place = mmap(hint, bytes, PROT_NONE, flags, -1, 0);
    return place == MAP_FAILED ? nullptr : place;
}

// A place with much room behind it, if the system likes it.
void* far_from_others() {
    static std::atomic<std::uintptr_t> count = 0;
    return reinterpret_cast<void*>(kFarFrom + count++ % kFarPlaces * kFarApart);
}

} // namespace

// The budget bounds what can ever be used. Where address space is scarce (ulimit -v), a little is reserved, at a place
// where more can be had when it is needed: shares of what there is would be too large for some regions and too small
// for others.
bool Region::reserve(std::size_t at_least, bool grows_later) {
    std::size_t wanted = grows_later ? std::min(kReserveMax, account_.available()) : at_least;
    wanted = round_up(std::max(wanted, at_least), kHugePage);
    mapping_ = map_nothing(wanted + kHugePage);
    if (mapping_ == nullptr) {
        wanted = round_up(at_least, kHugePage);
        mapping_ = map_nothing(wanted + kHugePage, far_from_others());
    }
    if (mapping_ == nullptr) {
        return false;
    }
    mapped_ = wanted + kHugePage;
    reserved_ = wanted;
    data_ = reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(mapping_), kHugePage));
#ifdef MADV_HUGEPAGE
    madvise(data_, reserved_, MADV_HUGEPAGE);
#endif
    return true;
}

// More address space behind what there is: as much again, or else what is needed.
bool Region::extend(std::size_t bytes) {
#ifdef MAP_FIXED_NOREPLACE
    std::byte* end = static_cast<std::byte*>(mapping_) + mapped_;
    const std::size_t needed = round_up(bytes - reserved_, kHugePage);
    for (const std::size_t more : {std::max(needed, reserved_), needed}) {
        void* place = map_nothing(more, end, MAP_FIXED_NOREPLACE);
        if (place == end) {
            mapped_ += more;
            reserved_ += more;
#ifdef MADV_HUGEPAGE
            madvise(data_, reserved_, MADV_HUGEPAGE);
#endif
            return true;
        }
        if (place != nullptr) { // a system that does not know the flag
            munmap(place, more);
        }
    }
#else
    (void)bytes;
#endif
    return false;
}

// Room for a little more than was asked, in whole huge pages once it is worth it: a huge page can only be used where
// it was committed at once.
std::size_t Region::with_spare(std::size_t bytes) const {
    const std::size_t unit = bytes < kHugeFrom ? kPage : kHugePage;
    const std::size_t wished = round_up(bytes + std::min(committed_ / 8, kSpareMax), unit) - committed_;
    const std::size_t most = std::min(reserved_ - committed_, account_.available() / kPage * kPage);
    return std::max(bytes, committed_ + std::min(most, wished));
}

bool Region::grow(std::size_t bytes, bool grows_later, bool spare) {
    bytes = round_up(bytes, kPage);
    if (bytes - committed_ > account_.available()) {
        return false;
    }
    if (mapping_ == nullptr && !reserve(bytes, grows_later)) {
        return false;
    }
    if (bytes > reserved_ && !extend(bytes)) {
        return false;
    }
    const std::size_t goal = spare ? with_spare(bytes) : bytes;
    if (!account_.take(goal - committed_)) {
        return false;
    }
    if (mprotect(data_ + committed_, goal - committed_, PROT_READ | PROT_WRITE) != 0) {
        account_.give_back(goal - committed_);
        return false;
    }
    committed_ = goal;
    return true;
}

void Region::populate(std::size_t first, std::size_t end) const {
#ifdef MADV_POPULATE_WRITE
    madvise(data_ + first, end - first, MADV_POPULATE_WRITE); // if it is refused, pages come when they are used
#endif
}

void Region::release() {
    if (mapping_ != nullptr) {
        munmap(mapping_, mapped_);
        account_.give_back(committed_);
    }
    mapping_ = nullptr;
    data_ = nullptr;
    mapped_ = reserved_ = committed_ = 0;
}

void Region::zero() {
    if (committed_ != 0) {
        std::memset(data_, 0, committed_);
    }
}

} // namespace beeline
