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

class FileLevels {
public:
    static constexpr std::size_t kFan = 8;

    // False if `going` ended the merge: then the set holds all records all the same.
    bool add(SortedFile file, const KeepsGoing& going);

    bool empty() const { return records_ == 0; }
    std::uint64_t records() const { return records_; } // equal ones in different files counted apart
    std::size_t index_bytes() const;
    // For files that were kept: they come back to their levels.
    void put_back(std::size_t level, SortedFile file);
    std::size_t levels() const { return levels_.size(); }
    const std::vector<SortedFile>& level(std::size_t number) const { return levels_[number]; }
    // All files, in no particular order.
    std::vector<const SortedFile*> files() const;

private:
    std::vector<std::vector<SortedFile>> levels_;
    std::uint64_t records_ = 0;
};

// The records of several files in their order, equal states once.
class MergedReader {
public:
    explicit MergedReader(const std::vector<const SortedFile*>& files);

    bool next();
    const Word* state() const { return heap_.front()->state(); }
    Word tag() const { return heap_.front()->tag(); }

private:
    void sift_down();
    bool advance_first();
    bool is_before(const SortedReader& a, const SortedReader& b) const {
        return compare_states(a.state(), b.state(), words_) < 0;
    }

    std::size_t words_ = 0;
    std::vector<std::unique_ptr<SortedReader>> heap_;
    std::vector<Word> last_;
    bool begun_ = false;
};

} // namespace beeline
