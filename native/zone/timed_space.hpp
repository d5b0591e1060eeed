// The zone graph of a network with clocks: a state is a packed discrete state and the packed zone of all clock values
// that time can bring about in it.
//
// Zones are computed for the clocks alone that matter in the discrete state, their frame. Where it is asked where
// guards fail, or what clocks come to, the frame is always that of all clocks.
//
// The discrete steps are those of beeline.model.semantics, restricted to what timed automata have: edges alone,
// handshakes and broadcasts, committed locations and priorities. A step cuts the zone to its guards, resets clocks,
// cuts to the target's invariant, lets time pass unless something is urgent, cuts again, and widens the zone so that
// there are finitely many.
#pragma once

#include "space/space.hpp"
#include "symmetry/canonicaliser.hpp"
#include "vm/at.hpp"
#include "vm/machine.hpp"
#include "zone/clock_tables.hpp"
#include "zone/covering_store.hpp"
#include "zone/federation.hpp"
#include "zone/joint_actions.hpp"

#include <map>
#include <memory>
#include <vector>

namespace beeline {

// What was seen of a measure: the least and greatest value of an expression; of a clock, the loosest of its bounds
// "0 - x" and "x - 0". `endless` is set where a clock certainly grows without limit.
struct Extent {
    bool seen = false;
    bool endless = false;
    bool failed = false; // somewhere it had no value
    std::int32_t least = 0;
    std::int32_t greatest = 0;
};

class WholeTimedSpace;

class TimedSpace {
public:
    using Whole = WholeTimedSpace;

    TimedSpace(std::shared_ptr<const Program> program, std::shared_ptr<const ClockTables> clocks);

    std::size_t words() const { return discrete_ + packer_.words_for(room_); }
    // States of networks with many clocks have words for few of them at first, since most do not matter: `expand` and
    // `initial` may throw zone::Crowded. Then this gives them more, and a search has to begin anew.
    void make_room() { room_ = std::min(2 * room_, clocks_->dim); }
    std::size_t estimated_words() const { return discrete_; } // those that heuristics look at
    void initial(SuccessorBuffer& out);
    std::uint32_t expand(const Word* state, SuccessorBuffer& out);
    // See TwinSpace. What is measured is known to the space alone that was searched.
    bool can_have_twins() const { return clocks_->measures.empty(); }
    std::unique_ptr<TimedSpace> twin() const;
    void check_state(const Word* state);
    // From now on each state that is handed out is the representative of those that are alike.
    void fold(std::shared_ptr<Canonicaliser> symmetry);
    CoveringStore make_store(MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) const {
        return CoveringStore(discrete_, clocks_->dim, room_, account, max_states, side_bytes, clocks_->merges);
    }

    // Where tables confine runs, `initial` and `expand` lead only along runs that meet nothing of what is avoided, also
    // while time passes; `expand` marks a state in which such a run may stay: kGoal if time may pass for ever,
    // kDeadlock if no step is possible any more. `confine(false)` has them lead everywhere.
    void confine(bool confined) { confined_ = confined && clocks_->confined; }
    // Appends states that confined runs are in from a moment on at which a premise holds in the state.
    void begin(const Word* state, SuccessorBuffer& out);
    // The parts of a state's zone in which a confined run may stay.
    std::vector<std::vector<zone::Bound>> endings(const Word* state);

    const Program& program() const { return *program_; }
    // How far the processes have come on their ways through their locations, loops not counted: what a step leads to
    // has come further, unless it closes a loop.
    std::uint64_t progress(const Word* state);
    // The zone of a state, as a matrix of all clocks.
    std::vector<zone::Bound> bounds(const Word* state);
    // The parts of a state's zone from which no step is possible, now or after a delay, or with `dead` false the
    // others. Only for tables that find deadlocks.
    std::vector<std::vector<zone::Bound>> parts_by_deadlock(const Word* state, bool dead);
    // The earliest moment of a state's zone, and of what of it reaches the goal: twice the time since the start, and
    // one more if only later moments are reached, as close as one likes. Only for tables with a clock that tells the
    // time.
    std::uint64_t soonest(const Word* state) const;
    std::uint64_t soonest_goal(const Word* state);
    // What was seen of each measure since the space was made, in all states that were arrived at.
    const std::vector<Extent>& extents() const { return extents_; }
    // The edges that an action stands for, the one who begins first.
    std::vector<std::int32_t> edges_of(std::uint32_t action) const;
    // See JoiningSpace. Of a broadcast, the first receiver is the second process.
    StepParts parts_of(std::uint32_t action) const;

private:
    using Zone = std::vector<zone::Bound>;

    struct Part {
        std::int32_t pid;
        std::int32_t edge;
    };
    // Edges that are taken together from a part of the origin's zone.
    struct Candidate {
        std::vector<Part> parts;
        Zone zone;
        std::int64_t priority;
    };
    enum class Outcome : std::uint8_t { Empty, Some, Failed };

    const LocationRow& location(std::int32_t pid) const { return program_->locations[location_index(pid)]; }
    std::size_t location_index(std::int32_t pid) const {
        const Body& body = *machine_.body(at(pid));
        return at(body.first_location + machine_.cells[at(program_->processes[at(pid)].location)]);
    }
    bool is_committed(std::int32_t pid) const { return (location(pid).flags & kCommitted) != 0; }

    // Frames
    bool needs_all_clocks() const;
    void use(const zone::Frame& frame);
    void read_zone(const Word* state);
    // Makes what is left in another frame of a zone of the frame in use the target's, and uses that frame. A clock that
    // was not in the former is forgotten.
    void carry_over(const zone::Bound* zone, const zone::Frame& frame);

    // Processes that may matter
    void find_static_facts();
    void find_levels();
    // The processes whose locations have invariants, limits or urgency, in the machine's discrete state.
    void watch_all();
    // The same after a step from there in which these moved.
    void watch_also(const std::vector<Part>& parts);
    // Edges that may receive from a channel where the processes are now, by their numbers.
    void find_receivers(std::int32_t channel, std::vector<std::int32_t>& found) const;

    // Constraints
    Outcome cut(std::int32_t first, std::int32_t count, zone::Bound* zone);
    bool resolve(std::int32_t block, std::int32_t& number);
    Outcome cut_to_invariants(zone::Bound* zone);
    bool plain_invariants_hold(bool& failed);

    // Looking for steps
    void steps();
    void begin(std::int32_t pid, std::int32_t edge);
    void handshake(std::int32_t pid, std::int32_t edge, std::int32_t channel);
    void broadcast(std::int32_t pid, std::int32_t edge, std::int32_t channel);
    void listen(std::size_t at, std::int32_t channel, Zone zone);
    Machine::Result ready(std::int32_t edge);
    bool channel_of(std::int32_t edge, std::int32_t& channel);
    bool hears(std::int32_t edge, std::int32_t channel, bool& failed);
    void found(const zone::Bound* zone);
    void hold(const zone::Bound* zone);
    void by_priority();

    // Taking a step
    void take(const std::vector<Part>& parts, const zone::Bound* zone);
    bool perform(const std::vector<Part>& parts);
    void undo(std::size_t mark);
    void apply_resets(zone::Bound* zone) const;
    // Cuts a part of the origin to the points from which the step arrives within the target's invariant; the machine is
    // in the target's discrete state. False if there are none.
    bool cut_to_arriving(zone::Bound* zone);
    void note_escape(const zone::Bound* enabled);
    // False if that fails.
    bool arrive(std::uint32_t action, zone::Bound* zone);
    // Widens a zone where a step arrived, and writes it out.
    void hand_out(std::uint32_t action, std::uint32_t marks, zone::Bound* zone, bool again = false);
    void let_time_pass(zone::Bound* zone);
    void write(std::uint32_t action, std::uint32_t marks, const zone::Bound* zone);
    void check_bounds(const zone::Bound* zone) const;
    void fail(std::uint32_t action);
    std::uint32_t action_of(const std::vector<Part>& parts);

    // What holds where a step arrives
    bool is_urgent();
    // Which clocks run in the machine's discrete state, and whether time can pass at all: not where something is urgent
    // or where a clock is given two rates. `Failed` if a rate is neither 0 nor 1.
    enum class Passing : std::uint8_t { Never, Ever, Failed };
    Passing find_running(std::vector<std::uint8_t>& running) {
        if (is_urgent()) {
            return Passing::Never;
        }
        return clocks_->rates.empty() ? Passing::Ever : read_rates(running);
    }
    Passing read_rates(std::vector<std::uint8_t>& running);
    bool urgent_step_possible();
    bool goal_reached(const zone::Bound* zone);
    void measure(const zone::Bound* zone);
    void measure_part(const GoalCase& goal, const zone::Bound* part);
    bool grows_for_ever(const GoalCase& goal, std::size_t clock);
    std::uint32_t marks_of_origin(const zone::Bound* zone);
    // The parts of the origin's zone in which it is asked for the rest of a goal: all, or what is deadlocked, or not.
    zone::Federation parts_to_meet(const GoalCase& goal, const zone::Bound* zone) const;

    // Confined runs
    std::vector<Zone> zones_of(const std::vector<GoalCase>& cases, const zone::Bound* within);
    zone::Federation avoiding(const zone::Bound* zone, bool passes);
    std::uint32_t find_endings(zone::Federation& ends);
    bool time_is_unbounded();

    void widen(zone::Bound* zone);
    void extrapolate(zone::Bound* zone, std::size_t dim);
    void gather_active(const zone::Bound* zone);
    void scatter_active(zone::Bound* zone) const;
    // The constants of the machine's discrete state, by clock.
    void collect_limits();
    void include_limits(const std::vector<ClockLimit>& limits);
    // The clocks that some were collected for.
    void frame_limited(zone::Frame& frame);
    // Puts the collected ones in the order of the frame in use.
    void arrange_limits();

    std::shared_ptr<const Program> program_;
    std::shared_ptr<const ClockTables> clocks_;
    std::shared_ptr<Canonicaliser> symmetry_; // none: every state stands for itself
    Machine machine_;
    std::size_t discrete_;
    zone::ZonePacker packer_;
    std::size_t room_; // for clocks in a state, clock 0 among them
    zone::Frame all_;  // without clocks unless they are needed
    zone::Frame origin_frame_, target_frame_;
    const zone::Frame* frame_ = nullptr; // in use
    std::size_t dim_ = 1;                // of it
    std::size_t size_ = 1;               // of a zone

    // What never changes
    std::vector<std::uint8_t> matters_;                // by location: has invariants, rates, limits or urgency
    std::vector<std::uint8_t> may_hurry_;              // by location: has an edge that may send on an urgent channel
    std::vector<std::uint32_t> levels_;                // by location: steps on the longest way there without a loop
    std::vector<std::size_t> place_of_;                // by edge: the location that it leaves
    std::vector<std::vector<std::int32_t>> receivers_; // by channel: edges that receive from it
    std::vector<std::int32_t> other_receivers_;        // those whose channel is computed

    // The expansion under way
    const Word* origin_ = nullptr;
    Zone origin_bounds_;
    const zone::Bound* origin_zone_ = nullptr;
    std::vector<std::int32_t> settled_, moved_; // processes that matter in the origin, and after a step
    const std::vector<std::int32_t>* watched_ = &settled_;
    std::vector<std::int32_t> hearing_; // edges that may receive from the channel of the step under way
    std::vector<std::int32_t> urgently_hearing_;
    SuccessorBuffer* out_ = nullptr;
    bool committed_ = false;
    bool confined_ = false;
    bool origin_stands_ = false;               // no time can pass there
    std::vector<std::uint8_t> origin_running_; // by clock; all but the first, which is none, unless there are rates
    std::vector<Part> parts_;
    std::vector<Candidate> held_; // with priorities: all candidates before any is taken
    zone::Federation dead_;       // points of the origin from which no step was found so far

    // Scratch
    Zone first_, second_, target_, before_, goal_;
    std::vector<std::uint8_t> running_; // by clock, where the step arrives
    std::vector<std::uint8_t> given_;
    std::vector<zone::Bound> pieces_;
    std::vector<std::int32_t> clock_lower_, clock_upper_; // by clock
    std::vector<std::uint32_t> limited_;                  // clocks that have one of these
    std::vector<std::int32_t> lower_, upper_;             // by place in the frame
    std::vector<std::size_t> active_; // places of clocks that some constant is left for, clock 0 first
    Zone active_zone_;
    std::vector<std::int32_t> changed_;
    std::vector<Word> folded_; // a state whose zone is a matrix of all clocks

    std::vector<Extent> extents_; // by measure
    std::shared_ptr<JointActions> joints_ = std::make_shared<JointActions>();
    std::map<std::vector<std::int32_t>, std::uint32_t> joint_actions_; // those met here
    std::vector<std::vector<std::int32_t>> joint_edges_;
};

// The whole zone graph of a space that is otherwise confined.
class WholeTimedSpace {
public:
    explicit WholeTimedSpace(TimedSpace& space) : space_(space) {}

    std::size_t words() const { return space_.words(); }
    void initial(SuccessorBuffer& out) {
        space_.confine(false);
        space_.initial(out);
        space_.confine(true);
    }
    std::uint32_t expand(const Word* state, SuccessorBuffer& out) {
        space_.confine(false);
        const std::uint32_t marks = space_.expand(state, out);
        space_.confine(true);
        return marks;
    }
    CoveringStore make_store(MemoryAccount& account, std::size_t max_states, std::size_t side_bytes) const {
        return space_.make_store(account, max_states, side_bytes);
    }

private:
    TimedSpace& space_;
};

} // namespace beeline
