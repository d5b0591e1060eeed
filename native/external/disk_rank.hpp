// A rank of a distributed breadth-first search that keeps its states in files. What arrives is gathered in memory, and
// written in sorted runs when memory is full and when the round is over; the next round begins with merging the runs of
// this one and taking out what the rank knows. So the number of new states is known a round later than in memory: a
// search ends with a round in which nobody expanded anything.
//
// Nobody keeps where a state came from. The way back is found as on one disk: all ranks are asked for a state one step
// nearer to the start that leads to the one in question.
#pragma once

#include "external/backward_chain.hpp"
#include "external/candidates.hpp"
#include "external/disk.hpp"
#include "external/file_levels.hpp"
#include "external/sorted_file.hpp"
#include "search/rank.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

template <Space S>
class DiskRank final : public Rank<S> {
    using Base = Rank<S>;

public:
    // Bounds of the depth and of the disk are those of the request.
    DiskRank(S& space, const RankPlace& place, const Request& request, const std::string& folder)
        : Base(space, place, request, false, Candidates::kSideBytes), disk_(folder, request.limits.disk),
          format_{space.words(), chunk_bytes(this->monitor_.memory())},
          candidates_(this->store_, this->monitor_.memory(), format_), indices_(this->monitor_.memory(), candidates_),
          going_([this] { return this->going(); }) {
        if (!this->monitor_.memory().take(2 * kFiles * format_.chunk_bytes)) {
            this->end_at(Status::kMemory);
        }
    }

    // Begins the next round: how many states may be new in it.
    std::size_t advance() {
        within_the_disk([this] {
            spill();
            reader_.reset();
            if (layer_ && !layer_->empty()) {
                known_.add(std::move(*layer_), going_);
            }
            layer_.reset();
            done_ = 0;
            merge_.emplace(std::exchange(runs_, FileLevels()), known_, disk_, format_);
        });
        this->lines_.set_round(++round_);
        return waiting();
    }

    // Merges or expands about so many states of the round. False if none is left, or a limit was reached.
    bool expand(std::size_t most) {
        within_the_disk([&] {
            if (merge_) {
                merge(most);
            } else {
                expand_some(most);
            }
        });
        return this->going() && waiting() > 0;
    }

    std::size_t waiting() const {
        if (merge_) {
            return std::max<std::size_t>(1, merge_->left);
        }
        return layer_ ? layer_->records() - done_ : 0;
    }

    // Whether something new lies behind the bound of the depth, as far as this rank knows.
    bool cut() const { return cut_; }

    const Statistics& statistics() {
        this->statistics_.disk = disk_.peak();
        this->statistics_.disk_read = disk_.read();
        this->statistics_.disk_written = disk_.written();
        return Base::statistics();
    }

    // The way back

    // The state at which the violation was found.
    const std::vector<Word>& source() const { return source_; }

    // Of the arc to an initial state.
    std::uint32_t initial_action(const std::vector<Word>& state) {
        SuccessorBuffer arcs(format_.words);
        this->space_.initial(arcs);
        return action_to(arcs, state).value_or(0);
    }

    // Looks for a state of this depth with an arc to another one.
    void begin_seeking(std::uint32_t depth, std::vector<Word> target) {
        if (target.size() != format_.words) {
            throw std::invalid_argument("a state of this space has another number of words");
        }
        seek_ = Seek{depth, std::move(target), known_.files(), nullptr, std::nullopt};
        if (layer_) {
            seek_->files.push_back(&*layer_);
        }
    }
    // Looks at about so many states. False when it is done.
    bool seek(std::size_t most) {
        SuccessorBuffer arcs(format_.words);
        for (std::size_t i = 0; i < most && next_sought(); ++i) {
            arcs.clear();
            this->space_.expand(seek_->reader->state(), arcs);
            if (const auto action = action_to(arcs, seek_->target)) {
                seek_->found = {*action, copied(seek_->reader->state())};
                return false;
            }
        }
        return !seek_->files.empty();
    }
    // The action of the arc and the state, if there is one.
    const std::optional<std::pair<std::uint32_t, std::vector<Word>>>& sought() const { return seek_->found; }

private:
    static constexpr std::size_t kFiles = 64; // open at once, at most, each with two chunks

    struct Merge {
        Merge(FileLevels from, const FileLevels& known, Disk& disk, const RecordFormat& format)
            : left(from.records()), runs(std::move(from)), reader(runs.files()), others(known), writer(disk, format) {}

        std::size_t left; // at most
        FileLevels runs;
        MergedReader reader;
        OrderedLookup others;
        SortedWriter writer;
    };
    struct Seek {
        std::uint32_t depth;
        std::vector<Word> target;
        std::vector<const SortedFile*> files; // the first of them is looked through
        std::unique_ptr<SortedReader> reader;
        std::optional<std::pair<std::uint32_t, std::vector<Word>>> found;
    };

    static std::size_t chunk_bytes(const MemoryAccount& account) {
        const std::size_t share = account.available() / 4;
        return std::clamp(share / (2 * kFiles), RecordFormat::kLeastChunk, RecordFormat::kMostChunk);
    }
    std::vector<Word> copied(const Word* state) const { return {state, state + format_.words}; }
    // Of the states that are merged or expanded in this round.
    std::uint32_t depth() const { return round_ - 1; }
    bool is_at_bound() const { return depth() >= this->request_.limits.depth; }

    template <class Work>
    void within_the_disk(const Work& work) {
        try {
            work();
        } catch (const DiskFull&) {
            this->end_at(Status::kDisk);
        }
    }

    void merge(std::size_t most) {
        for (std::size_t i = 0; i < most; ++i) {
            if (!this->going() || !merge_->reader.next()) {
                return end_merge();
            }
            merge_->left -= merge_->left > 0;
            if (!merge_->others.has(merge_->reader.state())) {
                take(merge_->reader.state(), merge_->reader.tag());
            }
            this->pulse(waiting());
        }
    }
    void take(const Word* state, Word marks) {
        if (depth() > this->request_.limits.depth) {
            cut_ = true;
            return;
        }
        merge_->writer.add(state, depth());
        ++this->statistics_.stored;
        this->statistics_.goals += (marks & kGoal) != 0;
        this->statistics_.transient += (marks & kTransient) != 0;
    }
    void end_merge() {
        layer_.emplace(merge_->writer.finish());
        merge_.reset();
        if (!layer_->empty()) {
            this->reach_depth(depth());
            reader_ = std::make_unique<SortedReader>(*layer_);
        }
    }

    void expand_some(std::size_t most) {
        const std::size_t end = done_ + std::min(most, waiting());
        while (this->going() && done_ < end) {
            for (; this->going() && done_ < end && this->buffer_.size() < Base::kBatch; ++done_) {
                reader_->next();
                expand_one(reader_->state());
            }
            this->pass_on();
        }
    }
    void expand_one(const Word* state) {
        const std::size_t first = this->buffer_.size();
        const std::uint32_t best = this->violation() ? this->violation()->steps : kNoSteps;
        this->expand_words(state, 0, round_);
        if (this->note_steps(first, 0, round_, !is_at_bound()) && is_at_bound()) {
            cut_ = true;
        }
        if (this->violation() && this->violation()->steps < best) {
            source_ = copied(state);
        }
        this->pulse(waiting());
    }

    void arrive(const Word* state, std::uint64_t hash, std::uint32_t, const Passage& passage) override {
        within_the_disk([&] { gather(state, hash, passage.marks() & (kGoal | kTransient)); });
    }
    void gather(const Word* state, std::uint64_t hash, std::uint32_t marks) {
        Insertion done = candidates_.insert(state, hash, marks);
        if (done.result == Insert::kFull && candidates_.size() > 0) {
            spill();
            done = candidates_.insert(state, hash, marks);
        }
        if (done.result == Insert::kFull) {
            this->end_at(Status::kMemory);
        }
    }
    void spill() {
        candidates_.write_all(disk_, [this](std::uint32_t, SortedFile file) { runs_.add(std::move(file), going_); });
        if (!indices_.hold(disk_)) {
            this->end_at(Status::kMemory);
        }
    }

    // Goes to the next state that may be the one before; false if there is none left.
    bool next_sought() {
        while (!seek_->files.empty()) {
            const SortedFile& file = *seek_->files.back();
            if (seek_->reader == nullptr && file.least_tag() <= seek_->depth && seek_->depth <= file.greatest_tag()) {
                seek_->reader = std::make_unique<SortedReader>(file);
            }
            while (seek_->reader != nullptr && seek_->reader->next()) {
                if (seek_->reader->tag() == seek_->depth) {
                    return true;
                }
            }
            seek_->reader.reset();
            seek_->files.pop_back();
        }
        return false;
    }

    static constexpr std::uint32_t kNoSteps = std::numeric_limits<std::uint32_t>::max();

    Disk disk_;
    RecordFormat format_;
    Candidates candidates_;
    IndexMemory indices_;
    KeepsGoing going_;
    FileLevels known_; // expanded in earlier rounds, with their depths
    FileLevels runs_;  // what arrived for the next round
    std::optional<Merge> merge_;
    std::optional<SortedFile> layer_;
    std::unique_ptr<SortedReader> reader_;
    std::size_t done_ = 0; // of the layer
    std::uint32_t round_ = 0;
    bool cut_ = false;
    std::vector<Word> source_;
    std::optional<Seek> seek_;
};

} // namespace beeline
