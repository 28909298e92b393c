// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/tile_spectrum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#ifndef LOCKSTEP_TILE_TABLES
#define LOCKSTEP_TILE_TABLES
namespace lockstep::cpu {

/// Columns of a row's spectrum that are kept.
constexpr std::int64_t kKept = kTile / 2 + 1;

/// e^(-2 pi i k / 32).
struct Twiddles
{
    std::array<float, kTile / 2> cosine{};
    std::array<float, kTile / 2> sine{};

    Twiddles()
    {
        for (std::size_t k = 0; k < cosine.size(); ++k) {
            const double angle = -2.0 * std::numbers::pi * static_cast<double>(k) / kTile;
            cosine.at(k) = static_cast<float>(std::cos(angle));
            sine.at(k) = static_cast<float>(std::sin(angle));
        }
    }
};

inline const Twiddles& twiddles()
{
    static const Twiddles table;
    return table;
}

/// Where a transform leaves frequency k: its five bits in reverse.
constexpr std::int64_t reversed(std::int64_t k)
{
    return ((k & 1) << 4) | ((k & 2) << 2) | (k & 4) | ((k & 8) >> 2) | ((k & 16) >> 4);
}

} // namespace lockstep::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/tile_spectrum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

using Lanes = hn::CappedTag<float, kTileChannels>;
using V = hn::Vec<Lanes>;

/// 32 complex numbers for each channel.
struct Line
{
    V re[kTile]; // NOLINT(modernize-avoid-c-arrays): std::array would take vectors by reference
    V im[kTile]; // NOLINT(modernize-avoid-c-arrays)
};

/// In place; frequency k ends at reversed(k).
HWY_INLINE void transform(Line& line)
{
    const Lanes d;
    const Twiddles& table = twiddles();
    for (std::int64_t half = kTile / 2; half >= 1; half /= 2) {
        for (std::int64_t k = 0; k < half; ++k) {
            const auto c = hn::Set(d, table.cosine[static_cast<std::size_t>(k * 16 / half)]);
            const auto s = hn::Set(d, table.sine[static_cast<std::size_t>(k * 16 / half)]);
            for (std::int64_t a = k; a < kTile; a += 2 * half) {
                const std::int64_t b = a + half;
                const V re = hn::Sub(line.re[a], line.re[b]);
                const V im = hn::Sub(line.im[a], line.im[b]);
                line.re[a] = hn::Add(line.re[a], line.re[b]);
                line.im[a] = hn::Add(line.im[a], line.im[b]);
                line.re[b] = hn::NegMulAdd(im, s, hn::Mul(re, c));
                line.im[b] = hn::MulAdd(im, c, hn::Mul(re, s));
            }
        }
    }
}

/// The way back, 32 times as large.
HWY_INLINE void transformBack(Line& line)
{
    const Lanes d;
    const Twiddles& table = twiddles();
    for (std::int64_t half = 1; half < kTile; half *= 2) {
        for (std::int64_t k = 0; k < half; ++k) {
            const auto c = hn::Set(d, table.cosine[static_cast<std::size_t>(k * 16 / half)]);
            const auto s = hn::Set(d, table.sine[static_cast<std::size_t>(k * 16 / half)]);
            for (std::int64_t a = k; a < kTile; a += 2 * half) {
                const std::int64_t b = a + half;
                const V re = hn::MulAdd(line.im[b], s, hn::Mul(line.re[b], c));
                const V im = hn::NegMulAdd(line.re[b], s, hn::Mul(line.im[b], c));
                line.re[b] = hn::Sub(line.re[a], re);
                line.im[b] = hn::Sub(line.im[a], im);
                line.re[a] = hn::Add(line.re[a], re);
                line.im[a] = hn::Add(line.im[a], im);
            }
        }
    }
}

/// The kept columns of the spectra of all rows: [row][column][re, im].
struct RowSpectra
{
    alignas(64) std::array<float, static_cast<std::size_t>(kTile* kKept* kFrequencyFloats)> values;

    [[nodiscard]] float* at(std::int64_t row, std::int64_t column)
    {
        return values.data() + (row * kKept + column) * kFrequencyFloats;
    }
};

template<class T>
HWY_INLINE void loadRow(const TileCells& cells, std::int64_t row, std::int64_t lane, V* to)
{
    const Lanes d;
    for (std::int64_t x = 0; x < kTile; ++x) {
        to[x] = hn::Zero(d);
    }
    if (row < cells.firstRow || row >= cells.endRow) {
        return;
    }
    const T* from = reinterpret_cast<const T*>(cells.start)
                    + (row - cells.firstRow) * cells.rowStride + placeOfChannel(cells, lane);
    for (std::int64_t x = cells.firstColumn; x < cells.endColumn; ++x, from += cells.cellStride) {
        to[x] = loadElements(d, from);
    }
}

/// Two rows of real values are one of complex ones, whose spectrum tells theirs.
template<class T>
void rowSpectra(const TileCells& cells, std::int64_t lane, RowSpectra& spectra)
{
    const Lanes d;
    const auto half = hn::Set(d, 0.5F);
    for (std::int64_t row = cells.firstRow & ~std::int64_t{1}; row < cells.endRow; row += 2) {
        Line line;
        loadRow<T>(cells, row, lane, line.re);
        loadRow<T>(cells, row + 1, lane, line.im);
        transform(line);
        for (std::int64_t k = 0; k < kKept; ++k) {
            const std::int64_t p = reversed(k);
            const std::int64_t n = reversed((kTile - k) % kTile);
            float* a = spectra.at(row, k);
            float* b = spectra.at(row + 1, k);
            hn::StoreU(hn::Mul(half, hn::Add(line.re[p], line.re[n])), d, a);
            hn::StoreU(hn::Mul(half, hn::Sub(line.im[p], line.im[n])), d, a + kTileChannels);
            hn::StoreU(hn::Mul(half, hn::Add(line.im[p], line.im[n])), d, b);
            hn::StoreU(hn::Mul(half, hn::Sub(line.re[n], line.re[p])), d, b + kTileChannels);
        }
    }
}

template<class T>
void toSpectrumOf(const TileCells& cells, float* spectrum, std::int64_t stride)
{
    const Lanes d;
    // Not initialised: what is read was written.
    RowSpectra rows; // NOLINT(cppcoreguidelines-pro-type-member-init)
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t lane = 0; lane < kTileChannels; lane += width) {
        rowSpectra<T>(cells, lane, rows);
        const std::int64_t first = cells.firstRow & ~std::int64_t{1};
        const std::int64_t end = std::min(kTile, (cells.endRow + 1) & ~std::int64_t{1});
        for (std::int64_t k = 0; k < kKept; ++k) {
            Line line;
            for (std::int64_t y = 0; y < kTile; ++y) {
                const bool isThere = y >= first && y < end;
                line.re[y] = isThere ? hn::LoadU(d, rows.at(y, k)) : hn::Zero(d);
                line.im[y] = isThere ? hn::LoadU(d, rows.at(y, k) + kTileChannels) : hn::Zero(d);
            }
            transform(line);
            float* to = spectrum + k * kTile * stride + lane;
            for (std::int64_t y = 0; y < kTile; ++y, to += stride) {
                hn::StoreU(line.re[y], d, to);
                hn::StoreU(line.im[y], d, to + kTileChannels);
            }
        }
    }
}

/// Columns back, then rows, again two at once.
template<class T>
void fromSpectrumOf(const float* spectrum, std::int64_t stride, const TileCells& cells)
{
    const Lanes d;
    RowSpectra rows; // NOLINT(cppcoreguidelines-pro-type-member-init)
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    const auto scale = hn::Set(d, 1.0F / static_cast<float>(kTile * kTile));
    const std::int64_t first = cells.firstRow & ~std::int64_t{1};
    for (std::int64_t lane = 0; lane < kTileChannels; lane += width) {
        for (std::int64_t k = 0; k < kKept; ++k) {
            Line line;
            const float* from = spectrum + k * kTile * stride + lane;
            for (std::int64_t y = 0; y < kTile; ++y, from += stride) {
                line.re[y] = hn::LoadU(d, from);
                line.im[y] = hn::LoadU(d, from + kTileChannels);
            }
            transformBack(line);
            for (std::int64_t y = first; y < std::min(kTile, cells.endRow + 1); ++y) {
                hn::StoreU(hn::Mul(scale, line.re[y]), d, rows.at(y, k));
                hn::StoreU(hn::Mul(scale, line.im[y]), d, rows.at(y, k) + kTileChannels);
            }
        }
        for (std::int64_t row = first; row < cells.endRow; row += 2) {
            Line line;
            for (std::int64_t k = 0; k < kKept; ++k) {
                const V aRe = hn::LoadU(d, rows.at(row, k));
                const V aIm = hn::LoadU(d, rows.at(row, k) + kTileChannels);
                const V bRe = hn::LoadU(d, rows.at(row + 1, k));
                const V bIm = hn::LoadU(d, rows.at(row + 1, k) + kTileChannels);
                const std::int64_t n = reversed((kTile - k) % kTile);
                line.re[n] = hn::Add(aRe, bIm);
                line.im[n] = hn::Sub(bRe, aIm);
                const std::int64_t p = reversed(k);
                line.re[p] = hn::Sub(aRe, bIm);
                line.im[p] = hn::Add(aIm, bRe);
            }
            transformBack(line);
            for (std::int64_t of = 0; of < 2; ++of) {
                const std::int64_t y = row + of;
                if (y < cells.firstRow || y >= cells.endRow) {
                    continue;
                }
                T* to = reinterpret_cast<T*>(cells.start) + (y - cells.firstRow) * cells.rowStride
                        + placeOfChannel(cells, lane);
                for (std::int64_t x = cells.firstColumn; x < cells.endColumn;
                     ++x, to += cells.cellStride) {
                    storeElements(d, of == 0 ? line.re[x] : line.im[x], to);
                }
            }
        }
    }
}

void spectrumOf(const TileCells& cells, float* spectrum, std::int64_t stride)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        toSpectrumOf<decltype(zero)>(cells, spectrum, stride);
    });
}

void cellsOf(const float* spectrum, std::int64_t stride, const TileCells& cells)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        fromSpectrumOf<decltype(zero)>(spectrum, stride, cells);
    });
}

template<bool kIsConjugate>
void productsOf(std::int64_t tiles, const float* scalars, const float* filters, float* sums)
{
    const Lanes d;
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t lane = 0; lane < kTileChannels; lane += width) {
        const float* scalar = scalars;
        float* sum = sums + lane;
        for (std::int64_t f = 0; f < kFrequencies; ++f) {
            V re[kFilters]; // NOLINT(modernize-avoid-c-arrays)
            V im[kFilters]; // NOLINT(modernize-avoid-c-arrays)
            for (std::int64_t j = 0; j < kFilters; ++j) {
                const float* filter = filters + j * kSpectrumFloats + f * kFrequencyFloats + lane;
                re[j] = hn::LoadU(d, filter);
                im[j] = hn::LoadU(d, filter + kTileChannels);
                im[j] = kIsConjugate ? hn::Neg(im[j]) : im[j];
            }
            for (std::int64_t t = 0; t < tiles;
                 ++t, scalar += kFrequencyFloats, sum += kFrequencyFloats) {
                V sumRe = hn::LoadU(d, sum);
                V sumIm = hn::LoadU(d, sum + kTileChannels);
                for (std::int64_t j = 0; j < kFilters; ++j) {
                    const V a = hn::Set(d, scalar[j]);
                    const V b = hn::Set(d, scalar[kTileChannels + j]);
                    sumRe = hn::NegMulAdd(b, im[j], hn::MulAdd(a, re[j], sumRe));
                    sumIm = hn::MulAdd(b, re[j], hn::MulAdd(a, im[j], sumIm));
                }
                hn::StoreU(sumRe, d, sum);
                hn::StoreU(sumIm, d, sum + kTileChannels);
            }
        }
    }
}

void products(
    const SpectrumProduct& product, const float* scalars, const float* filters, float* sums)
{
    if (product.isConjugate) {
        productsOf<true>(product.tiles, scalars, filters, sums);
    } else {
        productsOf<false>(product.tiles, scalars, filters, sums);
    }
}

void correlations(std::int64_t count, const float* scalars, const float* tiles, float* filters)
{
    const Lanes d;
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t lane = 0; lane < kTileChannels; lane += width) {
        const float* scalar = scalars;
        const float* tile = tiles + lane;
        for (std::int64_t f = 0; f < kFrequencies; ++f) {
            V re[kFilters]; // NOLINT(modernize-avoid-c-arrays)
            V im[kFilters]; // NOLINT(modernize-avoid-c-arrays)
            for (std::int64_t j = 0; j < kFilters; ++j) {
                re[j] = hn::Zero(d);
                im[j] = hn::Zero(d);
            }
            for (std::int64_t t = 0; t < count;
                 ++t, scalar += kFrequencyFloats, tile += kFrequencyFloats) {
                const V tileRe = hn::LoadU(d, tile);
                const V tileIm = hn::LoadU(d, tile + kTileChannels);
                for (std::int64_t j = 0; j < kFilters; ++j) {
                    const V a = hn::Set(d, scalar[j]);
                    const V b = hn::Set(d, scalar[kTileChannels + j]);
                    re[j] = hn::MulAdd(b, tileIm, hn::MulAdd(a, tileRe, re[j]));
                    im[j] = hn::NegMulAdd(a, tileIm, hn::MulAdd(b, tileRe, im[j]));
                }
            }
            for (std::int64_t j = 0; j < kFilters; ++j) {
                float* filter = filters + j * kSpectrumFloats + f * kFrequencyFloats + lane;
                hn::StoreU(re[j], d, filter);
                hn::StoreU(im[j], d, filter + kTileChannels);
            }
        }
    }
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(spectrumOf);
HWY_EXPORT(cellsOf);
HWY_EXPORT(products);
HWY_EXPORT(correlations);

void toSpectrum(const TileCells& cells, float* spectrum, std::int64_t stride)
{
    HWY_DYNAMIC_DISPATCH(spectrumOf)(cells, spectrum, stride);
}

void fromSpectrum(const float* spectrum, std::int64_t stride, const TileCells& cells)
{
    HWY_DYNAMIC_DISPATCH(cellsOf)(spectrum, stride, cells);
}

void addProducts(
    const SpectrumProduct& product, const float* scalars, const float* filters, float* sums)
{
    HWY_DYNAMIC_DISPATCH(products)(product, scalars, filters, sums);
}

void correlateTiles(std::int64_t count, const float* scalars, const float* tiles, float* filters)
{
    HWY_DYNAMIC_DISPATCH(correlations)(count, scalars, tiles, filters);
}

} // namespace lockstep::cpu
#endif
