// SPDX-License-Identifier: Apache-2.0
// In place of the registry's search: the CUDA half is part of the program, on an emulated machine.
#include "device/cuda/cuda_device.h"
#include "device/cuda/runtime/find_devices.h"
#include "device/cuda_plugin.h"

namespace lockstep {
namespace {

std::unique_ptr<Accelerator> openEmulated(int index)
{
    return std::make_unique<cuda::CudaDevice>(index);
}

} // namespace

const CudaSearch& cudaPlugin()
{
    static const CudaPlugin plugin{
        CudaPlugin::kVersion, cuda::findDevices, cuda::observeDevice, openEmulated};
    static const CudaSearch search{&plugin, ""};
    return search;
}

} // namespace lockstep
