// SPDX-License-Identifier: Apache-2.0
#include "device/registry/device_registry.h"

#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "device/cuda_plugin.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

constexpr const char* kCpu = "cpu";

/// All GPUs, or why there are none.
struct GpuSearch
{
    std::vector<DeviceReport> gpus;
    std::string reason;
};

GpuSearch searchGpus()
{
    const CudaSearch& search = cudaPlugin();
    if (search.plugin == nullptr) {
        return {{}, search.reason};
    }
    try {
        GpuSearch found{search.plugin->findDevices(), ""};
        if (found.gpus.empty()) {
            found.reason = "the NVIDIA driver sees no GPU";
        }
        return found;
    } catch (const Error& error) {
        return {{}, error.what()};
    }
}

const GpuSearch& findGpus()
{
    static const GpuSearch found = searchGpus();
    return found;
}

/// As findGpus(), of those that can be used.
std::vector<std::string> usableGpus()
{
    std::vector<std::string> names;
    for (const DeviceReport& gpu : findGpus().gpus) {
        if (gpu.isAvailable) {
            names.push_back(gpu.name);
        }
    }
    return names;
}

/// Why no GPU can be used.
std::string reasonAgainstAll()
{
    const GpuSearch& search = findGpus();
    return search.gpus.empty()
               ? search.reason
               : fmt::format("{}: {}", search.gpus.front().name, search.gpus.front().reason);
}

/// The numbers in "cuda:0,2"; empty for anything else.
std::vector<int> gpuNumbers(std::string_view name)
{
    constexpr std::string_view kPrefix = "cuda:";
    std::vector<int> numbers;
    if (!name.starts_with(kPrefix)) {
        return numbers;
    }
    const char* at = name.data() + kPrefix.size();
    const char* const end = name.data() + name.size();
    for (;;) {
        int number = 0;
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc() || number < 0
            || std::ranges::find(numbers, number) != numbers.end()) {
            return {};
        }
        numbers.push_back(number);
        if (stop == end) {
            return numbers;
        }
        if (*stop != ',') {
            return {};
        }
        at = stop + 1;
    }
}

std::string nameOfGpu(int number)
{
    return fmt::format("cuda:{}", number);
}

/// Refuses a GPU that is not there or can't be used.
void checkGpu(
    const std::string& device, int number, const std::map<std::string, std::string>& before)
{
    const auto& gpus = findGpus().gpus;
    if (number >= static_cast<int>(gpus.size())) {
        const auto known = before.find(nameOfGpu(number));
        fail(
            ErrorCode::BadInput,
            "device '{}': there is no GPU {}{}; this machine has {} (0 to {}): choose others "
            "(--device)",
            device, number,
            known == before.end() ? "" : fmt::format(" ({} when the run began)", known->second),
            gpus.size(), gpus.size() - 1);
    }
    const DeviceReport& gpu = gpus[static_cast<std::size_t>(number)];
    if (!gpu.isAvailable) {
        fail(
            ErrorCode::BadInput, "device '{}': GPU {} can't be used: {}", device, number,
            gpu.reason);
    }
}

/// What a name stands for.
struct Selection
{
    std::vector<int> gpus; ///< empty: the CPU
    std::string note;
};

/// The GPUs of one of several processes on this machine.
std::vector<std::string> shareOf(std::vector<std::string> gpus, const GpuShare& share)
{
    const auto place = [&](int process) {
        return gpus.begin() + std::ssize(gpus) * process / share.of;
    };
    return {place(share.number), place(share.number + 1)};
}

Selection selectDevices(
    const std::string& name, int towers, const GpuShare& share = {},
    const std::map<std::string, std::string>& before = {})
{
    const auto named = gpuNumbers(name);
    const auto usable = usableGpus();
    const auto all = named.empty() ? std::ssize(usable) : std::ssize(named);
    if (name != kCpu && all > 0 && all < share.of) {
        fail(
            ErrorCode::BadInput,
            "device '{}': {} ranks run on this machine, but there are {} GPUs for them: start "
            "fewer "
            "ranks here",
            name, share.of, all);
    }
    auto names = devicesFor(name, towers, shareOf(usable, share));
    if (!named.empty()) {
        names = shareOf(names, share);
    }
    if (name == "cuda" ? names.empty() : !named.empty() && findGpus().gpus.empty()) {
        std::string gone;
        for (const int number : named) {
            if (const auto known = before.find(nameOfGpu(number)); known != before.end()) {
                gone += fmt::format("{} was {} when the run began; ", known->first, known->second);
            }
        }
        fail(
            ErrorCode::BadInput, "device '{}': {}; {}use --device cpu or auto", name,
            reasonAgainstAll(), gone);
    }
    if (names.empty()) {
        fail(
            ErrorCode::BadInput,
            "device '{}' is not known; choose auto, cpu, cuda or cuda:I[,J] with the numbers of "
            "GPUs",
            name);
    }
    Selection selection;
    if (names.front() == kCpu) {
        if (name == "auto") {
            selection.note =
                fmt::format("device auto: the towers run on the CPU ({})", reasonAgainstAll());
        }
        return selection;
    }
    for (const std::string& gpu : names) {
        selection.gpus.push_back(gpuNumbers(gpu).front());
        checkGpu(name, selection.gpus.back(), before);
    }
    return selection;
}

} // namespace

std::vector<std::string> devicesFor(
    const std::string& name, int towers, const std::vector<std::string>& usableGpus)
{
    if (name == kCpu || (name == "auto" && usableGpus.empty())) {
        return {kCpu};
    }
    std::vector<std::string> names;
    if (name == "auto" || name == "cuda") {
        const auto count = std::min(usableGpus.size(), static_cast<std::size_t>(towers));
        names.assign(usableGpus.begin(), usableGpus.begin() + static_cast<std::ptrdiff_t>(count));
    }
    for (const int number : gpuNumbers(name)) {
        names.push_back(nameOfGpu(number));
    }
    return names;
}

std::vector<DeviceReport> findDevices()
{
    std::vector<DeviceReport> reports{{kCpu, true, cpu::CpuDevice().info(), ""}};
    const GpuSearch& search = findGpus();
    for (std::size_t number = 0; number < search.gpus.size(); ++number) {
        reports.push_back(search.gpus[number]);
        cudaPlugin().plugin->observeDevice(static_cast<int>(number), reports.back());
    }
    if (search.gpus.empty()) {
        reports.push_back({"cuda", false, {}, search.reason});
    }
    return reports;
}

DeviceChoice openDevices(const std::string& name, int towers, const GpuShare& share)
{
    const Selection selection = selectDevices(name, towers, share);
    DeviceChoice choice;
    choice.note = selection.note;
    for (const int number : selection.gpus) {
        choice.devices.push_back(cudaPlugin().plugin->openDevice(number));
    }
    if (choice.devices.empty()) {
        choice.devices.push_back(std::make_unique<cpu::CpuDevice>());
    }
    return choice;
}

std::unique_ptr<Device> openDevice(const std::string& name)
{
    return std::move(openDevices(name, 1).devices.front());
}

DeviceInfo describeDevice(const std::string& name, const std::map<std::string, std::string>& before)
{
    const Selection selection = selectDevices(name, 1, {}, before);
    return selection.gpus.empty()
               ? cpu::CpuDevice().info()
               : findGpus().gpus[static_cast<std::size_t>(selection.gpus.front())].info;
}

} // namespace lockstep
