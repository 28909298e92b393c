// SPDX-License-Identifier: Apache-2.0
#include "commands/inspect.h"
#include "engine/base.h"
#include "engine/bench.h"
#include "engine/device.h"
#include "format/console_format.h"
#include "interrupt.h"

#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

namespace lockstep::train {
namespace {

/// By RoughDuration::Unit.
constexpr std::array kUnits{"a few seconds", "second", "minute", "hour",
                            "day",           "week",   "month",  "years"};

std::string roughText(double seconds)
{
    const RoughDuration rough = roughDuration(seconds);
    const char* const unit = kUnits.at(static_cast<std::size_t>(rough.unit));
    return rough.count == 0
               ? unit
               : fmt::format("about {} {}{}", rough.count, unit, rough.count == 1 ? "" : "s");
}

std::string sourceText(const RunEstimate& estimate)
{
    return estimate.costs.isDisturbed
               ? "as measured while other programs used the processors: not kept"
           : estimate.source == CostSource::Run ? "as an earlier run took"
                                                : "as measured";
}

} // namespace

void inspectCosts(Console& console, const RunConfig& config, std::int64_t fromStep, bool isJson)
{
    const auto measure = [](const RunConfig& unknown) {
        return measureRunCosts(unknown, [] { return !isInterrupted(); });
    };
    const RunEstimate estimate = estimateRun(config, measure, fromStep);
    const RunCosts& costs = estimate.costs;
    const std::int64_t machineBytes = describeDevice("cpu").memoryBytes;
    if (isJson) {
        console.result(lineOf(
            {{"seconds", estimate.seconds},
             {"evaluations_counted", estimate.isEvaluated},
             {"process_bytes", costs.bytes},
             {"machine_bytes", machineBytes},
             {"steps", estimate.steps},
             {"step_seconds", costs.stepSeconds},
             {"start_seconds", costs.startSeconds},
             {"evaluations", estimate.evaluations},
             {"evaluation_seconds",
              costs.evaluationSeconds < 0.0 ? Json() : Json(costs.evaluationSeconds)},
             {"disturbed", costs.isDisturbed},
             {"source", estimate.source == CostSource::Run ? "run" : "measured"}}));
        return;
    }
    const auto bytes = static_cast<std::int64_t>(costs.bytes);
    std::vector<std::string> steps;
    for (const double seconds : costs.stepSeconds) {
        steps.push_back(fmt::format("{:.1f}", 1e3 * seconds));
    }
    console.result(fmt::format(
        "{}{}, {} of memory{}: {}", roughText(estimate.seconds),
        estimate.isEvaluated ? "" : ", evaluations left out", bytesText(bytes),
        bytes > machineBytes ? ", more than this machine has" : "", sourceText(estimate)));
    console.result(fmt::format(
        "{} steps of {} ms, start {:.1f} s{}", estimate.steps, fmt::join(steps, ", "),
        costs.startSeconds,
        costs.evaluationSeconds < 0.0
            ? std::string(", evaluations: the test examples are not counted yet")
            : fmt::format(", each evaluation {:.1f} s", costs.evaluationSeconds)));
}

} // namespace lockstep::train
