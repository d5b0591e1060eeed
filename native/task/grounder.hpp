// Finds the facts and operators of a task: a fixpoint over the values that cells can have.
#pragma once

#include "task/abstract_interpreter.hpp"
#include "task/task.hpp"

#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace beeline {

class Grounder {
public:
    Grounder(Task& task, bool with_errors, TaskLimits limits, Allowance& allowance);
    void run();

private:
    enum class Kind { kEdge, kMonitor, kHalted, kGoal };
    // A step of the network before its combinations of values are gone through.
    struct Schema {
        Kind kind;
        std::int32_t body, location, edge;
        std::int32_t second_body = -1, second_location = -1, second_edge = -1;
        bool queued = true;
        bool enumerated = false;
        bool apart = false;     // too many combinations: what is only copied is followed cell by cell
        bool loose = false;     // still too many: only the processes' locations are followed
        std::size_t begun = 0;  // operators there were when others took the place of its own
        std::int32_t goals = 0; // ways to fail found so far
        std::vector<std::pair<std::int32_t, std::int32_t>> known = {}; // cells it depends on, and values known of them
    };

    bool is_late();
    void make_schemas();
    void add_pairs(std::int32_t body, std::int32_t location, std::int32_t edge);
    void enumerate(std::size_t index);
    bool is_apart_too_long() const;
    bool is_apart_in_vain(const Schema& schema) const;
    void follow_less(Schema& schema);
    void attempt(Schema& schema);
    bool attempt_monitor(const Schema& schema);
    void attempt_edge(Schema& schema);
    bool assume_at(std::int32_t body, std::int32_t location);
    // False: not possible; `failed_` is set where the step ends in an error.
    bool guard(std::int32_t body, std::int32_t edge);
    bool send(const EdgeRow& edge);
    bool receive(const EdgeRow& edge, std::int32_t body);
    bool handshake(const Schema& schema);
    bool together(const Schema& schema);
    bool values_to_message(const EdgeRow& edge, const ChannelPlace& channel);
    bool matches_message(const EdgeRow& edge, std::int32_t fields);
    bool bind(const EdgeRow& edge);
    bool effect(const EdgeRow& edge);
    bool arrive(std::int32_t body, const EdgeRow& edge);
    const ChannelPlace* channel_of(const EdgeRow& edge, bool& unknown);

    void finish(Schema& schema, bool possible);
    void add_goal(std::int32_t cost);
    void add_failure(Schema& schema);
    void add_operator(const Schema& schema, std::int32_t cost, bool is_new);
    void add_copies(const Schema& schema, const Operator& op, std::int32_t target, std::int32_t source, bool is_new);
    void keep(const Schema& schema, Operator op);
    void take_back(std::size_t operators);
    void drop_replaced();
    std::int32_t new_fact(std::int32_t cell, std::int32_t value);
    void make_wild(std::int32_t cell);
    void wake(std::int32_t cell);
    void settle_values();
    void drop_wild();
    void add_places();
    void add_place(std::int32_t cell, std::int32_t location);

    Task& task_;
    const Program& program_;
    bool with_errors_;
    TaskLimits limits_;
    Allowance& allowance_;
    AbstractInterpreter interpreter_;
    std::vector<Schema> schemas_;
    std::deque<std::size_t> queue_;
    std::vector<std::vector<std::size_t>> dependents_; // by cell
    std::vector<std::uint8_t> noted_;                  // by cell: the enumeration under way looked at it
    std::vector<std::int32_t> fresh_cells_;            // gained values during the enumeration under way
    std::vector<Guess> message_;
    std::size_t asked_ = 0;                      // reads before the effects of the attempt under way
    std::set<std::vector<std::int32_t>> copies_; // made in the enumeration under way
    std::vector<std::int64_t> written_by_;       // by cell: the last operator that wrote it
    std::vector<std::size_t> maker_;             // by operator: its schema
    std::int64_t operator_number_ = 0;
    bool failed_ = false;
    bool first_time_ = true;
};

} // namespace beeline
