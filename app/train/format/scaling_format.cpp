// SPDX-License-Identifier: Apache-2.0
#include "format/scaling_format.h"
#include "format/units.h"

#include "engine/bench.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep::train {
namespace {

Json toJson(const ScalingLine& line)
{
    if (!line.failure.empty()) {
        return {{"towers", line.towers}, {"error", line.failure}};
    }
    const ScalingPhases& phases = line.turn.phases;
    return {
        {"towers", line.towers},
        {"global_batch", line.turn.globalBatch},
        {"shares_devices", line.turn.sharesDevices},
        {"steps", line.turn.steps},
        {"examples_per_second", line.examplesPerSecond},
        {"examples_per_second_least", line.least},
        {"examples_per_second_greatest", line.greatest},
        {"milliseconds_per_step", kMilliseconds * phases.step},
        {"speed_up", line.speedUp},
        {"efficiency", line.efficiency},
        {"lost",
         {{"total", line.loss.total},
          {"data", line.loss.input},
          {"averaging", orNull(line.loss.averaging)},
          {"update", orNull(line.loss.update)},
          {"waiting", orNull(line.loss.waiting)},
          {"rest", line.loss.rest}}}};
}

/// "0.07", or "-" for what is not known. What rounds to nothing has no sign.
std::string meanTowersText(const std::optional<double>& towers)
{
    constexpr double kHalfDigit = 0.005;
    return towers ? fmt::format("{:.2f}", std::abs(*towers) < kHalfDigit ? 0.0 : *towers) : "-";
}

std::string heading(const ScalingReport& report)
{
    const std::string batch = report.fix == ScalingFix::GlobalBatch
                                  ? fmt::format("{} examples a step for all", report.batch)
                                  : fmt::format("{} examples a step for each tower", report.batch);
    std::string text =
        fmt::format("{} on {}, {}: {}", report.model, report.device, report.precision, batch);
    if (report.processors > 0) {
        text += report.threadsPerTower == 1
                    ? ", 1 thread a tower"
                    : fmt::format(", {} threads a tower", report.threadsPerTower);
    }
    return text;
}

std::string row(const ScalingLine& line, const ScalingLine& one)
{
    if (!line.failure.empty()) {
        return fmt::format("{:>6} failed: {}", line.towers, line.failure);
    }
    const ScalingLoss& loss = line.loss;
    std::string text = fmt::format(
        "{:>6} {:>11.0f} {:>9.2f} {:>10.1f}", line.towers, line.examplesPerSecond, line.speedUp,
        kPercent * line.efficiency);
    if (line.towers == 1) {
        return text;
    }
    const double noise = scalingNoise(line, one);
    const auto part = [noise](const std::optional<double>& towers) {
        return towers && isAboutNothing(*towers, noise) ? "~0" : meanTowersText(towers);
    };
    return text
           + fmt::format(
               " {:>6} {:>6} {:>9} {:>6} {:>7} {:>6}", part(loss.total), part(loss.input),
               part(loss.averaging), part(loss.update), part(loss.waiting), part(loss.rest));
}

std::string fitText(const ScalingReport& report)
{
    if (!report.serialShare) {
        return "";
    }
    const double share = *report.serialShare;
    const std::string most =
        share > 0.0 ? fmt::format(
            ": more towers can reach at most {:.1f} times the speed of one", 1.0 / share)
                    : std::string();
    return fmt::format(
        "\nAmdahl's law, 1 / (s + (1 - s) / towers), fits best with s = {:.3f}{}", share, most);
}

/// Towers that take turns are no defect of the training, but they have to be told from it.
std::string turnsText(const ScalingReport& report)
{
    const auto first = std::ranges::find_if(
        report.lines, [](const ScalingLine& line) { return line.turn.sharesDevices; });
    if (first == report.lines.end()) {
        return "";
    }
    return report.processors > 0
               ? fmt::format(
                   "\nmore than {} towers can't bring more here: they take turns on {} processors",
                   std::max(1, report.processors / std::max(1, report.threadsPerTower)),
                   report.processors)
               : fmt::format("\nfrom {} towers on they share GPUs", first->towers);
}

std::string leftOutText(const ScalingReport& report)
{
    return report.leftOut.empty()
               ? std::string()
               : fmt::format(
                   "\nleft out: {} towers, among which {} examples can't be split evenly",
                   fmt::join(report.leftOut, ", "), report.batch);
}

} // namespace

Json toJson(const ScalingReport& report)
{
    Json lines = Json::array();
    for (const ScalingLine& line : report.lines) {
        lines.push_back(toJson(line));
    }
    const bool isHost = report.processors > 0;
    return {
        {"model", report.model},
        {"device", report.device},
        {"precision", report.precision},
        {"fixed", toString(report.fix)},
        {"batch", report.batch},
        {"threads_per_tower", isHost ? Json(report.threadsPerTower) : Json()},
        {"processors", isHost ? Json(report.processors) : Json()},
        {"seconds", report.seconds},
        {"serial_share", orNull(report.serialShare)},
        {"left_out", report.leftOut},
        {"lines", lines}};
}

std::string scalingText(const ScalingReport& report)
{
    std::string text = heading(report);
    text += fmt::format(
        "\n{:>6} {:>11} {:>9} {:>10} {:>6} {:>6} {:>9} {:>6} {:>7} {:>6}", "towers", "examples/s",
        "speed-up", "efficiency", "lost:", "data", "averaging", "update", "waiting", "rest");
    for (const ScalingLine& line : report.lines) {
        text += '\n' + row(line, report.lines.front());
    }
    return text + fitText(report) + turnsText(report) + leftOutText(report);
}

} // namespace lockstep::train
