// SPDX-License-Identifier: Apache-2.0
#include "device/device_registry.h"

#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "device/cuda_plugin.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

/// All GPUs, or why there are none that can be used.
struct GpuSearch
{
    std::vector<DeviceInfo> gpus;
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

/// GPUs 0, 1 … as far as towers need them.
std::vector<int> firstGpus(std::size_t gpus, int towers)
{
    std::vector<int> numbers;
    for (int i = 0; i < std::min(static_cast<int>(gpus), towers); ++i) {
        numbers.push_back(i);
    }
    return numbers;
}

/// What a name stands for.
struct Selection
{
    std::vector<int> gpus; ///< empty: the CPU
    std::string note;
};

Selection selectCuda(const std::string& name, int towers)
{
    const GpuSearch& search = findGpus();
    if (search.gpus.empty()) {
        fail(ErrorCode::BadInput, "device '{}': {}; use --device cpu or auto", name, search.reason);
    }
    if (name == "cuda") {
        return {firstGpus(search.gpus.size(), towers), ""};
    }
    const auto numbers = gpuNumbers(name);
    for (const int number : numbers) {
        if (number >= static_cast<int>(search.gpus.size())) {
            fail(
                ErrorCode::BadInput,
                "device '{}': there is no GPU {}; this machine has {} (0 to {})", name, number,
                search.gpus.size(), search.gpus.size() - 1);
        }
    }
    return {numbers, ""};
}

Selection selectDevices(const std::string& name, int towers)
{
    if (name == "cpu") {
        return {};
    }
    if (name == "auto") {
        const GpuSearch& search = findGpus();
        return search.gpus.empty()
                   ? Selection{{}, "device auto: the towers run on the CPU (" + search.reason + ")"}
                   : Selection{firstGpus(search.gpus.size(), towers), ""};
    }
    if (name == "cuda" || !gpuNumbers(name).empty()) {
        return selectCuda(name, towers);
    }
    fail(
        ErrorCode::BadInput,
        "device '{}' is not known; choose auto, cpu, cuda or cuda:I[,J] with the numbers of GPUs",
        name);
}

} // namespace

std::vector<DeviceReport> findDevices()
{
    std::vector<DeviceReport> reports{{"cpu", true, cpu::CpuDevice().info(), ""}};
    const GpuSearch& search = findGpus();
    for (const DeviceInfo& gpu : search.gpus) {
        reports.push_back({gpu.name, true, gpu, ""});
    }
    if (search.gpus.empty()) {
        reports.push_back({"cuda", false, {}, search.reason});
    }
    return reports;
}

DeviceChoice openDevices(const std::string& name, int towers)
{
    const Selection selection = selectDevices(name, towers);
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

DeviceInfo describeDevice(const std::string& name)
{
    const Selection selection = selectDevices(name, 1);
    return selection.gpus.empty()
               ? cpu::CpuDevice().info()
               : findGpus().gpus[static_cast<std::size_t>(selection.gpus.front())];
}

} // namespace lockstep
