// SPDX-License-Identifier: Apache-2.0
// What it costs a step to measure the towers' gradients: cifar10, 2 towers x 64, every other step
// is measured. percent_of_step is the cost at the default of every 10 steps.
#include "dataset/formats/catalog.h"
#include "session/training/training_session.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <vector>

namespace lockstep {
namespace {

double medianOf(std::vector<double>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void measuredSteps(benchmark::State& state)
{
    constexpr double kPercent = 100.0;
    const auto dataset = openDataset({"synthetic"}, Split::Train);
    RunConfig config;
    config.batchPerTower = 64;
    const auto defaultEvery = static_cast<double>(config.gradientsEverySteps);
    config.gradientsEverySteps = 2;
    TrainingSession session(config, *dataset);
    std::array<std::vector<double>, 2> seconds; // without, with
    while (state.KeepRunning()) {
        const StepRecord step = session.step();
        seconds[session.gradients() ? 1U : 0U].push_back(step.stepSeconds);
    }
    const double without = medianOf(seconds[0]);
    const double cost = medianOf(seconds[1]) - without;
    state.counters["step_ms"] = without * 1e3;
    state.counters["measuring_ms"] = cost * 1e3;
    state.counters["percent_of_step"] = kPercent * cost / defaultEvery / without;
}
BENCHMARK(measuredSteps)->Iterations(400)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace lockstep

BENCHMARK_MAIN();
