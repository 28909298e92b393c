// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "input/input_pipeline.h"
#include "session/step/device_phases.h"
#include "session/step/rows/input_idle.h"
#include "session/step/stepper.h"
#include "session/step/worker_team.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep {

/// Steps on accelerators, which run ahead of the host: steps are enqueued in blocks, two of them at
/// most, and what they report is read when a block is done. So no step waits for the host.
class AcceleratorStepper final : public Stepper
{
public:
    explicit AcceleratorStepper(const StepperSettings& settings);

    void start(std::int64_t step, std::int64_t examplesSeen) override;
    StepOutcome& next(std::int64_t limit) override;
    void setMasksWanted(bool areWanted) override;
    [[nodiscard]] std::int64_t stepsAhead() const override;
    [[nodiscard]] const ParameterArena& arena() const override { return m_team.front().arena(); }
    void parametersChanged() override { m_team.parametersChanged(); }
    [[nodiscard]] const float* averagedGradient() const override
    {
        return m_team.front().averagedGradient();
    }
    [[nodiscard]] ThreadTeam& threads() const override { return m_team.threads(); }
    [[nodiscard]] std::vector<OpReport> report() const override { return m_team.report(); }
    [[nodiscard]] std::string placeOf(int tower) const override { return m_team.placeOf(tower); }
    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::string captureFailure() const override { return m_team.captureFailure(); }
    [[nodiscard]] double clockUncertainty() const override { return m_phases.clockUncertainty(); }
    void stopReplaying() override;
    [[nodiscard]] std::vector<GraphNode> capturedNodes() const override;
    [[nodiscard]] std::size_t bytesOf(int tower) const override { return m_team.bytesOf(tower); }

private:
    static constexpr std::size_t kMostBlocks = 2;
    static constexpr std::int64_t kMostMeasured = DeviceGradients::kSlots / kMostBlocks;

    /// Steps that were enqueued together.
    struct Block
    {
        std::int64_t first = 0;
        std::int64_t count = 0;
        bool isAfterIdle = false;                 ///< the devices had nothing to do before
        Stopwatch sinceBegin;                     ///< since it was enqueued
        double waitSeconds = 0.0;                 ///< of the host, for its batches
        std::vector<double> queueFilled;          ///< by step
        std::vector<std::unique_ptr<Event>> ends; ///< by member
    };

    StepOutcome& stepWithMasks();
    [[nodiscard]] MaskRecord masks(const Batch& batch, const StepOutcome& outcome) const;
    void enqueueBlock(std::int64_t limit);
    void takeBatches(Block& block);
    void takeBlock();
    void tell(const Block& block, std::int64_t step, StepOutcome& outcome) const;
    void tellFaults();
    void tellGradients(StepOutcome& outcome);
    [[nodiscard]] std::uint64_t faultOf(std::int64_t step) const;
    void measure(const Block& block);
    void tellPhases(const Block& block);
    [[nodiscard]] std::vector<TowerTimes> timesOf(const Block& block) const;

    WorkerTeam m_team;
    std::unique_ptr<InputPipeline> m_pipeline; ///< where the data set is not on the devices
    bool m_areMasksDue = false;                ///< wanted, and not made since
    BatchLease m_shown;                        ///< of the step whose masks are made
    LossSum m_lossSum;
    std::int64_t m_enqueued = 0;
    std::int64_t m_blockSteps = 1;
    std::int64_t m_lastNanoseconds = 0;
    InputIdle m_inputIdle;
    DevicePhases m_phases;
    std::vector<ParameterGradientRecord> m_chunkSums; ///< of the step that is told, used again
    std::array<Block, kMostBlocks> m_blocks;          ///< used in turn
    std::size_t m_firstBlock = 0;
    std::size_t m_blocksAhead = 0;
    std::vector<StepOutcome> m_outcomes; ///< of the block that was taken last, used again
    std::size_t m_outcomeCount = 0;
    std::size_t m_returned = 0; ///< of these
};

} // namespace lockstep
