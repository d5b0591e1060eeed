// The folder in which a search keeps what has no room in memory: numbered files, an account of their bytes, and the
// thread that reads and writes them.
#pragma once

#include "external/io_thread.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

// Thrown when a file must not, or cannot, grow.
struct DiskFull : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Thrown when a file cannot be used, or does not hold what was written to it.
struct DiskError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Disk {
public:
    static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

    // Makes a folder of its own in `parent`, which is removed at the end with all that is in it, unless it is kept.
    // Such folders of processes that were killed are removed as well.
    explicit Disk(const std::string& parent, std::uint64_t limit = kNoLimit);
    // Takes over a folder that was kept.
    struct Kept {
        std::string folder;
    };
    explicit Disk(const Kept& kept, std::uint64_t limit = kNoLimit);
    // Only reads what lies in a folder that was kept; others may do so at the same time.
    struct Borrowed {
        std::string folder;
    };
    explicit Disk(const Borrowed& from);
    ~Disk();
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;

    std::uint32_t next_number() { return next_number_++; }
    std::string path(std::uint32_t number) const { return folder_ + "/" + std::to_string(number); }
    void remove(std::uint32_t number, std::uint64_t bytes);
    const std::string& folder() const { return folder_; }

    // From now on the folder and these files stay, even if they are removed, until others are to be kept.
    void keep(std::vector<std::uint32_t> numbers);
    // These stay as well, until then. The folder stays as long as there is this file, or one whose name begins with its
    // name, and names the folder.
    void keep_also(const std::vector<std::uint32_t>& numbers, const std::string& owner);
    void keep_nothing();
    // What is beside the folder, and needed by nobody.
    void remove_abandoned() const;
    // A kept file is in use again.
    void take_over(std::uint32_t number, std::uint64_t bytes);
    // What a killed search left behind in a folder that was kept.
    void remove_others(const std::vector<std::uint32_t>& numbers) const;
    // What was moved before the folder was kept.
    void add_moved(std::uint64_t read, std::uint64_t written) {
        read_ += read;
        written_ += written;
    }
    IoThread& io() { return io_; }

    // Before bytes are written; throws DiskFull.
    void take(std::uint64_t bytes);
    void give_back(std::uint64_t bytes) { used_ -= bytes; }
    // Memory that the indices of all files take.
    void add_index(std::size_t bytes) { index_bytes_ += bytes; }
    void drop_index(std::size_t bytes) { index_bytes_ -= bytes; }
    std::size_t index_bytes() const { return index_bytes_; }
    void note_read(std::uint64_t bytes) { read_ += bytes; }

    std::uint64_t peak() const { return peak_; }
    std::uint64_t read() const { return read_; }
    std::uint64_t written() const { return written_; }

private:
    void unlink(std::uint32_t number) const;

    std::string folder_;
    int lock_ = -1; // held while the folder is in use
    bool is_kept_ = false;
    bool is_borrowed_ = false;
    std::vector<std::uint32_t> kept_;                              // sorted
    std::vector<std::pair<std::uint32_t, std::uint64_t>> retired_; // removed, but kept, with their bytes
    std::uint64_t limit_;
    std::uint64_t used_ = 0, peak_ = 0, read_ = 0, written_ = 0;
    std::uint32_t next_number_ = 0;
    std::size_t index_bytes_ = 0;
    IoThread io_;
};

// An open file of a disk. Closed at the end; removed by who knows that it is not needed any more.
class OpenFile {
public:
    OpenFile(const std::string& path, bool writes);
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    void write(const std::byte* bytes, std::size_t count, std::uint64_t offset) const;
    void read(std::byte* bytes, std::size_t count, std::uint64_t offset) const;
    void sync() const;

private:
    std::string path_;
    int handle_;
};

} // namespace beeline
