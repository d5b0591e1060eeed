#include "gpu/source.hpp"

#include "gpu/expansion_writer.hpp"
#include "gpu/monitor_writer.hpp"

#include <bit>

namespace beeline {

namespace {

constexpr std::size_t kMostWords = 120;

// The words' used bits.
std::vector<std::uint32_t> widths(const Program& program) {
    std::vector<std::uint32_t> masks(program.words, 0);
    for (const Packing& place : program.packed_cells) {
        masks[place.word] |= place.mask << place.shift;
    }
    std::vector<std::uint32_t> all;
    for (const std::uint32_t mask : masks) {
        all.push_back(static_cast<std::uint32_t>(std::bit_width(mask)));
    }
    return all;
}

// Between the words of a state and two halves of a key, of 61 bits at most: what is above is the store's.
std::string key_functions(const Program& program) {
    constexpr std::uint32_t kHalf = 61;
    std::string pack = "STEP void key_of(const State& t, uint64_t& low, uint64_t& high) {\n  low = high = 0;\n";
    std::string unpack = "STEP void state_of(uint64_t low, uint64_t high, State& t) {\n  (void)high;\n";
    std::uint32_t next = 0;
    const auto all = widths(program);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint32_t width = all[i];
        const std::uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
        unpack += say("  t.w[", i, "] = 0");
        if (width > 0 && next < kHalf) {
            pack += say("  low |= (uint64_t)t.w[", i, "] << ", next, ";\n");
            unpack += say(" | ((uint32_t)(low >> ", next, ")", ")");
        }
        if (width > 0 && next + width > kHalf) {
            pack += next >= kHalf ? say("  high |= (uint64_t)t.w[", i, "] << ", next - kHalf, ";\n")
                                  : say("  high |= (uint64_t)t.w[", i, "] >> ", kHalf - next, ";\n");
            unpack += next >= kHalf ? say(" | (uint32_t)(high >> ", next - kHalf, ")")
                                    : say(" | (uint32_t)(high << ", kHalf - next, ")");
        }
        unpack += ";\n";
        if (width < 32) {
            unpack += say("  t.w[", i, "] &= ", mask, "u;\n");
        }
        next += width;
    }
    pack += say("  low &= ", (std::uint64_t{1} << kHalf) - 1, "ull;\n}\n");
    return pack + unpack + "}\n";
}

std::string channel_functions(const Program& program) {
    std::string broadcast, fields;
    for (std::size_t i = 0; i < program.channels.size(); ++i) {
        const ChannelPlace& channel = program.channels[i];
        broadcast += channel.broadcast != 0 ? say(" case ", i + 1, ": return 1;") : "";
        fields += channel.fields != 0 ? say(" case ", i + 1, ": return ", channel.fields, ";") : "";
    }
    return say("STEP int is_broadcast(int32_t number) { switch (number) {", broadcast, " default: return 0; } }\n",
               "STEP int32_t fields_of(int32_t number) { switch (number) {", fields, " default: return 0; } }\n");
}

std::string numbers(const Program& program) {
    return say("#define WORDS ", program.words, "\n#define KEY_BITS ", key_bits(program), "\n#define FIELDS ",
               program.message_cells + 1, "\n#define HAS_CONTROL ", program.control >= 0 ? 1 : 0,
               "\n#define HAS_COMMITTED ", program.plan.has_committed ? 1 : 0, "\n#define USES_TIMEOUT ",
               (program.flags & kUsesTimeout) != 0 ? 1 : 0, "\n#define HAS_GOAL ",
               program.goal >= 0 || ends_watched(program) ? 1 : 0, "\n#define HAS_MONITOR ",
               program.monitor_cell >= 0 ? 1 : 0, "\n#define SEEKS_LABELS ",
               (program.flags & kSeeksLabels) != 0 ? 1 : 0, "\n");
}

std::string not_for_watching(const Program& program) {
    if (program.acceptance_sets > 0) {
        return "the automaton that watches the run has several acceptance sets";
    }
    for (const MonitorRow& row : program.monitor) {
        if (row.edges > MonitorWriter::kMostMoves) {
            return say("a state of the automaton that watches the run has ", row.edges, " edges, and at most ",
                       MonitorWriter::kMostMoves, " are told apart");
        }
    }
    MoveWriter moves(program);
    MonitorWriter(program, moves).write();
    if (moves.dialect().leaves_blocks()) {
        return "the automaton that watches the run asks which processes can move, or for their priorities";
    }
    return "";
}

} // namespace

std::size_t key_bits(const Program& program) {
    std::size_t bits = 0;
    for (const std::uint32_t width : widths(program)) {
        bits += width;
    }
    return bits;
}

std::string not_for_devices(const Program& program) {
    if ((program.flags & (kPriorities | kChannelPriorities)) != 0) {
        return "processes or channels have priorities";
    }
    if (program.words > kMostWords) {
        return say("a state has ", program.words, " words, and at most ", kMostWords, " can be kept in registers");
    }
    if (program.goal >= 0) {
        MoveWriter writer(program);
        writer.goal();
        if (writer.dialect().leaves_blocks()) {
            return "the property asks which processes can move, or for their priorities";
        }
    }
    return not_for_watching(program);
}

DeviceSource device_source(const Program& program, const Lookup* lookup) {
    ExpansionWriter writer(program);
    const std::string expansion = writer.write();
    const std::string estimate = estimate_function(lookup, program);
    return {say(numbers(program), "#define HAS_ESTIMATE ", lookup != nullptr ? 1 : 0, "\n"),
            say(key_functions(program), channel_functions(program), expansion, estimate)};
}

} // namespace beeline
