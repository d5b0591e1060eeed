// The virtual machine: runs blocks of bytecode on a memory of cells, and keeps a log of state cells that changed, so
// that a step can be taken back and its target packed by patching the origin.
#pragma once

#include "vm/program.hpp"
#include "vm/touched.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace beeline {

// Cells that were changed, with their values before.
struct Change {
    std::int32_t cell, before;
};

class ChangeLog {
public:
    // Where changes are kept; code that is generated for a model writes here.
    struct Arrays {
        Change* entries = nullptr;
        std::size_t size = 0;
        std::size_t capacity = 0;
    };

    void clear() { arrays_.size = 0; }
    void push(const Change& change) {
        if (arrays_.size == arrays_.capacity) [[unlikely]] {
            grow();
        }
        arrays_.entries[arrays_.size++] = change;
    }
    Change pop() { return arrays_.entries[--arrays_.size]; }
    std::size_t size() const { return arrays_.size; }
    const Change* begin() const { return arrays_.entries; }
    const Change* end() const { return arrays_.entries + arrays_.size; }

    Arrays& arrays() { return arrays_; }
    void grow() {
        const std::size_t capacity = arrays_.capacity == 0 ? 256 : 2 * arrays_.capacity;
        auto entries = std::make_unique_for_overwrite<Change[]>(capacity);
        std::copy_n(arrays_.entries, arrays_.size, entries.get());
        entries_ = std::move(entries);
        arrays_ = {entries_.get(), arrays_.size, capacity};
    }

private:
    Arrays arrays_;
    std::unique_ptr<Change[]> entries_;
};

class Machine {
public:
    explicit Machine(const Program& program);

    enum Result : int { kFailed = -1, kFalse = 0, kTrue = 1 };
    // Runs a block to its return. After kFailed, `error` says why. RETURN_VALUE leaves its value in `value`.
    Result run(std::int32_t block) {
        const Result result = touched == nullptr ? run<false>(block) : run<true>(block);
        if (result == kFailed) [[unlikely]] { // perhaps inside of a call
            drop_frames(waiting_);
        }
        return result;
    }
    // Likewise, where a missing block counts as true.
    Result run_if_any(std::int32_t block) { return block < 0 ? kTrue : run(block); }

    // Goes on with the same program in another layout. Constants may differ, cells of the state are kept.
    void change_program(const Program& other);

    // Writes a state cell and remembers what was there.
    void set(std::int32_t cell, std::int32_t value) {
        std::int32_t& place = cells[static_cast<std::size_t>(cell)];
        if (place != value) {
            log.push({cell, place});
            place = value;
        }
    }
    // Takes back everything after a mark that was the log's size.
    void undo(std::size_t mark) {
        while (log.size() > mark) {
            const Change last = log.pop();
            cells[static_cast<std::size_t>(last.cell)] = last.before;
        }
    }

    // The cells of channel `number`, or null (with `error` set) if there is none.
    const ChannelPlace* channel(std::int32_t number);
    // Tells that a channel is about to be touched.
    void tell(const ChannelPlace& channel) const {
        touched->add(channel.length);
        touched->add_range(channel.base, channel.capacity * channel.fields);
    }
    // Whether exactly what is read and written has to be told.
    bool tells_exactly() const { return touched != nullptr && touched->exact(); }
    // Tells that everybody was asked who they are, or where.
    void tell_everyone(bool where);
    // Messages in a channel.
    std::int32_t length(const ChannelPlace& channel) const { return cells[static_cast<std::size_t>(channel.length)]; }
    // Position of the first message that has the wanted values, or -1.
    std::int32_t find_message(const ChannelPlace& channel, const std::int32_t* wanted,
                              const std::vector<std::int32_t>& pattern, bool anywhere) const;

    // The body that runs on a process number now, or null.
    const Body* body(std::size_t number) const {
        const std::int32_t tag = cells[static_cast<std::size_t>(program->processes[number].tag)];
        if (tag <= 0) {
            return nullptr;
        }
        return &program->bodies[static_cast<std::size_t>(program->body_of[number][static_cast<std::size_t>(tag)])];
    }
    std::size_t live() const;
    // What a cell of the state holds after `value` is stored under a domain; false, with `error` set, if it cannot.
    bool fit_cell(std::int32_t cell, std::int32_t domain, std::int32_t& value);
    // Frees the process with the highest number.
    void remove(std::size_t number);

    const Program* program;
    std::vector<std::int32_t> cells;
    ChangeLog log;
    std::int32_t value = 0;
    Error error = Error::Assertion;
    std::int32_t budget = 0;                    // iterations left in this block
    std::function<bool(std::int32_t)> can_move; // asked by ENABLED
    Touched* touched = nullptr;                 // if not null, is told of the cells that `run` and `channel` touch

    static constexpr std::int32_t kLoopLimit = 100000;
    static constexpr std::size_t kCallLimit = 500; // calls of a function inside of itself

private:
    // Scratch cells that a call needs when it goes on after another call of the same function.
    struct Frame {
        std::int32_t first, resume;
        std::size_t cells; // where they begin among those that are kept
    };
    std::vector<Frame> frames_;
    std::vector<std::int32_t> kept_;
    std::size_t waiting_ = 0; // frames of runs that wait for the one at hand

    bool starting_ = false;
    bool asking_ = false;

    template <bool kTold>
    Result run(std::int32_t block);
    void tell(const Instruction& ins);
    void tell_processes(const Instruction& ins);
    void tell_process(std::size_t number, bool where);
    Result fail(Error kind) {
        error = kind;
        return kFailed;
    }
    // Runs blocks inside of a run.
    template <class Inner>
    auto nested(Inner&& inner) {
        const std::size_t outer = std::exchange(waiting_, frames_.size());
        const auto result = inner();
        waiting_ = outer;
        return result;
    }
    void drop_frames(std::size_t count) {
        kept_.resize(frames_.size() > count ? frames_[count].cells : kept_.size());
        frames_.resize(count);
    }
    bool store(std::int32_t cell, std::int32_t stored, std::int32_t domain);
    bool start(const Instruction& ins);
    bool set_up(const Body& body, std::size_t number, const Instruction& ins);
    bool at(const Instruction& ins) const;
    std::int32_t find_kind(std::int32_t kind) const;
    std::int32_t remote(const Instruction& ins) const;
    bool progress() const;
    bool is_live(std::int32_t number) const {
        return number >= 0 && static_cast<std::size_t>(number) < program->processes.size() &&
               body(static_cast<std::size_t>(number)) != nullptr;
    }
};

} // namespace beeline
