// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/ordered_all_reduce.h"
#include "input/input_pipeline.h"
#include "session/step/gradient_meter.h"
#include "session/step/stepper.h"
#include "update/optimizer.h"

#include <memory>
#include <optional>

namespace lockstep {

/// Steps on the processors of the host. Every call does its work before it returns.
class HostStepper final : public Stepper
{
public:
    explicit HostStepper(const StepperSettings& settings);

    void start(std::int64_t step, std::int64_t examplesSeen) override;
    StepOutcome next(std::int64_t limit) override;
    [[nodiscard]] const ParameterArena& arena() const override { return m_arena; }
    void setMasksWanted(bool areWanted) override;
    void parametersChanged() override;
    [[nodiscard]] const float* averagedGradient() const override { return m_arena.gradient(); }
    [[nodiscard]] ThreadTeam& threads() const override { return m_team.threads(); }
    [[nodiscard]] const TowerShape& shape() const override { return m_team.shape(); }
    [[nodiscard]] std::vector<OpReport> report() const override;
    [[nodiscard]] std::string placeOf(int tower) const override;
    [[nodiscard]] std::string describe() const override;
    void timeNodes() override { m_team.timeNodes(); }
    [[nodiscard]] std::vector<NodeSeconds> nodeSeconds() const override
    {
        return m_team.nodeSeconds();
    }
    [[nodiscard]] double inputWorkSeconds() const override { return m_pipeline->workSeconds(); }
    [[nodiscard]] std::size_t bytesOf(int tower) const override;

private:
    void update(StepOutcome& outcome);
    [[nodiscard]] MaskRecord masks(const Batch& batch, const StepOutcome& outcome) const;
    [[nodiscard]] std::optional<StepFault> findFault(
        const std::vector<TowerResult>& towers, int badParameter) const;

    StepperSettings m_settings;
    const HostDevice& m_device;
    ParameterArena m_arena;
    TowerTeam m_team;
    OrderedAllReduce m_allReduce;
    Optimizer m_optimizer;
    std::optional<GradientMeter> m_meter; ///< none: nothing is measured
    std::unique_ptr<InputPipeline> m_pipeline;
    std::int64_t m_step = 0;
    bool m_areMasksWanted = false;
};

} // namespace lockstep
