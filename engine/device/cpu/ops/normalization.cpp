// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/ops/normalization_coefficients.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/channel_pieces.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>
#include <span>
#include <utility>

namespace lockstep::cpu {
namespace {

/// Two passes over the source forward and two over source and gradient backward: sums, then values.
/// ReLU costs nothing on the way; backward works out anew where it was off.
class NormalizationOp : public Op
{
public:
    explicit NormalizationOp(Normalization spec) : m_spec(std::move(spec)) {}

    void plan(OpPlan& plan) override
    {
        m_source.plan(plan, ChannelSource::Order::Any);
        plan.dst = m_source.tensor();
        const ChannelLayout layout = *channelLayout(plan.dst);
        m_pieces = ChannelPieces(layout);
        m_places = PiecePlaces(layout);
        m_dstPlaces = m_places;
        m_channels = plan.dstShape.channels;
        m_coefficients = NormalizationCoefficients(m_spec, plan, m_pieces.channels());
        m_threads = plan.threads;
        m_trains = plan.trainsParameters;
        m_partial = addPart(
            plan.scratchpadBytes,
            static_cast<std::size_t>(2 * m_pieces.count() * m_pieces.layout().block)
                * sizeof(double));
    }

    bool writeInto(const ChannelSlice& slice) override
    {
        const auto places = PiecePlaces::within(m_pieces.layout(), m_channels, slice);
        m_dstPlaces = places.value_or(m_places);
        return places.has_value();
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        m_coefficients.bind(memory.workspace);
    }

    [[nodiscard]] std::span<double> forwardSums() override { return syncSums(); }
    [[nodiscard]] std::span<double> backwardSums() override { return syncSums(); }

    void beginForward(const StepContext& /*context*/) override
    {
        m_source.take(m_memory);
        if (m_coefficients.takesMoments()) {
            addUp([&](const CellBlock& cells, const ChannelPiece& piece, double* sums) {
                sumMoments(cells, src(piece), sums);
            });
        }
    }

    void forward(const StepContext& context) override
    {
        if (!m_coefficients.isSynchronised()) {
            beginForward(context);
        }
        m_coefficients.makeLines(context);
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece, std::int64_t /*i*/) {
            normalize(cells, line(piece), src(piece), m_memory.dst + dstBytes(piece));
        });
    }

    /// The gradients of gamma and beta are sums over the tower's own rows.
    void beginBackward(const StepContext& context) override
    {
        if (m_trains || m_coefficients.takesMoments()) {
            addUp([&](const CellBlock& cells, const ChannelPiece& piece, double* sums) {
                sumGradients(cells, line(piece), tensors(piece), sums);
            });
        }
        if (m_trains) {
            m_coefficients.makeParameterGradients(context);
        }
    }

    void backward(const StepContext& context) override
    {
        if (!m_coefficients.isSynchronised()) {
            beginBackward(context);
        }
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        m_coefficients.makeSlopes(context);
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece, std::int64_t /*i*/) {
            const auto slopes = m_coefficients.slopes(groupOf(piece), firstChannel(piece));
            normalizeBackward(cells, slopes, tensors(piece));
        });
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override
    {
        return m_spec.activation == Activation::Relu ? "own vector kernel, with ReLU"
                                                     : "own vector kernel";
    }

private:
    /// Calls pass(cells, piece, its number) for all pieces, on all threads.
    template<class Pass>
    void forEachPiece(Pass pass) const
    {
        const ChannelLayout& layout = m_pieces.layout();
        forRanges(m_threads, m_pieces.count(), [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                const ChannelPiece piece = m_pieces.at(i);
                const CellBlock cells{
                    layout.element, piece.positions, layout.block, m_dstPlaces.stride()};
                pass(cells, piece, i);
            }
        });
    }

    /// The sums of every group from pass(cells, piece, sums of the piece).
    template<class Pass>
    void addUp(Pass pass)
    {
        const std::int64_t block = m_pieces.layout().block;
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece, std::int64_t i) {
            pass(cells, piece, partial(i));
        });
        std::ranges::fill(m_coefficients.allSums(), 0.0);
        for (std::int64_t i = 0; i < m_pieces.count(); ++i) {
            const ChannelPiece piece = m_pieces.at(i);
            double* first = m_coefficients.sums(groupOf(piece)) + firstChannel(piece);
            double* second = first + m_coefficients.channels();
            for (std::int64_t c = 0; c < block; ++c) {
                first[c] += partial(i)[c];
                second[c] += partial(i)[block + c];
            }
        }
    }

    [[nodiscard]] double* partial(std::int64_t piece) const
    {
        return reinterpret_cast<double*>(m_memory.scratchpad + m_partial)
               + 2 * piece * m_pieces.layout().block;
    }
    [[nodiscard]] std::int64_t groupOf(const ChannelPiece& piece) const
    {
        return m_coefficients.groupOf(piece.image);
    }
    [[nodiscard]] std::int64_t firstChannel(const ChannelPiece& piece) const
    {
        return piece.block * m_pieces.layout().block;
    }
    [[nodiscard]] NormalizationLine line(const ChannelPiece& piece) const
    {
        return m_coefficients.line(groupOf(piece), firstChannel(piece));
    }
    [[nodiscard]] const std::byte* src(const ChannelPiece& piece) const
    {
        return m_source.src(m_memory) + srcBytes(piece);
    }
    /// Where the piece begins in src and its gradient, and in dst and its gradient.
    [[nodiscard]] std::int64_t srcBytes(const ChannelPiece& piece) const
    {
        return m_places.of(piece) * bytesOf(m_pieces.layout().element);
    }
    [[nodiscard]] std::int64_t dstBytes(const ChannelPiece& piece) const
    {
        return m_dstPlaces.of(piece) * bytesOf(m_pieces.layout().element);
    }
    [[nodiscard]] NormalizationTensors tensors(const ChannelPiece& piece) const
    {
        return {
            src(piece), m_memory.diffDst + dstBytes(piece),
            m_memory.diffSrc() != nullptr ? m_source.diffSrc(m_memory) + srcBytes(piece) : nullptr};
    }
    [[nodiscard]] std::span<double> syncSums() const
    {
        return m_coefficients.isSynchronised() ? m_coefficients.allSums() : std::span<double>();
    }

    Normalization m_spec;
    ChannelSource m_source;
    ChannelPieces m_pieces;
    PiecePlaces m_places; ///< in src
    PiecePlaces m_dstPlaces;
    NormalizationCoefficients m_coefficients;
    bool m_trains = false;
    int m_threads = 1;
    std::int64_t m_channels = 0; ///< without those that only fill up a block
    std::size_t m_partial = 0;   ///< in the scratchpad: sums of each piece
};

} // namespace

std::unique_ptr<Op> makeOp(const Normalization& normalization)
{
    return std::make_unique<NormalizationOp>(normalization);
}

} // namespace lockstep::cpu
