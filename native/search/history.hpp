// How a run went: its counters at moments spread over its time, few enough to be drawn.
#pragma once

#include "search/statistics.hpp"

#include <cstddef>
#include <vector>

namespace beeline {

class History {
public:
    static constexpr std::size_t kMost = 128;

    // Takes a sample if the last one is old enough. When there are too many, every second one is dropped and the
    // distance is doubled: however long the run, samples are evenly spread and their number is bounded.
    void note(const Statistics& statistics) {
        if (statistics.seconds < next_) {
            return;
        }
        if (samples_.size() >= kMost) {
            thin_out();
        }
        add(statistics);
    }

    // The last sample is the end of the run.
    void close(const Statistics& statistics) { add(statistics); }
    const std::vector<Sample>& samples() const { return samples_; }

private:
    void add(const Statistics& statistics) {
        samples_.push_back(
            {statistics.seconds, statistics.stored, statistics.frontier, statistics.best_estimate, statistics.memory});
        next_ = statistics.seconds + distance_;
    }

    void thin_out() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < samples_.size(); i += 2) {
            samples_[kept++] = samples_[i];
        }
        samples_.resize(kept);
        distance_ *= 2;
    }

    std::vector<Sample> samples_;
    double distance_ = 0.001; // seconds
    double next_ = 0;
};

} // namespace beeline
