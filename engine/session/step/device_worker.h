// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/gradient_buckets.h"
#include "device/accelerator.h"
#include "device/parameter_arena.h"
#include "device/parameter_chunks.h"
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

    /// After the arena was written. Nothing may be under way.
    void parametersChanged();
    void start(std::int64_t step, std::int64_t examplesSeen);

    /// Sums over all members; null: there is no other.
    void connect(std::unique_ptr<Communicator> communicator);
    /// Enqueues steps [first, first + count); `after` is recorded behind them.
    void enqueue(
        std::int64_t first, std::int64_t count, const UpdateSchedule& schedule, Event& after);

    /// What a step left, once the device has come so far.
    [[nodiscard]] const StepReport& report(std::int64_t step) const;
    [[nodiscard]] std::span<const ObjectiveResult> results(std::int64_t step) const;

private:
    // The parts of a step. Each is enqueued.
    template<class Executor>
    friend void makeStep(Executor& executor);
    [[nodiscard]] std::size_t buckets() const { return m_buckets.size(); }
    [[nodiscard]] std::size_t pieces() const { return m_isAlone ? 1 : buckets() + 1; }
    template<class Work>
    void run(std::size_t piece, const Work& work)
    {
        m_replay.run(piece, std::cref(work), stream());
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
    void planUpdate();
    void planMoments(const AveragingPlan& averaging);
    [[nodiscard]] std::unique_ptr<RowSource> makeRows();
    [[nodiscard]] UpdateTask updateTask() const;
    [[nodiscard]] Stream& stream() const { return m_towers.stream(); }
    [[nodiscard]] StepState* state() const { return reinterpret_cast<StepState*>(m_state.data()); }
    [[nodiscard]] std::size_t resultCount() const;

    StepperSettings m_settings;
    const Accelerator& m_device;
    bool m_isAlone;
    ParameterArena m_arena;
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
    double m_weightDecayLoss = 0.0;
    std::int64_t m_step = 0; ///< that is being enqueued
    DeviceMemory m_reports;  ///< in host memory
    std::size_t m_reportBytes = 0;

    std::unique_ptr<Communicator> m_communicator;
    std::unique_ptr<Stream> m_sums;
    std::vector<std::unique_ptr<Event>> m_isAveraged; ///< by bucket: this device's part is there
    std::unique_ptr<Event> m_areSummed;
    StepReplay m_replay;
};

} // namespace lockstep
