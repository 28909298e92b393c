// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/parameter_chunks.h"
#include "metrics/gradient_record.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// Which steps of one accelerator are measured, and the sums that they leave of the gradients of
/// its towers, in a ring in memory of the host. One thread at a time.
class DeviceGradients
{
public:
    /// Measured steps that may be under way.
    static constexpr std::int64_t kSlots = 8;

    /// `chunks` are those of the update; every `everySteps` steps from 0 on are measured.
    DeviceGradients(
        const Accelerator& device, std::vector<ParameterChunk> chunks, int towers,
        std::int64_t everySteps);

    [[nodiscard]] bool isMeasured(std::int64_t step) const { return step % m_sums.everySteps == 0; }
    [[nodiscard]] const std::vector<ParameterChunk>& chunks() const { return m_chunks; }
    /// For the kernels of a measured step.
    [[nodiscard]] const GradientSums& sums() const { return m_sums; }
    /// Adds the device's towers to the sums by chunk of a step that it has done, and sets those
    /// that are the same on all devices.
    void addTo(std::int64_t step, std::vector<ParameterGradientRecord>& byChunk) const;

private:
    std::vector<ParameterChunk> m_chunks;
    GradientSums m_sums;
    DeviceMemory m_ring;
};

} // namespace lockstep
