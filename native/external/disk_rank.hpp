// A rank of a distributed breadth-first search or A* that keeps its states in files. States wait in buckets, one for
// each pair of a depth and an estimate, and all ranks are in the same bucket at a time: a round. What arrives belongs
// to the next depth; it is gathered in memory, and written in sorted runs when memory is full and when the round is
// over. A round begins with merging the runs of its bucket and taking out what the rank knows.
//
// Nobody keeps where a state came from. The way back is found as on one disk: all ranks are asked for a state one step
// nearer to the start that leads to the one in question.
#pragma once

#include "external/backward_chain.hpp"
#include "external/candidates.hpp"
#include "external/rank_files.hpp"
#include "heuristic/estimator.hpp"
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
    using Bucket = RankFiles::Bucket;

    // Bounds of the depth, of the disk, and of the states in memory are those of the request. Without an estimator the
    // search is breadth-first; one must be consistent. With `prune`, safe dead ends are dropped.
    DiskRank(S& space, const RankPlace& place, const Request& request, const std::string& folder, Estimator* estimator,
             bool prune)
        : Base(space, place, request, false, Candidates::kSideBytes), estimator_(estimator),
          prune_(prune && estimator != nullptr && estimator->is_safe()),
          format_{space.words(), chunk_bytes(this->monitor_.memory())}, files_(folder, request.limits.disk, format_),
          candidates_(this->store_, this->monitor_.memory(), format_), indices_(this->monitor_.memory(), candidates_),
          going_([this] { return this->going(); }) {
        if (!this->monitor_.memory().take(2 * kFiles * format_.chunk_bytes)) {
            this->end_at(Status::kMemory);
        }
    }

    // Begins the next round, with the states of a bucket: how many may be new in it.
    std::size_t advance(std::uint64_t sum, std::uint64_t depth) {
        within_the_disk([&] {
            spill();
            reader_.reset();
            if (files_.layer && !files_.layer->empty()) {
                known().add(std::move(*files_.layer), going_);
            }
            files_.layer.reset();
            files_.done = 0;
            files_.bucket = {sum, depth};
            merge_.emplace(take_waiting(), known(), files_.disk(), format_);
        });
        this->lines_.set_round(++round_);
        return waiting();
    }
    // The bucket that comes next, if there is one.
    std::optional<Bucket> next() const {
        std::optional<Bucket> least = gathered_;
        if (!files_.waiting.empty() && (!least || files_.waiting.begin()->first < *least)) {
            least = files_.waiting.begin()->first;
        }
        return least;
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
        return files_.layer ? files_.layer->records() - files_.done : 0;
    }

    // Whether something new lies behind the bound of the depth, as far as this rank knows.
    bool cut() const { return cut_; }

    const Statistics& statistics() {
        Disk& disk = files_.disk();
        this->statistics_.disk = disk.peak();
        this->statistics_.disk_read = disk.read();
        this->statistics_.disk_written = disk.written();
        return Base::statistics();
    }

    // Checkpoints, while no line is under way

    // Leaves what it takes to go on in this part of a checkpoint; throws DiskError or DiskFull where that fails.
    template <class Writer>
    void save(Writer& with, const std::string& part) {
        files_.begin_part(part);
        within_the_disk([this] {
            while (merge_ && this->going()) {
                merge(kAtOnce);
            }
            spill();
        });
        if (!this->going()) {
            throw DiskError("states are lost"); // for want of room
        }
        RankFiles::List list = files_.list();
        list.archive(with); // the names of the files stand at the beginning
        RankHead{round_, cut_, this->statistics_, this->arrivals_, this->violation_}.archive(with);
        with(source_, source_depth_);
    }
    // Goes on from there, before it has begun.
    template <class Reader>
    void restore(Reader& with, const std::string& part) {
        const Part read = read_part(with);
        this->statistics_ = read.head.statistics;
        this->arrivals_ = read.head.arrivals;
        take_head(read);
        files_.take_over(read.list, part);
        hold_indices();
        if (files_.layer) {
            reader_ = std::make_unique<SortedReader>(*files_.layer);
            for (std::uint64_t i = 0; i < files_.done; ++i) {
                reader_->next();
            }
        }
    }
    // Instead, where there were so many ranks, another number than now: takes the states that are its own now.
    // `open(part)` has what one of them left read from the beginning.
    template <class Open>
    void adopt(std::uint32_t parts, const Open& open) {
        within_the_disk([&] {
            FileLevels layer;
            for (std::uint32_t part = 0; this->going() && part < parts; ++part) {
                const auto reader = open(part);
                const Part read = read_part(*reader);
                reader->finish();
                this->add_up(read.head);
                take_head(read);
                files_.bucket = read.list.bucket;
                take_share(read.list, layer);
            }
            std::erase_if(files_.waiting, [](const auto& one) { return one.second.empty(); });
            hold_indices();
            if (this->going() && !layer.empty()) {
                begin_layer(layer);
            }
        });
    }
    // There is an answer, and no checkpoint any more.
    void keep_nothing() { files_.keep_nothing(); }

    // The way back

    // The state at which the violation was found, and its depth.
    const std::vector<Word>& source() const { return source_; }
    std::uint32_t source_depth() const { return source_depth_; }

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
        seek_ = Seek{depth, std::move(target), {}, nullptr, std::nullopt};
        for (const auto& [estimate, levels] : files_.known) {
            std::ranges::copy(levels.files(), std::back_inserter(seek_->files));
        }
        if (files_.layer) {
            seek_->files.push_back(&*files_.layer);
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
    static constexpr std::size_t kAtOnce = 4096;

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
        std::vector<const SortedFile*> files; // the last of them is looked through
        std::unique_ptr<SortedReader> reader;
        std::optional<std::pair<std::uint32_t, std::vector<Word>>> found;
    };
    // Of a checkpoint.
    struct Part {
        RankFiles::List list;
        RankHead head;
        std::vector<Word> source;
        std::uint32_t source_depth = 0;
    };

    static std::size_t chunk_bytes(const MemoryAccount& account) {
        const std::size_t share = account.available() / 4;
        return std::clamp(share / (2 * kFiles), RecordFormat::kLeastChunk, RecordFormat::kMostChunk);
    }
    std::vector<Word> copied(const Word* state) const { return {state, state + format_.words}; }
    FileLevels& known() { return files_.known[files_.bucket.estimate()]; }
    // Of the states that are merged or expanded in this round.
    std::uint32_t depth() const { return static_cast<std::uint32_t>(files_.bucket.depth); }
    // Of those that arrive; in the first round they are the initial ones.
    std::uint32_t next_depth() const { return round_ == 0 ? 0 : depth() + 1; }
    bool is_at_bound() const { return depth() >= this->request_.limits.depth; }

    template <class Work>
    void within_the_disk(const Work& work) {
        try {
            work();
        } catch (const DiskFull&) {
            this->end_at(Status::kDisk);
        }
    }

    FileLevels take_waiting() {
        auto taken = files_.waiting.extract(files_.bucket);
        return taken ? std::move(taken.mapped()) : FileLevels();
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
        this->statistics_.evaluated += estimator_ != nullptr;
        this->statistics_.goals += (marks & kGoal) != 0;
        this->statistics_.transient += (marks & kTransient) != 0;
    }
    void end_merge() {
        files_.layer.emplace(merge_->writer.finish());
        merge_.reset();
        if (!files_.layer->empty()) {
            this->reach_depth(depth());
            reader_ = std::make_unique<SortedReader>(*files_.layer);
        }
    }

    void expand_some(std::size_t most) {
        const std::size_t end = files_.done + std::min(most, waiting());
        while (this->going() && files_.done < end) {
            for (; this->going() && files_.done < end && this->buffer_.size() < Base::kBatch; ++files_.done) {
                reader_->next();
                expand_one(reader_->state());
            }
            this->pass_on();
        }
    }
    void expand_one(const Word* state) {
        const std::size_t first = this->buffer_.size();
        const std::uint32_t best = this->violation() ? this->violation()->steps : kNoSteps;
        this->expand_words(state, 0, depth() + 1);
        if (this->note_steps(first, 0, depth() + 1, !is_at_bound()) && is_at_bound()) {
            cut_ = true;
        }
        if (this->violation() && this->violation()->steps < best) {
            source_ = copied(state);
            source_depth_ = depth();
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
        } else if (done.result == Insert::kFresh) {
            estimate(done.index, state);
        }
    }
    void estimate(Index index, const Word* state) {
        std::uint32_t value = 0;
        if (estimator_ != nullptr) {
            const std::int32_t told = estimator_->estimate(state);
            this->statistics_.dead_ends += told == kDeadEnd;
            if (told == kDeadEnd && prune_) {
                return candidates_.drop(index);
            }
            value = told == kDeadEnd ? 0 : static_cast<std::uint32_t>(told);
            candidates_.set_bucket(index, value);
        }
        const Bucket bucket{std::uint64_t{next_depth()} + value, next_depth()};
        gathered_ = gathered_ ? std::min(*gathered_, bucket) : bucket;
    }
    void spill() {
        candidates_.write_all(files_.disk(), [this](std::uint32_t value, SortedFile file) {
            files_.waiting[{std::uint64_t{next_depth()} + value, next_depth()}].add(std::move(file), going_);
        });
        gathered_.reset();
        hold_indices();
    }
    void hold_indices() {
        if (!indices_.hold(files_.disk())) {
            this->end_at(Status::kMemory);
        }
    }

    // Of checkpoints

    template <class Reader>
    static Part read_part(Reader& with) {
        Part read;
        read.list.archive(with);
        read.head.archive(with);
        with(read.source, read.source_depth);
        return read;
    }
    void take_head(const Part& read) {
        round_ = read.head.round;
        this->lines_.set_round(round_);
        cut_ = cut_ || read.head.cut;
        if (read.head.violation && this->place_.rank == 0 && this->is_better(read.head.violation->steps)) {
            this->note(*read.head.violation);
            source_ = read.source;
            source_depth_ = read.source_depth;
        }
    }
    // Copies the states of a part that are this rank's now. What is left of its layer becomes a part of `layer`.
    void take_share(const RankFiles::List& list, FileLevels& layer) {
        Disk from(Disk::Borrowed{{list.folder.begin(), list.folder.end()}});
        for (const RankFiles::Told& told : list.files) {
            const SortedFile file = reopened(from, format_, told.number, told.bytes);
            SortedReader reader(file);
            if (told.kind == RankFiles::kWaiting) {
                add_own(files_.waiting[told.bucket], reader, file.records());
                continue;
            }
            const std::uint64_t done = told.kind == RankFiles::kLayer ? list.done : file.records();
            this->statistics_.stored += add_own(files_.known[told.bucket.estimate()], reader, done);
            this->statistics_.stored += add_own(layer, reader, file.records() - done);
        }
    }
    // Of the next so many records: how many were taken.
    std::uint64_t add_own(FileLevels& levels, SortedReader& reader, std::uint64_t count) {
        SortedWriter writer(files_.disk(), format_);
        for (std::uint64_t i = 0; this->going() && i < count; ++i) {
            reader.next();
            if (owner_of(this->store_.hash(reader.state()), this->place_.ranks) == this->place_.rank) {
                writer.add(reader.state(), reader.tag());
            }
            this->pulse(0);
        }
        SortedFile own = writer.finish();
        const std::uint64_t taken = own.records();
        if (taken > 0) {
            levels.add(std::move(own), going_);
        }
        return taken;
    }
    void begin_layer(const FileLevels& parts) {
        SortedWriter writer(files_.disk(), format_);
        MergedReader reader(parts.files());
        while (reader.next()) {
            writer.add(reader.state(), reader.tag());
        }
        files_.layer.emplace(writer.finish());
        reader_ = std::make_unique<SortedReader>(*files_.layer);
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

    Estimator* estimator_;
    bool prune_;
    RecordFormat format_;
    RankFiles files_;
    Candidates candidates_;
    IndexMemory indices_;
    KeepsGoing going_;
    std::optional<Bucket> gathered_; // the least of what is in memory
    std::optional<Merge> merge_;
    std::unique_ptr<SortedReader> reader_; // of the layer
    std::uint32_t round_ = 0;
    bool cut_ = false;
    std::vector<Word> source_;
    std::uint32_t source_depth_ = 0;
    std::optional<Seek> seek_;
};

} // namespace beeline
