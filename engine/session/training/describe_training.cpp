// SPDX-License-Identifier: Apache-2.0
#include "session/training/describe_training.h"

#include "ranks/rank_table.h"
#include "session/config/run_data.h"
#include "session/config/training_phases.h"

#include <fmt/core.h>

#include <utility>

namespace lockstep {

std::vector<std::string> describe(const TrainingPlan& plan, const Stepper& stepper)
{
    const TowerShape& towers = stepper.shape();
    const DeviceInfo& info = plan.devices.first().info();
    std::vector<std::string> lines{
        fmt::format(
            "model {} ({} parameters), data set {} ({} training examples)", plan.network.name,
            plan.network.parameterElements(), plan.training.info().name, plan.training.size()),
        fmt::format(
            "{} × {} examples{} = global batch {}; {:.1f} steps an epoch", towers.towers,
            towers.batchPerTower,
            towers.passes > 1 ? fmt::format(" (in {} passes)", towers.passes) : "",
            towers.globalBatch(),
            static_cast<double>(plan.epochExamples) / static_cast<double>(towers.globalBatch())),
        fmt::format(
            "device {}: {}, {}; {}", info.name, info.description, info.library, stepper.describe()),
        fmt::format(
            "optimizer {}; learning rate {}; memory of the towers {} MiB", describe(plan.optimizer),
            plan.schedule.describe(), stepper.bytes() >> 20U),
    };
    if (const Ranks* const ranks = plan.share.ranks; ranks != nullptr) {
        const auto places = placeTowers(towers.towers, ranks->size());
        std::string text = fmt::format("{} ranks ({})", ranks->size(), ranks->library());
        for (int rank = 0; rank < ranks->size(); ++rank) {
            text += fmt::format(
                "{} {}: {}", rank == 0 ? ":" : ",", nameOf(*ranks, rank),
                towersText(places[static_cast<std::size_t>(rank)]));
        }
        lines.push_back(text);
    }
    const AlgorithmChoices choices = stepper.choices();
    if (choices.isMeasured()) {
        lines.push_back(fmt::format(
            "algorithms: {} as they were measured before, {} measured now, in {:.1f} s",
            choices.stored, choices.measured, choices.seconds));
    }
    lines.insert(lines.end(), choices.notes.begin(), choices.notes.end());
    for (const RunPhase& phase : plan.phases) {
        if (!phase.objective.empty()) {
            lines.push_back(phaseText(phase));
        }
    }
    if (plan.training.info().hasMasks) {
        lines.push_back(
            describeMaskedData(plan.config, plan.training.info(), plan.network.inputShape()));
    }
    if (const auto* photos = plan.training.encoded()) {
        lines.push_back(describeEncodedData(
            *photos, plan.network.inputShape(), plan.config.loaderThreads(plan.devices.first())));
    }
    if (!plan.measuredThreads.empty()) {
        lines.push_back(fmt::format(
            "threads: {} a tower, measured: {}", towers.threadsPerTower, plan.measuredThreads));
    }
    for (std::string& line : plan.config.experiment.describe(towers.towers)) {
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace lockstep
