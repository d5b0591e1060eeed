// Partial-order reduction: of the arcs that leave a state, keeps a subset from which all that is sought can still be
// reached.
//
// What the edges of the processes have to do with each other is worked out in Python (beeline.analysis.dependence) and
// comes as rows, each a set of edges. For a row and a location the reducer knows which edges that leave the location
// belong to the row or can lead to one that does. So a set over all edges, most of which are far from where their
// processes stand, is followed by looking at the edges that leave the present locations only.
#pragma once

#include "space/space.hpp"
#include "vm/program.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace beeline {

// Stubborn: Valmari, "Stubborn sets for reduced state space generation", 1989; Laarman, Pater, van de Pol and Weber,
// "Guard-based partial-order reduction", SPIN 2013. Ample: Peled, "All from one, one for all", CAV 1993, with the
// processes as candidates. Seeds: Bhattacharya, German and Gopalakrishnan, "Exploiting symmetry and transactions for
// partial order reduction of rule based specifications", SPIN 2006: the set that a step brings along, of which none may
// be seen; the steps are tried in a given order, and the first with such a set is taken.
enum class Strategy : std::int32_t { kStubborn, kAmple, kSeeds };

// What keeps a step from being put off for ever, for violations that need it.
enum class Proviso : std::int32_t {
    kNone,    // nothing: needed by no deadlock, nor by goals under stubborn sets
    kKnown,   // some successor is not done: what that means is the search's to say (closed, or on its stack)
    kVisited, // some successor was never seen
    kStatic   // no step of the subset closes a cycle in the graph of its process
};

class Reducer {
public:
    // Throws std::invalid_argument for tables that do not fit the program.
    Reducer(const Program& program, const Tables& tables);

    // Takes arcs of `state` out of the buffer, from `first` on. `is_done(arc, visited)` tells whether the target
    // of an arc is done, or was ever seen. The state is packed as `program` has it: the one of the tables, in any
    // layout.
    template <class IsDone>
    void reduce(const Program& program, const Word* state, SuccessorBuffer& buffer, std::size_t first,
                IsDone&& is_done) {
        ++tally_.asked;
        program_ = &program;
        if (is_resting() || !look(state, buffer, first)) {
            return;
        }
        std::uint64_t& remembered = hopeless_[fingerprint() % kRemembered];
        if (remembered == fingerprint_ && !watched_) {
            return;
        }
        begin();
        if (!next()) {
            remembered = fingerprint_;
            return;
        }
        do {
            if (passes(buffer, first, is_done)) {
                keep_chosen(buffer, first);
                ++tally_.reduced;
                tally_.last_reduced = tally_.asked;
                return;
            }
        } while (next());
    }

    bool needs_visited() const { return proviso_ == Proviso::kVisited; }
    // How many states it was asked about, and how many of them lost arcs.
    std::uint64_t asked() const { return tally_.asked; }
    std::uint64_t reduced() const { return tally_.reduced; }

    // On which it depends whether it rests.
    struct Tally {
        std::uint64_t asked = 0, reduced = 0, last_reduced = 0;
    };
    const Tally& tally() const { return tally_; }
    void put_back(const Tally& tally) { tally_ = tally; }

private:
    using Mask = std::uint64_t; // edges that leave one location

    // Where nothing could be left out of many states in a row, only some are looked at until something can.
    bool is_resting() const {
        return !watched_ && tally_.asked - tally_.last_reduced > patience_ && tally_.asked % kShare != 0;
    }
    static constexpr std::uint64_t kShare = 16;

    struct ProcessRow {
        std::int32_t tag, location, kind, first_location, locations;
    };
    struct Constant {
        std::int32_t process, cell, value;
    };
    enum Flag {
        kBegins = 1,
        kJoins = 2,
        kUncertain = 4,
        kAsksTimeout = 8,
        kShowsInside = 16,
        kVisible = 32,
        kSticky = 64
    };
    struct EdgeRow {
        std::int32_t number, process, source, target, flags, disturbing, enabling, pairs, first_test, tests;
    };
    struct Test {
        std::int32_t cell, comparison, value, row, after_first;
    };
    enum NodeKind { kTest, kUnknown, kAll, kAny };

    void read(const Tables& tables);
    void check() const;
    // Fills `masks_`: for a row and a location, the edges that leave it and belong to the row or lead to one that does.
    void project(const std::vector<std::vector<std::int32_t>>& rows);
    std::vector<std::int32_t> locations_ahead(const EdgeRow& edge) const;

    std::int32_t value(std::int32_t cell) const { return value(program_->packing[static_cast<std::size_t>(cell)]); }
    std::int32_t value(const Packing& place) const {
        return place.low + static_cast<std::int32_t>((state_[place.word] >> place.shift) & place.mask);
    }
    bool holds(const Test& test) const;

    bool look(const Word* state, const SuccessorBuffer& buffer, std::size_t first);
    bool find_locations();
    bool find_enabled(const SuccessorBuffer& buffer, std::size_t first);

    // Which sets there are is a function of where the processes stand, which edges are enabled and which tests hold.
    // Of situations without any, a fingerprint is remembered. Should two have the same, one is searched in full.
    std::uint64_t fingerprint();
    static constexpr std::size_t kRemembered = 1 << 14;

    // Hands out sets of edges in `chosen_`, those with the fewest enabled edges first; false when there are no more.
    void begin();
    bool next();
    bool begin_with_goal();
    bool next_seed();
    bool grow(std::size_t process);
    bool shows_chosen() const;
    bool stays_within(std::size_t process);
    std::int32_t enabled_chosen() const;

    void add(std::int32_t row);
    void add_edge(std::int32_t edge);
    // False as soon as every enabled edge is in the set.
    bool close();
    void follow(std::int32_t edge);
    std::int32_t cheapest_enabling(const EdgeRow& edge) const;
    std::int32_t cost(std::int32_t row) const;
    bool covers_enabled() const;
    bool is_enabled(std::int32_t edge) const;
    Mask mask(std::int32_t row, std::size_t process) const {
        return here_[process] < 0
                   ? 0
                   : masks_[static_cast<std::size_t>(row) * locations_ + static_cast<std::size_t>(here_[process])];
    }

    // Goals: three-valued truth, and the edges one of which must happen before the goal can hold.
    enum class Truth { kFalse, kTrue, kOpen };
    Truth truth(std::size_t node) const;
    void add_goal(std::size_t node);

    bool is_chosen(std::uint32_t action) const;
    template <class IsDone>
    bool passes(const SuccessorBuffer& buffer, std::size_t first, IsDone&& is_done) const {
        if (proviso_ == Proviso::kNone) {
            return true;
        }
        bool any = false;
        for (std::size_t i = first; i < buffer.size(); ++i) {
            const SuccessorBuffer::Arc& arc = buffer.arc(i);
            if (!is_chosen(arc.action)) {
                continue;
            }
            any = true;
            if (proviso_ == Proviso::kStatic) {
                if ((edges_[static_cast<std::size_t>(edge_of_[arc.action])].flags & kSticky) != 0) {
                    return false;
                }
            } else if ((arc.marks & kTransient) == 0 && !is_done(i, proviso_ == Proviso::kVisited)) {
                return true;
            }
        }
        return any ? proviso_ == Proviso::kStatic : true;
    }
    void keep_chosen(SuccessorBuffer& buffer, std::size_t first) const;

    const Program* program_; // in the layout of the state under way
    Strategy strategy_ = Strategy::kStubborn;
    Proviso proviso_ = Proviso::kNone;
    std::uint64_t patience_ = 0;
    bool keep_one_ = true; // where nothing in the set is enabled, something else must be
    // An automaton watches: no step that is kept alone may be seen, and what is left out is a function of the
    // network's state, whatever the automaton's is and whatever came before.
    bool watched_ = false;
    std::int32_t visible_row_ = -1;
    std::vector<ProcessRow> processes_;
    std::vector<Constant> constants_;
    std::vector<std::int32_t> resting_;
    std::vector<std::int32_t> seeds_; // edges in the order in which they are tried, for that strategy
    std::vector<EdgeRow> edges_;
    std::vector<Test> tests_;
    std::vector<std::vector<std::int32_t>> goal_; // nodes, the root last
    std::size_t locations_ = 0;
    std::size_t row_count_ = 0;
    std::vector<std::int32_t> first_edge_; // by location
    std::vector<std::int32_t> edge_of_;    // by action
    std::vector<Mask> masks_;              // by row and location
    std::vector<Mask> tested_;             // by location: edges with tests

    // The state under way.
    const Word* state_ = nullptr;
    std::vector<std::int32_t> here_; // location by process, -1 if it ended
    std::vector<Mask> enabled_, chosen_, base_;
    std::vector<std::int32_t> waiting_;
    std::vector<std::uint64_t> hopeless_;
    std::uint64_t fingerprint_ = 0;
    std::size_t seed_ = 0;         // the process, or the place among the seeds, from which the next set is grown
    std::vector<Mask> candidates_; // sets that were grown, and are not handed out yet
    std::vector<std::int32_t> sizes_;
    std::vector<std::size_t> order_;
    std::size_t handed_out_ = 0;
    Tally tally_;
};

} // namespace beeline
