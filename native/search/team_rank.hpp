// A rank of a distributed breadth-first search whose states several threads expand and store together. They share one
// store; lines to other ranks each of them fills for itself. Which of several ways to a state is kept depends on who
// was quicker, as it does between ranks.
#pragma once

#include "search/rank.hpp"
#include "search/thread_team.hpp"
#include "state/shared_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace beeline {

template <CloneableSpace S>
class TeamRank {
public:
    TeamRank(S& space, const RankPlace& place, const Request& request, std::size_t threads)
        : place_(place), request_(request), monitor_(request_, 8),
          store_(space.words(), monitor_.memory(), request_.limits.states, sizeof(std::uint16_t)),
          senders_(monitor_.memory()), team_(threads), lines_{workers_} {
        store_.ignore_layers();
        for (std::size_t i = 0; i < team_.size(); ++i) {
            workers_.push_back(std::make_unique<Worker>(space, i > 0, place));
        }
    }

    // The states to begin with. One rank asks for them on behalf of all.
    void begin() {
        Worker& first = *workers_[0];
        first.space->initial(first.arcs);
        note_steps(first, 0, kNoIndex, 0);
        first.sources.push_back({kNoIndex, first.arcs.size()});
        next_steps_ = 0;
        sort_out(first);
        in_rounds([this](Worker& worker) { return store_own(worker); });
    }

    // Takes in a line that another rank sent.
    void accept(const Word* data, std::size_t size) {
        const ReadLine line(data, size, store_.words());
        next_record_ = 0;
        for (auto& worker : workers_) {
            worker->record = worker->records_end = 0;
        }
        in_rounds([&](Worker& worker) { return store_records(worker, line); }, line.size() > kFewRecords);
        arrivals_.states += line.size();
    }

    // What arrived since the last call becomes the layer that is expanded: how many states that are.
    std::size_t advance() {
        next_ = layer_end_;
        layer_end_ = store_.size();
        next_steps_ = ++round_;
        for (auto& worker : workers_) {
            worker->lines.set_round(round_);
        }
        return waiting();
    }

    // From now on nothing is stored: states beyond a bound are only asked whether they are known.
    void probe() { probing_ = true; }
    // Whether something new lies behind the bound, as far as this rank knows.
    bool cut() const { return cut_; }

    // Expands about so many states of the layer. False if none is left, or a limit was reached.
    bool expand(std::size_t most) {
        const std::size_t end = next_ + std::min(most, waiting());
        cursor_ = next_;
        in_rounds([this, end](Worker& worker) { return expand_part(worker, end); }, end - next_ > kStretch);
        next_ = going() ? end : next_;
        return going() && waiting() > 0;
    }

    std::size_t waiting() const { return layer_end_ - next_; }
    const Arrivals& arrivals() const { return arrivals_; }
    const std::optional<Violation>& violation() const { return violation_; }
    // kRunning, or the limit that this rank has reached: what it says from then on is incomplete.
    Status status() const { return status_; }
    const Statistics& statistics() {
        monitor_.measure(statistics_);
        return statistics_;
    }
    std::size_t words() const { return store_.words(); }
    bool has(Index index) const { return index < store_.size(); }
    Ancestry ancestry(Index index) const { return ancestry_in(store_, senders_, place_.rank, index); }

private:
    struct Source {
        Index state;
        std::size_t arcs_end;
    };
    struct Own {
        std::size_t arc;
        Passage passage;
    };
    struct Worker {
        Worker(S& shared, bool is_clone, const RankPlace& place)
            : clone(is_clone ? shared.clone() : nullptr), space(is_clone ? clone.get() : &shared), arcs(space->words()),
              lines(space->words(), place.rank, place.ranks, place.line, false) {}

        std::unique_ptr<S> clone;
        S* space;
        SuccessorBuffer arcs;
        std::vector<Source> sources;
        std::vector<Own> own;
        std::size_t stored_own = 0;              // of `own`
        std::size_t record = 0, records_end = 0; // of the line that is taken in
        Lines lines;
        SharedStore::Part part;
        Statistics counted; // since the last round
        std::uint64_t known = 0;
        bool cut = false;
        std::optional<Violation> violation;
    };

public:
    class TeamLines {
    public:
        explicit TeamLines(std::vector<std::unique_ptr<Worker>>& workers) : workers_(workers) {}

        bool any_full() const {
            return std::ranges::any_of(workers_, [](const auto& worker) { return worker->lines.any_full(); });
        }
        std::pair<std::uint32_t, Lines::Line> take() {
            const auto full =
                std::ranges::find_if(workers_, [](const auto& worker) { return worker->lines.any_full(); });
            return (*full)->lines.take();
        }
        void flush() {
            for (auto& worker : workers_) {
                worker->lines.flush();
            }
        }
        std::uint64_t added() const { return sum(&Lines::added); }
        std::uint64_t filtered() const { return sum(&Lines::filtered); }

    private:
        std::uint64_t sum(std::uint64_t (Lines::*count)() const) const {
            std::uint64_t all = 0;
            for (const auto& worker : workers_) {
                all += (worker->lines.*count)();
            }
            return all;
        }

        std::vector<std::unique_ptr<Worker>>& workers_;
    };
    // Those of all threads.
    TeamLines& lines() { return lines_; }

private:
    static constexpr std::size_t kStretch = 32;     // states that a thread takes at once
    static constexpr std::size_t kRecords = 256;    // of a line
    static constexpr std::size_t kFewRecords = 512; // that one thread takes in alone

    bool going() const { return status_ == Status::kRunning; }
    void end_at(Status status) { status_ = going() ? status : status_; }

    // Has threads work until each job says that it is done; it says no when the store has to grow first.
    template <class Job>
    void in_rounds(const Job& job, bool by_all = false) {
        for (bool is_done = false; going() && !is_done;) {
            if (!make_room()) {
                end_at(store_.at_state_limit() ? Status::kStates : Status::kMemory);
                break;
            }
            std::atomic<bool> all_done = true;
            const auto work = [&](std::size_t i) {
                if (!job(*workers_[i])) {
                    all_done = false;
                }
            };
            if (by_all) {
                team_.run(work);
            } else {
                work(0);
            }
            is_done = all_done;
        }
        collect();
    }
    bool make_room() {
        return store_.make_room_for(team_.size(), ByOne{}) && senders_.ensure(store_.room() + kStretch * team_.size());
    }

    // Between rounds.
    void collect() {
        std::vector<SharedStore::Room> rooms;
        for (auto& worker : workers_) {
            rooms.push_back(std::exchange(worker->part.room, {}));
            statistics_.stored += std::exchange(worker->part.gained, 0);
            const Statistics counted = std::exchange(worker->counted, {});
            Counts::of(counted).add_to(statistics_);
            statistics_.goals += counted.goals;
            statistics_.transient += counted.transient;
            arrivals_.known += std::exchange(worker->known, 0);
            cut_ |= worker->cut;
            if (worker->violation && is_better(*worker->violation)) {
                violation_ = worker->violation;
            }
        }
        store_.close_holes(std::move(rooms), [this](Index from, Index to) { senders_[to] = senders_[from]; });
        statistics_.frontier = waiting();
        end_at(monitor_.pulse(statistics_));
    }
    bool is_better(const Violation& found) const { return !violation_ || found.steps < violation_->steps; }

    // Expanding

    bool expand_part(Worker& worker, std::size_t end) {
        while (store_own(worker)) {
            const std::size_t first = cursor_.fetch_add(kStretch);
            if (first >= end) {
                return true;
            }
            for (std::size_t i = first; i < std::min(first + kStretch, end); ++i) {
                expand_one(worker, static_cast<Index>(i));
            }
            sort_out(worker);
        }
        return false;
    }

    void expand_one(Worker& worker, Index index) {
        const std::size_t first = worker.arcs.size();
        const std::uint32_t marks = worker.space->expand(store_.state(index), worker.arcs);
        worker.sources.push_back({index, worker.arcs.size()});
        ++worker.counted.expanded;
        worker.counted.generated += worker.arcs.size() - first + repeated_ways(*worker.space);
        worker.counted.deadlocks += (marks & kDeadlock) != 0;
        if ((marks & request_.stop) != 0) {
            note(worker, {marks & request_.stop, next_steps_ - 1, index, 0, 0, {}});
        }
        note_steps(worker, first, index, next_steps_);
    }

    void note_steps(Worker& worker, std::size_t first, Index source, std::uint32_t steps) {
        for (std::size_t i = first; i < worker.arcs.size(); ++i) {
            const SuccessorBuffer::Arc& arc = worker.arcs.arc(i);
            const bool failed = (arc.marks & kError) != 0;
            worker.counted.errors += failed;
            if ((arc.marks & request_.stop) == 0) {
                continue;
            }
            if (probing_) {
                worker.cut = true;
            } else {
                const Word* target = worker.arcs.state(i);
                note(worker, {arc.marks & request_.stop, steps, source, arc.action, arc.detail,
                              failed ? std::vector<Word>{} : std::vector<Word>(target, target + store_.words())});
            }
        }
    }
    static void note(Worker& worker, Violation found) {
        if (!worker.violation || found.steps < worker.violation->steps) {
            worker.violation = std::move(found);
        }
    }

    // Gives the targets of all arcs in the buffer to their owners; its own ones are still to be stored.
    void sort_out(Worker& worker) {
        std::size_t arc = 0;
        for (const Source& source : worker.sources) {
            for (; arc < source.arcs_end; ++arc) {
                if ((worker.arcs.arc(arc).marks & kError) == 0) {
                    sort_out(worker, arc, source.state);
                }
            }
        }
        worker.sources.clear();
        for (const Own& own : worker.own) {
            store_.prefetch_record(worker.arcs.hash(own.arc));
        }
    }
    void sort_out(Worker& worker, std::size_t i, Index source) {
        if constexpr (!HashingSpace<S>) {
            worker.arcs.set_hash(i, hash_words(worker.arcs.state(i), store_.words()));
        }
        const std::uint64_t hash = worker.arcs.hash(i);
        const SuccessorBuffer::Arc& arc = worker.arcs.arc(i);
        const Passage passage{Passage::info_of(arc.marks, next_steps_), source, arc.action};
        const std::uint32_t owner = owner_of(hash, place_.ranks);
        if (owner == place_.rank) {
            store_.prefetch(hash);
            worker.own.push_back({i, passage});
        } else {
            worker.lines.add(owner, worker.arcs.state(i), hash, passage);
        }
    }

    // Storing; false if the store has to grow before the rest.

    bool store_own(Worker& worker) {
        for (; worker.stored_own < worker.own.size(); ++worker.stored_own) {
            const Own& own = worker.own[worker.stored_own];
            const Word* state = worker.arcs.state(own.arc);
            if (!arrive(worker, state, worker.arcs.hash(own.arc), place_.rank, own.passage)) {
                return false;
            }
        }
        worker.own.clear();
        worker.arcs.clear();
        worker.stored_own = 0;
        return true;
    }

    bool store_records(Worker& worker, const ReadLine& line) {
        for (;; ++worker.record) {
            if (worker.record == worker.records_end) {
                worker.record = next_record_.fetch_add(kRecords);
                if (worker.record >= line.size()) {
                    worker.record = worker.records_end;
                    return true;
                }
                worker.records_end = std::min(worker.record + kRecords, line.size());
                for (std::size_t i = worker.record; i < worker.records_end; ++i) {
                    store_.prefetch(store_.hash(line.state(i)));
                }
            }
            const Word* state = line.state(worker.record);
            if (!arrive(worker, state, store_.hash(state), line.sender(), line.passage(worker.record))) {
                return false;
            }
        }
    }

    bool arrive(Worker& worker, const Word* state, std::uint64_t hash, std::uint32_t sender, const Passage& passage) {
        if (probing_) {
            worker.cut = worker.cut || store_.find(state, hash) == kNoIndex;
            return true;
        }
        const Origin origin = Origin::of_arc(passage.parent, passage.action);
        const Insertion done = store_.insert_shared(state, hash, origin, worker.part);
        if (done.result == Insert::kFresh) {
            senders_[done.index] = static_cast<std::uint16_t>(sender);
            worker.counted.goals += (passage.marks() & kGoal) != 0;
            worker.counted.transient += (passage.marks() & kTransient) != 0;
        }
        worker.known += done.result == Insert::kKnown && sender != place_.rank;
        return done.result != Insert::kFull;
    }

    const RankPlace place_;
    const Request request_;
    Monitor monitor_;
    SharedStore store_;
    Column<std::uint16_t> senders_; // by state: the rank that its parent belongs to
    ThreadTeam team_;
    std::vector<std::unique_ptr<Worker>> workers_;
    TeamLines lines_;
    std::atomic<std::size_t> cursor_ = 0;      // the state of the layer that is taken next
    std::atomic<std::size_t> next_record_ = 0; // of the line that is taken in
    std::size_t next_ = 0;
    std::size_t layer_end_ = 0;
    std::uint32_t round_ = 0;
    std::uint32_t next_steps_ = 0; // to the targets of the arcs that are found
    bool probing_ = false;
    bool cut_ = false;
    Statistics statistics_;
    Arrivals arrivals_;
    std::optional<Violation> violation_;
    Status status_ = Status::kRunning;
};

} // namespace beeline
