// Runs all native tests, or those whose name contains the first argument. Each is named before it runs: one that
// hangs is then the last of the list.
#include "tests/check.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace beeline::test {
namespace {

std::vector<std::pair<const char*, void (*)()>>& tests() {
    static std::vector<std::pair<const char*, void (*)()>> all;
    return all;
}

int failures = 0;

} // namespace

void add_test(const char* name, void (*body)()) { tests().emplace_back(name, body); }

void note_failure(const char* file, int line, const char* what) {
    ++failures;
    std::cerr << file << ":" << line << ": failed: " << what << "\n";
}

} // namespace beeline::test

int main(int count, char** arguments) {
    const std::string_view wanted = count > 1 ? arguments[1] : "";
    int run = 0;
    for (const auto& [name, body] : beeline::test::tests()) {
        if (std::string_view(name).find(wanted) != std::string_view::npos) {
            std::cerr << name << "\n";
            body();
            ++run;
        }
    }
    std::cerr << run << " native tests, " << beeline::test::failures << " failed checks\n";
    return beeline::test::failures == 0 && run > 0 ? 0 : 1;
}
