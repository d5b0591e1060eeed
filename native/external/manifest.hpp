// What a search needs to go on later, as lines of text with a checksum, written so that there is always a whole one: a
// name, and numbers or a text behind it. Names may come several times.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beeline {

// Thrown where a checkpoint cannot be used; says why.
struct CheckpointError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Has a file that is written and synced take the place of another, as a whole or not at all.
void put_in_place(const std::string& part, const std::string& path);

class Manifest {
public:
    static constexpr std::string_view kFirstLine = "beeline checkpoint 1\n"; // of all files of checkpoints

    using Numbers = std::vector<std::uint64_t>;

    void put(std::string_view name, std::string_view text);
    void put(std::string_view name, const Numbers& numbers);

    // Of the first line of this name; throws CheckpointError if there is none.
    const std::string& text(std::string_view name) const;
    // With at least `least` numbers.
    Numbers numbers(std::string_view name, std::size_t least = 0) const;
    // Of all lines of this name.
    std::vector<Numbers> all(std::string_view name, std::size_t least) const;

    // In the place of what the file held before, as a whole or not at all.
    void write(const std::string& path) const;
    static Manifest read(const std::string& path);

private:
    static Numbers parse(const std::string& text, std::size_t least);

    std::vector<std::pair<std::string, std::string>> lines_;
};

} // namespace beeline
