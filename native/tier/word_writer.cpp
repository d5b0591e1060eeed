#include "tier/word_writer.hpp"

namespace beeline {

// The variable that a word is in from now on; `NAME_before` has what the hash's sum knows.
std::string WordWriter::variable(std::uint32_t word) {
    const auto found = open_.find(word);
    if (found != open_.end()) {
        return found->second;
    }
    const std::string name = say("w", names_++);
    text_ +=
        say("    uint32_t ", name, "_before = ", fresh_ ? "o[" : "t[", word, "], ", name, " = ", name, "_before;\n");
    open_[word] = name;
    return name;
}

void WordWriter::patch(const Patch& patch) {
    if (patch.keep != ~0u) {
        const std::string name = variable(patch.word);
        text_ += say("    ", name, " = (", name, " & ", patch.keep, "u) | ", patch.bits, "u;\n");
    }
}

void WordWriter::put(std::int32_t cell, const std::string& value) {
    const Packing& place = program_.packing[static_cast<std::size_t>(cell)];
    const std::string name = place.mask == 0 ? "" : variable(place.word);
    text_ += say("    { int32_t v = ", value, "; uint32_t bits = (uint32_t)v - (uint32_t)", number(place.low),
                 "; if (UNLIKELY(bits > ", place.mask, "u)) x->narrow(x->space, ", cell, ", v);");
    if (place.mask != 0) {
        text_ += say(" ", name, " = (", name, " & ", place.keep, "u) | bits << ", place.shift, ";");
    }
    text_ += " }\n";
}

void WordWriter::put_at(const std::string& cell, const std::string& value) {
    flush();
    text_ += say("    s += put_at(x, t, ", cell, ", ", value, ");\n");
}

void WordWriter::flush() {
    for (const auto& [word, name] : open_) {
        text_ += say("    t[", word, "] = ", name, "; s += ((uint64_t)", name, " - ", name, "_before) * ",
                     program_.hash_keys[word], "ull;\n");
    }
    fresh_ = false;
    open_.clear();
}

} // namespace beeline
