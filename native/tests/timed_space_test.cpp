// Zone graphs of whole models, searched natively: what the sanitizers look at. The programs are written by programs.py
// into the folder that BEELINE_PROGRAMS names; without it there is nothing to search.
#include "search/breadth_first.hpp"
#include "search/depth_first.hpp"
#include "search/driver.hpp"
#include "tests/check.hpp"
#include "zone/timed_space.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace beeline;

std::vector<std::int32_t> read_list(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    std::vector<std::int32_t> values(count);
    for (std::int32_t& value : values) {
        in >> value;
    }
    return values;
}

// Reads tables up to the word "clocks" or the end.
Tables read_tables(std::istream& in) {
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

std::vector<std::filesystem::path> programs() {
    std::vector<std::filesystem::path> found;
    if (const char* folder = std::getenv("BEELINE_PROGRAMS")) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            found.push_back(entry.path());
        }
    }
    return found;
}

TimedSpace read_space(const std::filesystem::path& file) {
    std::ifstream in(file);
    auto program = std::make_shared<const Program>(read_tables(in));
    auto clocks = std::make_shared<const ClockTables>(read_tables(in), *program);
    return TimedSpace(std::move(program), std::move(clocks));
}

} // namespace

TEST(timed_space_of_every_model_is_searched_to_the_same_end_by_breadth_and_depth) {
    for (const std::filesystem::path& file : programs()) {
        TimedSpace space = read_space(file);
        Request request;
        request.stop = kGoal | kError;
        request.limits.states = 5000;
        const Outcome breadth = run_search<BreadthFirst>(space, request);
        const Outcome depth = run_search<DepthFirst>(space, request, std::optional<std::uint64_t>{});
        CHECK(breadth.statistics.stored > 0);
        CHECK(breadth.status == Status::kStates || depth.status == Status::kStates || breadth.status == depth.status);
        SuccessorBuffer buffer(space.words());
        for (std::size_t i = 0; i < breadth.path.size(); ++i) {
            const Word* state = breadth.path.state(i);
            space.check_state(state);
            buffer.clear();
            space.expand(state, buffer);
            space.parts_by_deadlock(state, true);
        }
    }
}
