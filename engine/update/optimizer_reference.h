// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "update/optimizer_settings.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// The optimizer of some weights in float64, as its formulas stand in OptimizerSettings: what
/// devices are compared with. Slow. One thread at a time.
class ReferenceOptimizer
{
public:
    ReferenceOptimizer(const OptimizerSettings& settings, std::span<const float> weights);

    /// One update; `gradient` has as many values as there are weights.
    void apply(std::span<const float> gradient, double weightDecay, double learningRate);

    [[nodiscard]] const std::vector<double>& weights() const { return m_weights; }
    /// In the order of slotsOf().
    [[nodiscard]] const std::vector<double>& slot(std::size_t number) const
    {
        return m_slots.at(number);
    }

private:
    [[nodiscard]] double stepOf(std::size_t i, double g, double learningRate);

    OptimizerSettings m_settings;
    std::vector<double> m_weights;
    std::array<std::vector<double>, kMostSlots> m_slots;
    std::int64_t m_updates = 0;
};

} // namespace lockstep
