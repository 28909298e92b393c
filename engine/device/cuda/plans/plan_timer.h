// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// What choosing among algorithms takes: memory, values, and a clock.
namespace lockstep::cuda {

/// Memory of the current device, only while a plan is made.
class TrialMemory
{
public:
    TrialMemory() = default;
    /// Error(OutOfMemory) says how much was asked and is free; `what` names the work.
    TrialMemory(std::size_t bytes, const std::string& what);
    ~TrialMemory();
    TrialMemory(TrialMemory&& other) noexcept;
    TrialMemory& operator=(TrialMemory&& other) noexcept;
    TrialMemory(const TrialMemory&) = delete;
    TrialMemory& operator=(const TrialMemory&) = delete;

    /// 256-byte aligned; null if no bytes were asked for.
    [[nodiscard]] std::byte* data() const { return m_data; }

    /// Fills it with values between -1 and 1 that look random and are always the same. Chips are
    /// faster on zeros.
    void fill(DataType type);
    /// The first value becomes a NaN.
    void spoilFirst(DataType type);
    [[nodiscard]] bool isFirstNan(DataType type) const;
    /// Every byte becomes `value`: 0xFF makes all of it NaN.
    void spoil(int value);
    /// At most some 200,000 of the values, from all over.
    [[nodiscard]] std::vector<float> sample(DataType type) const;

private:
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
};

/// Memory with values, as TrialMemory::fill makes them.
TrialMemory trialValues(std::int64_t count, DataType type, const std::string& what);

/// Measures work as it will run: replayed as a CUDA graph, so that what it costs to enqueue does
/// not count.
class PlanTimer
{
public:
    using Work = std::function<void(cudaStream_t)>;

    PlanTimer();
    ~PlanTimer();
    PlanTimer(const PlanTimer&) = delete;
    PlanTimer& operator=(const PlanTimer&) = delete;

    /// Does it once and waits. Throws what the work throws, and Error(Device) if it fails there.
    void once(const Work& work) const;
    /// Milliseconds that it takes once. Throws as `once`.
    [[nodiscard]] double milliseconds(const Work& work) const;
    /// Work that replays `times` times this one. Throws what the work throws, and if it can't be
    /// captured.
    [[nodiscard]] Work captured(const Work& work, int times) const;

private:
    [[nodiscard]] cudaGraphExec_t capture(const Work& work, int times) const;

    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr;
    cudaEvent_t m_end = nullptr;
};

} // namespace lockstep::cuda
