// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench_profile.h"

#include "base/error.h"
#include "session/bench/bench_work.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lockstep {
namespace {

/// What a line does in a step; nothing for most phases.
struct LineWork
{
    double flop = 0.0;
    double bytes = 0.0;
};

/// The lines of a table, not timed yet, and beside each its work.
struct Table
{
    std::vector<ProfileLine> lines;
    std::vector<LineWork> work;

    void add(const ProfileLine& line, const LineWork& lineWork)
    {
        lines.push_back(line);
        work.push_back(lineWork);
    }
};

ProfileLine lineOf(
    const std::string& name, const std::string& direction = {}, const std::string& algorithm = {})
{
    ProfileLine line;
    line.name = name;
    line.direction = direction;
    line.algorithm = algorithm;
    return line;
}

bool hasBackward(const NodeWork& node)
{
    return node.backward.values > 0;
}

Table tableOf(const ProfileBasis& basis, const std::vector<NodeWork>& nodes)
{
    const auto examples = static_cast<double>(basis.work.examples);
    const auto workOf = [&](const PassWork& pass) {
        return LineWork{
            examples * static_cast<double>(pass.flop),
            examples * static_cast<double>(pass.values) * valueBytes(basis.work.precision)};
    };
    Table table;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string& algorithm = basis.ops[i].algorithm;
        table.add(lineOf(nodes[i].name, "forward", algorithm), workOf(nodes[i].forward));
        if (hasBackward(nodes[i])) {
            table.add(lineOf(nodes[i].name, "backward", algorithm), workOf(nodes[i].backward));
        }
    }
    table.add(lineOf("waiting for input"), {});
    table.add(lineOf("waiting for threads"), {});
    table.add(lineOf("averaging and check"), {});
    table.add(lineOf("update"), {0.0, updateBytes(basis.network, basis.work.precision)});
    table.add(lineOf("rest"), {});
    return table;
}

/// What each line of the table took in one step. They add up to the step.
std::vector<double> secondsOf(const ProfiledStep& step, const std::vector<NodeWork>& nodes)
{
    std::vector<double> seconds;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        seconds.push_back(step.nodes[i].forward);
        if (hasBackward(nodes[i])) {
            seconds.push_back(step.nodes[i].backward);
        }
    }
    const double ofNodes = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    const StepRecord& record = step.record;
    seconds.push_back(record.inputSeconds);
    seconds.push_back(record.computeSeconds - ofNodes);
    seconds.push_back(record.averagingSeconds);
    seconds.push_back(record.updateSeconds);
    seconds.push_back(
        record.stepSeconds - record.inputSeconds - record.computeSeconds - record.averagingSeconds
        - record.updateSeconds);
    return seconds;
}

double slowestTower(const StepRecord& record)
{
    double slowest = 0.0;
    for (const TowerRecord& tower : record.towers) {
        slowest = std::max(slowest, workSeconds(tower).value_or(0.0));
    }
    return slowest;
}

/// Means, and the fastest step, of every line and of the whole.
void fillTimes(
    StepProfile& profile, const std::vector<ProfiledStep>& steps,
    const std::vector<NodeWork>& nodes)
{
    const double perStep = kMilliseconds / static_cast<double>(steps.size());
    for (ProfileLine& line : profile.lines) {
        line.fastest = std::numeric_limits<double>::infinity();
    }
    for (const ProfiledStep& step : steps) {
        const auto seconds = secondsOf(step, nodes);
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            ProfileLine& line = profile.lines[i];
            line.milliseconds += perStep * seconds[i];
            line.fastest = std::min(line.fastest, kMilliseconds * seconds[i]);
        }
        profile.milliseconds += perStep * step.record.stepSeconds;
        profile.slowestTower += perStep * slowestTower(step.record);
    }
    for (ProfileLine& line : profile.lines) {
        line.share = line.milliseconds / profile.milliseconds;
    }
}

/// FLOP/s; 0: unknown.
double flopCeiling(const ProfileBasis& basis)
{
    const auto rate = basis.ceilings.flopPerSecond.find(basis.work.precision);
    return rate == basis.ceilings.flopPerSecond.end() ? 0.0 : rate->second;
}

/// Fills in what a line with work achieved and what it takes at least.
void compare(ProfileLine& line, const LineWork& work, const ProfileBasis& basis)
{
    const double flopRate = flopCeiling(basis);
    const double byteRate = basis.ceilings.bytesPerSecond;
    if (line.milliseconds > 0.0) {
        const bool isMatrixWork = work.flop > 0.0;
        const double rate =
            kMilliseconds * (isMatrixWork ? work.flop : work.bytes) / line.milliseconds;
        const double ceiling = isMatrixWork ? flopRate : byteRate;
        (isMatrixWork ? line.gigaflopsPerSecond : line.gigabytesPerSecond) = rate / kGiga;
        if (ceiling > 0.0) {
            line.ceilingShare = rate / ceiling;
        }
    }
    if (flopRate > 0.0 && byteRate > 0.0) {
        line.floorMilliseconds = kMilliseconds * (work.flop / flopRate + work.bytes / byteRate);
    }
}

} // namespace

StepProfile profileOf(std::vector<ProfiledStep> steps, const ProfileBasis& basis)
{
    require(!steps.empty(), "a profile of no steps");
    std::ranges::sort(steps, {}, [](const ProfiledStep& step) { return step.record.stepSeconds; });
    steps.resize((steps.size() + 1) / 2);
    const auto nodes = nodeWork(basis.network);
    const Table table = tableOf(basis, nodes);
    StepProfile profile;
    profile.steps = static_cast<std::int64_t>(steps.size());
    profile.lines = table.lines;
    fillTimes(profile, steps, nodes);
    for (std::size_t i = 0; i < table.work.size(); ++i) {
        if (table.work[i].bytes > 0.0) {
            compare(profile.lines[i], table.work[i], basis);
        }
    }
    return profile;
}

} // namespace lockstep
