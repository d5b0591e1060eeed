// Accepting cycles with states on disk: one way to catch them young (Cerna and Pelanek, Distributed explicit fair cycle
// detection, SPIN 2003), with sets of states in sorted files (Barnat, Brim and Simecek, I/O efficient accepting cycle
// detection, CAV 2007).
//
// After all states were stored, two steps take turns. What is not reached from an accepting state is dropped; then what
// has no state before it, as often as there is such a state. What is left when nothing changes any more is empty if and
// only if there is no accepting cycle. Each step expands a state once or twice, so that a proof takes work in the
// number of states, not of pairs of them.
#pragma once

#include "external/backward_chain.hpp"
#include "external/disk_search.hpp"
#include "external/file_levels.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class DiskCycles {
public:
    static constexpr std::size_t kSideBytes = Candidates::kSideBytes;

    DiskCycles(Run<S, T>& run, const DiskOptions& options)
        : run_(run), options_(noting_accepting(options)), reach_(run, options_), disk_(reach_.disk()),
          format_(reach_.format()), candidates_(reach_.candidates()), going_(reach_.going()) {}

    void search() {
        reach_.search();
        if (run_.outcome().status == Status::kExhausted) {
            run_.go_on();
            look_for_cycles();
            reach_.note_disk();
        }
        reach_.forget_if_answered();
    }

private:
    void look_for_cycles() {
        try {
            reach_.save();
            whole_ = {share(reach_.take_states()), share(reach_.take_accepting())};
            const Part core = core_of(whole_);
            if (run_.going() && core.states->empty()) {
                run_.end(Status::kExhausted);
            } else if (run_.going()) {
                tell_cycle(core);
            }
        } catch (const DiskFull&) {
            run_.end(Status::kDisk);
        }
    }

    using Set = std::shared_ptr<FileLevels>;

    // States, and which of them are accepting, with their depths.
    struct Part {
        Set states, accepting;
    };

    static constexpr std::size_t kBatch = 256;

    static DiskOptions noting_accepting(DiskOptions options) {
        options.notes_accepting = true;
        return options;
    }
    static Set share(FileLevels files) { return std::make_shared<FileLevels>(std::move(files)); }
    Set share(SortedFile file) {
        Set set = share(FileLevels());
        add(*set, std::move(file));
        return set;
    }
    void add(FileLevels& set, SortedFile file) {
        if (!file.empty()) {
            set.add(std::move(file), going_);
        }
    }

    // What lies on accepting cycles, or between them: nothing if there are none.
    Part core_of(Part part) {
        while (run_.going() && !part.accepting->empty()) {
            const std::uint64_t before = part.states->records();
            part.states = without_beginnings(reached_from(*part.accepting, *part.states));
            part.accepting = common(*part.accepting, *part.states);
            if (part.states->records() == before) {
                return part;
            }
        }
        return {share(FileLevels()), share(FileLevels())};
    }

    // All states to which those of `from` lead by way of states of `within`, `from` among them.
    Set reached_from(const FileLevels& from, const FileLevels& within) {
        Set found = share(FileLevels());
        SortedFile layer = filtered(from, [](const Word*, Word) { return true; });
        while (run_.going() && !layer.empty()) {
            FileLevels runs;
            expand(layer, runs, false);
            add(*found, std::move(layer));
            OrderedLookup inside(within), known(*found);
            layer = filtered(runs, [&](const Word* state, Word) { return inside.has(state) && !known.has(state); });
        }
        return found;
    }

    // The set without the states that no state of it leads to, and without those that then no state leads to.
    Set without_beginnings(Set set) {
        FileLevels arcs_to;
        add(arcs_to, arcs_from(*set, *set));
        SortedFile layer = absent(*set, arcs_to);
        if (layer.empty()) {
            return set;
        }
        FileLevels dropped, arcs_dropped(Tags::kSum);
        while (run_.going() && !layer.empty()) {
            SortedFile lost = arcs_from(layer, arcs_to);
            add(dropped, std::move(layer));
            layer = left_without_arcs(lost, arcs_dropped, arcs_to);
            add(arcs_dropped, std::move(lost));
        }
        return share(absent(*set, dropped));
    }

    // Of the states to which arcs are lost now, those to which as many are lost, with those before, as led there at
    // all.
    SortedFile left_without_arcs(const SortedFile& lost, const FileLevels& lost_before, const FileLevels& arcs_to) {
        OrderedLookup all(arcs_to), before(lost_before);
        SortedWriter left(disk_, format_);
        for (SortedReader reader(lost); run_.going() && reader.next(); pulse()) {
            if (reader.tag() + before.sum(reader.state()) == all.find(reader.state())->tag()) {
                left.add(reader.state(), 0);
            }
        }
        return left.finish();
    }

    Set common(const FileLevels& set, const FileLevels& other) {
        OrderedLookup inside(other);
        return share(filtered(set, [&](const Word* state, Word) { return inside.has(state); }));
    }
    SortedFile absent(const FileLevels& set, const FileLevels& from) {
        OrderedLookup inside(from);
        return filtered(set, [&](const Word* state, Word) { return !inside.has(state); });
    }

    // The records of the set that `is_kept(state, tag)`.
    template <class IsKept>
    SortedFile filtered(const FileLevels& set, const IsKept& is_kept) {
        SortedWriter writer(disk_, format_);
        for (MergedReader reader(set.files()); run_.going() && reader.next(); pulse()) {
            if (is_kept(reader.state(), reader.tag())) {
                writer.add(reader.state(), reader.tag());
            }
        }
        return writer.finish();
    }

    // To which states of `within` arcs of these states lead, with how many do.
    template <class States>
    SortedFile arcs_from(const States& states, const FileLevels& within) {
        FileLevels runs(Tags::kSum);
        expand(states, runs, true);
        OrderedLookup inside(within);
        SortedWriter writer(disk_, format_);
        for (MergedReader reader(runs.files(), Tags::kSum); run_.going() && reader.next(); pulse()) {
            if (inside.has(reader.state())) {
                writer.add(reader.state(), reader.tag());
            }
        }
        return writer.finish();
    }

    void expand(const FileLevels& states, FileLevels& runs, bool counts) {
        for (const SortedFile* file : states.files()) {
            expand(*file, runs, counts);
        }
    }
    // Writes what their arcs lead to as runs, with how often they do, if that `counts`.
    void expand(const SortedFile& states, FileLevels& runs, bool counts) {
        reach_.hold_indices();
        SortedReader reader(states);
        while (run_.going() && reader.next()) {
            run_.expand_words_through(reader.state(), false);
            if (run_.buffer.size() >= kBatch) {
                gather(runs, counts);
            }
            pulse();
        }
        gather(runs, counts);
        spill(runs);
    }

    void gather(FileLevels& runs, bool counts) {
        SuccessorBuffer& buffer = run_.buffer;
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
        for (std::size_t i = 0; run_.going() && i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & kError) == 0) {
                gather(buffer.state(i), buffer.hash(i), runs, counts);
            }
        }
        buffer.clear();
    }
    void gather(const Word* state, std::uint64_t hash, FileLevels& runs, bool counts) {
        Insertion done = candidates_.insert(state, hash, 1);
        if (done.result == Insert::kFull && candidates_.size() > 0) {
            spill(runs);
            done = candidates_.insert(state, hash, 1);
        }
        if (done.result == Insert::kKnown && counts) {
            candidates_.add_mark(done.index);
        } else if (done.result == Insert::kFull) {
            run_.end(Status::kMemory);
        }
    }
    void spill(FileLevels& runs) {
        candidates_.write_all(disk_, [&](std::uint32_t, SortedFile file) { add(runs, std::move(file)); });
    }

    void pulse() { run_.pulse(run_.statistics.frontier); }

    // Telling a cycle

    // An accepting state that lies on a cycle, the way to it, and the way round. A state that lies on none is taken
    // out: then all cycles that are left are in what it leads to, or all of them are in the rest.
    void tell_cycle(Part part) {
        while (run_.going()) {
            const auto [seed, depth] = nearest(*part.accepting);
            Part beyond = {share(FileLevels()), nullptr};
            const std::uint32_t length = way_round(seed, *part.states, *beyond.states);
            if (length > 0) {
                return tell(seed, depth, *beyond.states, length);
            }
            beyond.accepting = common(*part.accepting, *beyond.states);
            const Part inner = core_of(beyond);
            if (!inner.states->empty()) {
                part = inner;
            } else {
                part = {share(absent(*part.states, *beyond.states)), share(absent(*part.accepting, *beyond.states))};
            }
        }
    }

    // The state with the least depth, and that.
    std::pair<std::vector<Word>, std::uint32_t> nearest(const FileLevels& states) {
        std::pair<std::vector<Word>, std::uint32_t> least{{}, std::numeric_limits<std::uint32_t>::max()};
        for (MergedReader reader(states.files()); reader.next();) {
            if (reader.tag() < least.second) {
                least = {std::vector<Word>(reader.state(), reader.state() + format_.words), reader.tag()};
            }
        }
        return least;
    }

    // The length of the shortest cycle through the seed; 0 if there is none. `found` gets the seed and the states to
    // which it leads within the set, with the numbers of steps.
    std::uint32_t way_round(const std::vector<Word>& seed, const FileLevels& within, FileLevels& found) {
        SortedFile layer = file_of(seed);
        for (std::uint32_t steps = 1; run_.going() && !layer.empty(); ++steps) {
            FileLevels runs;
            expand(layer, runs, false);
            add(found, std::move(layer));
            OrderedLookup inside(within), known(found);
            SortedWriter next(disk_, format_);
            bool closes = false;
            for (MergedReader reader(runs.files()); run_.going() && reader.next(); pulse()) {
                closes |= compare_states(reader.state(), seed.data(), format_.words) == 0;
                if (inside.has(reader.state()) && !known.has(reader.state())) {
                    next.add(reader.state(), steps);
                }
            }
            if (closes) {
                return steps;
            }
            layer = next.finish();
        }
        return 0;
    }

    SortedFile file_of(const std::vector<Word>& state) {
        SortedWriter writer(disk_, format_);
        writer.add(state.data(), 0);
        return writer.finish();
    }
    void tell(const std::vector<Word>& seed, std::uint32_t depth, const FileLevels& around, std::uint32_t length) {
        std::vector<Word> state = seed;
        const auto round = steps_back(run_.space, around.files(), state, length, going_);
        if (!round || !chain_back(run_, whole_.states->files(), seed, depth, going_)) {
            if (run_.going()) {
                throw DiskError("the files on disk do not hold what was written to them");
            }
            return;
        }
        append(run_.outcome().path, *round);
        run_.end_at_cycle(depth);
    }

    Run<S, T>& run_;
    const DiskOptions options_;
    DiskSearch<S, T> reach_; // to all states; files that were made by it end before it
    Disk& disk_;
    const RecordFormat& format_;
    Candidates& candidates_;
    const KeepsGoing& going_;
    Part whole_;
};

} // namespace beeline
