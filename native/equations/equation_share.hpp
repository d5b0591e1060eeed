// The share of one rank in a boolean equation system (Joubert and Mateescu, Distributed on-the-fly model checking and
// test case generation, SPIN 2006).
//
// Each variable has an owner, who looks at its equation. A rank that depends on a variable of another one asks for its
// value once, and keeps it. When nobody has work and nothing is under way, whoever knows that says which block all
// ranks close: the highest one with open variables. These are the same everywhere, so that nobody has to be told of
// their values.
//
// A line is [round, rank that sent it, kind, records..]: questions are [variable of the asking rank, depth, key..],
// answers [variable of the asking rank, value].
#pragma once

#include "equations/solver.hpp"
#include "search/rank.hpp"
#include "state/word.hpp"

#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace beeline {

// A variable has a name that all ranks know, its key, and an owner.
template <class G>
concept SharedGraph =
    BooleanGraph<G> && requires(G graph, const G& view, Variable variable, Word* out, const Word* key) {
        { view.key_words() } -> std::convertible_to<std::size_t>;
        { view.write_key(variable, out) };
        { view.owner(variable) } -> std::convertible_to<std::uint32_t>;
        { graph.variable_of(key) } -> std::same_as<Variable>;
    };

template <SharedGraph G>
class EquationShare {
public:
    using Line = std::vector<Word>;

    EquationShare(G& graph, MemoryAccount& account, const SolveOptions& options, const RankPlace& place)
        : graph_(graph), place_(place), solver_(graph, account, options, Outside{this}), first_askers_(account),
          askers_(account), filling_(2 * std::size_t{place.ranks}), key_(graph.key_words()) {
        if (place.line == 0 || place.rank >= place.ranks) {
            throw std::invalid_argument("a line has room for one record at least, and a rank has a number below all");
        }
        for (std::size_t block = 0; block < graph.blocks(); ++block) {
            if (graph.kind(block) == BlockKind::kMixed) {
                throw std::invalid_argument("least and greatest fixpoints that depend on each other are not shared");
            }
        }
    }
    EquationShare(const EquationShare&) = delete;
    EquationShare& operator=(const EquationShare&) = delete;

    // This rank wants to know the values of these: whether all are true.
    void ask(std::vector<Variable> roots) {
        roots_ = std::move(roots);
        for (const Variable root : roots_) {
            solver_.want(root, 0);
        }
    }

    // The value of the conjunction of what was asked, and the variable on which it rests.
    std::optional<std::pair<bool, Variable>> verdict() const {
        bool all = !roots_.empty();
        for (const Variable root : roots_) {
            if (!solver_.is_decided(root)) {
                all = false;
            } else if (!solver_.value(root)) {
                return std::pair(false, root);
            }
        }
        return all ? std::optional(std::pair(true, roots_.back())) : std::nullopt;
    }

    // Looks at so many variables at most. Whether more are left.
    bool expand(std::size_t most) {
        for (std::size_t i = 0; i < most && solver_.expand_next(); ++i) {
        }
        return solver_.waiting() > 0;
    }
    std::size_t waiting() const { return solver_.waiting(); }

    // Between two rounds.
    std::size_t open_blocks() { return solver_.open_blocks(); }
    void close(std::size_t block) {
        ++round_;
        solver_.close(block);
    }

    // Takes in a line that another rank sent.
    void accept(const Word* data, std::size_t size) {
        const std::size_t stride = size < kHeader ? 0 : stride_of(data[2]);
        if (stride == 0 || (size - kHeader) % stride != 0 || data[1] >= place_.ranks) {
            throw std::invalid_argument("this is no line of this system");
        }
        for (std::size_t at = kHeader; at < size; at += stride) {
            if (data[2] == kQuestion) {
                take_question(data[1], data + at);
            } else {
                solver_.learn(data[at], data[at + 1] != 0);
            }
        }
        received_ += (size - kHeader) / stride;
    }

    // Lines that are not full are sent as well.
    void flush() {
        for (std::size_t i = 0; i < filling_.size(); ++i) {
            if (!filling_[i].empty()) {
                finish(i);
            }
        }
    }
    bool any_full() const { return !full_.empty(); }
    // The line that has waited longest, and to whom it goes.
    std::pair<std::uint32_t, Line> take() {
        auto first = std::move(full_.front());
        full_.pop_front();
        return first;
    }

    bool is_decided(Variable variable) const { return solver_.is_decided(variable); }
    bool value(Variable variable) const { return solver_.value(variable); }
    std::vector<Variable> reasons(Variable variable) { return solver_.reasons(variable); }
    const SolveCounts& counts() const { return solver_.counts(); }
    std::uint64_t sent() const { return sent_; }
    std::uint64_t received() const { return received_; }

private:
    static constexpr std::size_t kHeader = 3;
    static constexpr Word kQuestion = 0, kAnswer = 1;
    static constexpr std::uint32_t kNobody = 0; // askers are numbered from 1

    struct Outside {
        EquationShare* share;

        bool is_foreign(Variable variable) const { return share->graph_.owner(variable) != share->place_.rank; }
        void ask(Variable variable, std::uint32_t depth) { share->put_question(variable, depth); }
        void tell(Variable variable, bool value) { share->answer_all(variable, value); }
    };
    struct Asker {
        std::uint32_t rank;
        Variable variable; // of that rank
        std::uint32_t next;
    };

    std::size_t stride_of(Word kind) const { return kind == kQuestion ? 2 + key_.size() : kind == kAnswer ? 2 : 0; }

    // The line of a kind that a rank gets next. Its record is to be written at the end.
    Line& line_to(std::uint32_t rank, Word kind) {
        Line& line = filling_[2 * std::size_t{rank} + kind];
        if (line.empty()) {
            line.reserve(kHeader + place_.line * stride_of(kind));
            line.insert(line.end(), {round_, place_.rank, kind});
        }
        ++sent_;
        return line;
    }

    void finish_if_full(std::uint32_t rank, Word kind) {
        const std::size_t i = 2 * std::size_t{rank} + kind;
        if (filling_[i].size() >= kHeader + place_.line * stride_of(kind)) {
            finish(i);
        }
    }

    void finish(std::size_t i) {
        full_.emplace_back(static_cast<std::uint32_t>(i / 2), std::exchange(filling_[i], {}));
    }

    void put_question(Variable variable, std::uint32_t depth) {
        const std::uint32_t owner = graph_.owner(variable);
        graph_.write_key(variable, key_.data());
        Line& line = line_to(owner, kQuestion);
        line.insert(line.end(), {variable, depth});
        line.insert(line.end(), key_.begin(), key_.end());
        finish_if_full(owner, kQuestion);
    }

    void take_question(std::uint32_t rank, const Word* record) {
        const Variable variable = graph_.variable_of(record + 2);
        if (solver_.want(variable, record[1])) {
            return put_answer(rank, record[0], solver_.value(variable));
        }
        const auto number = static_cast<std::uint32_t>(++asked_);
        if (number == kNobody || !first_askers_.ensure(variable) || !askers_.ensure(number)) {
            throw std::bad_alloc();
        }
        askers_[number] = {rank, record[0], first_askers_[variable]};
        first_askers_[variable] = number;
    }

    void answer_all(Variable variable, bool value) {
        if (!first_askers_.ensure(variable)) {
            throw std::bad_alloc();
        }
        for (std::uint32_t at = first_askers_[variable]; at != kNobody; at = askers_[at].next) {
            put_answer(askers_[at].rank, askers_[at].variable, value);
        }
    }

    void put_answer(std::uint32_t rank, Variable variable, bool value) {
        Line& line = line_to(rank, kAnswer);
        line.insert(line.end(), {variable, static_cast<Word>(value)});
        finish_if_full(rank, kAnswer);
    }

    G& graph_;
    RankPlace place_;
    EquationSolver<G, Outside> solver_;
    std::vector<Variable> roots_;
    Column<std::uint32_t> first_askers_; // by variable
    Column<Asker> askers_;
    std::vector<Line> filling_; // by rank and kind
    std::deque<std::pair<std::uint32_t, Line>> full_;
    std::vector<Word> key_;
    std::uint32_t round_ = 0;
    std::uint64_t asked_ = 0, sent_ = 0, received_ = 0;
};

} // namespace beeline
