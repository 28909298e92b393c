// SPDX-License-Identifier: Apache-2.0
#include "session/selftest/selftest.h"

#include "base/error.h"
#include "session/selftest/selftest_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lockstep {
namespace {

constexpr double kNeverRight = std::numeric_limits<double>::infinity();

/// An accelerator is bought for the roughest precision: should the time end, that was tested.
std::vector<Precision> precisionsOf(const Device& device, const SelftestSettings& settings)
{
    const DeviceInfo& info = device.info();
    std::vector<Precision> precisions = settings.precisions;
    if (precisions.empty()) {
        precisions = info.precisions;
        if (!device.worksOnHost()) {
            std::ranges::reverse(precisions);
        }
    }
    for (const Precision precision : precisions) {
        if (std::ranges::find(info.precisions, precision) == info.precisions.end()) {
            fail(
                ErrorCode::BadInput, "precision {} is not supported on {} ({})",
                toString(precision), info.name, info.description);
        }
    }
    return precisions;
}

/// Those that are wanted, with the precision before their names.
std::vector<SelftestCheck> chosenChecks(const Device& device, const SelftestSettings& settings)
{
    std::vector<SelftestCheck> all;
    for (const Precision precision : precisionsOf(device, settings)) {
        for (SelftestCheck& check : selftestChecks({&device, precision, settings.algorithms})) {
            check.name = fmt::format("{} {}", toString(precision), check.name);
            all.push_back(std::move(check));
        }
    }
    std::vector<SelftestCheck> chosen;
    std::ranges::copy_if(all, std::back_inserter(chosen), [&](const SelftestCheck& check) {
        return check.name.find(settings.only) != std::string::npos;
    });
    if (chosen.empty()) {
        constexpr std::size_t kNamed = 8;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < kNamed; ++i) {
            names.push_back(all[i * all.size() / kNamed].name);
        }
        fail(
            ErrorCode::BadInput, "no check has '{}' in its name; some of the {} are: {}",
            settings.only, all.size(), fmt::join(names, "; "));
    }
    return chosen;
}

/// Whether it still does what it is told; after some failures no call ever succeeds again.
bool answers(const Device& device)
{
    constexpr std::size_t kBytes = 64;
    try {
        const DeviceMemory memory = device.allocate(kBytes);
        std::array<std::byte, kBytes> bytes{};
        device.copyIn(memory.data(), bytes.data(), bytes.size());
        device.copyOut(bytes.data(), memory.data(), bytes.size());
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

} // namespace

std::vector<SelftestLine> runSelftest(
    const Device& device, const SelftestSettings& settings, const SelftestWatcher& watcher)
{
    std::vector<SelftestLine> lines;
    const auto add = [&](SelftestLine line) {
        lines.push_back(std::move(line));
        if (watcher.onLine) {
            watcher.onLine(lines.back());
        }
    };
    device.enterThread(1);
    bool isLost = false;
    for (const SelftestCheck& check : chosenChecks(device, settings)) {
        if (isLost) {
            add({check.name, kNeverRight, 0.0, "not run, the device failed before"});
            continue;
        }
        if (watcher.onCheck) {
            watcher.onCheck(check.name);
        }
        try {
            check.run([&](const std::string& what, double error, double tolerance) {
                add({fmt::format("{}, {}", check.name, what), error, tolerance});
            });
        } catch (const std::exception& error) {
            isLost = !answers(device);
            add(
                {check.name, kNeverRight, 0.0,
                 isLost ? fmt::format(
                     "{}; {} no longer answers, so what follows is not run", error.what(),
                     device.info().name)
                        : error.what()});
        }
    }
    return lines;
}

} // namespace lockstep
