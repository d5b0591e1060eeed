// An abstraction as a small transition system that remembers which labels of the task take its steps, so that its
// distances can be measured with other costs of labels.
#pragma once

#include "abstraction/transition_system.hpp"

#include <cstdint>
#include <vector>

namespace beeline {

struct LabelledSystem {
    static constexpr std::int32_t kStays = -1; // in place of a group: leaves each state as it is
    static constexpr std::int32_t kNever = -2; // can be taken nowhere
    // Labels that take the same steps.
    struct Group {
        Relation moves;     // between different states
        bool stays = false; // some state may be left as it is
        std::vector<std::int32_t> labels;
    };

    std::int32_t states = 0;
    std::vector<std::uint8_t> goal; // by state
    std::vector<Group> groups;
    std::vector<std::int32_t> group_of; // by label of the task
};

} // namespace beeline
