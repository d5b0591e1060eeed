// A checkpoint of a search in memory: one file, written beside the old one and put in its place, in pieces with
// checksums. What is to be kept has one function `archive(with)`, which hands its parts to a writer or has a reader
// fill them.
#pragma once

#include "external/disk.hpp"
#include "external/manifest.hpp"
#include "external/sorted_file.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace beeline {

// Where a search leaves what it needs to go on later, and how often.
struct CheckpointOptions {
    std::string file;     // empty: nowhere
    double every = 600;   // seconds
    std::string identity; // of the space and the options; a checkpoint of another one is refused
    bool resumes = false; // goes on from what is there
};

// A file that a checkpoint names; throws CheckpointError where it is not what was written.
SortedFile reopened(Disk& disk, const RecordFormat& format, std::uint64_t number, std::uint64_t bytes);

// Hands parts to `bytes` of Derived: numbers and the like as they are, vectors with their lengths.
template <class Derived>
class Archive {
public:
    template <class... Parts>
    void operator()(Parts&... parts) {
        (pass(parts), ...);
    }

private:
    Derived& self() { return static_cast<Derived&>(*this); }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void pass(T& part) {
        self().bytes(&part, sizeof part);
    }
    template <class T>
    void pass(std::vector<T>& parts) {
        std::uint64_t count = parts.size();
        self().bytes(&count, sizeof count);
        if constexpr (!Derived::kWrites) {
            self().expect(count * sizeof(T));
            parts.resize(count);
        }
        self().bytes(parts.data(), count * sizeof(T));
    }
};

class CheckpointWriter : public Archive<CheckpointWriter> {
public:
    static constexpr bool kWrites = true;

    // Throws DiskFull or DiskError, as all that follows.
    explicit CheckpointWriter(const CheckpointOptions& options);
    ~CheckpointWriter();
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    void bytes(const void* from, std::size_t count);
    // All is there: it takes the place of what was there before.
    void finish();

private:
    void hand_over();

    std::string path_, part_;
    std::unique_ptr<OpenFile> file_;
    std::vector<std::byte> piece_;
    std::uint64_t offset_ = 0;
    std::uint32_t pieces_ = 0;
};

class CheckpointReader : public Archive<CheckpointReader> {
public:
    static constexpr bool kWrites = false;

    // Throws CheckpointError where something is wrong with the file, as all that follows.
    explicit CheckpointReader(const CheckpointOptions& options);

    void bytes(void* to, std::size_t count);
    // So many bytes are to follow; no memory is taken for what is not there.
    void expect(std::uint64_t count) const;
    // Nothing may be left.
    void finish();

private:
    void take_piece();

    std::unique_ptr<OpenFile> file_;
    std::uint64_t size_;
    std::vector<std::byte> piece_;
    std::size_t taken_ = 0; // of the piece
    std::uint64_t offset_ = 0;
    std::uint32_t pieces_ = 0;
};

} // namespace beeline
