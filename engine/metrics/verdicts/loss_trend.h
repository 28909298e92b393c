// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lockstep {

/// Whether the loss still falls: a straight line through the means of 20 blocks that the latest
/// steps are cut into, by least squares. The standard error of its slope comes from what is left
/// over around the line, so it needs no model of the noise; means over blocks are nearly
/// independent, single steps are not. slope / standard error then has Student's t distribution with
/// 18 degrees of freedom where there is no trend (Draper and Smith, Applied Regression Analysis,
/// chapter 1). No allocation; not thread-safe.
class LossTrend
{
public:
    static constexpr std::size_t kBlocks = 20;
    /// Student's t with 18 degrees of freedom is below this with a probability of 5 %.
    static constexpr double kFalls = -1.734;
    /// And below this with 0.05 %: as windows overlap, it is looked at many times.
    static constexpr double kSurelyFalls = -3.922;

    /// The window holds so many steps, rounded down to a multiple of the blocks; at least one step
    /// a block.
    explicit LossTrend(std::int64_t windowSteps);

    /// The loss of the next step. True when a block is complete and the window full: then there is
    /// a new trend.
    bool add(double loss);
    /// Forgets all steps, say because the learning rate is another.
    void restart();

    /// Slope / its standard error. 0 for a loss that does not move at all; infinite where nothing
    /// is left over around a line that does.
    [[nodiscard]] double tValue() const noexcept { return m_tValue; }
    /// What the loss changes by over the whole window, and the standard error of that.
    [[nodiscard]] double change() const noexcept { return m_change; }
    [[nodiscard]] double changeError() const noexcept { return m_changeError; }
    /// Over the window.
    [[nodiscard]] double meanLoss() const noexcept { return m_mean; }
    [[nodiscard]] std::int64_t windowSteps() const noexcept
    {
        return m_blockSteps * static_cast<std::int64_t>(kBlocks);
    }

private:
    void fit();

    std::int64_t m_blockSteps;
    std::array<double, kBlocks> m_means{}; ///< of blocks, a ring
    std::size_t m_blocks = 0;              ///< that were completed since the start
    std::int64_t m_steps = 0;              ///< of the block that grows
    double m_sum = 0.0;
    double m_tValue = 0.0;
    double m_change = 0.0;
    double m_changeError = 0.0;
    double m_mean = 0.0;
};

} // namespace lockstep
