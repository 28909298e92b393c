// SPDX-License-Identifier: Apache-2.0
#include "session/step/rank_outcome.h"

#include "tower/rank_towers.h"

#include <algorithm>
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

void shareOutcomes(
    Ranks& ranks, int towers, std::span<StepOutcome> outcomes, std::span<RankMoment> moments)
{
    const std::size_t steps = outcomes.size();
    std::vector<SharedTower> shared; // tower by tower
    for (std::size_t tower = 0; tower < outcomes.front().towers.size(); ++tower) {
        for (std::size_t step = 0; step < steps; ++step) {
            shared.push_back({outcomes[step].towers[tower], moments[step]});
            shared.back().moment.begin += ranks.clock().offset;
        }
    }
    shared = ofAllTowers<SharedTower>(ranks, towers, shared, steps);
    for (std::size_t step = 0; step < steps; ++step) {
        RankMoment all = shared[step].moment;
        for (std::size_t i = step; i < shared.size(); i += steps) {
            const RankMoment& moment = shared[i].moment;
            all.begin = std::min(all.begin, moment.begin);
            all.badParameter = std::max(all.badParameter, moment.badParameter);
            all.fault = std::min(all.fault, moment.fault);
        }
        outcomes[step].towers.clear();
        for (std::size_t i = step; i < shared.size(); i += steps) {
            SharedTower& tower = shared[i];
            if (tower.result.seconds.start >= 0.0) {
                tower.result.seconds.start += tower.moment.begin - all.begin;
            }
            outcomes[step].towers.push_back(tower.result);
        }
        moments[step] = all;
    }
}

} // namespace lockstep
