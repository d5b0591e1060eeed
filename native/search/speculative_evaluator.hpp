// Evaluates states that a best-first search is about to ask for: in other threads meanwhile, or many at once when the
// first of them is needed.
//
// An evaluation does not depend on the thread that makes it, so the threads decide how long a search takes and nothing
// else. The search never waits for a thread that sleeps: what is not there in time it evaluates itself.
#pragma once

#include "search/frontier.hpp"
#include "search/task_queue.hpp"
#include "space/space.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace beeline {

class SpeculativeEvaluator {
public:
    // Heuristics look at the first `words` words of a state. Where the system gives fewer threads, there are fewer.
    // With helpers, all estimators must be able to clone themselves.
    SpeculativeEvaluator(const EstimatorSet& estimators, std::size_t helpers, std::size_t words);
    ~SpeculativeEvaluator();
    SpeculativeEvaluator(const SpeculativeEvaluator&) = delete;
    SpeculativeEvaluator& operator=(const SpeculativeEvaluator&) = delete;

    // States to evaluate at once: more take less time each, but with helpers someone may wait for one of them.
    static constexpr std::size_t kAlone = 64, kShared = 16;

    // All that follows is for the thread that searches.

    enum class When : std::uint8_t { kNow, kLater };
    // Has a state evaluated, unless there is no room for it now; what was asked for long ago and not used is forgotten.
    // True if that is news.
    bool ask(const Word* state, std::uint64_t hash, When when);
    // To be called when something was asked for: there may be helpers who sleep.
    void call();
    // Whether a state was asked for and nobody has begun with it: `answer` would begin with a batch.
    bool waits(const Word* state, std::uint64_t hash);
    // What is said of a state that was asked for, valid until the next call; null if nobody has begun with it and it
    // is not worth while to begin with several.
    const Evaluation* answer(const Word* state, std::uint64_t hash);
    // States that wait for someone to begin with them.
    std::size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }
    std::size_t helpers() const { return threads_.size(); }

private:
    static constexpr std::size_t kSlots = TaskQueue::kCapacity;
    static constexpr std::uint32_t kNoSlot = kSlots;

    enum class Stage : std::uint8_t { kIdle, kWaiting, kTaken, kDone, kFailed };
    struct alignas(64) Slot {
        std::atomic<Stage> stage = Stage::kIdle;
        // Who has taken the slot writes the evaluation; the rest belongs to the thread that searches.
        Evaluation evaluation;
        std::uint64_t hash = 0;
        std::uint32_t next = kNoSlot; // with a hash that ends the same
        bool is_listed = false;
    };

    Word* words_of(std::uint32_t slot) { return states_.data() + slot * words_; }
    std::uint32_t& chain(std::uint64_t hash) { return chains_[hash % kSlots]; }
    std::uint32_t find(const Word* state, std::uint64_t hash);
    void dismiss(); // of all helpers
    void unlist(std::uint32_t slot);
    bool vacate(std::uint32_t slot);
    bool leave(Slot& slot, Stage stage);
    // What one thread works with, and the slots that it has taken.
    struct Desk {
        explicit Desk(const EstimatorSet& estimators) : estimators(estimators) { taken.reserve(kAlone); }
        EstimatorSet estimators;
        std::vector<std::uint32_t> taken;
        std::vector<const Word*> states;
        std::vector<Evaluation*> evaluations;
    };
    std::size_t batch(const EstimatorSet& estimators) const;
    // Takes up to `most` states that wait.
    void take(Desk& desk, std::size_t most);
    void evaluate(Desk& desk) noexcept;
    // Evaluates states that wait; false if there is none.
    bool work(Desk& desk) noexcept;
    void serve(Desk& desk) noexcept;

    Desk own_; // of the thread that searches, which helps before it waits
    std::vector<Desk> desks_;
    std::size_t most_; // to be evaluated at once
    std::size_t words_;
    std::vector<Slot> slots_;
    std::vector<Word> states_;
    std::vector<std::uint32_t> chains_; // by hash: the first slot
    std::uint32_t next_ = 0;            // the slot to be used next
    TaskQueue now_, later_;             // may also hold what was answered or forgotten
    alignas(64) std::atomic<std::size_t> waiting_ = 0;
    alignas(64) std::atomic<std::uint32_t> rung_ = 0; // changes whenever there is something new
    std::atomic<std::uint32_t> asleep_ = 0;
    std::atomic<bool> is_over_ = false;
    std::vector<std::thread> threads_;
};

} // namespace beeline
