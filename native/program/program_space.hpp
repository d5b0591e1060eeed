// The space of a compiled network: enumerates steps exactly as beeline.model.semantics defines them.
//
// program_space.cpp expands states and writes arcs, program_step_cache.cpp remembers steps, program_local_steps.cpp
// tells on what they depend, program_candidates.cpp looks for them, program_moves.cpp takes them.
#pragma once

#include "jit/tier.hpp"
#include "por/reducer.hpp"
#include "program/held_states.hpp"
#include "program/layouts.hpp"
#include "program/local_steps.hpp"
#include "program/step_cache.hpp"
#include "program/way_counter.hpp"
#include "space/space.hpp"
#include "state/stack.hpp"
#include "symmetry/canonicaliser.hpp"
#include "vm/machine.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

namespace beeline {

// Thrown when a step starts more processes than the program has cells for; compile it with more room and begin again.
struct TooManyProcesses : std::exception {
    const char* what() const noexcept override { return "more processes were started than there is room for"; }
};

class ProgramSpace {
public:
    static constexpr bool kGivesHashes = true;

    // With `merged`, states in which a process keeps control are passed through and never handed out (unless they are
    // goals): a whole uninterrupted run is then one arc.
    ProgramSpace(std::shared_ptr<const Program> program, bool merged, std::size_t sample = kUsualSample);

    ProgramSpace(const ProgramSpace&) = delete; // what it calls back knows where it is
    ProgramSpace& operator=(const ProgramSpace&) = delete;

    std::size_t words() const { return program_->words; }
    void initial(SuccessorBuffer& out);
    std::uint32_t expand(const Word* state, SuccessorBuffer& out);
    // How many processes could begin a step, whatever others may forbid.
    std::int32_t active(const Word* state);
    // Throws std::invalid_argument unless the words are a state of this program.
    void check_state(const Word* state);
    // What one process can begin, or the monitor can do, whatever others may forbid: those in control, at committed
    // locations, of higher priority. For a program without a goal.
    LocalSteps local_steps(const Word* state, std::int32_t pid, bool timeout);
    LocalSteps local_monitor_moves(const Word* state, bool timeout);
    struct LocalValue {
        std::vector<std::int32_t> reads;
        std::int32_t value = 0;
        bool failed = false;
    };
    // The value of an expression that is a block of the program.
    LocalValue local_value(const Word* state, std::int32_t block);

    // Whether a process keeps control in a state: it lies in the middle of an uninterrupted run.
    bool is_controlled(const Word* state) const {
        return program_->control >= 0 &&
               program_->packing[static_cast<std::size_t>(program_->control)].value(state) >= 0;
    }

    const Program& program() const { return *program_; }
    // See GeneralisedSpace.
    std::size_t acceptance_sets() const { return static_cast<std::size_t>(program_->acceptance_sets); }
    // See WatchedSpace.
    std::size_t places() const { return std::max<std::size_t>(1, program_->monitor.size()); }
    Word place(const Word* state) const {
        return program_->monitor_cell < 0
                   ? 0
                   : static_cast<Word>(
                         program_->packing[static_cast<std::size_t>(program_->monitor_cell)].value(state));
    }
    void put_place(Word* state, Word place) const {
        if (program_->monitor_cell >= 0) {
            program_->packing[static_cast<std::size_t>(program_->monitor_cell)].put(state,
                                                                                    static_cast<std::int32_t>(place));
        }
    }
    std::uint32_t nobody() const { return static_cast<std::uint32_t>(program_->edges.size()); }
    // Who takes part in steps: the number of the process that an action belongs to, negative for a monitor's.
    std::size_t processes() const { return program_->processes.size(); }
    std::int32_t process_of(std::uint32_t action) const {
        return action < program_->number_of_edge.size() ? program_->number_of_edge[action] : -1;
    }
    const std::shared_ptr<const Program>& full_program() const { return layouts_.full(); }
    // Leaves out steps in searches from now on (see ReducingSpace); none if null.
    void set_reducer(std::shared_ptr<Reducer> reducer) {
        reducer_ = std::move(reducer);
        if (reducer_ != nullptr) {
            reducer_->use_layout(layouts_.current());
        }
    }

    bool reduces() const { return reducer_ != nullptr; }
    bool reduces_by_visited() const { return reducer_ != nullptr && reducer_->needs_visited(); }
    template <class IsDone>
    void reduce(const Word* state, SuccessorBuffer& arcs, std::size_t first, IsDone&& is_done) {
        reducer_->reduce(state, arcs, first, is_done);
    }

    // Hands out representatives of states instead of the states themselves from now on; the states if null.
    void set_symmetry(std::shared_ptr<Canonicaliser> symmetry) { symmetry_ = std::move(symmetry); }

    // From now on, native code for the program is used where there is some (program_native.cpp).
    void set_tier(std::shared_ptr<Tier> tier) {
        tier_ = std::move(tier);
        native_ = nullptr;
    }
    bool is_native() const { return native_ != nullptr; }
    // Whether steps that were found before need not be found again; they are the same either way.
    void remember(bool steps) {
        may_remember_ = steps;
        forget_steps();
    }

    // Another space of the same program, for another thread; it does not reduce. `follow` takes over a layout.
    std::unique_ptr<ProgramSpace> clone() const { return like_this(merged_); }
    // The same for a search that looks at all states and need not see every step: takes uninterrupted runs as one step
    // where that is quick. None while steps are left out, since what decides on them knows one layout only.
    std::unique_ptr<ProgramSpace> merging_clone() const;
    bool merges() const { return merged_; }
    // The ways through uninterrupted runs from the state expanded last that met others before their end, and so have no
    // arc of their own; not told where a monitor watches. In runs of more steps than are followed in place, those that
    // meet late are left out.
    std::uint64_t repeated_ways() const { return repeated_; }
    void follow(const ProgramSpace& other) {
        if (layouts_.follow(other.layouts_)) {
            take_layout();
        }
    }

    // Layouts with fewer bits: see RepackableSpace and Layouts.
    // So many states tell how many bits cells need. Smaller spaces are not worth a change.
    static constexpr std::size_t kUsualSample = 1 << 14;
    std::size_t sample() const { return sample_; }
    bool tighten(std::size_t count, StateAt state);
    void widen(const TooNarrow& reason);
    // Done by `initial` as well.
    bool use_full_layout();
    void convert(const Word* from, Word* to) const { layouts_.convert(from, to); }
    bool keeps_hashes() const { return layouts_.keeps_hashes(); }
    UnitPlaces unit_places() const { return layouts_.unit_places(); }

private:
    // A run that goes on and on is handed out in the end: the search then keeps its states, and its limits see them.
    static constexpr std::size_t kLongestRun = 1 << 16;

    struct Part {
        std::int32_t pid;
        std::int32_t edge;
    };
    // Edges that could be taken together. Parts and message live on stacks, because looking for steps nests.
    struct Candidate {
        std::size_t first_part, parts;
        std::size_t message;
        const ChannelPlace* channel; // null without one
        std::int32_t position;       // of the message to receive, or where one to send is put
        bool failed;
    };
    struct MonitorMove {
        std::int32_t target;
        std::uint32_t sets; // of acceptance, as marks
    };
    // Called for each candidate; returns false to end the enumeration.
    using Visit = FunctionRef<bool(const Candidate&)>;

    // Looking for steps. All return whether any candidate was seen.
    bool begun_by(std::int32_t pid, Visit visit);
    bool of_edge(std::int32_t pid, std::int32_t edge, Visit visit, bool& go_on);
    bool synchronising(std::int32_t pid, std::int32_t edge, Visit visit, bool& go_on);
    bool sending(std::int32_t edge, Visit visit, bool& go_on);
    bool with_receiver(Candidate candidate, std::int32_t number, Visit visit, bool& go_on);
    bool with_all_receivers(Candidate candidate, std::int32_t number, Visit visit, bool& go_on);
    bool receiving(std::int32_t edge, Visit visit, bool& go_on);
    bool together(std::int32_t pid, std::int32_t edge, Visit visit, bool& go_on);
    bool combinations(Candidate candidate, std::size_t first_group, Visit visit, bool& go_on);
    bool failing(std::size_t first_part, std::size_t message, Visit visit, bool& go_on);
    bool can_begin(std::int32_t pid);
    bool is_outranked(std::int32_t pid);

    const Body& body(std::int32_t pid) const { return *machine_.body(static_cast<std::size_t>(pid)); }
    // Where a process stands, or null if there is none.
    const LocationPlan* place(std::int32_t pid) const {
        const ProcessPlan& process = plan_->processes[static_cast<std::size_t>(pid)];
        const std::int32_t* const cells = machine_.cells.data();
        const std::int32_t first = plan_->first_locations[static_cast<std::size_t>(process.row + cells[process.tag])];
        return first < 0 ? nullptr : plan_->locations.data() + first + cells[process.location];
    }
    const LocationPlan& location(std::int32_t pid) const { return *place(pid); }
    std::int32_t everyone() const { return everyone_; }
    bool is_provided(std::int32_t pid) { return !plan_->has_provided || may_move(pid); }
    bool may_begin(std::int32_t pid, const LocationPlan& here) {
        return (here.flags & kDeterministic) != 0 || is_provided(pid);
    }
    bool may_move(std::int32_t pid);
    bool is_highest(std::int32_t pid) const;
    Machine::Result guard(std::int32_t pid, const EdgePlan& plan) {
        if (plan.guard < 0 && !plan.terminates) {
            return holds(plan) ? Machine::kTrue : Machine::kFalse;
        }
        return run_guard(pid, plan);
    }
    // Whether a guard that consists of tests holds.
    bool holds(const EdgePlan& plan) const {
        const Test* const end = plan_->tests.data() + plan.first_test + plan.tests;
        for (const Test* test = end - plan.tests; test != end; ++test) {
            if (!test->holds(machine_.cells.data())) {
                return false;
            }
        }
        return !plan.never;
    }
    Machine::Result run_guard(std::int32_t pid, const EdgePlan& plan);
    // The channel of an edge, or null with the machine's error set.
    const ChannelPlace* channel_of(const EdgeRow& edge, std::int32_t& number);
    std::int32_t insertion_point(const EdgeRow& edge, const ChannelPlace& channel) const;
    // Push receives of `pid` that match, or its edges with a label, to `choices_`; false if deciding one failed.
    bool listening(std::int32_t pid, std::int32_t number, const Candidate& candidate);
    bool compute_values(std::int32_t edge);
    bool takes_in_part(const EdgeRow& edge, const ChannelPlace& channel);
    bool push_message(std::int32_t edge, const ChannelPlace& channel);
    bool is_awaited(Candidate candidate, std::int32_t number);
    bool hears(const EdgeRow& edge, const Candidate& candidate) const;
    bool labelled(std::int32_t pid, std::int32_t label);

    void take_layout();

    // Expansion
    void begin_at_start(SuccessorBuffer& out);
    void open(SuccessorBuffer& out);
    void begin(const Word* state, SuccessorBuffer& out);
    bool stutters() const;
    std::uint32_t expand_all(const Word* state, SuccessorBuffer& out);
    void make_canonical(SuccessorBuffer& out, std::size_t first);
    std::uint32_t expand_one(const Word* state, SuccessorBuffer& out);
    void expand_held(std::size_t first, bool watched);
    std::uint32_t expand_loaded();
    void load(const Word* state);
    void unpack();
    void unload();
    void steps_of_all();
    bool steps_of(std::int32_t pid, const LocationPlan& here);
    bool steps_of(std::int32_t pid) {
        const LocationPlan& here = location(pid);
        return may_begin(pid, here) && steps_of(pid, here);
    }
    bool pass_over();
    bool pass_over_all();
    void time_out();
    // A cell of the state that is expanded, whether it is unpacked or not.
    std::int32_t value_in_base(std::int32_t cell) const {
        return program_->packing[static_cast<std::size_t>(cell)].value(loaded_.data());
    }
    void set_up_context();
    void use_layout_natively();
    bool expand_native();
    // Whether generated code can be asked for steps: it knows no runs that go on.
    bool asks_native() const { return native_ != nullptr && !base_.controlled && !inside_run_; }
    bool pass_over_preferred();
    bool is_committed(std::int32_t pid) const { return (location(pid).flags & kCommitted) != 0; }
    bool somebody_is_committed() const;
    bool passes_committed(const Candidate& candidate) const;
    std::int64_t priority(const Candidate& candidate) const;
    bool rests_at_end() const;

    std::unique_ptr<ProgramSpace> like_this(bool merged) const {
        auto other = std::make_unique<ProgramSpace>(layouts_.full(), merged, sample_);
        other->set_tier(tier_);
        other->remember(may_remember_);
        other->set_symmetry(symmetry_ == nullptr ? nullptr : symmetry_->clone());
        return other;
    }

    // Steps that were found before (program_step_cache.cpp)
    void forget_steps();
    bool knows_steps() const;
    bool starts_at_goal();
    bool known_steps_of_all();
    bool known_steps_of(std::int32_t pid);
    void find_steps_of(std::int32_t pid, std::size_t place);
    void begin_touching();
    // Noting what is looked at, while that is asked for
    void touch_process(std::int32_t pid) const;
    void touch_edge(std::int32_t edge) const;
    void touch_steps(const LocationPlan& here, bool gated) const;

    // All that steps depend on (program_local_steps.cpp)
    void begin_following(const Word* state, SuccessorBuffer& arcs);
    void follow(const Candidate& candidate, LocalSteps& found);
    void note_writes(const Word* target, LocalStep& step);
    void end_following(std::vector<std::int32_t>& reads);
    void touch_guard(std::int32_t index);
    void touch_assignment(const Assignment& one, std::int32_t cell);
    void touch_messages(const ChannelPlace& channel) const;

    // Taking a step
    struct Logged;
    struct Direct;
    void take(const Candidate& candidate);
    bool is_direct(const Candidate& candidate) const;
    std::uint32_t second_of(const Candidate& candidate) const;
    void write_direct(const Candidate& candidate);
    void write_alone(std::int32_t pid, std::int32_t index, const EdgePlan& plan);
    Direct begin_direct(std::int32_t edge, std::uint32_t second);
    bool move_direct(const EdgePlan& plan, Direct& put);
    void end_direct(std::int32_t mover, Direct& put);
    void fail_direct(std::int32_t edge);
    void finish_direct(std::int32_t mover, Direct& put);
    bool perform(const Candidate& candidate);
    bool change_location(std::int32_t pid, const EdgePlan& edge);
    void take_alone(std::int32_t pid, std::int32_t index, const EdgePlan& plan);
    template <class Put>
    bool transfer_all(const Candidate& candidate, Put& put);
    template <class Put>
    bool transfer(const Candidate& candidate, const Part& part, Put& put);
    template <class Put>
    bool apply(const EffectPlan& effect, Put& put);
    template <class Put>
    bool assign(std::int32_t first, std::int32_t count, Put& put);
    template <class Put>
    void put_message(const Candidate& candidate, Put& put);
    template <class Put>
    void remove_message(const ChannelPlace& channel, std::int32_t position, Put& put);
    bool run_on(std::int32_t pid, std::int32_t& last_edge);
    void settle(std::int32_t mover, std::int32_t last_edge, std::uint32_t action);

    // Arriving
    void expand_watched();
    bool find_monitor_moves(bool timeout);
    void write_monitor_moves(bool timeout);
    void arrive_halted();
    void move_monitor_along();
    bool is_accepting(const Word* state) const;
    void write_failed(std::uint32_t action);
    void arrive(std::uint32_t action);
    void arrive_failed(std::uint32_t action);
    void write_arc(std::uint32_t action, std::uint32_t marks);
    std::uint64_t patch(Word* target) const;
    bool goal_reached();

    // Uninterrupted runs
    bool go_on_alone(std::int32_t pid, std::uint32_t action);
    void hold_back(std::uint32_t action);

    Layouts layouts_;
    const Program* program_; // in the present layout
    const Plan* plan_;
    std::int32_t everyone_; // process numbers
    std::shared_ptr<Reducer> reducer_;
    std::shared_ptr<Canonicaliser> symmetry_;
    Machine machine_;
    std::shared_ptr<Tier> tier_;
    std::shared_ptr<const NativeCode> native_;
    StepContext context_{};
    std::vector<Word> middles_; // states in the middle of runs that are followed in place
    bool merged_;
    bool plain_ = false; // arcs are steps of the network, one by one, and no state is accepting
    std::size_t sample_;
    bool in_place_; // merged runs go on in the machine, without packing and unpacking what lies between
    Stack<Part> parts_;
    Stack<std::int32_t> messages_;
    Stack<Part> choices_;                    // possible partners, ..
    Stack<std::size_t> groups_;              // .. where those of each process begin, ..
    Stack<std::size_t> chosen_;              // .. and which of them are tried
    bool watched_ = false;                   // whether the monitor moves along with the network,
    std::vector<MonitorMove> monitor_moves_; // those that it can make,
    std::size_t first_watched_ = 0;          // and the first arc of the network's, without its move yet

    // The expansion under way.
    // The state in which a step begins: the expanded one, or one in the middle of a run from there.
    struct Base {
        const Word* words;
        std::uint64_t sum; // see state/hash.hpp
        std::size_t mark;  // the log's size
        bool controlled;   // by a process that goes on alone
    };
    Base base_{};
    SuccessorBuffer* out_ = nullptr;
    std::size_t first_arc_ = 0;
    std::size_t arrived_ = 0;  // ways to arcs of its own and of others
    bool left_ = false;        // whether a step led to a state that is not looked at
    std::uint32_t second_ = 0; // detail of the arc under way: see SuccessorBuffer::Arc
    bool origin_goal_ = false;
    std::uint32_t held_action_ = 0; // in the middle of a merged run: the action that began it
    bool inside_run_ = false;
    int depth_ = 0; // of runs that go on in place

    std::vector<Word> loaded_; // the state that is expanded
    std::uint64_t loaded_sum_ = 0;
    bool is_unpacked_ = false;   // whether the machine's cells have its values
    std::vector<Word> unpacked_; // the state whose values they have between expansions,
    bool knows_cells_ = false;   // if there is one
    std::uint64_t changed_ = 0;  // the words that changed since all processes were asked last, as a set of StepCache

    StepCache known_;
    Touched touched_;
    bool follows_ = false; // whether `touched_` is to know what is read and what is written, no more and no less
    bool may_remember_ = true;
    bool remembers_ = false;   // whether steps of this program can be remembered
    HeldStates held_;          // back by merging
    WayCounter ways_;          // through those that are put off,
    std::size_t expanded_ = 0; // of which this one is expanded; 0 for the state itself
    std::uint64_t repeated_ = 0;
    std::vector<Word> current_;
};

} // namespace beeline
