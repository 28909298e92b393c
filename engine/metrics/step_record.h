// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/objective_losses.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// What one tower did in one step.
struct TowerRecord
{
    /// Mean over the tower's batch of what is trained, the objectives by their weights, + weight
    /// decay.
    double loss = 0.0;
    /// Examples of the tower's batch classified correctly (top 1); negative: not known.
    std::int64_t correct = 0;
    std::int64_t examples = 0; ///< examples of the tower's batch; 0: not known, of a recorded run
    // Its phases, one right after the other, by the clock of the step: the batch is there at 0, and
    // at StepRecord::computeSeconds all towers have arrived at the barrier. Of a tower that works
    // in several threads, those of the thread that arrived last. Negative: the device does not
    // tell.
    double startSeconds = -1.0;   ///< until it began: its turn, where towers share processors
    double copySeconds = -1.0;    ///< its rows to the device; 0: they are read where they are
    double forwardSeconds = -1.0; ///< the network, forward
    double backwardSeconds = -1.0;
    /// Means over the tower's batch, of those that are not trained just now, too.
    ObjectiveLosses objectives = {};
    /// Number of the accelerator that it works on, which it shares with the other towers of that
    /// number; -1: it works on processors, where towers take turns. See deviceNumbers().
    int device = -1;
};

/// Everything that is reported of one synchronous step. A plain value: it is copied to the store,
/// to the screen and to standard output.
/// Step k (from 0) is the (k+1)-th update; its losses are those before that update.
struct StepRecord
{
    std::int64_t step = 0;
    std::int64_t examples = 0; ///< examples seen after this step, over the whole run
    double epoch = 0.0;        ///< examples / size of the training set
    double learningRate = 0.0; ///< as used in this step's update
    double lossMean = 0.0;     ///< mean of the towers' losses, summed in double in tower order
    double lossLast = 0.0;     ///< loss of the last tower: what the classic scripts print
    /// Of the weights before the update: a part of the loss of every tower. Not a number: not
    /// known, of a recorded run or of one by an older program.
    double weightDecayLoss = std::numeric_limits<double>::quiet_NaN();
    double stepSeconds = 0.0;  ///< from the end of the step before to the end of this one
    double wallSeconds = 0.0;  ///< training time since the run began, pauses left out
    double inputSeconds = 0.0; ///< part of stepSeconds in which the towers waited for the batch
    double queueFilled =
        0.0; ///< share of the prefetch queue that was full when the batch was taken
    // Phases of the step; negative where the device does not tell.
    double computeSeconds = -1.0;   ///< forward and backward, until the last tower was done
    double averagingSeconds = -1.0; ///< averaging the gradients and checking them
    double updateSeconds = -1.0;    ///< optimizer and moving average
    double examplesPerSecond = 0.0; ///< global batch / stepSeconds
    double secondsPerBatch = 0.0;   ///< stepSeconds / towers: the classic figure
    std::vector<TowerRecord> towers;
};

/// Mean over the towers of what the network learns by: the loss without weight decay, a
/// cross-entropy, of several objectives each by its weight. It is what says whether the network
/// learns: weight decay falls when a network dies. The loss as it is where its weight decay is not
/// known; not a number where nothing is left of it beside weights that have grown without bounds.
double crossEntropy(const StepRecord& step);

/// The same of one of its towers.
double crossEntropy(const StepRecord& step, const TowerRecord& tower);

/// Mean over the towers of each objective, summed in tower order.
ObjectiveLosses meanObjectives(const StepRecord& step);

/// Share of the step's examples that were classified correctly. Empty where there are none, or it
/// is not known of all.
std::optional<double> trainAccuracy(const StepRecord& step);

/// Whether a rank of a recorded run has no part in the step: it ended earlier, or its file has a
/// gap.
bool isMissing(const TowerRecord& tower);

/// What the tower worked: copy, forward and backward. Empty if the device does not tell.
std::optional<double> workSeconds(const TowerRecord& tower);

/// When the tower arrived at the barrier, by the clock of the step. Empty as above.
std::optional<double> arrivalSeconds(const TowerRecord& tower);

/// Whether the towers share processors: one began when another one had arrived. False if a device
/// does not tell.
bool takesTurns(const StepRecord& step);

/// How long what the tower works on still worked for other towers when it had arrived itself: it is
/// not waiting then. Of an accelerator until the last of its towers arrives; where towers take
/// turns on processors, all but what the slowest of them makes the others wait (stragglerOf()).
/// Empty as above.
std::optional<double> sharedSeconds(const StepRecord& step, const TowerRecord& tower);

/// What the tower waited at the barrier for the towers that arrived after it; of an accelerator,
/// from the last arrival of its towers on. Empty as above.
std::optional<double> waitingSeconds(const StepRecord& step, const TowerRecord& tower);

/// TowerRecord::device of towers at these places: "cpu", "cuda:0", "rank1@node7:cuda:0".
std::vector<int> deviceNumbers(const std::vector<std::string>& places);

} // namespace lockstep
