#include "state/store.hpp"

#include <algorithm>
#include <new>

namespace beeline {
namespace {

constexpr double kUsualLoad = 0.75;                          // about one cache line per lookup
constexpr double kFullLoad = 0.95;                           // slower, but better than giving up when memory runs out
constexpr std::size_t kFirstCapacity = 1024;                 // short searches touch few pages
constexpr std::size_t kLargeCapacity = std::size_t{1} << 20; // empty slots of larger tables count

} // namespace

Store::Store(std::size_t words, MemoryAccount& account, std::size_t max_states, std::size_t side_bytes, bool even)
    : words_(words), even_(even ? 1 : 0), stride_(stride_of(words)), max_states_(std::min(max_states, kMostStates)),
      side_bytes_(side_bytes), account_(account), arena_(account), table_(account) {
    if (table_.reset(kFirstCapacity)) {
        set_threshold(kUsualLoad);
    }
}

void Store::clear() {
    size_ = 0;
    table_.clear();
}

void Store::release() {
    size_ = 0;
    arena_.release();
    arena_words_ = 0;
    take_table(kFirstCapacity);
    set_threshold(kUsualLoad);
}

bool Store::make_room() {
    if (at_state_limit()) {
        return false;
    }
    return (size_ < threshold_ || grow_table()) && grow_arena();
}

bool Store::grow_arena() {
    if (!arena_.ensure((size_ + 1) * stride_ * sizeof(Word))) {
        return false;
    }
    arena_words_ = arena_.committed() / sizeof(Word);
    return true;
}

// The capacity at which table, arena and side columns would use up the budget together, were it all given to them.
std::size_t Store::affordable_capacity() const {
    const std::size_t record_bytes = stride_ * sizeof(Word) + side_bytes_;
    const double total = static_cast<double>(account_.available()) +
                         static_cast<double>(table_.bytes() + arena_.committed() + size_ * side_bytes_);
    return static_cast<std::size_t>(total / (Table::kSlotBytes + kFullLoad * static_cast<double>(record_bytes)));
}

Store::Growth Store::next_growth() const {
    const std::size_t capacity = table_.capacity();
    std::size_t wanted = capacity < kLargeCapacity ? std::max(2 * capacity, kFirstCapacity) : capacity + capacity / 4;
    wanted = std::min(wanted, static_cast<std::size_t>(static_cast<double>(max_states_) / kUsualLoad) + kFirstCapacity);
    wanted = wanted / Table::kLineSlots * Table::kLineSlots;
    const std::size_t affordable = affordable_capacity() / Table::kLineSlots * Table::kLineSlots;
    if (affordable >= kFirstCapacity && affordable >= wanted) {
        return {wanted, kUsualLoad};
    }
    // With very little left, rounding to pages would spoil the sum.
    const bool worthwhile = affordable >= kFirstCapacity && affordable > capacity + capacity / 16;
    return {worthwhile ? affordable : capacity, kFullLoad};
}

bool Store::grow_table() {
    const Growth growth = next_growth();
    if (growth.capacity != table_.capacity() && !table_.extend(growth.capacity, ByOne{})) {
        rebuild(growth.capacity);
    }
    set_threshold(growth.load);
    return size_ < threshold_;
}

// An empty table, of the size before if there is no memory for another.
void Store::take_table(std::size_t capacity) {
    const std::size_t before = table_.capacity();
    if (capacity == before) {
        return table_.clear();
    }
    if (!table_.reset(capacity) && !table_.reset(before)) {
        throw std::bad_alloc();
    }
}

// Hashes are not kept: reading the arena in order is cheaper than eight more bytes per state.
void Store::rebuild(std::size_t capacity) {
    take_table(capacity);
    for_each_hash(0, size_, [this](std::uint64_t hash, Index index) { table_.set(free_slot(hash), hash, index); });
}

void Store::set_threshold(double load) {
    const double slots = static_cast<double>(table_.capacity());
    threshold_ = std::min(static_cast<std::size_t>(slots * load), max_states_);
}

} // namespace beeline
