// SPDX-License-Identifier: Apache-2.0
#include "input/distortion_kernels.h"

#include <algorithm>
#include <cstring>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "input/distortion_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 16>;
using Numbers = hn::ScalableTag<std::uint32_t>;
using Floats = hn::ScalableTag<float>;

/// The lanes of one vector of bytes, last to first.
HWY_INLINE hn::Vec<Bytes> reversed(hn::Vec<Bytes> v)
{
#if HWY_TARGET == HWY_SCALAR
    return v;
#else
    const Bytes d;
    const auto last = static_cast<std::uint8_t>(hn::Lanes(d) - 1);
    return hn::TableLookupBytes(v, hn::Sub(hn::Set(d, last), hn::Iota(d, 0)));
#endif
}

/// As many pixels of three channels as a vector has lanes.
HWY_INLINE void gatherThree(
    const CropWindow& window, const std::uint8_t* source, std::uint8_t* destination)
{
    const Bytes d;
    auto a = hn::Zero(d);
    auto b = hn::Zero(d);
    auto c = hn::Zero(d);
    if (window.planeStride == 0) {
        hn::LoadInterleaved3(d, source, a, b, c);
    } else {
        a = hn::LoadU(d, source);
        b = hn::LoadU(d, source + window.planeStride);
        c = hn::LoadU(d, source + 2 * window.planeStride);
    }
    if (window.isFlipped) {
        a = reversed(a);
        b = reversed(b);
        c = reversed(c);
    }
    hn::StoreInterleaved3(a, b, c, d, destination);
}

/// Pixel by pixel, any number of channels.
HWY_INLINE void gatherPixels(
    const CropWindow& window, const std::uint8_t* source, std::uint8_t* destination)
{
    const bool isPlanar = window.planeStride != 0;
    const std::int64_t pixel = isPlanar ? 1 : window.channels;
    const std::int64_t channel = isPlanar ? window.planeStride : 1;
    for (std::int64_t x = 0; x < window.width; ++x) {
        const std::int64_t from = window.isFlipped ? window.width - 1 - x : x;
        for (std::int64_t c = 0; c < window.channels; ++c) {
            destination[x * window.channels + c] = source[from * pixel + c * channel];
        }
    }
}

/// A row by whole vectors of pixels; the last one may overlap the one before it.
HWY_INLINE void gatherRow(
    const CropWindow& window, const std::uint8_t* source, std::uint8_t* destination)
{
    const Bytes d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t channels = window.channels;
    const std::int64_t pixel = window.planeStride == 0 ? channels : 1;
    if (window.width < lanes || (channels != 1 && channels != 3)) {
        gatherPixels(window, source, destination);
        return;
    }
    const std::int64_t last = window.width - lanes;
    for (std::int64_t first = 0; first < window.width; first += lanes) {
        const std::int64_t from = std::min(first, last);
        const std::uint8_t* const in = source + from * pixel;
        std::uint8_t* const out = destination + (window.isFlipped ? last - from : from) * channels;
        if (channels == 3) {
            gatherThree(window, in, out);
        } else {
            const auto v = hn::LoadU(d, in);
            hn::StoreU(window.isFlipped ? reversed(v) : v, d, out);
        }
    }
}

void gather(const CropWindow& window, std::uint8_t* destination)
{
    const std::int64_t values = window.width * window.channels;
    const bool isCopy = window.planeStride == 0 && !window.isFlipped;
    for (std::int64_t y = 0; y < window.height; ++y) {
        const std::uint8_t* const source = window.pixels + y * window.rowStride;
        if (isCopy) {
            std::memcpy(destination + y * values, source, static_cast<std::size_t>(values));
        } else {
            gatherRow(window, source, destination + y * values);
        }
    }
}

/// The sums over lane i of `vectors` vectors that lie `stride` bytes apart, added to the channels
/// that the lanes belong to, lane 0 to `channel`.
HWY_INLINE void sumVectors(
    const std::uint8_t* values, std::int64_t vectors, std::int64_t stride, std::size_t channel,
    std::span<ChannelSums> sums)
{
    const Numbers d;
    const hn::Rebind<std::uint8_t, Numbers> bytes;
    auto total = hn::Zero(d);
    auto squares = hn::Zero(d);
    for (std::int64_t i = 0; i < vectors; ++i) {
        const auto v = hn::PromoteTo(d, hn::LoadU(bytes, values + i * stride));
        total = hn::Add(total, v);
        squares = hn::Add(squares, hn::Mul(v, v));
    }
    constexpr std::size_t kMostLanes = HWY_MAX_BYTES / sizeof(std::uint32_t);
    HWY_ALIGN std::uint32_t totalLanes[kMostLanes];
    HWY_ALIGN std::uint32_t squareLanes[kMostLanes];
    hn::Store(total, d, totalLanes);
    hn::Store(squares, d, squareLanes);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
        sums[channel].values += totalLanes[lane];
        sums[channel].squares += squareLanes[lane];
        channel = channel + 1 == sums.size() ? 0 : channel + 1;
    }
}

void sum(std::span<const std::uint8_t> values, std::span<ChannelSums> sums)
{
    // Every channels'th vector begins with the same channel. A group is small enough for the
    // first-level cache with up to 16 channels, and a lane's sum of its squares for 32 bits.
    constexpr std::int64_t kVectorsOfGroup = 128;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(Numbers()));
    const std::int64_t stride = lanes * std::ssize(sums);
    const std::int64_t whole = std::ssize(values) / stride;
    std::fill(sums.begin(), sums.end(), ChannelSums{});
    for (std::int64_t first = 0; first < whole; first += kVectorsOfGroup) {
        const std::int64_t vectors = std::min(kVectorsOfGroup, whole - first);
        for (std::int64_t place = 0; place < stride; place += lanes) {
            const auto channel = static_cast<std::size_t>(place % std::ssize(sums));
            sumVectors(values.data() + first * stride + place, vectors, stride, channel, sums);
        }
    }
    for (auto i = static_cast<std::size_t>(whole * stride); i < values.size(); ++i) {
        ChannelSums& channel = sums[i % sums.size()];
        channel.values += values[i];
        channel.squares += std::int64_t{values[i]} * values[i];
    }
}

/// One vector, at value i of a row.
template<class Tag>
HWY_INLINE void mapVector(
    Tag d, const RowMap& map, const std::uint8_t* row, std::size_t i, float* out)
{
    const hn::Rebind<std::uint8_t, Tag> bytes;
    const hn::Rebind<std::int32_t, Tag> numbers;
    const auto x = hn::ConvertTo(d, hn::PromoteTo(numbers, hn::LoadU(bytes, row + i)));
    const auto centered = hn::Sub(x, hn::LoadU(d, map.centers.data() + i));
    const auto scaled = hn::Mul(centered, hn::Set(d, map.scale));
    hn::StoreU(hn::Add(scaled, hn::LoadU(d, map.offsets.data() + i)), d, out + i);
}

/// Row by row by whole vectors; the last one of a row may overlap the one before it.
void mapAll(const RowMap& map, std::span<const std::uint8_t> values, float* destination)
{
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t rowValues = map.centers.size();
    for (std::size_t first = 0; first < values.size(); first += rowValues) {
        const std::uint8_t* const row = values.data() + first;
        float* const out = destination + first;
        if (rowValues < lanes) {
            for (std::size_t i = 0; i < rowValues; ++i) {
                mapVector(hn::CappedTag<float, 1>(), map, row, i, out);
            }
            continue;
        }
        for (std::size_t i = 0; i < rowValues; i += lanes) {
            mapVector(d, map, row, std::min(i, rowValues - lanes), out);
        }
    }
}

} // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep {

HWY_EXPORT(gather);
HWY_EXPORT(sum);
HWY_EXPORT(mapAll);

void gatherCrop(const CropWindow& window, std::uint8_t* destination)
{
    HWY_DYNAMIC_DISPATCH(gather)(window, destination);
}

void sumChannels(std::span<const std::uint8_t> values, std::span<ChannelSums> sums)
{
    HWY_DYNAMIC_DISPATCH(sum)(values, sums);
}

void mapRows(const RowMap& map, std::span<const std::uint8_t> values, float* destination)
{
    HWY_DYNAMIC_DISPATCH(mapAll)(map, values, destination);
}

} // namespace lockstep
#endif
