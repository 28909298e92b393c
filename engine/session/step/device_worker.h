// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/gradient_buckets.h"
#include "device/accelerator.h"
#include "device/parameter_arena.h"
#include "device/parameter_chunks.h"
#include "session/step/device_gradients.h"
#include "session/step/device_phases.h"
#include "session/step/resident_rows.h"
#include "session/step/row_source.h"
#include "session/step/slot_ring.h"
#include "session/step/step_replay.h"
#include "session/step/stepper.h"
#include "session/step/streamed_rows.h"
#include "tower/device_towers.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// The place of one accelerator in a training.
struct MemberPlace
{
    const Accelerator* device = nullptr;
    TowerRange towers;
    int members = 1; ///< devices of the training
    std::map<std::string, std::string> algorithms;
};

/// What one accelerator of a training holds, and its part of a step: rows, forward and backward of
/// its towers, their average, and, after the sum over all members, check and update. Enqueues only.
/// One thread at a time.
class DeviceWorker
{
public:
    DeviceWorker(const StepperSettings& settings, const MemberPlace& place);
    /// Waits for what is under way.
    ~DeviceWorker();
    DeviceWorker(const DeviceWorker&) = delete;
    DeviceWorker& operator=(const DeviceWorker&) = delete;

    [[nodiscard]] const ParameterArena& arena() const { return m_arena; }
    [[nodiscard]] const DeviceTowers& towers() const { return m_towers; }
    [[nodiscard]] const float* averagedGradient() const { return m_gradient; }
    [[nodiscard]] std::int64_t slotCount() const { return m_rows->slotCount(); }
    /// Null: the data set lies on the device.
    [[nodiscard]] StreamedRows* streamedRows() const { return m_streamed; }

    [[nodiscard]] StepReplay& replay() { return m_replay; }

    /// Whether the towers' gradients are measured at a step, which then has kernels, and a graph,
    /// of its own.
    [[nodiscard]] bool isMeasured(std::int64_t step) const
    {
        return m_gradients && m_gradients->isMeasured(step);
    }
    /// What measured steps left; null: none is measured.
    [[nodiscard]] const DeviceGradients* gradients() const { return m_gradients.get(); }

    /// After the arena was written. Nothing may be under way.
    void parametersChanged();
    void start(std::int64_t step, std::int64_t examplesSeen);

    /// Sums over all members; null: there is no other.
    void connect(std::unique_ptr<Communicator> communicator);
    /// Enqueues steps [first, first + count); `after` is recorded behind them.
    void enqueue(
        std::int64_t first, std::int64_t count, const UpdateSchedule& schedule, Event& after);

    /// What a step consists of, captured and not run. Nothing may be under way.
    [[nodiscard]] std::vector<GraphNode> capturedNodes();

    /// What a step left, once the device has come so far.
    [[nodiscard]] const StepReport& report(std::int64_t step) const;
    [[nodiscard]] std::span<const ObjectiveResult> results(std::int64_t step) const;
    /// What it noted of a tower, counted from the device's first one; the number of the device is
    /// for the caller to fill in. Needs StepFeature::PhaseClock.
    [[nodiscard]] TowerMoments moments(std::int64_t step, int index) const;

private:
    // The parts of a step. Each is enqueued.
    template<class Executor>
    friend void makeStep(Executor& executor);
    template<class Executor>
    friend void makePiece(Executor& executor, std::size_t piece);
    [[nodiscard]] std::size_t buckets() const { return m_buckets.size(); }
    [[nodiscard]] std::size_t pieces() const { return m_isAlone ? 1 : buckets() + 1; }
    template<class Work>
    void run(std::size_t piece, const Work& work)
    {
        m_replay.run(
            variant(), piece,
            [&] {
                for (std::int64_t i = 0; i < m_stepsAtOnce; ++i) {
                    work();
                }
            },
            stream());
    }
    [[nodiscard]] StepReplay::Variant variant() const
    {
        return isMeasured(m_step)  ? StepReplay::Measured
               : m_stepsAtOnce > 1 ? StepReplay::Several
                                   : StepReplay::Plain;
    }
    [[nodiscard]] bool areAlike(std::int64_t count) const;
    /// The step that is being made ends with one kernel. Those that measure are separate.
    [[nodiscard]] bool hasTail() const
    {
        return m_settings.features.has(StepFeature::Tail) && !isMeasured(m_step);
    }
    void takeRows() {} ///< a block's were enqueued before its first step
    void passes(std::size_t bucket);
    void average(std::size_t bucket);
    void sumOverDevices(std::size_t piece);
    void beginSum();
    void waitForSums();
    void checkLosses();
    void checkGradient();
    void update();
    void record();
    void giveRowsBack();

    void enqueueOrders(std::int64_t first, std::int64_t count, const UpdateSchedule& schedule);
    void planUpdate();
    void planMoments(const AveragingPlan& averaging);
    [[nodiscard]] std::unique_ptr<RowSource> makeRows();
    [[nodiscard]] UpdateTask updateTask() const;
    [[nodiscard]] AverageTask averageTask() const;
    [[nodiscard]] LossCheckTask lossCheckTask() const;
    [[nodiscard]] FinishTask finishTask() const;
    void enqueueMeasure(const AverageTask& average);
    [[nodiscard]] Stream& stream() const { return m_towers.stream(); }
    [[nodiscard]] StepState* state() const { return reinterpret_cast<StepState*>(m_state.data()); }
    [[nodiscard]] std::size_t resultCount() const;
    /// The stamps of the step that is being made, in the device's memory; null: not wanted.
    [[nodiscard]] StepStamps* stampsOnDevice() const
    {
        return reinterpret_cast<StepStamps*>(m_stamps.data());
    }
    [[nodiscard]] TowerStamps* towerStampsOnDevice() const
    {
        return stampsOnDevice() == nullptr ? nullptr
                                           : reinterpret_cast<TowerStamps*>(stampsOnDevice() + 1);
    }
    void stampSum(std::int64_t SumStamps::*moment, std::size_t bucket);

    StepperSettings m_settings;
    const Accelerator& m_device;
    bool m_isAlone;
    ParameterArena m_arena;
    DeviceMemory m_stamps;
    DeviceTowers m_towers;
    float* m_gradient;
    std::vector<GradientBucket> m_buckets;
    std::vector<ParameterChunk> m_moments; ///< statistics whose towers don't count as in gradients
    DeviceMemory m_state;
    StreamedRows* m_streamed = nullptr;
    std::unique_ptr<RowSource> m_rows;
    SlotRing m_orders; ///< what the optimizer does at the steps that are under way
    DeviceMemory m_chunks;
    std::int64_t m_chunkCount = 0;
    DeviceMemory m_squares;
    std::unique_ptr<DeviceGradients> m_gradients; ///< null: none are measured
    double m_weightDecayLoss = 0.0;
    std::int64_t m_step = 0; ///< that is being enqueued, with those after it in m_stepsAtOnce
    std::int64_t m_stepsAtOnce = 1;
    DeviceMemory m_reports; ///< in host memory
    std::size_t m_reportBytes = 0;

    std::unique_ptr<Communicator> m_communicator;
    std::unique_ptr<Stream> m_sums;
    std::unique_ptr<Event> m_isThere; ///< this device's part of a sum
    std::unique_ptr<Event> m_areSummed;
    StepReplay m_replay;
};

} // namespace lockstep
