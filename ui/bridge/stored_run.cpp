// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/stored_run.h"

namespace lockstep::ui {
namespace {

/// The device of each tower, as the run recorded it; of a run of an older program, the only device
/// it knew.
std::vector<TowerSeat> seatsOf(
    const std::map<std::string, std::string>& facts, const RunConfig& config)
{
    const auto fact = [&](const char* key) {
        const auto found = facts.find(key);
        return found == facts.end() ? QString() : QString::fromStdString(found->second);
    };
    const auto towers = static_cast<std::size_t>(config.towers);
    const QStringList places = fact(kTowerDevicesFact).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (static_cast<std::size_t>(places.size()) == towers) {
        std::vector<TowerSeat> seats;
        for (const QString& place : places) {
            seats.push_back({place, 0});
        }
        return seats;
    }
    const QString device = fact("device").section(QStringLiteral(": "), 0, 0);
    return std::vector<TowerSeat>(
        towers, {device.isEmpty() ? QString::fromStdString(config.device) : device, 0});
}

} // namespace

RunPlan readStoredRun(const std::filesystem::path& folder)
{
    if (!RunFolder::isRun(folder)) {
        fail(
            ErrorCode::BadInput, "{}: not a run; choose a folder that holds run.toml and run.db",
            folder.string());
    }
    RunPlan plan;
    plan.folder = folder;
    plan.storeFile = RunFolder::storeFileOf(folder);
    plan.config = configOfRun(folder);
    const RunStoreReader reader(plan.storeFile);
    plan.nextStep = reader.nextStep();
    plan.evaluations = reader.evaluations();
    plan.readings = reader.lastDeviceReadings();
    plan.towers = seatsOf(reader.values(), plan.config);
    return plan;
}

} // namespace lockstep::ui
