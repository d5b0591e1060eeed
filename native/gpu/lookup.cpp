#include "gpu/lookup.hpp"

#include "gpu/packed_dialect.hpp"

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

std::string value_of(const Lookup::Node& node, const PackedDialect& dialect) {
    switch (node.kind) {
    case Lookup::Kind::kConstant:
        return say(node.value);
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

} // namespace

std::string estimate_function(const Lookup* lookup, const PackedDialect& dialect) {
    if (lookup == nullptr) {
        return "STEP int32_t estimate(const int32_t*, const State&) { return 0; }\n";
    }
    std::string text = "STEP int32_t estimate(const int32_t* rows, const State& t) {\n  (void)rows; (void)t;\n";
    for (std::size_t i = 0; i < lookup->nodes.size(); ++i) {
        text += say("  const int32_t n", i, " = ", value_of(lookup->nodes[i], dialect), ";\n");
    }
    return text + say("  return n", lookup->nodes.size() - 1, ";\n}\n");
}

} // namespace beeline
