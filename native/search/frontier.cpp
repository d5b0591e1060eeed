#include "search/frontier.hpp"

#include <algorithm>
#include <stdexcept>

namespace beeline {
namespace {

constexpr std::uint64_t kMost = 0xfffffffe;

Key key_of(std::uint64_t first, std::uint64_t second) {
    return (std::min(first, kMost) << 32) | std::min(second, kMost);
}

} // namespace

Key estimate_key(std::int32_t estimate) {
    return estimate == kDeadEnd ? kLateKey : key_of(static_cast<std::uint64_t>(estimate), 0);
}

Key sum_key(std::uint32_t depth, std::uint32_t weight, std::int32_t estimate) {
    if (estimate == kDeadEnd) {
        return kLateKey;
    }
    const auto h = static_cast<std::uint64_t>(estimate);
    return key_of(depth + std::uint64_t{weight} * h, h);
}

Key useless_key(std::int32_t estimate, std::uint32_t penalty) {
    return estimate == kDeadEnd ? kLateKey : key_of(static_cast<std::uint64_t>(estimate) + penalty, 0);
}

Key ranked_key(std::uint32_t rank, std::int32_t estimate) {
    return estimate == kDeadEnd ? kLateKey : key_of(rank, static_cast<std::uint64_t>(estimate));
}

Key type_key(std::uint32_t depth, std::int32_t estimate) { return key_of(depth, static_cast<std::uint64_t>(estimate)); }

std::uint32_t primary(Key key) { return static_cast<std::uint32_t>(key >> 32); }

Frontier::Frontier(const BestFirstOptions& options, MemoryAccount& account)
    : options_(options), per_estimator_(options.preferred ? 2 : 1) {
    if (options.estimators.empty()) {
        throw std::invalid_argument("a best-first search needs a heuristic");
    }
    const auto pool = std::make_shared<ChunkPool>(account);
    for (std::size_t i = 0; i < options.estimators.size() * per_estimator_; ++i) {
        queues_.push_back(std::make_unique<Queue>(pool, options.ties, options.seed + i));
        // As in LAMA, where the first estimate is progress already: the preferred come first.
        queues_.back()->turns = i % per_estimator_ == 1 ? -std::int64_t{options.boost} : 0;
    }
    if (options.novelty > 0) {
        novel_ = queues_.emplace_back(std::make_unique<Queue>(pool, options.ties, options.seed)).get();
    }
    if (options.contexts != nullptr && options.priority == Priority::kEstimate) {
        near_ = queues_.emplace_back(std::make_unique<Queue>(pool, options.ties, options.seed)).get();
    }
    if (options.types) {
        types_ = std::make_unique<Types>(account, options.seed);
    }
}

bool Frontier::empty() const { return next_queue() == kNoQueue && (types_ == nullptr || types_->open.empty()); }

std::size_t Frontier::next_queue() const {
    std::size_t next = kNoQueue;
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        if (!queues_[i]->open.empty() && (next == kNoQueue || queues_[i]->turns < queues_[next]->turns)) {
            next = i;
        }
    }
    return next;
}

Index Frontier::pop(Key& key) {
    last_ = next_queue();
    --size_;
    if (types_ != nullptr && !types_->open.empty() && (last_ == kNoQueue || types_->turns < queues_[last_]->turns)) {
        last_ = queues_.size();
    }
    ++turns(last_);
    if (last_ == queues_.size()) {
        key = 0;
        return types_->open.pop();
    }
    OpenList& open = queues_[last_]->open;
    key = open.first();
    return open.pop();
}

bool Frontier::push(std::size_t which, bool preferred, Key key, Index index) {
    return count(queues_[which * per_estimator_ + (preferred ? 1 : 0)]->open.push(key, index));
}

void Frontier::reward(std::size_t which) {
    if (options_.preferred) {
        queues_[which * per_estimator_ + 1]->turns -= options_.boost;
    }
    if (last_ != kNoQueue) {
        turns(last_) -= options_.learn;
    }
}

void EstimatorSet::begin(Evaluation& evaluation, std::size_t estimators) {
    evaluation.values.resize(estimators);
    evaluation.preferred.clear();
    evaluation.alive = true;
    evaluation.asked = 0;
}

void EstimatorSet::hear(std::int32_t value, Evaluation& evaluation) const {
    const Estimator& estimator = *estimators_[evaluation.asked];
    evaluation.values[evaluation.asked++] = value;
    evaluation.alive = value != kDeadEnd || !prune_ || !estimator.is_safe();
}

void EstimatorSet::evaluate(const Word* state, Evaluation& evaluation) const {
    begin(evaluation, estimators_.size());
    while (evaluation.alive && evaluation.asked < estimators_.size()) {
        Estimator& estimator = *estimators_[evaluation.asked];
        hear(estimator.estimate(state), evaluation);
        if (preferred_) {
            const auto& actions = estimator.preferred();
            evaluation.preferred.insert(evaluation.preferred.end(), actions.begin(), actions.end());
        }
    }
    std::sort(evaluation.preferred.begin(), evaluation.preferred.end());
}

void EstimatorSet::evaluate_all(const std::vector<const Word*>& states,
                                const std::vector<Evaluation*>& evaluations) const {
    if (preferred_) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            evaluate(states[i], *evaluations[i]);
        }
        return;
    }
    for (Evaluation* evaluation : evaluations) {
        begin(*evaluation, estimators_.size());
    }
    std::vector<const Word*> asked(states);
    std::vector<Evaluation*> answers(evaluations);
    std::vector<std::int32_t> values;
    for (const auto& estimator : estimators_) {
        estimator->estimate_all(asked, values);
        std::size_t alive = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            hear(values[i], *answers[i]);
            asked[alive] = asked[i];
            answers[alive] = answers[i];
            alive += answers[i]->alive;
        }
        asked.resize(alive);
        answers.resize(alive);
    }
}

bool EstimatorSet::has_batches() const {
    return !preferred_ &&
           std::all_of(estimators_.begin(), estimators_.end(), [](const auto& one) { return one->has_batches(); });
}

std::uint64_t EstimatorSet::cost() const {
    std::uint64_t total = 0;
    for (const auto& estimator : estimators_) {
        total += estimator->cost();
    }
    return total;
}

bool EstimatorSet::can_clone() const {
    return std::all_of(estimators_.begin(), estimators_.end(), [](const auto& one) { return one->can_clone(); });
}

EstimatorSet EstimatorSet::clone() const {
    EstimatorSet other(*this);
    for (auto& estimator : other.estimators_) {
        estimator = estimator->clone();
    }
    return other;
}

Evaluator::Evaluator(const BestFirstOptions& options, Statistics& statistics)
    : options_(options), statistics_(statistics), estimators_(options), values_(options.estimators.size(), 0),
      best_(options.estimators.size(), kDeadEnd), progressed_(options.estimators.size(), false) {}

bool Evaluator::evaluate(const Word* state, const Evaluation* known) {
    if (known == nullptr) {
        estimators_.evaluate(state, own_);
    }
    const Evaluation& evaluation = known == nullptr ? own_ : *known;
    bool any_dead = false;
    for (std::size_t i = 0; i < evaluation.asked; ++i) {
        values_[i] = evaluation.values[i];
        ++statistics_.evaluated;
        cost_ += options_.estimators[i]->cost();
        any_dead |= values_[i] == kDeadEnd;
        if (i == 0 && values_[0] != kDeadEnd) {
            statistics_.note_estimate(values_[0]);
        }
        progressed_[i] = values_[i] < best_[i] && best_[i] != kDeadEnd;
        best_[i] = std::min(best_[i], values_[i]);
    }
    statistics_.dead_ends += any_dead;
    preferred_ = evaluation.preferred;
    return evaluation.alive;
}

void Evaluator::recall(const Word* state) {
    estimators_.evaluate(state, own_);
    std::copy_n(own_.values.begin(), own_.asked, values_.begin());
    preferred_ = own_.preferred;
}

std::int32_t Evaluator::at_least(const Word* state) {
    if (options_.bound == nullptr) {
        return 0;
    }
    ++statistics_.evaluated;
    cost_ += options_.bound->cost();
    return options_.bound->estimate(state);
}

bool Evaluator::is_preferred(std::uint32_t action) const {
    return std::binary_search(kept_.begin(), kept_.end(), action);
}

// Without the first test a heuristic that is not monotone could call an improving step useless; with it, most steps
// need no second evaluation at all.
bool Evaluator::is_useless(const Word* state, std::int32_t value, std::int32_t after, const Estimator::Steps& steps,
                           std::size_t which) {
    if (after < value) {
        return false;
    }
    Estimator& estimator = *options_.estimators.front();
    if (!estimator.has_removal()) {
        return true;
    }
    Removal& removal = without(state, steps, which);
    if (!removal.is_used) {
        removal.is_used = true;
        ++used_;
        ++statistics_.evaluated;
        cost_ += estimator.cost();
    }
    return removal.value <= after;
}

Evaluator::Removal& Evaluator::without(const Word* state, const Estimator::Steps& steps, std::size_t which) {
    const auto found = std::find_if(removals_.begin(), removals_.end(),
                                    [&](const Removal& removal) { return removal.step == steps[which]; });
    if (found != removals_.end()) {
        return *found;
    }
    const std::size_t before = removals_.size();
    remove(state, steps, which);
    return removals_[before];
}

// Estimates what is without a step; where there are many more, without each of them at once, if most were asked for so
// far.
void Evaluator::remove(const Word* state, const Estimator::Steps& steps, std::size_t first) {
    constexpr std::size_t kMany = 8, kMost = 64;
    Estimator& estimator = *options_.estimators.front();
    const std::size_t left = steps.size() - first;
    const bool pays = estimator.has_batches() && left >= kMany && removed_ <= 2 * used_ + kMost;
    const std::size_t count = pays ? std::min(left, kMost) : 1;
    steps_.clear();
    for (std::size_t i = first; i < first + count; ++i) {
        if (std::find(steps_.begin(), steps_.end(), steps[i]) == steps_.end()) {
            steps_.push_back(steps[i]);
        }
    }
    removed_ += steps_.size();
    std::vector<std::int32_t> values;
    estimator.estimate_without_each(state, steps_, values);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        removals_.push_back({steps_[i], values[i]});
    }
}

} // namespace beeline
