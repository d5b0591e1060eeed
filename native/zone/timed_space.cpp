#include "zone/timed_space.hpp"

#include "vm/at.hpp"

#include <algorithm>
#include <stdexcept>

namespace beeline {
namespace {

using zone::Bound;

static_assert(kNotAhead == zone::kLeZero);

// Zones of so many clocks are small enough to have room for all of them in each state.
constexpr std::size_t kFewClocks = 64;
constexpr std::size_t kFirstRoom = 16;

} // namespace

TimedSpace::TimedSpace(std::shared_ptr<const Program> program, std::shared_ptr<const ClockTables> clocks)
    : program_(std::move(program)), clocks_(std::move(clocks)), machine_(*program_), discrete_(program_->words),
      packer_(clocks_->dim), room_(clocks_->dim <= kFewClocks || needs_all_clocks() ? clocks_->dim : kFirstRoom),
      all_(needs_all_clocks() ? zone::Frame::of_all(clocks_->dim) : zone::Frame(clocks_->dim)),
      origin_frame_(clocks_->dim), target_frame_(clocks_->dim), origin_running_(clocks_->dim, 1), dead_(clocks_->dim),
      running_(clocks_->dim, 1), clock_lower_(clocks_->dim, zone::kNeverCompared),
      clock_upper_(clocks_->dim, zone::kNeverCompared), extents_(clocks_->measures.size()) {
    origin_running_[0] = running_[0] = 0;
    clock_lower_[0] = clock_upper_[0] = 0;
    find_static_facts();
    use(all_);
    confine(true);
}

std::unique_ptr<TimedSpace> TimedSpace::twin() const {
    auto other = std::make_unique<TimedSpace>(program_, clocks_);
    if (symmetry_ != nullptr) {
        other->fold(symmetry_->clone());
    }
    other->room_ = room_;
    other->confined_ = confined_;
    other->joints_ = joints_;
    return other;
}

void TimedSpace::check_state(const Word* state) {
    std::vector<std::int32_t> cells(program_->initial);
    program_->unpack(state, cells.data());
    program_->check_cells(cells.data());
    const Word* packed = state + discrete_;
    if (!packer_.is_zone(packed, room_)) {
        throw std::invalid_argument("the zone has other clocks than the network");
    }
    const Bound* zone = packer_.matrix(packed);
    const std::size_t dim = packer_.count(packed);
    for (std::size_t i = 0; i < dim * dim; ++i) {
        if (zone[i] != zone::kInfinity && std::abs(zone::constant_of(zone[i])) > zone::kLargestBound) {
            throw std::invalid_argument("a bound of the zone is too large");
        }
    }
    for (std::size_t j = 0; j < dim; ++j) {
        if (zone[j] > zone::kLeZero) {
            throw std::invalid_argument("a clock of the zone may be negative");
        }
    }
    if (!zone::is_tight(zone, dim)) {
        throw std::invalid_argument("the zone is empty or not tight");
    }
}

// Frames

// Where it is asked where guards fail, or what is known of clocks that no guard asks for.
bool TimedSpace::needs_all_clocks() const {
    const bool priorities = (program_->flags & (kPriorities | kChannelPriorities)) != 0;
    return symmetry_ != nullptr || priorities || clocks_->finds_deadlocks || clocks_->confined || clocks_->merges ||
           !clocks_->diagonals.empty() || !clocks_->measures.empty() || !clocks_->rates.empty() ||
           clocks_->extrapolation == Extrapolation::None;
}

void TimedSpace::fold(std::shared_ptr<Canonicaliser> symmetry) {
    symmetry_ = std::move(symmetry);
    all_ = zone::Frame::of_all(clocks_->dim);
    room_ = clocks_->dim;
    use(all_);
}

void TimedSpace::use(const zone::Frame& frame) {
    frame_ = &frame;
    dim_ = frame.dim();
    size_ = dim_ * dim_;
    if (goal_.size() < size_) {
        goal_.resize(size_);
        before_.resize(size_);
    }
}

// Makes the zone of a state that of the origin, in the frame of the machine's discrete state.
void TimedSpace::read_zone(const Word* state) {
    if (needs_all_clocks()) {
        use(all_);
    } else {
        collect_limits();
        frame_limited(origin_frame_);
        use(origin_frame_);
    }
    origin_bounds_.resize(size_);
    packer_.unpack(state + discrete_, *frame_, origin_bounds_.data());
    origin_zone_ = origin_bounds_.data();
}

void TimedSpace::carry_over(const Bound* zone, const zone::Frame& frame) {
    const zone::Frame& before = *frame_;
    const std::size_t width = dim_;
    target_.resize(frame.dim() * frame.dim());
    if (&frame == &before) {
        std::copy_n(zone, size_, target_.data());
        return;
    }
    Bound* bound = target_.data();
    for (std::size_t i = 0; i < frame.dim(); ++i) {
        const std::int32_t row = before.place(frame.clock(i));
        for (std::size_t j = 0; j < frame.dim(); ++j) {
            const std::int32_t column = before.place(frame.clock(j));
            const bool known = row != zone::Frame::kNowhere;
            *bound++ = i == j  ? zone::kLeZero
                       : known ? zone[at(row) * width + at(std::max(column, 0))] // a forgotten clock may be zero
                               : zone::kInfinity;
        }
    }
    use(frame);
}

std::vector<Bound> TimedSpace::bounds(const Word* state) {
    const zone::Frame all = zone::Frame::of_all(clocks_->dim);
    std::vector<Bound> found(all.dim() * all.dim());
    packer_.unpack(state + discrete_, all, found.data());
    return found;
}

// Processes that may matter

void TimedSpace::find_static_facts() {
    const std::size_t locations = program_->locations.size();
    matters_.resize(locations);
    may_hurry_.resize(locations);
    place_of_.resize(program_->edges.size());
    receivers_.resize(program_->channels.size() + 1);
    for (std::size_t place = 0; place < locations; ++place) {
        const LocationRow& row = program_->locations[place];
        for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
            const EdgeRow& leaving = program_->edges[at(edge)];
            place_of_[at(edge)] = place;
            if (leaving.is(Sync::Send) && clocks_->has_urgent_channels) {
                may_hurry_[place] |= leaving.channel_block >= 0 || leaving.channel <= 0 ||
                                     clocks_->urgent_channels[at(leaving.channel - 1)] != 0;
            }
            if (leaving.is(Sync::Receive)) {
                const bool known = leaving.channel_block < 0 && leaving.channel > 0;
                (known ? receivers_[at(leaving.channel)] : other_receivers_).push_back(edge);
            }
        }
        const InvariantRow& invariant = clocks_->invariants[place];
        const bool rated = clocks_->location_rates[place].count > 0;
        matters_[place] = invariant.condition >= 0 || invariant.count > 0 || invariant.urgent != 0 || rated ||
                          (row.flags & kCommitted) != 0 || may_hurry_[place] != 0 || !clocks_->limits[place].empty();
    }
    for (std::vector<std::int32_t>& edges : receivers_) {
        std::sort(edges.begin(), edges.end());
    }
    std::sort(other_receivers_.begin(), other_receivers_.end());
    find_levels();
}

// Edges that close a loop, as depth-first search finds them, are left out. What is left has no cycles, and the order in
// which the locations were done is one against their direction.
void TimedSpace::find_levels() {
    struct Visit {
        std::size_t place;
        std::int32_t next; // edge
    };
    enum class Mark : std::uint8_t { New, OnStack, Done };
    levels_.assign(program_->locations.size(), 0);
    std::vector<Mark> marks(levels_.size(), Mark::New);
    std::vector<Visit> stack;
    std::vector<std::size_t> done;
    std::vector<std::uint8_t> closes(program_->edges.size(), 0);
    for (const Body& body : program_->bodies) {
        const auto first = at(body.first_location);
        const auto target = [&](std::int32_t edge) { return first + at(program_->edges[at(edge)].target); };
        const auto enter = [&](std::size_t place) {
            marks[place] = Mark::OnStack;
            stack.push_back({place, program_->locations[place].first_edge});
        };
        done.clear();
        if (body.locations > 0) {
            enter(first + at(body.initial_location));
        }
        while (!stack.empty()) {
            Visit& visit = stack.back();
            const LocationRow& row = program_->locations[visit.place];
            if (visit.next == row.first_edge + row.edges) {
                marks[visit.place] = Mark::Done;
                done.push_back(visit.place);
                stack.pop_back();
                continue;
            }
            const std::int32_t edge = visit.next++;
            closes[at(edge)] = marks[target(edge)] == Mark::OnStack;
            if (marks[target(edge)] == Mark::New) {
                enter(target(edge));
            }
        }
        for (auto place = done.rbegin(); place != done.rend(); ++place) {
            const LocationRow& row = program_->locations[*place];
            for (std::int32_t edge = row.first_edge; edge < row.first_edge + row.edges; ++edge) {
                if (closes[at(edge)] == 0) {
                    levels_[target(edge)] = std::max(levels_[target(edge)], levels_[*place] + 1);
                }
            }
        }
    }
}

std::uint64_t TimedSpace::progress(const Word* state) {
    program_->unpack(state, machine_.cells.data());
    std::uint64_t sum = 0;
    for (std::size_t pid = 0; pid < program_->processes.size(); ++pid) {
        sum += levels_[location_index(static_cast<std::int32_t>(pid))];
    }
    return sum;
}

void TimedSpace::watch_all() {
    settled_.clear();
    for (std::size_t pid = 0; pid < program_->processes.size(); ++pid) {
        if (matters_[location_index(static_cast<std::int32_t>(pid))] != 0) {
            settled_.push_back(static_cast<std::int32_t>(pid));
        }
    }
    watched_ = &settled_;
}

void TimedSpace::watch_also(const std::vector<Part>& parts) {
    moved_ = settled_;
    for (const Part& part : parts) {
        const auto place = std::lower_bound(moved_.begin(), moved_.end(), part.pid);
        if (place == moved_.end() || *place != part.pid) {
            moved_.insert(place, part.pid);
        }
    }
    watched_ = &moved_;
}

// Constraints

bool TimedSpace::resolve(std::int32_t block, std::int32_t& number) {
    if (block < 0) {
        return true;
    }
    if (machine_.run(block) == Machine::kFailed) {
        return false;
    }
    number = machine_.value;
    return true;
}

// Cuts a zone to a range of constraints, whose clocks and bounds are those of the machine's present state.
TimedSpace::Outcome TimedSpace::cut(std::int32_t first, std::int32_t count, Bound* zone) {
    for (std::int32_t i = first; i < first + count; ++i) {
        const ClockTest& test = clocks_->tests[at(i)];
        if (test.unless >= 0) {
            const Machine::Result waived = machine_.run(test.unless);
            if (waived == Machine::kFailed) {
                return Outcome::Failed;
            }
            if (waived == Machine::kTrue) {
                continue;
            }
        }
        std::int32_t x = test.x, y = test.y, bound = test.bound;
        if (!resolve(test.x_block, x) || !resolve(test.y_block, y) || !resolve(test.bound_block, bound)) {
            return Outcome::Failed;
        }
        const std::size_t clocks = clocks_->dim;
        if (at(x) >= clocks || at(y) >= clocks || std::abs(std::int64_t{bound}) > zone::largest_constant(clocks)) {
            machine_.error = Error::Range;
            return Outcome::Failed;
        }
        if (x == y) {
            const bool holds[] = {0 < bound, 0 <= bound, 0 == bound, 0 >= bound, 0 > bound};
            if (!holds[at(test.comparison)]) {
                return Outcome::Empty;
            }
            continue;
        }
        const auto comparison = static_cast<Comparison>(test.comparison);
        x = frame_->place(at(x));
        y = frame_->place(at(y));
        if (x == zone::Frame::kNowhere || y == zone::Frame::kNowhere) {
            machine_.error = Error::Range; // only malformed tables compare a clock that has no limits
            return Outcome::Failed;
        }
        bool left = true;
        if (comparison == Comparison::Less || comparison == Comparison::AtMost || comparison == Comparison::Equal) {
            const bool strict = comparison == Comparison::Less;
            left = zone::constrain(zone, dim_, at(x), at(y), strict ? zone::less_than(bound) : zone::at_most(bound));
        }
        if (left && comparison >= Comparison::Equal) {
            const bool strict = comparison == Comparison::Greater;
            left = zone::constrain(zone, dim_, at(y), at(x), strict ? zone::less_than(-bound) : zone::at_most(-bound));
        }
        if (!left) {
            return Outcome::Empty;
        }
    }
    return Outcome::Some;
}

TimedSpace::Outcome TimedSpace::cut_to_invariants(Bound* zone) {
    for (const std::int32_t pid : *watched_) {
        const InvariantRow& row = clocks_->invariants[location_index(pid)];
        if (row.count > 0) {
            const Outcome outcome = cut(row.first, row.count, zone);
            if (outcome != Outcome::Some) {
                return outcome;
            }
        }
    }
    return Outcome::Some;
}

bool TimedSpace::plain_invariants_hold(bool& failed) {
    for (const std::int32_t pid : *watched_) {
        const InvariantRow& row = clocks_->invariants[location_index(pid)];
        const Machine::Result result = machine_.run_if_any(row.condition);
        if (result != Machine::kTrue) {
            failed = result == Machine::kFailed;
            return false;
        }
    }
    return true;
}

// Expansion

void TimedSpace::initial(SuccessorBuffer& out) {
    std::copy(program_->initial.begin(), program_->initial.end(), machine_.cells.begin());
    machine_.log.clear();
    std::vector<Word> start(discrete_);
    program_->pack(machine_.cells.data(), start.data());
    origin_ = start.data();
    out_ = &out;
    watch_all();
    collect_limits();
    if (!needs_all_clocks()) {
        frame_limited(target_frame_);
    }
    use(needs_all_clocks() ? all_ : target_frame_);
    target_.resize(size_);
    zone::set_zero(target_.data(), dim_);
    bool failed = false;
    Outcome outcome = Outcome::Empty;
    if (plain_invariants_hold(failed)) {
        outcome = cut_to_invariants(target_.data());
    }
    failed |= outcome == Outcome::Failed || (outcome == Outcome::Some && !arrive(0, target_.data()));
    if (failed) {
        fail(0);
    }
}

std::uint32_t TimedSpace::expand(const Word* state, SuccessorBuffer& out) {
    program_->unpack(state, machine_.cells.data());
    machine_.log.clear();
    origin_ = state;
    out_ = &out;
    watch_all();
    read_zone(state);
    committed_ = std::any_of(settled_.begin(), settled_.end(), [this](std::int32_t pid) { return is_committed(pid); });
    if (clocks_->finds_deadlocks) {
        origin_stands_ = find_running(origin_running_) != Passing::Ever;
        dead_.clear();
        dead_.add(origin_zone_);
    }
    steps();
    return marks_of_origin(origin_zone_);
}

// A goal that asks for deadlock, or its absence, is decided when all steps of the state are known.
std::uint32_t TimedSpace::marks_of_origin(const Bound* zone) {
    if (confined_) {
        zone::Federation ends(dim_);
        return find_endings(ends);
    }
    if (!clocks_->finds_deadlocks || clocks_->confined) {
        return kNone;
    }
    std::uint32_t marks = dead_.empty() ? kNone : kDeadlock;
    for (const GoalCase& goal : clocks_->goals) {
        if (goal.deadlock == 0 || machine_.run_if_any(goal.condition) != Machine::kTrue) {
            continue;
        }
        zone::Federation wanted = parts_to_meet(goal, zone);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (cut(goal.first, goal.count, wanted[i]) == Outcome::Some) {
                marks |= kGoal;
                measure_part(goal, wanted[i]);
            }
        }
    }
    return marks;
}

zone::Federation TimedSpace::parts_to_meet(const GoalCase& goal, const Bound* zone) const {
    if (goal.deadlock > 0) {
        return dead_;
    }
    zone::Federation wanted(dim_);
    wanted.add(zone);
    if (goal.deadlock < 0 && clocks_->rates.empty()) { // with rates too many points may seem dead
        for (std::size_t i = 0; i < dead_.size(); ++i) {
            wanted.subtract(dead_[i]);
        }
    }
    return wanted;
}

std::vector<std::vector<Bound>> TimedSpace::parts_by_deadlock(const Word* state, bool dead) {
    if (!clocks_->finds_deadlocks) {
        throw std::invalid_argument("this zone graph does not look for deadlocks");
    }
    SuccessorBuffer ignored(words());
    expand(state, ignored);
    zone::Federation found = dead_;
    if (!dead) {
        found.clear();
        found.add(origin_zone_);
        for (std::size_t i = 0; clocks_->rates.empty() && i < dead_.size(); ++i) {
            found.subtract(dead_[i]);
        }
    }
    std::vector<std::vector<Bound>> parts;
    for (std::size_t i = 0; i < found.size(); ++i) {
        parts.emplace_back(found[i], found[i] + size_);
    }
    return parts;
}

// Taking a step

std::uint32_t TimedSpace::action_of(const std::vector<Part>& parts) {
    if (parts.size() == 1) {
        return static_cast<std::uint32_t>(parts.front().edge);
    }
    changed_.clear();
    for (const Part& part : parts) {
        changed_.push_back(part.edge);
    }
    const auto [place, fresh] = joint_actions_.try_emplace(changed_, 0);
    if (fresh) {
        const std::size_t joint = joints_->number(changed_);
        place->second = static_cast<std::uint32_t>(program_->edges.size() + joint);
        joint_edges_.resize(std::max(joint_edges_.size(), joint + 1));
        joint_edges_[joint] = changed_;
    }
    return place->second;
}

std::vector<std::int32_t> TimedSpace::edges_of(std::uint32_t action) const {
    if (action < program_->edges.size()) {
        return {static_cast<std::int32_t>(action)};
    }
    return joints_->edges(action - program_->edges.size());
}

StepParts TimedSpace::parts_of(std::uint32_t action) const {
    if (action < program_->edges.size()) {
        return {action, 0};
    }
    const std::vector<std::int32_t>& joint = joint_edges_[action - program_->edges.size()];
    return {static_cast<std::uint32_t>(joint[0]), static_cast<std::uint32_t>(joint[1]) + 1};
}

// `zone` is the part of the origin in which all guards hold.
void TimedSpace::take(const std::vector<Part>& parts, const Bound* zone) {
    const zone::Frame& before = *frame_;
    const std::size_t mark = machine_.log.size();
    const std::uint32_t action = action_of(parts);
    bool failed = !perform(parts);
    if (!failed && plain_invariants_hold(failed)) {
        if (clocks_->finds_deadlocks) {
            note_escape(zone);
        }
        collect_limits();
        if (!needs_all_clocks()) {
            frame_limited(target_frame_);
        }
        carry_over(zone, needs_all_clocks() ? all_ : target_frame_);
        apply_resets(target_.data());
        const Outcome outcome = cut_to_invariants(target_.data());
        failed = outcome == Outcome::Failed;
        if (outcome == Outcome::Some) {
            failed = !arrive(action, target_.data());
        }
        use(before);
    }
    if (failed) {
        if (clocks_->finds_deadlocks) {
            dead_.clear();
        }
        fail(action);
    }
    undo(mark);
}

void TimedSpace::undo(std::size_t mark) {
    machine_.undo(mark);
    watched_ = &settled_;
}

bool TimedSpace::perform(const std::vector<Part>& parts) {
    const bool receivers_first = (program_->flags & kReceiversFirst) != 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t turn = receivers_first ? (i + 1) % parts.size() : i;
        if (machine_.run_if_any(program_->edges[at(parts[turn].edge)].effect) == Machine::kFailed) {
            return false;
        }
    }
    for (const Part& part : parts) {
        machine_.set(program_->processes[at(part.pid)].location, program_->edges[at(part.edge)].target);
    }
    watch_also(parts);
    return true;
}

// A clock's cell holds the value it is reset to, plus one; it is zero in every state that is handed out.
void TimedSpace::apply_resets(Bound* zone) const {
    for (const Change& change : machine_.log) {
        const std::int32_t clock = clocks_->clock_of_cell[at(change.cell)];
        const std::int32_t place = clock > 0 ? frame_->place(at(clock)) : 0;
        if (place > 0 && machine_.cells[at(change.cell)] > 0) {
            zone::reset(zone, dim_, at(place), machine_.cells[at(change.cell)] - 1);
        }
    }
}

bool TimedSpace::cut_to_arriving(Bound* zone) {
    zone::set_universe(before_.data(), dim_);
    if (cut_to_invariants(before_.data()) != Outcome::Some) {
        return false;
    }
    for (const Change& change : machine_.log) {
        const std::int32_t clock = clocks_->clock_of_cell[at(change.cell)];
        if (clock <= 0 || machine_.cells[at(change.cell)] <= 0) {
            continue;
        }
        const std::int32_t value = machine_.cells[at(change.cell)] - 1;
        if (!zone::constrain(before_.data(), dim_, at(clock), 0, zone::at_most(value)) ||
            !zone::constrain(before_.data(), dim_, 0, at(clock), zone::at_most(-value))) {
            return false;
        }
        zone::free_clock(before_.data(), dim_, at(clock));
    }
    return zone::intersect(zone, before_.data(), dim_);
}

// Takes the points from which the step can be taken, now or after a delay, off the deadlocked ones.
void TimedSpace::note_escape(const Bound* enabled) {
    std::copy_n(enabled, size_, goal_.data());
    if (!cut_to_arriving(goal_.data())) {
        return;
    }
    if (origin_stands_) {
        dead_.subtract(goal_.data());
    } else if (clocks_->rates.empty()) {
        zone::down(goal_.data(), dim_);
        dead_.subtract(goal_.data());
    } else {
        dead_.subtract(goal_.data()); // all of the past may not be found
        if (zone::down_running(goal_.data(), dim_, origin_running_.data(), origin_zone_)) {
            dead_.subtract(goal_.data());
        }
    }
}

void TimedSpace::fail(std::uint32_t action) {
    Word* target = out_->add(action, kError, static_cast<std::uint32_t>(machine_.error) + 1);
    std::copy_n(origin_, discrete_, target);
    const Bound zero = zone::kLeZero;
    packer_.pack(&zero, zone::Frame(clocks_->dim), room_, target + discrete_);
}

} // namespace beeline
