// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/minimal_convolution.h"

#include "device/cpu/runtime/parallel_ranges.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace lockstep::cpu {
namespace {

/// Blocks of tiles are this large at most, so that a second-level cache holds most of one, and no
/// smaller than it takes to multiply the filters' values faster than they are read.
constexpr std::size_t kBlockBytes = std::size_t{640} << 10U;
constexpr std::int64_t kFewestTiles = 48;
/// Groups of 16 channels that are summed up at once, likewise.
constexpr std::int64_t kMostGroups = 4;

constexpr std::size_t floatBytes(std::int64_t floats)
{
    return static_cast<std::size_t>(floats) * sizeof(float);
}

/// Tiles of a block with so many groups of channels, of which there are `tiles`.
std::int64_t tilesOfBlock(PointSet set, std::int64_t groups, std::int64_t tiles)
{
    const std::size_t fitting = kBlockBytes / floatBytes(pointsIn(set) * groups * kTileChannels);
    return std::clamp<std::int64_t>(
        static_cast<std::int64_t>(fitting), kFewestTiles, std::max(tiles, kFewestTiles));
}

/// What work takes in multiply-adds of sums, as measured with AVX2: a product takes as long as its
/// depth and some more, and each value at a point as some of them.
double costOf(const TiledWork& work, PointSet set)
{
    constexpr double kOfProduct = 15.0;
    constexpr double kToPoints = 13.0;
    constexpr double kToCells = 7.0;
    const auto from = static_cast<double>(work.src.shape.channels);
    const auto read =
        static_cast<double>((work.src.shape.channels + kTileHalf - 1) / kTileHalf * kTileHalf);
    const auto to = static_cast<double>(work.dst.groups() * kTileChannels);
    const TileGrid grid(static_cast<std::int64_t>(set) + 1 - work.conv.kernel.height, work.dst);
    const double ofTile = to * (from + kOfProduct) + kToPoints * read + kToCells * to;
    const double ofFilters = kToCells * from * to;
    return static_cast<double>(pointsIn(set))
           * (static_cast<double>(grid.tiles()) * ofTile + ofFilters);
}

double costOfSums(const TiledWork& work)
{
    return static_cast<double>(
        work.dst.layout.images * work.dst.layout.positions * work.conv.kernel.height
        * work.conv.kernel.width * work.src.shape.channels * work.dst.shape.channels);
}

constexpr std::int64_t kLargestFilter = 7;

/// Filters of 16 channels, side by side.
struct FilterTile
{
    explicit FilterTile(std::int64_t size_) : size(size_) {}

    TileCells cells()
    {
        TileCells all;
        all.start = reinterpret_cast<std::byte*>(values.data());
        all.cellStride = kTileChannels;
        all.rowStride = size * kTileChannels;
        all.endRow = size;
        all.endColumn = size;
        return all;
    }

    std::int64_t size;
    std::array<float, kLargestFilter * kLargestFilter * kTileChannels> values{};
};

} // namespace

bool MinimalConvolution::suits(const TiledWork& work, PointSet set)
{
    const Extent& kernel = work.conv.kernel;
    // The values of the filters at the points are many times the filters.
    constexpr std::size_t kMostFilterBytes = std::size_t{64} << 20U;
    return work.conv.groups == 1 && work.conv.stride == Extent{1, 1}
           && kernel.height == kernel.width && kernel.height >= 3
           && kernel.height < static_cast<std::int64_t>(set) && canTakeTiles(work.src.layout)
           && canTakeTiles(work.dst.layout)
           && floatBytes(
                  pointsIn(set) * work.src.groups() * work.dst.groups() * kTileChannels
                  * kTileChannels)
                  <= kMostFilterBytes;
}

std::optional<PointSet> MinimalConvolution::bestPoints(const TiledWork& work, double sumsTimes)
{
    // Sums lose fewer digits.
    constexpr double kWorthIt = 0.85;
    double least = kWorthIt * sumsTimes * costOfSums(work);
    std::optional<PointSet> best;
    for (const PointSet set : {PointSet::Six, PointSet::Eight}) {
        if (suits(work, set) && costOf(work, set) < least) {
            least = costOf(work, set);
            best = set;
        }
    }
    return best;
}

MinimalConvolution::MinimalConvolution(const TiledWork& work, PointSet set)
    : m_work(work), m_set(set), m_points(static_cast<std::int64_t>(set)),
      m_size(work.conv.kernel.height), m_cells(m_points + 1 - m_size)
{
    m_bias = addPart(m_scratchBytes, floatBytes(work.dst.groups() * kTileChannels));
    m_rest = m_scratchBytes;
    const TileGrid grid(m_cells, work.dst);
    m_work.threads = static_cast<int>(
        std::min<std::int64_t>(work.threads, std::max<std::int64_t>(grid.tiles(), 1)));
    m_forward = directionOf(false);
    if (work.isTraining) {
        m_back = directionOf(true);
        planGradient();
    }
}

std::string MinimalConvolution::describe() const
{
    return fmt::format("own minimal filtering F({0} x {0}, {1} x {1})", m_cells, m_size);
}

MinimalConvolution::Values MinimalConvolution::values(
    std::size_t& end, std::int64_t lines, std::int64_t groups) const
{
    Values values{0, lines, groups};
    values.place = addPart(end, floatBytes(pointsIn(m_set) * values.pointStride()));
    return values;
}

MinimalConvolution::Direction MinimalConvolution::directionOf(bool isBack)
{
    const Extent before{m_work.window.before.front(), m_work.window.before.back()};
    Direction direction;
    direction.isBack = isBack;
    direction.from = isBack ? m_work.dst : m_work.src;
    direction.to = isBack ? m_work.src : m_work.dst;
    direction.before =
        isBack ? Extent{m_size - 1 - before.height, m_size - 1 - before.width} : before;
    direction.grid = TileGrid(m_cells, direction.to);
    const std::int64_t groups = direction.from.groups();
    const std::int64_t tiles =
        tilesOfBlock(m_set, groups, (direction.grid.tiles() + m_work.threads - 1) / m_work.threads);
    std::size_t end = m_rest;
    direction.filters = values(end, direction.from.shape.channels, direction.to.groups());
    direction.sources = values(end, tiles, groups);
    direction.sums = values(end, tiles, std::min(direction.to.groups(), kMostGroups));
    direction.threadBytes = end - direction.sources.place;
    end += direction.threadBytes * static_cast<std::size_t>(m_work.threads - 1);
    m_scratchBytes = std::max(m_scratchBytes, end);
    return direction;
}

void MinimalConvolution::planGradient()
{
    // Each block reads and writes all sums.
    constexpr std::int64_t kBlocks = 2;
    const std::int64_t groups = m_work.src.groups();
    const std::int64_t tiles = kBlocks * m_forward.sources.lines;
    std::size_t end = m_rest;
    m_gradient.sums = values(end, m_work.src.shape.channels, m_work.dst.groups());
    m_gradient.sources = values(end, tiles, groups);
    m_gradient.gradients = values(end, tiles, m_work.dst.groups());
    m_gradient.bias = addPart(
        end, static_cast<std::size_t>(m_work.dst.groups() * kTileChannels) * sizeof(double));
    m_gradient.threadBytes = end - m_rest;
    end += m_gradient.threadBytes * static_cast<std::size_t>(m_work.threads - 1);
    m_scratchBytes = std::max(m_scratchBytes, end);
}

PointValues MinimalConvolution::pointsOf(
    const Values& values, std::int64_t group, std::int64_t line) const
{
    return {
        floats(values.place) + group * values.groupStride() + line * kTileChannels,
        values.pointStride()};
}

/// Calls body(place in the arena, place in a FilterTile) for the values of the filters from a
/// channel to a group of others.
template<class Body>
void MinimalConvolution::forFilters(
    const Direction& direction, std::int64_t line, std::int64_t group, Body body) const
{
    const std::int64_t cells = m_size * m_size;
    const std::int64_t first = group * kTileChannels;
    const std::int64_t count = std::min(kTileChannels, direction.to.shape.channels - first);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t filter = direction.isBack
                                        ? line * direction.to.shape.channels + first + i
                                        : (first + i) * direction.from.shape.channels + line;
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            const std::int64_t turned = direction.isBack ? cells - 1 - cell : cell;
            body(
                static_cast<std::size_t>(filter * cells + turned),
                static_cast<std::size_t>(cell * kTileChannels + i));
        }
    }
}

const float* MinimalConvolution::filledUp(const float* bias) const
{
    if (bias == nullptr) {
        return nullptr;
    }
    float* whole = floats(m_bias);
    std::fill_n(whole, m_work.dst.groups() * kTileChannels, 0.0F);
    std::copy_n(bias, m_work.dst.shape.channels, whole);
    return whole;
}

void MinimalConvolution::forward(
    const std::byte* src, const float* weights, const float* bias, std::byte* dst)
{
    convolve(m_forward, weights, {src, dst, {filledUp(bias), m_work.isRelu}});
}

void MinimalConvolution::backwardData(
    const std::byte* diffDst, const float* weights, std::byte* diffSrc)
{
    convolve(m_back, weights, {diffDst, diffSrc, {}});
}

void MinimalConvolution::convolve(
    const Direction& direction, const float* weights, const Tensors& tensors) const
{
    const Values& filters = direction.filters;
    forRanges(
        m_work.threads, filters.groups * filters.lines, [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t i = first; i < end; ++i) {
                FilterTile tile(m_size);
                const std::int64_t group = i / filters.lines;
                const std::int64_t line = i % filters.lines;
                forFilters(direction, line, group, [&](std::size_t from, std::size_t to) {
                    tile.values[to] = weights[from];
                });
                cellPoints({m_set, m_size, true}, tile.cells(), pointsOf(filters, group, line));
            }
        });
    forTiles(
        direction.grid.tiles(), direction.sources.lines,
        [&](std::int64_t thread, std::int64_t first, std::int64_t count) {
            Direction own = direction;
            own.sources.place += static_cast<std::size_t>(thread) * direction.threadBytes;
            own.sums.place += static_cast<std::size_t>(thread) * direction.threadBytes;
            convolveBlock(own, first, count, tensors);
        });
}

/// Calls body(thread, first, count) for blocks of tiles, in order of each thread.
template<class Body>
void MinimalConvolution::forTiles(std::int64_t tiles, std::int64_t block, Body body) const
{
    forRanges(m_work.threads, m_work.threads, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t thread = from; thread < to; ++thread) {
            const std::int64_t end = tiles * (thread + 1) / m_work.threads;
            for (std::int64_t first = tiles * thread / m_work.threads; first < end;
                 first += block) {
                body(thread, first, std::min(block, end - first));
            }
        }
    });
}

void MinimalConvolution::convolveBlock(
    const Direction& direction, std::int64_t first, std::int64_t count,
    const Tensors& tensors) const
{
    const Values& filters = direction.filters;
    const Values& sources = direction.sources;
    const Values& sums = direction.sums;
    for (std::int64_t group = 0; group < sources.groups; ++group) {
        for (std::int64_t i = 0; i < count; ++i) {
            TilePlace place = direction.grid.place(first + i);
            place.row -= direction.before.height;
            place.column -= direction.before.width;
            sourcePoints(
                m_set,
                cellsAt(direction.from, group, place, TilePart::square(m_points), tensors.from),
                pointsOf(sources, group, i));
        }
    }
    PointProduct product{.rows = count, .depth = filters.lines};
    product.leftStride = sources.groupStride();
    product.rightStride = filters.groupStride();
    product.sumsStride = sums.groupStride();
    for (std::int64_t group = 0; group < filters.groups; group += sums.groups) {
        product.groups = std::min(sums.groups, filters.groups - group);
        for (std::int64_t p = 0; p < pointsIn(m_set); ++p) {
            product.left = floats(sources.place) + p * sources.pointStride();
            product.right = pointsOf(filters, group, 0).start + p * filters.pointStride();
            product.sums = floats(sums.place) + p * sums.pointStride();
            multiplyLines(product);
        }
        for (std::int64_t g = 0; g < product.groups; ++g) {
            Finish finish = tensors.finish;
            finish.bias += finish.bias != nullptr ? (group + g) * kTileChannels : 0;
            for (std::int64_t i = 0; i < count; ++i) {
                pointCells(
                    {m_set, m_cells, false}, pointsOf(sums, g, i),
                    cellsAt(
                        direction.to, group + g, direction.grid.place(first + i),
                        TilePart::square(m_cells), tensors.to),
                    finish);
            }
        }
    }
}

/// Over tiles, the products of what sources are at the points with what gradients of dst are there.
void MinimalConvolution::backwardWeights(
    const std::byte* src, const std::byte* diffDst, float* diffWeights, float* diffBias)
{
    const std::int64_t tiles = m_forward.grid.tiles();
    forTiles(
        tiles, m_gradient.sources.lines,
        [&](std::int64_t thread, std::int64_t first, std::int64_t count) {
            Gradient own = m_gradient;
            for (std::size_t* place :
                 {&own.sources.place, &own.gradients.place, &own.sums.place, &own.bias}) {
                *place += static_cast<std::size_t>(thread) * own.threadBytes;
            }
            const bool isFirst = first == tiles * thread / m_work.threads;
            gradientPoints(own, first, count, src, diffDst);
            addProducts(own, count, isFirst);
            addBias(own, count, isFirst);
        });
    const Values& sums = m_gradient.sums;
    forRanges(m_work.threads, sums.groups * sums.lines, [&](std::int64_t first, std::int64_t end) {
        FilterTile tile(m_size);
        for (std::int64_t i = first; i < end; ++i) {
            const std::int64_t group = i / sums.lines;
            const std::int64_t line = i % sums.lines;
            addThreads(pointsOf(sums, group, line));
            pointCells({m_set, m_size, true}, pointsOf(sums, group, line), tile.cells(), {});
            forFilters(m_forward, line, group, [&](std::size_t to, std::size_t from) {
                diffWeights[to] = tile.values[from];
            });
        }
    });
    for (std::int64_t c = 0; diffBias != nullptr && c < m_work.dst.shape.channels; ++c) {
        double sum = 0.0;
        for (std::int64_t thread = 0; thread < m_work.threads; ++thread) {
            sum += biasOf(m_gradient, thread)[c];
        }
        diffBias[c] = static_cast<float>(sum);
    }
}

void MinimalConvolution::gradientPoints(
    const Gradient& own, std::int64_t first, std::int64_t count, const std::byte* src,
    const std::byte* diffDst) const
{
    for (std::int64_t i = 0; i < count; ++i) {
        const TilePlace place = m_forward.grid.place(first + i);
        const TilePlace before{
            place.image, place.row - m_forward.before.height,
            place.column - m_forward.before.width};
        for (std::int64_t group = 0; group < own.sources.groups; ++group) {
            sourcePoints(
                m_set, cellsAt(m_work.src, group, before, TilePart::square(m_points), src),
                pointsOf(own.sources, group, i));
        }
        for (std::int64_t group = 0; group < own.gradients.groups; ++group) {
            cellPoints(
                {m_set, m_cells, false},
                cellsAt(m_work.dst, group, place, TilePart::square(m_cells), diffDst),
                pointsOf(own.gradients, group, i));
        }
    }
}

void MinimalConvolution::addProducts(const Gradient& own, std::int64_t count, bool isFirst) const
{
    PointProduct product{.rows = own.sums.lines, .depth = count, .groups = own.sums.groups};
    product.leftStride = own.sources.groupStride();
    product.rightStride = own.gradients.groupStride();
    product.sumsStride = own.sums.groupStride();
    product.adds = !isFirst;
    for (std::int64_t p = 0; p < pointsIn(m_set); ++p) {
        product.left = floats(own.sources.place) + p * own.sources.pointStride();
        product.right = floats(own.gradients.place) + p * own.gradients.pointStride();
        product.sums = floats(own.sums.place) + p * own.sums.pointStride();
        multiplyChannels(product);
    }
}

/// At point (1, 1) a tile's value is the sum of its cells.
void MinimalConvolution::addBias(const Gradient& own, std::int64_t count, bool isFirst) const
{
    double* const bias = biasOf(own, 0);
    if (isFirst) {
        std::fill_n(bias, own.gradients.groups * kTileChannels, 0.0);
    }
    for (std::int64_t group = 0; group < own.gradients.groups; ++group) {
        const PointValues values = pointsOf(own.gradients, group, 0);
        const float* line = values.start + (m_points + 1) * values.stride;
        for (std::int64_t i = 0; i < count * kTileChannels; ++i) {
            bias[group * kTileChannels + i % kTileChannels] += static_cast<double>(line[i]);
        }
    }
}

/// The sums of the other threads onto those of the first, in their order.
void MinimalConvolution::addThreads(const PointValues& sums) const
{
    for (std::int64_t thread = 1; thread < m_work.threads; ++thread) {
        const std::size_t bytes = static_cast<std::size_t>(thread) * m_gradient.threadBytes;
        for (std::int64_t p = 0; p < pointsIn(m_set); ++p) {
            float* sum = sums.start + p * sums.stride;
            const float* other = sum + bytes / sizeof(float);
            for (std::int64_t i = 0; i < kTileChannels; ++i) {
                sum[i] += other[i];
            }
        }
    }
}

double* MinimalConvolution::biasOf(const Gradient& gradient, std::int64_t thread) const
{
    return reinterpret_cast<double*>(
        floats(gradient.bias + static_cast<std::size_t>(thread) * gradient.threadBytes));
}

} // namespace lockstep::cpu
