// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/dropout_kernel.h"

#include "base/philox.h"
#include "network/dropout.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/dropout_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// Blocks of four numbers that are drawn at once: lanes for the compiler to fill.
constexpr std::int64_t kBlocks = 16;

/// Philox 4x32-10 (see base/philox.h): the numbers of block `first` and of those after it, in the
/// order in which a stream gives them.
HWY_INLINE void drawBlocks(const DropoutRow& row, std::uint32_t first, std::uint32_t* numbers)
{
    constexpr int kRounds = 10;
    std::uint32_t c0[kBlocks];
    std::uint32_t c1[kBlocks];
    std::uint32_t c2[kBlocks];
    std::uint32_t c3[kBlocks];
    for (std::uint32_t i = 0; i < kBlocks; ++i) {
        c0[i] = first + i;
        c1[i] = row.row;
        c2[i] = row.step;
        c3[i] = static_cast<std::uint32_t>(RandomPurpose::Dropout);
    }
    auto key0 = static_cast<std::uint32_t>(row.seed);
    auto key1 = static_cast<std::uint32_t>(row.seed >> 32U);
    for (int round = 0; round < kRounds; ++round) {
        for (std::int64_t i = 0; i < kBlocks; ++i) {
            const std::uint64_t product0 = std::uint64_t{c0[i]} * 0xD2511F53U;
            const std::uint64_t product2 = std::uint64_t{c2[i]} * 0xCD9E8D57U;
            c0[i] = static_cast<std::uint32_t>(product2 >> 32U) ^ c1[i] ^ key0;
            c1[i] = static_cast<std::uint32_t>(product2);
            c2[i] = static_cast<std::uint32_t>(product0 >> 32U) ^ c3[i] ^ key1;
            c3[i] = static_cast<std::uint32_t>(product0);
        }
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    for (std::int64_t i = 0; i < kBlocks; ++i) {
        numbers[4 * i] = c0[i];
        numbers[4 * i + 1] = c1[i];
        numbers[4 * i + 2] = c2[i];
        numbers[4 * i + 3] = c3[i];
    }
}

template<class T>
void dropOutOf(const Dropout& dropout, const DropoutRow& row, const DropoutValues& values)
{
    constexpr std::int64_t kDrawn = 4 * kBlocks;
    std::uint32_t numbers[kDrawn];
    const auto factor = static_cast<float>(1.0 / dropout.keep);
    // A uniform number is a whole number of 24 bits / 2^24, and both are exact in float32.
    const float below = keptBelow(dropout) * 0x1p24F;
    const T* src = reinterpret_cast<const T*>(values.src);
    T* dst = reinterpret_cast<T*>(values.dst);
    for (std::int64_t at = 0; at < values.count; at += kDrawn) {
        drawBlocks(row, static_cast<std::uint32_t>((values.first + at) / 4), numbers);
        const std::int64_t count = std::min(kDrawn, values.count - at);
        forEachVector(count, [&](auto f, std::int64_t i) HWY_ATTR {
            const hn::RebindToUnsigned<decltype(f)> bits;
            const hn::RebindToSigned<decltype(f)> whole;
            const auto drawn = hn::ShiftRight<8>(hn::LoadU(bits, numbers + i));
            const auto uniform = hn::ConvertTo(f, hn::BitCast(whole, drawn));
            const auto value = hn::Mul(loadElements(f, src + at + i), hn::Set(f, factor));
            storeElements(
                f, hn::IfThenElseZero(hn::Lt(uniform, hn::Set(f, below)), value), dst + at + i);
        });
    }
}

void dropOut(
    const Dropout& dropout, const DropoutRow& row, Element element, const DropoutValues& values)
{
    element == Element::Float32 ? dropOutOf<float>(dropout, row, values)
                                : dropOutOf<Bfloat16>(dropout, row, values);
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(dropOut);

void dropOut(
    const Dropout& dropout, const DropoutRow& row, Element element, const DropoutValues& values)
{
    HWY_DYNAMIC_DISPATCH(dropOut)(dropout, row, element, values);
}

} // namespace lockstep::cpu
#endif
