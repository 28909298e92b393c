// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Where the seconds of a step go, or of many on average. Empty where the device does not tell.
struct ScalingPhases
{
    double step = 0.0;
    double input = 0.0; ///< the towers waited for their batch
    std::optional<double> averaging;
    std::optional<double> update;
    std::optional<double> waiting; ///< a tower waited for the slowest one, mean over the towers
};

/// One turn with one number of towers.
struct ScalingTurn
{
    std::int64_t globalBatch = 0;
    std::int64_t steps = 0;     ///< that were timed
    bool sharesDevices = false; ///< more towers than processors or GPUs: they take turns on them
    ScalingPhases phases;
};

ScalingPhases phasesOf(const StepRecord& step);

/// The mean of the steps whose seconds lie in the middle half: as robust as a median, and the parts
/// still add up to the whole. With `isCoarse`, for clocks that tick in blocks of steps, the mean of
/// all. Needs at least one step.
ScalingPhases meanPhases(std::vector<ScalingPhases> steps, bool isCoarse);

/// What the ruler is put to: makes steps with so many towers for about so many seconds, those to
/// warm up not counted. It is to call `progress` with the share that is done, and to throw
/// Error(Cancelled) where that returns false.
using ScalingTrial = std::function<ScalingTurn(
    int towers, double seconds, const std::function<bool(double)>& progress)>;

/// What the towers of one line lost against as many single ones, in towers: 0.3 is the work of 0.3
/// towers. The known parts and `rest` add up to `total`; a part may be negative where it takes less
/// time than it should. Empty where the device does not tell; `rest` holds it then.
struct ScalingLoss
{
    double total = 0.0; ///< towers - speed-up
    double input = 0.0;
    std::optional<double> averaging;
    std::optional<double> update;
    std::optional<double> waiting;
    /// Towers that compute more slowly than one alone, because they share memory or cores, or that
    /// have to wait for their turn.
    double rest = 0.0;
};

/// One number of towers.
struct ScalingLine
{
    int towers = 0;
    ScalingTurn turn;               ///< the one in the middle of all turns
    double examplesPerSecond = 0.0; ///< in that turn
    double least = 0.0;             ///< of all turns
    double greatest = 0.0;
    double speedUp = 0.0;    ///< examples per second / those of one tower
    double efficiency = 0.0; ///< speed-up / towers
    ScalingLoss loss;
    std::string failure; ///< why it could not be measured; the figures are 0 then
};

/// Amdahl's law: the speed-up of `towers` towers where the share `serial` of one tower's time does
/// not get shorter with more of them, 1 / (serial + (1 - serial) / towers).
/// Amdahl, "Validity of the single processor approach to achieving large scale computing
/// capabilities", AFIPS 1967.
double amdahlSpeedUp(double serial, double towers);

/// How far chance moves a part of what a line lost, in towers: the spread of its turns and of those
/// of one tower.
double scalingNoise(const ScalingLine& line, const ScalingLine& one);

/// A part below 0 within the noise is shown as about 0: no tower was won.
bool isAboutNothing(double part, double noise);

/// The most towers that had devices of their own; 0 where none could be measured.
int mostOwnTowers(const std::vector<ScalingLine>& lines);

/// The serial share that fits best: least squares of 1 / speed-up = s + (1 - s) / towers, kept
/// within 0 and 1. Lines with a failure and those whose towers share devices (that is another
/// limit) don't count. Empty with fewer than three points, the one of one tower among them: any
/// law would fit.
std::optional<double> serialShare(const std::vector<ScalingLine>& lines);

/// What is measured.
struct ScalingPlan
{
    std::vector<int> towers; ///< 1 is added if it is missing: all is compared with it
    double seconds = 4.0;    ///< of timed steps for each
};

/// Who watches; may be empty. Is told the share that is done and what is being measured; returns
/// whether to go on.
using ScalingWatcher = std::function<bool(double share, int towers)>;

/// Measures every number of towers, in ascending order in the result. Each has several turns, up
/// and down the list, so that a busy minute of the machine does not fall on one of them. What one
/// number throws becomes its failure; what one tower throws is thrown. Error(Cancelled) if the
/// watcher says so; Error(BadInput) names a plan that can't be measured.
std::vector<ScalingLine> measureScaling(
    const ScalingPlan& plan, const ScalingTrial& trial, const ScalingWatcher& watcher = {});

} // namespace lockstep
