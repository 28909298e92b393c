// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/find_devices.h"

#include "base/error.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/library_handles.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace lockstep::cuda {
namespace {

/// First compute capability with bfloat16 and tf32 tensor cores.
constexpr int kAmpere = 8;

std::string versionText(int version)
{
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// A driver that is older than the library gives misleading errors later on.
void checkDriver()
{
    int driver = 0;
    int runtime = 0;
    checkCuda(cudaDriverGetVersion(&driver), "asking for the driver's version");
    checkCuda(cudaRuntimeGetVersion(&runtime), "asking for CUDA's version");
    if (driver == 0) {
        fail(ErrorCode::Device, "there is no NVIDIA driver");
    }
    if (driver / 1000 < runtime / 1000) {
        fail(
            ErrorCode::Device,
            "the NVIDIA driver is too old: it supports CUDA {}, and this version needs {}.0 or "
            "later; install driver 580 or later, from NVIDIA where the system's own is older",
            versionText(driver), runtime / 1000);
    }
}

int countDevices()
{
    checkDriver();
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaErrorNoDevice) {
        cudaGetLastError();
        return 0;
    }
    checkCuda(result, "looking for GPUs");
    return count;
}

} // namespace

std::vector<DeviceInfo> findDevices()
{
    std::vector<DeviceInfo> devices;
    const int count = countDevices();
    devices.reserve(static_cast<std::size_t>(count));
    for (int index = 0; index < count; ++index) {
        devices.push_back(describeDevice(index));
    }
    return devices;
}

DeviceInfo describeDevice(int index)
{
    cudaDeviceProp properties{};
    checkCuda(
        cudaGetDeviceProperties(&properties, index),
        fmt::format("asking GPU {} what it is", index));
    DeviceInfo info;
    info.name = fmt::format("cuda:{}", index);
    info.description =
        fmt::format("{}, compute {}.{}", properties.name, properties.major, properties.minor);
    info.library = libraryVersions();
    info.processors = properties.multiProcessorCount;
    info.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    info.precisions = {Precision::Float32};
    if (properties.major >= kAmpere) {
        info.precisions.push_back(Precision::Tf32);
        info.precisions.push_back(Precision::Bfloat16);
    }
    return info;
}

} // namespace lockstep::cuda
