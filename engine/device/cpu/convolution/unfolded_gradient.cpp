// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/unfolded_gradient.h"

#include "device/cpu/kernels/vector_kernels.h"

#include <algorithm>
#include <cstring>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

constexpr std::int64_t kElement = bytesOf(Element::Bfloat16);
/// Of unfolded source in one piece: half of a usual second-level cache.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20U;

} // namespace

UnfoldedGradient::UnfoldedGradient(const Work& work) : m_work(work)
{
    const Conv2d& conv = work.conv;
    m_rowsBefore =
        paddingCells(conv.padding, work.src.height, conv.kernel.height, conv.stride.height).before;
    m_columnsBefore =
        paddingCells(conv.padding, work.src.width, conv.kernel.width, conv.stride.width).before;
    m_windowValues = conv.kernel.height * conv.kernel.width * work.src.channels;
    const std::int64_t lineBytes = work.dst.width * m_windowValues * kElement;
    const std::int64_t lines = work.examples * work.dst.height;
    m_whole = makeProduct(std::clamp<std::int64_t>(kPieceBytes / lineBytes, 1, lines));
    std::size_t temporary = m_whole.desc.scratchpad_desc().get_size();
    if (const std::int64_t left = lines % m_whole.lines; left > 0) {
        m_rest = makeProduct(left);
        temporary = std::max(temporary, m_rest->desc.scratchpad_desc().get_size());
    }
    const dnnl::memory::dims filter{
        conv.channels, work.src.channels, conv.kernel.height, conv.kernel.width};
    m_toArena.emplace(Desc(filter, Type::f32, Tag::ohwi), Desc(filter, Type::f32, Tag::oihw));
    m_unfolded = addPart(m_scratchBytes, static_cast<std::size_t>(m_whole.lines * lineBytes));
    m_sum = addPart(
        m_scratchBytes, static_cast<std::size_t>(conv.channels * m_windowValues) * sizeof(float));
    m_temporary = addPart(m_scratchBytes, temporary);
}

UnfoldedGradient::Product UnfoldedGradient::makeProduct(std::int64_t lines) const
{
    const std::int64_t positions = lines * m_work.dst.width;
    const std::int64_t channels = m_work.conv.channels;
    Product product;
    product.lines = lines;
    product.desc = productAddedTo(
        Desc({channels, positions}, Type::bf16, Tag::ba),
        Desc({positions, m_windowValues}, Type::bf16, Tag::ab),
        Desc({channels, m_windowValues}, Type::f32, Tag::ab));
    return product;
}

void UnfoldedGradient::bind(std::byte* scratch)
{
    m_scratch = scratch;
    const auto bindProduct = [&](Product& product) {
        product.call = {
            dnnl::matmul(product.desc),
            {{DNNL_ARG_SRC, memoryAt(product.desc.src_desc())},
             {DNNL_ARG_WEIGHTS, memoryAt(product.desc.weights_desc(), scratch + m_unfolded)},
             {DNNL_ARG_DST, memoryAt(product.desc.dst_desc(), scratch + m_sum)},
             {DNNL_ARG_SCRATCHPAD,
              memoryAt(product.desc.scratchpad_desc(), scratch + m_temporary)}}};
    };
    bindProduct(m_whole);
    if (m_rest) {
        bindProduct(*m_rest);
    }
}

void UnfoldedGradient::run(
    const std::byte* src, const std::byte* diffDst, float* diffWeights, float* diffBias)
{
    const std::int64_t channels = m_work.conv.channels;
    std::memset(
        m_scratch + m_sum, 0, static_cast<std::size_t>(channels * m_windowValues) * sizeof(float));
    const std::int64_t lines = m_work.examples * m_work.dst.height;
    for (std::int64_t line = 0; line < lines; line += m_whole.lines) {
        Product& product = line + m_whole.lines <= lines ? m_whole : *m_rest;
        const std::byte* piece = diffDst + line * m_work.dst.width * channels * kElement;
        product.call.set(DNNL_ARG_SRC, piece);
        runPiece(product, line, src);
    }
    m_toArena->run(m_scratch + m_sum, diffWeights);
    if (diffBias != nullptr) {
        sumColumns(diffDst, lines * m_work.dst.width, channels, diffBias);
    }
}

void UnfoldedGradient::runPiece(Product& product, std::int64_t firstLine, const std::byte* src)
{
    const std::int64_t lineBytes = m_work.dst.width * m_windowValues * kElement;
    for (std::int64_t i = 0; i < product.lines; ++i) {
        unfoldLine(firstLine + i, src, m_scratch + m_unfolded + i * lineBytes);
    }
    product.call.run();
}

/// All windows of one row of dst. The cells of a row of the window lie side by side in the source.
void UnfoldedGradient::unfoldLine(std::int64_t line, const std::byte* src, std::byte* to) const
{
    const Conv2d& conv = m_work.conv;
    const std::int64_t cell = m_work.src.channels * kElement;
    const std::int64_t row = conv.kernel.width * cell;
    const std::int64_t top = line % m_work.dst.height * conv.stride.height - m_rowsBefore;
    const std::byte* image =
        src + line / m_work.dst.height * m_work.src.height * m_work.src.width * cell;
    for (std::int64_t x = 0; x < m_work.dst.width; ++x) {
        const std::int64_t left = x * conv.stride.width - m_columnsBefore;
        const std::int64_t begin = std::clamp<std::int64_t>(-left, 0, conv.kernel.width);
        const std::int64_t end =
            std::clamp<std::int64_t>(m_work.src.width - left, begin, conv.kernel.width);
        for (std::int64_t ky = 0; ky < conv.kernel.height; ++ky, to += row) {
            const std::int64_t y = top + ky;
            if (y < 0 || y >= m_work.src.height) {
                std::memset(to, 0, static_cast<std::size_t>(row));
                continue;
            }
            std::memset(to, 0, static_cast<std::size_t>(begin * cell));
            std::memcpy(
                to + begin * cell, image + (y * m_work.src.width + left + begin) * cell,
                static_cast<std::size_t>((end - begin) * cell));
            std::memset(
                to + end * cell, 0, static_cast<std::size_t>((conv.kernel.width - end) * cell));
        }
    }
}

} // namespace lockstep::cpu
