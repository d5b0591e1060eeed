// Open lists: states that wait to be expanded, the lowest key first. A bucket for each key in use; the tie rule decides
// within a bucket. Entries live in chunks of one region, so that the memory budget covers them.
#pragma once

#include "search/random.hpp"
#include "state/region.hpp"
#include "state/store.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace beeline {

// Keys may have two parts: what is compared first in the upper half, what breaks ties in the lower.
using Key = std::uint64_t;
constexpr Key kLateKey = std::numeric_limits<Key>::max(); // after everything else

enum class Ties : std::uint8_t { kFifo, kLifo, kRandom };

// Fixed-size blocks of entries that many buckets share.
class ChunkPool {
public:
    static constexpr std::size_t kEntries = 64;
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    explicit ChunkPool(MemoryAccount& account) : region_(account) {}

    // The number of a chunk, or kNone if the memory budget refuses.
    std::uint32_t take() {
        if (!free_.empty()) {
            const std::uint32_t chunk = free_.back();
            free_.pop_back();
            return chunk;
        }
        if (!region_.ensure((std::size_t{made_} + 1) * kEntries * sizeof(Index))) {
            return kNone;
        }
        return made_++;
    }
    void give_back(std::uint32_t chunk) { free_.push_back(chunk); }
    Index* entries(std::uint32_t chunk) const {
        return reinterpret_cast<Index*>(region_.data()) + std::size_t{chunk} * kEntries;
    }

private:
    Region region_;
    std::vector<std::uint32_t> free_;
    std::uint32_t made_ = 0;
};

// Entries of one key. Positions count from the first chunk that is still held.
class Bucket {
public:
    bool empty() const { return first_ == end_; }

    bool push(ChunkPool& pool, Index index) {
        if (end_ == (chunks_.size() - head_) * ChunkPool::kEntries) {
            const std::uint32_t chunk = pool.take();
            if (chunk == ChunkPool::kNone) {
                return false;
            }
            chunks_.push_back(chunk);
        }
        at(pool, end_++) = index;
        return true;
    }

    Index pop(ChunkPool& pool, Ties ties, Random& random) {
        if (ties == Ties::kFifo) {
            return pop_first(pool);
        }
        Index& last = at(pool, end_ - 1);
        if (ties == Ties::kRandom) {
            std::swap(at(pool, first_ + random.below(end_ - first_)), last);
        }
        const Index index = last;
        --end_;
        if (end_ % ChunkPool::kEntries == 0) {
            pool.give_back(chunks_.back());
            chunks_.pop_back();
        }
        return index;
    }

    // Calls visit(index) for the entries that come next, as long as it returns true; says whether it always did. Where
    // chance decides, any order is as good.
    template <class Visit>
    bool look(const ChunkPool& pool, Ties ties, Visit&& visit) const {
        for (std::size_t i = first_; i < end_; ++i) {
            if (!visit(at(pool, ties == Ties::kFifo ? i : first_ + end_ - 1 - i))) {
                return false;
            }
        }
        return true;
    }

    // In the order in which entries came.
    template <class Archive>
    void archive(Archive& with, ChunkPool& pool) {
        std::vector<Index> entries;
        look(pool, Ties::kFifo, [&](Index index) {
            entries.push_back(index);
            return true;
        });
        with(entries);
        for (const Index index : empty() ? entries : std::vector<Index>()) {
            if (!push(pool, index)) {
                throw std::bad_alloc();
            }
        }
    }
    // Gives back what an empty bucket still holds.
    void release(ChunkPool& pool) {
        for (std::size_t i = head_; i < chunks_.size(); ++i) {
            pool.give_back(chunks_[i]);
        }
    }

private:
    Index pop_first(ChunkPool& pool) {
        const Index index = at(pool, first_++);
        if (first_ == ChunkPool::kEntries) {
            pool.give_back(chunks_[head_++]);
            first_ = 0;
            end_ -= ChunkPool::kEntries;
            if (head_ > 64 && head_ > chunks_.size() / 2) {
                chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(head_));
                head_ = 0;
            }
        }
        return index;
    }
    Index& at(const ChunkPool& pool, std::size_t position) const {
        return pool.entries(chunks_[head_ + position / ChunkPool::kEntries])[position % ChunkPool::kEntries];
    }

    std::vector<std::uint32_t> chunks_;
    std::size_t head_ = 0; // chunks before it are given back
    std::size_t first_ = 0;
    std::size_t end_ = 0;
};

class OpenList {
public:
    OpenList(MemoryAccount& account, Ties ties, std::uint64_t seed)
        : OpenList(std::make_shared<ChunkPool>(account), ties, seed) {}
    // Lists that are used together can share their chunks.
    OpenList(std::shared_ptr<ChunkPool> pool, Ties ties, std::uint64_t seed)
        : pool_(std::move(pool)), ties_(ties), random_(seed) {}

    bool empty() const { return buckets_.empty(); }
    // The lowest key; there must be one.
    Key first() const { return buckets_.begin()->first; }

    // False if the memory budget refuses.
    bool push(Key key, Index index) {
        Recent& recent = recent_[slot(key)];
        if (recent.bucket == nullptr || recent.key != key) {
            recent = {key, &buckets_[key]};
        }
        const bool granted = recent.bucket->push(*pool_, index);
        if (recent.bucket->empty()) {
            drop(buckets_.find(key));
        }
        return granted;
    }

    Index pop() {
        const auto lowest = buckets_.begin();
        const Index index = lowest->second.pop(*pool_, ties_, random_);
        if (lowest->second.empty()) {
            drop(lowest);
        }
        return index;
    }

    // Calls visit(index) for the entries that come next if none is added, as long as it returns true.
    template <class Visit>
    void look(Visit&& visit) const {
        for (const auto& [key, bucket] : buckets_) {
            if (!bucket.look(*pool_, ties_, visit)) {
                return;
            }
        }
    }

    // A list that takes over must be empty.
    template <class Archive>
    void archive(Archive& with) {
        std::vector<Key> keys;
        for (const auto& [key, bucket] : buckets_) {
            keys.push_back(key);
        }
        with(random_, keys);
        for (const Key key : keys) {
            buckets_[key].archive(with, *pool_);
        }
    }

private:
    using Buckets = std::map<Key, Bucket>;

    // Few keys are in use at a time, and the same ones again and again: most lookups are saved.
    struct Recent {
        Key key = 0;
        Bucket* bucket = nullptr;
    };
    static constexpr std::size_t kRecent = 64;
    static std::size_t slot(Key key) { return (key ^ (key >> 32)) % kRecent; }

    void drop(Buckets::iterator place) {
        Recent& recent = recent_[slot(place->first)];
        if (recent.bucket == &place->second) {
            recent = {};
        }
        place->second.release(*pool_);
        buckets_.erase(place);
    }

    std::shared_ptr<ChunkPool> pool_;
    Ties ties_;
    Random random_;
    Buckets buckets_;
    std::array<Recent, kRecent> recent_{};
};

} // namespace beeline
