// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "console.h"
#include "json_format.h"

#include <fmt/ranges.h>

#include <memory>

namespace lockstep::train {
namespace {

constexpr const char* kDescription =
    "Lists the devices that can train here, and why the others can't";

constexpr const char* kExamples = R"(Examples:
  lockstep-train devices
  lockstep-train devices --json
  lockstep-train devices --forget-algorithms)";

Json toJson(const DeviceReport& report)
{
    Json json{{"name", report.name}, {"available", report.isAvailable}};
    if (report.isAvailable) {
        json.update(train::toJson(report.info));
    } else {
        json["reason"] = report.reason;
    }
    return json;
}

std::string lineFor(const DeviceReport& report)
{
    constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
    if (!report.isAvailable) {
        return fmt::format("{:<6} not available: {}", report.name, report.reason);
    }
    const DeviceInfo& info = report.info;
    std::vector<std::string> precisions;
    for (const Precision precision : info.precisions) {
        precisions.push_back(toString(precision));
    }
    return fmt::format(
        "{:<6} {}, {} processors, {:.1f} GiB, {}, {}", report.name, info.description,
        info.processors, static_cast<double>(info.memoryBytes) / kGibi, info.library,
        fmt::join(precisions, " "));
}

int forgetAlgorithms(bool isJson)
{
    const std::filesystem::path file = AlgorithmStore::defaultFile();
    const int count = AlgorithmStore::forget(file);
    Console console;
    console.result(
        isJson ? lineOf({{"forgotten", count}, {"file", file.string()}})
               : fmt::format("{} choices of algorithms forgotten: {}", count, file.string()));
    return 0;
}

int devices(bool isJson)
{
    Console console;
    Json json{{"devices", Json::array()}};
    for (const DeviceReport& report : findDevices()) {
        if (isJson) {
            json["devices"].push_back(toJson(report));
        } else {
            console.result(lineFor(report));
        }
    }
    if (isJson) {
        console.result(lineOf(json));
    }
    return 0;
}

} // namespace

void addDevicesCommand(CLI::App& program, Action& action)
{
    CLI::App* command = program.add_subcommand("devices", kDescription);
    command->footer(kExamples);
    const auto isJson = std::make_shared<bool>(false);
    command->add_flag("--json", *isJson, "One JSON object instead of text");
    const auto isForgetting = std::make_shared<bool>(false);
    command->add_flag(
        "--forget-algorithms", *isForgetting,
        "Instead, forgets which algorithms were measured to be the fastest on a GPU, so that the "
        "next run measures anew");
    command->callback([isJson, isForgetting, &action] {
        action = [isJson, isForgetting] {
            return *isForgetting ? forgetAlgorithms(*isJson) : devices(*isJson);
        };
    });
}

} // namespace lockstep::train
