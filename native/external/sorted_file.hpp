// Files of states in their order, each once. A record is the words of a state, compared one after the other, and a word
// that says something of it. Records are coded in blocks that can be read alone; what is read and written at once are
// chunks of several blocks, by the disk's thread.
#pragma once

#include "external/delta_code.hpp"
#include "external/disk.hpp"
#include "state/word.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace beeline {

// Whether two states are the same, and whether one comes before the other.
inline std::strong_ordering compare_states(const Word* a, const Word* b, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) {
        if (a[i] != b[i]) {
            return a[i] <=> b[i];
        }
    }
    return std::strong_ordering::equal;
}

// Of bytes, and of the number of records that they hold, if they do.
std::uint64_t checksum_of(const std::byte* bytes, std::size_t count, std::uint32_t records = 0);

// How records are read and written: the same for all files of a search.
struct RecordFormat {
    std::size_t words;       // of a state
    std::size_t chunk_bytes; // read or written at once, about

    static constexpr std::size_t kBlockBytes = std::size_t{32} << 10;
    static constexpr std::size_t kLeastChunk = kBlockBytes;
    static constexpr std::size_t kMostChunk = std::size_t{256} << 10;
};

// What is known of a file. It owns the file, which is removed with it.
class SortedFile {
public:
    SortedFile(Disk& disk, RecordFormat format) : disk_(&disk), format_(format), number_(disk.next_number()) {}
    // A file that was kept. Reads all of it, and throws DiskError where it is not what was written.
    SortedFile(Disk& disk, RecordFormat format, std::uint32_t number, std::uint64_t bytes);
    ~SortedFile();
    SortedFile(SortedFile&& other) noexcept { *this = std::move(other); }
    SortedFile& operator=(SortedFile&& other) noexcept;

    Disk& disk() const { return *disk_; }
    const RecordFormat& format() const { return format_; }
    std::string path() const { return disk_->path(number_); }
    std::uint32_t number() const { return number_; }
    // Makes sure that it outlives the system.
    void sync() const;
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t records() const { return records_; }
    bool empty() const { return records_ == 0; }
    // The least and the greatest of what the records say of their states.
    Word least_tag() const { return least_; }
    Word greatest_tag() const { return greatest_; }

    // Memory that the index takes.
    std::size_t index_bytes() const { return offsets_.size() * block_index_bytes(); }
    std::size_t blocks() const { return offsets_.size(); }
    std::uint64_t offset(std::size_t block) const { return block < offsets_.size() ? offsets_[block] : bytes_; }
    const Word* first(std::size_t block) const { return firsts_.data() + block * format_.words; }
    // The last block from `block` on whose first state does not come after this one.
    std::size_t block_of(const Word* state, std::size_t block) const;

private:
    friend class SortedWriter;

    std::size_t block_index_bytes() const { return sizeof(std::uint64_t) + format_.words * sizeof(Word); }
    void note_block(std::uint64_t offset, const Word* first);
    void note_tag(Word tag) {
        least_ = std::min(least_, tag);
        greatest_ = std::max(greatest_, tag);
    }

    Disk* disk_ = nullptr; // null: nothing is owned
    RecordFormat format_{};
    std::uint32_t number_ = 0;
    std::uint64_t bytes_ = 0, records_ = 0;
    Word least_ = std::numeric_limits<Word>::max(), greatest_ = 0;
    std::vector<std::uint64_t> offsets_; // of blocks
    std::vector<Word> firsts_;           // the first state of each
};

class SortedWriter {
public:
    SortedWriter(Disk& disk, RecordFormat format);
    ~SortedWriter();

    // States must come in their order.
    void add(const Word* state, Word tag);
    SortedFile finish();

private:
    void begin_block(const Word* state);
    void end_block();
    void hand_over();
    void take_room();

    SortedFile made_;
    std::optional<OpenFile> file_;
    DeltaCode code_;
    std::vector<Word> record_;
    std::vector<std::byte> filling_, writing_;
    std::size_t filled_ = 0;      // bytes of `filling_`
    std::size_t block_begin_ = 0; // where in `filling_` the present block begins
    std::uint32_t in_block_ = 0;
    std::uint64_t offset_ = 0; // in the file, of `filling_`
    IoThread::Task task_;
};

class SortedReader {
public:
    // The file must stay where it is.
    explicit SortedReader(const SortedFile& file);
    ~SortedReader();
    SortedReader(const SortedReader&) = delete;
    SortedReader& operator=(const SortedReader&) = delete;

    // Goes to the next record, the first one at first; false if there is none.
    bool next() {
        if (left_ == 0 && !enter_block(block_ + 1)) {
            return false;
        }
        --left_;
        place_ = code_.read(place_);
        return true;
    }
    // Goes on to the first record that does not come before this state, and not back; false if there is none.
    bool seek(const Word* state);

    const Word* state() const { return code_.record(); }
    Word tag() const { return code_.record()[file_.format().words]; }

private:
    struct Chunk {
        std::vector<std::byte> bytes;
        std::size_t first = 0, end = 0; // blocks
        IoThread::Task task;
    };

    bool enter_block(std::size_t block);
    void load(std::size_t block);
    void place(Chunk& chunk, std::size_t block) const;
    void read(Chunk& chunk) const;

    const SortedFile& file_;
    OpenFile handle_;
    DeltaCode code_;
    Chunk chunks_[2];
    int current_ = 0;
    std::size_t block_;
    const std::byte* place_ = nullptr;
    std::uint32_t left_ = 0; // records of the block
    bool is_over_ = false;
};

} // namespace beeline
