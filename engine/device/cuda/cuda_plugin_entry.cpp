// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.h"
#include "device/cuda/runtime/find_devices.h"
#include "device/cuda_plugin.h"

namespace {

std::unique_ptr<lockstep::Accelerator> openDevice(int index)
{
    return std::make_unique<lockstep::cuda::CudaDevice>(index);
}

constexpr lockstep::CudaPlugin kPlugin{
    lockstep::CudaPlugin::kVersion, lockstep::cuda::findDevices, lockstep::cuda::observeDevice,
    openDevice};

} // namespace

/// Found by name when the program opens this library; see device/cuda_plugin.h.
extern "C" __attribute__((visibility("default"))) const lockstep::CudaPlugin* lockstepCudaPlugin()
{
    return &kPlugin;
}
