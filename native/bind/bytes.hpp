// Words as Python's bytes.
#pragma once

#include "state/word.hpp"

#include <nanobind/nanobind.h>
#include <vector>

namespace beeline {

inline nanobind::bytes bytes_of(const std::vector<Word>& words) {
    return nanobind::bytes(words.data(), words.size() * sizeof(Word));
}

} // namespace beeline
