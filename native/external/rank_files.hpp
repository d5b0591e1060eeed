// The files of one rank of a distributed search that keeps its states on disk, by what the search knows of them, and
// how checkpoints name them. A checkpoint is a part for each rank; files are removed when no part that is left names
// them.
#pragma once

#include "external/file_levels.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

class RankFiles {
public:
    // Where states wait that lie at this depth and have this estimate; without estimates, all are 0.
    struct Bucket {
        std::uint64_t sum = 0; // of both
        std::uint64_t depth = 0;

        std::uint64_t estimate() const { return sum - depth; }
        auto operator<=>(const Bucket&) const = default;
    };
    enum Kind : std::uint64_t { kKnown, kWaiting, kLayer };
    struct Told {
        std::uint64_t kind;
        Bucket bucket; // of known states, only the estimate matters
        std::uint64_t level, number, bytes;
    };
    // What a checkpoint says.
    struct List {
        std::vector<char> folder;
        std::vector<Told> files;
        Bucket bucket;          // that is under way
        std::uint64_t done = 0; // states of its layer
        std::uint64_t read = 0, written = 0;

        template <class Archive>
        void archive(Archive& with) {
            with(folder, files, bucket, done, read, written);
        }
    };

    RankFiles(const std::string& folder, std::uint64_t limit, const RecordFormat& format)
        : limit_(limit), format_(format), disk_(std::in_place, folder, limit) {}

    Disk& disk() { return *disk_; }

    // Of all files, for a checkpoint that is about to be written: they outlive the system, and this process.
    List list();
    // Goes on with what another process listed in a part, before there are any.
    void take_over(const List& list, const std::string& part);

    // The next list is for this part of a checkpoint. What belongs to parts that are gone is removed.
    void begin_part(const std::string& part);
    // There is an answer: nothing is to stay.
    void keep_nothing() { disk_->keep_nothing(); }

private:
    std::uint64_t limit_;
    RecordFormat format_;
    std::optional<Disk> disk_;                                              // before all files, which are in it
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> parts_; // and the files that they name

public:
    std::map<std::uint64_t, FileLevels> known; // expanded states with their depths, by their estimates
    std::map<Bucket, FileLevels> waiting;      // what may be new
    std::optional<SortedFile> layer;           // what is new of the bucket that is under way
    Bucket bucket;
    std::uint64_t done = 0; // states of the layer that are expanded
};

} // namespace beeline
