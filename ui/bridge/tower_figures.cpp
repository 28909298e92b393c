// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/tower_figures.h"

namespace lockstep::ui {
namespace {

double busyRate(const std::vector<StepRecord>& steps, std::size_t tower)
{
    double examples = 0.0;
    double seconds = 0.0;
    for (const StepRecord& step : steps) {
        // A history may hold steps of a run with fewer towers.
        if (tower < step.towers.size()) {
            examples += static_cast<double>(step.towers[tower].examples);
            seconds += step.towers[tower].busySeconds;
        }
    }
    return seconds > 0.0 ? examples / seconds : 0.0;
}

} // namespace

std::vector<TowerFigures> towerFigures(const std::vector<StepRecord>& steps)
{
    std::vector<TowerFigures> figures;
    if (!steps.empty()) {
        for (const TowerRecord& tower : steps.back().towers) {
            figures.push_back({tower.loss, busyRate(steps, figures.size())});
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
        QString::fromStdString(reading.throttleReason)};
}

} // namespace lockstep::ui
