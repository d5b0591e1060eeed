// One rank of a distributed search: it keeps the states that it owns, expands them, and has those of others sent to
// them. It knows nothing of networks: lines of states are taken from it, and those of other ranks are given to it.
#pragma once

#include "search/lines.hpp"
#include "search/monitor.hpp"
#include "search/outcome.hpp"
#include "search/rank_head.hpp"
#include "search/request.hpp"
#include "space/space.hpp"
#include "state/column.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace beeline {

struct RankPlace {
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
    std::size_t line = 4096; // states
};

// The way back from a state as far as its owner knows it, the last state first, and where it goes on.
struct Ancestry {
    std::vector<std::uint32_t> actions;
    std::vector<Word> states;
    std::uint32_t rank = 0;
    Index index = kNoIndex; // none: an initial state was reached
};

template <class T>
Ancestry ancestry_in(const T& store, const Column<std::uint16_t>& senders, std::uint32_t rank, Index index) {
    Ancestry way{{}, {}, rank, index};
    while (way.index != kNoIndex && way.rank == rank) {
        const Word* state = store.state(way.index);
        way.actions.push_back(store.action(way.index));
        way.states.insert(way.states.end(), state, state + store.words());
        way.rank = senders[way.index];
        way.index = store.parent(way.index);
    }
    return way;
}

template <Space S>
class Rank {
public:
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    virtual ~Rank() = default;

    // The states to begin with. One rank asks for them on behalf of all.
    void begin() {
        space_.initial(buffer_);
        note_steps(0, kNoIndex, 0);
        sources_.push_back({kNoIndex, buffer_.size(), 0});
        pass_on();
    }

    // Takes in a line that another rank sent.
    void accept(const Word* data, std::size_t size) {
        const ReadLine line(data, size, store_.words());
        for (std::size_t first = 0; first < line.size(); first += kBatch) {
            accept_batch(line, first, std::min(line.size(), first + kBatch));
        }
        arrivals_.states += line.size();
    }

    Lines& lines() { return lines_; }
    const Arrivals& arrivals() const { return arrivals_; }
    const std::optional<Violation>& violation() const { return violation_; }
    // kRunning, or the limit that this rank has reached: what it says from then on is incomplete.
    Status status() const { return status_; }
    const Statistics& statistics() {
        monitor_.measure(statistics_);
        return statistics_;
    }
    std::size_t words() const { return store_.words(); }

    Ancestry ancestry(Index index) const { return ancestry_in(store_, senders_, place_.rank, index); }
    bool has(Index index) const { return index < store_.size(); }

protected:
    // As many arcs as keep their slots of the table in the first-level cache between prefetch and use.
    static constexpr std::size_t kBatch = 256;
    static constexpr std::size_t kSideBytes = sizeof(std::uint16_t);

    Rank(S& space, const RankPlace& place, const Request& request, bool by_steps, std::size_t side_bytes)
        : space_(space), place_(place), request_(request), monitor_(request_, 8),
          store_(space.words(), monitor_.memory(), request_.limits.states, side_bytes + kSideBytes),
          senders_(monitor_.memory()), lines_(space.words(), place.rank, place.ranks, place.line, by_steps),
          buffer_(space.words()) {}

    // A state of this rank is reached in so many steps (see Passage), from a state of `sender`.
    virtual void arrive(const Word* state, std::uint64_t hash, std::uint32_t sender, const Passage& passage) = 0;

    // What another number of ranks had counted is the first rank's now: only sums are ever told.
    void add_up(const RankHead& head) {
        if (place_.rank != 0) {
            return;
        }
        Counts::of(head.statistics).add_to(statistics_);
        statistics_.goals += head.statistics.goals;
        statistics_.transient += head.statistics.transient;
        statistics_.reopened += head.statistics.reopened;
        statistics_.evaluated += head.statistics.evaluated;
        statistics_.dead_ends += head.statistics.dead_ends;
        reach_depth(head.statistics.depth);
        arrivals_.states += head.arrivals.states;
        arrivals_.known += head.arrivals.known;
    }

    void reach_depth(std::uint64_t steps) { statistics_.depth = std::max(statistics_.depth, steps); }
    bool going() const { return status_ == Status::kRunning; }
    void pulse(std::size_t waiting) {
        statistics_.frontier = waiting;
        end_at(monitor_.pulse(statistics_));
    }
    void end_at(Status status) { status_ = going() ? status : status_; }

    // Appends the arcs of a state to the buffer; `pass_on` will give them to the owners of their targets.
    std::uint32_t expand_state(Index index, std::uint32_t next_steps) {
        return expand_words(store_.state(index), index, next_steps);
    }
    // The same for a state that need not be in the store.
    std::uint32_t expand_words(const Word* state, Index index, std::uint32_t next_steps) {
        const std::size_t first = buffer_.size();
        const std::uint32_t marks = space_.expand(state, buffer_);
        sources_.push_back({index, buffer_.size(), next_steps});
        ++statistics_.expanded;
        statistics_.generated += buffer_.size() - first + repeated_ways(space_);
        statistics_.deadlocks += (marks & kDeadlock) != 0;
        if ((marks & request_.stop) != 0) {
            note({marks & request_.stop, next_steps - 1, index, 0, 0, {}});
        }
        return marks;
    }

    // Counts the errors among the arcs from `first` on, and notes those that violate; whether there are any.
    bool note_steps(std::size_t first, Index source, std::uint32_t steps, bool keeps = true) {
        bool any = false;
        for (std::size_t i = first; i < buffer_.size(); ++i) {
            const SuccessorBuffer::Arc& arc = buffer_.arc(i);
            const bool failed = (arc.marks & kError) != 0;
            statistics_.errors += failed;
            if ((arc.marks & request_.stop) == 0) {
                continue;
            }
            any = true;
            if (keeps && is_better(steps)) {
                const Word* target = buffer_.state(i);
                note({arc.marks & request_.stop, steps, source, arc.action, arc.detail,
                      failed ? std::vector<Word>{} : std::vector<Word>(target, target + buffer_.words())});
            }
        }
        return any;
    }

    // Gives the targets of all arcs in the buffer to their owners. In several passes, so that the cache misses of a
    // batch overlap.
    void pass_on() {
        own_.clear();
        std::size_t arc = 0;
        for (const Source& source : sources_) {
            for (; arc < source.arcs_end; ++arc) {
                if ((buffer_.arc(arc).marks & kError) == 0) {
                    sort_out(arc, source);
                }
            }
        }
        for (const Own& own : own_) {
            store_.prefetch_record(buffer_.hash(own.arc));
        }
        for (const Own& own : own_) {
            arrive(buffer_.state(own.arc), buffer_.hash(own.arc), place_.rank, own.passage);
        }
        buffer_.clear();
        sources_.clear();
    }

    // Stores a state; the result is kFull, and the rank ends, where there is no room.
    Insertion keep(const Word* state, std::uint64_t hash, std::uint32_t sender, const Passage& passage) {
        const Insertion done = store_.insert(state, hash, passage.parent, passage.action);
        if (done.result == Insert::kFull) {
            end_at(store_.at_state_limit() ? Status::kStates : Status::kMemory);
        } else if (done.result == Insert::kFresh) {
            if (!senders_.ensure(done.index)) {
                end_at(Status::kMemory);
                return {Insert::kFull, kNoIndex};
            }
            senders_[done.index] = static_cast<std::uint16_t>(sender);
            ++statistics_.stored;
            statistics_.goals += (passage.marks() & kGoal) != 0;
            statistics_.transient += (passage.marks() & kTransient) != 0;
        }
        arrivals_.known += done.result == Insert::kKnown && sender != place_.rank;
        return done;
    }

    // Makes this the way to a state that was known.
    void set_origin(Index index, std::uint32_t sender, const Passage& passage) {
        store_.set_origin(index, passage.parent, passage.action);
        senders_[index] = static_cast<std::uint16_t>(sender);
    }

    void note(Violation violation) {
        if (is_better(violation.steps)) {
            violation_ = std::move(violation);
        }
    }

    bool is_better(std::uint32_t steps) const { return !violation_ || steps < violation_->steps; }

    S& space_;
    const RankPlace place_;
    const Request request_;
    Monitor monitor_;
    Store store_;
    Column<std::uint16_t> senders_; // by state: the rank that its parent belongs to
    Lines lines_;
    SuccessorBuffer buffer_;
    Statistics statistics_;
    Arrivals arrivals_;
    std::optional<Violation> violation_;

private:
    struct Source {
        Index state;
        std::size_t arcs_end;
        std::uint32_t next_steps; // of the targets
    };
    struct Own {
        std::size_t arc;
        Passage passage;
    };

    void sort_out(std::size_t i, const Source& source) {
        if constexpr (!HashingSpace<S>) {
            buffer_.set_hash(i, hash_words(buffer_.state(i), buffer_.words()));
        }
        const std::uint64_t hash = buffer_.hash(i);
        const SuccessorBuffer::Arc& arc = buffer_.arc(i);
        const Passage passage{Passage::info_of(arc.marks, source.next_steps), source.state, arc.action};
        const std::uint32_t owner = owner_of(hash, place_.ranks);
        if (owner == place_.rank) {
            store_.prefetch(hash);
            own_.push_back({i, passage});
        } else {
            lines_.add(owner, buffer_.state(i), hash, passage);
        }
    }

    void accept_batch(const ReadLine& line, std::size_t first, std::size_t end) {
        hashes_.resize(end - first);
        for (std::size_t i = first; i < end; ++i) {
            hashes_[i - first] = store_.hash(line.state(i));
            store_.prefetch(hashes_[i - first]);
        }
        for (const std::uint64_t hash : hashes_) {
            store_.prefetch_record(hash);
        }
        for (std::size_t i = first; i < end && going(); ++i) {
            arrive(line.state(i), hashes_[i - first], line.sender(), line.passage(i));
        }
    }

    std::vector<Source> sources_;
    std::vector<Own> own_;
    std::vector<std::uint64_t> hashes_;
    Status status_ = Status::kRunning;
};

} // namespace beeline
