// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/device_report.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// What liblockstep-cuda.so offers. It is opened at run time, so that the programs start on
/// machines without NVIDIA's libraries.
struct CudaPlugin
{
    /// Grows with every change of what crosses the border between program and library.
    static constexpr int kVersion = 4;
    /// Of the function that returns a `const CudaPlugin*`.
    static constexpr const char* kEntryPoint = "lockstepCudaPlugin";

    int version = kVersion;
    /// What all GPUs are, without starting them; one that can't be used says why. Error(Device)
    /// says why none can.
    std::vector<DeviceReport> (*findDevices)() = nullptr;
    /// Adds what a GPU does now, without starting it, and that another program keeps it for itself.
    /// Any thread.
    void (*observeDevice)(int index, DeviceReport& report) noexcept = nullptr;
    /// Error(Device) says why it can't be used.
    std::unique_ptr<Accelerator> (*openDevice)(int index) = nullptr;
};

/// The CUDA half, or why it can't be used on this machine.
struct CudaSearch
{
    const CudaPlugin* plugin = nullptr;
    std::string reason;
};

/// Opens the library on the first call; later calls give the same answer. Thread-safe.
const CudaSearch& cudaPlugin();

} // namespace lockstep
