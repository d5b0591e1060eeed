// A rank of a distributed A* (Kishimoto, Fukunaga and Botea, Scalable, parallel best-first search for optimal
// sequential planning, 2009). Each rank has an open list of the states that it owns, and expands them without waiting
// for others; a state that arrives on a shorter way is opened again. States from which no trace can be shorter than the
// best one that somebody has found are left alone: when all ranks have no others, and nothing is under way, that one is
// the shortest.
#pragma once

#include "heuristic/estimator.hpp"
#include "search/kept_rank.hpp"
#include "search/open_list.hpp"

#include <bit>
#include <limits>
#include <utility>

namespace beeline {

template <Space S>
class DirectedRank final : public KeptRank<S> {
    using Base = Rank<S>;

public:
    // With `prune`, safe dead ends are dropped.
    DirectedRank(S& space, const RankPlace& place, const Request& request, Estimator& estimator, bool prune)
        : KeptRank<S>(space, place, request, true, sizeof(Fact) + sizeof(Index)), estimator_(estimator),
          prune_(prune && estimator.is_safe()), facts_(this->monitor_.memory()),
          open_(this->monitor_.memory(), Ties::kFifo, 0) {}

    // Somebody has found a trace of so many steps.
    void set_bound(std::uint32_t steps) { bound_ = std::min(bound_, steps); }

    // How many states are worth expanding, about.
    std::size_t waiting() const { return is_worth_it() ? open_states_ : 0; }

    // Expands about so many states. False if none is left, or a limit was reached.
    bool expand(std::size_t most) {
        for (std::size_t done = 0; done < most && this->going() && is_worth_it(); ++done) {
            expand_next();
        }
        return this->going() && is_worth_it();
    }

private:
    struct Fact {
        std::uint32_t steps : 31;
        std::uint32_t is_open : 1;
        std::int32_t estimate;
    };
    static constexpr std::uint32_t kNoBound = std::numeric_limits<std::uint32_t>::max();

    bool is_worth_it() const { return !open_.empty() && length_of(open_.first()) < bound(); }
    // The least length of a trace through a state with this key; among equals those that are nearer to the goal come
    // first.
    static std::uint64_t length_of(Key key) { return key >> 32; }
    static Key key_of(const Fact& fact) {
        return (Key{fact.steps + static_cast<std::uint32_t>(fact.estimate)} << 32) |
               static_cast<std::uint32_t>(fact.estimate);
    }
    std::uint32_t bound() const { return this->violation() ? std::min(bound_, this->violation()->steps) : bound_; }

    void expand_next() {
        const Key key = open_.first();
        const Index index = open_.pop();
        --open_states_;
        Fact& fact = facts_[index];
        if (!fact.is_open || key_of(fact) != key) {
            return; // it was reached on a shorter way since
        }
        fact.is_open = 0;
        const std::uint32_t next_steps = fact.steps + 1;
        this->expand_state(index, next_steps);
        this->note_steps(0, index, next_steps);
        this->pass_on();
        this->pulse(open_states_);
    }

    void arrive(const Word* state, std::uint64_t hash, std::uint32_t sender, const Passage& passage) override {
        const Insertion done = this->keep(state, hash, sender, passage);
        if (done.result == Insert::kFresh) {
            meet(done.index, state, passage.steps());
        } else if (done.result == Insert::kKnown && passage.steps() < facts_[done.index].steps) {
            this->set_origin(done.index, sender, passage);
            Fact& fact = facts_[done.index];
            this->statistics_.reopened += !fact.is_open;
            fact.steps = passage.steps();
            enter(done.index, fact);
        }
    }

    void meet(Index index, const Word* state, std::uint32_t steps) {
        if (!facts_.ensure(index)) {
            return this->end_at(Status::kMemory);
        }
        const std::int32_t estimate = estimator_.estimate(state);
        ++this->statistics_.evaluated;
        const bool is_dead = estimate == kDeadEnd;
        this->statistics_.dead_ends += is_dead;
        Fact& fact = facts_[index];
        fact = {steps, 0, is_dead ? 0 : estimate};
        this->reach_depth(steps);
        if (!is_dead || !prune_) {
            enter(index, fact);
        } else {
            fact.steps = 0; // no way to it is short enough to open it
        }
    }

    std::uint64_t fact_of(Index index) const override { return std::bit_cast<std::uint64_t>(facts_[index]); }
    void put_fact(Index index, std::uint64_t fact) override {
        if (!facts_.ensure(index)) {
            return this->end_at(Status::kMemory);
        }
        facts_[index] = std::bit_cast<Fact>(fact);
        if (facts_[index].is_open) {
            enter(index, facts_[index]);
        }
    }
    std::uint32_t groups() const override { return 1; }
    std::uint32_t group_of(std::uint64_t) const override { return 0; }
    std::pair<std::uint32_t, bool> progress() const override { return {0, false}; }
    void go_on_at(std::uint32_t, bool) override {}

    void enter(Index index, Fact& fact) {
        fact.is_open = 1;
        if (!open_.push(key_of(fact), index)) {
            return this->end_at(Status::kMemory);
        }
        ++open_states_;
    }

    Estimator& estimator_;
    bool prune_;
    Column<Fact> facts_;
    OpenList open_;
    std::size_t open_states_ = 0; // entries of the open list
    std::uint32_t bound_ = kNoBound;
};

} // namespace beeline
