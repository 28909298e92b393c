// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/stored_run.h"

namespace lockstep::ui {

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
    const auto values = reader.values();
    const auto device = values.find("device");
    const std::string text = device == values.end() ? plan.config.device : device->second;
    plan.towers.assign(
        static_cast<std::size_t>(plan.config.towers),
        TowerSeat{QString::fromStdString(text.substr(0, text.find(": "))), 0});
    return plan;
}

} // namespace lockstep::ui
