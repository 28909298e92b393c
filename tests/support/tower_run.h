// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/averaging_plan.h"
#include "averaging/ordered_all_reduce.h"
#include "device/cpu/cpu_device.h"
#include "support/random_network.h"
#include "tower/tower_team.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep::test {

/// A global batch of random examples.
inline Batch randomBatch(const NetworkSpec& network, std::int64_t rows, std::uint64_t seed)
{
    Random random(seed);
    Examples examples = randomExamples(network, rows, random);
    Batch batch;
    batch.examples = rows;
    batch.shape = network.inputShape();
    batch.images = std::move(examples.images);
    batch.labels = std::move(examples.labels);
    return batch;
}

/// Towers that bring a dense gradient for every parameter.
inline std::vector<TowerContribution> denseContributions(
    const NetworkSpec& network, const std::vector<std::int64_t>& examples)
{
    std::vector<TowerContribution> towers;
    for (const std::int64_t count : examples) {
        auto& tower = towers.emplace_back();
        tower.examples = count;
        for (const ParameterSpec& parameter : network.parameters) {
            tower.gradients.push_back({GradientForm::Dense, parameter.shape});
        }
    }
    return towers;
}

/// Towers on the CPU and the average of their gradients: a step up to the update.
class TowerRun
{
public:
    TowerRun(
        const NetworkSpec& network, const TowerShape& shape, std::uint64_t seed,
        Precision precision = Precision::Float32)
        : m_arena(m_device, network, precision),
          m_team(
              m_device, network, m_arena.layout(), shape, {.precision = precision, .seed = seed}),
          m_average(
              m_device, m_arena.layout(),
              planAveraging(
                  network,
                  denseContributions(
                      network, std::vector<std::int64_t>(
                                   static_cast<std::size_t>(shape.towers), shape.batchPerTower)),
                  MissingGradient::Error),
              m_team.gradients())
    {
        m_arena.initialize(network, seed);
    }

    /// Number of the first parameter whose average is not finite, or -1.
    int step(const Batch& batch)
    {
        m_results = m_team.forwardBackward(batch, m_arena.weightsView());
        return m_average.run(m_team.threads(), m_arena.gradient());
    }

    [[nodiscard]] TowerTeam& team() { return m_team; }
    [[nodiscard]] const ParameterArena& arena() const { return m_arena; }
    [[nodiscard]] const std::vector<TowerResult>& results() const { return m_results; }
    [[nodiscard]] std::span<const float> average(std::size_t parameter) const
    {
        return m_arena.of(m_arena.gradient(), static_cast<int>(parameter));
    }
    /// The averaged gradient, gaps of the arena included.
    [[nodiscard]] std::vector<float> average() const
    {
        return {m_arena.gradient(), m_arena.gradient() + m_arena.layout().elements};
    }
    [[nodiscard]] double lossSum() const
    {
        double sum = 0.0;
        for (const TowerResult& result : m_results) {
            sum += result.lossSum;
        }
        return sum;
    }

private:
    cpu::CpuDevice m_device;
    ParameterArena m_arena;
    TowerTeam m_team;
    OrderedAllReduce m_average;
    std::vector<TowerResult> m_results;
};

} // namespace lockstep::test
