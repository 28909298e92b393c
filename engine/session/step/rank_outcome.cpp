// SPDX-License-Identifier: Apache-2.0
#include "session/step/rank_outcome.h"

#include "tower/rank_towers.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace lockstep {
namespace {

/// The results of a tower with what its rank knows: one exchange for all.
struct SharedTower
{
    TowerResult result;
    RankMoment moment;
};

} // namespace

double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

int shareOutcome(Ranks& ranks, int towers, const RankMoment& own, StepOutcome& outcome)
{
    RankMoment moment = own;
    moment.begin += ranks.clock().offset;
    std::vector<SharedTower> shared;
    for (const TowerResult& tower : outcome.towers) {
        shared.push_back({tower, moment});
    }
    shared = ofAllTowers<SharedTower>(ranks, towers, shared, 1);
    const double first = std::ranges::min_element(shared, {}, [](const SharedTower& tower) {
                             return tower.moment.begin;
                         })->moment.begin;
    int badParameter = -1;
    outcome.towers.clear();
    for (SharedTower& tower : shared) {
        if (tower.result.seconds.start >= 0.0) {
            tower.result.seconds.start += tower.moment.begin - first;
        }
        outcome.towers.push_back(tower.result);
        badParameter = std::max(badParameter, tower.moment.badParameter);
    }
    return badParameter;
}

} // namespace lockstep
