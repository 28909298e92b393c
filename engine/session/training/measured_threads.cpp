// SPDX-License-Identifier: Apache-2.0
#include "session/training/measured_threads.h"

#include "base/clock.h"
#include "base/error.h"
#include "metrics/median.h"
#include "tower/layer_algorithms.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace lockstep {
namespace {

constexpr int kLeastSteps = 3;
constexpr double kSeconds = 0.3; ///< of timed steps
/// Slow steps: a number of threads gets no more than this, and once as much is spent no further
/// number is tried.
constexpr double kMostSeconds = 1.0;
constexpr double kMostSecondsInAll = 3.0;
constexpr double kHopeless = 1.5;
constexpr double kTie = 1.03;

std::vector<double> timedSteps(Stepper& stepper)
{
    std::vector<double> milliseconds;
    const auto step = [&] {
        const Stopwatch watch;
        if (stepper.next(0).fault) {
            stepper.start(0, 0); // the training itself will tell
        }
        return watch.seconds() * 1e3;
    };
    const Stopwatch all;
    step(); // the first one waits for the input
    const Stopwatch timed;
    do {
        milliseconds.push_back(step());
    } while ((milliseconds.size() < kLeastSteps || timed.seconds() < kSeconds)
             && all.seconds() < kMostSeconds);
    return milliseconds;
}

double shortest(const std::vector<ThreadTrial>& trials)
{
    require(!trials.empty(), "no thread count was tried");
    return std::ranges::min_element(trials, {}, &ThreadTrial::milliseconds)->milliseconds;
}

} // namespace

std::vector<int> threadCandidates(int towers, int processors)
{
    std::vector<int> candidates{std::max(1, processors / towers)};
    const auto most = static_cast<unsigned>(candidates.front());
    for (unsigned power = std::bit_floor(most); power > 0; power /= 2) {
        if (power != most) {
            candidates.push_back(static_cast<int>(power));
        }
    }
    return candidates;
}

std::vector<ThreadTrial> measureThreads(const StepperSettings& settings, std::uint64_t seed)
{
    StepperSettings trial = settings;
    trial.experiment = {}; // what is tried is the work, not the sleep
    leaveUnmeasured(trial.algorithms);
    trial.schedule = [](std::int64_t /*step*/) { return UpdateSettings{}; };
    std::vector<ThreadTrial> trials;
    const Stopwatch all;
    for (const int threads : threadCandidates(settings.shape.towers, ThreadTeam::processors())) {
        trial.shape.threadsPerTower = threads;
        const auto stepper = makeStepper(trial);
        stepper->arena().initialize(*settings.network, seed);
        stepper->parametersChanged();
        stepper->start(0, 0);
        trials.push_back({threads, median(timedSteps(*stepper))});
        if (trials.back().milliseconds >= kHopeless * shortest(trials)
            || all.seconds() > kMostSecondsInAll) {
            break;
        }
    }
    return trials;
}

int fastestThreads(const std::vector<ThreadTrial>& trials)
{
    const double best = shortest(trials);
    int threads = 0;
    for (const ThreadTrial& trial : trials) {
        if (trial.milliseconds <= kTie * best) {
            threads = std::max(threads, trial.threads);
        }
    }
    return threads;
}

std::string toString(const std::vector<ThreadTrial>& trials)
{
    std::vector<ThreadTrial> sorted = trials;
    std::ranges::sort(sorted, {}, &ThreadTrial::threads);
    std::string text;
    for (const ThreadTrial& trial : sorted) {
        text += fmt::format(
            "{}{}: {:.1f} ms", text.empty() ? "" : ", ", trial.threads, trial.milliseconds);
    }
    return text;
}

} // namespace lockstep
