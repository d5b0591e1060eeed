#include "gpu/lookup.hpp"

#include "gpu/move_writer.hpp"

#include <algorithm>

namespace beeline {

namespace {

std::string joined(const char* function, const std::vector<std::int32_t>& parts) {
    std::string text = say("n", parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        text = say(function, "(", text, ", n", parts[i], ")");
    }
    return text;
}

std::string is_unknown(const std::vector<std::int32_t>& parts) {
    std::string text;
    for (const std::int32_t part : parts) {
        text += say(text.empty() ? "" : " || ", "n", part, " == ", Lookup::kUnknown);
    }
    return text;
}

std::string value_of(const Lookup::Node& node, std::size_t number, const PackedDialect& dialect) {
    switch (node.kind) {
    case Lookup::Kind::kConstant:
        return say(node.value);
    case Lookup::Kind::kCode:
        return say("code_", number, "::value(t)");
    case Lookup::Kind::kCell:
        return say("entry(rows + ", node.row, ", ", node.size, "u, (uint32_t)", dialect.value(node.cell), " - ",
                   static_cast<std::uint32_t>(node.low), "u, ", node.otherwise, ")");
    case Lookup::Kind::kPair:
        return say("pair_entry(rows + ", node.row, ", n", node.left, ", n", node.right, ", ", node.columns, ")");
    case Lookup::Kind::kDistance:
        return say("n", node.left, " < 0 ? ", Lookup::kDead, " : look_up(rows + ", node.row, " + n", node.left, ")");
    case Lookup::Kind::kKnown:
        return say(is_unknown(node.parts), " ? 0 : n", node.left);
    case Lookup::Kind::kMaximum:
        return joined("larger", node.parts);
    case Lookup::Kind::kMinimum:
        return joined("smaller", node.parts);
    case Lookup::Kind::kSum:
        return joined("added", node.parts);
    }
    return "";
}

// An expression comes from a program of its own, which has its own tables.
std::string code_function(const Lookup::Node& node, std::size_t number, const Program& layout) {
    const Program program = node.code->in_layout_of(layout);
    MoveWriter writer(program);
    const std::string function = writer.value(node.value, "value");
    return say("namespace code_", number, " {\n", writer.dialect().tables(), function, "}\n");
}

} // namespace

bool is_for_devices(const Lookup& lookup) {
    return std::all_of(lookup.nodes.begin(), lookup.nodes.end(), [](const Lookup::Node& node) {
        if (node.kind != Lookup::Kind::kCode) {
            return true;
        }
        MoveWriter writer(*node.code);
        writer.value(node.value, "value");
        return !writer.dialect().leaves_blocks();
    });
}

std::string estimate_function(const Lookup* lookup, const Program& program) {
    if (lookup == nullptr) {
        return "STEP int32_t estimate(const int32_t*, const State&) { return 0; }\n";
    }
    const PackedDialect dialect(program);
    std::string code;
    std::string text = "STEP int32_t estimate(const int32_t* rows, const State& t) {\n  (void)rows; (void)t;\n";
    for (std::size_t i = 0; i < lookup->nodes.size(); ++i) {
        const Lookup::Node& node = lookup->nodes[i];
        code += node.kind == Lookup::Kind::kCode ? code_function(node, i, program) : "";
        text += say("  const int32_t n", i, " = ", value_of(node, i, dialect), ";\n");
    }
    return code + text + say("  return n", lookup->nodes.size() - 1, ";\n}\n");
}

} // namespace beeline
