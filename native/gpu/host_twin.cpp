#include "gpu/host_twin.hpp"

#include "gpu/source.hpp"
#include "state/hash.hpp"
#include "vm/at.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace beeline {

namespace {

// Each time the device has to begin again; after so many the full layout is cheaper.
constexpr int kMostWidenings = 4;
constexpr std::size_t kLongestWalk = 4096;

std::size_t bits_for(std::int64_t low, std::int64_t high) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(high - low)));
}

} // namespace

HostTwin::HostTwin(std::shared_ptr<const Program> full)
    : full_(full), present_(full), space_(full, false, SIZE_MAX), seen_{full->initial, full->initial} {
    seen_.low.resize(full->low.size());
    seen_.high.resize(full->low.size());
}

// Values

void HostTwin::note(const Word* state) {
    for (const Packing& place : full_->packed_cells) {
        const std::int32_t value = place.value(state);
        std::int32_t& low = seen_.low[at(place.cell)];
        std::int32_t& high = seen_.high[at(place.cell)];
        low = std::min(low, value);
        high = std::max(high, value);
    }
}

bool HostTwin::sample(std::size_t states) {
    bool all = true;
    look_around(states, all);
    if (!all) {
        walk(states);
    }
    lay_out();
    return all;
}

// In breadth. States are told apart by their hashes: one that is missed costs nothing here.
void HostTwin::look_around(std::size_t states, bool& all) {
    const std::size_t words = full_->words;
    SuccessorBuffer arcs(words);
    std::unordered_set<std::uint64_t> known;
    std::vector<Word> queue;
    const auto take = [&] {
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if ((arcs.arc(i).marks & kError) == 0 && known.insert(hash_words(arcs.state(i), words)).second) {
                note(arcs.state(i));
                queue.insert(queue.end(), arcs.state(i), arcs.state(i) + words);
            }
        }
        arcs.clear();
    };
    space_.initial(arcs);
    take();
    std::size_t next = 0;
    for (; next * words < queue.size() && known.size() < states; ++next) {
        const std::vector<Word> state(queue.begin() + static_cast<std::ptrdiff_t>(next * words),
                                      queue.begin() + static_cast<std::ptrdiff_t>((next + 1) * words));
        space_.expand(state.data(), arcs);
        take();
    }
    all = next * words == queue.size();
}

void HostTwin::walk(std::size_t steps) {
    const std::size_t words = full_->words;
    SuccessorBuffer arcs(words);
    std::vector<Word> state;
    std::uint64_t random = 1;
    std::vector<std::size_t> ways;
    for (std::size_t i = 0; i < steps; ++i) {
        if (i % kLongestWalk == 0 || ways.empty()) {
            arcs.clear();
            space_.initial(arcs);
            state.assign(arcs.state(0), arcs.state(0) + words);
        }
        arcs.clear();
        space_.expand(state.data(), arcs);
        ways.clear();
        for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
            if ((arcs.arc(arc).marks & kError) == 0) {
                ways.push_back(arc);
            }
        }
        if (!ways.empty()) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const Word* const next = arcs.state(ways[(random >> 33) % ways.size()]);
            note(next);
            state.assign(next, next + words);
        }
    }
}

// Layouts

// To twice the range, since the next value too large is not far.
void HostTwin::widen(const std::map<std::int32_t, std::int32_t>& values) {
    for (const auto& [cell, value] : values) {
        std::int32_t& low = seen_.low.at(at(cell));
        std::int32_t& high = seen_.high.at(at(cell));
        const std::int64_t more = std::int64_t{high} - low + 1;
        low = std::min(low, value);
        high = static_cast<std::int32_t>(
            std::min<std::int64_t>(full_->high[at(cell)], std::max<std::int64_t>(value, high + more)));
    }
    ++widenings_;
    lay_out();
}

// The full layout if it is narrow anyway, or guessing does not pay; otherwise what occurs, with some room for more.
void HostTwin::lay_out() {
    if (widenings_ > kMostWidenings || key_bits(*full_) <= kNarrow) {
        present_ = full_;
        return;
    }
    const auto laid_out = [this](const Ranges& ranges) {
        return std::make_shared<const Program>(full_->with_ranges(ranges));
    };
    present_ = laid_out(seen_);
    const std::size_t bits = key_bits(*present_);
    for (const std::size_t most : {kNarrow, kPair, SIZE_MAX}) {
        if (bits > most) {
            continue;
        }
        Ranges ranges = seen_;
        add_room(ranges, most);
        const auto roomy = laid_out(ranges);
        present_ = key_bits(*roomy) <= most ? roomy : present_;
        return;
    }
}

// A bit more for one cell after the other, first for those that are known to change, as long as keys have at most this
// many bits. Where there is no such bound, one for each cell, and one more each time that was too few.
void HostTwin::add_room(Ranges& ranges, std::size_t most) const {
    std::size_t bits = 0;
    std::vector<std::size_t> cells;
    for (std::size_t i = 0; i < ranges.low.size(); ++i) {
        bits += bits_for(ranges.low[i], ranges.high[i]);
        if (ranges.low[i] > full_->low[i] || ranges.high[i] < full_->high[i]) {
            cells.push_back(i);
        }
    }
    std::stable_partition(cells.begin(), cells.end(), [&](std::size_t i) { return ranges.low[i] < ranges.high[i]; });
    for (int round = 0; round < (most == SIZE_MAX ? 1 + widenings_ : 32); ++round) {
        for (const std::size_t i : cells) {
            std::int32_t& low = ranges.low[i];
            std::int32_t& high = ranges.high[i];
            const std::size_t before = bits_for(low, high);
            const std::int64_t span = (std::int64_t{2} << before) - 1;
            const std::int64_t top = std::min<std::int64_t>(full_->high[i], low + span);
            const std::int64_t bottom = std::max<std::int64_t>(full_->low[i], top - span);
            const std::size_t more = bits_for(bottom, top) - before;
            if (more == 0 || bits + more > most) {
                continue;
            }
            bits += more;
            low = static_cast<std::int32_t>(bottom);
            high = static_cast<std::int32_t>(top);
        }
    }
}

// Steps

HostTwin::Steps HostTwin::expand(const std::vector<Word>& states) {
    Steps steps;
    SuccessorBuffer arcs(full_->words);
    std::vector<std::int32_t> cells(full_->initial);
    std::vector<Word> state(full_->words);
    const std::size_t count = states.size() / present_->words;
    for (std::size_t i = 0; i < count; ++i) {
        present_->unpack(states.data() + i * present_->words, cells.data());
        for (const Packing& place : present_->packing) {
            if (place.mask == 0) {
                cells[at(place.cell)] = place.low;
            }
        }
        full_->pack(cells.data(), state.data());
        arcs.clear();
        std::uint32_t found = space_.expand(state.data(), arcs);
        std::uint32_t targets = 0, errors = 0;
        for (std::size_t arc = 0; arc < arcs.size(); ++arc) {
            found |= arcs.arc(arc).marks;
            if ((arcs.arc(arc).marks & kError) != 0) {
                ++errors;
                continue;
            }
            ++targets;
            const std::vector<Word> words = to_device({arcs.state(arc), arcs.state(arc) + full_->words});
            steps.targets.insert(steps.targets.end(), words.begin(), words.end());
        }
        steps.counts.push_back(targets);
        steps.errors.push_back(errors);
        steps.marks.push_back(found);
    }
    return steps;
}

std::vector<Word> HostTwin::to_device(const std::vector<Word>& state) {
    std::vector<Word> words(present_->words);
    for (const Packing& place : full_->packing) {
        const std::int32_t value = place.value(state.data());
        const Packing& there = present_->packing[at(place.cell)];
        if (!there.holds(value)) {
            widen({{place.cell, value}});
            throw LayoutChanged{};
        }
        if (there.mask != 0) {
            there.put(words.data(), value);
        }
    }
    return words;
}

} // namespace beeline
