// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/find_devices.h"

#include "base/error.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/library_handles.h"
#include "device/cuda/runtime/nvml.h"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>

namespace lockstep::cuda {
namespace {

/// First compute capability with bfloat16 and tf32 tensor cores.
constexpr int kAmpere = 8;
/// Least compute capability that CUDA 13 compiles for, times ten.
constexpr int kTuring = 75;

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
        fail(ErrorCode::Device, "no NVIDIA driver was found");
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

cudaDeviceProp propertiesOf(int index)
{
    cudaDeviceProp properties{};
    checkCuda(
        cudaGetDeviceProperties(&properties, index),
        fmt::format("asking GPU {} what it is", index));
    return properties;
}

int computeModeOf(int index)
{
    int mode = cudaComputeModeDefault;
    if (cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, index) != cudaSuccess) {
        cudaGetLastError(); // taken back, so that nobody else finds it
    }
    return mode;
}

DeviceReport reportOn(int index)
{
    const cudaDeviceProp properties = propertiesOf(index);
    DeviceReport report;
    report.info = describeDevice(index);
    report.name = report.info.name;
    report.reason = reasonAgainst(index, properties.major, properties.minor, computeModeOf(index));
    report.isAvailable = report.reason.empty();
    return report;
}

} // namespace

std::vector<DeviceReport> findDevices()
{
    std::vector<DeviceReport> devices;
    const int count = countDevices();
    devices.reserve(static_cast<std::size_t>(count));
    for (int index = 0; index < count; ++index) {
        devices.push_back(reportOn(index));
    }
    return devices;
}

void observeDevice(int index, DeviceReport& report) noexcept
try {
    report.reading = readNvml(index);
    report.programs = readPrograms(index);
    const auto other = std::ranges::find(report.programs, false, &DeviceProgram::isThis);
    if (report.isAvailable && other != report.programs.end()
        && computeModeOf(index) == cudaComputeModeExclusiveProcess) {
        report.reason = fmt::format(
            "one program may use it at a time (its compute mode), and now process {} does{}",
            other->process, other->name.empty() ? "" : fmt::format(" ({})", other->name));
        report.isAvailable = false;
    }
} catch (...) { // what it does now stays unknown
}

std::string reasonAgainst(int index, int major, int minor, int computeMode)
{
    if (major * 10 + minor < kTuring) {
        return fmt::format(
            "its compute capability is {}.{}, and CUDA 13 needs 7.5 or later", major, minor);
    }
    if (computeMode == cudaComputeModeProhibited) {
        return fmt::format(
            "its compute mode forbids programs to use it; an administrator can allow it with "
            "nvidia-smi -i {} -c DEFAULT",
            index);
    }
    return "";
}

DeviceInfo describeDevice(int index)
{
    const cudaDeviceProp properties = propertiesOf(index);
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
