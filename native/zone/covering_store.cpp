#include "zone/covering_store.hpp"

#include "zone/federation.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace beeline {
namespace {

constexpr std::size_t kFirstCapacity = 4096;

std::size_t filled(std::size_t capacity, double load) {
    return static_cast<std::size_t>(static_cast<double>(capacity) * load);
}

} // namespace

CoveringStore::CoveringStore(std::size_t discrete, std::size_t clocks, std::size_t room, MemoryAccount& account,
                             std::size_t max_states, std::size_t side_bytes, bool merges)
    : discrete_(discrete), room_(room), max_states_(std::min(max_states, kMostStates)), side_bytes_(side_bytes),
      merges_(merges), account_(account), arena_(account), offsets_(account), table_(account), packer_(clocks),
      all_(merges ? zone::Frame::of_all(clocks) : zone::Frame(clocks)), bounds_(all_.dim() * all_.dim()),
      other_(bounds_.size()) {
    words_ = discrete + packer_.words_for(room);
    unpacked_.resize(kUnpacked * words_);
    if (table_.reset(kFirstCapacity)) {
        most_chains_ = filled(kFirstCapacity, 0.75);
    }
}

void CoveringStore::clear() {
    size_ = chains_ = replaced_ = used_ = 0;
    table_.clear();
}

const Word* CoveringStore::state(Index index) const {
    Word* words = unpacked_.data() + turn_++ % kUnpacked * words_;
    const std::size_t size = size_of(discrete(index));
    std::memcpy(words, discrete(index), size * sizeof(Word));
    std::fill(words + size, words + words_, 0);
    return words;
}

std::size_t CoveringStore::slot_of(const Word* words, std::uint64_t hash) const {
    std::size_t slot = table_.home(hash);
    for (;; slot = table_.next(slot)) {
        const std::uint64_t entry = table_.entry(slot);
        if (Table::empty(entry)) {
            return slot;
        }
        if (Table::matches(entry, hash) &&
            std::memcmp(discrete(Table::index(entry)), words, discrete_ * sizeof(Word)) == 0) {
            return slot;
        }
    }
}

Index CoveringStore::find(const Word* words, std::uint64_t hash) const {
    const std::uint64_t entry = table_.entry(slot_of(words, hash));
    return Table::empty(entry) ? kNoIndex : covering(Table::index(entry), words + discrete_);
}

Index CoveringStore::covering(Index first, const Word* zone) const {
    Index index = first;
    while (index != kNoIndex && !packer_.includes(this->zone(index), zone)) {
        index = record(index)[kNext];
    }
    return index;
}

Insertion CoveringStore::insert(const Word* words, std::uint64_t hash, Index parent, std::uint32_t action) {
    dropped_.clear();
    std::size_t slot = slot_of(words, hash);
    Index chain = Table::empty(table_.entry(slot)) ? kNoIndex : Table::index(table_.entry(slot));
    if (const Index known = covering(chain, words + discrete_); known != kNoIndex) {
        return {Insert::kKnown, known};
    }
    if (!make_room(merges_ ? words_ : size_of(words))) {
        return {Insert::kFull, kNoIndex};
    }
    slot = slot_of(words, hash); // the table may have grown
    if (chain == kNoIndex) {
        ++chains_;
    } else {
        chain = Table::index(table_.entry(slot));
        words = merges_ ? merged(chain, words) : words;
        chain = drop_covered(chain, words + discrete_);
    }
    return {Insert::kFresh, append(words, hash, slot, chain, parent, action)};
}

Insertion CoveringStore::insert_beside(const Word* words, std::uint64_t hash, Index parent, std::uint32_t action) {
    if (!make_room(size_of(words))) {
        return {Insert::kFull, kNoIndex};
    }
    const std::size_t slot = slot_of(words, hash);
    const std::uint64_t entry = table_.entry(slot);
    const Index chain = Table::empty(entry) ? kNoIndex : Table::index(entry);
    chains_ += Table::empty(entry);
    return {Insert::kFresh, append(words, hash, slot, chain, parent, action)};
}

Index CoveringStore::append(const Word* words, std::uint64_t hash, std::size_t slot, Index chain, Index parent,
                            std::uint32_t action) {
    const auto index = static_cast<Index>(size_++);
    offsets_[index] = used_;
    Word* place = record(index);
    place[kParent] = parent;
    place[kAction] = action;
    place[kNext] = chain;
    const std::size_t size = size_of(words);
    std::memcpy(place + kHeader, words, size * sizeof(Word));
    used_ += kHeader + size;
    table_.set(slot, hash, index);
    return index;
}

const Word* CoveringStore::merged(Index first, const Word* words) {
    const std::size_t dim = all_.dim();
    merged_.assign(words, words + words_);
    packer_.unpack(words + discrete_, all_, bounds_.data());
    for (Index index = first; index != kNoIndex;) {
        packer_.unpack(zone(index), all_, other_.data());
        const bool grown =
            !zone::includes(bounds_.data(), other_.data(), dim) && zone::merge(bounds_.data(), other_.data(), dim);
        index = grown ? first : record(index)[kNext]; // a larger zone may fit with those that the smaller did not
    }
    packer_.pack(bounds_.data(), all_, room_, merged_.data() + discrete_);
    return merged_.data();
}

Index CoveringStore::drop_covered(Index first, const Word* zone) {
    Index left = kNoIndex;
    Word* last_kept = nullptr;
    for (Index index = first; index != kNoIndex;) {
        Word* place = record(index);
        const Index next = place[kNext];
        if (packer_.includes(zone, this->zone(index))) {
            place[kNext] = kReplaced;
            dropped_.push_back(index);
            ++replaced_;
            if (last_kept != nullptr) {
                last_kept[kNext] = next;
            }
        } else {
            left = last_kept == nullptr ? index : left;
            last_kept = place;
        }
        index = next;
    }
    return left;
}

bool CoveringStore::make_room(std::size_t words) {
    if (at_state_limit()) {
        return false;
    }
    return (chains_ < most_chains_ || grow_table()) && offsets_.ensure(size_) &&
           arena_.ensure((used_ + kHeader + words) * sizeof(Word));
}

bool CoveringStore::grow_table() {
    const std::size_t capacity = table_.capacity();
    const std::size_t wanted = std::max(2 * capacity, kFirstCapacity);
    const std::size_t growth = (side_bytes_ + sizeof(std::uint64_t)) * (size_ / 8) + used_ / 8 * sizeof(Word);
    if (account_.available() > wanted * Table::kSlotBytes + growth) {
        rebuild(wanted);
        most_chains_ = filled(wanted, 0.75);
    } else {
        most_chains_ = filled(capacity, 0.95); // slower, but better than giving up
    }
    return chains_ < most_chains_;
}

void CoveringStore::rebuild(std::size_t capacity) {
    const std::size_t before = table_.capacity();
    if (!table_.reset(capacity) && !table_.reset(before)) {
        throw std::bad_alloc();
    }
    for (std::size_t i = 0; i < size_; ++i) {
        const auto index = static_cast<Index>(i);
        Word* place = record(index);
        if (place[kNext] == kReplaced) {
            continue;
        }
        const std::uint64_t code = hash(place + kHeader);
        const std::size_t slot = slot_of(place + kHeader, code);
        const std::uint64_t entry = table_.entry(slot);
        place[kNext] = Table::empty(entry) ? kNoIndex : Table::index(entry);
        table_.set(slot, code, index);
    }
}

} // namespace beeline
