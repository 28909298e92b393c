// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/normalization_kernel.h"
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/channel_pieces.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>
#include <optional>

namespace lockstep::cpu {
namespace {

/// The passes of a normalisation whose scale is the second source and whose shift is 0, each image
/// by itself.
class ScaleOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        m_source.plan(plan, ChannelSource::Order::Any);
        plan.dst = m_source.tensor();
        m_pieces = ChannelPieces(*channelLayout(plan.dst));
        m_places = PiecePlaces(m_pieces.layout());
        m_channels = plan.dstShape.channels;
        m_images = plan.examples;
        m_threads = plan.threads;
        const TensorPlan& factors = plan.srcs[1];
        const Desc plain = imageDesc(
            plan.examples, factors.shape, Element::Float32, dnnl::memory::format_tag::nhwc);
        m_toFactors.emplace(imageLayoutOf(factors), plain);
        if (plan.isTraining && plan.needsDiffSrcs[1]) {
            m_fromDiff.emplace(plain, imageLayoutOf(factors));
        }
        const auto all = static_cast<std::size_t>(m_images * m_pieces.channels());
        m_factors = addPart(plan.workspaceBytes, all * sizeof(float));
        m_zeros = addPart(plan.workspaceBytes, all * sizeof(float));
        m_plain = addPart(plan.scratchpadBytes, plain.get_size());
        m_partial = addPart(
            plan.scratchpadBytes,
            static_cast<std::size_t>(2 * m_pieces.count() * m_pieces.layout().block)
                * sizeof(double));
    }

    void forward(const StepContext& /*context*/) override
    {
        m_source.take(m_memory);
        m_toFactors->run(m_memory.srcs[1], plainFactors());
        // What only fills up a block of channels stays 0.
        std::fill_n(floats(m_factors), m_images * m_pieces.channels(), 0.0F);
        std::fill_n(floats(m_zeros), m_images * m_pieces.channels(), 0.0F);
        for (std::int64_t image = 0; image < m_images; ++image) {
            std::copy_n(
                plainFactors() + image * m_channels, m_channels,
                floats(m_factors) + image * m_pieces.channels());
        }
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece, std::int64_t /*i*/) {
            const std::int64_t at = bytesAt(piece);
            normalize(cells, line(piece), m_source.src(m_memory) + at, m_memory.dst + at);
        });
    }

    void backward(const StepContext& /*context*/) override
    {
        if (m_memory.diffSrcs[1] != nullptr) {
            makeFactorGradients();
        }
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece, std::int64_t /*i*/) {
            const NormalizationLine factors = line(piece);
            normalizeBackward(
                cells, {factors, factors.scale, factors.shift, factors.shift}, tensors(piece));
        });
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override { return "own vector kernel"; }

private:
    /// Calls pass(cells, piece, its number) for all pieces, on all threads.
    template<class Pass>
    void forEachPiece(Pass pass) const
    {
        const ChannelLayout& layout = m_pieces.layout();
        forRanges(m_threads, m_pieces.count(), [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                const ChannelPiece piece = m_pieces.at(i);
                pass({layout.element, piece.positions, layout.block, layout.block}, piece, i);
            }
        });
    }

    /// The sums over the cells of gradient times src, piece by piece.
    void makeFactorGradients()
    {
        const std::int64_t block = m_pieces.layout().block;
        auto* const partial = reinterpret_cast<double*>(m_memory.scratchpad + m_partial);
        forEachPiece([&](const CellBlock& cells, const ChannelPiece& piece, std::int64_t i) {
            sumGradients(cells, line(piece), tensors(piece), partial + 2 * i * block);
        });
        float* const diffs = plainFactors();
        std::fill_n(diffs, m_images * m_channels, 0.0F);
        for (std::int64_t i = 0; i < m_pieces.count(); ++i) {
            const ChannelPiece piece = m_pieces.at(i);
            const std::int64_t first = piece.block * block;
            for (std::int64_t c = 0; c < std::min(block, m_channels - first); ++c) {
                diffs[piece.image * m_channels + first + c] +=
                    static_cast<float>(partial[(2 * i + 1) * block + c]);
            }
        }
        m_fromDiff->run(diffs, m_memory.diffSrcs[1]);
    }

    [[nodiscard]] NormalizationLine line(const ChannelPiece& piece) const
    {
        const std::int64_t at =
            piece.image * m_pieces.channels() + piece.block * m_pieces.layout().block;
        return {floats(m_factors) + at, floats(m_zeros) + at, false};
    }
    [[nodiscard]] NormalizationTensors tensors(const ChannelPiece& piece) const
    {
        const std::int64_t at = bytesAt(piece);
        return {
            m_source.src(m_memory) + at, m_memory.diffDst + at,
            m_memory.diffSrc() != nullptr ? m_source.diffSrc(m_memory) + at : nullptr};
    }
    [[nodiscard]] std::int64_t bytesAt(const ChannelPiece& piece) const
    {
        return m_places.of(piece) * bytesOf(m_pieces.layout().element);
    }
    [[nodiscard]] float* floats(std::size_t array) const
    {
        return reinterpret_cast<float*>(m_memory.workspace + array);
    }
    [[nodiscard]] float* plainFactors() const
    {
        return reinterpret_cast<float*>(m_memory.scratchpad + m_plain);
    }

    ChannelSource m_source;
    ChannelPieces m_pieces;
    PiecePlaces m_places;
    std::optional<Reorder> m_toFactors;
    std::optional<Reorder> m_fromDiff;
    std::int64_t m_channels = 0; ///< without those that only fill up a block
    std::int64_t m_images = 0;
    int m_threads = 1;
    // In the workspace, by image and channel.
    std::size_t m_factors = 0;
    std::size_t m_zeros = 0;
    // In the scratchpad.
    std::size_t m_plain = 0;   ///< the second source, or its gradient, in float32
    std::size_t m_partial = 0; ///< sums of each piece
};

} // namespace

std::unique_ptr<Op> makeOp(const Scale& /*scale*/)
{
    return std::make_unique<ScaleOp>();
}

} // namespace lockstep::cpu
