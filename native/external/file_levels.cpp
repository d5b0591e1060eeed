#include "external/file_levels.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace beeline {
namespace {

constexpr std::uint32_t kBetweenLooks = 256; // records

std::vector<const SortedFile*> pointers(const std::vector<SortedFile>& files) {
    std::vector<const SortedFile*> found;
    for (const SortedFile& file : files) {
        found.push_back(&file);
    }
    return found;
}

std::optional<SortedFile> merge(const std::vector<SortedFile>& files, Tags tags, const KeepsGoing& going) {
    SortedWriter writer(files.front().disk(), files.front().format());
    MergedReader reader(pointers(files), tags);
    for (std::uint32_t since = 0; reader.next(); ++since) {
        if (since % kBetweenLooks == 0 && !going()) {
            return std::nullopt;
        }
        writer.add(reader.state(), reader.tag());
    }
    return writer.finish();
}

} // namespace

bool FileLevels::add(SortedFile file, const KeepsGoing& going) {
    records_ += file.records();
    for (std::size_t level = 0;; ++level) {
        if (level == levels_.size()) {
            levels_.emplace_back();
        }
        levels_[level].push_back(std::move(file));
        if (levels_[level].size() < kFan) {
            return true;
        }
        std::optional<SortedFile> merged = merge(levels_[level], tags_, going);
        if (!merged) {
            return false;
        }
        for (const SortedFile& old : levels_[level]) {
            records_ -= old.records();
        }
        records_ += merged->records();
        levels_[level].clear();
        file = std::move(*merged);
    }
}

void FileLevels::put_back(std::size_t level, SortedFile file) {
    levels_.resize(std::max(levels_.size(), level + 1));
    records_ += file.records();
    levels_[level].push_back(std::move(file));
}

std::vector<const SortedFile*> FileLevels::files() const {
    std::vector<const SortedFile*> all;
    for (const auto& level : levels_) {
        for (const SortedFile* file : pointers(level)) {
            all.push_back(file);
        }
    }
    return all;
}

MergedReader::MergedReader(const std::vector<const SortedFile*>& files, Tags tags) : tags_(tags) {
    for (const SortedFile* file : files) {
        words_ = file->format().words;
        auto reader = std::make_unique<SortedReader>(*file);
        if (reader->next()) {
            heap_.push_back(std::move(reader));
        }
    }
    std::sort(heap_.begin(), heap_.end(), [this](const auto& a, const auto& b) { return is_before(*a, *b); });
}

bool MergedReader::next() {
    if (heap_.empty()) {
        return false;
    }
    const SortedReader& first = *heap_.front();
    state_.assign(first.state(), first.state() + words_);
    tag_ = first.tag();
    while (advance_first() && compare_states(heap_.front()->state(), state_.data(), words_) == 0) {
        tag_ += tags_ == Tags::kSum ? heap_.front()->tag() : 0;
    }
    return true;
}

// The first one goes to its next record and to its place; false if nothing is left.
bool MergedReader::advance_first() {
    if (!heap_.front()->next()) {
        std::swap(heap_.front(), heap_.back());
        heap_.pop_back();
    }
    sift_down();
    return !heap_.empty();
}

OrderedLookup::OrderedLookup(const FileLevels& set) {
    for (const SortedFile* file : set.files()) {
        words_ = file->format().words;
        readers_.push_back(std::make_unique<SortedReader>(*file));
    }
}

const SortedReader* OrderedLookup::find(const Word* state) {
    for (const auto& reader : readers_) {
        if (reader->seek(state) && compare_states(reader->state(), state, words_) == 0) {
            return reader.get();
        }
    }
    return nullptr;
}

Word OrderedLookup::sum(const Word* state) {
    Word all = 0;
    for (const auto& reader : readers_) {
        const bool has = reader->seek(state) && compare_states(reader->state(), state, words_) == 0;
        all += has ? reader->tag() : 0;
    }
    return all;
}

void MergedReader::sift_down() {
    for (std::size_t place = 0;;) {
        std::size_t least = place;
        for (const std::size_t child : {2 * place + 1, 2 * place + 2}) {
            if (child < heap_.size() && is_before(*heap_[child], *heap_[least])) {
                least = child;
            }
        }
        if (least == place) {
            return;
        }
        std::swap(heap_[place], heap_[least]);
        place = least;
    }
}

} // namespace beeline
