// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/wide_convolution.h"

#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// Floats of a block of 16 x 16 channels at one cell of the filter.
constexpr std::int64_t kBlock = kTileChannels * kTileChannels;

} // namespace

bool WideConvolution::suits(const TiledWork& work)
{
    const Conv2d& conv = work.conv;
    const Extent& kernel = conv.kernel;
    // The spectra of the filters cost as much as the sums over some hundred cells.
    constexpr std::int64_t kFewestCells = 256;
    constexpr std::int64_t kSmallestFilter = 121;
    return !conv.hasBias && conv.groups == 1 && conv.padding == Padding::Same
           && conv.stride == Extent{1, 1} && std::max(kernel.height, kernel.width) <= kTile / 2
           && kernel.height * kernel.width >= kSmallestFilter
           && work.src.shape.channels % kTileChannels == 0
           && work.dst.shape.channels % kTileChannels == 0 && canTakeTiles(work.src.layout)
           && canTakeTiles(work.dst.layout)
           && work.dst.layout.images * work.dst.layout.positions >= kFewestCells;
}

WideConvolution::WideConvolution(const TiledWork& work)
    : m_work(work), m_cells(kTile - std::max(work.conv.kernel.height, work.conv.kernel.width) + 1),
      m_grid(m_cells, work.dst)
{
    const Desc filter = filterDesc(work.conv, work.src.shape.channels, Element::Float32);
    const Desc blocks(filter.dims(), filter.data_type(), Tag::OIhw16i16o);
    m_toBlocks.emplace(filter, blocks);
    m_toSrcBlocks.emplace(filter, Desc(filter.dims(), filter.data_type(), Tag::OIhw16o16i));
    m_fromBlocks.emplace(blocks, filter);
    m_filters = addPart(m_scratchBytes, blocks.get_size());
    const auto floatBytes = [](std::int64_t floats) {
        return static_cast<std::size_t>(floats) * sizeof(float);
    };
    const std::int64_t ofSource = m_work.src.groups() * tiles() * kSpectrumFloats;
    m_sources = addPart(m_scratchBytes, floatBytes(ofSource));
    m_privateFloats = ofSource + (tiles() + kFilters) * kSpectrumFloats;
    m_private = addPart(m_scratchBytes, floatBytes(work.threads * m_privateFloats));
}

/// A filter of the reordered ones: 16 channels side by side.
TileCells WideConvolution::filterCells(float* filter) const
{
    TileCells cells;
    cells.start = reinterpret_cast<std::byte*>(filter);
    cells.endRow = m_work.conv.kernel.height;
    cells.endColumn = m_work.conv.kernel.width;
    cells.cellStride = kBlock;
    cells.rowStride = m_work.conv.kernel.width * kBlock;
    return cells;
}

/// Spectra of the parts of all tiles, which begin `before` cells before those of dst.
void WideConvolution::mapSpectra(
    const TiledMap& map, std::int64_t group, const TilePart& part, const Extent& before,
    const std::byte* tensor, float* to) const
{
    for (std::int64_t tile = 0; tile < tiles(); ++tile) {
        TilePlace place = m_grid.place(tile);
        place.row -= before.height;
        place.column -= before.width;
        toSpectrum(
            cellsAt(map, group, place, part, tensor), to + tile * kFrequencyFloats,
            tiles() * kFrequencyFloats);
    }
}

void WideConvolution::sourceSpectra(const std::byte* src)
{
    const Extent before{m_work.window.before.front(), m_work.window.before.back()};
    forRanges(m_work.threads, m_work.src.groups(), [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t group = first; group < end; ++group) {
            mapSpectra(
                m_work.src, group, TilePart::square(kTile), before, src, sourceSpectrum(group));
        }
    });
}

/// Calls body(first private float of the thread, group) for all groups of dst channels.
template<class Body>
void WideConvolution::forEachGroup(Body body) const
{
    const std::int64_t threads = m_work.threads;
    forRanges(m_work.threads, threads, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t thread = first; thread < end; ++thread) {
            for (std::int64_t group = m_work.dst.groups() * thread / threads;
                 group < m_work.dst.groups() * (thread + 1) / threads; ++group) {
                body(privateOf(thread), group);
            }
        }
    });
}

float* WideConvolution::filterAt(
    std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel) const
{
    const std::int64_t cells = m_work.conv.kernel.height * m_work.conv.kernel.width;
    return floats(m_filters) + (dstGroup * m_work.src.groups() + srcGroup) * cells * kBlock
           + channel * kTileChannels;
}

/// Spectra of the filters of four channels from `channel` on.
void WideConvolution::filterSpectra(
    std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel, float* to) const
{
    for (std::int64_t j = 0; j < kFilters; ++j) {
        toSpectrum(
            filterCells(filterAt(dstGroup, srcGroup, channel + j)), to + j * kSpectrumFloats,
            kFrequencyFloats);
    }
}

/// Spectrum of dst = the sum over src channels of src * conj(filter).
void WideConvolution::forward(
    const std::byte* src, const float* weights, const float* /*bias*/, std::byte* dst)
{
    m_toBlocks->run(weights, floats(m_filters));
    sourceSpectra(src);
    forEachGroup([&](float* own, std::int64_t group) {
        float* sums = own + kFilters * kSpectrumFloats;
        std::fill_n(sums, tiles() * kSpectrumFloats, 0.0F);
        for (std::int64_t from = 0; from < m_work.src.groups(); ++from) {
            for (std::int64_t c = 0; c < kTileChannels; c += kFilters) {
                filterSpectra(group, from, c, own);
                addProducts({tiles(), true}, sourceSpectrum(from) + c, own, sums);
            }
        }
        for (std::int64_t tile = 0; tile < tiles(); ++tile) {
            fromSpectrum(
                sums + tile * kFrequencyFloats, tiles() * kFrequencyFloats,
                cellsAt(m_work.dst, group, m_grid.place(tile), TilePart::square(m_cells), dst));
        }
    });
    if (m_work.isRelu) {
        const ChannelLayout& layout = m_work.dst.layout;
        reluForward(
            layout.element, dst, layout.images * layout.positions * layout.blocks * layout.block);
    }
}

/// Spectrum of diffSrc = the sum over dst channels of diffDst * filter. A tile of diffDst begins
/// where the first cell of diffSrc meets the last row and column of the filter.
void WideConvolution::backwardData(
    const std::byte* diffDst, const float* weights, std::byte* diffSrc)
{
    m_toSrcBlocks->run(weights, floats(m_filters));
    const Extent last{m_work.conv.kernel.height - 1, m_work.conv.kernel.width - 1};
    const Extent before{
        last.height - m_work.window.before.front(), last.width - m_work.window.before.back()};
    const std::int64_t ofSource = m_work.src.groups() * tiles() * kSpectrumFloats;
    for (std::int64_t thread = 0; thread < m_work.threads; ++thread) {
        std::fill_n(privateOf(thread), ofSource, 0.0F);
    }
    forEachGroup([&](float* own, std::int64_t group) {
        float* filters = own + ofSource;
        float* spectra = filters + kFilters * kSpectrumFloats;
        mapSpectra(m_work.dst, group, TilePart::square(kTile), before, diffDst, spectra);
        for (std::int64_t to = 0; to < m_work.src.groups(); ++to) {
            for (std::int64_t c = 0; c < kTileChannels; c += kFilters) {
                filterSpectra(group, to, c, filters);
                addProducts(
                    {tiles(), false}, spectra + c, filters, own + to * tiles() * kSpectrumFloats);
            }
        }
    });
    const TilePart made{last.height, last.height + m_cells, last.width, last.width + m_cells};
    forRanges(
        m_work.threads, m_work.src.groups() * tiles(), [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                const std::int64_t tile = i % tiles();
                float* sum = privateOf(0) + i / tiles() * tiles() * kSpectrumFloats
                             + tile * kFrequencyFloats;
                addThreads(sum);
                TilePlace place = m_grid.place(tile);
                place.row -= last.height;
                place.column -= last.width;
                fromSpectrum(
                    sum, tiles() * kFrequencyFloats,
                    cellsAt(m_work.src, i / tiles(), place, made, diffSrc));
            }
        });
}

/// One tile's sums of the other threads onto those of the first, in their order.
void WideConvolution::addThreads(float* sum) const
{
    for (std::int64_t thread = 1; thread < m_work.threads; ++thread) {
        const float* other = sum + thread * m_privateFloats;
        for (std::int64_t f = 0; f < kFrequencies; ++f) {
            const std::int64_t at = f * tiles() * kFrequencyFloats;
            for (std::int64_t i = at; i < at + kFrequencyFloats; ++i) {
                sum[i] += other[i];
            }
        }
    }
}

/// Spectrum of a filter's gradient = the sum over the tiles of src * conj(diffDst), of diffDst the
/// cells that the tile makes.
void WideConvolution::backwardWeights(
    const std::byte* src, const std::byte* diffDst, float* diffWeights, float* /*diffBias*/)
{
    sourceSpectra(src);
    forEachGroup([&](float* own, std::int64_t group) {
        float* spectra = own + kFilters * kSpectrumFloats;
        mapSpectra(m_work.dst, group, TilePart::square(m_cells), {0, 0}, diffDst, spectra);
        for (std::int64_t from = 0; from < m_work.src.groups(); ++from) {
            for (std::int64_t c = 0; c < kTileChannels; c += kFilters) {
                correlateTiles(tiles(), sourceSpectrum(from) + c, spectra, own);
                for (std::int64_t j = 0; j < kFilters; ++j) {
                    fromSpectrum(
                        own + j * kSpectrumFloats, kFrequencyFloats,
                        filterCells(filterAt(group, from, c + j)));
                }
            }
        }
    });
    m_fromBlocks->run(floats(m_filters), diffWeights);
}

} // namespace lockstep::cpu
