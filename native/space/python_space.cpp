#include "space/python_space.hpp"

#include <algorithm>
#include <limits>
#include <nanobind/eval.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace beeline {
namespace {

constexpr std::uint8_t kUnasked = 0xff;
constexpr std::size_t kBetweenBreaths = 1024; // successors of one state

// Runs user code with the interpreter lock held. A Ctrl-C inside it ends the search, it does not lose its results.
template <class Function>
auto call_user(Function function) {
    const nb::gil_scoped_acquire lock;
    try {
        return function();
    } catch (nb::python_error& error) {
        if (error.matches(PyExc_KeyboardInterrupt)) {
            throw Interrupted();
        }
        throw;
    }
}

nb::object method(const nb::object& model, const char* name, bool required) {
    nb::object found = nb::getattr(model, name, nb::none());
    if (found.is_none()) {
        if (required) {
            throw nb::type_error((std::string("a space needs a method ") + name + "()").c_str());
        }
        return {};
    }
    if (PyCallable_Check(found.ptr()) == 0) {
        throw nb::type_error((std::string(name) + " of a space must be a method").c_str());
    }
    return found;
}

bool truth(nb::handle value) {
    const int answer = PyObject_IsTrue(value.ptr());
    if (answer < 0) {
        throw nb::python_error();
    }
    return answer != 0;
}

bool is_pair_with_text(nb::handle item) {
    return PyTuple_Check(item.ptr()) && PyTuple_GET_SIZE(item.ptr()) == 2 &&
           PyUnicode_Check(PyTuple_GET_ITEM(item.ptr(), 0));
}

} // namespace

Word PythonSpace::Numbers::of(nb::handle object, const char* what) {
    PyObject* known = PyDict_GetItemWithError(numbers_.ptr(), object.ptr());
    if (known != nullptr) {
        return static_cast<Word>(PyLong_AsUnsignedLong(known));
    }
    if (PyErr_Occurred() != nullptr) {
        throw nb::python_error();
    }
    const std::size_t number = nb::len(objects_);
    if (number >= std::numeric_limits<Word>::max() - 1) {
        throw std::overflow_error(std::string("too many ") + what);
    }
    objects_.append(object);
    numbers_[object] = nb::int_(number);
    return static_cast<Word>(number);
}

PythonSpace::PythonSpace(nb::object model, bool deadlocks) : model_(std::move(model)) {
    method(model_, "initial", true);
    successors_ = method(model_, "successors", true);
    violates_ = method(model_, "violates", false);
    accepting_ = method(model_, "accepting", false);
    estimate_ = method(model_, "estimate", false);
    marks_deadlocks_ = deadlocks || truth(nb::getattr(model_, "deadlock_is_violation", nb::bool_(false)));
    breathe_ = nb::eval("lambda: None", nb::dict());
    labels_.of(nb::none(), "labels"); // action 0: a step without a label
    read_label_mode();
}

void PythonSpace::read_label_mode() {
    const nb::object labelled = nb::getattr(model_, "labelled", nb::none());
    if (!labelled.is_none()) {
        labels_mode_ = truth(labelled) ? Labels::kAlways : Labels::kNever;
    }
}

// Where the user did not say, a pair that begins with text is a labelled successor; so a state must not look like one.
void PythonSpace::settle_label_mode(nb::handle initial_state) {
    if (labels_mode_ == Labels::kAlways || labels_mode_ == Labels::kNever) {
        return;
    }
    if (is_pair_with_text(initial_state)) {
        throw nb::type_error("the initial state looks like a (label, state) pair; set `labelled = True` or "
                             "`labelled = False` on the class to say what its successors are");
    }
    labels_mode_ = Labels::kByShape;
}

bool PythonSpace::is_labelled(nb::handle item) const {
    if (labels_mode_ == Labels::kAlways) {
        if (!PyTuple_Check(item.ptr()) || PyTuple_GET_SIZE(item.ptr()) != 2) {
            throw nb::type_error("successors() must yield (label, state) pairs, because `labelled` is True");
        }
        return true;
    }
    return labels_mode_ == Labels::kByShape && is_pair_with_text(item);
}

std::uint32_t PythonSpace::marks_of(Word number, nb::handle state) {
    if (number < marks_.size() && marks_[number] != kUnasked) {
        return marks_[number];
    }
    std::uint8_t marks = kNone;
    if (violates_.is_valid()) {
        asked_ = number;
        const nb::object answer = violates_(state);
        if (truth(answer)) {
            marks = kGoal;
            if (PyUnicode_Check(answer.ptr())) {
                reasons_[nb::int_(number)] = answer;
            }
        }
    }
    // Only now: had violates() raised, the state must not pass as harmless in a later search.
    marks_.resize(std::max(marks_.size(), states_.size()), kUnasked);
    marks_[number] = marks;
    return marks;
}

void PythonSpace::add(nb::handle state, nb::handle label, SuccessorBuffer& out) {
    const Word number = states_.of(state, "states");
    const std::uint32_t action = labels_.of(label, "labels");
    if (number == origins_.size()) {
        origins_.push_back({expanded_, action});
    }
    *out.add(action, marks_of(number, state)) = number;
}

void PythonSpace::add_successor(nb::handle item, SuccessorBuffer& out) {
    if (is_labelled(item)) {
        add(PyTuple_GET_ITEM(item.ptr(), 1), PyTuple_GET_ITEM(item.ptr(), 0), out);
    } else {
        add(item, nb::none(), out);
    }
}

void PythonSpace::initial(SuccessorBuffer& out) {
    call_user([&] {
        expanded_ = asked_ = kNobody;
        const nb::object first = model_.attr("initial")();
        // An iterator stands for several initial states: it could not sensibly be a state itself.
        if (PyIter_Check(first.ptr())) {
            for (const nb::handle state : first) {
                settle_label_mode(state);
                add(state, nb::none(), out);
            }
        } else {
            settle_label_mode(first);
            add(first, nb::none(), out);
        }
    });
}

std::uint32_t PythonSpace::expand(const Word* state, SuccessorBuffer& out) {
    return call_user([&]() -> std::uint32_t {
        const std::size_t before = out.size();
        expanded_ = asked_ = *state;
        const nb::object items = successors_(states_.at(*state));
        if (!items.is_none()) {
            for (const nb::handle item : nb::iter(items)) {
                add_successor(item, out);
                asked_ = *state;
                if ((out.size() - before) % kBetweenBreaths == 0) {
                    breathe_();
                }
            }
        }
        const bool accepting = accepting_.is_valid() && truth(accepting_(states_.at(*state)));
        return (marks_deadlocks_ && out.size() == before ? kDeadlock : kNone) | (accepting ? kAccept : kNone);
    });
}

void PythonSpace::check_state(const Word* state) const {
    if (*state >= states_.size()) {
        throw nb::index_error("no state of this space has that number");
    }
}

nb::object PythonSpace::state(Word number) const {
    check_state(&number);
    return states_.at(number);
}

nb::object PythonSpace::label(std::uint32_t action) const {
    if (action >= labels_.size()) {
        throw nb::index_error("no action of this space has that number");
    }
    return labels_.at(action);
}

nb::object PythonSpace::reason(Word number) const {
    const nb::int_ key(number);
    return reasons_.contains(key) ? nb::object(reasons_[key]) : nb::none();
}

int PythonSpace::visit_objects(visitproc visit, void* arg) const {
    Py_VISIT(model_.ptr());
    Py_VISIT(successors_.ptr());
    Py_VISIT(violates_.ptr());
    Py_VISIT(accepting_.ptr());
    Py_VISIT(estimate_.ptr());
    Py_VISIT(states_.numbers().ptr());
    Py_VISIT(states_.objects().ptr());
    Py_VISIT(labels_.numbers().ptr());
    Py_VISIT(labels_.objects().ptr());
    Py_VISIT(reasons_.ptr());
    return 0;
}

void PythonSpace::drop_objects() {
    model_.reset();
    successors_.reset();
    violates_.reset();
    accepting_.reset();
    estimate_.reset();
    states_ = Numbers();
    origins_.clear();
    labels_ = Numbers();
    reasons_ = nb::dict();
}

std::optional<std::uint32_t> PythonSpace::estimate(Word number) const {
    return call_user([&]() -> std::optional<std::uint32_t> {
        if (!estimate_.is_valid()) {
            return std::nullopt;
        }
        asked_ = number;
        const nb::object answer = estimate_(state(number));
        if (answer.is_none()) {
            return std::nullopt;
        }
        const long long value = PyLong_AsLongLong(answer.ptr());
        if (value == -1 && PyErr_Occurred() != nullptr) {
            throw nb::python_error();
        }
        if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
            throw nb::value_error("estimate() must return a number of steps, or None for a dead end");
        }
        return static_cast<std::uint32_t>(value);
    });
}

std::vector<std::pair<std::uint32_t, Word>> PythonSpace::way_to_asked() const {
    std::vector<std::pair<std::uint32_t, Word>> way;
    for (Word state = asked_; state < origins_.size(); state = origins_[state].from) {
        way.emplace_back(origins_[state].action, state);
    }
    std::reverse(way.begin(), way.end());
    return way;
}

std::vector<std::string> PythonSpace::estimate_promises() const {
    std::vector<std::string> names;
    for (const nb::handle name : nb::iter(nb::getattr(model_, "estimate_promises", nb::make_tuple()))) {
        names.emplace_back(nb::cast<std::string>(nb::str(name)));
    }
    return names;
}

} // namespace beeline
