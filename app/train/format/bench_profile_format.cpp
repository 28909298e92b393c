// SPDX-License-Identifier: Apache-2.0
#include "format/bench_profile_format.h"
#include "format/units.h"

#include "engine/bench.h"

#include <nlohmann/json.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace lockstep::train {
namespace {

/// The best, and with `_minimum` the worst measurement.
void addRate(Json& json, const std::string& name, const RateRange& rate)
{
    const bool isThere = rate.maximum > 0.0;
    json[name] = isThere ? Json(rate.maximum / kGiga) : Json();
    json[name + "_minimum"] = isThere ? Json(rate.minimum / kGiga) : Json();
}

/// What a line achieved: "201 GFLOP/s", "13.2 GB/s" or nothing.
std::string rateText(const ProfileLine& line)
{
    if (line.gigaflopsPerSecond) {
        return fmt::format("{:.0f} GFLOP/s", *line.gigaflopsPerSecond);
    }
    return line.gigabytesPerSecond ? fmt::format("{:.1f} GB/s", *line.gigabytesPerSecond) : "";
}

std::string ceilingShareText(const ProfileLine& line)
{
    return line.ceilingShare ? fmt::format("{:.0f} %", kPercent * *line.ceilingShare) : "";
}

std::string floorText(const std::optional<double>& milliseconds)
{
    return milliseconds ? fmt::format("{:.2f}", *milliseconds) : "";
}

/// As long as the share is beside the largest one.
std::string bar(double share, double largest)
{
    constexpr double kLength = 12.0;
    const auto length = std::lround(std::max(0.0, kLength * share / largest));
    return fmt::format("{:#<{}}", "", length);
}

/// Of the one pass, where the algorithm says it as "a, dgrad b, wgrad c"; or else beside forward.
std::string algorithmOf(const ProfileLine& line)
{
    const std::string& text = line.algorithm;
    const std::size_t begin = std::min({text.find(", dgrad"), text.find(", wgrad"), text.size()});
    return line.direction == "forward" ? text.substr(0, begin)
                                       : text.substr(std::min(begin + 2, text.size()));
}

std::string lineText(const ProfileLine& line, double largest)
{
    std::string text = fmt::format(
        "{:<19} {:<8} {:>8.3f} {:>8.3f} {:>5.1f} % {:<12} {:>11} {:>6} {:>8}  {}", line.name,
        line.direction, line.milliseconds, line.fastest, kPercent * line.share,
        bar(line.share, largest), rateText(line), ceilingShareText(line),
        floorText(line.floorMilliseconds), algorithmOf(line));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

/// Sum over the lines that have one.
std::optional<double> floorOf(const StepProfile& profile)
{
    std::optional<double> sum;
    for (const ProfileLine& line : profile.lines) {
        if (line.floorMilliseconds) {
            sum = sum.value_or(0.0) + *line.floorMilliseconds;
        }
    }
    return sum;
}

/// A row of the ceilings.
std::string ceilingsRangeText(const HostCeilings& ceilings)
{
    const auto range = [](const RateRange& rate) {
        return rate.maximum > 0.0
                   ? fmt::format("{:.1f} .. {:.1f}", rate.minimum / kGiga, rate.maximum / kGiga)
                   : std::string("-");
    };
    return fmt::format(
        "{:>7} {:>20} {:>20} {:>16}", ceilings.threads, range(ceilings.float32),
        range(ceilings.bfloat16), range(ceilings.copy));
}

} // namespace

Json toJson(const std::optional<HostCeilings>& ceilings)
{
    if (!ceilings) {
        return {};
    }
    Json json{{"threads", ceilings->threads}};
    addRate(json, "float32_gflops", ceilings->float32);
    addRate(json, "bfloat16_gflops", ceilings->bfloat16);
    addRate(json, "copy_gbps", ceilings->copy);
    return json;
}

void addProfile(Json& result, const StepProfile& profile)
{
    Json lines = Json::array();
    for (const ProfileLine& line : profile.lines) {
        lines.push_back(
            {{"name", line.name},
             {"direction", line.direction.empty() ? Json() : Json(line.direction)},
             {"milliseconds", line.milliseconds},
             {"milliseconds_minimum", line.fastest},
             {"share", line.share},
             {"gigaflops_per_second", orNull(line.gigaflopsPerSecond)},
             {"gigabytes_per_second", orNull(line.gigabytesPerSecond)},
             {"ceiling_share", orNull(line.ceilingShare)},
             {"floor_milliseconds", orNull(line.floorMilliseconds)},
             {"algorithm", line.algorithm.empty() ? Json() : Json(line.algorithm)}});
    }
    result["profile"] = lines;
    result["profile_steps"] = profile.steps;
    result["profile_milliseconds"] = profile.milliseconds;
    result["profile_slowest_tower_milliseconds"] = profile.slowestTower;
    result["ceilings_one_thread"] = toJson(profile.oneThread);
}

std::string ceilingsText(const HostCeilings& ceilings)
{
    std::string text = fmt::format(
        "machine, {} thread{}: FMA {:.0f} GFLOP/s", ceilings.threads,
        ceilings.threads == 1 ? "" : "s", ceilings.float32.maximum / kGiga);
    if (ceilings.bfloat16.maximum > 0.0) {
        text += fmt::format(", bfloat16 {:.0f} GFLOP/s", ceilings.bfloat16.maximum / kGiga);
    }
    return text + fmt::format(", copy {:.1f} GB/s", ceilings.copy.maximum / kGiga);
}

std::string profileText(const StepProfile& profile, const HostCeilings& ceilings)
{
    double largest = 0.0;
    for (const ProfileLine& line : profile.lines) {
        largest = std::max(largest, line.share);
    }
    std::string text = fmt::format(
        "{:<19} {:<8} {:>8} {:>8} {:>7} {:<12} {:>11} {:>6} {:>8}  {}\n", "part of the step", "",
        "ms", "fastest", "share", "", "achieved", "of max", "floor ms", "algorithm");
    double fastest = 0.0;
    for (const ProfileLine& line : profile.lines) {
        text += lineText(line, largest) + "\n";
        fastest += line.fastest;
    }
    text += fmt::format(
        "{:<19} {:<8} {:>8.3f} {:>8.3f} {:>5.1f} % {:<12} {:>11} {:>6} {:>8}\n", "total", "",
        profile.milliseconds, fastest, kPercent, "", "", "", floorText(floorOf(profile)));
    text += fmt::format(
        "Means of the faster half of the steps, {}; slowest tower {:.3f} ms.\n"
        "Measured before and after, lowest .. highest:\n",
        profile.steps, profile.slowestTower);
    text += fmt::format(
        "{:>7} {:>20} {:>20} {:>16}\n", "threads", "FMA, GFLOP/s", "bfloat16, GFLOP/s",
        "copy, GB/s");
    return text + ceilingsRangeText(profile.oneThread) + "\n" + ceilingsRangeText(ceilings);
}

} // namespace lockstep::train
