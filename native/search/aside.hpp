// What a search needs beside another one of the same run: a store of its own, and a clone of the space, where there is
// one, which takes uninterrupted runs as one step if it can do so quickly. What is found there is told in the steps and
// the layout of the space itself, and what is seen there is known apart.
#pragma once

#include "search/driver.hpp"
#include "search/unfolding.hpp"

#include <cstdint>
#include <memory>

namespace beeline {

template <Space S, StateStore T>
class Aside {
public:
    // Counts in the statistics of the run, and ends it.
    explicit Aside(Run<S, T>& run)
        : run_(run), clone_(clone_of(run.space)), space_(clone_ == nullptr ? run.space : *clone_),
          store_(make_store(space_, run.memory(), run.limits().states, 0)), own_(run.beside(space_, store_)) {}

    // For the search.
    Run<S, T>& own() { return own_; }
    bool has_clone() const { return clone_ != nullptr; }

    // Has it do something, which may end the run.
    template <class Act>
    void act(Act&& act) {
        const Sightings before = Sightings::of(run_.statistics);
        act();
        seen_.add_since(before, run_.statistics); // may be less than nothing: numbers go round
        if (run_.outcome().status == Status::kFound) {
            tell_in_full();
        }
    }

    // What it has seen of the space, each thing once.
    Sightings seen() const {
        Sightings seen = seen_;
        seen.stored -= replaced();
        return seen;
    }
    std::uint64_t replaced() const { return replaced_in(store_); }
    // Whether it takes several steps of the space as one: what it finds may then be a longer way than necessary.
    bool merges() const {
        if constexpr (MergingSpace<S>) {
            return space_.merges() && !run_.space.merges();
        }
        return false;
    }

    template <class Archive>
    void archive(Archive& with) {
        with(seen_);
    }

private:
    static std::unique_ptr<S> clone_of(S& space) {
        if constexpr (MergingSpace<S>) {
            return space.merging_clone();
        }
        return nullptr;
    }

    void tell_in_full() {
        if constexpr (RepackableSpace<S>) {
            use_full_layout(space_, run_.outcome().path);
        }
        if (merges()) {
            Unfolding<S>(run_.space)(run_.outcome());
        }
    }

    Run<S, T>& run_;
    std::unique_ptr<S> clone_;
    S& space_;
    T store_;
    Run<S, T> own_;
    Sightings seen_;
};

} // namespace beeline
