// SPDX-License-Identifier: Apache-2.0
// What else a GPU's machine has, for emulated devices: handles of libraries that fakes don't need,
// sums over GPUs that run here, and what the management library tells.
#include "base/clock.h"
#include "base/error.h"
#include "cuda/emulated_runtime.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/kernel_name.h"
#include "device/cuda/runtime/kernel_trace.h"
#include "device/cuda/runtime/library_handles.h"
#include "device/cuda/runtime/nccl_communicator.h"
#include "device/cuda/runtime/nvml.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace lockstep::cuda {
namespace {

/// What the members of a sum share: where each one's values of the sum at hand are.
struct Collective
{
    explicit Collective(std::size_t members) : values(members), calls(members) {}

    std::vector<void*> values;
    std::vector<std::uint64_t> calls; ///< sums that a member has enqueued
    std::uint64_t number = 0;         ///< tells collectives apart
};

/// The same for all who have its key: ranks that are threads of this process.
std::shared_ptr<Collective> collectiveOf(const SumMembers& members)
{
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Collective>> known;
    const std::scoped_lock lock(mutex);
    auto collective = known[members.key].lock();
    if (!collective) {
        collective = std::make_shared<Collective>(static_cast<std::size_t>(members.all));
        collective->number = std::stoull(members.key);
        known[members.key] = collective;
    }
    return collective;
}

class FakeCommunicator final : public Communicator
{
public:
    FakeCommunicator(std::shared_ptr<Collective> collective, std::size_t member)
        : m_collective(std::move(collective)), m_member(member)
    {
    }

    void sum(float* values, std::int64_t count, Stream& stream) override
    {
        sumOf(values, count, stream);
    }
    void sum(double* values, std::int64_t count, Stream& stream) override
    {
        sumOf(values, count, stream);
    }
    [[nodiscard]] std::string describe() const override { return "emulated, in order"; }

private:
    template<class Value>
    void sumOf(Value* values, std::int64_t count, Stream& stream)
    {
        const std::uint64_t call = m_collective->calls[m_member]++;
        // Each member says where its values are when its turn comes; the last one adds.
        checkCuda(
            emulation::enqueueHostTask(
                handleOf(stream), [collective = m_collective, member = m_member,
                                   values] { collective->values[member] = values; }),
            "summing");
        checkCuda(
            emulation::enqueueTogether(
                m_collective->number * 1'000'000 + call,
                static_cast<int>(m_collective->values.size()), handleOf(stream),
                [collective = m_collective, count] {
                    for (std::int64_t i = 0; i < count; ++i) {
                        Value sum = 0;
                        for (const void* member : collective->values) {
                            sum += static_cast<const Value*>(member)[i];
                        }
                        for (void* member : collective->values) {
                            static_cast<Value*>(member)[i] = sum;
                        }
                    }
                }),
            "summing");
    }

    std::shared_ptr<Collective> m_collective;
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

std::string makeCommunicatorKey()
{
    static std::atomic<std::uint64_t> keys = 0;
    return std::to_string(++keys);
}

std::vector<std::unique_ptr<Communicator>> connectDevices(
    const std::vector<int>& devices, const SumMembers& members)
{
    // As NCCL: two members on one GPU are refused.
    require(
        std::set<int>(devices.begin(), devices.end()).size() == devices.size(),
        "two members of a sum on one GPU");
    const auto collective = collectiveOf(members);
    std::vector<std::unique_ptr<Communicator>> own;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        own.push_back(std::make_unique<FakeCommunicator>(
            collective, static_cast<std::size_t>(members.firstOwn) + i));
    }
    return own;
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

std::string kernelName(cudaGraphNode_t /*node*/)
{
    return {}; // the emulation runs functions
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
