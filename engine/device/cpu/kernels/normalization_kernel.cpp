// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/normalization_kernel.h"

#include <array>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/normalization_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// Calls body(tag, N, c) for N vectors of channels from c on, N a constant: several at once, so
/// that their sums do not wait for each other; at the end channel by channel.
template<class Lane, class Body>
HWY_INLINE void forEachGroup(std::int64_t block, Body body)
{
    const hn::ScalableTag<Lane> whole;
    const hn::CappedTag<Lane, 1> one;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(whole));
    std::int64_t c = 0;
    for (; c + 4 * lanes <= block; c += 4 * lanes) {
        body(whole, std::integral_constant<int, 4>{}, c);
    }
    for (; c + 2 * lanes <= block; c += 2 * lanes) {
        body(whole, std::integral_constant<int, 2>{}, c);
    }
    for (; c + lanes <= block; c += lanes) {
        body(whole, std::integral_constant<int, 1>{}, c);
    }
    for (; c < block; ++c) {
        body(one, std::integral_constant<int, 1>{}, c);
    }
}

/// Vector number `i` of those from `from` on.
template<class D>
HWY_INLINE std::int64_t place(D d, int i)
{
    return i * static_cast<std::int64_t>(hn::Lanes(d));
}

template<class D, class T>
HWY_INLINE hn::Vec<D> loadDoubles(D d, const T* from)
{
    const hn::Rebind<float, D> half;
    return hn::PromoteTo(d, loadElements(half, from));
}

template<class T>
void momentsOf(const CellBlock& cells, const T* src, double* sums)
{
    forEachGroup<double>(cells.block, [&](auto d, auto count, std::int64_t c) HWY_ATTR {
        constexpr int kCount = decltype(count)::value;
        std::array<hn::Vec<decltype(d)>, kCount> sum;
        std::array<hn::Vec<decltype(d)>, kCount> squares;
        sum.fill(hn::Zero(d));
        squares.fill(hn::Zero(d));
        const T* cell = src + c;
        for (std::int64_t p = 0; p < cells.positions; ++p, cell += cells.block) {
            for (int i = 0; i < kCount; ++i) {
                const auto value = loadDoubles(d, cell + place(d, i));
                sum[i] = hn::Add(sum[i], value);
                squares[i] = hn::MulAdd(value, value, squares[i]);
            }
        }
        for (int i = 0; i < kCount; ++i) {
            hn::StoreU(sum[i], d, sums + c + place(d, i));
            hn::StoreU(squares[i], d, sums + cells.block + c + place(d, i));
        }
    });
}

template<class D>
struct Line
{
    hn::Vec<D> scale;
    hn::Vec<D> shift;

    Line() = default;
    HWY_INLINE Line(D d, const NormalizationLine& line, std::int64_t c)
        : scale(hn::LoadU(d, line.scale + c)), shift(hn::LoadU(d, line.shift + c))
    {
    }
    [[nodiscard]] HWY_INLINE hn::Vec<D> at(hn::Vec<D> value) const
    {
        return hn::MulAdd(scale, value, shift);
    }
};

template<class T>
void normalizeOf(const CellBlock& cells, const NormalizationLine& line, const T* src, T* dst)
{
    forEachGroup<float>(cells.block, [&](auto d, auto count, std::int64_t c) HWY_ATTR {
        constexpr int kCount = decltype(count)::value;
        std::array<Line<decltype(d)>, kCount> lines;
        for (int i = 0; i < kCount; ++i) {
            lines[i] = {d, line, c + place(d, i)};
        }
        const T* from = src + c;
        T* to = dst + c;
        for (std::int64_t p = 0; p < cells.positions; ++p) {
            for (int i = 0; i < kCount; ++i) {
                const auto value = lines[i].at(loadElements(d, from + place(d, i)));
                storeElements(d, line.isRelu ? rectified(d, value) : value, to + place(d, i));
            }
            from += cells.block;
            to += cells.dstStride;
        }
    });
}

/// diffDst, or 0 where the ReLU was off.
template<class D, class T>
HWY_INLINE hn::Vec<D> behindRelu(
    D d, const Line<D>& line, bool isRelu, hn::Vec<D> src, const T* diffDst)
{
    const auto diff = loadElements(d, diffDst);
    return isRelu ? hn::IfThenZeroElse(hn::Le(line.at(src), hn::Zero(d)), diff) : diff;
}

template<class T>
void gradientSumsOf(
    const CellBlock& cells, const NormalizationLine& line, const NormalizationTensors& tensors,
    double* sums)
{
    const auto* src = reinterpret_cast<const T*>(tensors.src);
    const auto* diffDst = reinterpret_cast<const T*>(tensors.diffDst);
    forEachGroup<double>(cells.block, [&](auto d, auto count, std::int64_t c) HWY_ATTR {
        constexpr int kCount = decltype(count)::value;
        const hn::Rebind<float, decltype(d)> half;
        std::array<Line<hn::Rebind<float, decltype(d)>>, kCount> lines;
        std::array<hn::Vec<decltype(d)>, kCount> sum;
        std::array<hn::Vec<decltype(d)>, kCount> products;
        sum.fill(hn::Zero(d));
        products.fill(hn::Zero(d));
        for (int i = 0; i < kCount; ++i) {
            lines[i] = {half, line, c + place(d, i)};
        }
        const T* cell = src + c;
        const T* diffs = diffDst + c;
        for (std::int64_t p = 0; p < cells.positions; ++p) {
            for (int i = 0; i < kCount; ++i) {
                const std::int64_t at = place(d, i);
                const auto value = loadElements(half, cell + at);
                const auto diff =
                    hn::PromoteTo(d, behindRelu(half, lines[i], line.isRelu, value, diffs + at));
                sum[i] = hn::Add(sum[i], diff);
                products[i] = hn::MulAdd(diff, hn::PromoteTo(d, value), products[i]);
            }
            cell += cells.block;
            diffs += cells.dstStride;
        }
        for (int i = 0; i < kCount; ++i) {
            hn::StoreU(sum[i], d, sums + c + place(d, i));
            hn::StoreU(products[i], d, sums + cells.block + c + place(d, i));
        }
    });
}

template<class T>
void backwardOf(
    const CellBlock& cells, const NormalizationSlopes& slopes, const NormalizationTensors& tensors)
{
    const auto* src = reinterpret_cast<const T*>(tensors.src);
    const auto* diffDst = reinterpret_cast<const T*>(tensors.diffDst);
    auto* diffSrc = reinterpret_cast<T*>(tensors.diffSrc);
    forEachGroup<float>(cells.block, [&](auto d, auto count, std::int64_t c) HWY_ATTR {
        constexpr int kCount = decltype(count)::value;
        std::array<Line<decltype(d)>, kCount> lines;
        std::array<hn::Vec<decltype(d)>, kCount> slope;
        std::array<Line<decltype(d)>, kCount> rest;
        for (int i = 0; i < kCount; ++i) {
            lines[i] = {d, slopes.line, c + place(d, i)};
            slope[i] = hn::LoadU(d, slopes.slope + c + place(d, i));
            rest[i] = {d, {slopes.ofSrc, slopes.constant, false}, c + place(d, i)};
        }
        const T* cell = src + c;
        const T* diffs = diffDst + c;
        T* to = diffSrc + c;
        for (std::int64_t p = 0; p < cells.positions; ++p) {
            for (int i = 0; i < kCount; ++i) {
                const std::int64_t at = place(d, i);
                const auto value = loadElements(d, cell + at);
                const auto diff = behindRelu(d, lines[i], slopes.line.isRelu, value, diffs + at);
                storeElements(d, hn::MulAdd(slope[i], diff, rest[i].at(value)), to + at);
            }
            cell += cells.block;
            diffs += cells.dstStride;
            to += cells.block;
        }
    });
}

void moments(const CellBlock& cells, const std::byte* src, double* sums)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        momentsOf(cells, reinterpret_cast<const decltype(zero)*>(src), sums);
    });
}

void forward(
    const CellBlock& cells, const NormalizationLine& line, const std::byte* src, std::byte* dst)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        using T = decltype(zero);
        normalizeOf(cells, line, reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

void gradientSums(
    const CellBlock& cells, const NormalizationLine& line, const NormalizationTensors& tensors,
    double* sums)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        gradientSumsOf<decltype(zero)>(cells, line, tensors, sums);
    });
}

void backward(
    const CellBlock& cells, const NormalizationSlopes& slopes, const NormalizationTensors& tensors)
{
    withElement(cells.element, [&](auto zero) HWY_ATTR {
        backwardOf<decltype(zero)>(cells, slopes, tensors);
    });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(moments);
HWY_EXPORT(forward);
HWY_EXPORT(gradientSums);
HWY_EXPORT(backward);

void sumMoments(const CellBlock& cells, const std::byte* src, double* sums)
{
    HWY_DYNAMIC_DISPATCH(moments)(cells, src, sums);
}

void normalize(
    const CellBlock& cells, const NormalizationLine& line, const std::byte* src, std::byte* dst)
{
    HWY_DYNAMIC_DISPATCH(forward)(cells, line, src, dst);
}

void sumGradients(
    const CellBlock& cells, const NormalizationLine& line, const NormalizationTensors& tensors,
    double* sums)
{
    HWY_DYNAMIC_DISPATCH(gradientSums)(cells, line, tensors, sums);
}

void normalizeBackward(
    const CellBlock& cells, const NormalizationSlopes& slopes, const NormalizationTensors& tensors)
{
    HWY_DYNAMIC_DISPATCH(backward)(cells, slopes, tensors);
}

} // namespace lockstep::cpu
#endif
