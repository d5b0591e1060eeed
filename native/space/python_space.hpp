// A space that a user wrote as a Python class: initial(), successors(state), and optionally violates(state).
//
// States are any hashable objects. Each is given a number when it is first seen, and that number is the packed state;
// labels of steps are numbered in the same way.
#pragma once

#include "space/space.hpp"

#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beeline {

class PythonSpace {
public:
    static constexpr bool kIsSlow = true;

    // With `deadlocks`, states without successors are marked; otherwise if the model says that they are violations.
    explicit PythonSpace(nanobind::object model, bool deadlocks = false);

    std::size_t words() const { return 1; }
    void initial(SuccessorBuffer& out);
    std::uint32_t expand(const Word* state, SuccessorBuffer& out);
    void check_state(const Word* state) const;

    nanobind::object state(Word number) const;
    nanobind::object label(std::uint32_t action) const;
    nanobind::object reason(Word number) const;
    // What the user's estimate() says of a state; nothing if there is no such method or no way on.
    std::optional<std::uint32_t> estimate(Word number) const;
    bool has_estimate() const { return estimate_.is_valid(); }
    // The names in the model's estimate_promises, none if it has no such thing.
    std::vector<std::string> estimate_promises() const;
    // The state that the user's code was last asked about, and how it was first reached: (action, state) from an
    // initial state on. Empty if it was asked for the initial states.
    std::vector<std::pair<std::uint32_t, Word>> way_to_asked() const;

    // For Python's collector: the user's object may hold this space. Afterwards the space is empty.
    int visit_objects(visitproc visit, void* argument) const;
    void drop_objects();

private:
    // Numbers for hashable objects, in the order of their first appearance.
    class Numbers {
    public:
        Word of(nanobind::handle object, const char* what);
        nanobind::object at(Word number) const { return objects_[number]; }
        std::size_t size() const { return nanobind::len(objects_); }
        const nanobind::dict& numbers() const { return numbers_; }
        const nanobind::list& objects() const { return objects_; }

    private:
        nanobind::dict numbers_;
        nanobind::list objects_;
    };

    enum class Labels { kUnknown, kAlways, kNever, kByShape };

    // How a state was first reached.
    struct Origin {
        Word from;
        std::uint32_t action;
    };
    static constexpr Word kNobody = ~Word{0};

    void add(nanobind::handle state, nanobind::handle label, SuccessorBuffer& out);
    void add_successor(nanobind::handle item, SuccessorBuffer& out);
    void read_label_mode();
    void settle_label_mode(nanobind::handle initial_state);
    bool is_labelled(nanobind::handle item) const;
    std::uint32_t marks_of(Word number, nanobind::handle state);

    nanobind::object model_;
    nanobind::object successors_;
    nanobind::object violates_;
    nanobind::object accepting_;
    nanobind::object estimate_;
    nanobind::object breathe_; // a function of Python: while one runs, signals and other threads get their turn
    Numbers states_;
    Numbers labels_;
    std::vector<std::uint8_t> marks_; // per state
    std::vector<Origin> origins_;     // per state
    Word expanded_ = kNobody;
    mutable Word asked_ = kNobody;
    nanobind::dict reasons_;
    Labels labels_mode_ = Labels::kUnknown;
    bool marks_deadlocks_ = false;
};

} // namespace beeline
