#include "search/speculative_evaluator.hpp"

#include <algorithm>
#include <system_error>

namespace beeline {
namespace {

// A look takes some tens of nanoseconds.
constexpr int kIdleLooks = 1000; // at an empty queue, before a helper goes to sleep
constexpr int kPatience = 2000;  // at an unfinished evaluation, before the search forms its own

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace

SpeculativeEvaluator::SpeculativeEvaluator(const EstimatorSet& estimators, std::size_t helpers, std::size_t words)
    : own_(estimators), most_(helpers > 0 ? kShared : kAlone), words_(words), slots_(kSlots), states_(kSlots * words),
      chains_(kSlots, kNoSlot) {
    desks_.reserve(helpers);
    threads_.reserve(helpers);
    try {
        while (threads_.size() < helpers) {
            desks_.emplace_back(estimators.clone());
            threads_.emplace_back([this, &mine = desks_.back()] { serve(mine); });
        }
    } catch (const std::system_error&) { // those that are there will do
    } catch (...) {
        dismiss();
        throw;
    }
}

SpeculativeEvaluator::~SpeculativeEvaluator() { dismiss(); }

void SpeculativeEvaluator::dismiss() {
    is_over_ = true;
    ++rung_;
    rung_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

bool SpeculativeEvaluator::ask(const Word* state, std::uint64_t hash, When when) {
    if (find(state, hash) != kNoSlot) {
        return false;
    }
    const std::uint32_t number = next_;
    next_ = (next_ + 1) % kSlots;
    if (!vacate(number)) {
        return false;
    }
    Slot& slot = slots_[number];
    slot.hash = hash;
    std::copy_n(state, words_, words_of(number));
    slot.next = chain(hash);
    chain(hash) = number;
    slot.is_listed = true;
    waiting_.fetch_add(1, std::memory_order_relaxed);
    slot.stage.store(Stage::kWaiting, std::memory_order_release);
    const bool queued = (when == When::kNow ? now_ : later_).push(number);
    if (!queued && leave(slot, Stage::kIdle)) { // may still be in the queue from when it was used before
        unlist(number);
        return false;
    }
    return true;
}

void SpeculativeEvaluator::call() {
    rung_.fetch_add(1);
    if (asleep_.load() != 0) {
        rung_.notify_all();
    }
}

const Evaluation* SpeculativeEvaluator::answer(const Word* state, std::uint64_t hash) {
    const std::uint32_t number = find(state, hash);
    if (number == kNoSlot) {
        return nullptr;
    }
    Slot& slot = slots_[number];
    const std::size_t most = batch(own_.estimators);
    if (leave(slot, most > 1 ? Stage::kTaken : Stage::kIdle)) {
        if (most == 1) {
            unlist(number);
            return nullptr;
        }
        own_.taken.assign(1, number);
        take(own_, most);
        evaluate(own_);
    }
    for (int looks = 0; slot.stage.load(std::memory_order_acquire) == Stage::kTaken;) {
        if (work(own_)) {
            continue;
        }
        if (++looks > kPatience) {
            return nullptr; // its thread may have lost its core
        }
        pause_briefly();
    }
    return slot.stage.load(std::memory_order_acquire) == Stage::kDone ? &slot.evaluation : nullptr;
}

bool SpeculativeEvaluator::waits(const Word* state, std::uint64_t hash) {
    const std::uint32_t number = find(state, hash);
    return number != kNoSlot && slots_[number].stage.load(std::memory_order_relaxed) == Stage::kWaiting;
}

std::uint32_t SpeculativeEvaluator::find(const Word* state, std::uint64_t hash) {
    std::uint32_t number = chain(hash);
    while (number != kNoSlot && (slots_[number].hash != hash || !std::equal(state, state + words_, words_of(number)))) {
        number = slots_[number].next;
    }
    return number;
}

void SpeculativeEvaluator::unlist(std::uint32_t slot) {
    std::uint32_t* link = &chain(slots_[slot].hash);
    while (*link != slot) {
        link = &slots_[*link].next;
    }
    *link = slots_[slot].next;
    slots_[slot].is_listed = false;
}

// Makes a slot ready for another state; false if someone works on it.
bool SpeculativeEvaluator::vacate(std::uint32_t number) {
    Slot& slot = slots_[number];
    if (!leave(slot, Stage::kIdle) && slot.stage.load(std::memory_order_acquire) == Stage::kTaken) {
        return false;
    }
    if (slot.is_listed) {
        unlist(number);
    }
    return true;
}

// Moves a state that waits to another stage; false if it does not wait any more.
bool SpeculativeEvaluator::leave(Slot& slot, Stage stage) {
    Stage expected = Stage::kWaiting;
    if (!slot.stage.compare_exchange_strong(expected, stage, std::memory_order_acq_rel)) {
        return false;
    }
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

std::size_t SpeculativeEvaluator::batch(const EstimatorSet& estimators) const {
    return estimators.has_batches() ? most_ : 1;
}

void SpeculativeEvaluator::take(Desk& desk, std::size_t most) {
    std::uint32_t number = 0;
    while (desk.taken.size() < most && (now_.pop(number) || later_.pop(number))) {
        if (leave(slots_[number], Stage::kTaken)) { // otherwise answered or forgotten meanwhile
            desk.taken.push_back(number);
        }
    }
}

void SpeculativeEvaluator::evaluate(Desk& desk) noexcept {
    Stage stage = Stage::kDone;
    try {
        desk.states.clear();
        desk.evaluations.clear();
        for (const std::uint32_t number : desk.taken) {
            desk.states.push_back(words_of(number));
            desk.evaluations.push_back(&slots_[number].evaluation);
        }
        desk.estimators.evaluate_all(desk.states, desk.evaluations);
    } catch (...) {
        stage = Stage::kFailed; // the search will meet the same, if it ever comes there
    }
    for (const std::uint32_t number : desk.taken) {
        slots_[number].stage.store(stage, std::memory_order_release);
    }
}

bool SpeculativeEvaluator::work(Desk& desk) noexcept {
    desk.taken.clear();
    take(desk, batch(desk.estimators));
    if (desk.taken.empty()) {
        return false;
    }
    evaluate(desk);
    return true;
}

void SpeculativeEvaluator::serve(Desk& desk) noexcept {
    for (int looks = 0;;) {
        const std::uint32_t seen = rung_.load(); // first: what rings after this look wakes who sleeps because of it
        if (is_over_.load()) {
            return;
        }
        if (work(desk)) {
            looks = 0;
        } else if (++looks < kIdleLooks) {
            pause_briefly();
        } else {
            ++asleep_;
            rung_.wait(seen);
            --asleep_;
            looks = 0;
        }
    }
}

} // namespace beeline
