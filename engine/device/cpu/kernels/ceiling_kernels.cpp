// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/ceiling_kernels.h"

#include <utility>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/ceiling_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums that do not wait for each other. Pipelines hold 2 x 5 at most, and with the two factors
/// twelve fit the 16 registers of AVX2.
constexpr std::size_t kChains = 12;
constexpr int kRounds = 2000;

/// A parameter for each chain and not an array, so that all of them stay in registers.
template<class D, class... Chain>
HWY_INLINE std::size_t runMultiplyAdds(D d, Chain... chain)
{
    const auto half = hn::Set(d, 0.5F);
    const auto one = hn::Set(d, 1.0F);
    for (int round = 0; round < kRounds; ++round) {
        ((chain = hn::MulAdd(chain, half, one)), ...);
    }
    auto sum = hn::Zero(d);
    ((sum = hn::Add(sum, chain)), ...);
    // Looked at, or the compiler would leave the work out.
    return hn::GetLane(sum) > 0.0F ? sizeof...(chain) : 0;
}

template<std::size_t... n>
HWY_INLINE std::size_t runChains(std::index_sequence<n...> /*chains*/)
{
    // Different values, or the compiler would make one chain of them.
    const hn::ScalableTag<float> d;
    return runMultiplyAdds(d, hn::Set(d, static_cast<float>(n))...);
}

double multiplyAdds()
{
    constexpr int kFlop = 2;
    const std::size_t chains = runChains(std::make_index_sequence<kChains>());
    return static_cast<double>(chains * hn::Lanes(hn::ScalableTag<float>())) * kRounds * kFlop;
}

void streamCopy(const float* from, std::int64_t count, float* to)
{
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < count; i += lanes) {
        hn::Stream(hn::Load(d, from + i), d, to + i);
    }
    hwy::FlushStream();
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <immintrin.h>

namespace lockstep::cpu {

HWY_EXPORT(multiplyAdds);
HWY_EXPORT(streamCopy);

double multiplyAdds()
{
    return HWY_DYNAMIC_DISPATCH(multiplyAdds)();
}

void streamCopy(const float* from, std::int64_t count, float* to)
{
    HWY_DYNAMIC_DISPATCH(streamCopy)(from, count, to);
}

// Outside of Highway, whose 1.0 does not know this instruction.
#define LOCKSTEP_AVX512_BF16 __attribute__((target("avx512bf16,avx512f")))

namespace {

using HWY_NAMESPACE::kChains;
using HWY_NAMESPACE::kRounds;

template<class... Chain>
LOCKSTEP_AVX512_BF16 std::size_t runDotProducts(Chain... chain)
{
    const __m512 one = _mm512_set1_ps(1.0F);
    const __m512bh ones = _mm512_cvtne2ps_pbh(one, one);
    for (int round = 0; round < kRounds; ++round) {
        ((chain = _mm512_dpbf16_ps(chain, ones, ones)), ...);
    }
    __m512 sum = _mm512_setzero_ps();
    ((sum = _mm512_add_ps(sum, chain)), ...);
    return _mm512_cvtss_f32(sum) > 0.0F ? sizeof...(chain) : 0;
}

template<std::size_t... n>
LOCKSTEP_AVX512_BF16 std::size_t runChains(std::index_sequence<n...> /*chains*/)
{
    return runDotProducts(_mm512_set1_ps(static_cast<float>(n))...);
}

} // namespace

double bfloat16DotProducts()
{
    constexpr int kFlop = 2 * 32; // of one instruction
    return static_cast<double>(runChains(std::make_index_sequence<kChains>())) * kRounds * kFlop;
}

} // namespace lockstep::cpu
#endif
