// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/tower_figures.h"
#include "models/engine_text.h"

#include "engine/records.h"

namespace lockstep::ui {
namespace {

/// Empty if the device does not tell how long the tower worked.
std::optional<double> workRate(const std::vector<StepRecord>& steps, std::size_t tower)
{
    double examples = 0.0;
    double seconds = 0.0;
    for (const StepRecord& step : steps) {
        // A history may hold steps of a run with fewer towers.
        if (tower >= step.towers.size()) {
            continue;
        }
        // Nor is it told of the steps of a long history.
        if (const auto work = workSeconds(step.towers[tower])) {
            examples += static_cast<double>(step.towers[tower].examples);
            seconds += *work;
        }
    }
    return seconds > 0.0 ? std::optional(examples / seconds) : std::nullopt;
}

} // namespace

std::vector<TowerFigures> towerFigures(const std::vector<StepRecord>& steps)
{
    std::vector<TowerFigures> figures;
    if (!steps.empty()) {
        for (const TowerRecord& tower : steps.back().towers) {
            figures.push_back({tower.loss, workRate(steps, figures.size())});
        }
    }
    return figures;
}

DeviceFigures deviceFigures(const DeviceReadingRecord& reading)
{
    return {
        QString::fromStdString(reading.device),
        reading.memoryUsedBytes,
        reading.memoryTotalBytes,
        reading.load,
        reading.temperature,
        reading.powerWatts,
        engineText(reading.throttleReason)};
}

} // namespace lockstep::ui
