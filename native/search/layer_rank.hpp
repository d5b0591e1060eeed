// A rank of a distributed breadth-first search. All ranks expand their parts of a layer; what they reach that is new
// belongs to the next one. A round lasts until nobody expands and no line is under way; whoever knows that says
// `advance`.
#pragma once

#include "search/kept_rank.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace beeline {

template <Space S>
class LayerRank final : public KeptRank<S> {
    using Base = Rank<S>;

public:
    LayerRank(S& space, const RankPlace& place, const Request& request)
        : KeptRank<S>(space, place, request, false, 0) {}

    // What arrived since the last call becomes the layer that is expanded: how many states that are.
    std::size_t advance() {
        next_ = layer_end_;
        layer_end_ = this->store_.size();
        this->lines_.set_round(++round_);
        return layer_end_ - next_;
    }

    // From now on nothing is stored: states beyond a bound are only asked whether they are known.
    void probe() { probing_ = true; }
    // Whether something new lies behind the bound, as far as this rank knows.
    bool cut() const { return cut_; }

    // Expands about so many states of the layer. False if none is left, or a limit was reached.
    bool expand(std::size_t most) {
        const std::size_t end = next_ + std::min(most, layer_end_ - next_);
        while (this->going() && next_ < end) {
            fill(end);
            this->pass_on();
        }
        return this->going() && next_ < layer_end_;
    }

    std::size_t waiting() const { return layer_end_ - next_; }

private:
    // A state was expanded, or is to be expanded in this round or in the next one.
    enum Group : std::uint32_t { kDone, kWaiting, kNext };

    std::uint64_t fact_of(Index index) const override {
        return index < next_ ? kDone : index < layer_end_ ? kWaiting : kNext;
    }
    void put_fact(Index index, std::uint64_t fact) override {
        next_ = fact == kDone ? index + 1 : next_;
        layer_end_ = fact != kNext ? index + 1 : layer_end_;
    }
    std::uint32_t groups() const override { return 3; }
    std::uint32_t group_of(std::uint64_t fact) const override { return static_cast<std::uint32_t>(fact); }
    std::pair<std::uint32_t, bool> progress() const override { return {round_, cut_}; }
    void go_on_at(std::uint32_t round, bool cut) override {
        round_ = round;
        this->lines_.set_round(round);
        cut_ = cut;
    }

    void fill(std::size_t end) {
        for (; this->going() && next_ < end && this->buffer_.size() < Base::kBatch; ++next_) {
            const auto index = static_cast<Index>(next_);
            const std::size_t first = this->buffer_.size();
            this->expand_state(index, round_);
            if (this->note_steps(first, index, round_, !probing_) && probing_) {
                cut_ = true;
            }
            this->pulse(waiting());
        }
    }

    void arrive(const Word* state, std::uint64_t hash, std::uint32_t sender, const Passage& passage) override {
        if (!probing_) {
            this->keep(state, hash, sender, passage);
        } else if (!cut_) {
            cut_ = this->store_.find(state, hash) == kNoIndex;
        }
    }

    std::size_t next_ = 0;
    std::size_t layer_end_ = 0;
    std::uint32_t round_ = 0; // the steps to the targets of this layer's arcs
    bool probing_ = false;
    bool cut_ = false;
};

} // namespace beeline
