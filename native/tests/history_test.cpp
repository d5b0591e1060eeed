// Samples of a run: evenly spread, and never too many.
#include "search/history.hpp"
#include "tests/check.hpp"

using namespace beeline;

TEST(samples_of_a_long_run_are_few_and_evenly_spread) {
    History history;
    Statistics statistics;
    for (int i = 0; i < 100'000; ++i) {
        statistics.seconds = i * 0.001;
        statistics.stored = static_cast<std::uint64_t>(i);
        history.note(statistics);
    }
    history.close(statistics);
    const auto& samples = history.samples();
    CHECK(samples.size() > History::kMost / 2);
    CHECK(samples.size() <= History::kMost + 1);
    CHECK(samples.back().stored == 99'999u);
    const double distance = samples[1].seconds - samples[0].seconds;
    for (std::size_t i = 2; i + 1 < samples.size(); ++i) {
        const double step = samples[i].seconds - samples[i - 1].seconds;
        CHECK(step > 0.4 * distance && step < 2.6 * distance);
    }
}

TEST(estimates_are_counted_by_value_and_large_ones_together) {
    Statistics statistics;
    for (const std::int32_t value : {7, 3, 3, 1'000'000}) {
        statistics.note_estimate(value);
    }
    CHECK(statistics.best_estimate == 3);
    CHECK(statistics.estimates.size() == Statistics::kEstimates);
    CHECK(statistics.estimates[3] == 2u);
    CHECK(statistics.estimates.back() == 1u);
}
