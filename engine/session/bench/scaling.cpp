// SPDX-License-Identifier: Apache-2.0
#include "session/bench/scaling.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep {
namespace {

constexpr int kTurns = 3; ///< odd, so that one of them is in the middle
constexpr int kMostTowers = 1024;

/// Of each number of towers.
struct Turns
{
    std::vector<ScalingTurn> made;
    std::string failure;
};

double rateOf(const ScalingTurn& turn)
{
    return static_cast<double>(turn.globalBatch) / turn.phases.step;
}

std::optional<double> known(double seconds)
{
    return seconds >= 0.0 ? std::optional(seconds) : std::nullopt;
}

/// Of what `secondsOf` says of each; empty if it does not say so of one of them.
template<class All, class SecondsOf>
std::optional<double> meanOf(const All& all, SecondsOf secondsOf)
{
    double sum = 0.0;
    for (const auto& each : all) {
        const std::optional<double> seconds = std::invoke(secondsOf, each);
        if (!seconds) {
            return std::nullopt;
        }
        sum += *seconds;
    }
    return sum / static_cast<double>(all.size());
}

/// The numbers of towers to measure, ascending, each once.
std::vector<int> countsOf(const ScalingPlan& plan)
{
    std::vector<int> counts = plan.towers;
    counts.push_back(1);
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    if (counts.front() < 1 || counts.back() > kMostTowers) {
        fail(
            ErrorCode::BadInput, "towers is {}: give numbers from 1 to {}",
            counts.front() < 1 ? counts.front() : counts.back(), kMostTowers);
    }
    if (counts.size() < 2) {
        fail(ErrorCode::BadInput, "towers has nothing to compare one tower with: give 2 or more");
    }
    if (!(plan.seconds > 0.0) || !std::isfinite(plan.seconds)) {
        fail(ErrorCode::BadInput, "seconds is {}: give more than 0", plan.seconds);
    }
    return counts;
}

/// A failure of many towers is a result; one of a single tower leaves nothing to compare with.
void takeTurn(Turns& turns, int towers, const std::function<ScalingTurn()>& trial)
{
    try {
        turns.made.push_back(trial());
        require(turns.made.back().phases.step > 0.0, "a turn of the scaling ruler took no time");
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Cancelled || towers == 1) {
            throw;
        }
        turns.failure = error.what();
    } catch (const std::bad_alloc&) {
        if (towers == 1) {
            throw;
        }
        turns.failure = "out of memory";
    }
}

std::map<int, Turns> takeTurns(
    const std::vector<int>& counts, double seconds, const ScalingTrial& trial,
    const ScalingWatcher& watcher)
{
    std::map<int, Turns> all;
    const auto total = static_cast<double>(kTurns) * static_cast<double>(counts.size());
    double done = 0.0;
    for (int round = 0; round < kTurns; ++round) {
        std::vector<int> order = counts;
        if (round % 2 == 1) {
            std::ranges::reverse(order);
        }
        for (const int towers : order) {
            const auto progress = [&](double share) {
                return !watcher || watcher((done + share) / total, towers);
            };
            if (!progress(0.0)) {
                fail(ErrorCode::Cancelled, "the measurement was cancelled");
            }
            if (all[towers].failure.empty()) {
                takeTurn(
                    all[towers], towers, [&] { return trial(towers, seconds / kTurns, progress); });
            }
            done += 1.0;
        }
    }
    return all;
}

/// Towers lost to a phase: what it takes beyond its fair part of one tower's step.
std::optional<double> lossOf(
    std::optional<double> seconds, std::optional<double> ofOne, double fairShare, double perSecond)
{
    if (!seconds || !ofOne) {
        return std::nullopt;
    }
    return (*seconds - fairShare * *ofOne) * perSecond;
}

/// Of a global batch g times that of one tower, N towers should need g / N of one tower's step. All
/// that a phase takes beyond that is lost, N towers at a time, in a step that takes `step`.
ScalingLoss lossOf(const ScalingLine& line, const ScalingLine& one)
{
    const ScalingPhases& now = line.turn.phases;
    const ScalingPhases& alone = one.turn.phases;
    const double fairShare = static_cast<double>(line.turn.globalBatch)
                             / static_cast<double>(one.turn.globalBatch) / line.towers;
    const double perSecond = line.towers / now.step;
    ScalingLoss loss;
    loss.total = line.towers - line.speedUp;
    loss.input = (now.input - fairShare * alone.input) * perSecond;
    loss.averaging = lossOf(now.averaging, alone.averaging, fairShare, perSecond);
    loss.update = lossOf(now.update, alone.update, fairShare, perSecond);
    loss.waiting = lossOf(now.waiting, alone.waiting, fairShare, perSecond);
    loss.rest = loss.total - loss.input - loss.averaging.value_or(0.0) - loss.update.value_or(0.0)
                - loss.waiting.value_or(0.0);
    return loss;
}

/// The figures that one number of towers has by itself.
ScalingLine scalingLine(int towers, Turns turns)
{
    ScalingLine line;
    line.towers = towers;
    line.failure = turns.failure;
    if (!turns.failure.empty()) {
        return line;
    }
    std::ranges::sort(turns.made, {}, rateOf);
    line.turn = turns.made[turns.made.size() / 2];
    line.examplesPerSecond = rateOf(line.turn);
    line.least = rateOf(turns.made.front());
    line.greatest = rateOf(turns.made.back());
    return line;
}

bool isOnOwnDevices(const ScalingLine& line)
{
    return line.failure.empty() && line.speedUp > 0.0 && !line.turn.sharesDevices;
}

} // namespace

ScalingPhases phasesOf(const StepRecord& step)
{
    return {
        step.stepSeconds, step.inputSeconds, known(step.averagingSeconds),
        known(step.updateSeconds),
        meanOf(step.towers, [&](const TowerRecord& tower) { return waitingSeconds(step, tower); })};
}

ScalingPhases meanPhases(std::vector<ScalingPhases> steps, bool isCoarse)
{
    require(!steps.empty(), "the scaling ruler got no step");
    if (!isCoarse) {
        std::ranges::sort(steps, {}, &ScalingPhases::step);
        const auto quarter = static_cast<std::ptrdiff_t>(steps.size() / 4);
        steps.erase(steps.end() - quarter, steps.end());
        steps.erase(steps.begin(), steps.begin() + quarter);
    }
    return {
        *meanOf(steps, &ScalingPhases::step), *meanOf(steps, &ScalingPhases::input),
        meanOf(steps, &ScalingPhases::averaging), meanOf(steps, &ScalingPhases::update),
        meanOf(steps, &ScalingPhases::waiting)};
}

double amdahlSpeedUp(double serial, double towers)
{
    return 1.0 / (serial + (1.0 - serial) / towers);
}

double scalingNoise(const ScalingLine& line, const ScalingLine& one)
{
    const auto spread = [](const ScalingLine& of) {
        return (of.greatest - of.least) / of.examplesPerSecond;
    };
    return line.speedUp * (spread(line) + spread(one));
}

bool isAboutNothing(double part, double noise)
{
    return part < 0.0 && -part <= noise;
}

int mostOwnTowers(const std::vector<ScalingLine>& lines)
{
    int most = 0;
    for (const ScalingLine& line : lines) {
        most = isOnOwnDevices(line) ? std::max(most, line.towers) : most;
    }
    return most;
}

std::optional<double> serialShare(const std::vector<ScalingLine>& lines)
{
    constexpr int kFewestPoints = 3;
    int points = 0;
    // With x = 1 / towers and y = 1 / speed-up: y - x = s (1 - x).
    double product = 0.0;
    double square = 0.0;
    for (const ScalingLine& line : lines) {
        if (isOnOwnDevices(line)) {
            ++points;
            const double x = 1.0 / line.towers;
            product += (1.0 - x) * (1.0 / line.speedUp - x);
            square += (1.0 - x) * (1.0 - x);
        }
    }
    return points >= kFewestPoints ? std::optional(std::clamp(product / square, 0.0, 1.0))
                                   : std::nullopt;
}

std::vector<ScalingLine> measureScaling(
    const ScalingPlan& plan, const ScalingTrial& trial, const ScalingWatcher& watcher)
{
    const std::vector<int> counts = countsOf(plan);
    std::vector<ScalingLine> lines;
    for (auto& [towers, turns] : takeTurns(counts, plan.seconds, trial, watcher)) {
        lines.push_back(scalingLine(towers, std::move(turns)));
        ScalingLine& line = lines.back();
        if (line.failure.empty()) {
            line.speedUp = line.examplesPerSecond / lines.front().examplesPerSecond;
            line.efficiency = line.speedUp / towers;
            line.loss = lossOf(line, lines.front());
        }
    }
    return lines;
}

} // namespace lockstep
