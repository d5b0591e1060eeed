#include "equations/parity_game.hpp"

#include <algorithm>
#include <utility>

namespace beeline {

void ParityGame::add(bool is_disjunction, std::uint32_t rank) {
    owner_.push_back(is_disjunction ? 0 : 1);
    rank_.push_back(rank);
    first_.push_back(targets_.size());
}

void ParityGame::add_edge(Position target) { targets_.push_back(target); }

void ParityGame::solve() {
    const std::size_t size = owner_.size();
    first_.push_back(targets_.size());
    find_predecessors();
    winner_.assign(size, 0);
    choice_.assign(size, 0);
    level_.assign(size, 1);
    Positions all(size);
    for (std::size_t i = 0; i < size; ++i) {
        all[i] = static_cast<Position>(i);
    }
    solve(std::move(all), 1);
}

void ParityGame::find_predecessors() {
    first_before_.assign(owner_.size() + 1, 0);
    for (const Position target : targets_) {
        ++first_before_[target + 1];
    }
    for (std::size_t i = 1; i < first_before_.size(); ++i) {
        first_before_[i] += first_before_[i - 1];
    }
    before_.resize(targets_.size());
    std::vector<std::size_t> next(first_before_);
    for (std::size_t i = 0; i < owner_.size(); ++i) {
        for (std::size_t edge = first_[i]; edge < first_[i + 1]; ++edge) {
            before_[next[targets_[edge]]++] = static_cast<Position>(i);
        }
    }
}

// Calls itself once for each rank at most: what is left after the opponent's part is taken away is the next round.
void ParityGame::solve(Positions positions, std::uint32_t level) {
    while (!positions.empty()) {
        const std::uint32_t highest = highest_rank(positions);
        const std::uint8_t player = highest % 2;
        Positions top;
        std::copy_if(positions.begin(), positions.end(), std::back_inserter(top),
                     [&](Position position) { return rank_[position] == highest; });
        for (const Position position : top) {
            choose_any(position, level);
        }
        const Positions own = attract(player, std::move(top), level);
        Positions rest;
        for (const Position position : positions) {
            if (is_in(position, level)) {
                level_[position] = level + 1;
                rest.push_back(position);
            }
        }
        solve(rest, level + 1);
        for (const Position position : positions) {
            level_[position] = level;
        }
        for (const Position position : own) {
            winner_[position] = player;
        }
        Positions lost;
        std::copy_if(rest.begin(), rest.end(), std::back_inserter(lost),
                     [&](Position position) { return winner_[position] != player; });
        if (lost.empty()) {
            return;
        }
        const std::uint8_t opponent = 1 - player;
        for (const Position position : attract(opponent, std::move(lost), level)) {
            winner_[position] = opponent;
        }
        std::erase_if(positions, [&](Position position) { return !is_in(position, level); });
    }
}

std::uint32_t ParityGame::highest_rank(const Positions& positions) const {
    std::uint32_t highest = 0;
    for (const Position position : positions) {
        highest = std::max(highest, rank_[position]);
    }
    return highest;
}

ParityGame::Positions ParityGame::attract(std::uint8_t player, Positions aim, std::uint32_t level) {
    for (const Position position : aim) {
        level_[position] = 0;
    }
    for (std::size_t next = 0; next < aim.size(); ++next) {
        const Position target = aim[next];
        for (std::size_t edge = first_before_[target]; edge < first_before_[target + 1]; ++edge) {
            const Position position = before_[edge];
            if (!is_in(position, level) || (owner_[position] != player && !is_forced(position, level))) {
                continue;
            }
            level_[position] = 0;
            choice_[position] = target;
            aim.push_back(position);
        }
    }
    return aim;
}

bool ParityGame::is_forced(Position position, std::uint32_t level) const {
    for (std::size_t edge = first_[position]; edge < first_[position + 1]; ++edge) {
        if (is_in(targets_[edge], level)) {
            return false;
        }
    }
    return true;
}

void ParityGame::choose_any(Position position, std::uint32_t level) {
    for (std::size_t edge = first_[position]; edge < first_[position + 1]; ++edge) {
        if (is_in(targets_[edge], level)) {
            choice_[position] = targets_[edge];
            return;
        }
    }
}

} // namespace beeline
