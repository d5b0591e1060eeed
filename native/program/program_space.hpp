// The space of a compiled network: its steps are exactly those that beeline.model.semantics defines.
//
// This class decides in which order its parts are asked. Each part has a file and a condition of its own:
//   LoadedState      the state that is expanded, and whether the machine's cells have its values
//   StepFinder       which edges can be taken, alone or together
//   StepTaker        what a step does, and who goes on after it
//   ArcWriter        the arcs: targets are the state with the cells patched that a step changed
//   MergedRuns       uninterrupted runs that are taken as one step
//   RememberedSteps  steps that were found before
//   NativeSteps      steps by generated code
//   MonitorMoves     the moves of a monitor beside the network's
//   LocalStepFinder  the steps of single processes, with all on which they depend
//   Layouts          the bits that cells take
#pragma once

#include "program/accepting.hpp"
#include "program/layouts.hpp"
#include "program/loaded_state.hpp"
#include "program/local_steps.hpp"
#include "program/merged_runs.hpp"
#include "program/monitor_moves.hpp"
#include "program/native_steps.hpp"
#include "program/remembered_steps.hpp"
#include "space/space.hpp"
#include "vm/machine.hpp"

#include <algorithm>
#include <memory>

namespace beeline {

class ProgramSpace {
public:
    static constexpr bool kGivesHashes = true;

    // With `merged`, states in which a process keeps control are passed through and never handed out (unless they are
    // goals): a whole uninterrupted run is then one arc.
    ProgramSpace(std::shared_ptr<const Program> program, bool merged, std::size_t sample = kUsualSample);

    ProgramSpace(const ProgramSpace&) = delete; // its parts know where the others are
    ProgramSpace& operator=(const ProgramSpace&) = delete;

    std::size_t words() const { return program_->words; }
    void initial(SuccessorBuffer& out);
    std::uint32_t expand(const Word* state, SuccessorBuffer& out);
    // How many processes could begin a step, whatever others may forbid.
    std::int32_t active(const Word* state);
    // Throws std::invalid_argument unless the words are a state of this program.
    void check_state(const Word* state);

    // See LocalStepFinder.
    LocalSteps local_steps(const Word* state, std::int32_t pid, bool timeout);
    LocalSteps local_monitor_moves(const Word* state, bool timeout);
    LocalValue local_value(const Word* state, std::int32_t block);

    // Whether a process keeps control in a state: it lies in the middle of an uninterrupted run.
    bool is_controlled(const Word* state) const { return beeline::is_controlled(*program_, state); }

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

    // From now on, native code for the program is used where there is some.
    void set_tier(std::shared_ptr<Tier> tier) { native_.set_tier(std::move(tier)); }
    bool is_native() const { return native_.is_there(); }
    // Whether steps that were found before need not be found again; they are the same either way.
    void remember(bool steps) { remembered_.allow(steps); }

    // Another space of the same program, for another thread. `follow` takes over a layout.
    std::unique_ptr<ProgramSpace> clone() const { return like_this(runs_.merges()); }
    // The same for a search that looks at all states and need not see every step: takes uninterrupted runs as one step
    // where that is quick.
    std::unique_ptr<ProgramSpace> merging_clone() const;
    bool merges() const { return runs_.merges(); }
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
    // To have the present layout again in another run.
    Ranges ranges() const { return layouts_.ranges(); }
    void take_ranges(const Ranges& ranges) {
        layouts_.take_ranges(ranges);
        take_layout();
    }

private:
    std::unique_ptr<ProgramSpace> like_this(bool merged) const;
    void take_layout();

    // Expansion: of one state alone, and what is left to do then
    void begin_at_start(SuccessorBuffer& out);
    void open(SuccessorBuffer& out);
    void begin(const Word* state, SuccessorBuffer& out);
    bool stutters() const;
    std::uint32_t expand_one(const Word* state, SuccessorBuffer& out);
    std::uint32_t finish(const Word* state, SuccessorBuffer& out, std::size_t first, std::uint32_t marks);
    std::uint32_t expand_loaded();
    void expand_watched();
    void load(const Word* state);

    // The steps of the loaded state; all say whether there are any
    bool tells_steps() const { return remembered_.can_tell() && (!native_.is_there() || remembered_.pays()); }
    bool steps_of_all() { return tells_steps() ? remembered_.steps_of_all() : find_steps_of_all(); }
    bool find_steps_of_all();
    bool steps_in_order();
    bool preferred_steps();
    bool steps_after_timeout();

    Layouts layouts_;
    const Program* program_; // in the present layout
    std::size_t sample_;
    Machine machine_;
    MergedRuns runs_;
    StepFinder finder_;
    ArcWriter arcs_;
    StepTaker taker_;
    LoadedState loaded_;
    NativeSteps native_;
    RememberedSteps remembered_;
    MonitorMoves monitor_;
    LocalStepFinder local_;

    bool accepts_;                  // some states may be accepting
    bool plain_;                    // none is, and arcs are steps of the network, one by one
    bool watched_ = false;          // whether the monitor moves along with the network,
    std::size_t first_watched_ = 0; // and the first arc of the network's, without its move yet
    std::uint64_t repeated_ = 0;
};

} // namespace beeline
