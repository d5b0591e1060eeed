#include "external/manifest.hpp"

#include "external/disk.hpp"
#include "external/sorted_file.hpp"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace beeline {
namespace {

constexpr std::string_view kLastLine = "checksum ";

std::string checksum(const std::string& text) {
    return std::to_string(checksum_of(reinterpret_cast<const std::byte*>(text.data()), text.size()));
}

// Has the system write down which files a folder holds.
void sync_folder(const std::filesystem::path& folder) {
    const int handle = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
}

} // namespace

void put_in_place(const std::string& part, const std::string& path) {
    std::filesystem::rename(part, path);
    sync_folder(std::filesystem::path(path).parent_path());
}

void Manifest::put(std::string_view name, std::string_view text) { lines_.emplace_back(name, text); }

void Manifest::put(std::string_view name, const Numbers& numbers) {
    std::string text;
    for (const std::uint64_t number : numbers) {
        text += (text.empty() ? "" : " ") + std::to_string(number);
    }
    put(name, text);
}

const std::string& Manifest::text(std::string_view name) const {
    for (const auto& [known, text] : lines_) {
        if (known == name) {
            return text;
        }
    }
    throw CheckpointError("it is damaged: it does not tell the " + std::string(name));
}

Manifest::Numbers Manifest::numbers(std::string_view name, std::size_t least) const { return parse(text(name), least); }

std::vector<Manifest::Numbers> Manifest::all(std::string_view name, std::size_t least) const {
    std::vector<Numbers> found;
    for (const auto& [known, text] : lines_) {
        if (known == name) {
            found.push_back(parse(text, least));
        }
    }
    return found;
}

Manifest::Numbers Manifest::parse(const std::string& text, std::size_t least) {
    std::istringstream stream(text);
    Numbers numbers;
    for (std::uint64_t number = 0; stream >> number;) {
        numbers.push_back(number);
    }
    if (numbers.size() < least) {
        throw CheckpointError("it is damaged: numbers are missing");
    }
    return numbers;
}

void Manifest::write(const std::string& path) const {
    std::string text(Manifest::kFirstLine);
    for (const auto& [name, value] : lines_) {
        text += name + " " + value + "\n";
    }
    text += std::string(kLastLine) + checksum(text) + "\n";
    const std::string part = path + ".part";
    {
        const OpenFile file(part, true);
        file.write(reinterpret_cast<const std::byte*>(text.data()), text.size(), 0);
        file.sync();
    }
    put_in_place(part, path);
}

Manifest Manifest::read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw CheckpointError("there is none in " + std::filesystem::path(path).parent_path().string());
    }
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const std::size_t last = text.rfind(kLastLine);
    if (!text.starts_with(Manifest::kFirstLine) || last == std::string::npos ||
        text.substr(last) != std::string(kLastLine) + checksum(text.substr(0, last)) + "\n") {
        throw CheckpointError("it is damaged: its checksum does not fit");
    }
    Manifest found;
    std::istringstream lines(text.substr(Manifest::kFirstLine.size(), last - Manifest::kFirstLine.size()));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        found.put(line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1));
    }
    return found;
}

} // namespace beeline
