// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/average_pool_kernel.h"

#include "device/cpu/parallel_ranges.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/average_pool_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/elements-inl.h"
#include "device/cpu/pool_cells-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

template<class T>
void meansOf(const AveragePoolKernel& kernel, const PoolRange& range, const T* src, T* dst)
{
    const std::int64_t block = kernel.work().src.block;
    const std::int64_t srcPlane = kernel.work().src.positions * block;
    const PoolMeetings& cells = kernel.windows().ofDst();
    forEachCell(
        range, cells, [&](std::int64_t plane, std::size_t cell, std::int64_t number) HWY_ATTR {
            const auto window = cells.of(cell);
            const float share = kernel.share(cell);
            const T* from = src + plane * srcPlane;
            forEachVector(block, [&](auto d, std::int64_t c) HWY_ATTR {
                auto sum = hn::Zero(d);
                for (const PoolMeeting& one : window) {
                    sum = hn::Add(sum, loadElements(d, from + one.other * block + c));
                }
                storeElements(d, hn::Mul(sum, hn::Set(d, share)), dst + number * block + c);
            });
        });
}

template<class T>
void sharesOf(const AveragePoolKernel& kernel, const PoolRange& range, const T* diffDst, T* diffSrc)
{
    const std::int64_t block = kernel.work().src.block;
    const std::int64_t dstPlane = kernel.work().dstHeight * kernel.work().dstWidth * block;
    const PoolMeetings& cells = kernel.windows().ofSrc();
    forEachCell(
        range, cells, [&](std::int64_t plane, std::size_t cell, std::int64_t number) HWY_ATTR {
            const auto windows = cells.of(cell);
            const T* from = diffDst + plane * dstPlane;
            forEachVector(block, [&](auto d, std::int64_t c) HWY_ATTR {
                auto sum = hn::Zero(d);
                for (const PoolMeeting& one : windows) {
                    const float share = kernel.share(static_cast<std::size_t>(one.other));
                    sum = hn::MulAdd(
                        loadElements(d, from + one.other * block + c), hn::Set(d, share), sum);
                }
                storeElements(d, sum, diffSrc + number * block + c);
            });
        });
}

void averageForward(
    const AveragePoolKernel& kernel, const PoolRange& range, const std::byte* src, std::byte* dst)
{
    if (kernel.work().src.element == Element::Float32) {
        meansOf(kernel, range, reinterpret_cast<const float*>(src), reinterpret_cast<float*>(dst));
    } else {
        meansOf(
            kernel, range, reinterpret_cast<const Bfloat16*>(src),
            reinterpret_cast<Bfloat16*>(dst));
    }
}

void averageBackward(
    const AveragePoolKernel& kernel, const PoolRange& range, const std::byte* diffDst,
    std::byte* diffSrc)
{
    if (kernel.work().src.element == Element::Float32) {
        sharesOf(
            kernel, range, reinterpret_cast<const float*>(diffDst),
            reinterpret_cast<float*>(diffSrc));
    } else {
        sharesOf(
            kernel, range, reinterpret_cast<const Bfloat16*>(diffDst),
            reinterpret_cast<Bfloat16*>(diffSrc));
    }
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(averageForward);
HWY_EXPORT(averageBackward);

AveragePoolKernel::AveragePoolKernel(const PoolWork& work) : m_work(work), m_windows(work)
{
    for (std::size_t cell = 0; cell < m_windows.ofDst().cells(); ++cell) {
        m_shares.push_back(1.0F / static_cast<float>(m_windows.ofDst().of(cell).size()));
    }
}

void AveragePoolKernel::forward(const std::byte* src, std::byte* dst) const
{
    const std::int64_t cells = cellsOf(m_work, m_windows.ofDst());
    forRanges(m_work.threads, cells, [&](std::int64_t first, std::int64_t end) {
        HWY_DYNAMIC_DISPATCH(averageForward)(*this, {first, end}, src, dst);
    });
}

void AveragePoolKernel::backward(const std::byte* diffDst, std::byte* diffSrc) const
{
    const std::int64_t cells = cellsOf(m_work, m_windows.ofSrc());
    forRanges(m_work.threads, cells, [&](std::int64_t first, std::int64_t end) {
        HWY_DYNAMIC_DISPATCH(averageBackward)(*this, {first, end}, diffDst, diffSrc);
    });
}

} // namespace lockstep::cpu
#endif
