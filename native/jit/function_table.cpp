#include "jit/function_table.hpp"

#include "jit/text.hpp"

#include <algorithm>

namespace beeline {

namespace {

// How the numbers of a function are written: those that all uses share as they are, others by their column.
class Numbers {
public:
    template <class Uses>
    explicit Numbers(const Uses& uses) {
        for (std::size_t i = 0; i < uses.front().numbers.size(); ++i) {
            std::vector<std::int32_t> column;
            for (const auto& use : uses) {
                column.push_back(use.numbers[i]);
            }
            names_.push_back(name_of(std::move(column)));
        }
    }

    const std::string& name(std::size_t i) const { return names_[i]; }
    std::string row(std::size_t use) const {
        std::string text;
        for (const auto& column : columns_) {
            text += say(number(column[use]), ", ");
        }
        return text;
    }
    std::size_t width() const { return columns_.size(); }

private:
    std::string name_of(std::vector<std::int32_t> column) {
        if (std::all_of(column.begin(), column.end(), [&](std::int32_t value) { return value == column.front(); })) {
            return number(column.front());
        }
        auto found = std::find(columns_.begin(), columns_.end(), column);
        if (found == columns_.end()) {
            found = columns_.insert(found, std::move(column));
        }
        return say("k[", found - columns_.begin(), "]");
    }

    std::vector<std::string> names_;
    std::vector<std::vector<std::int32_t>> columns_;
};

} // namespace

void FunctionTable::put(std::size_t place, const std::string& body) {
    std::string bare;
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < body.size(); ++i) {
        bare += body[i];
        if (body[i] == kMark) {
            const std::size_t end = body.find(kMark, i + 1);
            numbers.push_back(std::stoi(body.substr(i + 1, end - i - 1)));
            i = end;
        }
    }
    uses_[bare].push_back({place, std::move(numbers)});
}

std::string FunctionTable::declaration() const {
    return say("static const struct unit ", name_, "[", size_ + 1, "];\n");
}

std::string FunctionTable::text() const {
    std::string text;
    std::vector<std::string> units(size_ + 1, "{0, 0}");
    std::size_t count = 0;
    for (const auto& [bare, uses] : uses_) {
        const Numbers numbers(uses);
        const std::string function = say(name_, "_", count++);
        if (numbers.width() > 0) {
            text += say("static const int32_t ", function, "_numbers[][", numbers.width(), "] = {");
            for (std::size_t i = 0; i < uses.size(); ++i) {
                text += say("{", numbers.row(i), "}, ");
            }
            text += "};\n";
        }
        text += say("static int ", function, "(struct context* x, const int32_t* restrict k) {\n");
        std::size_t next = 0;
        for (const char letter : bare) {
            text += letter == kMark ? numbers.name(next++) : std::string(1, letter);
        }
        text += "}\n";
        for (std::size_t i = 0; i < uses.size(); ++i) {
            const std::string row = numbers.width() > 0 ? say(function, "_numbers[", i, "]") : "0";
            units[uses[i].place] = say("{", function, ", ", row, "}");
        }
    }
    text += say("static const struct unit ", name_, "[", size_ + 1, "] = {");
    for (const std::string& unit : units) {
        text += say(unit, ", ");
    }
    return text + "};\n";
}

} // namespace beeline
