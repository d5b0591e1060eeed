#include "space/known_steps.hpp"

namespace beeline {

void KnownSteps::reset(std::size_t places, std::size_t askers) {
    places_.assign(places, {});
    last_.resize(askers);
    forget();
}

void KnownSteps::forget() {
    slots_.assign(slots_.size(), 0);
    numbers_.assign(1, 0);
    last_.assign(last_.size(), {});
    entries_ = asked_ = 0;
}

inline std::size_t KnownSteps::first_slot(std::size_t place, const Word* state) const {
    std::uint64_t sum = place * make_hash_key(0);
    for (const Field& field : places_[place].fields) {
        sum += (state[field.word] & field.mask) * kHashKey[(field.word + 1) % kHashKeys];
    }
    return finish_hash(sum) & (slots_.size() - 1);
}

KnownSteps::Entry KnownSteps::find(std::size_t asker, std::size_t number, const Word* state) {
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
void KnownSteps::widen(Place& place, const Touched& touched, const Program& program) {
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

void KnownSteps::add(std::size_t number, const Word* state, const Touched& touched, const Program& program,
                     const SuccessorBuffer& out, std::size_t first, std::size_t arrived) {
    Place& place = places_[number];
    widen(place, touched, program);
    if (!touched.complete() || place.fields.size() > kMostFields) {
        place.off = true;
        return;
    }
    if (slots_.empty()) {
        slots_.resize(2 * kMostEntries);
    }
    if (entries_ == kMostEntries || numbers_.size() > kMostNumbers) {
        forget();
    }
    const auto begin = static_cast<std::uint32_t>(numbers_.size());
    numbers_.insert(numbers_.end(),
                    {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(place.fields.size())});
    for (const Field& field : place.fields) {
        numbers_.insert(numbers_.end(), {field.word, field.mask, state[field.word] & field.mask});
    }
    numbers_.insert(numbers_.end(),
                    {static_cast<std::uint32_t>(arrived), static_cast<std::uint32_t>(out.size() - first)});
    for (std::size_t i = first; i < out.size(); ++i) {
        const SuccessorBuffer::Arc& arc = out.arc(i);
        numbers_.insert(numbers_.end(), {arc.action, arc.marks, arc.detail});
        if ((arc.marks & kError) != 0 || !write_changes(place, state, out.state(i), program)) {
            numbers_.resize(begin);
            return;
        }
    }
    std::size_t slot = first_slot(number, state);
    while (slots_[slot] != 0) {
        slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = begin;
    ++entries_;
}

// False if something changed that was not noted, which would be a mistake.
bool KnownSteps::write_changes(const Place& place, const Word* state, const Word* target, const Program& program) {
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
