// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_colour_kernels.h"

#include <algorithm>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "input/photo/photo_colour_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// Pixels that are worked on at a time, whatever the vectors' length, and their values.
constexpr std::size_t kBlockPixels = 16;
constexpr std::size_t kBlock = 3 * kBlockPixels;
/// Blocks that are summed in float32 before they are added up in float64.
constexpr std::size_t kBlocksOfSum = 64;

struct HWY_ALIGN BlockValues
{
    std::array<float, kBlock> values{};
};

/// The first part of a pass, whose channels do not mix: x + brightness, then by the means.
HWY_INLINE void stretchBlock(const ColourPass& pass, const BlockValues& means, float* block)
{
    const Floats d;
    const auto brightness = hn::Set(d, pass.brightness);
    const auto contrast = hn::Set(d, pass.contrast);
    for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
        const auto mean = hn::Load(d, means.values.data() + i);
        const auto distance = hn::Sub(hn::Add(hn::LoadU(d, block + i), brightness), mean);
        hn::StoreU(hn::Add(hn::Mul(distance, contrast), mean), d, block + i);
    }
}

/// How much of a pure colour there is, by the distance of its hue from where it has most of it.
HWY_INLINE Vector pureShare(Vector distance)
{
    const Floats d;
    return hn::Min(hn::Max(distance, hn::Zero(d)), hn::Set(d, 1.0F));
}

/// Saturation, then hue. Between the two the way back to red, green and blue and here again would
/// change nothing.
HWY_INLINE void turnPixels(const ColourPass& pass, Vector& red, Vector& green, Vector& blue)
{
    const Floats d;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    const auto number = [&](float value) { return hn::Set(d, value); };
    const auto most = hn::Max(hn::Max(red, green), blue);
    const auto range = hn::Sub(most, hn::Min(hn::Min(red, green), blue));
    const auto share = hn::Div(range, hn::IfThenElse(hn::Gt(most, zero), most, number(1.0F)));
    const auto wanted = hn::Min(hn::Max(hn::Mul(share, number(pass.saturation)), zero), one);
    const auto saturation = hn::IfThenElseZero(hn::Gt(most, zero), wanted);
    const auto isRed = hn::Eq(red, most);
    const auto isGreen = hn::Eq(green, most);
    const auto side = hn::IfThenElse(
        isRed, hn::Sub(green, blue),
        hn::IfThenElse(isGreen, hn::Sub(blue, red), hn::Sub(red, green)));
    const auto base =
        hn::IfThenElse(isRed, zero, hn::IfThenElse(isGreen, number(2.0F), number(4.0F)));
    // A grey has no hue and gets that of red, of which it takes nothing.
    const auto span = hn::IfThenElse(hn::Gt(range, zero), range, one);
    const auto sixth = hn::Add(hn::Div(side, span), base);
    const auto turned = hn::Add(hn::Mul(sixth, number(1.0F / 6.0F)), number(pass.hue));
    const auto sixths = hn::Mul(hn::Sub(turned, hn::Floor(turned)), number(6.0F));
    const auto away = [&](float place) { return hn::Abs(hn::Sub(sixths, number(place))); };
    const auto rest = hn::Sub(one, saturation);
    const auto mixed = [&](Vector pure) {
        return hn::Mul(hn::Add(rest, hn::Mul(saturation, pureShare(pure))), most);
    };
    red = mixed(hn::Sub(away(3.0F), one));
    green = mixed(hn::Sub(number(2.0F), away(2.0F)));
    blue = mixed(hn::Sub(number(2.0F), away(4.0F)));
}

HWY_INLINE void turnBlock(const ColourPass& pass, float* block)
{
    const Floats d;
    for (std::size_t i = 0; i < kBlock; i += 3 * hn::Lanes(d)) {
        auto red = hn::Zero(d);
        auto green = hn::Zero(d);
        auto blue = hn::Zero(d);
        hn::LoadInterleaved3(d, block + i, red, green, blue);
        turnPixels(pass, red, green, blue);
        hn::StoreInterleaved3(red, green, blue, d, block + i);
    }
}

HWY_INLINE void mapBlock(float* block)
{
    const Floats d;
    const auto one = hn::Set(d, 1.0F);
    for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
        const auto clipped = hn::Min(hn::Max(hn::LoadU(d, block + i), hn::Zero(d)), one);
        const auto centered = hn::Sub(clipped, hn::Set(d, 0.5F));
        hn::StoreU(hn::Add(centered, centered), d, block + i);
    }
}

HWY_INLINE void addBlock(const float* block, BlockValues& sums)
{
    const Floats d;
    for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
        float* const sum = sums.values.data() + i;
        hn::Store(hn::Add(hn::Load(d, sum), hn::LoadU(d, block + i)), d, sum);
    }
}

void addTotals(BlockValues& sums, std::array<double, 3>& totals)
{
    for (std::size_t i = 0; i < kBlock; ++i) {
        totals[i % 3] += static_cast<double>(sums.values[i]);
    }
    sums = {};
}

class Passing
{
public:
    explicit Passing(const ColourPass& pass)
        : m_pass(pass), m_isStretched(pass.brightness != 0.0F || pass.contrast != 1.0F),
          m_isTurned(pass.saturation != 1.0F || pass.hue != 0.0F)
    {
        for (std::size_t i = 0; i < kBlock; ++i) {
            m_means.values[i] = pass.contrast != 1.0F ? pass.means[i % 3] : 0.0F;
        }
    }

    HWY_INLINE void apply(float* block) const
    {
        if (m_isStretched) {
            stretchBlock(m_pass, m_means, block);
        }
        if (m_isTurned) {
            turnBlock(m_pass, block);
        }
        if (m_pass.isMapped) {
            mapBlock(block);
        }
    }

private:
    const ColourPass& m_pass;
    bool m_isStretched;
    bool m_isTurned;
    BlockValues m_means;
};

std::array<double, 3> passAll(const ColourPass& pass, std::span<float> pixels)
{
    const Passing passing(pass);
    std::array<double, 3> totals{};
    BlockValues sums;
    std::size_t blocks = 0;
    std::size_t i = 0;
    for (; i + kBlock <= pixels.size(); i += kBlock) {
        passing.apply(pixels.data() + i);
        addBlock(pixels.data() + i, sums);
        if (++blocks % kBlocksOfSum == 0) {
            addTotals(sums, totals);
        }
    }
    BlockValues rest;
    const auto left = pixels.subspan(i);
    std::ranges::copy(left, rest.values.begin());
    passing.apply(rest.values.data());
    std::copy_n(rest.values.begin(), left.size(), left.begin());
    std::fill(rest.values.begin() + std::ssize(left), rest.values.end(), 0.0F);
    addBlock(rest.values.data(), sums);
    addTotals(sums, totals);
    return totals;
}

} // namespace lockstep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep {

HWY_EXPORT(passAll);

std::array<double, 3> passColours(const ColourPass& pass, std::span<float> pixels)
{
    return HWY_DYNAMIC_DISPATCH(passAll)(pass, pixels);
}

} // namespace lockstep
#endif
