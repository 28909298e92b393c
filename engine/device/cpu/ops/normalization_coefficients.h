// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/kernels/normalization_kernel.h"
#include "device/cpu/runtime/dnnl_helpers.h"
#include "device/op.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace lockstep::cpu {

/// What a normalisation has for each channel: sums over the cells, the moments that follow, and the
/// coefficients of the passes over the cells. Worked out in double. Rows that are normalised
/// together are a group: each row, or all of them; every array goes group by group. With S1 = sum
/// of dy and Sx = sum of dy * x over the n cells of a group and S2 = (Sx - mean * S1) / deviation,
/// which is the sum of dy * xhat:
/// d(gamma) = S2, d(beta) = S1, dx = gamma / deviation * (dy - S1 / n - xhat * S2 / n).
class NormalizationCoefficients
{
public:
    NormalizationCoefficients() = default;
    /// `channels`: those that only fill up a block included; they come out as zeros. Adds its
    /// arrays to the plan's workspace.
    NormalizationCoefficients(const Normalization& spec, OpPlan& plan, std::int64_t channels);
    void bind(std::byte* workspace) { m_start = workspace; }

    /// The moments are those of the rows; else the moving ones, as constants.
    [[nodiscard]] bool takesMoments() const { return m_takesMoments; }
    /// The sums are those over the rows of all towers.
    [[nodiscard]] bool isSynchronised() const { return m_isSynchronised; }
    [[nodiscard]] std::int64_t groupOf(std::int64_t row) const { return m_groups == 1 ? 0 : row; }
    [[nodiscard]] std::int64_t channels() const { return m_channels; }

    /// Two sums for each channel, first all of one kind.
    [[nodiscard]] double* sums(std::int64_t group) const
    {
        return doubles(m_sums) + 2 * group * m_channels;
    }
    /// Of all groups.
    [[nodiscard]] std::span<double> allSums() const
    {
        return {sums(0), static_cast<std::size_t>(2 * m_groups * m_channels)};
    }

    /// From the sums of values and squares, or the moving moments.
    void makeLines(const StepContext& context);
    /// From the sums of the replica's own rows.
    void makeParameterGradients(const StepContext& context);
    /// From the sums of gradients, where the moments are not constants.
    void makeSlopes(const StepContext& context);

    /// From this channel of a group on.
    [[nodiscard]] NormalizationLine line(std::int64_t group, std::int64_t channel) const;
    [[nodiscard]] NormalizationSlopes slopes(std::int64_t group, std::int64_t channel) const;

private:
    void clear(std::initializer_list<std::size_t> arrays) const;
    template<class Body>
    void forEach(Body body) const;
    [[nodiscard]] double sumOfHats(std::int64_t group, std::int64_t c) const;
    [[nodiscard]] double deviation(std::int64_t at) const;
    [[nodiscard]] double gamma(const StepContext& context, std::int64_t c) const;
    [[nodiscard]] std::int64_t offsetOf(int number) const;
    [[nodiscard]] double parameter(const StepContext& context, int number, std::int64_t c) const;
    [[nodiscard]] float& gradient(const StepContext& context, int number, std::int64_t c) const;
    [[nodiscard]] double* doubles(std::size_t array) const
    {
        return reinterpret_cast<double*>(m_start + array);
    }
    [[nodiscard]] float* floats(std::size_t array) const
    {
        return reinterpret_cast<float*>(m_start + array);
    }

    Normalization m_spec;
    bool m_takesMoments = false;
    bool m_isSynchronised = false;
    std::int64_t m_rows = 0;
    std::int64_t m_groups = 1;
    double m_groupCells = 0.0; ///< n
    std::int64_t m_realChannels = 0;
    std::int64_t m_channels = 0;
    std::vector<std::int64_t> m_offsets; ///< of the parameters in the arena
    std::byte* m_start = nullptr;
    // Places of the arrays.
    std::size_t m_mean = 0;
    std::size_t m_variance = 0;
    std::size_t m_sums = 0;
    std::size_t m_scale = 0;
    std::size_t m_shift = 0;
    std::size_t m_slope = 0;
    std::size_t m_ofSrc = 0;
    std::size_t m_constant = 0;
};

} // namespace lockstep::cpu
