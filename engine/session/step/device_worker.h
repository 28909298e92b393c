// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/gradient_buckets.h"
#include "session/step/device_sums.h"
#include "session/step/rows/resident_rows.h"
#include "session/step/rows/streamed_rows.h"
#include "session/step/step_arrays.h"
#include "session/step/step_replay.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep {

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

    [[nodiscard]] const ParameterArena& arena() const { return m_arrays.arena(); }
    [[nodiscard]] const DeviceTowers& towers() const { return m_arrays.towers(); }
    [[nodiscard]] const float* averagedGradient() const { return m_arrays.gradient(); }
    [[nodiscard]] const StepReports& reports() const { return m_arrays.reports(); }
    [[nodiscard]] std::int64_t slotCount() const { return m_rows->slotCount(); }
    /// Null: the data set lies on the device.
    [[nodiscard]] StreamedRows* streamedRows() const { return m_streamed; }

    [[nodiscard]] StepReplay& replay() { return m_replay; }

    /// Whether the towers' gradients are measured at a step, which then has kernels, and a graph,
    /// of its own.
    [[nodiscard]] bool isMeasured(std::int64_t step) const
    {
        return gradients() != nullptr && gradients()->isMeasured(step);
    }
    /// What measured steps left; null: none is measured.
    [[nodiscard]] const DeviceGradients* gradients() const { return m_arrays.gradients(); }

    /// After the arena was written. Nothing may be under way.
    void parametersChanged();
    void start(std::int64_t step, std::int64_t examplesSeen);

    /// Sums over all members; null: there is no other.
    void connect(std::unique_ptr<Communicator> communicator);
    /// Enqueues steps [first, first + count); `after` is recorded behind them.
    void enqueue(
        std::int64_t first, std::int64_t count, const UpdateSchedule& schedule, Event& after);

    /// What a step consists of, captured and not run: of one that is not measured, unless all are.
    /// Nothing may be under way.
    [[nodiscard]] std::vector<GraphNode> capturedNodes();

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
    void checkLosses();
    void checkGradient();
    void update();
    void record();
    void giveRowsBack();

    void enqueueOrders(std::int64_t first, std::int64_t count, const UpdateSchedule& schedule);
    [[nodiscard]] std::unique_ptr<RowSource> makeRows();
    [[nodiscard]] LossCheckTask lossCheckTask() const;
    void enqueueMeasure(const AverageTask& average);
    [[nodiscard]] Stream& stream() const { return m_arrays.towers().stream(); }

    StepperSettings m_settings;
    const Accelerator& m_device;
    bool m_isAlone;
    StepArrays m_arrays;
    std::vector<GradientBucket> m_buckets;
    StreamedRows* m_streamed = nullptr;
    std::unique_ptr<RowSource> m_rows;
    double m_weightDecayLoss = 0.0;
    std::int64_t m_step = 0; ///< that is being enqueued, with those after it in m_stepsAtOnce
    std::int64_t m_stepsAtOnce = 1;
    std::unique_ptr<DeviceSums> m_sums; ///< null: the device is alone
    StepReplay m_replay;
};

} // namespace lockstep
