// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace lockstep::ui {

/// The plain rule of early stopping: a training is over at the first step by which the loss has had
/// no new low for so many steps. Losses that are not finite are no new low.
class Patience
{
public:
    static constexpr std::int64_t kSteps = 1000;

    void append(std::int64_t step, double loss)
    {
        if (m_stop) {
            return;
        }
        if (loss < m_lowest) {
            m_lowest = loss;
            m_lowestStep = step;
        } else if (std::isfinite(m_lowest) && step - m_lowestStep >= kSteps) {
            m_stop = step;
        }
    }

    /// Where the rule would have stopped the training, if anywhere yet.
    [[nodiscard]] std::optional<std::int64_t> stop() const noexcept { return m_stop; }

private:
    double m_lowest = std::numeric_limits<double>::infinity();
    std::int64_t m_lowestStep = 0;
    std::optional<std::int64_t> m_stop;
};

} // namespace lockstep::ui
