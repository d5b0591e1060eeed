#include "symmetry/group.hpp"

namespace beeline {

GroupTables::GroupTables(const Program& program, const Tables& tables)
    : clocks(read_clocks(tables)), when(read_conditions(program, tables)) {
    const auto is_cell = [&](std::int32_t cell) { return is_place(program, clocks, cell); };
    for (const std::vector<std::int32_t>& row : tables.rows.at("places")) {
        require_symmetry(row.size() == 3 && is_cell(row[0]) && (row[1] == -1 || is_cell(row[1])), "no such place");
        places.push_back({row[0], row[1], row[2]});
    }
    for (const std::vector<std::int32_t>& row : tables.rows.at("maps")) {
        require_symmetry(!row.empty(), "a map has no first value");
        maps.push_back({row[0], {row.begin() + 1, row.end()}});
    }
    for (const std::vector<std::int32_t>& row : tables.rows.at("members")) {
        require_symmetry(row.size() == 2 * places.size(), "a member does not tell of all places");
        std::vector<Source>& member = members.emplace_back();
        for (std::size_t i = 0; i < row.size(); i += 2) {
            require_symmetry(row[i] >= 0 && static_cast<std::size_t>(row[i]) < places.size(), "no such source");
            require_symmetry(row[i + 1] >= -1 && row[i + 1] < static_cast<std::int32_t>(maps.size()), "no such map");
            member.push_back({static_cast<std::uint32_t>(row[i]), row[i + 1]});
        }
    }
    require_symmetry(!members.empty(), "a group has no members");
    descends = tables.numbers.contains("descends") && tables.numbers.at("descends") != 0;
}

GroupCanonicaliser::GroupCanonicaliser(std::shared_ptr<const GroupTables> tables, bool counts)
    : Canonicaliser(tables->places, tables->when, tables->clocks, counts), tables_(std::move(tables)),
      tried_alive_(alive_.size()) {}

std::unique_ptr<Canonicaliser> GroupCanonicaliser::clone() const {
    auto other = std::make_unique<GroupCanonicaliser>(tables_);
    other->share_count(*this);
    return other;
}

double GroupCanonicaliser::find() {
    from_ = best_ = values_;
    from_alive_ = alive_;
    if (tables_->descends) {
        while (go_down()) {
        }
        return 1;
    }
    std::size_t same = 0;
    for (const std::vector<GroupTables::Source>& member : tables_->members) {
        const int found = compare(member);
        if (found < 0) {
            best_.swap(tried_);
            same = 1;
        } else if (found == 0) {
            ++same;
        }
    }
    return static_cast<double>(tables_->members.size()) / static_cast<double>(same);
}

// Goes on to an image that is less, if there is one.
bool GroupCanonicaliser::go_down() {
    for (const std::vector<GroupTables::Source>& member : tables_->members) {
        if (compare(member) < 0) {
            best_.swap(tried_);
            from_ = best_;
            for (std::size_t i = 0; i < member.size(); ++i) {
                tried_alive_[i] = from_alive_[member[i].place];
            }
            from_alive_.swap(tried_alive_);
            return true;
        }
    }
    return false;
}

// Whether the image under a member is less than (-1) or the same as (0) the best; only what is less is written whole.
int GroupCanonicaliser::compare(const std::vector<GroupTables::Source>& member) {
    for (std::size_t i = 0; i < member.size(); ++i) {
        const std::int32_t value = image(member[i]);
        if (value > best_[i]) {
            return 1;
        }
        tried_[i] = value;
        if (value < best_[i]) {
            for (++i; i < member.size(); ++i) {
                tried_[i] = image(member[i]);
            }
            return -1;
        }
    }
    return 0;
}

std::int32_t GroupCanonicaliser::image(const GroupTables::Source& source) const {
    const std::int32_t value = from_[source.place];
    return source.map < 0 || from_alive_[source.place] == 0 ? value : tables_->renamed(value, source.map);
}

} // namespace beeline
