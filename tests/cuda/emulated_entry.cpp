// SPDX-License-Identifier: Apache-2.0
// An emulated GPU as the programs open a real one: the same entry, on a machine with
// LOCKSTEP_EMULATED_GPUS devices, of which the one that LOCKSTEP_EMULATED_OLD_GPU names is too old.
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

std::vector<lockstep::DeviceReport> findDevices()
{
    auto devices = lockstep::cuda::findDevices();
    if (const char* old = std::getenv("LOCKSTEP_EMULATED_OLD_GPU"); old != nullptr) {
        const int number = std::atoi(old);
        auto& device = devices.at(static_cast<std::size_t>(number));
        device.reason = lockstep::cuda::reasonAgainst(number, 6, 1, 0);
        device.isAvailable = false;
    }
    return devices;
}

constexpr lockstep::CudaPlugin kPlugin{
    lockstep::CudaPlugin::kVersion, findDevices, lockstep::cuda::observeDevice, openDevice};

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
