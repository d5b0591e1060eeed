// A rank of a distributed breadth-first search. All ranks expand their parts of a layer; what they reach that is new
// belongs to the next one. A round lasts until nobody expands and no line is under way; whoever knows that says
// `advance`.
#pragma once

#include "search/rank.hpp"
#include "search/shared_out.hpp"

#include <stdexcept>
#include <vector>

namespace beeline {

template <Space S>
class LayerRank final : public Rank<S> {
    using Base = Rank<S>;
    using Origin = typename Base::Origin;

public:
    LayerRank(S& space, const RankPlace& place, const Request& request) : Base(space, place, request, false, 0) {}

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

    // Between two rounds.
    template <class Archive>
    void archive(Archive& with) {
        with(layer_end_, round_, cut_);
        next_ = layer_end_;
        Base::archive(with);
    }

    // Instead, where there were so many ranks, another number than now: takes those of all states that are its own now.
    // `open(part)` has what one of them left read from the beginning.
    template <class Open>
    void adopt(std::uint32_t parts, const Open& open) {
        SharedOut shared(parts, this->place_.ranks);
        for (std::uint32_t part = 0; part < parts; ++part) {
            go_on_from(read_part(part, open, [&](const Head& head, const Told& told) {
                shared.count(part, told.index >= head.layer_end, told.owner);
            }));
        }
        adopt_own(parts, open, false);
        next_ = layer_end_ = this->store_.size();
        adopt_own(parts, open, true);
        Column<std::uint8_t> is_found(this->monitor_.memory());
        if (!is_found.ensure(this->store_.size())) {
            this->end_at(Status::kMemory);
        }
        for (std::uint32_t part = 0; this->going() && part < parts; ++part) {
            find_origins(part, open, shared, is_found);
        }
    }

private:
    // How what a rank left begins.
    struct Head {
        std::size_t layer_end = 0;
        std::uint32_t round = 0;
        bool cut = false;
        Statistics statistics;
        Arrivals arrivals;
        std::uint64_t count = 0;

        template <class Archive>
        void archive(Archive& with) {
            with(layer_end, round, cut);
            statistics.archive(with);
            with(arrivals, count);
        }
    };
    struct Told {
        std::size_t index;
        Origin origin;
        const Word* state;
        std::uint64_t hash;
        std::uint32_t owner;
    };

    // Calls visit(head, told) for each state of a part.
    template <class Open, class Visit>
    Head read_part(std::uint32_t part, const Open& open, const Visit& visit) {
        const auto reader = open(part);
        Head head;
        head.archive(*reader);
        std::vector<Word> words(this->store_.words());
        for (std::size_t i = 0; this->going() && i < head.count; ++i) {
            Origin origin;
            (*reader)(origin);
            reader->bytes(words.data(), words.size() * sizeof(Word));
            const std::uint64_t hash = this->store_.hash(words.data());
            visit(head, Told{i, origin, words.data(), hash, owner_of(hash, this->place_.ranks)});
            this->pulse(0);
        }
        if (this->going()) {
            reader->finish();
        }
        return head;
    }

    // What was counted elsewhere is the first rank's now: only sums are ever told.
    void go_on_from(const Head& head) {
        round_ = head.round;
        if (this->place_.rank == 0) {
            Statistics& all = this->statistics_;
            Counts::of(head.statistics).add_to(all);
            all.goals += head.statistics.goals;
            all.transient += head.statistics.transient;
            this->reach_depth(head.statistics.depth);
            this->arrivals_.states += head.arrivals.states;
            this->arrivals_.known += head.arrivals.known;
        }
    }

    // Takes its states of the layer that comes next, or all others, as they are told.
    template <class Open>
    void adopt_own(std::uint32_t parts, const Open& open, bool is_next) {
        for (std::uint32_t part = 0; this->going() && part < parts; ++part) {
            read_part(part, open, [&](const Head& head, const Told& told) {
                const Origin& origin = told.origin;
                if (told.owner == this->place_.rank && is_next == (told.index >= head.layer_end)) {
                    this->keep(told.state, told.hash, origin.sender, {0, origin.parent, origin.action});
                }
            });
        }
    }

    // Where the states of this part went, the ones that follow them are told.
    template <class Open>
    void find_origins(std::uint32_t part, const Open& open, SharedOut& shared, Column<std::uint8_t>& is_found) {
        Column<SharedOut::Place> places(this->monitor_.memory());
        const Head read = read_part(part, open, [&](const Head& head, const Told& told) {
            if (places.ensure(told.index)) {
                places[told.index] = shared.next_place(part, told.index >= head.layer_end, told.owner);
            } else {
                this->end_at(Status::kMemory);
            }
        });
        for (std::size_t i = 0; this->going() && i < this->store_.size(); ++i) {
            const auto index = static_cast<Index>(i);
            const Index parent = this->store_.parent(index);
            if (parent == kNoIndex || is_found[i] != 0 || this->senders_[i] != part) {
                continue;
            }
            if (parent >= read.count) {
                throw std::invalid_argument("a state of a checkpoint follows one that is not there");
            }
            is_found[i] = 1;
            this->set_origin(index, places[parent].rank, {0, places[parent].index, this->store_.action(index)});
        }
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
