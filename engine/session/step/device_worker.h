// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/gradient_buckets.h"
#include "device/accelerator.h"
#include "device/parameter_arena.h"
#include "device/parameter_chunks.h"
#include "session/step/resident_rows.h"
#include "session/step/row_source.h"
#include "session/step/stepper.h"
#include "session/step/streamed_rows.h"
#include "tower/device_towers.h"

#include <cstdint>
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

    /// What went wrong when a step was captured; since then each is enqueued anew. Empty: nothing.
    [[nodiscard]] const std::string& captureFailure() const { return m_captureFailure; }
    /// From now on steps are enqueued anew.
    void stopReplaying() { m_settings.isCaptured = false; }

    /// After the arena was written. Nothing may be under way.
    void parametersChanged();
    void start(std::int64_t step, std::int64_t examplesSeen);

    /// Sums over all members; null: there is no other.
    void connect(std::unique_ptr<Communicator> communicator);
    /// Enqueues steps [first, first + count); `after` is recorded behind them.
    void enqueue(std::int64_t first, std::int64_t count, Event& after);

    /// What a step left, once the device has come so far.
    [[nodiscard]] const StepReport& report(std::int64_t step) const;
    [[nodiscard]] std::span<const ObjectiveResult> results(std::int64_t step) const;

private:
    void planUpdate();
    void planMoments(const AveragingPlan& averaging);
    void enqueueAverages(const GradientBucket& bucket);
    void makeRows();
    void setOrders(std::int64_t first, std::int64_t count);
    void enqueueStep();
    void makePiece(std::size_t piece);
    void capturePiece(std::size_t piece);
    void enqueuePiece(std::size_t piece);
    void enqueueEnd();
    void enqueueFinish();
    void enqueueSums(std::size_t bucket);
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
    std::unique_ptr<RowSource> m_rows;
    StreamedRows* m_streamed = nullptr;
    DeviceMemory m_orders;
    DeviceMemory m_hostOrders;
    DeviceMemory m_chunks;
    std::int64_t m_chunkCount = 0;
    DeviceMemory m_squares;
    double m_weightDecayLoss = 0.0;
    DeviceMemory m_reports; ///< in host memory
    std::size_t m_reportBytes = 0;

    std::unique_ptr<Communicator> m_communicator;
    std::unique_ptr<Stream> m_sums;
    std::vector<std::unique_ptr<Event>> m_isAveraged; ///< by bucket: this device's part is there
    std::unique_ptr<Event> m_areSummed;
    /// The parts of a step between sums, the update last. Empty before the first step.
    std::vector<std::unique_ptr<StepGraph>> m_graphs;
    bool m_isWarm = false; ///< a step was made without capture
    std::string m_captureFailure;
};

} // namespace lockstep
