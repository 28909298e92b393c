// SPDX-License-Identifier: Apache-2.0
// Devices and errors of the emulated CUDA runtime.
#include "cuda/emulated_machine.h"

#include <cstring>

using lockstep::emulation::currentDevice;
using lockstep::emulation::Machine;

namespace {

template<class Body>
cudaError_t call(const char* function, Body body)
{
    return Machine::instance().call(function, body);
}

bool isDevice(const Machine& machine, int device)
{
    return device >= 0 && device < machine.settings.devices;
}

} // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* version)
{
    return call("cudaDriverGetVersion", [&](Machine& machine) {
        *version = machine.settings.driverVersion;
        return cudaSuccess;
    });
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    return call("cudaRuntimeGetVersion", [&](Machine& /*machine*/) {
        *version = CUDART_VERSION;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceCount(int* count)
{
    return call("cudaGetDeviceCount", [&](Machine& machine) {
        const cudaError_t result = machine.requireDriver();
        *count = result == cudaSuccess ? machine.settings.devices : 0;
        return result;
    });
}

cudaError_t cudaSetDevice(int device)
{
    return call("cudaSetDevice", [&](Machine& machine) {
        if (!isDevice(machine, device)) {
            return cudaErrorInvalidDevice;
        }
        currentDevice() = device;
        return machine.requireDriver();
    });
}

cudaError_t cudaGetDevice(int* device)
{
    return call("cudaGetDevice", [&](Machine& machine) {
        *device = currentDevice();
        return machine.requireDriver();
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    return call("cudaGetDeviceProperties", [&](Machine& machine) {
        if (!isDevice(machine, device)) {
            return cudaErrorInvalidDevice;
        }
        *properties = {};
        std::strcpy(properties->name, "Emulated GPU");
        properties->totalGlobalMem = machine.settings.memoryPerDevice;
        properties->multiProcessorCount = lockstep::emulation::kProcessors;
        properties->major = 9;
        properties->minor = 0;
        properties->warpSize = 32;
        properties->maxThreadsPerBlock = 1024;
        properties->pciBusID = device + 1;
        return machine.requireDriver();
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    return call("cudaDeviceGetAttribute", [&](Machine& machine) {
        static const std::map<int, int> kValues{
            {cudaDevAttrMaxThreadsPerBlock, 1024},
            {cudaDevAttrWarpSize, 32},
            {cudaDevAttrMultiProcessorCount, lockstep::emulation::kProcessors},
            {cudaDevAttrComputeCapabilityMajor, 9},
            {cudaDevAttrComputeCapabilityMinor, 0},
            {cudaDevAttrClockRate, 1'000'000},
            {cudaDevAttrMemoryClockRate, 1'000'000},
            {cudaDevAttrL2CacheSize, 1 << 20},
            {cudaDevAttrGlobalMemoryBusWidth, 256},
            {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
            {cudaDevAttrPciBusId, device + 1},
            {cudaDevAttrUnifiedAddressing, 1},
        };
        const auto found = kValues.find(attribute);
        if (!isDevice(machine, device) || found == kValues.end()) {
            return cudaErrorInvalidValue;
        }
        *value = found->second;
        return machine.requireDriver();
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, const void* /*kernel*/, int /*threads*/, std::size_t /*sharedBytes*/)
{
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Machine& machine) {
        *blocks = lockstep::emulation::kBlocksOfAProcessor;
        return machine.requireDriver();
    });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* /*kernel*/)
{
    return call("cudaFuncGetAttributes", [&](Machine& machine) {
        *attributes = {};
        attributes->ptxVersion = machine.settings.codeVersion;
        return machine.requireDriver();
    });
}

cudaError_t cudaGetLastError()
{
    return Machine::instance().locked([](Machine& machine) { return machine.takeLastError(); });
}

cudaError_t cudaPeekAtLastError()
{
    return Machine::instance().locked([](Machine& machine) { return machine.lastError(); });
}

const char* cudaGetErrorName(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "cudaSuccess";
    case cudaErrorInvalidValue:
        return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorNoDevice:
        return "cudaErrorNoDevice";
    case cudaErrorInsufficientDriver:
        return "cudaErrorInsufficientDriver";
    case cudaErrorLaunchFailure:
        return "cudaErrorLaunchFailure";
    case cudaErrorIllegalAddress:
        return "cudaErrorIllegalAddress";
    case cudaErrorStreamCaptureUnjoined:
        return "cudaErrorStreamCaptureUnjoined";
    default:
        return "cudaErrorOther";
    }
}

const char* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInsufficientDriver:
        return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    default:
        return "an error of the emulated device";
    }
}

} // extern "C"
