// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/nvml.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::cuda {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

// Values and structures of NVML's interface.
constexpr int kSuccess = 0;
constexpr unsigned kGpuTemperature = 0;
struct Memory
{
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};
struct Utilization
{
    unsigned gpu; ///< percent
    unsigned memory;
};

struct ThrottleReason
{
    unsigned long long bits;
    const char* text;
};
/// Bits that tell which slowdown of the hardware it is; bit 8 alone says only that there is one.
constexpr unsigned long long kHardware = 0x08;
constexpr unsigned long long kHardwareDetails = 0x40 | 0x80;
constexpr std::array kThrottleReasons{ThrottleReason{0x04, "power limit"},
                                      ThrottleReason{0x20 | 0x40, "too hot"},
                                      ThrottleReason{0x80, "power supply"},
                                      ThrottleReason{kHardware, "slowed by the hardware"},
                                      ThrottleReason{0x02 | 0x100, "clock setting"},
                                      ThrottleReason{0x10, "clocks tied to other GPUs"}};

} // namespace

/// Null where the library lacks one.
struct Nvml::Functions
{
    template<class Function>
    static Function* look(void* library, const char* name)
    {
        return reinterpret_cast<Function*>(dlsym(library, name));
    }

    explicit Functions(void* library)
        : start(look<int()>(library, "nvmlInit_v2")),
          handle(look<int(const char*, Handle*)>(library, "nvmlDeviceGetHandleByPciBusId_v2")),
          memory(look<int(Handle, Memory*)>(library, "nvmlDeviceGetMemoryInfo")),
          utilization(look<int(Handle, Utilization*)>(library, "nvmlDeviceGetUtilizationRates")),
          temperature(look<int(Handle, unsigned, unsigned*)>(library, "nvmlDeviceGetTemperature")),
          power(look<int(Handle, unsigned*)>(library, "nvmlDeviceGetPowerUsage")),
          reasons(look<int(Handle, unsigned long long*)>(
              library, "nvmlDeviceGetCurrentClocksEventReasons"))
    {
        // Its name before driver 535.
        if (reasons == nullptr) {
            reasons = look<int(Handle, unsigned long long*)>(
                library, "nvmlDeviceGetCurrentClocksThrottleReasons");
        }
    }

    int (*start)();
    int (*handle)(const char*, Handle*);
    int (*memory)(Handle, Memory*);
    int (*utilization)(Handle, Utilization*);
    int (*temperature)(Handle, unsigned, unsigned*);
    int (*power)(Handle, unsigned*); ///< milliwatts
    int (*reasons)(Handle, unsigned long long*);
};

Nvml::Nvml(const char* library)
{
    // Never closed: another thread may ask until the very end.
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        return;
    }
    auto functions = std::make_unique<const Functions>(handle);
    if (functions->start != nullptr && functions->handle != nullptr
        && functions->start() == kSuccess) {
        m_functions = std::move(functions);
    }
}

Nvml::~Nvml() = default;

Nvml::Handle Nvml::find(const std::string& pciBusId) const
{
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_handles.find(pciBusId); known != m_handles.end()) {
        return known->second;
    }
    Handle handle = nullptr;
    if (m_functions->handle(pciBusId.c_str(), &handle) != kSuccess) {
        return nullptr;
    }
    return m_handles[pciBusId] = handle;
}

DeviceReading Nvml::read(const std::string& pciBusId) const noexcept
try {
    constexpr double kPercent = 100.0;
    constexpr double kMilliwatts = 1000.0;
    DeviceReading reading;
    Handle gpu = m_functions == nullptr ? nullptr : find(pciBusId);
    if (gpu == nullptr) {
        return reading;
    }
    const auto ask = [](auto* function, auto... arguments) {
        return function != nullptr && function(arguments...) == kSuccess;
    };
    Memory memory{};
    if (ask(m_functions->memory, gpu, &memory)) {
        reading.memoryUsedBytes = static_cast<std::int64_t>(memory.used);
        reading.memoryTotalBytes = static_cast<std::int64_t>(memory.total);
    }
    Utilization utilization{};
    if (ask(m_functions->utilization, gpu, &utilization)) {
        reading.load = utilization.gpu / kPercent;
    }
    unsigned value = 0;
    if (ask(m_functions->temperature, gpu, kGpuTemperature, &value)) {
        reading.temperature = value;
    }
    if (ask(m_functions->power, gpu, &value)) {
        reading.powerWatts = value / kMilliwatts;
    }
    unsigned long long reasons = 0;
    if (ask(m_functions->reasons, gpu, &reasons)) {
        reading.throttleReason = throttleText(reasons);
    }
    return reading;
} catch (...) {
    return {};
}

std::string throttleText(unsigned long long reasons)
{
    if ((reasons & kHardwareDetails) != 0) {
        reasons &= ~kHardware;
    }
    std::string text;
    for (const auto& [bits, reason] : kThrottleReasons) {
        if ((reasons & bits) != 0) {
            text += (text.empty() ? "" : ", ") + std::string(reason);
        }
    }
    return text;
}

DeviceReading readNvml(int device) noexcept
try {
    static const Nvml& nvml = *new Nvml(kLibrary);
    std::array<char, 32> pciBusId{};
    if (cudaDeviceGetPCIBusId(pciBusId.data(), static_cast<int>(pciBusId.size()), device)
        != cudaSuccess) {
        // Taken back, so that nobody else finds it.
        cudaGetLastError();
        return {};
    }
    return nvml.read(pciBusId.data());
} catch (...) {
    return {};
}

} // namespace lockstep::cuda
