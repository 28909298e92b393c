// SPDX-License-Identifier: Apache-2.0
#include "device/device_registry.h"

#include "base/error.h"
#include "device/cpu/cpu_device.h"

namespace lockstep {
namespace {

constexpr const char* kNoCuda = "this version of Lockstep has no CUDA towers yet";

} // namespace

std::vector<DeviceReport> findDevices()
{
    return {{"cpu", true, cpu::CpuDevice().info(), ""}, {"cuda", false, {}, kNoCuda}};
}

DeviceChoice openDevice(const std::string& name)
{
    if (name == "cpu") {
        return {std::make_unique<cpu::CpuDevice>(), ""};
    }
    if (name == "auto") {
        return {
            std::make_unique<cpu::CpuDevice>(),
            std::string("device auto: the towers run on the CPU (") + kNoCuda + ")"};
    }
    if (name == "cuda" || name.starts_with("cuda:")) {
        fail(ErrorCode::BadInput, "device '{}': {}; use --device cpu or auto", name, kNoCuda);
    }
    fail(
        ErrorCode::BadInput,
        "device '{}' is not known; choose auto, cpu, cuda or cuda:I[,J] with the numbers of GPUs",
        name);
}

} // namespace lockstep
