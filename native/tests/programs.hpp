// Programs that programs.py has written into the folder that BEELINE_PROGRAMS names; none without it.
#pragma once

#include "vm/program.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace beeline::test {

inline std::vector<std::int32_t> read_list(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    std::vector<std::int32_t> values(count);
    for (std::int32_t& value : values) {
        in >> value;
    }
    return values;
}

// Reads tables up to the word "clocks" or the end.
inline Tables read_tables(std::istream& in) {
    Tables tables;
    std::string kind, name;
    while (in >> kind && kind != "clocks") {
        in >> name;
        if (kind == "number") {
            in >> tables.numbers[name];
        } else if (kind == "list") {
            tables.lists[name] = read_list(in);
            if (tables.lists[name].empty()) {
                tables.rows[name].clear(); // an empty list may be one of rows
            }
        } else {
            std::size_t count = 0;
            in >> count;
            for (auto& rows = tables.rows[name]; rows.size() < count;) {
                rows.push_back(read_list(in));
            }
        }
    }
    return tables;
}

inline std::vector<std::filesystem::path> programs(const std::string& part) {
    std::vector<std::filesystem::path> found;
    if (const char* folder = std::getenv("BEELINE_PROGRAMS")) {
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / part)) {
            found.push_back(entry.path());
        }
    }
    return found;
}

inline std::shared_ptr<const Program> read_program(const std::filesystem::path& file) {
    std::ifstream in(file);
    return std::make_shared<const Program>(read_tables(in));
}

} // namespace beeline::test
