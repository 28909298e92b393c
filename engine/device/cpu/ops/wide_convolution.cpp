// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/ops/wide_convolution.h"

#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// Floats of a block of 16 x 16 channels at one cell of the filter.
constexpr std::int64_t kBlock = kSpectrumLanes * kSpectrumLanes;

} // namespace

bool WideConvolution::suits(
    const Conv2d& conv, const Shape& src, const Shape& dst, std::int64_t examples)
{
    const Extent& kernel = conv.kernel;
    // The spectra of the filters cost as much as the sums over some hundred cells.
    constexpr std::int64_t kFewestCells = 256;
    constexpr std::int64_t kSmallestFilter = 121;
    return !conv.hasBias && conv.groups == 1 && conv.padding == Padding::Same
           && conv.stride == Extent{1, 1} && std::max(kernel.height, kernel.width) <= kTile / 2
           && kernel.height * kernel.width >= kSmallestFilter && src.channels % kSpectrumLanes == 0
           && dst.channels % kSpectrumLanes == 0
           && examples * dst.height * dst.width >= kFewestCells;
}

WideConvolution::WideConvolution(const Work& work)
    : m_work(work), m_cells(kTile - std::max(work.conv.kernel.height, work.conv.kernel.width) + 1),
      m_tileRows((work.dstShape.height + m_cells - 1) / m_cells),
      m_tileColumns((work.dstShape.width + m_cells - 1) / m_cells)
{
    const Desc filter = filterDesc(work.conv, work.srcShape.channels, Element::Float32);
    const Desc blocks(filter.dims(), filter.data_type(), Tag::OIhw16i16o);
    m_toBlocks.emplace(filter, blocks);
    m_toSrcBlocks.emplace(filter, Desc(filter.dims(), filter.data_type(), Tag::OIhw16o16i));
    m_fromBlocks.emplace(blocks, filter);
    m_filters = addPart(m_scratchBytes, blocks.get_size());
    const auto floatBytes = [](std::int64_t floats) {
        return static_cast<std::size_t>(floats) * sizeof(float);
    };
    const std::int64_t ofSource = srcGroups() * tiles() * kSpectrumFloats;
    m_sources = addPart(m_scratchBytes, floatBytes(ofSource));
    m_privateFloats = ofSource + (tiles() + kFilters) * kSpectrumFloats;
    m_private = addPart(m_scratchBytes, floatBytes(work.threads * m_privateFloats));
}

WideConvolution::Place WideConvolution::dstPlace(std::int64_t tile) const
{
    const std::int64_t perImage = m_tileRows * m_tileColumns;
    return {
        tile / perImage, tile % perImage / m_tileColumns * m_cells, tile % m_tileColumns * m_cells};
}

/// The cells of the part that lie inside the map.
TileCells WideConvolution::cells(
    const Map& map, std::int64_t group, const Place& place, const Part& part,
    const std::byte* tensor)
{
    const ChannelLayout& layout = map.layout;
    TileCells cells;
    cells.element = layout.element;
    cells.firstRow = std::max(part.firstRow, -place.row);
    cells.endRow = std::max(cells.firstRow, std::min(part.endRow, map.shape.height - place.row));
    cells.firstColumn = std::max(part.firstColumn, -place.column);
    cells.endColumn =
        std::max(cells.firstColumn, std::min(part.endColumn, map.shape.width - place.column));
    cells.cellStride = layout.block;
    cells.rowStride = map.shape.width * layout.block;
    const std::int64_t channel = group * kSpectrumLanes;
    const std::int64_t plane = place.image * layout.blocks + channel / layout.block;
    const std::int64_t position =
        (place.row + cells.firstRow) * map.shape.width + place.column + cells.firstColumn;
    const std::int64_t value =
        (plane * layout.positions + position) * layout.block + channel % layout.block;
    cells.start = const_cast<std::byte*>(tensor) + value * bytesOf(layout.element);
    return cells;
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
    const Map& map, std::int64_t group, const Part& part, const Extent& before,
    const std::byte* tensor, float* to) const
{
    for (std::int64_t tile = 0; tile < tiles(); ++tile) {
        Place place = dstPlace(tile);
        place.row -= before.height;
        place.column -= before.width;
        toSpectrum(
            cells(map, group, place, part, tensor), to + tile * kFrequencyFloats,
            tiles() * kFrequencyFloats);
    }
}

void WideConvolution::sourceSpectra(const std::byte* src)
{
    const Extent before{m_work.window.before.front(), m_work.window.before.back()};
    forRanges(m_work.threads, srcGroups(), [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t group = first; group < end; ++group) {
            mapSpectra(srcMap(), group, {}, before, src, sourceSpectrum(group));
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
            for (std::int64_t group = dstGroups() * thread / threads;
                 group < dstGroups() * (thread + 1) / threads; ++group) {
                body(privateOf(thread), group);
            }
        }
    });
}

float* WideConvolution::filterAt(
    std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel) const
{
    const std::int64_t cells = m_work.conv.kernel.height * m_work.conv.kernel.width;
    return floats(m_filters) + (dstGroup * srcGroups() + srcGroup) * cells * kBlock
           + channel * kSpectrumLanes;
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
void WideConvolution::forward(const std::byte* src, const float* weights, std::byte* dst)
{
    m_toBlocks->run(weights, floats(m_filters));
    sourceSpectra(src);
    forEachGroup([&](float* own, std::int64_t group) {
        float* sums = own + kFilters * kSpectrumFloats;
        std::fill_n(sums, tiles() * kSpectrumFloats, 0.0F);
        for (std::int64_t from = 0; from < srcGroups(); ++from) {
            for (std::int64_t c = 0; c < kSpectrumLanes; c += kFilters) {
                filterSpectra(group, from, c, own);
                addProducts({tiles(), true}, sourceSpectrum(from) + c, own, sums);
            }
        }
        for (std::int64_t tile = 0; tile < tiles(); ++tile) {
            fromSpectrum(
                sums + tile * kFrequencyFloats, tiles() * kFrequencyFloats,
                cells(dstMap(), group, dstPlace(tile), {0, m_cells, 0, m_cells}, dst));
        }
    });
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
    const std::int64_t ofSource = srcGroups() * tiles() * kSpectrumFloats;
    for (std::int64_t thread = 0; thread < m_work.threads; ++thread) {
        std::fill_n(privateOf(thread), ofSource, 0.0F);
    }
    forEachGroup([&](float* own, std::int64_t group) {
        float* filters = own + ofSource;
        float* spectra = filters + kFilters * kSpectrumFloats;
        mapSpectra(dstMap(), group, {}, before, diffDst, spectra);
        for (std::int64_t to = 0; to < srcGroups(); ++to) {
            for (std::int64_t c = 0; c < kSpectrumLanes; c += kFilters) {
                filterSpectra(group, to, c, filters);
                addProducts(
                    {tiles(), false}, spectra + c, filters, own + to * tiles() * kSpectrumFloats);
            }
        }
    });
    const Part made{last.height, last.height + m_cells, last.width, last.width + m_cells};
    forRanges(m_work.threads, srcGroups() * tiles(), [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t i = first; i < end; ++i) {
            const std::int64_t tile = i % tiles();
            float* sum =
                privateOf(0) + i / tiles() * tiles() * kSpectrumFloats + tile * kFrequencyFloats;
            addThreads(sum);
            Place place = dstPlace(tile);
            place.row -= last.height;
            place.column -= last.width;
            fromSpectrum(
                sum, tiles() * kFrequencyFloats,
                cells(srcMap(), i / tiles(), place, made, diffSrc));
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
    const std::byte* src, const std::byte* diffDst, float* diffWeights)
{
    sourceSpectra(src);
    forEachGroup([&](float* own, std::int64_t group) {
        float* spectra = own + kFilters * kSpectrumFloats;
        mapSpectra(dstMap(), group, {0, m_cells, 0, m_cells}, {0, 0}, diffDst, spectra);
        for (std::int64_t from = 0; from < srcGroups(); ++from) {
            for (std::int64_t c = 0; c < kSpectrumLanes; c += kFilters) {
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
