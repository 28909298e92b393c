// SPDX-License-Identifier: Apache-2.0
// An emulated GPU as the programs open a real one: the same entry, on a machine with
// LOCKSTEP_EMULATED_GPUS devices, of which the one that LOCKSTEP_EMULATED_OLD_GPU names is too old,
// and with the fault LOCKSTEP_EMULATED_FAULT, if that is set: KIND:NUMBER[:WORD], in programs whose
// command line holds WORD. Kinds: throw (memory allocation NUMBER fails), capture (capture NUMBER
// fails), trap (task NUMBER fails, and every call after it), hang (task NUMBER never ends),
// wrong-gradient (weight gradients of convolutions).
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/runtime/find_devices.h"
#include "device/cuda_plugin.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace {

struct Fault
{
    std::string kind;
    int number = 0;
};

/// The one that is planted in this program; without a kind: none.
Fault plantedFault()
{
    const char* text = std::getenv("LOCKSTEP_EMULATED_FAULT");
    std::istringstream parts(text == nullptr ? "" : text);
    std::string kind;
    std::string number;
    std::string word;
    std::getline(parts, kind, ':');
    std::getline(parts, number, ':');
    std::getline(parts, word);
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string commandLine(std::istreambuf_iterator<char>(file), {});
    return commandLine.find(word) == std::string::npos ? Fault{}
                                                       : Fault{kind, std::atoi(number.c_str())};
}

void plant(const Fault& fault, lockstep::emulation::MachineSettings machine)
{
    machine.trapAt = fault.kind == "trap" ? fault.number : -1;
    machine.hangAt = fault.kind == "hang" ? fault.number : -1;
    lockstep::emulation::reset(machine);
    if (fault.kind == "throw") {
        lockstep::emulation::failNext("cudaMalloc", cudaErrorMemoryAllocation, fault.number);
    } else if (fault.kind == "capture") {
        lockstep::emulation::failNext(
            "cudaStreamEndCapture", cudaErrorStreamCaptureUnsupported, fault.number);
    } else if (fault.kind == "wrong-gradient") {
        lockstep::test::spoilWeightGradients();
    }
}

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
    plant(plantedFault(), machine);
    return &kPlugin;
}
