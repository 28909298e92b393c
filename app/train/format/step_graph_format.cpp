// SPDX-License-Identifier: Apache-2.0
#include "format/step_graph_format.h"
#include "format/units.h"

#include "engine/bench.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockstep::train {
namespace {

/// "12.3"; "-": not known.
std::string microsecondsText(const std::optional<double>& microseconds)
{
    return microseconds ? fmt::format("{:.1f}", *microseconds) : "-";
}

std::string lineText(const GraphLine& line, std::size_t partWidth)
{
    std::string text = fmt::format(
        "{:<{}} {:<16} {:>5} {:>9.2f} {:>9.2f} {:>8}", line.part, partWidth, line.pass, line.nodes,
        line.bytes / kMega, line.flop / kGiga, microsecondsText(line.floorMicroseconds));
    for (const std::string& kernel : line.kernels) {
        constexpr std::size_t kNameLength = 60;
        text.append("  ").append(kernel, 0, kNameLength);
    }
    return text;
}

} // namespace

Json toJson(const StepGraphReport& report)
{
    Json lines = Json::array();
    for (const GraphLine& line : report.lines) {
        lines.push_back(
            {{"part", line.part},
             {"pass", line.pass},
             {"nodes", line.nodes},
             {"kernels", line.kernels},
             {"bytes", line.bytes},
             {"flop", line.flop},
             {"floor_microseconds", orNull(line.floorMicroseconds)}});
    }
    return {
        {"model", report.model},
        {"device", report.device},
        {"precision", report.precision},
        {"towers", report.towers},
        {"batch_per_tower", report.batchPerTower},
        {"nodes", report.nodes},
        {"longest_chain", report.longestChain},
        {"bytes", report.bytes},
        {"separate_bytes", report.separateBytes},
        {"floor_microseconds", orNull(report.floorMicroseconds)},
        {"lines", lines}};
}

std::string stepGraphText(const StepGraphReport& report)
{
    std::size_t partWidth = 0;
    for (const GraphLine& line : report.lines) {
        partWidth = std::max(partWidth, line.part.size());
    }
    std::string text = fmt::format(
        "{} on {}, {}: {} × {} examples\n{} nodes, {} of them in the longest chain\n{:<{}} {:<16} "
        "{:>5} {:>9} {:>9} {:>8}",
        report.model, report.device, report.precision, report.towers, report.batchPerTower,
        report.nodes, report.longestChain, "part", partWidth, "pass", "nodes", "MB", "GFLOP", "us");
    for (const GraphLine& line : report.lines) {
        text += '\n';
        text += lineText(line, partWidth);
    }
    return text
           + fmt::format(
               "\n{:.2f} MB at least ({:.2f} MB if every layer were a kernel of its own), {} us at "
               "the device's ceilings, gaps between nodes not counted",
               report.bytes / kMega, report.separateBytes / kMega,
               microsecondsText(report.floorMicroseconds));
}

} // namespace lockstep::train
