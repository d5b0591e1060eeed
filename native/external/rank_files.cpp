#include "external/rank_files.hpp"

#include "external/checkpoint.hpp"

#include <algorithm>
#include <filesystem>

namespace beeline {
namespace {

// What the names of all parts of a search begin with: each ends in the numbers of a checkpoint and of a rank.
std::string owner_of_part(const std::string& part) {
    return std::filesystem::path(part).replace_extension().replace_extension().string();
}

} // namespace

RankFiles::List RankFiles::list() {
    List list;
    const std::string folder = std::filesystem::absolute(disk_->folder()).string();
    list.folder.assign(folder.begin(), folder.end());
    list.bucket = bucket;
    list.done = done;
    list.read = disk_->read();
    list.written = disk_->written();
    std::vector<std::uint32_t>& numbers = parts_.back().second;
    const auto put = [&](Kind kind, const Bucket& of, std::size_t level, const SortedFile& file) {
        file.sync();
        numbers.push_back(file.number());
        list.files.push_back({kind, of, level, file.number(), file.bytes()});
    };
    const auto put_all = [&](Kind kind, const Bucket& of, const FileLevels& levels) {
        for (std::size_t level = 0; level < levels.levels(); ++level) {
            for (const SortedFile& file : levels.level(level)) {
                put(kind, of, level, file);
            }
        }
    };
    for (const auto& [estimate, levels] : known) {
        put_all(kKnown, {estimate, 0}, levels);
    }
    for (const auto& [of, levels] : waiting) {
        put_all(kWaiting, of, levels);
    }
    if (layer) {
        put(kLayer, bucket, 0, *layer);
    }
    disk_->keep_also(numbers, owner_of_part(parts_.back().first));
    return list;
}

void RankFiles::take_over(const List& list, const std::string& part) {
    disk_.emplace(Disk::Kept{{list.folder.begin(), list.folder.end()}}, limit_);
    disk_->add_moved(list.read, list.written);
    std::vector<std::uint32_t> numbers;
    for (const Told& told : list.files) {
        SortedFile file = reopened(*disk_, format_, told.number, told.bytes);
        numbers.push_back(file.number());
        if (told.kind == kKnown) {
            known[told.bucket.estimate()].put_back(told.level, std::move(file));
        } else if (told.kind == kWaiting) {
            waiting[told.bucket].put_back(told.level, std::move(file));
        } else {
            layer.emplace(std::move(file));
        }
    }
    bucket = list.bucket;
    done = list.done;
    disk_->remove_others(numbers);
    disk_->keep(numbers);
    parts_.emplace_back(part, std::move(numbers));
}

void RankFiles::begin_part(const std::string& part) {
    std::erase_if(parts_, [](const auto& one) { return !std::filesystem::exists(one.first); });
    std::vector<std::uint32_t> kept;
    for (const auto& [path, numbers] : parts_) {
        kept.insert(kept.end(), numbers.begin(), numbers.end());
    }
    disk_->keep(std::move(kept));
    disk_->remove_abandoned();
    parts_.emplace_back(part, std::vector<std::uint32_t>());
}

} // namespace beeline
