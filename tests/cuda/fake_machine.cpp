// SPDX-License-Identifier: Apache-2.0
// What else a GPU's machine has, for emulated devices: handles of libraries that fakes don't need,
// sums over GPUs that run here, and what the management library tells.
#include "base/clock.h"
#include "base/error.h"
#include "cuda/emulated_runtime.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/kernel_trace.h"
#include "device/cuda/runtime/library_handles.h"
#include "device/cuda/runtime/nccl_communicator.h"
#include "device/cuda/runtime/nvml.h"

#include <atomic>
#include <memory>
#include <set>

namespace lockstep::cuda {
namespace {

/// What the members of a sum share: where each one's values of the sum at hand are.
struct Meeting
{
    explicit Meeting(std::size_t members) : values(members), calls(members) {}

    std::vector<float*> values;
    std::vector<std::uint64_t> calls; ///< sums that a member has enqueued
    std::uint64_t number = 0;         ///< tells meetings apart
};

class FakeCommunicator final : public Communicator
{
public:
    FakeCommunicator(std::shared_ptr<Meeting> meeting, std::size_t member)
        : m_meeting(std::move(meeting)), m_member(member)
    {
    }

    void sum(float* values, std::int64_t count, Stream& stream) override
    {
        const std::uint64_t call = m_meeting->calls[m_member]++;
        // Each member says where its values are when its turn comes; the last one adds.
        checkCuda(
            emulation::enqueueHostTask(
                handleOf(stream), [meeting = m_meeting, member = m_member,
                                   values] { meeting->values[member] = values; }),
            "summing");
        checkCuda(
            emulation::enqueueTogether(
                m_meeting->number * 1'000'000 + call, static_cast<int>(m_meeting->values.size()),
                handleOf(stream),
                [meeting = m_meeting, count] {
                    for (std::int64_t i = 0; i < count; ++i) {
                        float sum = 0.0F;
                        for (const float* member : meeting->values) {
                            sum += member[i];
                        }
                        for (float* member : meeting->values) {
                            member[i] = sum;
                        }
                    }
                }),
            "summing");
    }
    [[nodiscard]] std::string describe() const override { return "emulated, in order"; }

private:
    std::shared_ptr<Meeting> m_meeting;
    std::size_t m_member;
};

} // namespace

LibraryHandles::LibraryHandles(int device) : m_device(device) {}
LibraryHandles::~LibraryHandles()
{
    cudaSetDevice(m_device); // as the real one, which then gives back what it has
}

std::string libraryVersions()
{
    return "emulated CUDA";
}

std::vector<std::unique_ptr<Communicator>> connectDevices(const std::vector<int>& devices)
{
    static std::atomic<std::uint64_t> meetings = 0;
    // As NCCL: two members on one GPU are refused.
    require(
        std::set<int>(devices.begin(), devices.end()).size() == devices.size(),
        "two members of a sum on one GPU");
    const auto meeting = std::make_shared<Meeting>(devices.size());
    meeting->number = ++meetings;
    std::vector<std::unique_ptr<Communicator>> members;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        members.push_back(std::make_unique<FakeCommunicator>(meeting, i));
    }
    return members;
}

/// An emulated GPU says the same at all times; the first one is not held back, the others are.
DeviceReading readNvml(int device) noexcept
{
    DeviceReading reading;
    reading.memoryUsedBytes = (device + 1LL) << 30;
    reading.memoryTotalBytes = 8LL << 30;
    reading.load = 0.75;
    reading.temperature = 50.0 + device;
    reading.powerWatts = 300.5;
    reading.throttleReason = device == 0 ? "" : "power limit";
    return reading;
}

/// As if others used all but the first one.
std::vector<DeviceProgram> readPrograms(int device) noexcept
{
    constexpr std::int64_t kGibi = 1LL << 30;
    if (device == 0) {
        return {};
    }
    return {{4711, "python3", device * kGibi, false}};
}

/// As if a kernel ran half of the time.
KernelTrace traceKernels(int /*device*/, const std::function<void()>& work)
{
    const Stopwatch watch;
    work();
    const double busy = watch.seconds() / 2.0;
    return {busy, {{"emulatedKernel", 40, busy}}};
}

} // namespace lockstep::cuda
