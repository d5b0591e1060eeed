#include "program/step_cache.hpp"

namespace beeline {

void StepCache::reset(std::size_t places, std::size_t askers) {
    places_.assign(places, {});
    last_.resize(askers);
    states_ = misses_ = 0;
    pays_ = true;
    forget();
}

void StepCache::forget() {
    slots_.assign(slots_.size(), 0);
    numbers_.assign(1, 0);
    last_.assign(last_.size(), {});
    entries_ = asked_ = 0;
}

namespace {

// What a place, and a field with its value, add to a hash.
std::uint64_t hash_of_place(std::uint64_t place) { return place * kHashKey[0]; }
std::uint64_t hash_of_field(std::size_t word, std::uint64_t value) { return value * kHashKey[(word + 1) % kHashKeys]; }

} // namespace

inline std::size_t StepCache::first_slot(std::size_t place, const Word* state) const {
    std::uint64_t sum = hash_of_place(place);
    for (const Field& field : places_[place].fields) {
        sum += hash_of_field(field.word, state[field.word] & field.mask);
    }
    return finish_hash(sum) & (slots_.size() - 1);
}

std::size_t StepCache::free_slot(Entry entry) const {
    std::uint64_t sum = hash_of_place(entry[0]);
    for (std::uint32_t i = 0; i < entry[1]; ++i) {
        sum += hash_of_field(entry[2 + 3 * i], entry[4 + 3 * i]);
    }
    std::size_t slot = finish_hash(sum) & (slots_.size() - 1);
    while (slots_[slot] != 0) {
        slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
}

void StepCache::grow() {
    std::vector<std::uint32_t> before(std::max(kFirstSlots, 2 * slots_.size()));
    before.swap(slots_);
    for (const std::uint32_t begin : before) {
        if (begin != 0) {
            slots_[free_slot(numbers_.data() + begin)] = begin;
        }
    }
}

StepCache::Entry StepCache::find(std::size_t asker, std::size_t number, const Word* state) {
    Place& place = places_[number];
    last_[asker] = {};
    asked_ = std::max(asked_, asker + 1);
    if (place.off) {
        return nullptr;
    }
    std::size_t slot = entries_ == 0 ? 0 : first_slot(number, state);
    for (; entries_ != 0 && slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
        const Entry entry = numbers_.data() + slots_[slot];
        if (entry[0] == number && holds(entry, state)) {
            ++place.hits;
            last_[asker] = {place.words, slots_[slot]};
            return entry;
        }
    }
    place.off = ++place.misses > kPatience + place.hits;
    return nullptr;
}

// Adds all that was touched to the fields.
void StepCache::widen(Place& place, const Touched& touched, const Program& program) {
    for (const std::int32_t cell : touched.cells()) {
        const Packing& packing = program.packing[static_cast<std::size_t>(cell)];
        if (packing.mask == 0) {
            continue; // one value, as long as this layout is in use
        }
        auto field = std::find_if(place.fields.begin(), place.fields.end(),
                                  [&](const Field& f) { return f.word == packing.word; });
        if (field == place.fields.end()) {
            field = place.fields.insert(field, {packing.word, 0});
            place.words |= bit_of(packing.word);
        }
        field->mask |= ~packing.keep;
    }
}

void StepCache::add(std::size_t number, const Word* state, const Touched& touched, const Program& program,
                    const SuccessorBuffer& out, std::size_t first, std::size_t arrived) {
    Place& place = places_[number];
    widen(place, touched, program);
    if (!touched.complete() || place.fields.size() > kMostFields) {
        place.off = true;
        return;
    }
    if (entries_ == kMostEntries || numbers_.size() > kMostNumbers) {
        forget();
    }
    if (2 * entries_ >= slots_.size()) {
        grow();
    }
    const auto begin = static_cast<std::uint32_t>(numbers_.size());
    numbers_.insert(numbers_.end(),
                    {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(place.fields.size())});
    for (const Field& field : place.fields) {
        numbers_.insert(numbers_.end(), {field.word, field.mask, state[field.word] & field.mask});
    }
    numbers_.insert(numbers_.end(), {static_cast<std::uint32_t>(std::min<std::size_t>(arrived, ~std::uint32_t{0})),
                                     static_cast<std::uint32_t>(out.size() - first)});
    for (std::size_t i = first; i < out.size(); ++i) {
        const SuccessorBuffer::Arc& arc = out.arc(i);
        numbers_.insert(numbers_.end(), {arc.action, arc.marks, arc.detail});
        if ((arc.marks & kError) != 0 || !write_changes(place, state, out.state(i), program)) {
            numbers_.resize(begin);
            return;
        }
    }
    slots_[free_slot(numbers_.data() + begin)] = begin;
    ++entries_;
}

// False if something changed that was not noted, which would be a mistake.
bool StepCache::write_changes(const Place& place, const Word* state, const Word* target, const Program& program) {
    const std::size_t head = numbers_.size();
    numbers_.resize(head + 3);
    std::uint64_t sum = 0;
    std::uint32_t noted = 0;
    for (const Field& field : place.fields) {
        const Word flipped = state[field.word] ^ target[field.word];
        if ((flipped & ~field.mask) != 0) {
            return false;
        }
        if (flipped != 0) {
            numbers_.insert(numbers_.end(), {field.word, flipped});
            sum += hash_difference(program.hash_keys[field.word], state[field.word], target[field.word]);
            ++noted;
        }
    }
    std::memcpy(numbers_.data() + head, &sum, sizeof sum);
    numbers_[head + 2] = noted;
    std::uint32_t changed = 0;
    for (std::size_t w = 0; w < program.words; ++w) {
        changed += state[w] != target[w];
    }
    return changed == noted;
}

} // namespace beeline
