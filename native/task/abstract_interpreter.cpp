#include "task/abstract_interpreter.hpp"

#include "vm/machine.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

namespace {

constexpr std::int32_t kSteps = 20000; // instructions of one attempt; a longer one is given up

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr std::int64_t kAttempt = 50; // what an attempt costs besides its instructions

constexpr Guess kUnknown{0, false};

} // namespace

AbstractInterpreter::AbstractInterpreter(const Program& program) : program_(program) {
    const auto cells = at(program.state_cells);
    values.resize(cells);
    wild.assign(cells, 0);
    old_counts.assign(cells, 0);
    run_of_.assign(cells, 0);
    current_.resize(cells);
    chosen_in_.assign(cells, 0);
    chosen_.resize(cells);
    scratch.resize(at(program.memory_cells) - cells);
}

bool AbstractInterpreter::enumerate(std::int32_t most, const std::function<void()>& attempt) {
    choices_.clear();
    for (std::int32_t count = 0; count < most; ++count) {
        next_choice_ = 0;
        ++run_number_;
        reads.clear();
        writes.clear();
        looked_at.clear();
        denied_.clear();
        used_new = false;
        budget_ = kSteps;
        starting_ = false;
        for (std::size_t i = 0; i < program_.constants.size(); ++i) {
            scratch[i] = {program_.constants[i], true};
        }
        scratch[at(program_.timeout_cell - program_.state_cells)] = kUnknown;
        attempt();
        work += kSteps - budget_ + kAttempt;
        choices_.resize(next_choice_);
        while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().count) {
            choices_.pop_back();
        }
        if (choices_.empty()) {
            return true;
        }
        ++choices_.back().taken;
    }
    return false;
}

std::int32_t AbstractInterpreter::choose(std::int32_t count) {
    if (next_choice_ == choices_.size()) {
        choices_.push_back({0, count});
    }
    return choices_[next_choice_++].taken;
}

Guess AbstractInterpreter::read(std::int32_t cell) {
    if (cell >= program_.state_cells) {
        Guess& held = scratch[at(cell - program_.state_cells)];
        return held = resolve(held);
    }
    const std::size_t place = at(cell);
    if (run_of_[place] != run_number_) {
        run_of_[place] = run_number_;
        current_[place] = choose_value(cell);
    }
    return current_[place] = resolve(current_[place]);
}

Guess AbstractInterpreter::read_place(std::int32_t cell) {
    const bool was_loose = std::exchange(loose, false);
    const Guess guess = read(cell);
    loose = was_loose;
    gave_up = gave_up || !guess.known;
    return guess;
}

Guess AbstractInterpreter::peek(std::int32_t cell) {
    if (cell >= program_.state_cells) {
        return scratch[at(cell - program_.state_cells)];
    }
    const std::size_t place = at(cell);
    if (run_of_[place] == run_number_) {
        return current_[place];
    }
    // Whether a cell has one value by now or several makes no difference: the next enumeration counts on this one.
    if (!apart || loose || wild[place] != 0 || chosen_in_[place] == run_number_) {
        return read(cell);
    }
    looked_at.push_back(cell);
    copied = true;
    return {0, false, cell};
}

Guess AbstractInterpreter::resolve(Guess guess) { return guess.is_copy() ? choose_value(guess.copied) : guess; }

// What a cell has in the state, whatever was written to it meanwhile.
Guess AbstractInterpreter::choose_value(std::int32_t cell) {
    const std::size_t place = at(cell);
    if (chosen_in_[place] == run_number_) {
        return chosen_[place];
    }
    if (program_.low[place] == program_.high[place]) {
        return {program_.low[place], true};
    }
    looked_at.push_back(cell);
    Guess guess = kUnknown;
    if (wild[place] == 0 && !loose) {
        const auto count = static_cast<std::int32_t>(values[place].size());
        const std::int32_t taken = count == 1 ? 0 : choose(count);
        used_new = used_new || taken >= old_counts[place];
        guess = {values[place][at(taken)], true};
        reads.push_back({cell, guess});
    }
    chosen_in_[place] = run_number_;
    chosen_[place] = guess;
    return guess;
}

Guess AbstractInterpreter::settled(Guess guess) const {
    return guess.is_copy() && chosen_in_[at(guess.copied)] == run_number_ ? chosen_[at(guess.copied)] : guess;
}

bool AbstractInterpreter::assume(std::int32_t cell, std::int32_t wanted) {
    const std::size_t place = at(cell);
    if (run_of_[place] == run_number_ || chosen_in_[place] == run_number_) {
        const Guess guess = read(cell);
        return !guess.known || guess.value == wanted;
    }
    if (program_.low[place] == program_.high[place]) {
        return program_.low[place] == wanted;
    }
    looked_at.push_back(cell);
    Guess guess = kUnknown;
    if (wild[place] == 0) {
        const auto found = std::find(values[place].begin(), values[place].end(), wanted);
        if (found == values[place].end()) {
            return false;
        }
        used_new = used_new || found - values[place].begin() >= old_counts[place];
        guess = {wanted, true};
        reads.push_back({cell, guess});
    }
    run_of_[place] = chosen_in_[place] = run_number_;
    current_[place] = chosen_[place] = guess;
    return true;
}

void AbstractInterpreter::write(std::int32_t cell, Guess stored) {
    if (cell >= program_.state_cells) {
        scratch[at(cell - program_.state_cells)] = stored;
        return;
    }
    run_of_[at(cell)] = run_number_;
    current_[at(cell)] = stored;
    writes.push_back({cell, stored});
}

bool AbstractInterpreter::fit(const Domain& domain, Guess& stored) { return !stored.known || domain.fit(stored.value); }

// Whether every value of one cell can be that of another.
bool AbstractInterpreter::fits_all(const Domain& domain, std::int32_t target, std::int32_t source) const {
    std::int32_t low = domain.low, high = domain.high;
    if (target < program_.state_cells) {
        low = std::max(low, program_.low[at(target)]);
        high = std::min(high, program_.high[at(target)]);
    }
    return program_.low[at(source)] >= low && program_.high[at(source)] <= high;
}

bool AbstractInterpreter::store(std::int32_t cell, Guess stored, std::int32_t domain) {
    const Domain& rule = program_.domains[at(domain)];
    if (stored.is_copy() && fits_all(rule, cell, stored.copied)) {
        write(cell, stored);
        return true;
    }
    stored = resolve(stored);
    if (!fit(rule, stored) || (rule.wrap == 0 && may_fail(stored))) {
        return false;
    }
    if (cell < program_.state_cells && stored.known &&
        (stored.value < program_.low[at(cell)] || stored.value > program_.high[at(cell)])) {
        return false; // as in Machine::fit_cell
    }
    write(cell, stored);
    return true;
}

bool AbstractInterpreter::jump_on(Guess guess) {
    guessed = guessed || !guess.known;
    return guess.known ? guess.value != 0 : choose(2) == 1;
}

// Whether this run has not looked at a cell of the state that can have several values.
bool AbstractInterpreter::is_open(std::int32_t cell) const {
    const std::size_t place = at(cell);
    return cell < program_.state_cells && run_of_[place] != run_number_ && chosen_in_[place] != run_number_ &&
           wild[place] == 0 && program_.low[place] != program_.high[place];
}

// Where values are not read: whether a cell has one of those asked for. If it has, that is a condition; if not, nothing
// else is known of it, so that there are few ways to go on and not one for each of its values.
std::optional<bool> AbstractInterpreter::test(std::int32_t cell, const std::vector<std::int32_t>& wanted) {
    if (!loose || !is_open(cell)) {
        return std::nullopt;
    }
    looked_at.push_back(cell);
    guessed = true;
    std::vector<std::pair<std::int32_t, std::int32_t>> possible;
    for (const std::int32_t value : wanted) {
        const std::pair question(cell, value);
        const std::vector<std::int32_t>& known = values[at(cell)];
        if (std::find(known.begin(), known.end(), value) != known.end() &&
            std::find(denied_.begin(), denied_.end(), question) == denied_.end()) {
            possible.push_back(question);
        }
    }
    const std::int32_t taken = possible.empty() ? 0 : choose(static_cast<std::int32_t>(possible.size()) + 1);
    if (taken > 0) {
        return assume(cell, possible[at(taken - 1)].second);
    }
    denied_.insert(denied_.end(), possible.begin(), possible.end());
    return false;
}

std::optional<bool> AbstractInterpreter::test_equal(std::int32_t left, std::int32_t right) {
    const bool is_left = is_open(left);
    const std::int32_t cell = is_left ? left : right, other = is_left ? right : left;
    if (!loose || !is_open(cell) || other < program_.state_cells) {
        return std::nullopt;
    }
    const Guess wanted = read(other);
    return wanted.known ? test(cell, {wanted.value}) : std::nullopt;
}

std::optional<bool> AbstractInterpreter::test_set(std::int32_t cell, std::int32_t set) {
    if (!loose) {
        return std::nullopt;
    }
    const auto& members = program_.location_sets[at(set)];
    std::vector<std::int32_t> wanted;
    for (std::size_t location = 0; location < members.size(); ++location) {
        if (members[location] != 0) {
            wanted.push_back(static_cast<std::int32_t>(location));
        }
    }
    return test(cell, wanted);
}

Guess AbstractInterpreter::is_within(Guess location, std::int32_t set) const {
    const auto& members = program_.location_sets[at(set)];
    return {location.known && at(location.value) < members.size() && members[at(location.value)] != 0, location.known};
}

bool AbstractInterpreter::may_fail(Guess guess) {
    guessed = guessed || !guess.known;
    return !guess.known && errors && choose(2) == 1;
}

const Body* AbstractInterpreter::body(std::int32_t number) {
    const Guess tag = read_place(program_.processes[at(number)].tag);
    if (!tag.known || tag.value <= 0) {
        return nullptr;
    }
    const std::int32_t found = program_.body_of[at(number)][at(tag.value)];
    return found < 0 ? nullptr : &program_.bodies[at(found)];
}

std::int32_t AbstractInterpreter::live() {
    const auto count = static_cast<std::int32_t>(program_.processes.size());
    std::int32_t number = 0;
    while (number < count && body(number) != nullptr) {
        ++number;
    }
    return number;
}

const ChannelPlace* AbstractInterpreter::channel(std::int32_t number) {
    if (number >= 1 && number <= program_.network_channels) {
        return &program_.channels[at(number - 1)];
    }
    std::int32_t before = program_.network_channels;
    const auto count = static_cast<std::int32_t>(program_.processes.size());
    for (std::int32_t i = 0; number > before && i < count; ++i) {
        const Body* owner = body(i);
        if (owner == nullptr) {
            return nullptr;
        }
        if (number <= before + owner->channels) {
            return &program_.channels[at(owner->first_channel + number - before - 1)];
        }
        before += owner->channels;
    }
    return nullptr;
}

bool AbstractInterpreter::remove(std::int32_t number) {
    const auto count = static_cast<std::int32_t>(program_.processes.size());
    if (number + 1 < count && body(number + 1) != nullptr) {
        return false;
    }
    const ProcessPlace& place = program_.processes[at(number)];
    for (std::int32_t cell = place.first_cell; cell < place.end_cell; ++cell) {
        write(cell, {0, true});
    }
    return true;
}

bool AbstractInterpreter::start(const Instruction& ins) {
    const std::int32_t number = live();
    if (starting_ || at(number) >= program_.processes.size() || program_.body_of[at(number)][at(ins.b) + 1] < 0) {
        return false;
    }
    const Body& body = program_.bodies[at(program_.body_of[at(number)][at(ins.b) + 1])];
    std::int32_t following = program_.network_channels;
    for (std::int32_t i = 0; i < number; ++i) {
        following += this->body(i)->channels;
    }
    const ProcessPlace& place = program_.processes[at(number)];
    write(place.tag, {body.kind + 1, true});
    write(place.location, {body.initial_location, true});
    if (place.priority >= 0) {
        write(place.priority, kUnknown);
    }
    for (std::int32_t i = 0; i < body.locals_count; ++i) {
        const auto& row = program_.initial_cells[at(body.first_initial + i)];
        write(row[0], {row[1], true});
    }
    for (std::int32_t i = 0; i < body.parameters; ++i) {
        if (!store(body.locals + i, read(ins.c + i), program_.parameter_domains[at(body.first_parameter + i)])) {
            return false;
        }
    }
    for (std::int32_t i = 0; i < body.channels; ++i) {
        write(body.locals + body.locals_count - body.channels + i, {++following, true});
    }
    starting_ = true;
    const bool fine = run_if_any(body.setup) != End::kFailed;
    starting_ = false;
    write(ins.a, {number, true});
    return fine;
}

AbstractInterpreter::End AbstractInterpreter::run(std::int32_t block) {
    const std::size_t frames = frames_.size();
    const End end = follow(block, frames);
    frames_.resize(frames);
    return end;
}

AbstractInterpreter::End AbstractInterpreter::follow(std::int32_t block, std::size_t frames) {
    const Instruction* ins = program_.code.data() + block;
    const auto go = [&](std::int32_t target) { ins = program_.code.data() + target; };
    // Applies an arithmetic function where both operands are known.
    const auto both = [&](auto function) {
        const Guess left = read(ins->b);
        const Guess right = read(ins->c);
        write(ins->a, left.known && right.known
                          ? Guess{static_cast<std::int32_t>(function(left.value, right.value)), true}
                          : kUnknown);
        ++ins;
    };
    const auto compare = [&](auto function) {
        const Guess left = read(ins->a);
        const Guess right = read(ins->b);
        const Guess truth = left.known && right.known ? Guess{function(left.value, right.value), true} : kUnknown;
        jump_on(truth) ? go(ins->c) : void(++ins);
    };
    const auto is_equal = [&] {
        const std::optional<bool> tested = test_equal(ins->a, ins->b);
        if (tested) {
            return *tested;
        }
        const Guess left = read(ins->a);
        const Guess right = read(ins->b);
        return jump_on(left.known && right.known ? Guess{left.value == right.value, true} : kUnknown);
    };
    const auto u = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    while (true) {
        if (--budget_ < 0) {
            gave_up = true;
            return End::kFailed;
        }
        switch (static_cast<Op>(ins->op)) {
        case Op::RETURN_FALSE:
            return End::kFalse;
        case Op::RETURN_TRUE:
            return End::kTrue;
        case Op::RETURN_VALUE:
            value = read(ins->a);
            return End::kTrue;
        case Op::ERROR:
            return End::kFailed;
        case Op::JUMP:
        case Op::LOOP:
            go(ins->a);
            break;
        case Op::JUMP_IF:
            jump_on(read(ins->a)) ? go(ins->b) : void(++ins);
            break;
        case Op::JUMP_IF_NOT:
            jump_on(read(ins->a)) ? void(++ins) : go(ins->b);
            break;
        case Op::JUMP_EQ:
            is_equal() ? go(ins->c) : void(++ins);
            break;
        case Op::JUMP_NE:
            is_equal() ? void(++ins) : go(ins->c);
            break;
        case Op::JUMP_LT:
            compare([](auto x, auto y) { return x < y; });
            break;
        case Op::JUMP_LE:
            compare([](auto x, auto y) { return x <= y; });
            break;
        case Op::MOVE:
            write(ins->a, peek(ins->b));
            ++ins;
            break;
        case Op::NEGATE:
        case Op::NOT:
        case Op::INVERT: {
            Guess guess = read(ins->b);
            const auto op = static_cast<Op>(ins->op);
            guess.value = op == Op::NOT      ? guess.value == 0
                          : op == Op::INVERT ? ~guess.value
                                             : static_cast<std::int32_t>(0u - u(guess.value));
            write(ins->a, guess);
            ++ins;
            break;
        }
        case Op::ADD:
            both([&](auto x, auto y) { return u(x) + u(y); });
            break;
        case Op::SUBTRACT:
            both([&](auto x, auto y) { return u(x) - u(y); });
            break;
        case Op::MULTIPLY:
            both([&](auto x, auto y) { return u(x) * u(y); });
            break;
        case Op::DIVIDE:
        case Op::MODULO: {
            const Guess divisor = read(ins->c);
            if ((divisor.known && divisor.value == 0) || may_fail(divisor)) {
                return End::kFailed;
            }
            if (static_cast<Op>(ins->op) == Op::DIVIDE) {
                both([&](auto x, auto y) { return y == -1 ? 0u - u(x) : u(x / y); });
            } else {
                both([](auto x, auto y) { return y == -1 ? 0 : x % y; });
            }
            break;
        }
        case Op::AND:
            both([](auto x, auto y) { return x & y; });
            break;
        case Op::OR:
            both([](auto x, auto y) { return x | y; });
            break;
        case Op::XOR:
            both([](auto x, auto y) { return x ^ y; });
            break;
        case Op::SHIFT_LEFT:
            both([&](auto x, auto y) { return u(x) << (u(y) & 31u); });
            break;
        case Op::SHIFT_RIGHT:
            both([&](auto x, auto y) { return x >> (u(y) & 31u); });
            break;
        case Op::MINIMUM:
            both([](auto x, auto y) { return std::min(x, y); });
            break;
        case Op::MAXIMUM:
            both([](auto x, auto y) { return std::max(x, y); });
            break;
        case Op::EQUAL:
        case Op::NOT_EQUAL:
            if (const std::optional<bool> tested = test_equal(ins->b, ins->c)) {
                write(ins->a, {*tested == (static_cast<Op>(ins->op) == Op::EQUAL), true});
                ++ins;
            } else if (static_cast<Op>(ins->op) == Op::EQUAL) {
                both([](auto x, auto y) { return x == y; });
            } else {
                both([](auto x, auto y) { return x != y; });
            }
            break;
        case Op::LESS:
            both([](auto x, auto y) { return x < y; });
            break;
        case Op::LESS_EQUAL:
            both([](auto x, auto y) { return x <= y; });
            break;
        case Op::SCALE: {
            const Guess index = read(ins->b);
            if ((index.known && u(index.value) >= u(ins->d)) || may_fail(index)) {
                return End::kFailed;
            }
            write(ins->a, index.known ? Guess{static_cast<std::int32_t>(u(index.value) * u(ins->c)), true} : kUnknown);
            ++ins;
            break;
        }
        case Op::LOAD_AT: {
            const Guess offset = read(ins->b);
            if ((offset.known && u(offset.value) >= u(ins->d)) || may_fail(offset)) {
                return End::kFailed;
            }
            write(ins->a, offset.known ? read(ins->c + offset.value) : kUnknown);
            ++ins;
            break;
        }
        case Op::STORE:
            if (!store(ins->a, peek(ins->b), ins->c)) {
                return End::kFailed;
            }
            ++ins;
            break;
        case Op::STORE_AT: {
            const Guess offset = read(ins->b);
            if ((offset.known && u(offset.value) >= u(ins->d)) || may_fail(offset)) {
                return End::kFailed;
            }
            const Guess stored = peek(ins->c);
            if (!offset.known) {
                for (std::int32_t i = 0; i < ins->d; ++i) {
                    write(ins->a + i, kUnknown);
                }
            } else if (!store(ins->a + offset.value, stored, ins->e)) {
                return End::kFailed;
            }
            ++ins;
            break;
        }
        case Op::CHANNEL_LENGTH:
        case Op::CHANNEL_CAPACITY: {
            const Guess number = read(ins->b);
            const ChannelPlace* found = number.known ? channel(number.value) : nullptr;
            if ((number.known && found == nullptr) || may_fail(number)) {
                return End::kFailed;
            }
            write(ins->a, found == nullptr                                 ? kUnknown
                          : static_cast<Op>(ins->op) == Op::CHANNEL_LENGTH ? read(found->length)
                                                                           : Guess{found->capacity, true});
            ++ins;
            break;
        }
        case Op::SAVE: {
            if (frames_.size() - frames >= Machine::kCallLimit) {
                return End::kFailed;
            }
            const auto first = scratch.begin() + (ins->a - program_.state_cells);
            frames_.push_back({ins->a, ins->c, {first, first + ins->b}});
            ++ins;
            break;
        }
        case Op::UNWIND:
            if (frames_.size() == frames || frames_.back().first != ins->a) {
                ++ins;
                break;
            }
            std::copy(frames_.back().cells.begin(), frames_.back().cells.end(),
                      scratch.begin() + (ins->a - program_.state_cells));
            go(frames_.back().resume);
            frames_.pop_back();
            break;
        case Op::START:
            if (!start(*ins)) {
                return End::kFailed;
            }
            ++ins;
            break;
        case Op::SET_PRIORITY:
            ++ins;
            break;
        case Op::IN_SET: {
            write(ins->a, is_within(read(ins->b), ins->c));
            ++ins;
            break;
        }
        case Op::AT: {
            const Guess number = read(ins->b);
            Guess truth = kUnknown;
            if (number.known && number.value >= 0 && at(number.value) < program_.processes.size()) {
                const Body* owner = body(number.value);
                truth = {0, true};
                if (owner != nullptr && owner->kind == ins->c) {
                    const std::int32_t place = program_.processes[at(number.value)].location;
                    const std::optional<bool> tested = test_set(place, ins->d);
                    truth = tested ? Guess{*tested, true} : is_within(read(place), ins->d);
                }
            } else if (number.known) {
                truth = {0, true};
            }
            write(ins->a, truth);
            ++ins;
            break;
        }
        case Op::REMOTE: {
            const Guess number = read(ins->b);
            const Guess offset = read(ins->c);
            Guess found = kUnknown;
            if (number.known && offset.known && number.value >= 0 && at(number.value) < program_.processes.size()) {
                const Body* owner = body(number.value);
                const bool fits = owner != nullptr && owner->kind == ins->d && offset.value >= 0 &&
                                  offset.value < owner->locals_count;
                found = fits ? read(owner->locals + offset.value) : Guess{0, true};
            }
            write(ins->a, found);
            ++ins;
            break;
        }
        case Op::POLL:
        case Op::FIND:
        case Op::NONPROGRESS:
        case Op::ENABLED:
        case Op::LOCATION_OF:
        case Op::PRIORITY_OF:
        case Op::COUNT:
            write(ins->a, kUnknown);
            ++ins;
            break;
        }
    }
}

} // namespace beeline
