// A search in memory that leaves checkpoints, or goes on from one. Such a search is one that can be stopped between
// steps, and has a function `archive`; what it knows besides are the counters, the states in their order with how they
// were reached, and the layout in which they are packed.
#pragma once

#include "external/checkpoint.hpp"
#include "search/anytime.hpp"
#include "search/best_first.hpp"
#include "search/breadth_first.hpp"
#include "search/driver.hpp"
#include "search/parallel_breadth_first.hpp"
#include "vm/program.hpp"

#include <chrono>
#include <filesystem>
#include <vector>

namespace beeline {

template <class Search, Space S, StateStore T>
class KeptSearch {
public:
    static constexpr std::size_t kSideBytes = side_bytes_of<Search>();

    template <class... Arguments>
    KeptSearch(Run<S, T>& run, const CheckpointOptions& options, const Arguments&... arguments)
        : run_(run), options_(options), search_(run, arguments...) {}

    void search() {
        if (options_.resumes) {
            restore();
        } else {
            search_.begin();
        }
        do {
            if (Clock::now() >= next_save_) {
                save();
            }
        } while (search_.step());
        if (!run_.going() && run_.outcome().status != Status::kFound) {
            const Statistics counted = run_.statistics;
            const auto tally = tally_of(run_.space);
            search_.take_back();
            save();
            run_.statistics = counted;
            put_back(run_.space, tally);
        }
        search_.finish();
        const Status status = run_.outcome().status;
        if (status == Status::kFound || status == Status::kExhausted || status == Status::kDepth) {
            std::filesystem::remove(options_.file);
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    void save() {
        if (!search_.is_whole()) {
            return; // the last one stays
        }
        try {
            CheckpointWriter writer(options_);
            auto tally = tally_of(run_.space);
            run_.statistics.archive(writer);
            writer(tally);
            search_.archive(writer);
            search_.visit_runs([&writer](auto& run) { write_states(run, writer); });
            writer.finish();
        } catch (const DiskFull&) { // the same
        }
        const std::chrono::duration<double> every(options_.every);
        next_save_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(every);
    }

    // In a layout that is made of the ranges of all cells anew, so that these are enough to have it again.
    static void write_states(Run<S, T>& run, CheckpointWriter& writer) {
        Ranges ranges = run.space.ranges();
        const auto scribe = run.space.clone();
        scribe->follow(run.space);
        scribe->take_ranges(ranges);
        std::uint64_t count = run.store.size();
        writer(ranges.low, ranges.high, count);
        std::vector<Word> words(scribe->words());
        for (std::size_t i = 0; i < count; ++i) {
            const auto index = static_cast<Index>(i);
            const std::uint32_t origin[] = {run.store.parent(index), run.store.action(index)};
            scribe->convert(run.store.state(index), words.data());
            writer.bytes(origin, sizeof origin);
            writer.bytes(words.data(), words.size() * sizeof(Word));
        }
    }

    void restore() {
        CheckpointReader reader(options_);
        auto tally = tally_of(run_.space);
        run_.statistics.archive(reader);
        reader(tally);
        put_back(run_.space, tally);
        search_.archive(reader);
        search_.visit_runs([this, &reader](auto& run) { read_states(run, reader); });
        if (run_.going()) {
            reader.finish();
        }
    }

    void read_states(Run<S, T>& run, CheckpointReader& reader) {
        Ranges ranges;
        std::uint64_t count = 0;
        reader(ranges.low, ranges.high, count);
        run.take_ranges(ranges);
        std::vector<Word> words(run.space.words());
        for (std::size_t i = 0; run.going() && i < count; ++i) {
            std::uint32_t origin[2];
            reader.bytes(origin, sizeof origin);
            reader.bytes(words.data(), words.size() * sizeof(Word));
            const Insertion done = run.store.insert(words.data(), run.store.hash(words.data()), origin[0], origin[1]);
            if (done.result == Insert::kFull) {
                search_.spoil(); // what is in the file is more than what is here
                run.end_full();
            } else if (done.result == Insert::kKnown) {
                throw CheckpointError("it is damaged: a state comes twice");
            }
            run.pulse();
            if (!run.going()) {
                search_.spoil();
            }
        }
    }

    Run<S, T>& run_;
    const CheckpointOptions& options_;
    Search search_;
    Clock::time_point next_save_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.every));
};

template <class S, class T>
using KeptBreadthFirst = KeptSearch<BreadthFirst<S, T>, S, T>;
template <class S, class T>
using KeptParallelBreadthFirst = KeptSearch<ParallelBreadthFirst<S, T>, S, T>;
template <class S, class T>
using KeptAnytime = KeptSearch<Anytime<S, T>, S, T>;
template <class S, class T>
using KeptBestFirst = KeptSearch<BestFirst<S, T>, S, T>;

} // namespace beeline
