// Breadth-first search and A* with states on disk (Edelkamp, Jabbar and Schroedl, External A*, KI 2004; Korf,
// Delayed duplicate detection, IJCAI 2003).
//
// States wait in buckets, one for each pair of a depth g and an estimate h; without an estimate all h are 0. What comes
// out of a bucket is gathered in memory, each state once, and written in sorted runs for the buckets it belongs to.
// When the turn of a bucket comes, by g + h and then by g, its runs are merged, and all states that were expanded with
// the same estimate are taken out: a state has one estimate, and with a consistent one, which no step lowers by more
// than one, no state comes again at a smaller depth. What is left is new, and is expanded in its order.
#pragma once

#include "external/backward_chain.hpp"
#include "external/candidates.hpp"
#include "external/checkpoint.hpp"
#include "external/disk.hpp"
#include "external/file_levels.hpp"
#include "external/manifest.hpp"
#include "search/driver.hpp"
#include "search/frontier.hpp"
#include "search/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace beeline {

struct DiskOptions {
    std::string folder;
    std::size_t buffer = kMostStates; // states in memory, if there is room for so many
    BestFirstOptions order;           // what estimates; nothing for breadth-first search
    CheckpointOptions checkpoint = {};
    bool notes_accepting = false; // keeps the accepting states apart as well, and the last checkpoint
};

template <Space S, StateStore T>
class DiskSearch {
public:
    // What is needed to sort a candidate.
    static constexpr std::size_t kSideBytes = Candidates::kSideBytes;

    DiskSearch(Run<S, T>& run, const DiskOptions& options)
        : run_(run), options_(options), manifest_(read_manifest(options)), disk_(make_disk(run, options, manifest_)),
          format_{run.space.words(), chunk_bytes(run.memory())}, candidates_(run.store, run.memory(), format_),
          indices_(run.memory(), candidates_), going_([this] { return pulse(); }) {
        if (!options_.order.estimators.empty()) {
            evaluator_.emplace(options_.order, asked_);
        }
        if (!run.memory().take(2 * kFiles * format_.chunk_bytes)) {
            run.end(Status::kMemory);
        }
    }

    // Between calls there are no candidates.
    void search() {
        try {
            begin();
            while (run_.going() && (current_ || has_better())) {
                search_bucket();
            }
            if (run_.going()) {
                look_beyond();
            }
            if (!run_.going() && run_.outcome().status != Status::kFound && is_consistent_) {
                save();
            }
        } catch (const DiskFull&) {
            run_.end(Status::kDisk); // the last checkpoint stays
        }
        finish();
        note_disk();
    }

    // For those who go on where a breadth-first search ended: all states with their depths, and the accepting ones.
    FileLevels take_states() { return std::move(closed_[0]); }
    FileLevels take_accepting() { return std::move(accepting_); }
    Disk& disk() { return disk_; }
    // Leaves a checkpoint, if one is asked for. Everything is in files between calls of `spill`; what is left are their
    // names, and counts.
    void save() {
        if (!is_kept()) {
            return;
        }
        Manifest manifest;
        manifest.put("identity", options_.checkpoint.identity);
        manifest.put("folder", std::filesystem::absolute(disk_.folder()).string());
        manifest.put("moved", {disk_.read(), disk_.written()});
        save_counts(manifest, counted_ ? *counted_ : run_.statistics);
        save_best(manifest);
        std::vector<std::uint32_t> files;
        const auto put = [&](const char* name, Cost a, Cost b, std::size_t level, const SortedFile& file) {
            file.sync();
            files.push_back(file.number());
            manifest.put(name, {a, b, level, file.number(), file.bytes()});
        };
        const auto put_all = [&](const char* name, Cost a, Cost b, const FileLevels& levels) {
            for (std::size_t level = 0; level < levels.levels(); ++level) {
                for (const SortedFile& file : levels.level(level)) {
                    put(name, a, b, level, file);
                }
            }
        };
        for (const auto& [place, runs] : buckets_) {
            put_all("bucket", place.first, place.second, runs);
        }
        for (const auto& [estimate, states] : closed_) {
            put_all("closed", estimate, 0, states);
        }
        for (const auto& [estimate, states] : beyond_) {
            put_all("beyond", estimate, 0, states);
        }
        put_all("accepting", 0, 0, accepting_);
        if (current_) {
            put("current", current_->place.first, current_->place.second, 0, current_->states);
            manifest.put("done", {current_->done});
        }
        disk_.keep_also(files, options_.checkpoint.file);
        manifest.write(options_.checkpoint.file);
        disk_.keep(std::move(files));
        next_save_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(options_.checkpoint.every));
    }

    // There is an answer, if the outcome says so: the checkpoint is needed no more.
    void forget_if_answered() {
        const Status status = run_.outcome().status;
        if (is_kept() && (status == Status::kFound || status == Status::kExhausted || status == Status::kDepth)) {
            std::filesystem::remove(options_.checkpoint.file);
            disk_.keep_nothing();
        }
    }
    const RecordFormat& format() const { return format_; }
    Candidates& candidates() { return candidates_; }
    const KeepsGoing& going() const { return going_; }
    // Makes sure that there is memory for the indices of all files.
    void hold_indices() {
        if (!indices_.hold(disk_)) {
            run_.end(Status::kMemory);
        }
    }
    void note_disk() {
        run_.statistics.disk = disk_.peak();
        run_.statistics.disk_read = disk_.read();
        run_.statistics.disk_written = disk_.written();
    }

private:
    using Cost = std::uint64_t;
    using Place = std::pair<Cost, std::uint32_t>; // g + h, and g

    using Clock = std::chrono::steady_clock;

    static constexpr Cost kNoCost = std::numeric_limits<Cost>::max();
    static constexpr std::size_t kBatch = 256;
    static constexpr std::size_t kFiles = 64; // open at once, at most, each with two chunks

    // A quarter of the memory is for reading and writing.
    static std::size_t chunk_bytes(const MemoryAccount& account) {
        const std::size_t share = account.available() / 4;
        return std::clamp(share / (2 * kFiles), RecordFormat::kLeastChunk, RecordFormat::kMostChunk);
    }

    // The bucket that is being expanded.
    struct Current {
        Place place;
        SortedFile states;
        std::uint64_t done; // of them
    };

    // The best violation so far: a state, or the last step of a way.
    struct Best {
        Cost cost = kNoCost;
        std::uint32_t depth = 0;
        std::vector<Word> source;
        std::uint32_t marks = kNone;
        std::optional<SuccessorBuffer::Arc> arc;
        std::vector<Word> target;
    };

    void begin() {
        if (!run_.going()) {
            return;
        }
        if (manifest_) {
            return restore();
        }
        run_.initial();
        if (run_.going()) {
            gather(0);
            spill(0);
            save();
        }
    }

    // A bucket that is not done whose states may lie on a better way than the one found.
    bool has_better() const { return !buckets_.empty() && buckets_.begin()->first.first < best_.cost; }

    void search_bucket() {
        if (!current_ && !open_bucket()) {
            return;
        }
        const auto [sum, depth] = current_->place;
        expand_all(current_->states, sum, depth);
        if (run_.going()) {
            closed_[sum - depth].add(std::move(current_->states), going_);
            current_.reset();
            hold_indices();
            save_if_due();
        }
    }

    // Takes what is new of the first bucket. False if that is nothing, or the run ended.
    bool open_bucket() {
        const Place place = buckets_.begin()->first;
        const Statistics before = run_.statistics;
        const Cost estimate = place.first - place.second;
        SortedFile fresh = take_new(buckets_.begin()->second, closed_[estimate], place.second, estimate);
        if (!run_.going()) {
            counted_ = before; // nothing is done of it
            return false;
        }
        buckets_.erase(buckets_.begin());
        if (fresh.empty()) {
            return false;
        }
        run_.reach_depth(place.second);
        current_.emplace(Current{place, std::move(fresh), 0});
        return true;
    }

    // What of a bucket was not expanded before, counted as stored.
    SortedFile take_new(const FileLevels& runs, const FileLevels& known, std::uint32_t depth, Cost estimate) {
        SortedWriter writer(disk_, format_);
        subtract(runs, known, [&](const Word* state, Word marks) {
            if (run_.statistics.stored >= run_.limits().states) {
                run_.end(Status::kStates);
                return false;
            }
            run_.count_fresh(marks);
            if (evaluator_) {
                ++run_.statistics.evaluated;
                run_.statistics.note_estimate(static_cast<std::int32_t>(estimate));
            }
            writer.add(state, depth);
            return true;
        });
        return writer.finish();
    }

    // Calls take(state, marks) for each state of `runs` that is not `known`, as long as that is true.
    template <class Take>
    void subtract(const FileLevels& runs, const FileLevels& known, const Take& take) {
        OrderedLookup others(known);
        MergedReader reader(runs.files());
        while (reader.next()) {
            if (!others.has(reader.state()) && !take(reader.state(), reader.tag())) {
                return;
            }
            if (!pulse()) {
                return;
            }
        }
    }

    // Expanding

    // Expands the rest of the present bucket, and writes what came out as runs, even if the run ends meanwhile.
    void expand_all(const SortedFile& states, Cost sum, std::uint32_t depth) {
        SortedReader reader(states);
        for (std::uint64_t i = 0; i < current_->done; ++i) {
            reader.next();
        }
        const std::uint64_t waiting = count_waiting();
        std::optional<SortedWriter> accepting;
        run_.buffer.clear();
        while (run_.going() && !is_settled(sum, depth) && reader.next()) {
            const std::uint32_t marks = expand(reader.state(), depth);
            if (options_.notes_accepting && (marks & kAccept) != 0) {
                (accepting ? *accepting : accepting.emplace(disk_, format_)).add(reader.state(), depth);
            }
            ++current_->done;
            if (run_.buffer.size() >= kBatch) {
                gather(depth + 1);
                if (is_due()) {
                    spill(depth + 1);
                    take(accepting);
                    save();
                }
            }
            if (run_.going()) {
                run_.pulse(states.records() - current_->done + waiting + candidates_.size());
            }
        }
        gather(depth + 1);
        spill(depth + 1);
        take(accepting);
    }
    void take(std::optional<SortedWriter>& accepting) {
        if (accepting) {
            accepting_.add(accepting->finish(), going_);
            accepting.reset();
        }
    }

    // Whether nothing better than what was found can come of this bucket, nor of any other: a state in it lies `depth`
    // steps from the start, and a step out of it leads one further.
    bool is_settled(Cost sum, std::uint32_t depth) const {
        return best_.cost <= ((run_.stop() & kDeadlock) != 0 ? sum : std::max(sum, Cost{depth} + 1));
    }

    std::uint64_t count_waiting() const {
        std::uint64_t waiting = 0;
        for (const auto& [place, runs] : buckets_) {
            waiting += runs.records();
        }
        return waiting;
    }

    std::uint32_t expand(const Word* state, std::uint32_t depth) {
        const std::size_t first = run_.buffer.size();
        const std::uint32_t marks = run_.expand_words_through(state);
        if ((marks & run_.stop()) != 0 && depth < best_.cost) {
            best_ = {depth, depth, copied(state), marks & run_.stop(), std::nullopt, {}};
        }
        for (std::size_t i = first; run_.stop() != 0 && i < run_.buffer.size(); ++i) {
            if ((run_.buffer.arc(i).marks & run_.stop()) != 0) {
                offer(state, depth, i);
            }
        }
        return marks;
    }

    void offer(const Word* source, std::uint32_t depth, std::size_t i) {
        if (depth == run_.limits().depth) {
            cut_ = true; // it lies a step too far
        } else if (depth + 1 < best_.cost) {
            const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
            best_ = {depth + 1, depth, copied(source), arc.marks & run_.stop(), arc, {}};
            if ((arc.marks & kError) == 0) {
                best_.target = copied(run_.buffer.state(i));
            }
        }
    }

    std::vector<Word> copied(const Word* state) const { return {state, state + format_.words}; }

    // Takes the arcs in the buffer, whose targets lie at this depth.
    void gather(std::uint32_t depth) {
        SuccessorBuffer& buffer = run_.buffer;
        if (depth >= best_.cost) {
            return buffer.clear(); // it leads to nothing better
        }
        run_.hash_arcs();
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            run_.store.prefetch(buffer.hash(i));
        }
        for (std::size_t i = 0; is_consistent_ && i < buffer.size(); ++i) {
            if ((buffer.arc(i).marks & (kError | run_.stop())) == 0) {
                gather(i, depth);
            }
        }
        buffer.clear();
    }

    void gather(std::size_t i, std::uint32_t depth) {
        const SuccessorBuffer& buffer = run_.buffer;
        const std::uint32_t marks = buffer.arc(i).marks & (kGoal | kTransient);
        Insertion done = candidates_.insert(buffer.state(i), buffer.hash(i), marks);
        if (done.result == Insert::kFull && candidates_.size() > 0) {
            spill(depth);
            done = candidates_.insert(buffer.state(i), buffer.hash(i), marks);
        }
        if (done.result == Insert::kFresh) {
            estimate(done.index, buffer.state(i), depth);
        } else if (done.result == Insert::kFull) {
            is_consistent_ = false; // a state is lost
            run_.end(Status::kMemory);
        }
    }

    void estimate(Index index, const Word* state, std::uint32_t depth) {
        if (!evaluator_) {
            return;
        }
        const bool alive = evaluator_->evaluate(state);
        run_.statistics.dead_ends = asked_.dead_ends;
        const auto value = static_cast<std::uint32_t>(evaluator_->value(0));
        if (alive && Cost{depth} + value < best_.cost) {
            candidates_.set_bucket(index, value);
        } else {
            candidates_.drop(index);
        }
    }

    // Writes what was gathered, which lies at this depth, as runs.
    void spill(std::uint32_t depth) {
        const bool is_beyond = run_.limits().bounds_depth() && depth > run_.limits().depth;
        candidates_.write_all(disk_, [&](std::uint32_t estimate, SortedFile file) {
            FileLevels& bucket = is_beyond ? beyond_[estimate] : buckets_[{Cost{depth} + estimate, depth}];
            bucket.add(std::move(file), going_);
        });
    }

    bool pulse() {
        run_.pulse(run_.statistics.frontier);
        return run_.going();
    }

    // Checkpoints

    bool is_due() const { return is_kept() && Clock::now() >= next_save_; }
    bool is_kept() const { return !options_.checkpoint.file.empty(); }
    void save_if_due() {
        if (is_due()) {
            save();
        }
    }

    static std::optional<Manifest> read_manifest(const DiskOptions& options) {
        if (!options.checkpoint.resumes) {
            return std::nullopt;
        }
        Manifest found = Manifest::read(options.checkpoint.file);
        if (found.text("identity") != options.checkpoint.identity) {
            throw CheckpointError("it belongs to another model, another question or other options");
        }
        return found;
    }
    static Disk make_disk(Run<S, T>& run, const DiskOptions& options, const std::optional<Manifest>& manifest) {
        return manifest ? Disk(Disk::Kept{manifest->text("folder")}, run.limits().disk)
                        : Disk(options.folder, run.limits().disk);
    }

    // Estimates have a line of their own; all else that is counted is one line of numbers.
    static void save_counts(Manifest& manifest, Statistics counted) {
        Manifest::Numbers numbers;
        const auto put = [&](const auto& field) {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>) {
                numbers.push_back(static_cast<std::uint64_t>(field));
            } else {
                manifest.put("estimates", field);
            }
        };
        const auto with = [&](const auto&... field) { (put(field), ...); };
        counted.archive(with);
        manifest.put("counts", numbers);
    }
    void restore_counts() {
        const auto restore = [&](auto&... field) {
            const Manifest::Numbers numbers = manifest_->numbers("counts", sizeof...(field) - 1);
            std::size_t i = 0;
            const auto get = [&](auto& one) {
                if constexpr (std::is_arithmetic_v<std::decay_t<decltype(one)>>) {
                    one = static_cast<std::decay_t<decltype(one)>>(numbers[i++]);
                } else {
                    one = manifest_->numbers("estimates");
                }
            };
            (get(field), ...);
        };
        run_.statistics.archive(restore);
        asked_.dead_ends = run_.statistics.dead_ends;
        const Manifest::Numbers moved = manifest_->numbers("moved", 2);
        disk_.add_moved(moved[0], moved[1]);
    }

    void save_best(Manifest& manifest) const {
        manifest.put("cut", {cut_});
        if (best_.cost == kNoCost) {
            return;
        }
        const SuccessorBuffer::Arc arc = best_.arc.value_or(SuccessorBuffer::Arc{});
        manifest.put("best",
                     {best_.cost, best_.depth, best_.marks, best_.arc.has_value(), arc.action, arc.marks, arc.detail});
        manifest.put("source", Manifest::Numbers(best_.source.begin(), best_.source.end()));
        manifest.put("target", Manifest::Numbers(best_.target.begin(), best_.target.end()));
    }
    void restore_best() {
        cut_ = manifest_->numbers("cut", 1)[0] != 0;
        for (const Manifest::Numbers& best : manifest_->all("best", 7)) {
            const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(best[i]); };
            const auto words = [](const Manifest::Numbers& numbers) {
                return std::vector<Word>(numbers.begin(), numbers.end());
            };
            best_ = {best[0],   number(1),    words(manifest_->numbers("source", format_.words)),
                     number(2), std::nullopt, words(manifest_->numbers("target"))};
            if (best[3] != 0) {
                best_.arc = SuccessorBuffer::Arc{number(4), number(5), number(6)};
            }
        }
    }

    void restore() {
        restore_counts();
        restore_best();
        std::vector<std::uint32_t> files;
        const auto each = [&](const char* name, const auto& take) {
            for (const Manifest::Numbers& told : manifest_->all(name, 5)) {
                files.push_back(static_cast<std::uint32_t>(told[3]));
                take(told, reopened(disk_, format_, told[3], told[4]));
            }
        };
        each("bucket", [&](const auto& told, SortedFile file) {
            buckets_[{told[0], static_cast<std::uint32_t>(told[1])}].put_back(told[2], std::move(file));
        });
        each("closed", [&](const auto& told, SortedFile file) { closed_[told[0]].put_back(told[2], std::move(file)); });
        each("beyond", [&](const auto& told, SortedFile file) { beyond_[told[0]].put_back(told[2], std::move(file)); });
        each("accepting", [&](const auto& told, SortedFile file) { accepting_.put_back(told[2], std::move(file)); });
        each("current", [&](const auto& told, SortedFile file) {
            const Place place{told[0], static_cast<std::uint32_t>(told[1])};
            current_.emplace(Current{place, std::move(file), manifest_->numbers("done", 1)[0]});
        });
        disk_.remove_others(files);
        disk_.keep(std::move(files));
    }
    // Ending

    void finish() {
        if (best_.cost != kNoCost) {
            const bool is_shortest = run_.going();
            run_.go_on();
            report(is_shortest);
        } else if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
        if (!options_.notes_accepting) {
            forget_if_answered();
        }
    }

    // The way to what was found. One that cannot be told in time is none.
    void report(bool is_shortest) {
        std::vector<const SortedFile*> files;
        for (const auto& [estimate, levels] : closed_) {
            std::ranges::copy(levels.files(), std::back_inserter(files));
        }
        Outcome& outcome = run_.outcome();
        if (!chain_back(run_, files, best_.source, best_.depth, going_)) {
            if (run_.going()) {
                throw DiskError("the files on disk do not hold what was written to them");
            }
            return;
        }
        if (best_.arc) {
            run_.buffer.clear();
            Word* target = run_.buffer.add(best_.arc->action, best_.arc->marks, best_.arc->detail);
            std::ranges::copy(best_.target, target);
            run_.add_violation(run_.buffer, 0);
        } else {
            outcome.found = best_.marks;
        }
        run_.end_found();
        outcome.proven = is_shortest;
        outcome.truncated = !is_shortest;
    }

    // Whether a state lies behind the bound of the depth that is known nowhere.
    void look_beyond() {
        for (const auto& [estimate, runs] : beyond_) {
            if (run_.going() && !cut_ && best_.cost == kNoCost) {
                subtract(runs, closed_[estimate], [this](const Word*, Word) {
                    cut_ = true;
                    return false;
                });
            }
        }
    }

    Run<S, T>& run_;
    const DiskOptions& options_;
    std::optional<Manifest> manifest_; // to go on from
    Disk disk_;
    RecordFormat format_;
    Candidates candidates_;
    IndexMemory indices_;
    KeepsGoing going_;
    Statistics asked_; // of estimates, again for each time that a state was met; each counts once when it is new
    std::optional<Evaluator> evaluator_;
    std::map<Place, FileLevels> buckets_;
    std::map<Cost, FileLevels> closed_; // expanded states, by their estimates
    FileLevels accepting_;
    std::map<Cost, FileLevels> beyond_; // what lies behind the bound of the depth
    std::optional<Current> current_;
    std::optional<Statistics> counted_; // before what is not done
    bool is_consistent_ = true;         // no state was lost for want of memory
    Clock::time_point next_save_ = Clock::now();
    Best best_;
    bool cut_ = false;
};

// Runs a search for which the store holds candidates only.
template <template <class, class> class Search, Space S>
Outcome run_on_disk(S& space, const Request& request, const DiskOptions& options) {
    const auto make = [&](MemoryAccount& account, std::size_t, std::size_t side_bytes) {
        return Store(space.words(), account, options.buffer, side_bytes);
    };
    return run_with_store<Search>(space, request, make, options);
}

template <Space S>
Outcome run_disk_search(S& space, const Request& request, const DiskOptions& options) {
    return run_on_disk<DiskSearch>(space, request, options);
}

} // namespace beeline
