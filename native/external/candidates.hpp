// States that may be new, gathered in memory, each once, and written as sorted runs. Each belongs to a bucket.
#pragma once

#include "external/file_levels.hpp"
#include "external/sorted_file.hpp"
#include "state/column.hpp"
#include "state/store.hpp"

#include <cstdint>
#include <functional>
#include <limits>

namespace beeline {

class Candidates {
public:
    struct Entry {
        std::uint64_t key; // words of the state, for most comparisons enough
        Index index;
        std::uint32_t bucket;
    };
    static constexpr std::size_t kSideBytes = sizeof(Entry);

    Candidates(Store& store, MemoryAccount& account, RecordFormat format)
        : store_(store), order_(account), format_(format) {}

    std::size_t size() const { return store_.size(); }
    // A new one is in bucket 0. Refused where memory is short.
    Insertion insert(const Word* state, std::uint64_t hash, std::uint32_t marks) {
        if (!order_.ensure(store_.size())) {
            return {Insert::kFull, kNoIndex};
        }
        return store_.insert(state, hash, 0, marks);
    }
    // Was met once more, where it is counted how often.
    void add_mark(Index index) { store_.set_origin(index, store_.parent(index), store_.action(index) + 1); }
    void set_bucket(Index index, std::uint32_t bucket) { store_.set_origin(index, bucket, store_.action(index)); }
    // It is not worth being written.
    void drop(Index index) { set_bucket(index, kDropped); }

    // Gives back the memory, where there are none.
    void release() {
        order_.release();
        store_.release();
    }

    // Hands a file for each bucket to `take`, and forgets all.
    void write_all(Disk& disk, const std::function<void(std::uint32_t, SortedFile)>& take);

private:
    static constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();

    std::size_t sort();
    std::size_t first_difference() const;

    Store& store_;
    Column<Entry> order_;
    RecordFormat format_;
};

// Memory for the indices of files, which are known to their disk.
class IndexMemory {
public:
    IndexMemory(MemoryAccount& account, Candidates& candidates) : account_(account), candidates_(candidates) {}

    // To be called now and then while there are no candidates: these take all memory that they can get, and give back
    // what is needed here, with as much as may be needed until the next call. False if that is more than there is.
    bool hold(const Disk& disk);

private:
    MemoryAccount& account_;
    Candidates& candidates_;
    std::size_t held_ = 0;
};

} // namespace beeline
