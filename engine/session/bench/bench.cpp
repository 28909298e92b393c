// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "device/registry/device_registry.h"
#include "device/registry/host_ceilings.h"
#include "session/bench/bench_trial.h"
#include "session/training/training_session.h"

#include <exception>
#include <new>

namespace lockstep {
namespace {

std::vector<std::string> precisionsOf(const DeviceInfo& device)
{
    std::vector<std::string> names;
    for (const Precision precision : device.precisions) {
        names.push_back(toString(precision));
    }
    return names;
}

/// All combinations, with nothing measured yet.
std::vector<SweepLine> plannedLines(const SweepSettings& sweep)
{
    std::vector<SweepLine> lines;
    for (const std::string& precision : sweep.precisions) {
        for (const std::int64_t batch : sweep.batches) {
            for (const int towers : sweep.towers) {
                lines.push_back({towers, batch, precision, std::nullopt, ""});
            }
        }
    }
    return lines;
}

/// Of all processors; empty for an accelerator.
std::optional<HostCeilings> ceilingsOfHost(const RunConfig& config)
{
    if (describeDevice(config.device).name != "cpu") {
        return std::nullopt;
    }
    return measureHostCeilings(ThreadTeam::processors());
}

RunConfig configOf(const SweepLine& line, RunConfig config)
{
    config.towers = line.towers;
    config.batchPerTower = line.batchPerTower;
    config.globalBatch.reset();
    config.precision = line.precision;
    return config;
}

/// Measures, or notes why it can't be done.
void measure(SweepLine& line, const BenchTrial& trial)
{
    try {
        trial.config.validate();
        line.result = runTrial(trial);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Cancelled) {
            throw;
        }
        line.failure = error.what();
    } catch (const std::bad_alloc&) {
        line.failure = "out of memory";
    } catch (const std::exception& error) {
        line.failure = error.what();
    }
}

} // namespace

BenchResult runBench(
    const RunConfig& config, const BenchSettings& settings, const BenchProgress& progress)
{
    config.validate();
    const RunConfig generated = withBenchExamples(config);
    const auto examples = openBenchExamples(generated);
    return runTrial({generated, settings, *examples, progress, std::nullopt});
}

std::vector<SweepLine> runSweep(
    const RunConfig& config, const BenchSettings& settings, const SweepSettings& sweep,
    const SweepWatcher& watcher)
{
    config.validate();
    SweepSettings chosen = sweep;
    if (chosen.precisions.empty()) {
        chosen.precisions = precisionsOf(describeDevice(config.device));
    }
    // A model that can't be used ends it here, not in every line.
    const RunConfig generated = withBenchExamples(config);
    const auto examples = openBenchExamples(generated);
    const auto ceilings = ceilingsOfHost(config);
    std::vector<SweepLine> lines = plannedLines(chosen);
    const auto total = static_cast<double>(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        RunConfig own = configOf(lines[i], generated);
        // Towers of one kind and size compute alike on GPUs, so only the first ones choose how.
        if (!ceilings && i > 0 && lines[i - 1].result && lines[i - 1].precision == own.precision
            && lines[i - 1].batchPerTower == *own.batchPerTower) {
            own.algorithms = lines[i - 1].result->algorithms;
        }
        const auto progress = [&](double share) {
            return !watcher.progress || watcher.progress((static_cast<double>(i) + share) / total);
        };
        measure(lines[i], {own, settings, *examples, progress, ceilings});
        if (watcher.onLine) {
            watcher.onLine(lines[i]);
        }
    }
    return lines;
}

} // namespace lockstep
