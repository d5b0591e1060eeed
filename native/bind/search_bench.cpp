// The rate of the bare store, to hold the rate of whole searches against.
#include "bind/register.hpp"
#include "state/store.hpp"

#include <array>
#include <chrono>
#include <nanobind/ndarray.h>
#include <stdexcept>

namespace nb = nanobind;

namespace beeline {
namespace {

using States = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void insert_batch(Store& store, const Word* states, std::size_t count) {
    std::array<std::uint64_t, 256> hashes;
    for (std::size_t i = 0; i < count; ++i) {
        hashes[i] = store.hash(states + i * store.words());
        store.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        store.prefetch_record(hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        store.insert(states + i * store.words(), hashes[i], kNoIndex, 0);
    }
}

// Seconds to insert all rows in order, the number of different ones, and the bytes that the store took.
nb::tuple time_store(const States& states) {
    const std::size_t words = states.shape(1);
    const std::size_t count = states.shape(0);
    if (words == 0 || words > 1u << 16) {
        throw std::invalid_argument("a state has between 1 and 65536 words");
    }
    MemoryAccount account;
    Store store(words, account);
    const Word* data = states.data();
    const auto start = std::chrono::steady_clock::now();
    {
        const nb::gil_scoped_release unlocked;
        for (std::size_t first = 0; first < count; first += 256) {
            insert_batch(store, data + first * words, std::min<std::size_t>(256, count - first));
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return nb::make_tuple(seconds.count(), store.size(), account.peak());
}

} // namespace

BEELINE_BIND(kFunctions, module) {
    module.def("time_store", &time_store, nb::arg("states"),
               "Inserts the rows of an array of words into an empty store: (seconds, different states, bytes).",
               nb::sig("def time_store(states: numpy.typing.NDArray[numpy.uint32]) -> tuple[float, int, int]"));
}

} // namespace beeline
