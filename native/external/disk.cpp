#include "external/disk.hpp"

#include "external/manifest.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace beeline {
namespace {

namespace files = std::filesystem;

constexpr const char* kPrefix = "beeline-search-";
constexpr const char* kUnlocked = ".beeline-new-";          // until it is locked, nobody else is to see the folder
constexpr std::size_t kLongestText = std::size_t{64} << 10; // in which a checkpoint names its folder
constexpr const char* kLock = "/lock";
constexpr const char* kKept = "/kept"; // names the checkpoint that needs the folder

[[noreturn]] void fail(const std::string& path, int reason) {
    const std::string said = path + ": " + std::strerror(reason);
    if (reason == ENOSPC || reason == EDQUOT) {
        throw DiskFull(said);
    }
    throw DiskError(said);
}

// A handle that holds the lock of a folder, or -1 if another process does.
int locked(const std::string& folder) {
    const int handle = open((folder + kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (handle >= 0 && flock(handle, LOCK_EX | LOCK_NB) != 0) {
        close(handle);
        return -1;
    }
    return handle;
}

// What a file begins with.
std::string text_of(const std::string& path) {
    std::string text(kLongestText, '\0');
    std::ifstream stream(path);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

// Whether a checkpoint tells of the folder.
bool is_needed(const std::string& folder) {
    const files::path owner = text_of(folder + kKept);
    if (owner.empty()) {
        return false;
    }
    std::error_code ignored;
    const files::directory_iterator beside(owner.parent_path(), ignored);
    return std::any_of(begin(beside), end(beside), [&](const files::directory_entry& entry) {
        return entry.path().filename().string().starts_with(owner.filename().string()) &&
               text_of(entry.path()).find(files::path(folder).filename().string()) != std::string::npos;
    });
}

// The lock goes last, so that somebody else ends this if the process is killed meanwhile.
void remove_folder(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : files::directory_iterator(folder, ignored)) {
        if (entry.path() != files::path(folder + kLock)) {
            files::remove_all(entry.path(), ignored);
        }
    }
    files::remove_all(folder, ignored);
}

void remove_abandoned_in(const std::string& parent) {
    std::error_code ignored;
    for (const auto& entry : files::directory_iterator(parent, ignored)) {
        const std::string path = entry.path().string();
        if (!entry.path().filename().string().starts_with(kPrefix) || is_needed(path)) {
            continue;
        }
        if (!files::exists(path + kLock, ignored)) {
            files::remove(path, ignored); // which only succeeds if nothing else is left of it
        } else if (const int handle = locked(path); handle >= 0) {
            remove_folder(path);
            close(handle);
        }
    }
}

} // namespace

Disk::Disk(const std::string& parent, std::uint64_t limit) : limit_(limit) {
    std::error_code problem;
    files::create_directories(parent, problem);
    if (problem) {
        throw DiskError(parent + ": " + problem.message());
    }
    remove_abandoned_in(parent);
    std::string made = parent + "/" + kUnlocked + "XXXXXX";
    if (mkdtemp(made.data()) == nullptr) {
        fail(parent, errno);
    }
    lock_ = locked(made);
    folder_ = parent + "/" + kPrefix + made.substr(made.rfind('-') + 1);
    files::rename(made, folder_);
}

Disk::Disk(const Kept& kept, std::uint64_t limit) : folder_(kept.folder), is_kept_(true), limit_(limit) {
    if (!files::exists(folder_ + kLock)) {
        throw CheckpointError("its files are gone: there is no " + folder_);
    }
    lock_ = locked(folder_);
    if (lock_ < 0) {
        throw CheckpointError("another process is using it");
    }
}

Disk::Disk(const Borrowed& from) : folder_(from.folder), is_kept_(true), is_borrowed_(true), limit_(kNoLimit) {
    if (!files::exists(folder_ + kLock)) {
        throw CheckpointError("its files are gone: there is no " + folder_);
    }
}

Disk::~Disk() {
    if (!is_kept_) {
        remove_folder(folder_);
    }
    if (lock_ >= 0) {
        close(lock_);
    }
}

void Disk::remove(std::uint32_t number, std::uint64_t bytes) {
    if (is_borrowed_) {
        return;
    }
    if (std::ranges::binary_search(kept_, number)) {
        retired_.emplace_back(number, bytes);
    } else {
        unlink(number);
        give_back(bytes);
    }
}

void Disk::unlink(std::uint32_t number) const {
    std::error_code ignored;
    files::remove(path(number), ignored);
}

void Disk::keep(std::vector<std::uint32_t> numbers) {
    std::ranges::sort(numbers);
    kept_ = std::move(numbers);
    for (const auto& [number, bytes] : std::exchange(retired_, {})) {
        remove(number, bytes);
    }
}

void Disk::keep_also(const std::vector<std::uint32_t>& numbers, const std::string& owner) {
    if (!std::exchange(is_kept_, true)) {
        std::ofstream(folder_ + kKept) << files::absolute(owner).string();
        OpenFile(folder_ + kKept, false).sync();
    }
    kept_.insert(kept_.end(), numbers.begin(), numbers.end());
    std::ranges::sort(kept_);
}

void Disk::keep_nothing() {
    kept_.clear();
    is_kept_ = false;
    remove_abandoned();
}

void Disk::remove_abandoned() const { remove_abandoned_in(files::path(folder_).parent_path().string()); }

void Disk::take_over(std::uint32_t number, std::uint64_t bytes) {
    next_number_ = std::max(next_number_, number + 1);
    used_ += bytes;
    peak_ = std::max(peak_, used_);
}

void Disk::remove_others(const std::vector<std::uint32_t>& numbers) const {
    for (const auto& entry : files::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        const bool is_numbered = std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; });
        if (is_numbered && std::ranges::find(numbers, std::stoul(name)) == numbers.end()) {
            files::remove(entry.path());
        }
    }
}

void Disk::take(std::uint64_t bytes) {
    if (bytes > limit_ - std::min(used_, limit_)) {
        throw DiskFull("the limit of the disk is reached");
    }
    used_ += bytes;
    written_ += bytes;
    peak_ = std::max(peak_, used_);
}

OpenFile::OpenFile(const std::string& path, bool writes)
    : path_(path), handle_(open(path.c_str(), (writes ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY) | O_CLOEXEC, 0600)) {
    if (handle_ < 0) {
        fail(path_, errno);
    }
}

OpenFile::~OpenFile() { close(handle_); }

void OpenFile::write(const std::byte* bytes, std::size_t count, std::uint64_t offset) const {
    while (count > 0) {
        const ssize_t done = pwrite(handle_, bytes, count, static_cast<off_t>(offset));
        if (done < 0 && errno != EINTR) {
            fail(path_, errno);
        }
        const auto written = static_cast<std::size_t>(std::max<ssize_t>(done, 0));
        bytes += written;
        count -= written;
        offset += written;
    }
}

void OpenFile::read(std::byte* bytes, std::size_t count, std::uint64_t offset) const {
    while (count > 0) {
        const ssize_t done = pread(handle_, bytes, count, static_cast<off_t>(offset));
        if (done == 0) {
            throw DiskError(path_ + ": the file is shorter than what was written");
        }
        if (done < 0 && errno != EINTR) {
            fail(path_, errno);
        }
        const auto read = static_cast<std::size_t>(std::max<ssize_t>(done, 0));
        bytes += read;
        count -= read;
        offset += read;
    }
}

void OpenFile::sync() const {
    if (fsync(handle_) != 0) {
        fail(path_, errno);
    }
}

} // namespace beeline
