// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "device/accelerator.h"
#include "input/pipeline_settings.h"
#include "input/row_order.h"
#include "session/step/rows/row_source.h"
#include "session/step/rows/slot_ring.h"

#include <cstdint>

namespace lockstep {

/// The whole data set on the device, where the input ops cut and distort their rows themselves. The
/// host only says which examples are visited; their labels are those of the data set, so that the
/// rows of a poisoned tower have to be streamed.
class ResidentRows final : public RowSource
{
public:
    /// Copies the data set. `state` is the device's.
    ResidentRows(
        const Accelerator& device, const Dataset& dataset, const PipelineSettings& settings,
        const StepState* state);

    [[nodiscard]] std::int64_t slotCount() const override { return kSlots; }
    [[nodiscard]] DeviceInput input() const override { return m_input; }
    void start(std::int64_t step, std::int64_t position) override;
    void enqueue(Stream& stream, std::int64_t first, std::int64_t count) override;
    void stepEnqueued(Stream& /*stream*/, std::int64_t /*step*/) override {}

    /// Memory of the device that this takes for the examples.
    static std::int64_t bytes(const Dataset& dataset);

private:
    static constexpr std::int64_t kSlots = 128;

    void copyExamples(const Dataset& dataset);

    const Accelerator& m_device;
    RowOrder m_order;
    PipelineSettings m_settings;
    DeviceMemory m_pixels;
    DeviceMemory m_labels;
    SlotRing m_visits;
    DeviceInput m_input;
    std::int64_t m_startStep = 0;
    std::int64_t m_startPosition = 0;
};

} // namespace lockstep
