// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/cuda_layout.h"

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
    /// Median milliseconds. Work that takes more than three times `limit` is measured once only.
    /// Throws as `once`, and if the work can't be captured.
    [[nodiscard]] double milliseconds(const Work& work, double limit) const;

private:
    [[nodiscard]] double betweenEvents(const Work& work) const;
    [[nodiscard]] cudaGraphExec_t capture(const Work& work, int times) const;

    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr;
    cudaEvent_t m_end = nullptr;
};

/// One way to do the work that is to be planned.
struct Trial
{
    std::string name;
    PlanTimer::Work work;
};

/// Number of the fastest. Ways that fail are left out; Error(Device) with their reasons, for
/// `what`, if all do.
std::size_t fastestOf(
    const PlanTimer& timer, const std::vector<Trial>& trials, const std::string& what);

} // namespace lockstep::cuda
