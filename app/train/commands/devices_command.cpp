// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"
#include "commands/commands.h"
#include "console.h"
#include "engine/device.h"
#include "format/json_format.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

namespace lockstep::train {
namespace {

constexpr const char* kDevicesDescription =
    "Lists the devices that can train here, what GPUs do now, and why the others can't";

constexpr const char* kDevicesExamples = R"(Examples:
  lockstep-train devices
  lockstep-train devices --json
  lockstep-train devices --forget-algorithms)";

constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;

/// -1: unknown.
std::int64_t freeBytes(const DeviceReport& report)
{
    const DeviceReading& now = report.reading;
    return now.memoryTotalBytes < 0 || now.memoryUsedBytes < 0
               ? -1
               : now.memoryTotalBytes - now.memoryUsedBytes;
}

Json toJson(const DeviceReport& report)
{
    Json json{{"name", report.name}, {"available", report.isAvailable}};
    if (report.isAvailable || !report.info.name.empty()) {
        json.update(train::toJson(report.info));
    }
    if (!report.isAvailable) {
        json["reason"] = report.reason;
    }
    if (const auto free = freeBytes(report); free >= 0) {
        json["memory_free_bytes"] = free;
    }
    if (report.reading.load >= 0.0) {
        json["load"] = report.reading.load;
    }
    for (const DeviceProgram& program : report.programs) {
        json["programs"].push_back(
            {{"process", program.process},
             {"name", program.name},
             {"memory_bytes", program.memoryBytes < 0 ? Json() : Json(program.memoryBytes)}});
    }
    return json;
}

/// What a GPU does now: "; 63.1 GiB free, load 20 %, used by python3 (4711)".
std::string useOf(const DeviceReport& report)
{
    std::vector<std::string> parts;
    if (const auto free = freeBytes(report); free >= 0) {
        parts.push_back(fmt::format("{:.1f} GiB free", static_cast<double>(free) / kGibi));
    }
    if (report.reading.load >= 0.0) {
        parts.push_back(fmt::format("load {:.0f} %", 100.0 * report.reading.load));
    }
    std::vector<std::string> programs;
    for (const DeviceProgram& program : report.programs) {
        programs.push_back(
            program.name.empty() ? std::to_string(program.process)
                                 : fmt::format("{} ({})", program.name, program.process));
    }
    if (!programs.empty()) {
        parts.push_back(fmt::format("used by {}", fmt::join(programs, " ")));
    }
    return parts.empty() ? "" : fmt::format("; {}", fmt::join(parts, ", "));
}

std::string lineFor(const DeviceReport& report)
{
    const DeviceInfo& info = report.info;
    if (!report.isAvailable) {
        return fmt::format(
            "{:<6} {}not available: {}", report.name,
            info.description.empty() ? "" : info.description + "; ", report.reason);
    }
    std::vector<std::string> precisions;
    for (const Precision precision : info.precisions) {
        precisions.push_back(toString(precision));
    }
    return fmt::format(
        "{:<6} {}, {} processors, {:.1f} GiB, {}, {}{}", report.name, info.description,
        info.processors, static_cast<double>(info.memoryBytes) / kGibi, info.library,
        fmt::join(precisions, " "), useOf(report));
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

struct DevicesOptions
{
    explicit DevicesOptions(Command& command)
    {
        command.flag("--json", isJson, "One JSON object instead of text");
        command.flag(
            "--forget-algorithms", forgetsAlgorithms,
            "Instead, forgets which algorithms were measured to be the fastest, so that "
            "the next run measures anew");
    }

    bool isJson = false;
    bool forgetsAlgorithms = false;
};

int devices(const DevicesOptions& options)
{
    if (options.forgetsAlgorithms) {
        return forgetAlgorithms(options.isJson);
    }
    Console console;
    Json json{{"devices", Json::array()}};
    for (const DeviceReport& report : findDevices()) {
        if (options.isJson) {
            json["devices"].push_back(toJson(report));
        } else {
            console.result(lineFor(report));
        }
    }
    if (options.isJson) {
        console.result(lineOf(json));
    }
    return 0;
}

} // namespace

void addDevicesCommand(CommandLine& program)
{
    program.add("devices", kDevicesDescription, kDevicesExamples, devices);
}

} // namespace lockstep::train
