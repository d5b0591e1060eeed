// Steps that need not be found again: asks the StepCache first, and has what is not known found and noted.
//
// An entry of the cache holds for ever, because it was computed from the cells that it depends on and from nothing
// else; so nothing is noted where something else had a say: what the runs of other processes came through, what is put
// off, and all steps of programs with committed locations or priorities.
#pragma once

#include "program/arc_writer.hpp"
#include "program/loaded_state.hpp"
#include "program/step_cache.hpp"
#include "program/step_taker.hpp"

namespace beeline {

class RememberedSteps {
public:
    RememberedSteps(Machine& machine, StepFinder& finder, StepTaker& taker, ArcWriter& arcs, MergedRuns& runs,
                    LoadedState& loaded)
        : machine_(machine), finder_(finder), taker_(taker), arcs_(arcs), runs_(runs), loaded_(loaded) {
        forget();
    }

    // Forgets everything, and looks whether steps of this program, in its present layout, can be remembered.
    void forget();
    void allow(bool allowed) {
        allowed_ = allowed;
        forget();
    }
    bool is_allowed() const { return allowed_; }
    // Whether steps can be asked for here: steps inside a merged run are told under the action that began it, and where
    // the origin is a goal, what differs from it in a few cells is one, too.
    bool can_tell() const { return is_used_ && !runs_.is_inside() && !arcs_.origin_goal; }
    // Whether that is quicker than native code.
    bool pays() const { return cache_.pays(); }

    // Writes the arcs that all processes begin; says whether there are any.
    bool steps_of_all();
    // The same for one; says whether there is such a process.
    bool steps_of(std::int32_t pid);
    // Whether the loaded state is one that is sought.
    bool is_goal();
    // The moves of a monitor at one of its places: `find` writes them as arcs where they are not known.
    template <class Find>
    void monitor_moves(std::int32_t here, bool timeout, Find&& find);

private:
    // Who asks: the question for the goal, the processes, the monitor. Where they are: locations, then the question,
    // then the monitor's places.
    static std::size_t asker(std::int32_t pid) { return at(pid) + 1; }
    std::size_t goal_place() const { return plan_->locations.size(); }
    // What is the same for all processes of a state.
    struct Asked {
        const Word* words;
        std::uint64_t sum, changed;
        SuccessorBuffer& out;
    };
    Asked asked() const { return {loaded_.words(), loaded_.sum(), loaded_.changed(), arcs_.out()}; }
    bool steps_of(std::int32_t pid, const Asked& state);
    void find_steps_of(std::int32_t pid, std::size_t place);
    void begin_noting();
    void stop_noting() { machine_.touched = nullptr; }
    // The arcs from `first` on are all that follows from what was noted at a place.
    void remember(std::size_t place, std::size_t first, std::size_t arrived) {
        cache_.add(place, loaded_.words(), touched_, *program_, arcs_.out(), first, arrived);
    }

    Machine& machine_;
    StepFinder& finder_;
    StepTaker& taker_;
    ArcWriter& arcs_;
    MergedRuns& runs_;
    LoadedState& loaded_;
    const Program* program_ = nullptr;
    const Plan* plan_ = nullptr;
    StepCache cache_;
    Touched touched_;
    bool allowed_ = true;
    bool is_used_ = false;
};

template <class Find>
void RememberedSteps::monitor_moves(std::int32_t here, bool timeout, Find&& find) {
    const std::size_t place = goal_place() + 1 + at(here), asker = plan_->processes.size() + 1;
    const bool notes = is_used_ && !timeout && cache_.is_useful(place);
    if (notes) {
        if (const StepCache::Entry entry = cache_.find(asker, place, loaded_.words()); entry != nullptr) {
            return StepCache::write(entry, loaded_.words(), loaded_.sum(), arcs_.out());
        }
    }
    loaded_.unpack();
    const std::size_t first = arcs_.out().size();
    if (notes) {
        begin_noting();
        touched_.add(program_->monitor_cell);
    }
    find();
    stop_noting();
    if (notes) {
        remember(place, first, 0);
    }
}

} // namespace beeline
