// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/kernels/tile_cells.h"

#include <cstddef>
#include <cstdint>

// Two-dimensional Fourier transforms of tiles of 32 x 32 cells, 16 channels at once, and products
// of their spectra: a convolution with a wide filter takes a fraction of the multiplications there.
// In float32, compiled for several instruction sets; single-threaded.
namespace lockstep::cpu {

constexpr std::int64_t kTile = 32;
/// Of a tile of real values: the others are their conjugates.
constexpr std::int64_t kFrequencies = kTile * (kTile / 2 + 1);
/// Floats of one frequency: real parts of all channels, then imaginary parts.
constexpr std::int64_t kFrequencyFloats = 2 * kTileChannels;
constexpr std::int64_t kSpectrumFloats = kFrequencies * kFrequencyFloats;

/// Frequency f is written to spectrum + f * stride.
void toSpectrum(const TileCells& cells, float* spectrum, std::int64_t stride);
/// Writes the cells that exist.
void fromSpectrum(const float* spectrum, std::int64_t stride, const TileCells& cells);

/// Spectra that are multiplied: of `tiles` tiles, frequency by frequency ([f][tile]), and of four
/// filters, one after the other ([filter][f]).
struct SpectrumProduct
{
    std::int64_t tiles = 0;
    bool isConjugate = false; ///< of the filters: correlates instead of convolving
};
constexpr std::int64_t kFilters = 4;

/// sums[f][t] += the sum over the filters j of scalars[f][t], channel j, times filters[j][f].
/// `scalars` points to the channel of the first filter.
void addProducts(
    const SpectrumProduct& product, const float* scalars, const float* filters, float* sums);

/// filters[j][f] = the sum over the tiles of scalars[f][t], channel j, times the conjugate of
/// tiles[f][t].
void correlateTiles(std::int64_t count, const float* scalars, const float* tiles, float* filters);

} // namespace lockstep::cpu
