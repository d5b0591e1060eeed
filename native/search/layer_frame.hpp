// What breadth-first searches by one thread and by several have in common: they go from layer to layer, only probe the
// layer that lies on the depth bound, change the layout of states once enough of them are known, and end in the same
// ways.
#pragma once

#include "search/tight_layout.hpp"

#include <cstdint>

namespace beeline {

template <Space S, StateStore T>
class LayerFrame {
public:
    // Without `may_tighten` the space keeps its layout of words.
    explicit LayerFrame(Run<S, T>& run, bool may_tighten = true) : run_(run), layout_(run, may_tighten) {}

    // Before the states of a layer that is not empty are expanded.
    void begin_layer() { run_.reach_depth(depth_); }
    void end_layer() { ++depth_; }
    // The arcs of this layer's states lead too far: states are probed, and nothing is stored.
    bool is_at_bound() const { return depth_ == run_.limits().depth; }
    // What lies behind the bound may be new.
    void note_cut(bool cut) { cut_ = cut_ || cut; }

    template <class By = ByOne>
    void adapt(const By& by = {}) {
        layout_.adapt(by);
    }

    // The last layer was empty, unless the run has ended.
    void finish() {
        if (run_.going()) {
            run_.end(cut_ ? Status::kDepth : OmittingStore<T> ? Status::kGaveUp : Status::kExhausted);
        }
        Outcome& outcome = run_.outcome();
        outcome.proven = outcome.status == Status::kFound && !outcome.truncated && !OmittingStore<T>;
    }

    template <class Archive>
    void archive(Archive& with) {
        with(depth_, cut_);
        layout_.archive(with);
    }

private:
    Run<S, T>& run_;
    TightLayout<S, T> layout_;
    std::uint32_t depth_ = 0;
    bool cut_ = false;
};

} // namespace beeline
