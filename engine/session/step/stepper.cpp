// SPDX-License-Identifier: Apache-2.0
#include "session/step/stepper.h"

#include "base/error.h"
#include "session/step/accelerator_stepper.h"
#include "session/step/host_stepper.h"

namespace lockstep {

std::unique_ptr<Stepper> makeStepper(const StepperSettings& settings)
{
    require(!settings.devices.empty(), "a training needs a device");
    if (settings.devices.front()->worksOnHost()) {
        return std::make_unique<HostStepper>(settings);
    }
    return std::make_unique<AcceleratorStepper>(settings);
}

void Stepper::timeNodes()
{
    fail(ErrorCode::Internal, "internal error: the nodes of an accelerator can't be timed");
}

std::size_t Stepper::bytes() const
{
    std::size_t total = 0;
    const TowerRange own = m_settings.share.of(shape().towers);
    for (int tower = own.first; tower < own.first + own.count; ++tower) {
        total += bytesOf(tower);
    }
    return total;
}

AlgorithmChoices Stepper::choices() const
{
    AlgorithmChoices all;
    for (const OpReport& op : report()) {
        all.add(op.choices);
    }
    return all;
}

AveragingPlan averagingOf(const StepperSettings& settings)
{
    const NetworkSpec& network = *settings.network;
    const TowerShape& shape = settings.shape;
    const auto updated = network.updatedParameters();
    TowerContribution tower{shape.batchPerTower, {}};
    for (std::size_t i = 0; i < updated.size(); ++i) {
        const auto form = updated[i] ? GradientForm::Dense : GradientForm::Absent;
        tower.gradients.push_back({form, network.parameters[i].shape});
    }
    const std::vector<TowerContribution> towers(static_cast<std::size_t>(shape.towers), tower);
    return planAveraging(network, towers, settings.missingGradient, settings.moments);
}

} // namespace lockstep
