#include "program/arc_writer.hpp"

#include "state/hash.hpp"
#include "vm/at.hpp"

#include <algorithm>
#include <cstring>

namespace beeline {

// A goal that has no value in a state, because of an index out of range, counts as reached: the replay tells why.
bool ArcWriter::goal_reached() {
    if (program_->goal < 0) {
        return false;
    }
    for (const Change& change : machine_.log) {
        if (program_->goal_reads[at(change.cell)] != 0) {
            return machine_.run(program_->goal) != Machine::kFalse;
        }
    }
    return origin_goal;
}

void ArcWriter::arrive(std::uint32_t action, std::uint32_t second) {
    ++arrived;
    std::uint32_t marks = goal_reached() ? kGoal : kNone;
    if (program_->control >= 0 && machine_.cells[at(program_->control)] >= 0) {
        marks |= kTransient;
    }
    write(runs_.told(action), marks, second);
}

void ArcWriter::arrive_failed(std::uint32_t action) {
    if (machine_.error == Error::Processes && (program_->flags & kGrowable) != 0) {
        throw TooManyProcesses{};
    }
    if (is_left_out(machine_.error)) {
        left = left || machine_.error == Error::Outside;
        return;
    }
    ++arrived;
    write_failed(runs_.told(action));
}

bool ArcWriter::all_lead_back() const {
    for (std::size_t i = first_; i < out_->size(); ++i) {
        if ((out_->arc(i).marks & kError) != 0 ||
            !std::equal(base.words, base.words + program_->words, out_->state(i))) {
            return false;
        }
    }
    return !left;
}

void ArcWriter::write_failed(std::uint32_t action) {
    Word* target = out_->add(action, kError, static_cast<std::uint32_t>(machine_.error) + 1);
    std::copy_n(base.words, program_->words, target);
    out_->set_hash(out_->size() - 1, 0);
}

void ArcWriter::write(std::uint32_t action, std::uint32_t marks, std::uint32_t second) {
    const std::uint64_t sum = patch(out_->add(action, marks, second));
    out_->set_hash(out_->size() - 1, finish_hash(sum));
    if (runs_.merges() && (marks & kTransient) != 0 && (marks & kGoal) == 0) {
        runs_.put_off(*out_, action);
    }
}

std::uint64_t ArcWriter::patch(Word* target) const {
    std::uint64_t sum = base.sum;
    std::memcpy(target, base.words, program_->words * sizeof(Word));
    for (const Change* next = machine_.log.begin() + base.mark; next != machine_.log.end(); ++next) {
        const Change& change = *next;
        const Packing& place = program_->packing[at(change.cell)];
        if (!place.holds(machine_.cells[at(change.cell)])) [[unlikely]] {
            throw TooNarrow{change.cell, machine_.cells[at(change.cell)]};
        }
        const Word before = target[place.word];
        const Word after = (before & place.keep) | place.bits(machine_.cells[at(change.cell)]);
        target[place.word] = after;
        sum += hash_difference(program_->hash_keys[place.word], before, after);
    }
    return sum;
}

} // namespace beeline
