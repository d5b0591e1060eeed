// Zones in an order in which little is explored twice: where a large zone is found after a smaller one in it has been
// explored, all that was found behind the smaller one is found again (Herbreteau and Tran, "Improving search order for
// reachability testing in timed automata", FORMATS 2015).
//
// First come states whose processes have come least far, so that what may lead to larger zones is not overtaken (the
// paper's topological order). Where a zone takes the place of an explored one, what waits behind the latter is put off
// until nothing else is left: mostly it is covered by then. It is explored then if it is not, so that nothing is lost.
#pragma once

#include "search/open_list.hpp"
#include "search/run.hpp"
#include "state/column.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

template <Space S, StateStore T>
class LargerFirst {
public:
    // A fact, and an entry in an open list.
    static constexpr std::size_t kSideBytes = 24;

    explicit LargerFirst(Run<S, T>& run)
        : run_(run), open_(run.memory(), Ties::kFifo, 0), late_(run.memory(), Ties::kFifo, 0), facts_(run.memory()) {}

    void search() {
        run_.initial();
        reach_all(kNoIndex);
        while (run_.going() && waiting_ > 0) {
            --waiting_;
            if (open_.empty()) {
                expand(late_.pop());
            } else if (const Index index = open_.pop(); !facts_[index].put_off) {
                expand(index);
            } else if (run_.store.alive(index)) {
                wait(late_, index);
            }
        }
        if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : Status::kExhausted);
        }
    }

private:
    struct Fact {
        std::uint32_t first_child; // one more than its index; 0 for none
        std::uint32_t next_child;  // of the same parent
        std::uint32_t depth;
        bool put_off;
    };

    void expand(Index index) {
        if (!run_.store.alive(index)) {
            return;
        }
        run_.buffer.clear();
        if (facts_[index].depth >= run_.limits().depth) {
            cut_ |= !run_.probe(index);
        } else {
            run_.expand(index);
            reach_all(index);
        }
        if (run_.going()) {
            run_.pulse(waiting_);
        }
    }

    void reach_all(Index source) {
        run_.hash_arcs();
        for (std::size_t i = 0; run_.going() && i < run_.buffer.size(); ++i) {
            if ((run_.buffer.arc(i).marks & kError) == 0) {
                reach(source, i);
            }
        }
    }

    void reach(Index source, std::size_t i) {
        const SuccessorBuffer::Arc& arc = run_.buffer.arc(i);
        const Word* state = run_.buffer.state(i);
        const Insertion done = run_.store.insert(state, run_.buffer.hash(i), source, arc.action);
        if (done.result == Insert::kKnown) {
            return;
        }
        if (done.result == Insert::kFull) {
            return run_.end_full();
        }
        if (!facts_.ensure(done.index)) {
            return run_.end(Status::kMemory);
        }
        run_.count_fresh(arc.marks);
        for (const Index dropped : run_.store.dropped()) {
            put_off_behind(dropped);
        }
        Fact& fact = facts_[done.index];
        fact = {0, 0, 0, false};
        if (source != kNoIndex) {
            Fact& parent = facts_[source];
            fact = {0, parent.first_child, parent.depth + 1, parent.put_off && run_.store.dropped().empty()};
            parent.first_child = static_cast<std::uint32_t>(done.index) + 1;
        }
        run_.reach_depth(fact.depth);
        wait(fact.put_off ? late_ : open_, done.index);
    }

    void put_off_behind(Index root) {
        behind_.assign(1, root);
        while (!behind_.empty()) {
            Fact& fact = facts_[behind_.back()];
            behind_.pop_back();
            if (fact.put_off) {
                continue; // and so is all behind it
            }
            fact.put_off = true;
            for (std::uint32_t child = fact.first_child; child != 0; child = facts_[child - 1].next_child) {
                behind_.push_back(child - 1);
            }
        }
    }

    void wait(OpenList& list, Index index) {
        ++waiting_;
        if (!list.push(run_.space.progress(run_.store.state(index)), index)) {
            run_.end(Status::kMemory);
        }
    }

    Run<S, T>& run_;
    OpenList open_, late_; // by how far processes have come
    Column<Fact> facts_;
    std::vector<Index> behind_; // scratch
    std::size_t waiting_ = 0;
    bool cut_ = false;
};

} // namespace beeline
