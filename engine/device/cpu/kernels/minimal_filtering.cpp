// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/minimal_filtering.h"

#include <algorithm>

#ifndef LOCKSTEP_FILTERING_POINTS
#define LOCKSTEP_FILTERING_POINTS
namespace lockstep::cpu {

/// The constants of a set of points 0, p and -p for each pair, infinity.
template<std::int64_t kPoints>
struct PointTable
{
    static constexpr std::int64_t kPairs = kPoints / 2 - 1;
    static constexpr std::array<double, 3> kPair{1.0, 2.0, 0.5};

    std::array<float, kPairs> point{};
    std::array<float, kPairs> square{};
    /// Of the product of x^2 - q^2 over all pairs q but this, the coefficients of x^0, x^2, ...
    std::array<std::array<float, kPairs>, kPairs> others{};
    std::array<float, kPairs + 1> all{}; ///< the same over all pairs
    /// 1 / the product of the distances to the other finite points; 1 at infinity.
    std::array<float, kPoints> scale{};
    std::array<std::array<float, kPoints>, kPairs> power{};

    constexpr PointTable()
    {
        const auto product = [](std::int64_t without) {
            std::array<double, kPairs + 1> sums{1.0};
            for (std::int64_t i = 0; i < kPairs; ++i) {
                for (std::int64_t k = kPairs; k >= 0 && i != without; --k) {
                    sums[k] = (k > 0 ? sums[k - 1] : 0.0) - kPair[i] * kPair[i] * sums[k];
                }
            }
            return sums;
        };
        const auto whole = product(-1);
        for (std::int64_t k = 0; k <= kPairs; ++k) {
            all[k] = static_cast<float>(whole[k]);
        }
        scale[0] = static_cast<float>(1.0 / whole[0]);
        scale[kPoints - 1] = 1.0F;
        for (std::int64_t i = 0; i < kPairs; ++i) {
            const double squared = kPair[i] * kPair[i];
            point[i] = static_cast<float>(kPair[i]);
            square[i] = static_cast<float>(squared);
            const auto rest = product(i);
            double value = 0.0;
            for (std::int64_t k = kPairs - 1; k >= 0; --k) {
                others[i][k] = static_cast<float>(rest[k]);
                value = value * squared + rest[k];
            }
            scale[1 + 2 * i] = static_cast<float>(1.0 / (2.0 * squared * value));
            scale[2 + 2 * i] = scale[1 + 2 * i];
            double raised = 1.0;
            for (std::int64_t k = 0; k < kPoints; ++k) {
                power[i][k] = static_cast<float>(raised);
                raised *= kPair[i];
            }
        }
    }
};

template<std::int64_t kPoints>
inline constexpr PointTable<kPoints> kPointTable{};

} // namespace lockstep::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/minimal_filtering.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

using Lanes = hn::CappedTag<float, kTileChannels>;
using V = hn::Vec<Lanes>;
constexpr std::int64_t kLanes = hn::MaxLanes(Lanes());
/// Vectors of a group of 16 channels.
constexpr std::int64_t kVectors = kTileChannels / kLanes;

std::int64_t lanesOfVector()
{
    return kLanes;
}

/// Loops over arrays of vectors must be unrolled, or these lie in memory.
#define LOCKSTEP_UNROLL _Pragma("GCC unroll 16")

/// sum + factor * value, by the cheapest instruction.
HWY_INLINE V plusTimes(V sum, float factor, V value)
{
    if (factor == 1.0F) {
        return hn::Add(sum, value);
    }
    return factor == -1.0F ? hn::Sub(sum, value) : hn::MulAdd(hn::Set(Lanes(), factor), value, sum);
}

template<std::int64_t kPoints>
HWY_INLINE void sourceTransform(const V* x, V* at)
{
    constexpr const auto& kTable = kPointTable<kPoints>;
    constexpr std::int64_t kPairs = PointTable<kPoints>::kPairs;
    V zero = x[2 * kPairs];
    V infinity = x[2 * kPairs + 1];
    LOCKSTEP_UNROLL for (std::int64_t k = 0; k < kPairs; ++k)
    {
        zero = plusTimes(zero, kTable.all[k], x[2 * k]);
        infinity = plusTimes(infinity, kTable.all[k], x[2 * k + 1]);
    }
    at[0] = zero;
    at[kPoints - 1] = infinity;
    LOCKSTEP_UNROLL for (std::int64_t i = 0; i < kPairs; ++i)
    {
        V even = x[2 * kPairs];
        V odd = x[2 * kPairs - 1];
        LOCKSTEP_UNROLL for (std::int64_t k = 0; k < kPairs - 1; ++k)
        {
            even = plusTimes(even, kTable.others[i][k], x[2 * k + 2]);
            odd = plusTimes(odd, kTable.others[i][k], x[2 * k + 1]);
        }
        at[1 + 2 * i] = plusTimes(even, kTable.point[i], odd);
        at[2 + 2 * i] = plusTimes(even, -kTable.point[i], odd);
    }
}

template<std::int64_t kPoints, std::int64_t kSize>
HWY_INLINE void evaluate(const V* x, V* at)
{
    constexpr const auto& kTable = kPointTable<kPoints>;
    constexpr std::int64_t kPairs = PointTable<kPoints>::kPairs;
    at[0] = x[0];
    at[kPoints - 1] = x[kSize - 1];
    LOCKSTEP_UNROLL for (std::int64_t i = 0; i < kPairs; ++i)
    {
        V even = x[(kSize - 1) / 2 * 2];
        V odd = x[kSize / 2 * 2 - 1];
        LOCKSTEP_UNROLL for (std::int64_t k = (kSize - 1) / 2 * 2 - 2; k >= 0; k -= 2)
        {
            even = plusTimes(x[k], kTable.square[i], even);
        }
        LOCKSTEP_UNROLL for (std::int64_t k = kSize / 2 * 2 - 3; k >= 0; k -= 2)
        {
            odd = plusTimes(x[k], kTable.square[i], odd);
        }
        at[1 + 2 * i] = plusTimes(even, kTable.point[i], odd);
        at[2 + 2 * i] = plusTimes(even, -kTable.point[i], odd);
    }
}

/// The transpose of evaluate().
template<std::int64_t kPoints, std::int64_t kSize>
HWY_INLINE void combine(const V* at, V* x)
{
    constexpr const auto& kTable = kPointTable<kPoints>;
    constexpr std::int64_t kPairs = PointTable<kPoints>::kPairs;
    const Lanes d;
    x[0] = at[0];
    LOCKSTEP_UNROLL for (std::int64_t k = 1; k < kSize - 1; ++k)
    {
        x[k] = hn::Zero(d);
    }
    x[kSize - 1] = at[kPoints - 1];
    LOCKSTEP_UNROLL for (std::int64_t i = 0; i < kPairs; ++i)
    {
        const V even = hn::Add(at[1 + 2 * i], at[2 + 2 * i]);
        const V odd = hn::Sub(at[1 + 2 * i], at[2 + 2 * i]);
        x[0] = hn::Add(x[0], even);
        LOCKSTEP_UNROLL for (std::int64_t k = 1; k < kSize; ++k)
        {
            x[k] = plusTimes(x[k], kTable.power[i][k], k % 2 == 0 ? even : odd);
        }
    }
}

/// Transforms cells in both directions by `Transform` (kSize values to kPoints).
template<std::int64_t kPoints, std::int64_t kSize, class T, class Transform, class Scale>
HWY_INLINE void toPoints(
    const TileCells& cells, const PointValues& to, Transform transform, Scale scale)
{
    const Lanes d;
    for (std::int64_t lane = 0; lane < cells.channels; lane += kLanes) {
        V rows[kSize][kPoints]; // NOLINT(modernize-avoid-c-arrays)
        const T* row = reinterpret_cast<const T*>(cells.start) + placeOfChannel(cells, lane);
        const bool isWhole = cells.firstColumn == 0 && cells.endColumn == kSize;
        for (std::int64_t y = 0; y < kSize; ++y) {
            V x[kSize]; // NOLINT(modernize-avoid-c-arrays)
            if (y < cells.firstRow || y >= cells.endRow) {
                LOCKSTEP_UNROLL for (std::int64_t k = 0; k < kPoints; ++k)
                {
                    rows[y][k] = hn::Zero(d);
                }
                continue;
            }
            if (isWhole) {
                LOCKSTEP_UNROLL for (std::int64_t k = 0; k < kSize; ++k)
                {
                    x[k] = loadElements(d, row + k * cells.cellStride);
                }
            } else {
                LOCKSTEP_UNROLL for (std::int64_t k = 0; k < kSize; ++k)
                {
                    x[k] = k < cells.firstColumn || k >= cells.endColumn
                               ? hn::Zero(d)
                               : loadElements(d, row + (k - cells.firstColumn) * cells.cellStride);
                }
            }
            transform(x, rows[y]);
            row += cells.rowStride;
        }
        for (std::int64_t k = 0; k < kPoints; ++k) {
            V x[kSize];    // NOLINT(modernize-avoid-c-arrays)
            V at[kPoints]; // NOLINT(modernize-avoid-c-arrays)
            LOCKSTEP_UNROLL for (std::int64_t y = 0; y < kSize; ++y)
            {
                x[y] = rows[y][k];
            }
            transform(x, at);
            LOCKSTEP_UNROLL for (std::int64_t y = 0; y < kPoints; ++y)
            {
                hn::Store(scale(at[y], y, k), d, to.start + (y * kPoints + k) * to.stride + lane);
            }
        }
    }
    for (std::int64_t lane = cells.channels; lane < kTileChannels; lane += kLanes) {
        for (std::int64_t p = 0; p < kPoints * kPoints; ++p) {
            hn::Store(hn::Zero(d), d, to.start + p * to.stride + lane);
        }
    }
}

template<std::int64_t kPoints>
HWY_INLINE V scaled(V value, std::int64_t y, std::int64_t x)
{
    const auto& scale = kPointTable<kPoints>.scale;
    return hn::Mul(value, hn::Set(Lanes(), scale[y] * scale[x]));
}

template<std::int64_t kPoints>
void sourcePointsOf(const TileCells& cells, const PointValues& to)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        toPoints<kPoints, kPoints, decltype(zero)>(
            cells, to, [](const V* x, V* at) HWY_ATTR { sourceTransform<kPoints>(x, at); },
            [](V value, std::int64_t /*y*/, std::int64_t /*x*/) HWY_ATTR { return value; });
    });
}

template<std::int64_t kPoints, std::int64_t kSize>
void cellPointsOf(bool isFilter, const TileCells& cells, const PointValues& to)
{
    const auto transform = [](const V* x, V* at) HWY_ATTR { evaluate<kPoints, kSize>(x, at); };
    if (isFilter) {
        toPoints<kPoints, kSize, float>(
            cells, to, transform, [](V value, std::int64_t y, std::int64_t x) HWY_ATTR {
                return scaled<kPoints>(value, y, x);
            });
        return;
    }
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        toPoints<kPoints, kSize, decltype(zero)>(
            cells, to, transform,
            [](V value, std::int64_t /*y*/, std::int64_t /*x*/) HWY_ATTR { return value; });
    });
}

template<std::int64_t kPoints, std::int64_t kSize, bool kIsFilter, class T>
HWY_INLINE void fromPoints(const PointValues& from, const TileCells& cells, const Finish& finish)
{
    const Lanes d;
    for (std::int64_t lane = 0; lane < cells.channels; lane += kLanes) {
        V rows[kSize][kPoints]; // NOLINT(modernize-avoid-c-arrays)
        for (std::int64_t k = 0; k < kPoints; ++k) {
            V at[kPoints]; // NOLINT(modernize-avoid-c-arrays)
            V y[kSize];    // NOLINT(modernize-avoid-c-arrays)
            LOCKSTEP_UNROLL for (std::int64_t p = 0; p < kPoints; ++p)
            {
                at[p] = hn::Load(d, from.start + (p * kPoints + k) * from.stride + lane);
                at[p] = kIsFilter ? scaled<kPoints>(at[p], p, k) : at[p];
            }
            combine<kPoints, kSize>(at, y);
            LOCKSTEP_UNROLL for (std::int64_t p = 0; p < kSize; ++p)
            {
                rows[p][k] = y[p];
            }
        }
        const V bias = finish.bias != nullptr ? hn::LoadU(d, finish.bias + lane) : hn::Zero(d);
        T* row = reinterpret_cast<T*>(cells.start) + placeOfChannel(cells, lane);
        for (std::int64_t y = cells.firstRow; y < cells.endRow; ++y, row += cells.rowStride) {
            V x[kSize]; // NOLINT(modernize-avoid-c-arrays)
            combine<kPoints, kSize>(rows[y], x);
            LOCKSTEP_UNROLL for (std::int64_t k = 0; k < kSize; ++k)
            {
                if (k >= cells.firstColumn && k < cells.endColumn) {
                    V value = hn::Add(x[k], bias);
                    value = finish.isRelu ? rectified(d, value) : value;
                    storeElements(d, value, row + (k - cells.firstColumn) * cells.cellStride);
                }
            }
        }
    }
}

template<std::int64_t kPoints, std::int64_t kSize>
void pointCellsOf(
    bool isFilter, const PointValues& from, const TileCells& cells, const Finish& finish)
{
    if (isFilter) {
        fromPoints<kPoints, kSize, true, float>(from, cells, finish);
        return;
    }
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        fromPoints<kPoints, kSize, false, decltype(zero)>(from, cells, finish);
    });
}

/// Calls body(points, size) with both as compile-time constants.
template<class Body>
HWY_INLINE void withSizes(const CellsTask& task, Body body)
{
    using std::integral_constant;
    const auto withSize = [&](auto points) HWY_ATTR {
        switch (task.size) {
        case 2:
            return body(points, integral_constant<std::int64_t, 2>());
        case 3:
            return body(points, integral_constant<std::int64_t, 3>());
        case 4:
            return body(points, integral_constant<std::int64_t, 4>());
        case 5:
            return body(points, integral_constant<std::int64_t, 5>());
        case 6:
            return body(points, integral_constant<std::int64_t, 6>());
        default:
            return body(points, integral_constant<std::int64_t, 7>());
        }
    };
    if (task.set == PointSet::Eight) {
        withSize(integral_constant<std::int64_t, 8>());
    } else {
        withSize(integral_constant<std::int64_t, 6>());
    }
}

void mapTransform(PointSet set, const TileCells& cells, const PointValues& to)
{
    set == PointSet::Eight ? sourcePointsOf<8>(cells, to) : sourcePointsOf<6>(cells, to);
}

void cellTransform(const CellsTask& task, const TileCells& cells, const PointValues& to)
{
    withSizes(task, [&](auto points, auto size) HWY_ATTR {
        cellPointsOf<points(), size()>(task.isFilter, cells, to);
    });
}

void pointTransform(
    const CellsTask& task, const PointValues& from, const TileCells& cells, const Finish& finish)
{
    withSizes(task, [&](auto points, auto size) HWY_ATTR {
        pointCellsOf<points(), size()>(task.isFilter, from, cells, finish);
    });
}

/// Rows and groups of columns whose sums fit the registers.
constexpr std::int64_t kMostRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 2;
constexpr std::int64_t kMostGroups = kLanes == 16 ? 2 : 1;

/// Sums of kRows rows and kGroups groups. A row is kRow floats behind the one before, and the next
/// of the depth kDeep.
template<bool kByLines, std::int64_t kRows, std::int64_t kGroups>
HWY_INLINE void sumBlock(
    const PointProduct& product, const float* left, const float* right, float* sums)
{
    constexpr std::int64_t kRow = kByLines ? kTileChannels : 1;
    constexpr std::int64_t kDeep = kByLines ? 1 : kTileChannels;
    const Lanes d;
    V sum[kRows][kGroups * kVectors]; // NOLINT(modernize-avoid-c-arrays)
    LOCKSTEP_UNROLL for (std::int64_t i = 0; i < kRows; ++i)
    {
        LOCKSTEP_UNROLL for (std::int64_t v = 0; v < kGroups * kVectors; ++v)
        {
            sum[i][v] = hn::Zero(d);
        }
    }
    const std::int64_t run = kByLines ? kTileChannels : product.depth;
    for (std::int64_t k = 0; k < product.depth; k += run) {
        const float* from = left;
        for (std::int64_t j = k; j < std::min(k + run, product.depth); ++j) {
            V factor[kGroups * kVectors]; // NOLINT(modernize-avoid-c-arrays)
            LOCKSTEP_UNROLL for (std::int64_t v = 0; v < kGroups * kVectors; ++v)
            {
                factor[v] =
                    hn::Load(d, right + v / kVectors * product.rightStride + v % kVectors * kLanes);
            }
            LOCKSTEP_UNROLL for (std::int64_t i = 0; i < kRows; ++i)
            {
                const V value = hn::Set(d, from[i * kRow]);
                LOCKSTEP_UNROLL for (std::int64_t v = 0; v < kGroups * kVectors; ++v)
                {
                    sum[i][v] = hn::MulAdd(value, factor[v], sum[i][v]);
                }
            }
            from += kDeep;
            right += kTileChannels;
        }
        left += product.leftStride;
    }
    LOCKSTEP_UNROLL for (std::int64_t i = 0; i < kRows; ++i)
    {
        LOCKSTEP_UNROLL for (std::int64_t v = 0; v < kGroups * kVectors; ++v)
        {
            float* to = sums + v / kVectors * product.sumsStride + i * kTileChannels
                        + v % kVectors * kLanes;
            hn::Store(product.adds ? hn::Add(hn::Load(d, to), sum[i][v]) : sum[i][v], d, to);
        }
    }
}

/// As many rows as `rows` says, at most kRows.
template<bool kByLines, std::int64_t kRows, std::int64_t kGroups>
HWY_INLINE void sumRows(
    const PointProduct& product, std::int64_t rows, const float* left, const float* right,
    float* sums)
{
    if constexpr (kRows > 0) {
        if (rows < kRows) {
            sumRows<kByLines, kRows - 1, kGroups>(product, rows, left, right, sums);
        } else {
            sumBlock<kByLines, kRows, kGroups>(product, left, right, sums);
        }
    }
}

template<bool kByLines, std::int64_t kGroups>
HWY_INLINE void sumGroups(const PointProduct& product, std::int64_t group)
{
    const float* right = product.right + group * product.rightStride;
    float* sums = product.sums + group * product.sumsStride;
    const float* left = product.left;
    // Rows of one group of `left` at a time, in parts of about the same size.
    const std::int64_t most = kByLines ? product.rows : kTileChannels;
    for (std::int64_t row = 0; row < product.rows; row += most, left += product.leftStride) {
        const std::int64_t rows = std::min(most, product.rows - row);
        const std::int64_t parts = (rows + kMostRows - 1) / kMostRows;
        for (std::int64_t part = 0; part < parts; ++part) {
            const std::int64_t first = rows * part / parts;
            sumRows<kByLines, kMostRows, kGroups>(
                product, rows * (part + 1) / parts - first,
                left + first * (kByLines ? kTileChannels : 1), right,
                sums + (row + first) * kTileChannels);
        }
    }
}

template<bool kByLines>
HWY_INLINE void sumAll(const PointProduct& product)
{
    std::int64_t group = 0;
    for (; group + kMostGroups <= product.groups; group += kMostGroups) {
        sumGroups<kByLines, kMostGroups>(product, group);
    }
    for (; group < product.groups; ++group) {
        sumGroups<kByLines, 1>(product, group);
    }
}

void lineProduct(const PointProduct& product)
{
    sumAll<true>(product);
}

void channelProduct(const PointProduct& product)
{
    sumAll<false>(product);
}

#undef LOCKSTEP_UNROLL

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(lanesOfVector);
HWY_EXPORT(mapTransform);
HWY_EXPORT(cellTransform);
HWY_EXPORT(pointTransform);
HWY_EXPORT(lineProduct);
HWY_EXPORT(channelProduct);

std::int64_t vectorChannels()
{
    return HWY_DYNAMIC_DISPATCH(lanesOfVector)();
}

void sourcePoints(PointSet set, const TileCells& cells, const PointValues& to)
{
    HWY_DYNAMIC_DISPATCH(mapTransform)(set, cells, to);
}

void cellPoints(const CellsTask& task, const TileCells& cells, const PointValues& to)
{
    HWY_DYNAMIC_DISPATCH(cellTransform)(task, cells, to);
}

void pointCells(
    const CellsTask& task, const PointValues& from, const TileCells& cells, const Finish& finish)
{
    HWY_DYNAMIC_DISPATCH(pointTransform)(task, from, cells, finish);
}

void multiplyLines(const PointProduct& product)
{
    HWY_DYNAMIC_DISPATCH(lineProduct)(product);
}

void multiplyChannels(const PointProduct& product)
{
    HWY_DYNAMIC_DISPATCH(channelProduct)(product);
}

} // namespace lockstep::cpu
#endif
