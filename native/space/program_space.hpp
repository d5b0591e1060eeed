// The space of a compiled network: enumerates steps exactly as beeline.model.semantics defines them.
#pragma once

#include "space/space.hpp"
#include "vm/machine.hpp"

#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

namespace beeline {

// Thrown when a step starts more processes than the program has cells for; compile it with more room and begin again.
struct OutOfRoom : std::exception {
    const char* what() const noexcept override { return "more processes were started than there is room for"; }
};

class ProgramSpace {
public:
    // With `merged`, states in which a process keeps control are passed through and never handed out (unless they are
    // goals): a whole uninterrupted run is then one arc.
    ProgramSpace(std::shared_ptr<const Program> program, bool merged);

    std::size_t words() const { return program_->words; }
    void initial(SuccessorBuffer& out);
    std::uint32_t expand(const Word* state, SuccessorBuffer& out);
    // How many processes could begin a step, whatever others may forbid.
    std::int32_t active(const Word* state);
    // Throws std::invalid_argument unless the words are a state of this program.
    void check_state(const Word* state);

    const Program& program() const { return *program_; }

private:
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

    // The enumeration calls `visit(candidate)` for each; a visit returns false to end it. All return whether any
    // candidate was seen.
    template <class Visit>
    bool begun_by(std::int32_t pid, Visit&& visit);
    template <class Visit>
    bool of_edge(std::int32_t pid, std::int32_t edge, Visit& visit, bool& go_on);
    template <class Visit>
    bool sending(std::int32_t pid, std::int32_t edge, Visit& visit, bool& go_on);
    template <class Visit>
    bool receiving(std::int32_t pid, std::int32_t edge, Visit& visit, bool& go_on);
    template <class Visit>
    bool together(std::int32_t pid, std::int32_t edge, Visit& visit, bool& go_on);
    template <class Visit>
    bool combinations(std::size_t first_part, std::size_t message, const ChannelPlace* channel,
                      const std::vector<std::vector<Part>>& choices, Visit& visit, bool& go_on);

    const Body& body(std::int32_t pid) const { return *machine_.body(static_cast<std::size_t>(pid)); }
    const LocationRow& location(std::int32_t pid) const;
    bool is_provided(std::int32_t pid);
    bool is_highest(std::int32_t pid) const;
    Machine::Result guard(std::int32_t pid, const EdgeRow& edge);
    // The channel of an edge, or null with the machine's error set.
    const ChannelPlace* channel_of(const EdgeRow& edge, std::int32_t& number);
    // Receives of `pid` that match; false if one of its guards failed to evaluate.
    bool listening(std::int32_t pid, std::int32_t number, std::size_t message, std::int32_t fields,
                   std::vector<Part>& ready);
    bool labelled(std::int32_t pid, std::int32_t label, std::vector<Part>& ready);

    bool can_begin(std::int32_t pid);
    bool is_outranked(std::int32_t pid);
    bool is_committed(std::int32_t pid) const { return (location(pid).flags & kCommitted) != 0; }
    bool passes_committed(const Candidate& candidate) const;
    std::int64_t priority(const Candidate& candidate) const;

    std::uint32_t expand_one(const Word* state, SuccessorBuffer& out);
    void steps_of_all();
    void pass_over_all(bool best_only, std::int64_t best, bool& any);
    void take(const Candidate& candidate);
    bool perform(const Candidate& candidate);
    bool transfer(const Candidate& candidate, const Part& part);
    std::int32_t insertion_point(const EdgeRow& edge, const ChannelPlace& channel) const;
    void put_message(const Candidate& candidate);
    void remove_message(const ChannelPlace& channel, std::int32_t position);
    bool run_on(std::int32_t pid, std::int32_t& last_edge);
    bool at_deterministic(std::int32_t pid) const;
    void finish(std::int32_t mover, std::int32_t last_edge);
    void find_monitor_moves();
    void arrive(std::uint32_t action);
    void arrive_failed(std::uint32_t action);
    void write_arc(std::uint32_t action, std::uint32_t marks);
    bool goal_reached();
    bool rests_at_end() const;

    void hold_back(std::uint32_t action);
    bool already_held(const Word* words);

    std::shared_ptr<const Program> program_;
    Machine machine_;
    bool merged_;
    std::vector<Part> parts_;
    std::vector<std::int32_t> messages_;
    std::vector<std::int32_t> monitor_moves_;

    // The expansion under way.
    const Word* origin_ = nullptr;
    SuccessorBuffer* out_ = nullptr;
    std::size_t arrived_ = 0;
    std::uint32_t second_ = 0; // detail of the arc under way: see SuccessorBuffer::Arc
    bool origin_goal_ = false;
    std::uint32_t held_action_ = 0; // in the middle of a merged run: the action that began it
    bool inside_run_ = false;

    // States held back by merging, in the order they were met.
    std::vector<Word> held_;
    std::vector<std::uint32_t> held_actions_;
    std::unordered_multimap<std::uint64_t, std::size_t> held_index_;
};

} // namespace beeline
