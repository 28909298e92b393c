// SPDX-License-Identifier: Apache-2.0
// Stands for liblockstep-cuda.so in tests of how the program opens it; what it pretends to be is
// chosen when it is compiled.
#include "base/error.h"
#include "device/cuda_plugin.h"

namespace {

std::vector<lockstep::DeviceReport> findDevices()
{
#if defined(FAKE_OLD_DRIVER)
    lockstep::fail(lockstep::ErrorCode::Device, "the NVIDIA driver is too old: fake 12.4");
#elif defined(FAKE_TWO_GPUS)
    using lockstep::Precision;
    lockstep::DeviceInfo info{
        "cuda:0",
        "Fake GPU, compute 9.0",
        "fake CUDA 13",
        132,
        1LL << 37U,
        {Precision::Float32, Precision::Bfloat16},
        {}};
    lockstep::DeviceReport first{info.name, true, info, ""};
    lockstep::DeviceReport second = first;
    second.name = second.info.name = "cuda:1";
    return {first, second};
#else
    return {};
#endif
}

void observeDevice(int index, lockstep::DeviceReport& report) noexcept
{
    constexpr std::int64_t kGibi = 1LL << 30U;
    report.reading.memoryTotalBytes = 128 * kGibi;
    report.reading.memoryUsedBytes = 28 * kGibi;
    report.reading.load = 0.5;
    if (index == 1) {
        report.programs = {{4711, "python3", 27 * kGibi, false}};
    }
}

std::unique_ptr<lockstep::Accelerator> openDevice(int index)
{
    lockstep::fail(lockstep::ErrorCode::Device, "fake GPU {} does not start", index);
}

#if defined(FAKE_VERSION)
constexpr int kVersion = FAKE_VERSION;
#else
constexpr int kVersion = lockstep::CudaPlugin::kVersion;
#endif
constexpr lockstep::CudaPlugin kPlugin{kVersion, findDevices, observeDevice, openDevice};

} // namespace

#if defined(FAKE_NO_ENTRY)
extern "C" const lockstep::CudaPlugin* someOtherFunction()
#else
extern "C" const lockstep::CudaPlugin* lockstepCudaPlugin()
#endif
{
    return &kPlugin;
}
