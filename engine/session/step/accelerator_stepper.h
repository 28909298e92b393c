// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "input/input_pipeline.h"
#include "session/step/input_idle.h"
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
    void stopReplaying() override;
    [[nodiscard]] std::size_t bytesOf(int tower) const override { return m_team.bytesOf(tower); }

private:
    static constexpr std::size_t kMostBlocks = 2;

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

    void enqueueBlock(std::int64_t limit);
    void takeBatches(Block& block);
    void takeBlock();
    void tell(const Block& block, std::int64_t step, StepOutcome& outcome) const;
    void tellFaults();
    [[nodiscard]] std::uint64_t faultOf(std::int64_t step) const;
    void measure(const Block& block);

    WorkerTeam m_team;
    std::unique_ptr<InputPipeline> m_pipeline; ///< where the data set is not on the devices
    LossSum m_lossSum;
    std::int64_t m_enqueued = 0;
    std::int64_t m_blockSteps = 1;
    std::int64_t m_lastNanoseconds = 0;
    InputIdle m_inputIdle;
    std::array<Block, kMostBlocks> m_blocks; ///< used in turn
    std::size_t m_firstBlock = 0;
    std::size_t m_blocksAhead = 0;
    std::vector<StepOutcome> m_outcomes; ///< of the block that was taken last, used again
    std::size_t m_outcomeCount = 0;
    std::size_t m_returned = 0; ///< of these
};

} // namespace lockstep
