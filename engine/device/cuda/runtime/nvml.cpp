// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/nvml.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

namespace lockstep::cuda {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

// Values and structures of NVML's interface.
constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr unsigned long long kUnknownBytes = std::numeric_limits<unsigned long long>::max();
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

struct Process
{
    unsigned id;
    unsigned long long bytes; ///< kUnknownBytes: unknown
    unsigned gpuInstance;
    unsigned computeInstance;
};

/// All processes that one of NVML's functions knows.
template<class Function, class Gpu>
std::vector<Process> processesBy(Function* list, Gpu gpu)
{
    constexpr unsigned kUsual = 32;
    std::vector<Process> processes(kUsual);
    auto count = kUsual;
    int status = list(gpu, &count, processes.data());
    if (status == kInsufficientSize) {
        count += kUsual; // some more may have come since
        processes.resize(count);
        status = list(gpu, &count, processes.data());
    }
    processes.resize(status == kSuccess ? count : 0);
    return processes;
}

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

    using ListProcesses = int(Handle, unsigned*, Process*);
    /// The second version, of driver 510, takes the same structure.
    static ListProcesses* lookForList(void* library, const std::string& name)
    {
        auto* const third = look<ListProcesses>(library, (name + "_v3").c_str());
        return third != nullptr ? third : look<ListProcesses>(library, (name + "_v2").c_str());
    }

    explicit Functions(void* library)
        : start(look<int()>(library, "nvmlInit_v2")),
          handle(look<int(const char*, Handle*)>(library, "nvmlDeviceGetHandleByPciBusId_v2")),
          memory(look<int(Handle, Memory*)>(library, "nvmlDeviceGetMemoryInfo")),
          utilization(look<int(Handle, Utilization*)>(library, "nvmlDeviceGetUtilizationRates")),
          temperature(look<int(Handle, unsigned, unsigned*)>(library, "nvmlDeviceGetTemperature")),
          power(look<int(Handle, unsigned*)>(library, "nvmlDeviceGetPowerUsage")),
          reasons(look<int(Handle, unsigned long long*)>(
              library, "nvmlDeviceGetCurrentClocksEventReasons")),
          processLists{
              lookForList(library, "nvmlDeviceGetComputeRunningProcesses"),
              lookForList(library, "nvmlDeviceGetGraphicsRunningProcesses")},
          processName(look<int(unsigned, char*, unsigned)>(library, "nvmlSystemGetProcessName"))
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
    std::array<ListProcesses*, 2> processLists;
    int (*processName)(unsigned, char*, unsigned);
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

/// As the system has it; of a process that is out of its sight, as the driver has it.
std::string Nvml::nameOf(unsigned process) const
{
    std::string name;
    if (std::getline(std::ifstream("/proc/" + std::to_string(process) + "/comm"), name)) {
        return name;
    }
    std::array<char, 256> path{};
    const bool isKnown = m_functions->processName != nullptr
                         && m_functions->processName(process, path.data(), path.size()) == kSuccess;
    return isKnown ? std::filesystem::path(path.data()).filename().string() : "";
}

std::vector<DeviceProgram> Nvml::programs(const std::string& pciBusId) const noexcept
try {
    std::map<unsigned, std::int64_t> bytes;
    Handle gpu = m_functions == nullptr ? nullptr : find(pciBusId);
    for (auto* const list : m_functions == nullptr ? decltype(m_functions->processLists){}
                                                   : m_functions->processLists) {
        if (gpu == nullptr || list == nullptr) {
            continue;
        }
        for (const Process& process : processesBy(list, gpu)) {
            auto& known = bytes.try_emplace(process.id, -1).first->second;
            if (process.bytes != kUnknownBytes) {
                known = std::max(known, static_cast<std::int64_t>(process.bytes));
            }
        }
    }
    std::vector<DeviceProgram> programs;
    programs.reserve(bytes.size());
    for (const auto& [process, used] : bytes) {
        programs.push_back(
            {process, nameOf(process), used, process == static_cast<unsigned>(getpid())});
    }
    std::ranges::stable_sort(programs, std::ranges::greater(), &DeviceProgram::memoryBytes);
    return programs;
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

namespace {

/// Asks `ask` of the library, and of where the GPU is; what a GPU that is not there says is empty.
template<class Ask>
auto askNvml(int device, Ask ask) -> decltype(ask(std::declval<const Nvml&>(), std::string()))
{
    static const Nvml& nvml = *new Nvml(kLibrary);
    std::array<char, 32> pciBusId{};
    if (cudaDeviceGetPCIBusId(pciBusId.data(), static_cast<int>(pciBusId.size()), device)
        != cudaSuccess) {
        // Taken back, so that nobody else finds it.
        cudaGetLastError();
        return {};
    }
    return ask(nvml, pciBusId.data());
}

} // namespace

DeviceReading readNvml(int device) noexcept
try {
    return askNvml(device, [](const Nvml& nvml, const std::string& gpu) { return nvml.read(gpu); });
} catch (...) {
    return {};
}

std::vector<DeviceProgram> readPrograms(int device) noexcept
try {
    return askNvml(
        device, [](const Nvml& nvml, const std::string& gpu) { return nvml.programs(gpu); });
} catch (...) {
    return {};
}

} // namespace lockstep::cuda
