// Many sorted files as one set. Whenever there are kFan of one level, they are merged into one of the next: a record is
// rewritten once per level, and there are few files to look through at once.
#pragma once

#include "external/sorted_file.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace beeline {

// Called now and then during long work; false ends it.
using KeepsGoing = std::function<bool()>;

// What becomes of what is said of equal states: one of the two stays, or both are added.
enum class Tags { kOne, kSum };

class FileLevels {
public:
    static constexpr std::size_t kFan = 8;

    explicit FileLevels(Tags tags = Tags::kOne) : tags_(tags) {}

    // False if `going` ended the merge: then the set holds all records all the same.
    bool add(SortedFile file, const KeepsGoing& going);

    bool empty() const { return records_ == 0; }
    std::uint64_t records() const { return records_; } // equal ones in different files counted apart
    // For files that were kept: they come back to their levels.
    void put_back(std::size_t level, SortedFile file);
    std::size_t levels() const { return levels_.size(); }
    const std::vector<SortedFile>& level(std::size_t number) const { return levels_[number]; }
    // All files, in no particular order.
    std::vector<const SortedFile*> files() const;

private:
    Tags tags_;
    std::vector<std::vector<SortedFile>> levels_;
    std::uint64_t records_ = 0;
};

// The records of several files in their order, equal states once.
class MergedReader {
public:
    explicit MergedReader(const std::vector<const SortedFile*>& files, Tags tags = Tags::kOne);

    bool next();
    const Word* state() const { return state_.data(); }
    Word tag() const { return tag_; }

private:
    void sift_down();
    bool advance_first();
    bool is_before(const SortedReader& a, const SortedReader& b) const {
        return compare_states(a.state(), b.state(), words_) < 0;
    }

    std::size_t words_ = 0;
    Tags tags_;
    std::vector<std::unique_ptr<SortedReader>> heap_;
    std::vector<Word> state_;
    Word tag_ = 0;
};

// Tells which states are in a set, if it is asked in their order.
class OrderedLookup {
public:
    explicit OrderedLookup(const FileLevels& set);

    bool has(const Word* state) { return find(state) != nullptr; }
    // The reader whose present record it is; null if it is in no file.
    const SortedReader* find(const Word* state);
    // What all files together say of it.
    Word sum(const Word* state);

private:
    std::size_t words_ = 0;
    std::vector<std::unique_ptr<SortedReader>> readers_;
};

} // namespace beeline
