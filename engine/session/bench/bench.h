// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "session/bench/bench_floor.h"
#include "session/bench/bench_profile.h"
#include "session/config/run_config.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// What a benchmark of the complete step measured.
struct BenchResult
{
    std::string model;
    /// On the host global batch / median step; on an accelerator, whose clock may tick coarsely,
    /// examples / time of all timed steps.
    double examplesPerSecond = 0.0;
    double millisecondsPerStep = 0.0; ///< median
    double millisecondsMinimum = 0.0;
    double milliseconds95 = 0.0; ///< 95th percentile
    std::int64_t steps = 0;      ///< timed
    int towers = 0;
    int threadsPerTower = 0;
    std::int64_t batchPerTower = 0;
    std::string precision;
    std::string device;
    double gigaflopsPerSecond = 0.0; ///< of the network's matrix work, padding taps counted
    double inputShare = 0.0;         ///< share of the time in which towers waited for a batch
    double inputWorkShare = 0.0; ///< share of the towers' processors that the loaders took (host)
    std::string captureFailure;  ///< see Stepper; empty: nothing failed
    std::string algorithms;      ///< how each layer was computed; see RunConfig::algorithms
    AlgorithmChoices choices;    ///< how they were chosen
    /// Share of a step in which no kernel ran; only if BenchSettings::isTraced.
    std::optional<double> outsideKernelsShare;
    std::vector<KernelTime> kernels;         ///< of one step, the most time first; only if isTraced
    std::optional<double> floorMilliseconds; ///< of a step, see floorSeconds()
    /// Host devices: what the processors reached before and after the steps, as many as the step
    /// uses; in a sweep all of them, before.
    std::optional<HostCeilings> ceilings;
    std::optional<double> ceilingShare; ///< of gigaflopsPerSecond in the ceiling of the precision
    std::optional<StepProfile> profile; ///< only if BenchSettings::isProfiled
};

struct BenchSettings
{
    double seconds = 5.0; ///< of timed steps
    /// Accelerators: afterwards, some steps more in which every kernel is observed.
    bool isTraced = false;
    /// Host devices: afterwards, as many seconds more in which every layer is timed.
    bool isProfiled = false;
    /// For the floor; empty: what was measured, or is known of the device.
    std::optional<DeviceCeilings> ceilings;
};

/// Is told the share that is done and returns whether to go on (else Error(Cancelled)).
using BenchProgress = std::function<bool(double)>;

/// Times the complete step on the synthetic data set: pipeline with distortions, all towers, check,
/// averaging, update, moving average. A few steps to warm up, then at least `settings.seconds`,
/// three times that at most (where three steps alone take longer, fewer steps); planning and
/// measuring ceilings come on top. The data set of `config` is not used. Errors as TrainingSession;
/// Error(BadInput) if the kernels of a host device or the layers of an accelerator are to be timed,
/// Error(Device) if the kernels of an accelerator can't be observed.
BenchResult runBench(
    const RunConfig& config, const BenchSettings& settings, const BenchProgress& progress = {});

/// Which combinations a sweep goes through.
struct SweepSettings
{
    std::vector<int> towers{1, 2, 4, 8};
    std::vector<std::int64_t> batches{32, 128, 512, 1024}; ///< of one tower
    std::vector<std::string> precisions;                   ///< none: all that the device has
};

/// One combination of a sweep: its result, or why there is none.
struct SweepLine
{
    int towers = 0;
    std::int64_t batchPerTower = 0;
    std::string precision;
    std::optional<BenchResult> result;
    std::string failure;
};

/// Who watches a sweep; both may be empty.
struct SweepWatcher
{
    std::function<void(const SweepLine&)> onLine; ///< as soon as it is known
    BenchProgress progress;
};

/// runBench() for every combination: precision by precision, batch by batch, towers last. On an
/// accelerator the algorithms are chosen once for a precision and a batch. What one combination
/// throws becomes its line. Error(BadInput) if the configuration itself or the device can't be
/// used.
std::vector<SweepLine> runSweep(
    const RunConfig& config, const BenchSettings& settings, const SweepSettings& sweep,
    const SweepWatcher& watcher = {});

} // namespace lockstep
