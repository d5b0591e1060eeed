// Representatives under a group whose members are listed: of a state's images, the least.
#pragma once

#include "symmetry/canonicaliser.hpp"

namespace beeline {

class GroupTables {
public:
    // Number `clocks`, see `read_clocks`. Rows `places`: a cell, the cell with its channel's length or -1, its position
    // in the channel; rows `maps`: a first value and what it and the following become; rows `members`: for each place
    // the place from which its value comes, and the map that renames it or -1; a number `descends`, see below. Throws
    // std::invalid_argument for tables that make no sense.
    GroupTables(const Program& program, const Tables& tables);

    struct Map {
        std::int32_t low;
        std::vector<std::int32_t> images;
    };
    struct Source {
        std::uint32_t place;
        std::int32_t map;
    };

    std::int32_t renamed(std::int32_t value, std::int32_t map) const {
        const Map& row = maps[static_cast<std::size_t>(map)];
        const auto offset = static_cast<std::size_t>(static_cast<std::int64_t>(value) - row.low);
        return offset < row.images.size() ? row.images[offset] : value;
    }

    std::size_t clocks;
    std::vector<Condition> when;
    std::vector<Held> places;
    std::vector<Map> maps;
    std::vector<std::vector<Source>> members; // by member, by place
    bool descends = false;
};

class GroupCanonicaliser final : public Canonicaliser {
public:
    // Looks at the images under all members; or, if it `descends`, takes any member that makes a state less, until none
    // does: then the members need only generate the group.
    GroupCanonicaliser(std::shared_ptr<const GroupTables> tables, bool counts = false);

    std::unique_ptr<Canonicaliser> clone() const override;

private:
    double find() override;
    bool go_down();
    int compare(const std::vector<GroupTables::Source>& member);
    std::int32_t image(const GroupTables::Source& source) const;

    std::shared_ptr<const GroupTables> tables_;
    std::vector<std::int32_t> from_; // the state whose images are looked at
    std::vector<std::uint8_t> from_alive_, tried_alive_;
};

} // namespace beeline
