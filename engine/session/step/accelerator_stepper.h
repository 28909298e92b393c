// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "input/input_pipeline.h"
#include "session/step/device_worker.h"
#include "session/step/input_idle.h"
#include "session/step/stepper.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace lockstep {

/// Steps on accelerators, which run ahead of the host: steps are enqueued in blocks, two of them at
/// most, and what they report is read when a block is done. So no step waits for the host.
class AcceleratorStepper final : public Stepper
{
public:
    explicit AcceleratorStepper(const StepperSettings& settings);
    ~AcceleratorStepper() override;

    void start(std::int64_t step, std::int64_t examplesSeen) override;
    StepOutcome next(std::int64_t limit) override;
    [[nodiscard]] std::int64_t stepsAhead() const override { return m_enqueued - m_returned; }
    [[nodiscard]] const ParameterArena& arena() const override { return front().arena(); }
    void parametersChanged() override;
    [[nodiscard]] const float* averagedGradient() const override
    {
        return front().averagedGradient();
    }
    [[nodiscard]] ThreadTeam& threads() const override { return *m_threads; }
    [[nodiscard]] const TowerShape& shape() const override { return m_settings.shape; }
    [[nodiscard]] std::vector<OpReport> report() const override;
    [[nodiscard]] std::string placeOf(int tower) const override;
    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::string captureFailure() const override;
    void stopReplaying() override;
    [[nodiscard]] std::size_t bytesOf(int tower) const override;

private:
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

    [[nodiscard]] const DeviceWorker& front() const { return *m_members.front(); }
    [[nodiscard]] std::size_t memberOf(int tower) const;
    void makeMembers();
    void connectMembers();
    template<class Job>
    void onMembers(Job job);
    void enqueueBlock(std::int64_t limit);
    void takeBatches(Block& block);
    void takeBlock();
    void forgetAhead();
    [[nodiscard]] StepOutcome outcomeOf(const Block& block, std::int64_t step) const;
    [[nodiscard]] std::optional<StepFault> faultOf(std::int64_t step) const;
    void measure(const Block& block, std::size_t firstOutcome);

    StepperSettings m_settings;
    std::vector<const Accelerator*> m_devices;
    std::vector<TowerRange> m_places;
    std::unique_ptr<ThreadTeam> m_threads; ///< one for each member, for life
    std::vector<std::unique_ptr<DeviceWorker>> m_members;
    std::unique_ptr<InputPipeline> m_pipeline; ///< where the data set is not on the devices
    std::int64_t m_returned = 0;               ///< next step that next() returns
    std::int64_t m_enqueued = 0;
    std::int64_t m_blockSteps = 1;
    std::int64_t m_lastNanoseconds = 0;
    InputIdle m_inputIdle;
    std::deque<Block> m_blocks;
    std::deque<StepOutcome> m_outcomes;
};

} // namespace lockstep
