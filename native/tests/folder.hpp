// A folder that goes with the test.
#pragma once

#include <filesystem>
#include <string>

namespace beeline::test {

struct Folder {
    Folder() : path((std::filesystem::temp_directory_path() / "beeline-external-test").string()) {
        std::filesystem::create_directories(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
};

} // namespace beeline::test
