#include "vm/program.hpp"

#include "state/hash.hpp"
#include "vm/check.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace beeline {

const std::vector<OpInfo>& op_table() {
    static const std::vector<OpInfo> table = {
#define OP(name, signature) {#name, signature},
#include "vm/opcodes.def"
#undef OP
    };
    return table;
}

namespace {

using Row = std::vector<std::int32_t>;

template <class T>
T read_row(const Row& row, const std::string& name) {
    constexpr std::size_t width = sizeof(T) / sizeof(std::int32_t);
    if (row.size() != width) {
        throw std::invalid_argument("table '" + name + "' has a row of the wrong length");
    }
    T value;
    std::int32_t* fields = reinterpret_cast<std::int32_t*>(&value);
    std::copy(row.begin(), row.end(), fields);
    return value;
}

template <class Map>
const typename Map::mapped_type& find(const Map& map, const std::string& name) {
    const auto found = map.find(name);
    if (found == map.end()) {
        throw std::invalid_argument("table '" + name + "' is missing");
    }
    return found->second;
}

template <class T>
std::vector<T> read_rows(const Tables& tables, const std::string& name) {
    std::vector<T> result;
    for (const Row& row : find(tables.rows, name)) {
        result.push_back(read_row<T>(row, name));
    }
    return result;
}

std::vector<std::vector<std::uint8_t>> read_sets(const Tables& tables, const std::string& name) {
    std::vector<std::vector<std::uint8_t>> sets;
    for (const Row& members : find(tables.rows, name)) {
        std::vector<std::uint8_t> set;
        for (const std::int32_t member : members) {
            if (member < 0 || member > 1 << 20) {
                throw std::invalid_argument("table '" + name + "' has a member out of range");
            }
            set.resize(std::max<std::size_t>(set.size(), static_cast<std::size_t>(member) + 1));
            set[static_cast<std::size_t>(member)] = 1;
        }
        sets.push_back(std::move(set));
    }
    return sets;
}

} // namespace

Program::Program(const Tables& tables) {
    struct Bounds {
        std::int32_t low, high;
    };
    for (const Bounds& cell : read_rows<Bounds>(tables, "cells")) {
        low.push_back(cell.low);
        high.push_back(cell.high);
    }
    constants = find(tables.lists, "constants");
    const std::int32_t temporaries = find(tables.numbers, "temporaries");
    if (temporaries < 0 || temporaries > 1 << 24) {
        throw std::invalid_argument("the number of temporaries is out of range");
    }
    state_cells = static_cast<std::int32_t>(low.size());
    memory_cells = state_cells + static_cast<std::int32_t>(constants.size()) + temporaries;
    zero_cell = memory_cells;
    code = read_rows<Instruction>(tables, "code");
    domains = read_rows<Domain>(tables, "domains");
    location_sets = read_sets(tables, "location_sets");
    pattern_lists = find(tables.rows, "pattern_lists");
    channels = read_rows<ChannelPlace>(tables, "channels");
    network_channels = find(tables.numbers, "network_channels");
    field_domains = find(tables.lists, "field_domains");
    parameter_domains = find(tables.lists, "parameter_domains");
    processes = read_rows<ProcessPlace>(tables, "processes");
    bodies = read_rows<Body>(tables, "bodies");
    initial_cells = find(tables.rows, "initial_cells");
    locations = read_rows<LocationRow>(tables, "locations");
    edges = read_rows<EdgeRow>(tables, "edges");
    monitor = read_rows<MonitorRow>(tables, "monitor");
    monitor_edges = read_rows<MonitorEdge>(tables, "monitor_edges");
    label_members = read_sets(tables, "labels");
    hidden = find(tables.rows, "hidden");
    initial = find(tables.lists, "initial");
    kinds = find(tables.numbers, "kinds");
    timeout_cell = find(tables.numbers, "timeout_cell");
    message_cell = find(tables.numbers, "message_cell");
    message_cells = find(tables.numbers, "message_cells");
    control = find(tables.numbers, "control");
    last = find(tables.numbers, "last");
    monitor_cell = find(tables.numbers, "monitor_cell");
    acceptance_sets = find(tables.numbers, "acceptance_sets");
    goal = find(tables.numbers, "goal");
    flags = find(tables.numbers, "flags");
    goal_reads.assign(low.size(), find(tables.numbers, "goal_reads_all") != 0);
    for (const std::int32_t cell : find(tables.lists, "goal_reads")) {
        if (cell < 0 || cell >= state_cells) {
            throw std::invalid_argument("the goal reads a cell that is not there");
        }
        goal_reads[static_cast<std::size_t>(cell)] = 1;
    }
    check_program(*this);
    body_of.assign(processes.size(), Row(static_cast<std::size_t>(kinds) + 1, -1));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        body_of[static_cast<std::size_t>(bodies[i].number)][static_cast<std::size_t>(bodies[i].kind) + 1] =
            static_cast<std::int32_t>(i);
        has_owned_channels = has_owned_channels || bodies[i].channels > 0;
    }
    number_of_edge.assign(edges.size(), -1);
    for (const Body& body : bodies) {
        for (std::int32_t location = 0; location < body.locations; ++location) {
            const LocationRow& row = locations[static_cast<std::size_t>(body.first_location + location)];
            std::fill_n(number_of_edge.begin() + row.first_edge, row.edges, body.number);
        }
    }
    lay_out_bits({low, high});
    plan = make_plan(*this);
    check_cells(initial.data());
}

namespace {

std::uint32_t bits_of(std::int32_t low, std::int32_t high) {
    return static_cast<std::uint32_t>(
        std::bit_width(static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low)));
}

// Bits for a cell in the first word that has so many free ones side by side. `used` has the bits taken, by word.
Packing find_place(std::int32_t cell, std::int32_t low, std::uint32_t bits, std::vector<std::uint32_t>& used) {
    Packing place{cell, low, 0, 0, 0, ~0u};
    if (bits == 0) {
        return place;
    }
    place.mask = bits == 32 ? ~0u : (1u << bits) - 1;
    for (std::uint32_t word = 0;; ++word) {
        if (word == used.size()) {
            used.push_back(0);
        }
        for (std::uint32_t shift = 0; used[word] != ~0u && shift + bits <= 32; ++shift) {
            if ((used[word] >> shift & place.mask) == 0) {
                place.word = word;
                place.shift = shift;
                place.keep = ~(place.mask << shift);
                used[word] |= ~place.keep;
                return place;
            }
        }
    }
}

} // namespace

// Cells in their order, so that those that change together lie together; small ones also fill gaps that larger ones
// left. No cell crosses a word's border.
void Program::lay_out_bits(const Ranges& ranges) {
    packing.resize(low.size());
    std::vector<std::uint32_t> used;
    for (std::size_t i = 0; i < low.size(); ++i) {
        const std::uint32_t bits = bits_of(ranges.low[i], ranges.high[i]);
        packing[i] = find_place(static_cast<std::int32_t>(i), ranges.low[i], bits, used);
    }
    words = std::max<std::size_t>(1, used.size());
    list_places();
}

// What is derived from the places of single cells.
void Program::list_places() {
    hash_keys = make_hash_keys(words);
    packed_cells.clear();
    first_of_word.clear();
    for (const Packing& place : packing) {
        if (place.mask != 0) {
            packed_cells.push_back(place);
        }
    }
    std::stable_sort(packed_cells.begin(), packed_cells.end(),
                     [](const Packing& x, const Packing& y) { return x.word < y.word; });
    for (std::size_t i = 0, word = 0; word <= words; ++word) {
        while (i < packed_cells.size() && packed_cells[i].word < word) {
            ++i;
        }
        first_of_word.push_back(i);
    }
}

Program Program::with_ranges(const Ranges& ranges) const {
    Program other(*this);
    other.lay_out_bits(ranges);
    other.plan = make_plan(other);
    return other;
}

Program Program::in_layout_of(const Program& other) const {
    Program same(*this);
    same.packing = other.packing;
    same.words = other.words;
    same.list_places();
    same.plan = make_plan(same);
    return same;
}

Program Program::with_range(std::int32_t cell, std::int32_t lowest, std::int32_t highest) const {
    Program other(*this);
    std::vector<std::uint32_t> used(words);
    for (const Packing& place : packed_cells) {
        used[place.word] |= place.cell == cell ? 0 : ~place.keep;
    }
    Packing& place = other.packing[static_cast<std::size_t>(cell)];
    const std::uint32_t bits = bits_of(lowest, highest);
    const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    // Where the bits above are free it can stay, and states remain as they are.
    const bool stays = place.mask != 0 && place.low == lowest && place.shift + bits <= 32 &&
                       (used[place.word] >> place.shift & mask) == 0;
    if (stays) {
        place.mask = mask;
        place.keep = ~(mask << place.shift);
    } else {
        place = find_place(cell, lowest, bits, used);
    }
    other.words = used.size();
    other.list_places();
    other.plan = make_plan(other);
    return other;
}

void Program::pack(const std::int32_t* cells, std::uint32_t* out) const {
    std::fill(out, out + words, 0u);
    for (const Packing& place : packed_cells) {
        out[place.word] |= (static_cast<std::uint32_t>(cells[place.cell]) - static_cast<std::uint32_t>(place.low))
                           << place.shift;
    }
}

void Program::unpack(const std::uint32_t* in, std::int32_t* cells) const {
    for (const Packing& place : packed_cells) {
        cells[place.cell] = static_cast<std::int32_t>(static_cast<std::uint32_t>(place.low) +
                                                      ((in[place.word] >> place.shift) & place.mask));
    }
}

std::uint64_t Program::unpack_changed(const std::uint32_t* in, std::uint32_t* old, std::int32_t* cells) const {
    std::uint64_t difference = 0;
    for (std::size_t w = 0; w < words; ++w) {
        const std::uint32_t word = in[w];
        if (word == old[w]) {
            continue;
        }
        difference += hash_difference(hash_keys[w], old[w], word);
        old[w] = word;
        for (std::size_t i = first_of_word[w]; i < first_of_word[w + 1]; ++i) {
            const Packing& place = packed_cells[i];
            cells[place.cell] =
                static_cast<std::int32_t>(static_cast<std::uint32_t>(place.low) + ((word >> place.shift) & place.mask));
        }
    }
    return difference;
}

void Program::check_cells(const std::int32_t* cells) const {
    for (std::size_t i = 0; i < low.size(); ++i) {
        if (cells[i] < low[i] || cells[i] > high[i]) {
            throw std::invalid_argument("cell " + std::to_string(i) + " of the state is out of its range");
        }
    }
    bool alive = true;
    std::int32_t count = 0;
    for (std::size_t number = 0; number < processes.size(); ++number) {
        const std::int32_t tag = cells[processes[number].tag];
        if (tag < 0 || tag > kinds || (tag > 0 && (!alive || body_of[number][static_cast<std::size_t>(tag)] < 0))) {
            throw std::invalid_argument("process " + std::to_string(number) + " of the state has an impossible kind");
        }
        alive = alive && tag > 0;
        if (tag == 0) {
            continue;
        }
        ++count;
        const Body& body = bodies[static_cast<std::size_t>(body_of[number][static_cast<std::size_t>(tag)])];
        const std::int32_t location = cells[processes[number].location];
        if (location < 0 || location >= body.locations) {
            throw std::invalid_argument("process " + std::to_string(number) + " of the state is nowhere");
        }
        for (std::int32_t i = 0; i < body.channels; ++i) {
            const ChannelPlace& channel = channels[static_cast<std::size_t>(body.first_channel + i)];
            if (cells[channel.length] < 0 || cells[channel.length] > channel.capacity) {
                throw std::invalid_argument("a channel of the state is overfull");
            }
        }
    }
    if (control >= 0 && (cells[control] < -1 || cells[control] >= count)) {
        throw std::invalid_argument("the process in control of the state is not there");
    }
}

} // namespace beeline
