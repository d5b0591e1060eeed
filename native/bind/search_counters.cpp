// A space whose counts are known by arithmetic and whose steps cost nothing: for tests, and as the best case of `make
// bench`.
#include "bind/bind_searches.hpp"
#include "bind/register.hpp"
#include "space/counters.hpp"

#include <stdexcept>

namespace nb = nanobind;

namespace beeline {
namespace {

void make_counters(Counters* place, std::size_t counters, Word top) {
    if (counters == 0 || counters > 4096) {
        throw std::invalid_argument("there must be between 1 and 4096 counters");
    }
    new (place) Counters(counters, top);
}

} // namespace

BEELINE_BIND(kSpaces, module) {
    nb::class_<Counters> cls(module, "CounterSpace",
                             "Counters that each go from 0 to `top`: (top + 1) ** counters states.");
    cls.def("__init__", &make_counters, nb::arg("counters"), nb::arg("top"));
    bind_searches(cls);
}

} // namespace beeline
