// A rank of a distributed search that can leave what it takes to go on, whenever no line is under way, and take that up
// again: its own, or its share of what another number of ranks has left.
#pragma once

#include "search/rank.hpp"
#include "search/shared_out.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beeline {

template <Space S>
class KeptRank : public Rank<S> {
    using Base = Rank<S>;

public:
    // What stands before the states.
    struct Head : RankHead {
        std::uint64_t count = 0;

        template <class Archive>
        void archive(Archive& with) {
            RankHead::archive(with);
            with(count);
        }
    };

    // A limit that is reached while states are read is one of the rank.
    template <class Archive>
    void archive(Archive& with) {
        Head head = this->head();
        head.archive(with);
        std::vector<Word> words(this->store_.words());
        for (std::size_t i = 0; this->going() && i < head.count; ++i) {
            const auto index = static_cast<Index>(i);
            Record record;
            if constexpr (Archive::kWrites) {
                record = {this->store_.parent(index), this->store_.action(index), this->senders_[index],
                          fact_of(index)};
                std::copy_n(this->store_.state(index), words.size(), words.data());
            }
            with(record);
            with.bytes(words.data(), words.size() * sizeof(Word));
            if constexpr (!Archive::kWrites) {
                take_up(words.data(), this->store_.hash(words.data()), record);
            }
            this->pulse(0);
        }
        if constexpr (!Archive::kWrites) {
            this->statistics_ = head.statistics; // the states were counted already
            this->arrivals_ = head.arrivals;
            this->violation_ = head.violation;
            go_on_at(head.round, head.cut);
        }
    }

    // Instead, where there were so many ranks, another number than now: takes those of all states that are its own now.
    // `open(part)` has what one of them left read from the beginning.
    template <class Open>
    void adopt(std::uint32_t parts, const Open& open) {
        SharedOut shared(groups(), parts, this->place_.ranks);
        for (std::uint32_t part = 0; part < parts; ++part) {
            const Head head = read_part(
                part, open, [&](const Told& told) { shared.count(part, group_of(told.record.fact), told.owner); });
            this->add_up(head);
            go_on_at(head.round, head.cut);
        }
        for (std::uint32_t group = 0; group < groups(); ++group) {
            adopt_own(parts, open, group);
        }
        Column<std::uint8_t> is_found(this->monitor_.memory());
        if (!is_found.ensure(this->store_.size())) {
            this->end_at(Status::kMemory);
        }
        for (std::uint32_t part = 0; this->going() && part < parts; ++part) {
            find_origins(part, open, shared, is_found);
        }
    }

protected:
    using Base::Base;

    // What a search knows of a state besides, in a number; the states of a rank come in the order of the groups that
    // these tell.
    virtual std::uint64_t fact_of(Index index) const = 0;
    virtual void put_fact(Index index, std::uint64_t fact) = 0;
    virtual std::uint32_t groups() const = 0;
    virtual std::uint32_t group_of(std::uint64_t fact) const = 0;
    // The round that is under way, and whether something new lies behind a bound.
    virtual std::pair<std::uint32_t, bool> progress() const = 0;
    virtual void go_on_at(std::uint32_t round, bool cut) = 0;

private:
    struct Record {
        Index parent = kNoIndex;
        std::uint32_t action = 0, sender = 0;
        std::uint64_t fact = 0;
    };
    struct Told {
        std::size_t index;
        const Record& record;
        const Word* state;
        std::uint64_t hash;
        std::uint32_t owner;
    };

    Head head() const {
        const auto [round, cut] = progress();
        return {{round, cut, this->statistics_, this->arrivals_, this->violation_}, this->store_.size()};
    }

    void take_up(const Word* state, std::uint64_t hash, const Record& record) {
        const Insertion done = this->keep(state, hash, record.sender, {0, record.parent, record.action});
        if (done.result == Insert::kFresh) {
            put_fact(done.index, record.fact);
        }
    }

    // Calls visit(told) for each state of a part.
    template <class Open, class Visit>
    Head read_part(std::uint32_t part, const Open& open, const Visit& visit) {
        const auto reader = open(part);
        Head head;
        head.archive(*reader);
        std::vector<Word> words(this->store_.words());
        for (std::size_t i = 0; this->going() && i < head.count; ++i) {
            Record record;
            (*reader)(record);
            reader->bytes(words.data(), words.size() * sizeof(Word));
            const std::uint64_t hash = this->store_.hash(words.data());
            visit(Told{i, record, words.data(), hash, owner_of(hash, this->place_.ranks)});
            this->pulse(0);
        }
        if (this->going()) {
            reader->finish();
        }
        return head;
    }

    // Takes its states of a group, as they are told.
    template <class Open>
    void adopt_own(std::uint32_t parts, const Open& open, std::uint32_t group) {
        for (std::uint32_t part = 0; this->going() && part < parts; ++part) {
            read_part(part, open, [&](const Told& told) {
                if (told.owner == this->place_.rank && group == group_of(told.record.fact)) {
                    take_up(told.state, told.hash, told.record);
                }
            });
        }
    }

    // Where the states of this part went, the ones that follow them are told, and who found something there.
    template <class Open>
    void find_origins(std::uint32_t part, const Open& open, SharedOut& shared, Column<std::uint8_t>& is_found) {
        Column<SharedOut::Place> places(this->monitor_.memory());
        const Head read = read_part(part, open, [&](const Told& told) {
            if (places.ensure(told.index)) {
                places[told.index] = shared.next_place(part, group_of(told.record.fact), told.owner);
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
            check(parent < read.count);
            is_found[i] = 1;
            this->set_origin(index, places[parent].rank, {0, places[parent].index, this->store_.action(index)});
        }
        if (this->going() && read.violation) {
            adopt_violation(*read.violation, places, read.count);
        }
    }

    void adopt_violation(Violation found, Column<SharedOut::Place>& places, std::uint64_t count) {
        std::uint32_t rank = 0;
        if (found.source != kNoIndex) {
            check(found.source < count);
            rank = places[found.source].rank;
            found.source = places[found.source].index;
        }
        if (rank == this->place_.rank) {
            this->note(std::move(found));
        }
    }

    static void check(bool is_there) {
        if (!is_there) {
            throw std::invalid_argument("a state of a checkpoint follows one that is not there");
        }
    }
};

} // namespace beeline
