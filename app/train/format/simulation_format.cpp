// SPDX-License-Identifier: Apache-2.0
#include "format/simulation_format.h"
#include "format/units.h"

#include "engine/bench.h"
#include "format/console_format.h"

#include <nlohmann/json.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

namespace lockstep::train {
namespace {

constexpr std::array kAllLimits{ScalingLimit::Input,   ScalingLimit::Compute,
                                ScalingLimit::Update,  ScalingLimit::Adding,
                                ScalingLimit::Latency, ScalingLimit::Bandwidth};

/// As the subject of a sentence.
std::string nameOf(ScalingLimit limit)
{
    switch (limit) {
    case ScalingLimit::Input:
        return "waiting for data";
    case ScalingLimit::Compute:
        return "computing";
    case ScalingLimit::Update:
        return "the update";
    case ScalingLimit::Adding:
        return "adding the gradients";
    case ScalingLimit::Latency:
        return "the link's latency";
    case ScalingLimit::Bandwidth:
        return "the link's bandwidth";
    }
    return {};
}

Json toJson(const TowerStep& step)
{
    Json buckets = Json::array();
    for (const SimulatedBucket& bucket : step.buckets) {
        buckets.push_back(
            {{"bytes", bucket.bytes},
             {"ready_milliseconds", kMilliseconds * bucket.ready},
             {"sync_points", bucket.syncPoints}});
    }
    const bool isAddingTimed = std::isfinite(step.addedBytesPerSecond);
    return {
        {"input_milliseconds", kMilliseconds * step.input},
        {"forward_milliseconds", kMilliseconds * step.forward},
        {"backward_milliseconds", kMilliseconds * step.backward},
        {"update_milliseconds", kMilliseconds * step.update},
        {"added_bytes_per_second", isAddingTimed ? Json(step.addedBytesPerSecond) : Json()},
        {"sync_points", step.forwardSyncPoints},
        {"buckets", buckets}};
}

Json toJson(const SimulatedLine& line, std::int64_t batchPerTower)
{
    Json milliseconds;
    for (const ScalingLimit limit : kAllLimits) {
        milliseconds[std::string(toString(limit))] = kMilliseconds * line.seconds[limit];
    }
    return {
        {"towers", line.towers},
        {"ranks", line.ranks},
        {"global_batch", batchPerTower * line.towers},
        {"milliseconds_per_step", kMilliseconds * line.stepSeconds},
        {"speed_up", line.speedUp},
        {"efficiency", line.efficiency},
        {"hidden_share", orNull(line.hiddenShare)},
        {"milliseconds", milliseconds},
        {"limit", toString(line.limit)}};
}

std::string stepText(const SimulationReport& report)
{
    const TowerStep& step = report.step;
    const std::string threads = report.threadsPerTower == 0
                                    ? std::string()
                                    : fmt::format(
                                        ", {} {} a tower", report.threadsPerTower,
                                        report.threadsPerTower == 1 ? "thread" : "threads");
    return fmt::format(
        "{} on {}, {}: {} examples a step for each tower{}\n"
        "one tower, measured here: input {:.2f} ms, forward {:.2f} ms, backward {:.2f} ms, update "
        "{:.2f} ms; {} of gradients in {} {}",
        report.model, report.device, report.precision, report.batchPerTower, threads,
        kMilliseconds * step.input, kMilliseconds * step.forward, kMilliseconds * step.backward,
        kMilliseconds * step.update, bytesText(static_cast<std::int64_t>(step.gradientBytes())),
        step.buckets.size(), step.buckets.size() == 1 ? "bucket" : "buckets");
}

std::string clusterText(const SimulatedCluster& cluster)
{
    return fmt::format(
        "simulated: {} {} a rank, {}, each rank's link {:.6g} us, {:.6g} MB/s and {:.3g} ns of "
        "work a byte",
        cluster.towersPerRank, cluster.towersPerRank == 1 ? "tower" : "towers",
        toString(cluster.method), kMicroseconds * cluster.link.latency,
        cluster.link.bytesPerSecond / kMega, kNanoseconds * cluster.link.workPerByte);
}

std::string row(const SimulatedLine& line, std::int64_t batchPerTower)
{
    const auto milliseconds = [&](ScalingLimit limit) {
        return kMilliseconds * line.seconds[limit];
    };
    constexpr double kFew = 100.0;
    const auto examplesPerSecond =
        static_cast<double>(batchPerTower * line.towers) / line.stepSeconds;
    return fmt::format(
        "{:>6} {:>6} {:>9.2f} {:>11.{}f} {:>9.2f} {:>10.1f} {:>6} {:>9.2f} {:>8.2f} {:>7.2f}  {}",
        line.towers, line.ranks, kMilliseconds * line.stepSeconds, examplesPerSecond,
        examplesPerSecond < kFew ? 2 : 0, line.speedUp, kPercent * line.efficiency,
        line.hiddenShare ? fmt::format("{:.0f} %", kPercent * *line.hiddenShare) : "-",
        milliseconds(ScalingLimit::Bandwidth), milliseconds(ScalingLimit::Latency),
        milliseconds(ScalingLimit::Adding),
        fmt::format("{} ({:.2f} ms)", nameOf(line.limit), milliseconds(line.limit)));
}

std::string towerCountText(int towers)
{
    return towers == 1 ? "1 tower" : fmt::format("{} towers", towers);
}

/// Where the efficiency is lost first, and to what.
std::string conclusion(const std::vector<SimulatedLine>& lines)
{
    const auto lost = std::ranges::find_if(
        lines, [](const SimulatedLine& line) { return line.efficiency < kGoodEfficiency; });
    if (lost == lines.end()) {
        const SimulatedLine& last = lines.back();
        return fmt::format(
            "up to {} {} limits: each tower keeps {:.0f} % of its speed",
            towerCountText(last.towers), nameOf(last.limit), kPercent * last.efficiency);
    }
    return fmt::format(
        "beyond {} {} limits: {} keep {:.0f} % of their speed, without that it would be {:.0f} %",
        towerCountText(std::prev(lost)->towers), nameOf(lost->limit), towerCountText(lost->towers),
        kPercent * lost->efficiency,
        kPercent * lost->efficiency * lost->stepSeconds
            / (lost->stepSeconds - lost->seconds[lost->limit]));
}

} // namespace

Json toJson(const SimulationReport& report)
{
    Json lines = Json::array();
    for (const SimulatedLine& line : report.lines) {
        lines.push_back(toJson(line, report.batchPerTower));
    }
    const SimulatedCluster& cluster = report.cluster;
    return {
        {"model", report.model},
        {"device", report.device},
        {"precision", report.precision},
        {"batch_per_tower", report.batchPerTower},
        {"threads_per_tower", report.threadsPerTower > 0 ? Json(report.threadsPerTower) : Json()},
        {"one_tower", toJson(report.step)},
        {"towers_per_rank", cluster.towersPerRank},
        {"exchange", toString(cluster.method)},
        {"piece_bytes", cluster.pieceBytes ? Json(*cluster.pieceBytes) : Json()},
        {"link_latency_seconds", cluster.link.latency},
        {"link_bytes_per_second", cluster.link.bytesPerSecond},
        {"link_work_seconds_per_byte", cluster.link.workPerByte},
        {"lines", lines}};
}

std::string simulationText(const SimulationReport& report)
{
    std::string text = stepText(report) + '\n' + clusterText(report.cluster);
    text += fmt::format(
        "\n{:>6} {:>6} {:>9} {:>11} {:>9} {:>10} {:>6} {:>9} {:>8} {:>7}  {}", "towers", "ranks",
        "ms/step", "examples/s", "speed-up", "efficiency", "hidden", "bandwidth", "latency",
        "adding", "what limits");
    for (const SimulatedLine& line : report.lines) {
        text += '\n' + row(line, report.batchPerTower);
    }
    return text + '\n' + conclusion(report.lines);
}

} // namespace lockstep::train
