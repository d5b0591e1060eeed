#include "program/layouts.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

namespace {

// After so many conversions the full layout is cheaper than to go on guessing.
constexpr int kMostWidenings = 64;

// A cell that begins to be used gets at least these bits: to add them then costs nothing.
constexpr std::int64_t kFirstRoom = 7;

// Whether the words need no change for a cell with another place: bits that no cell has are zero.
bool is_same(const Packing& a, const Packing& b) {
    return a.low == b.low && (a.mask == 0 || (a.word == b.word && a.shift == b.shift));
}

} // namespace

bool Layouts::tighten(std::size_t count, StateAt state) {
    auto tighter = std::make_shared<const Program>(full_->with_ranges(ranges_of(count, state)));
    if (tighter->words >= current_->words) {
        return false;
    }
    change_to(std::move(tighter));
    return true;
}

void Layouts::widen(const TooNarrow& reason) {
    if (current_ == full_) {
        throw reason;
    }
    if (++widenings_ > kMostWidenings) {
        change_to(full_);
        return;
    }
    const std::size_t cell = at(reason.cell);
    const Packing& place = current_->packing[cell];
    const std::int64_t room = place.mask == 0 ? kFirstRoom : 2 * std::int64_t{place.mask} + 1;
    const std::int64_t top = std::max<std::int64_t>(reason.value, place.low + room);
    const std::int32_t low = std::min(place.low, reason.value);
    const auto high = static_cast<std::int32_t>(std::min<std::int64_t>(full_->high[cell], top));
    Program wider = current_->with_range(reason.cell, low, high);
    if (!is_same(place, wider.packing[cell])) {
        // Every state has to be written again, and others will need more before long.
        for (const std::int32_t other : place.mask != 0 ? family_of(cell) : std::vector<std::int32_t>{}) {
            wider = wider.with_range(other, low, high);
        }
        for (const std::int32_t other : reason.value == 0 ? never_zero_beside(cell) : std::vector<std::int32_t>{}) {
            const Packing& now = wider.packing[at(other)];
            const std::int64_t most = std::min<std::int64_t>(full_->high[at(other)], now.low + std::int64_t{now.mask});
            wider = wider.with_range(other, 0, static_cast<std::int32_t>(most));
        }
    }
    change_to(std::make_shared<const Program>(std::move(wider)));
}

bool Layouts::use_full() {
    widenings_ = 0;
    const bool changed = current_ != full_;
    change_to(full_);
    return changed;
}

Ranges Layouts::ranges() const {
    Ranges found;
    for (std::size_t i = 0; current_ != full_ && i < current_->packing.size(); ++i) {
        const Packing& place = current_->packing[i];
        const std::int64_t most = std::min<std::int64_t>(INT32_MAX, place.low + std::int64_t{place.mask});
        found.low.push_back(place.low);
        found.high.push_back(static_cast<std::int32_t>(most));
    }
    return found;
}

void Layouts::take_ranges(const Ranges& ranges) {
    change_to(ranges.low.empty() ? full_ : std::make_shared<const Program>(full_->with_ranges(ranges)));
}

bool Layouts::follow(const Layouts& other) {
    if (current_ == other.current_) {
        return false;
    }
    change_to(other.current_);
    return true;
}

void Layouts::change_to(std::shared_ptr<const Program> program) {
    const std::shared_ptr<const Program> previous = std::exchange(current_, std::move(program));
    find_transfers(*previous);
}

// What `convert` has to do. A state's words are sums of its cells' bits, each at its place: so are those of its
// likeness, with cells that go the same way taken together and what differs between lowest values added once for all.
void Layouts::find_transfers(const Program& previous) {
    keeps_hashes_ = true;
    transfers_.clear();
    converted_zero_.assign(current_->words, 0);
    for (std::size_t i = 0; i < previous.packing.size(); ++i) {
        const Packing& from = previous.packing[i];
        const Packing& to = current_->packing[i];
        keeps_hashes_ = keeps_hashes_ && is_same(from, to);
        if (to.mask != 0) {
            converted_zero_[to.word] += to.bits(from.low);
            add_transfer({from.word, to.word, from.mask << from.shift, 32 + from.shift - to.shift});
        }
    }
}

void Layouts::add_transfer(const Transfer& transfer) {
    const auto same = std::find_if(transfers_.begin(), transfers_.end(), [&](const Transfer& other) {
        return other.from == transfer.from && other.to == transfer.to && other.down == transfer.down;
    });
    if (same != transfers_.end()) {
        same->mask |= transfer.mask;
    } else if (transfer.mask != 0) {
        transfers_.push_back(transfer);
    }
}

void Layouts::convert(const Word* from, Word* to) const {
    std::copy(converted_zero_.begin(), converted_zero_.end(), to);
    for (const Transfer& transfer : transfers_) {
        // Bits that leave a word at its upper end belong to values that are smaller once all is added.
        to[transfer.to] += static_cast<Word>(std::uint64_t{from[transfer.from] & transfer.mask} << 32 >> transfer.down);
    }
}

UnitPlaces Layouts::unit_places() const {
    UnitPlaces places;
    for (const Packing& place : current_->packing) {
        places.push_back({place.word, place.mask << place.shift});
    }
    return places;
}

// The other cells that have the bounds of this one and now the same bits: elements of an array, locals of other
// processes.
std::vector<std::int32_t> Layouts::family_of(std::size_t cell) const {
    std::vector<std::int32_t> family;
    const Packing& given = current_->packing[cell];
    for (std::size_t i = 0; i < current_->packing.size(); ++i) {
        const Packing& place = current_->packing[i];
        if (i != cell && place.low == given.low && place.mask == given.mask && full_->low[i] == full_->low[cell] &&
            full_->high[i] == full_->high[cell]) {
            family.push_back(static_cast<std::int32_t>(i));
        }
    }
    return family;
}

// The cells of the same process that have been above zero: where it ends, it leaves zeros.
std::vector<std::int32_t> Layouts::never_zero_beside(std::size_t cell) const {
    std::vector<std::int32_t> found;
    for (const ProcessPlace& place : current_->processes) {
        const bool is_there = at(place.first_cell) <= cell && cell < at(place.end_cell);
        for (std::int32_t other = place.first_cell; is_there && other < place.end_cell; ++other) {
            if (at(other) != cell && current_->packing[at(other)].low > 0 && full_->low[at(other)] <= 0) {
                found.push_back(other);
            }
        }
    }
    return found;
}

// The lowest and highest values of each cell in the given states.
Ranges Layouts::ranges_of(std::size_t count, StateAt state) const {
    Ranges seen;
    for (const Packing& place : current_->packing) {
        seen.low.push_back(place.mask == 0 ? place.low : INT32_MAX);
        seen.high.push_back(place.mask == 0 ? place.low : INT32_MIN);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Word* words = state(i);
        for (const Packing& place : current_->packed_cells) {
            const std::int32_t value = place.value(words);
            seen.low[at(place.cell)] = std::min(seen.low[at(place.cell)], value);
            seen.high[at(place.cell)] = std::max(seen.high[at(place.cell)], value);
        }
    }
    return seen;
}

} // namespace beeline
