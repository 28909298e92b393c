// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_resize_kernels.h"

#include <algorithm>
#include <array>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "input/photo/photo_resize_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template<class Tag>
HWY_INLINE void mixVector(Tag d, std::span<const SharedRow> rows, std::size_t i, float* line)
{
    const hn::Rebind<std::uint8_t, Tag> bytes;
    const hn::Rebind<std::int32_t, Tag> numbers;
    auto sum = hn::Zero(d);
    for (const SharedRow& row : rows) {
        const auto x = hn::ConvertTo(d, hn::PromoteTo(numbers, hn::LoadU(bytes, row.values + i)));
        sum = hn::Add(sum, hn::Mul(x, hn::Set(d, row.share)));
    }
    hn::StoreU(sum, d, line + i);
}

/// By whole vectors; the last one may overlap the one before it.
void mixAllRows(std::span<const SharedRow> rows, std::span<float> line)
{
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    if (line.size() < lanes) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            mixVector(hn::CappedTag<float, 1>(), rows, i, line.data());
        }
        return;
    }
    for (std::size_t i = 0; i < line.size(); i += lanes) {
        mixVector(d, rows, std::min(i, line.size() - lanes), line.data());
    }
}

/// `pixel` gets three channels, and a fourth value that means nothing.
HWY_INLINE void mixPixel(
    const ResizeTaps& taps, const float* line, std::size_t begin, std::size_t end, float* pixel)
{
    const hn::CappedTag<float, 4> d; // one lane where there are no vectors
    for (std::size_t c = 0; c < 4; c += hn::Lanes(d)) {
        auto sum = hn::Zero(d);
        for (std::size_t tap = begin; tap < end; ++tap) {
            const float* const from = line + std::ptrdiff_t{3} * taps.places[tap] + c;
            sum = hn::Add(sum, hn::Mul(hn::LoadU(d, from), hn::Set(d, taps.shares[tap])));
        }
        hn::StoreU(sum, d, pixel + c);
    }
}

void mixAllColumns(const ResizeTaps& taps, const float* line, std::span<float> row)
{
    const std::size_t last = taps.ends.size() - 1;
    std::size_t begin = 0;
    for (std::size_t x = 0; x < last; ++x) {
        const auto end = static_cast<std::size_t>(taps.ends[x]);
        mixPixel(taps, line, begin, end, row.data() + 3 * x); // the next overwrites the fourth
        begin = end;
    }
    std::array<float, 4> pixel{};
    mixPixel(taps, line, begin, static_cast<std::size_t>(taps.ends[last]), pixel.data());
    std::copy_n(pixel.data(), 3, row.data() + 3 * last);
}

} // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep {

HWY_EXPORT(mixAllRows);
HWY_EXPORT(mixAllColumns);

void mixRows(std::span<const SharedRow> rows, std::span<float> line)
{
    HWY_DYNAMIC_DISPATCH(mixAllRows)(rows, line);
}

void mixColumns(const ResizeTaps& taps, const float* line, std::span<float> row)
{
    HWY_DYNAMIC_DISPATCH(mixAllColumns)(taps, line, row);
}

} // namespace lockstep
#endif
