// Functions of one signature, by number. Those that differ in marked numbers only are written once, with a row of
// numbers for each use: processes of one kind share their code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace beeline {

class FunctionTable {
public:
    FunctionTable(std::string name, std::size_t size) : name_(std::move(name)), size_(size) {}

    // The function with this number; its body returns an int.
    void put(std::size_t place, const std::string& body);
    // Those that were not put are null.
    std::string declaration() const;
    std::string text() const;

private:
    struct Use {
        std::size_t place;
        std::vector<std::int32_t> numbers;
    };

    std::string name_;
    std::size_t size_;
    std::map<std::string, std::vector<Use>> uses_; // by the body without its numbers
};

} // namespace beeline
