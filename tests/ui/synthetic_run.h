// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace lockstep::ui {

/// A made-up run that looks like a real one: the loss falls, each tower's is noisy on its own,
/// throughput dips at checkpoints, the test set is evaluated now and then.
class SyntheticRun
{
public:
    SyntheticRun(int towers, int batchPerTower, std::int64_t steps = 0)
        : m_series(std::make_unique<RunSeries>(towers, batchPerTower)),
          m_losses(static_cast<std::size_t>(towers))
    {
        append(steps);
    }

    [[nodiscard]] RunSeries& series() { return *m_series; }

    void append(std::int64_t steps)
    {
        for (std::int64_t i = 0; i < steps; ++i) {
            appendStep();
        }
    }

    /// The next step's losses are multiplied by this.
    void spikeNext(double factor) { m_spike = factor; }

private:
    void appendStep()
    {
        const auto step = static_cast<double>(m_step);
        const double trend = 0.72 + 3.9 * std::exp(-step / 520.0) + 1.15 * std::exp(-step / 4200.0);
        double sum = 0.0;
        for (double& loss : m_losses) {
            loss = (trend + 0.11 * std::sqrt(trend) * m_normal(m_random)) * m_spike;
            sum += loss;
        }
        m_spike = 1.0;
        const double rate =
            (24'300.0 + 60.0 * m_normal(m_random)) * (m_step % 1000 < 8 ? 0.9 : 1.0);
        m_wallSeconds += 512.0 / rate;
        const double accuracy = 0.88 - 0.78 * std::exp(-step / 2600.0);
        const Moment moment{m_step, step * 512.0 / 50'000.0, m_wallSeconds, (step + 1) * 512.0};
        m_series->append(StepPoint{
            moment, m_losses, sum / static_cast<double>(m_losses.size()), rate,
            std::round((accuracy + 0.02 * m_normal(m_random)) * 512.0) / 512.0});
        if (m_step % 1000 == 999) {
            m_series->append(
                moment,
                {.accuracy = accuracy - 0.035 + 0.008 * m_normal(m_random), .loss = trend + 0.08},
                {.accuracy = accuracy - 0.02 - 0.3 * std::exp(-step / 900.0),
                 .loss = trend + 0.05 + std::exp(-step / 900.0)});
        }
        ++m_step;
    }

    std::unique_ptr<RunSeries> m_series;
    std::vector<double> m_losses;
    std::mt19937_64 m_random{7};
    std::normal_distribution<double> m_normal;
    std::int64_t m_step = 0;
    double m_wallSeconds = 0.0;
    double m_spike = 1.0;
};

} // namespace lockstep::ui
