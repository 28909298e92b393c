// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/channel_pieces.h"
#include "device/cpu/channel_source.h"
#include "device/cpu/normalization_kernel.h"
#include "device/cpu/ops.h"
#include "device/cpu/parallel_ranges.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::cpu {
namespace {

/// Rows that are normalised together are a group: each row, or all of them. Moments, and what
/// follows from them for a channel, are worked out in double; the passes over the cells are in
/// float32. With S1 = sum of dy, Sx = sum of dy * x, both over the n cells of a group, and
/// S2 = (Sx - mean * S1) / deviation = sum of dy * xhat:
/// d(gamma) = S2, d(beta) = S1, dx = gamma / deviation * (dy - S1 / n - xhat * S2 / n).
class NormalizationOp : public Op
{
public:
    explicit NormalizationOp(Normalization spec) : m_spec(std::move(spec)) {}

    void plan(OpPlan& plan) override
    {
        PartSizes workspace;
        PartSizes scratchpad;
        m_source.plan(plan, ChannelSource::Order::Any, workspace, scratchpad);
        plan.dst = m_source.tensor();
        m_pieces = ChannelPieces(*channelLayout(plan.dst));
        const bool isPerImage = m_spec.mode == NormalizationMode::PerImage;
        m_takesMoments =
            isPerImage || (m_spec.mode != NormalizationMode::Moving && plan.isTrainingPass);
        m_meets = m_spec.mode == NormalizationMode::Synchronised && plan.isTrainingPass
                  && plan.meetingTowers > 1;
        m_groups = isPerImage ? plan.examples : 1;
        m_groupCells = static_cast<double>(
            plan.src().shape.height * plan.src().shape.width * (plan.examples / m_groups)
            * (m_meets ? plan.meetingTowers : 1));
        m_rows = plan.examples;
        m_channels = plan.src().shape.channels;
        m_threads = plan.threads;
        m_trains = plan.trainsParameters;
        m_hasDiffSrc = plan.needsDiffSrc();
        m_offsets = plan.parameterOffsets;
        placeArrays(workspace, scratchpad);
        plan.workspaceBytes = workspace.total();
        plan.scratchpadBytes = scratchpad.total();
    }

    void bind(const OpMemory& memory) override { m_memory = memory; }

    [[nodiscard]] std::span<double> forwardSums() override { return meetingSums(); }
    [[nodiscard]] std::span<double> backwardSums() override { return meetingSums(); }

    void beginForward(const StepContext& /*context*/) override
    {
        m_source.take(m_memory);
        if (m_takesMoments) {
            addUp([&](const CellBlock& cells, const ChannelPiece& piece, double* sums) {
                sumMoments(cells, src(piece), sums);
            });
        }
    }

    void forward(const StepContext& context) override
    {
        if (!m_meets) {
            beginForward(context);
        }
        clear({m_scale, m_shift});
        for (std::int64_t group = 0; group < m_groups; ++group) {
            for (std::int64_t c = 0; c < m_channels; ++c) {
                setLine(context, group, c);
            }
        }
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece) {
            normalize(
                cells, line(piece), src(piece),
                m_memory.dst + piece.first * bytesOf(cells.element));
        });
    }

    /// The gradients of gamma and beta are sums over the tower's own rows.
    void beginBackward(const StepContext& context) override
    {
        if (!m_trains && !m_takesMoments) {
            return;
        }
        addUp([&](const CellBlock& cells, const ChannelPiece& piece, double* sums) {
            sumGradients(cells, line(piece), tensors(piece), sums);
        });
        if (m_trains) {
            for (std::int64_t c = 0; c < m_channels; ++c) {
                setParameterGradients(context, c);
            }
        }
    }

    void backward(const StepContext& context) override
    {
        if (!m_meets) {
            beginBackward(context);
        }
        if (!m_hasDiffSrc) {
            return;
        }
        clear({m_slope, m_ofSrc, m_constant});
        for (std::int64_t group = 0; group < m_groups; ++group) {
            for (std::int64_t c = 0; c < m_channels; ++c) {
                setSlopes(context, group, c);
            }
        }
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece) {
            const std::int64_t at = arrayPlace(piece);
            normalizeBackward(
                cells,
                {line(piece), floats(m_slope) + at, floats(m_ofSrc) + at, floats(m_constant) + at},
                tensors(piece));
        });
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override
    {
        return m_spec.activation == Activation::Relu ? "own vector kernel, with ReLU"
                                                     : "own vector kernel";
    }

private:
    void placeArrays(PartSizes& workspace, PartSizes& scratchpad)
    {
        const auto values = static_cast<std::size_t>(m_groups * m_pieces.channels());
        for (std::size_t* array : {&m_mean, &m_variance}) {
            *array = workspace.add(values * sizeof(double));
        }
        m_sums = workspace.add(2 * values * sizeof(double));
        for (std::size_t* array : {&m_scale, &m_shift, &m_slope, &m_ofSrc, &m_constant}) {
            *array = workspace.add(values * sizeof(float));
        }
        m_partial = scratchpad.add(
            static_cast<std::size_t>(2 * m_pieces.count() * m_pieces.layout().block)
            * sizeof(double));
    }

    /// Calls pass(cells, piece) for all pieces, on all threads.
    template<class Pass>
    void forEachPiece(Pass pass) const
    {
        const ChannelLayout& layout = m_pieces.layout();
        forRanges(m_threads, m_pieces.count(), [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                const ChannelPiece piece = m_pieces.at(i);
                pass(CellBlock{layout.element, piece.positions, layout.block}, piece);
            }
        });
    }

    /// sums() of every group from pass(cells, piece, sums of the piece).
    template<class Pass>
    void addUp(Pass pass)
    {
        const ChannelLayout& layout = m_pieces.layout();
        forRanges(m_threads, m_pieces.count(), [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                const ChannelPiece piece = m_pieces.at(i);
                pass(
                    CellBlock{layout.element, piece.positions, layout.block}, piece,
                    doubles(m_partial, m_memory.scratchpad) + 2 * i * layout.block);
            }
        });
        const std::int64_t channels = m_pieces.channels();
        std::fill_n(sums(0), 2 * m_groups * channels, 0.0);
        for (std::int64_t i = 0; i < m_pieces.count(); ++i) {
            const ChannelPiece piece = m_pieces.at(i);
            const double* partial = doubles(m_partial, m_memory.scratchpad) + 2 * i * layout.block;
            double* total = sums(groupOf(piece)) + piece.block * layout.block;
            for (std::int64_t c = 0; c < layout.block; ++c) {
                total[c] += partial[c];
                total[channels + c] += partial[layout.block + c];
            }
        }
    }

    /// Channels that only fill up a block must come out as zeros.
    void clear(std::initializer_list<std::size_t> arrays) const
    {
        for (const std::size_t array : arrays) {
            std::fill_n(floats(array), m_groups * m_pieces.channels(), 0.0F);
        }
    }

    /// scale and shift of forward.
    void setLine(const StepContext& context, std::int64_t group, std::int64_t c)
    {
        const std::int64_t at = group * m_pieces.channels() + c;
        double mean = parameter(context, 2, c);
        double variance = parameter(context, 3, c);
        if (m_takesMoments) {
            mean = sums(group)[c] / m_groupCells;
            variance = sums(group)[m_pieces.channels() + c] / m_groupCells - mean * mean;
            variance = variance < 0.0 ? 0.0 : variance; // of rounding; a NaN stays one
        }
        const double scale = gamma(context, c) / std::sqrt(variance + m_spec.epsilon);
        doubles(m_mean)[at] = mean;
        doubles(m_variance)[at] = variance;
        floats(m_scale)[at] = static_cast<float>(scale);
        floats(m_shift)[at] = static_cast<float>(parameter(context, 1, c) - scale * mean);
    }

    void setParameterGradients(const StepContext& context, std::int64_t c)
    {
        double ofGamma = 0.0;
        double ofBeta = 0.0;
        double mean = 0.0;
        double variance = 0.0;
        for (std::int64_t group = 0; group < m_groups; ++group) {
            const std::int64_t at = group * m_pieces.channels() + c;
            ofBeta += sums(group)[c];
            ofGamma += sumOfHats(group, c);
            mean += doubles(m_mean)[at];
            variance += doubles(m_variance)[at];
        }
        if (m_spec.hasScale) {
            gradient(context, 0, c) = static_cast<float>(ofGamma);
        }
        gradient(context, 1, c) = static_cast<float>(ofBeta);
        if (m_takesMoments) {
            const double rows = context.lossScale * static_cast<double>(m_rows / m_groups);
            gradient(context, 2, c) = static_cast<float>(-rows * mean);
            gradient(context, 3, c) = static_cast<float>(-rows * variance);
        }
    }

    /// Coefficients of backward. Moments that are constants have no gradient of their own.
    void setSlopes(const StepContext& context, std::int64_t group, std::int64_t c)
    {
        const std::int64_t at = group * m_pieces.channels() + c;
        const double reciprocal = 1.0 / deviation(at);
        const double slope = gamma(context, c) * reciprocal;
        double ofSrc = 0.0;
        double constant = 0.0;
        if (m_takesMoments) {
            const double ofHat = -slope * sumOfHats(group, c) / m_groupCells;
            ofSrc = ofHat * reciprocal;
            constant = -slope * sums(group)[c] / m_groupCells - ofSrc * doubles(m_mean)[at];
        }
        floats(m_slope)[at] = static_cast<float>(slope);
        floats(m_ofSrc)[at] = static_cast<float>(ofSrc);
        floats(m_constant)[at] = static_cast<float>(constant);
    }

    /// Sum of dy * xhat over what sums() holds.
    [[nodiscard]] double sumOfHats(std::int64_t group, std::int64_t c) const
    {
        const std::int64_t at = group * m_pieces.channels() + c;
        const double* sum = sums(group);
        return (sum[m_pieces.channels() + c] - doubles(m_mean)[at] * sum[c]) / deviation(at);
    }
    [[nodiscard]] double deviation(std::int64_t at) const
    {
        return std::sqrt(doubles(m_variance)[at] + m_spec.epsilon);
    }

    /// 0: gamma, 1: beta, 2 and 3: the moving moments. Without gamma the others keep their numbers.
    [[nodiscard]] std::int64_t offsetOf(int number) const
    {
        return m_offsets[static_cast<std::size_t>(m_spec.hasScale ? number : number - 1)];
    }
    [[nodiscard]] double parameter(const StepContext& context, int number, std::int64_t c) const
    {
        return context.weights.values[offsetOf(number) + c];
    }
    [[nodiscard]] float& gradient(const StepContext& context, int number, std::int64_t c) const
    {
        return context.gradients[offsetOf(number) + c];
    }
    [[nodiscard]] double gamma(const StepContext& context, std::int64_t c) const
    {
        return m_spec.hasScale ? parameter(context, 0, c) : 1.0;
    }

    [[nodiscard]] std::int64_t groupOf(const ChannelPiece& piece) const
    {
        return m_groups == 1 ? 0 : piece.image;
    }
    /// Of a piece's first channel in the arrays of coefficients.
    [[nodiscard]] std::int64_t arrayPlace(const ChannelPiece& piece) const
    {
        return groupOf(piece) * m_pieces.channels() + piece.block * m_pieces.layout().block;
    }
    [[nodiscard]] NormalizationLine line(const ChannelPiece& piece) const
    {
        const std::int64_t at = arrayPlace(piece);
        return {floats(m_scale) + at, floats(m_shift) + at, m_spec.activation == Activation::Relu};
    }
    [[nodiscard]] const std::byte* src(const ChannelPiece& piece) const
    {
        return m_source.src(m_memory) + piece.first * bytesOf(m_pieces.layout().element);
    }
    [[nodiscard]] NormalizationTensors tensors(const ChannelPiece& piece) const
    {
        const std::int64_t at = piece.first * bytesOf(m_pieces.layout().element);
        return {
            src(piece), m_memory.diffDst + at,
            m_hasDiffSrc ? m_source.diffSrc(m_memory) + at : nullptr};
    }
    [[nodiscard]] std::span<double> meetingSums() const
    {
        return m_meets ? std::span(sums(0), static_cast<std::size_t>(2 * m_pieces.channels()))
                       : std::span<double>();
    }
    /// Of a group: two for each channel, first all of one kind.
    [[nodiscard]] double* sums(std::int64_t group) const
    {
        return doubles(m_sums) + 2 * group * m_pieces.channels();
    }
    static double* doubles(std::size_t array, std::byte* start)
    {
        return reinterpret_cast<double*>(start + array);
    }
    [[nodiscard]] double* doubles(std::size_t array) const
    {
        return doubles(array, m_memory.workspace);
    }
    [[nodiscard]] float* floats(std::size_t array) const
    {
        return reinterpret_cast<float*>(m_memory.workspace + array);
    }

    Normalization m_spec;
    ChannelSource m_source;
    ChannelPieces m_pieces;
    OpMemory m_memory;
    bool m_takesMoments = false; ///< of the rows; else the moving ones are used
    bool m_meets = false;        ///< the sums are those of all towers
    bool m_trains = false;
    bool m_hasDiffSrc = false;
    int m_threads = 1;
    std::int64_t m_rows = 0;
    std::int64_t m_channels = 0;
    std::int64_t m_groups = 1;
    double m_groupCells = 0.0; ///< n
    std::vector<std::int64_t> m_offsets;
    // Arrays in the workspace, group by group, channel by channel.
    std::size_t m_mean = 0;
    std::size_t m_variance = 0;
    std::size_t m_sums = 0;
    std::size_t m_scale = 0;
    std::size_t m_shift = 0;
    std::size_t m_slope = 0;
    std::size_t m_ofSrc = 0;
    std::size_t m_constant = 0;
    std::size_t m_partial = 0; ///< in the scratchpad: sums of each piece
};

} // namespace

std::unique_ptr<Op> makeOp(const Normalization& normalization)
{
    return std::make_unique<NormalizationOp>(normalization);
}

} // namespace lockstep::cpu
