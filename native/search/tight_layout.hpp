// Layouts of states that change during a search: tighter once enough states are known to tell what they need, wider
// where a value has no room.
#pragma once

#include "search/run.hpp"

namespace beeline {

template <Space S, StateStore T>
class TightLayout {
public:
    // Whether the layout of states can change during the search.
    static constexpr bool kAdapts = RepackableSpace<S> && RepackableStore<T>;

    // Without `may_tighten` the space keeps its layout of words.
    explicit TightLayout(Run<S, T>& run, bool may_tighten = true) : run_(run), tightened_(!may_tighten) {}

    // Has the space take a smaller layout when there are enough states. The contents of the buffer are lost.
    template <class By = ByOne>
    void adapt(const By& by = {}) {
        if constexpr (kAdapts) {
            if (!tightened_ && run_.going() && run_.store.size() >= run_.space.sample()) {
                tightened_ = true;
                run_.tighten(by);
            }
        }
    }

    template <class Archive>
    void archive(Archive& with) {
        with(tightened_);
    }

private:
    Run<S, T>& run_;
    bool tightened_; // or not to be
};

// Expands a state by `step`, which begins with an empty buffer, until the layout of states has room for what comes out.
template <Space S, StateStore T, class Step>
std::uint32_t with_room(Run<S, T>& run, Step&& step) {
    if constexpr (TightLayout<S, T>::kAdapts) {
        while (run.going()) {
            run.buffer.clear();
            try {
                return step();
            } catch (const TooNarrow& reason) {
                run.widen(reason);
            }
        }
        return kNone;
    } else {
        run.buffer.clear();
        return step();
    }
}

} // namespace beeline
