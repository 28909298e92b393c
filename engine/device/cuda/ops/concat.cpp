// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/kernels/concat_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/join_text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::cuda {
namespace {

/// One copy for each source that is not there already, straight into its channels of dst, and back.
class ConcatOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        const DataType type = layoutOf(plan.src()).type;
        plan.dst = tensorPlan(plan.examples, plan.dstShape, type);
        const std::size_t bytes = bytesOf(type);
        m_dstStride = static_cast<std::size_t>(plan.dstShape.channels) * bytes;
        m_positions = plan.examples * plan.dstShape.height * plan.dstShape.width;
        std::size_t offset = 0;
        for (std::size_t i = 0; i < plan.srcs.size(); ++i) {
            const CudaLayout& layout = layoutOf(plan.srcs[i]);
            require(
                layout.type == type && layout.channels == plan.srcs[i].shape.channels,
                "joining padded channels, or values of several types");
            const std::size_t piece = static_cast<std::size_t>(layout.channels) * bytes;
            m_pieces.push_back({offset, piece, false, plan.isTraining && plan.needsDiffSrcs[i]});
            offset += piece;
        }
    }

    [[nodiscard]] bool joinsChannels() const override { return true; }
    void takeInPlace(std::size_t source) override { m_pieces[source].isInPlace = true; }

    void forward(const StepContext& context) override
    {
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            const auto& [offset, bytes, isInPlace, hasDiff] = m_pieces[i];
            if (!isInPlace) {
                copyPieces(
                    streamOf(context), {m_positions, bytes, bytes, m_dstStride}, m_memory.srcs[i],
                    m_memory.dst + offset);
            }
        }
    }

    void backward(const StepContext& context) override
    {
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            const auto& [offset, bytes, isInPlace, hasDiff] = m_pieces[i];
            if (hasDiff && !isInPlace) {
                copyPieces(
                    streamOf(context), {m_positions, bytes, m_dstStride, bytes},
                    m_memory.diffDst + offset, m_memory.diffSrcs[i]);
            }
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        const auto inPlace = std::ranges::count(m_pieces, true, &Piece::isInPlace);
        return joinText("own kernel", static_cast<std::size_t>(inPlace), m_pieces.size());
    }

private:
    /// The part of a position that is one source's.
    struct Piece
    {
        std::size_t offset = 0;
        std::size_t bytes = 0;
        bool isInPlace = false;
        bool hasDiff = false;
    };

    std::vector<Piece> m_pieces;
    std::size_t m_dstStride = 0;
    std::int64_t m_positions = 0;
};

} // namespace

std::unique_ptr<Op> makeOp(const Concat& /*concat*/, CudaContext& /*context*/)
{
    return std::make_unique<ConcatOp>();
}

} // namespace lockstep::cuda
