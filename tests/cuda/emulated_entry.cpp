// SPDX-License-Identifier: Apache-2.0
// An emulated GPU as the programs open a real one: the same entry, on a machine with
// LOCKSTEP_EMULATED_GPUS devices.
#include "cuda/emulated_runtime.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/find_devices.h"
#include "device/cuda_plugin.h"

#include <cstdlib>

namespace {

std::unique_ptr<lockstep::Accelerator> openDevice(int index)
{
    return std::make_unique<lockstep::cuda::CudaDevice>(index);
}

constexpr lockstep::CudaPlugin kPlugin{
    lockstep::CudaPlugin::kVersion, lockstep::cuda::findDevices, openDevice};

} // namespace

extern "C" const lockstep::CudaPlugin* lockstepCudaPlugin()
{
    lockstep::emulation::MachineSettings machine;
    if (const char* devices = std::getenv("LOCKSTEP_EMULATED_GPUS"); devices != nullptr) {
        machine.devices = std::atoi(devices);
    }
    lockstep::emulation::reset(machine);
    return &kPlugin;
}
