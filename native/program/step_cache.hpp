// Steps that were found before.
//
// Most of what a process can do depends on few words of the state: its own variables, a channel. While its steps are
// found, the cells that are read or written are noted; wherever they have the same values again, the steps are the same
// changes of the same words, and need not be found a second time. So an entry is a condition, on the bits of all cells
// that were noted, and what follows from it.
//
// Entries are looked up by the bits that were noted at the same place before; where a computation notes further ones,
// earlier entries of the place, though still true, are not met any more.
#pragma once

#include "space/space.hpp"
#include "state/hash.hpp"
#include "vm/program.hpp"
#include "vm/touched.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace beeline {

class StepCache {
public:
    // Numbers in a row: the place; the number of fields, and of each its word, mask and value; arrivals; arcs, and of
    // each action, marks, detail, the change of the hash sum in two halves, the number of words that change, and each
    // with what is flipped in it.
    using Entry = const std::uint32_t*;

    // Forgets everything. A place is a location of a process that has a certain number, or what else is asked about;
    // those who ask, the processes first of all, are at one place at a time.
    void reset(std::size_t places, std::size_t askers);

    // The steps of one who asks if they are as they were last, or null. `changed` has the words that changed since.
    Entry again(std::size_t asker, std::uint64_t changed, const Word* state) const {
        const Last& last = last_[asker];
        if (last.entry == 0) {
            return nullptr;
        }
        const Entry entry = numbers_.data() + last.entry;
        return (last.words & changed) == 0 || holds(entry, state) ? entry : nullptr;
    }
    // The steps of one who is at this place, or null if they are not known.
    Entry find(std::size_t asker, std::size_t place, const Word* state);
    // From this one on nobody is there to ask.
    void end(std::size_t asker) {
        std::fill(last_.begin() + static_cast<std::ptrdiff_t>(asker),
                  last_.begin() + static_cast<std::ptrdiff_t>(std::max(asker, asked_)), Last{});
        asked_ = asker;
    }
    // How many arrivals an entry's steps count for.
    static std::size_t arrivals(Entry entry) { return entry[2 + 3 * entry[1]]; }
    // Writes its steps.
    static void write(Entry entry, const Word* state, std::uint64_t sum, SuccessorBuffer& out) {
        entry += 3 + 3 * entry[1];
        for (std::uint32_t arcs = *entry++; arcs > 0; --arcs) {
            Word* const target = out.add(entry[0], entry[1], entry[2]);
            for (std::size_t w = 0; w < out.words(); w += kSpareWords) {
                std::memcpy(target + w, state + w, kSpareWords * sizeof(Word));
            }
            out.set_hash(out.size() - 1, finish_hash(sum + load_pair(entry + 3)));
            const std::uint32_t* const end = entry + 6 + 2 * entry[5];
            for (entry += 6; entry != end; entry += 2) {
                target[entry[0]] ^= entry[1];
            }
        }
    }

    // Whether enough steps are found here for other ways to find them, such as native code, to be left alone. That is
    // looked at again after some states: `count_state` is to be called once for each, `count_miss` for each process
    // whose steps were not known, and where too many had to be looked up.
    bool pays() const { return pays_; }
    void count_state() {
        if (++states_ % kTrial == 0) {
            pays_ = states_ <= kLearning || misses_ < kTrial / 2;
            misses_ = 0;
        }
    }
    void count_miss() { ++misses_; }

    // Whether it has paid off so far to remember the steps of a place.
    bool is_useful(std::size_t place) const { return !places_[place].off; }
    // Remembers the arcs from `first` on, which are all steps in `state` of the process at a place. They were found by
    // touching these cells, among them those that tell that it is there.
    void add(std::size_t place, const Word* state, const Touched& touched, const Program& program,
             const SuccessorBuffer& out, std::size_t first, std::size_t arrived);

    // A set of words as a mask; words beyond the 64th share their bits with others.
    static std::uint64_t bit_of(std::size_t word) { return std::uint64_t{1} << (word & 63); }

private:
    static constexpr std::size_t kMostFields = 12;
    static constexpr std::uint32_t kPatience = 512;
    static constexpr std::uint64_t kTrial = 1 << 12;    // states of one trial,
    static constexpr std::uint64_t kLearning = 1 << 16; // and of those whose trials do not count
    static constexpr std::size_t kFirstSlots = std::size_t{1} << 10;
    static constexpr std::size_t kMostEntries = std::size_t{1} << 17;
    static constexpr std::size_t kMostNumbers = std::size_t{1} << 22; // of all entries: 16 MiB

    struct Field {
        std::uint32_t word, mask;
    };
    struct Place {
        std::vector<Field> fields;
        std::uint64_t words = 0; // those of the fields
        std::uint32_t hits = 0, misses = 0;
        bool off = false;
    };
    // What somebody got last, and the words on which it depends.
    struct Last {
        std::uint64_t words = 0;
        std::uint32_t entry = 0;
    };

    static bool holds(Entry entry, const Word* state) {
        const std::uint32_t* const end = entry + 2 + 3 * entry[1];
        for (entry += 2; entry != end; entry += 3) {
            if ((state[entry[0]] & entry[1]) != entry[2]) {
                return false;
            }
        }
        return true;
    }
    std::size_t first_slot(std::size_t place, const Word* state) const;
    std::size_t free_slot(Entry entry) const;
    void grow();
    static void widen(Place& place, const Touched& touched, const Program& program);
    bool write_changes(const Place& place, const Word* state, const Word* target, const Program& program);
    void forget();

    std::vector<Place> places_;
    std::vector<Last> last_;
    std::size_t asked_ = 0; // nobody from here on has asked since the last `end`
    std::size_t entries_ = 0;
    std::vector<std::uint32_t> slots_;   // where an entry begins, 0 for none
    std::vector<std::uint32_t> numbers_; // the entries
    std::uint64_t states_ = 0, misses_ = 0;
    bool pays_ = true;
};

} // namespace beeline
