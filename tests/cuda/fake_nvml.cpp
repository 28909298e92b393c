// SPDX-License-Identifier: Apache-2.0
// A shared library with the functions of NVIDIA's management library that the engine uses, written
// from its documentation. With FAKE_NVML_OLD it lacks what drivers before 535 lack, and power.
#include "cuda/fake_nvml.h"

#include <cstring>
#include <string_view>

using lockstep::test::FakeNvml;

namespace {

constexpr int kSuccess = 0;
constexpr int kUninitialized = 1;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;

FakeNvml fake;
int gpu = 0;

struct Process
{
    unsigned id;
    unsigned long long bytes;
    unsigned gpuInstance;
    unsigned computeInstance;
};
struct Memory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};
struct Utilization
{
    unsigned gpu;
    unsigned memory;
};

int check(const void* device)
{
    if (fake.starts == 0) {
        return kUninitialized;
    }
    return device == &gpu ? kSuccess : kNotFound;
}

template<class Value>
int answer(const void* device, Value* place, Value value)
{
    const int status = check(device);
    if (status == kSuccess) {
        *place = value;
    }
    return status;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): NVIDIA's names.
extern "C" {

FakeNvml* lockstepFakeNvml()
{
    return &fake;
}

int nvmlInit_v2()
{
    ++fake.starts;
    return fake.isStarting ? kSuccess : kUninitialized;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* busId, void** device)
{
    ++fake.handles;
    if (std::string_view(busId) != lockstep::test::kFakeBusId) {
        return kNotFound;
    }
    *device = &gpu;
    return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void* device, Memory* memory)
{
    return answer(device, memory, Memory{150'000'000'000, 148'000'000'000, 2'000'000'000});
}

int nvmlDeviceGetUtilizationRates(void* device, Utilization* utilization)
{
    return fake.hasUtilization ? answer(device, utilization, Utilization{87, 31}) : kNotSupported;
}

int nvmlDeviceGetTemperature(void* device, unsigned sensor, unsigned* celsius)
{
    return sensor == 0 ? answer(device, celsius, 64U) : kNotSupported;
}

/// As many as the fake has, each with a GiB for its number, except for process 999'999, of which
/// that is unknown.
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* processes)
{
    if (const int status = check(device); status != kSuccess) {
        return status;
    }
    const auto room = *count;
    *count = static_cast<unsigned>(fake.processes.size());
    if (room < *count) {
        return kInsufficientSize;
    }
    for (std::size_t i = 0; i < fake.processes.size(); ++i) {
        const bool isKnown = fake.processes[i] != 999'999;
        processes[i] = {fake.processes[i], isKnown ? (i + 1ULL) << 30U : ~0ULL, ~0U, ~0U};
    }
    return kSuccess;
}

/// The first of them draws, too, with less memory.
int nvmlDeviceGetGraphicsRunningProcesses_v3(void* device, unsigned* count, Process* processes)
{
    if (const int status = check(device); status != kSuccess) {
        return status;
    }
    *count = fake.processes.empty() ? 0 : 1;
    if (*count > 0) {
        processes[0] = {fake.processes[0], 1ULL << 20U, ~0U, ~0U};
    }
    return kSuccess;
}

int nvmlSystemGetProcessName(unsigned process, char* name, unsigned length)
{
    if (process != 999'998) {
        return kNotFound;
    }
    std::strncpy(name, "/usr/bin/over there", length);
    return kSuccess;
}

#ifdef FAKE_NVML_OLD
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons)
#else
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts)
{
    return answer(device, milliwatts, 412'500U);
}

int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons)
#endif
{
    return answer(device, reasons, fake.reasons);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
