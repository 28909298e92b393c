// SPDX-License-Identifier: Apache-2.0
#include "format/bench_format.h"
#include "format/units.h"

#include "engine/bench.h"
#include "engine/device.h"
#include "format/bench_profile_format.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace lockstep::train {
namespace {

/// Of a kernel that is shown; names with all their template arguments fill pages.
constexpr std::size_t kKernelLength = 120;

/// "12.34", or "-" for what is not known.
std::string orDash(const std::optional<double>& value, double factor, int decimals)
{
    return value ? fmt::format("{:.{}f}", factor * *value, decimals) : "-";
}

} // namespace

Json toJson(const BenchResult& result)
{
    Json kernels = Json::array();
    for (const KernelTime& kernel : result.kernels) {
        kernels.push_back(
            {{"name", kernel.name},
             {"runs", kernel.runs},
             {"microseconds", kMicroseconds * kernel.seconds}});
    }
    Json json{
        {"examples_per_second", result.examplesPerSecond},
        {"milliseconds_per_step", result.millisecondsPerStep},
        {"milliseconds_minimum", result.millisecondsMinimum},
        {"milliseconds_95", result.milliseconds95},
        {"steps", result.steps},
        {"model", result.model},
        {"towers", result.towers},
        {"threads_per_tower", result.threadsPerTower},
        {"batch_per_tower", result.batchPerTower},
        {"precision", result.precision},
        {"device", result.device},
        {"gigaflops_per_second", result.gigaflopsPerSecond},
        {"input_share", result.inputShare},
        {"input_work_share", result.inputWorkShare},
        {"outside_kernels_share", orNull(result.outsideKernelsShare)},
        {"kernels", kernels},
        {"floor_milliseconds", orNull(result.floorMilliseconds)},
        {"ceiling_share", orNull(result.ceilingShare)},
        {"ceilings", toJson(result.ceilings)},
        {"capture_failure", result.captureFailure},
        {"algorithms", result.algorithms},
        {"algorithms_stored", result.choices.stored},
        {"algorithms_measured", result.choices.measured},
        {"planning_seconds", result.choices.seconds}};
    if (result.profile) {
        addProfile(json, *result.profile);
    }
    return json;
}

Json toJson(const SweepLine& line)
{
    if (line.result) {
        return toJson(*line.result);
    }
    return {
        {"towers", line.towers},
        {"batch_per_tower", line.batchPerTower},
        {"precision", line.precision},
        {"error", line.failure}};
}

std::string benchText(const BenchResult& result)
{
    std::string text = fmt::format(
        "{} on {}, {}: {} towers × {} examples, {} thread{} a tower\n", result.model, result.device,
        result.precision, result.towers, result.batchPerTower, result.threadsPerTower,
        result.threadsPerTower == 1 ? "" : "s");
    text += fmt::format(
        "{:.0f} examples/s, {:.1f} GFLOP/s\n", result.examplesPerSecond, result.gigaflopsPerSecond);
    text += fmt::format(
        "{:.3f} ms/step (median of {}; fastest {:.3f}, 95 % below {:.3f})\ninput: towers waited "
        "{:.1f} % of the time, loaders took {:.1f} % of the processors'",
        result.millisecondsPerStep, result.steps, result.millisecondsMinimum, result.milliseconds95,
        kPercent * result.inputShare, kPercent * result.inputWorkShare);
    if (!result.captureFailure.empty()) {
        text += "\n" + result.captureFailure;
    }
    if (const AlgorithmChoices& choices = result.choices; choices.isMeasured()) {
        text += fmt::format(
            "\nalgorithms: {} as measured before, {} measured now, in {:.1f} s", choices.stored,
            choices.measured, choices.seconds);
    }
    if (result.floorMilliseconds) {
        text += fmt::format("\nfloor {:.3f} ms/step", *result.floorMilliseconds);
    }
    if (result.ceilings) {
        text += fmt::format("\n{}", ceilingsText(*result.ceilings));
    }
    if (result.ceilingShare) {
        text += fmt::format(
            "; the step does {:.1f} % of the {} rate", kPercent * *result.ceilingShare,
            result.precision);
    }
    if (result.outsideKernelsShare) {
        text += fmt::format("\n{:.1f} % outside kernels", kPercent * *result.outsideKernelsShare);
    }
    for (const KernelTime& kernel : result.kernels) {
        text += fmt::format(
            "\n{:9.2f} us in {:2} runs  {}", kMicroseconds * kernel.seconds, kernel.runs,
            kernel.name.substr(0, kKernelLength));
    }
    if (result.profile) {
        text += fmt::format("\n{}", profileText(*result.profile, *result.ceilings));
    }
    return text;
}

std::string sweepHeader()
{
    return fmt::format(
        "{:<9} {:>6} {:>5} {:>11} {:>10} {:>10} {:>10} {:>9} {:>9}", "precision", "towers", "batch",
        "examples/s", "ms/step", "95 % below", "GFLOP/s", "outside %", "floor ms");
}

std::string sweepRow(const SweepLine& line)
{
    const std::string begin =
        fmt::format("{:<9} {:>6} {:>5}", line.precision, line.towers, line.batchPerTower);
    if (!line.result) {
        return fmt::format("{} failed: {}", begin, line.failure);
    }
    const BenchResult& result = *line.result;
    return fmt::format(
        "{} {:>11.0f} {:>10.3f} {:>10.3f} {:>10.1f} {:>9} {:>9}", begin, result.examplesPerSecond,
        result.millisecondsPerStep, result.milliseconds95, result.gigaflopsPerSecond,
        orDash(result.outsideKernelsShare, kPercent, 1), orDash(result.floorMilliseconds, 1.0, 3));
}

} // namespace lockstep::train
