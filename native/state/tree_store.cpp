#include "state/tree_store.hpp"

#include <algorithm>
#include <new>

namespace beeline {
namespace {

constexpr std::size_t kMostSampled = 2048; // more states tell hardly more

} // namespace

TreeStore::TreeStore(std::size_t words, MemoryAccount& account, std::size_t max_states, std::size_t sample)
    : QueuedStore(2, account, max_states), account_(account), sample_(sample), places_(word_places(words)),
      trees_(std::make_unique<TreeTable>(words, places_, TreeShape::even(words, words), account)) {}

const Word* TreeStore::state(Index index) const {
    const std::uint64_t root = root_of(waiting(index));
    if (const Word* next = waiting_next(index)) {
        trees_->prefetch(root_of(next));
    }
    return trees_->unfold(root);
}

TreeStore::AllStates::AllStates(TreeTable& table) : trees_(table) {
    table.roots.for_each(
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
        arcs.set_hash(i, has_target && seen_[i] == 0 ? trees_->fold(arcs.state(i)) : 0);
    }
}

// Where memory is too short for both tables, the old one does.
void TreeStore::reshape() {
    const std::vector<Word> origin(trees_->unfolded(), trees_->unfolded() + words());
    move([this](const Word* from, Word* to) { std::copy_n(from, words(), to); }, words());
    trees_->unfold(trees_->fold(origin.data()));
}

bool TreeStore::move(TreeTable::Convert convert, std::size_t words) {
    shaped_ = true;
    try {
        TreeShape shape = TreeShape::learnt(words, places_, sampled(convert, words));
        auto table = std::make_unique<TreeTable>(words, places_, std::move(shape), account_, size());
        if (!move_to(*table, convert)) {
            return false;
        }
        trees_ = std::move(table);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

std::vector<Word> TreeStore::sampled(TreeTable::Convert convert, std::size_t words) const {
    std::vector<Word> sample;
    const std::size_t step = (size() + kMostSampled - 1) / kMostSampled;
    std::size_t number = 0;
    trees_->roots.for_each([&](std::uint32_t left, std::uint32_t right) {
        if (number++ % step == 0) {
            sample.resize(sample.size() + words);
            convert(trees_->unfold(left | std::uint64_t{right} << 32), sample.data() + sample.size() - words);
        }
    });
    return sample;
}

bool TreeStore::move_to(TreeTable& table, TreeTable::Convert convert) {
    bool fits = true;
    std::vector<Word> words(table.words());
    const auto folded = [&](std::uint64_t root) {
        convert(trees_->unfold(root), words.data());
        return table.fold(words.data());
    };
    trees_->roots.for_each([&](std::uint32_t left, std::uint32_t right) {
        if (fits) {
            const std::uint64_t code = table.code_of(folded(left | std::uint64_t{right} << 32));
            fits = !table.out_of_memory() && table.roots.add(code) == ClearyTable::Added::kFresh;
        }
    });
    if (fits) { // all parts of what waits are there now
        for_each_waiting([&](Word* halves) {
            const std::uint64_t root = folded(root_of(halves));
            halves[0] = TreeTable::left(root);
            halves[1] = TreeTable::right(root);
        });
    }
    return fits;
}

Insertion TreeStore::insert(const Word*, std::uint64_t code, Index parent, std::uint32_t) {
    note_arc(parent);
    if (trees_->out_of_memory()) {
        return {Insert::kFull, kNoIndex};
    }
    if (at_state_limit()) {
        return {is_known(code) ? Insert::kKnown : Insert::kFull, 0};
    }
    switch (trees_->roots.add(code)) {
    case ClearyTable::Added::kFresh:
        return append_root(code);
    case ClearyTable::Added::kKnown:
        return {Insert::kKnown, 0};
    default:
        return {Insert::kFull, kNoIndex};
    }
}

Insertion TreeStore::append_root(std::uint64_t code) {
    const Word halves[2] = {trees_->roots.left(code), trees_->roots.right(code)};
    return append(halves);
}

void TreeStore::clear() {
    const std::size_t words = this->words();
    clear_queue();
    trees_.reset();
    places_ = word_places(words);
    trees_ = std::make_unique<TreeTable>(words, places_, TreeShape::even(words, words), account_);
    shaped_ = by_cells_ = false;
    recent_.forget();
}

} // namespace beeline
