#include "state/tree_store.hpp"

#include <algorithm>
#include <new>

namespace beeline {
namespace {

constexpr std::size_t kMostSampled = 2048; // more states tell hardly more

} // namespace

TreeStore::TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states, std::size_t sample)
    : QueuedStore(2, account, max_states), account_(account), sample_(sample), places_(word_places(words)),
      forest_(std::make_unique<Forest>(words, places_, TreeShape::even(words, words), account)) {}

const Word* TreeStore::state(Index index) const {
    const std::uint64_t root = root_of(waiting(index));
    if (const Word* next = waiting_next(index)) {
        forest_->prefetch(root_of(next));
    }
    return forest_->unfold(root);
}

TreeStore::AllStates::AllStates(Forest& forest) : forest_(forest) {
    forest.roots.for_each(
        [this](std::uint32_t left, std::uint32_t right) { roots_.push_back(left | std::uint64_t{right} << 32); });
}

void TreeStore::note_arcs(SuccessorBuffer& arcs, std::size_t first) {
    if (first == 0 && !shaped_ && words() > 2 && size() >= sample_) { // no noted arc is lost
        reshape();
    }
    if (shaped_ && !recent_.is_for(words())) {
        recent_.reset(words());
    }
    seen_.resize(arcs.size());
    for (std::size_t i = first; i < arcs.size(); ++i) {
        const bool has_target = (arcs.arc(i).marks & kError) == 0;
        seen_[i] = has_target && shaped_ && recent_.meet(arcs.state(i), arcs.hash(i));
        arcs.set_hash(i, has_target && seen_[i] == 0 ? forest_->fold(arcs.state(i)) : 0);
    }
}

// Where memory is too short for both forests, the old one does.
void TreeStore::reshape() {
    const std::vector<Word> origin(forest_->unfolded(), forest_->unfolded() + words());
    move([this](const Word* from, Word* to) { std::copy_n(from, words(), to); }, words());
    forest_->unfold(forest_->fold(origin.data()));
}

bool TreeStore::move(Forest::Convert convert, std::size_t words) {
    shaped_ = true;
    try {
        TreeShape shape = TreeShape::learnt(words, places_, sampled(convert, words));
        auto forest = std::make_unique<Forest>(words, places_, std::move(shape), account_, size());
        if (!move_to(*forest, convert)) {
            return false;
        }
        forest_ = std::move(forest);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

std::vector<Word> TreeStore::sampled(Forest::Convert convert, std::size_t words) const {
    std::vector<Word> sample;
    const std::size_t step = (size() + kMostSampled - 1) / kMostSampled;
    std::size_t number = 0;
    forest_->roots.for_each([&](std::uint32_t left, std::uint32_t right) {
        if (number++ % step == 0) {
            sample.resize(sample.size() + words);
            convert(forest_->unfold(left | std::uint64_t{right} << 32), sample.data() + sample.size() - words);
        }
    });
    return sample;
}

bool TreeStore::move_to(Forest& forest, Forest::Convert convert) {
    bool fits = true;
    std::vector<Word> words(forest.words());
    const auto folded = [&](std::uint64_t root) {
        convert(forest_->unfold(root), words.data());
        return forest.fold(words.data());
    };
    forest_->roots.for_each([&](std::uint32_t left, std::uint32_t right) {
        if (fits) {
            const std::uint64_t code = forest.code_of(folded(left | std::uint64_t{right} << 32));
            fits = !forest.out_of_memory() && forest.roots.add(code) == ScatteredSet::Added::kFresh;
        }
    });
    if (fits) { // all parts of what waits are there now
        for_each_waiting([&](Word* halves) {
            const std::uint64_t root = folded(root_of(halves));
            halves[0] = Forest::left(root);
            halves[1] = Forest::right(root);
        });
    }
    return fits;
}

Insertion TreeStore::insert(const Word*, std::uint64_t code, Index parent, std::uint32_t) {
    note_arc(parent);
    if (forest_->out_of_memory()) {
        return {Insert::kFull, kNoIndex};
    }
    if (at_state_limit()) {
        return {is_known(code) ? Insert::kKnown : Insert::kFull, 0};
    }
    switch (forest_->roots.add(code)) {
    case ScatteredSet::Added::kFresh:
        return append_root(code);
    case ScatteredSet::Added::kKnown:
        return {Insert::kKnown, 0};
    default:
        return {Insert::kFull, kNoIndex};
    }
}

Insertion TreeStore::append_root(std::uint64_t code) {
    const Word halves[2] = {forest_->roots.left(code), forest_->roots.right(code)};
    return append(halves);
}

void TreeStore::clear() {
    const std::size_t words = this->words();
    clear_queue();
    forest_.reset();
    places_ = word_places(words);
    forest_ = std::make_unique<Forest>(words, places_, TreeShape::even(words, words), account_);
    shaped_ = by_cells_ = false;
    recent_.forget();
}

} // namespace beeline
