#include "state/shared_store.hpp"

#include <algorithm>

namespace beeline {

// Pages are asked for before anybody needs them, while others go on: where two threads come to a new one at the same
// time, each is given one that is filled with zeros, and one of the two is thrown away.
bool SharedStore::take_room(Room& room) {
    std::unique_lock lock(mutex_);
    std::size_t count = std::min(kStretch, threshold_ - std::min(threshold_, size_));
    const std::size_t bytes = stride_ * sizeof(Word);
    if (arena_.ensure((size_ + count) * bytes)) {
        arena_words_ = arena_.committed() / sizeof(Word);
    } else { // the last of the memory is shorter than a stretch
        count = std::min(count, arena_words_ / stride_ - size_);
    }
    if (count == 0) {
        return false;
    }
    room = {size_, size_ + count};
    size_ += count;
    const std::size_t first = populated_;
    const std::size_t end = std::min((size_ * bytes + 2 * kPopulate) / kPopulate * kPopulate, arena_.committed());
    populated_ = std::max(first, end);
    lock.unlock();
    if (first < end) {
        arena_.populate(first, end);
    }
    return true;
}

// All states are different, so that nothing need be compared.
void SharedStore::put_shared(std::size_t first, std::size_t end) {
    for_each_hash(first, end, [this](std::uint64_t hash, Index index) {
        if (is_hole(index)) {
            return;
        }
        const std::uint64_t entry = Table::entry_of(hash, index);
        for (std::size_t line = table_.home(hash);; line = table_.next_line(line)) {
            for (Table::LineSlots slots = table_.shared_free(line); slots.any(); slots.drop_first()) {
                std::uint64_t expected = 0;
                if (table_.shared(slots.first()).compare_exchange_strong(expected, entry, std::memory_order_relaxed)) {
                    return;
                }
            }
        }
    });
}

// From the highest hole on, so that there is always a state at the end to move.
void SharedStore::keep_holes(std::vector<Room> rooms) {
    holes_ = std::move(rooms);
    for (const Room& room : holes_) {
        for (std::size_t hole = room.next; hole < room.end; ++hole) {
            std::memcpy(record(static_cast<Index>(hole)), record(0), stride_ * sizeof(Word));
        }
    }
}

bool SharedStore::is_hole(Index index) const {
    return std::any_of(holes_.begin(), holes_.end(),
                       [index](const Room& room) { return room.next <= index && index < room.end; });
}

void SharedStore::move_last_to(Index index) {
    const auto last = static_cast<Index>(size_ - 1);
    const std::uint64_t code = hash(state(last));
    std::size_t slot = table_.home(code);
    while (table_.entry(slot) != Table::entry_of(code, last)) {
        slot = table_.next(slot);
    }
    table_.set(slot, code, index);
    std::memcpy(record(index), record(last), stride_ * sizeof(Word));
}

void SharedStore::drop_layer() {
    size_ = layer_;
    rebuild(table_.capacity(), ByOne{});
}

} // namespace beeline
