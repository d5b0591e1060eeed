// Representatives of states under the exchange of what is interchangeable.
#include "bind/read_tables.hpp"
#include "bind/register.hpp"
#include "symmetry/group.hpp"
#include "symmetry/sets.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace beeline {

namespace {

void require_state(const Canonicaliser& symmetry, const Program& program, const std::vector<Word>& words) {
    if (words.size() != symmetry.words(program)) {
        throw std::invalid_argument("a state of this program has another number of words");
    }
}

} // namespace

BEELINE_BIND(kTables, module) {
    nb::class_<Canonicaliser>(module, "Canonicaliser", "Finds the representatives of a program's states.")
        .def_prop_ro("represented", &Canonicaliser::represented,
                     "What states that were expanded stand for, if counted.")
        .def(
            "representative",
            [](Canonicaliser& self, const Program& program, std::vector<Word> words) {
                require_state(self, program, words);
                self.apply(program, words.data());
                return words;
            },
            nb::arg("program"), nb::arg("words"), "The state that stands for one.")
        .def(
            "orbit",
            [](Canonicaliser& self, const Program& program, const std::vector<Word>& words) {
                require_state(self, program, words);
                return self.orbit(program, words.data());
            },
            nb::arg("program"), nb::arg("words"), "How many states have the same representative as one.");
    module.def(
        "fold",
        [](const Program& program, const nb::dict& given, std::size_t most, bool counts) {
            const Tables tables = read_tables(given);
            std::shared_ptr<Canonicaliser> made;
            if (tables.rows.contains("members")) {
                made = std::make_shared<GroupCanonicaliser>(std::make_shared<GroupTables>(program, tables), counts);
            } else {
                made = std::make_shared<SetCanonicaliser>(std::make_shared<SetTables>(program, tables), most, counts);
            }
            return made;
        },
        nb::arg("program"), nb::arg("tables"), nb::arg("most") = 0, nb::arg("counts") = false,
        "Representatives by tables for sets, of which `most` orders are looked at (0: all), or for a group.");
}

} // namespace beeline
