// A formula of the modal mu-calculus and a network as a system of boolean equations: one variable for each equation of
// the formula and each state. States are found when an equation first asks for steps into them.
//
// An equation is a disjunction or a conjunction of terms. A term is a proposition, whether there is a step of some set,
// another equation in the same state, or another equation after steps of some set: after one of them in a disjunction,
// after each of them in a conjunction.
//
// Several ranks may share the system: the owner of a state looks at all its equations. A rank keeps the states of
// others that it asks about.
//
// An equation that wants every step finds all states and arcs, which can be asked for then.
#pragma once

#include "equations/boolean_graph.hpp"
#include "equations/step_sets.hpp"
#include "heuristic/estimator.hpp"
#include "program/observed_space.hpp"
#include "search/rank.hpp"
#include "search/statistics.hpp"
#include "state/column.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace beeline {

enum class TermKind : std::uint8_t { kProposition, kCan, kHere, kStep };

struct ModalTerm {
    TermKind kind;
    bool negated;        // of propositions and kCan
    std::uint32_t which; // the proposition, or the set of labels
    std::uint32_t equation;
};

struct ModalEquation {
    bool is_disjunction;
    std::uint32_t block;
    std::uint32_t rank;
    std::vector<ModalTerm> terms;
};

struct ModalSystem {
    std::vector<ModalEquation> equations;
    std::vector<BlockKind> kinds; // by block
};

// The store refuses another state.
struct NoRoom {};

// Arcs, one state after the other.
struct KnownArcs {
    static constexpr std::uint32_t kNotAsked = 0xffffffffu;

    std::vector<std::uint32_t> counts; // by state from the second on, the first being ModalGraph::kFailed
    std::vector<std::uint32_t> targets;
    std::vector<Word> labels; // what is known of them
};

class ModalGraph {
public:
    using State = std::uint32_t;
    // Steps that fail lead here: nothing can be done, and no proposition holds.
    static constexpr State kFailed = 0;
    static constexpr std::size_t kMostSets = 32, kMostPropositions = 31;

    ModalGraph(ProgramSpace& space, Propositions propositions, StepSets sets, ModalSystem system,
               std::shared_ptr<Estimator> estimator, MemoryAccount& account, std::size_t most_states,
               const RankPlace& place = {})
        : place_(place), space_(space), propositions_(std::move(propositions)), sets_(std::move(sets)),
          system_(std::move(system)), estimator_(std::move(estimator)), store_(space.words(), account, most_states),
          variables_(account), places_(account), first_arcs_(account), arcs_(account), valuations_(account),
          estimates_(account), buffer_(space.words()) {
        check();
    }

    // The variable of the first equation in each initial state; nothing if the start itself fails.
    std::optional<std::vector<Variable>> roots() {
        buffer_.clear();
        space_.initial(buffer_);
        std::vector<State> states;
        for (std::size_t i = 0; i < buffer_.size(); ++i) {
            if ((buffer_.arc(i).marks & kError) != 0) {
                return std::nullopt;
            }
            buffer_.set_hash(i, store_.hash(buffer_.state(i)));
            states.push_back(state_of(i));
        }
        std::vector<Variable> found;
        for (const State state : states) {
            found.push_back(variable(state, 0));
        }
        return found;
    }

    // See BooleanGraph.
    std::size_t blocks() const { return system_.kinds.size(); }
    BlockKind kind(std::size_t block) const { return system_.kinds[block]; }
    std::size_t block(Variable variable) const { return equation_of(variable).block; }
    std::uint32_t rank(Variable variable) const { return equation_of(variable).rank; }
    bool is_disjunction(Variable variable) const { return equation_of(variable).is_disjunction; }

    Decided successors(Variable variable, std::vector<Variable>& out) {
        const ModalEquation& equation = equation_of(variable);
        const State state = places_[variable].state;
        const bool absorbing = equation.is_disjunction;
        for (const ModalTerm& term : equation.terms) {
            if ((term.kind == TermKind::kProposition || term.kind == TermKind::kCan) &&
                (holds(term, state) != term.negated) == absorbing) {
                return decided(absorbing);
            }
        }
        for (const ModalTerm& term : equation.terms) {
            if (term.kind == TermKind::kHere) {
                out.push_back(this->variable(state, term.equation));
            } else if (term.kind == TermKind::kStep) {
                add_targets(state, term, out);
            }
        }
        return Decided::kOpen;
    }

    std::uint32_t estimate(Variable variable) {
        const State state = places_[variable].state;
        if (estimator_ == nullptr || state == kFailed) {
            return 0;
        }
        ensure(estimates_, state);
        if (estimates_[state] == 0) {
            ++evaluated_;
            const std::int32_t steps = estimator_->estimate(words_of(state));
            estimates_[state] = 1 + static_cast<std::uint32_t>(std::max(steps, 0));
        }
        return estimates_[state] - 1;
    }

    // See SharedGraph. The first word of a key is the equation, above a bit for the state in which steps fail.
    std::size_t key_words() const { return 1 + space_.words(); }
    void write_key(Variable variable, Word* out) const {
        const auto [state, equation] = places_[variable];
        out[0] = equation << 1 | static_cast<Word>(state == kFailed);
        if (state == kFailed) {
            std::fill_n(out + 1, space_.words(), Word{0});
        } else {
            std::copy_n(words_of(state), space_.words(), out + 1);
        }
    }
    // Everyone knows what there is in the state in which steps fail.
    std::uint32_t owner(Variable variable) const {
        const State state = places_[variable].state;
        return place_.ranks == 1 || state == kFailed ? place_.rank : owner_of_words(words_of(state));
    }
    Variable variable_of(const Word* key) {
        if (key[0] >> 1 >= system_.equations.size()) {
            throw std::invalid_argument("there is no such equation");
        }
        return variable((key[0] & 1) != 0 ? kFailed : stored(key + 1, store_.hash(key + 1)), key[0] >> 1);
    }

    State state(Variable variable) const { return places_[variable].state; }
    std::uint32_t equation(Variable variable) const { return places_[variable].equation; }
    // Of a state that is not kFailed.
    const Word* words_of(State state) const { return store_.state(state - 1); }

    // The position among the arcs of the first one's state by which the other is asked for; negative for one in the
    // same state that no step is needed for.
    std::int64_t arc_between(Variable variable, Variable successor) {
        const Place from = places_[variable], to = places_[successor];
        std::int64_t found = -1;
        for (const ModalTerm& term : system_.equations[from.equation].terms) {
            if (term.equation != to.equation) {
                continue;
            }
            if (term.kind == TermKind::kHere && from.state == to.state) {
                return -1;
            }
            if (term.kind == TermKind::kStep && found < 0) {
                found = first_arc_to(from.state, to.state, term.which);
            }
        }
        return found;
    }

    // The arcs of all states that were asked for them.
    KnownArcs known_arcs() {
        KnownArcs found;
        for (State state = 1; state <= store_.size(); ++state) {
            ensure(first_arcs_, state);
            const bool asked = first_arcs_[state] != 0;
            const auto [first, last] = asked ? arcs_of(state) : std::pair<std::size_t, std::size_t>{0, 0};
            found.counts.push_back(asked ? static_cast<std::uint32_t>(last - first) : KnownArcs::kNotAsked);
            for (std::size_t at = first; at < last; ++at) {
                found.targets.push_back(arcs_[at].target);
                found.labels.push_back(arcs_[at].sets);
            }
        }
        return found;
    }

    std::size_t states() const { return store_.size(); }
    std::size_t own_states() const { return own_; }
    std::size_t asked_labels() const { return sets_.asked(); }
    std::uint64_t expanded() const { return expanded_; }
    std::uint64_t generated() const { return generated_; }
    std::uint64_t evaluated() const { return evaluated_; }

private:
    struct Place {
        State state;
        std::uint32_t equation;
    };
    // The arcs of a state follow a first entry, whose target is their number.
    struct ModalArc {
        State target;
        Word sets;
    };
    static constexpr Word kKnown = Word{1} << kMostPropositions;

    void check() const {
        if (propositions_.program().words != space_.words() || propositions_.size() > kMostPropositions) {
            throw std::invalid_argument("the propositions are not about this space");
        }
        for (const ModalEquation& equation : system_.equations) {
            for (const ModalTerm& term : equation.terms) {
                const bool leads = term.kind == TermKind::kHere || term.kind == TermKind::kStep;
                const std::size_t most = term.kind == TermKind::kProposition ? propositions_.size() : kMostSets;
                if (equation.block >= blocks() || (term.kind != TermKind::kHere && term.which >= most) ||
                    (leads && term.equation >= system_.equations.size()) ||
                    (leads && system_.equations[term.equation].block < equation.block)) {
                    throw std::invalid_argument("an equation is malformed");
                }
            }
        }
    }

    const ModalEquation& equation_of(Variable variable) const { return system_.equations[places_[variable].equation]; }

    template <class T>
    static void ensure(Column<T>& column, std::size_t index) {
        if (!column.ensure(index)) {
            throw std::bad_alloc();
        }
    }

    Variable variable(State state, std::uint32_t equation) {
        const std::size_t at = std::size_t{state} * system_.equations.size() + equation;
        ensure(variables_, at);
        if (variables_[at] == 0) {
            if (made_ == kNoVariable - 1) {
                throw std::bad_alloc();
            }
            ensure(places_, made_);
            places_[made_] = {state, equation};
            variables_[at] = ++made_;
        }
        return variables_[at] - 1;
    }

    bool holds(const ModalTerm& term, State state) {
        if (term.kind == TermKind::kProposition) {
            return state != kFailed && (valuation(state) >> term.which & 1) != 0;
        }
        const auto [first, last] = arcs_of(state);
        for (std::size_t at = first; at < last; ++at) {
            if ((arcs_[at].sets >> term.which & 1) != 0) {
                return true;
            }
        }
        return false;
    }

    Word valuation(State state) {
        ensure(valuations_, state);
        if (valuations_[state] == 0) {
            valuations_[state] = kKnown | propositions_.valuation(words_of(state));
        }
        return valuations_[state];
    }

    void add_targets(State state, const ModalTerm& term, std::vector<Variable>& out) {
        const auto [first, last] = arcs_of(state);
        for (std::size_t at = first; at < last; ++at) {
            if ((arcs_[at].sets >> term.which & 1) != 0) {
                out.push_back(variable(arcs_[at].target, term.equation));
            }
        }
    }

    std::int64_t first_arc_to(State state, State target, std::uint32_t set) {
        const auto [first, last] = arcs_of(state);
        for (std::size_t at = first; at < last; ++at) {
            if (arcs_[at].target == target && (arcs_[at].sets >> set & 1) != 0) {
                return static_cast<std::int64_t>(at - first);
            }
        }
        return -1;
    }

    // The entries of a state's arcs, which are found when they are first asked for.
    std::pair<std::size_t, std::size_t> arcs_of(State state) {
        if (state == kFailed) {
            return {0, 0};
        }
        ensure(first_arcs_, state);
        if (first_arcs_[state] == 0) {
            expand(state);
        }
        const std::size_t first = first_arcs_[state];
        return {first, first + arcs_[first - 1].target};
    }

    void expand(State state) {
        buffer_.clear();
        origin_.assign(words_of(state), words_of(state) + space_.words());
        space_.expand(origin_.data(), buffer_);
        ++expanded_;
        generated_ += buffer_.size();
        ensure(arcs_, entries_ + buffer_.size());
        arcs_[entries_] = {static_cast<State>(buffer_.size()), 0};
        for (std::size_t i = 0; i < buffer_.size(); ++i) {
            const SuccessorBuffer::Arc& arc = buffer_.arc(i);
            const bool fails = (arc.marks & kError) != 0;
            const Word sets = sets_.of(origin_.data(), arc, fails ? nullptr : buffer_.state(i));
            arcs_[entries_ + 1 + i] = {fails ? kFailed : state_of(i), sets};
        }
        first_arcs_[state] = entries_ + 1;
        entries_ += 1 + buffer_.size();
    }

    State state_of(std::size_t arc) { return stored(buffer_.state(arc), buffer_.hash(arc)); }

    State stored(const Word* words, std::uint64_t hash) {
        const Insertion made = store_.insert(words, hash, kNoIndex, 0);
        if (made.result == Insert::kFull) {
            throw NoRoom();
        }
        own_ += made.result == Insert::kFresh && owner_of(hash, place_.ranks) == place_.rank;
        return made.index + 1;
    }

    std::uint32_t owner_of_words(const Word* words) const { return owner_of(store_.hash(words), place_.ranks); }

    RankPlace place_;
    ProgramSpace& space_;
    Propositions propositions_;
    StepSets sets_;
    ModalSystem system_;
    std::shared_ptr<Estimator> estimator_;
    Store store_;
    Column<Variable> variables_;       // one more than their numbers, by state and equation; 0: not mentioned
    Column<Place> places_;             // by variable
    Column<std::uint64_t> first_arcs_; // by state; 0: not expanded
    Column<ModalArc> arcs_;
    Column<Word> valuations_;         // by state
    Column<std::uint32_t> estimates_; // one more than they are, by state
    SuccessorBuffer buffer_;
    std::vector<Word> origin_;
    Variable made_ = 0;
    std::size_t entries_ = 0, own_ = 0;
    std::uint64_t expanded_ = 0, generated_ = 0, evaluated_ = 0;
};

} // namespace beeline
