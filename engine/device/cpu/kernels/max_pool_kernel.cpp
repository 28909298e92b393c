// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/max_pool_kernel.h"

#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/max_pool_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

#ifndef LOCKSTEP_POOL_RANGE
#define LOCKSTEP_POOL_RANGE
namespace lockstep::cpu {

/// Cells of all planes, one plane after the other.
struct PoolRange
{
    std::int64_t first;
    std::int64_t end;
};

/// What both directions read and write; `index` may be null forward.
struct PoolForward
{
    const std::byte* src;
    std::byte* dst;
    std::byte* index;
};
struct PoolBackward
{
    const std::byte* diffDst;
    const std::byte* index;
    std::byte* diffSrc;
};

} // namespace lockstep::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// float32 as the search for the largest compares it.
struct FloatKeys
{
    using Value = float;
    using Lane = float;

    template<class D>
    static HWY_INLINE hn::Vec<D> load(D d, const float* from)
    {
        return hn::LoadU(d, from);
    }
    template<class D>
    static HWY_INLINE void store(D d, hn::Vec<D> keys, float* to)
    {
        hn::StoreU(keys, d, to);
    }
    template<class D>
    static HWY_INLINE hn::Mask<D> isNan(D /*d*/, hn::Vec<D> keys)
    {
        return hn::IsNaN(keys);
    }

    /// Becomes a NaN once it has seen one (or an infinity, which costs time only).
    template<class D>
    static HWY_INLINE hn::Vec<D> watch(D d, hn::Vec<D> keys, hn::Vec<D> seen)
    {
        return hn::MulAdd(keys, hn::Zero(d), seen);
    }
};

/// bfloat16 as whole numbers in the same order: half the width. A zero loses its sign.
struct HalfKeys
{
    using Value = Bfloat16;
    using Lane = std::int16_t;
    static constexpr std::int16_t kInfinity = 0x7F80;

    template<class D>
    static HWY_INLINE hn::Vec<D> load(D d, const Bfloat16* from)
    {
        const auto bits = hn::LoadU(d, reinterpret_cast<const std::int16_t*>(from));
        const auto sign = hn::ShiftRight<15>(bits);
        return hn::Sub(hn::Xor(hn::And(bits, hn::Set(d, 0x7FFF)), sign), sign);
    }
    template<class D>
    static HWY_INLINE void store(D d, hn::Vec<D> keys, Bfloat16* to)
    {
        const auto sign = hn::ShiftRight<15>(keys);
        const auto magnitude = hn::Sub(hn::Xor(keys, sign), sign);
        const auto bits = hn::Or(magnitude, hn::ShiftLeft<15>(sign));
        hn::StoreU(bits, d, reinterpret_cast<std::int16_t*>(to));
    }
    template<class D>
    static HWY_INLINE hn::Mask<D> isNan(D d, hn::Vec<D> keys)
    {
        return hn::Gt(hn::Abs(keys), hn::Set(d, kInfinity));
    }

    /// The largest magnitude so far.
    template<class D>
    static HWY_INLINE hn::Vec<D> watch(D /*d*/, hn::Vec<D> keys, hn::Vec<D> seen)
    {
        return hn::Max(hn::Abs(keys), seen);
    }
};

/// What forward found for some channels of a cell of dst.
template<class D>
struct Found
{
    hn::Vec<D> largest;                      ///< as keys
    hn::Vec<hn::RebindToUnsigned<D>> places; ///< of its cell in the window
};

/// Calls body(tag, channel) for the channels of a block: by whole vectors, by halves (a block of 16
/// is half a vector of 16-bit lanes), then one by one.
template<class Lane, class Body>
HWY_INLINE void forEachChannel(std::int64_t channels, Body body)
{
    const hn::ScalableTag<Lane> whole;
    const hn::CappedTag<Lane, 16> some;
    const hn::CappedTag<Lane, 1> one;
    std::int64_t c = 0;
    for (; c + static_cast<std::int64_t>(hn::Lanes(whole)) <= channels;
         c += static_cast<std::int64_t>(hn::Lanes(whole))) {
        body(whole, c);
    }
    for (; c + static_cast<std::int64_t>(hn::Lanes(some)) <= channels;
         c += static_cast<std::int64_t>(hn::Lanes(some))) {
        body(some, c);
    }
    for (; c < channels; ++c) {
        body(one, c);
    }
}

/// Pooling of tensors whose values compare as Keys, with places kept as Index.
template<class Keys, class Index>
class Pool
{
public:
    using T = typename Keys::Value;

    explicit Pool(const MaxPoolKernel& kernel)
        : m_kernel(kernel), m_block(kernel.work().src.block), m_dstStride(kernel.dst().stride())
    {
    }

    void forward(const PoolRange& range, const PoolForward& tensors) const
    {
        const auto* src = reinterpret_cast<const T*>(tensors.src);
        auto* dst = reinterpret_cast<T*>(tensors.dst);
        auto* index = reinterpret_cast<Index*>(tensors.index);
        const PoolPairs& cells = m_kernel.ofDst();
        const std::int64_t srcPlane = planeSize(m_kernel.ofSrc());
        forEachCell(
            range, cells, [&](const Plane& plane, std::size_t cell, std::int64_t at) HWY_ATTR {
                const auto window = cells.of(cell);
                const T* from = src + plane.number * srcPlane;
                T* to = dst + plane.dst + static_cast<std::int64_t>(cell) * m_dstStride;
                forEachChannel<typename Keys::Lane>(m_block, [&](auto d, std::int64_t c) HWY_ATTR {
                    const auto found = findLargest(d, window, from + c);
                    Keys::store(d, found.largest, to + c);
                    if (index != nullptr) {
                        storePlaces(d, found.places, index + at + c);
                    }
                });
            });
    }

    void backward(const PoolRange& range, const PoolBackward& tensors) const
    {
        const auto* diffDst = reinterpret_cast<const T*>(tensors.diffDst);
        const auto* index = reinterpret_cast<const Index*>(tensors.index);
        auto* diffSrc = reinterpret_cast<T*>(tensors.diffSrc);
        const PoolPairs& cells = m_kernel.ofSrc();
        const std::int64_t dstPlane = planeSize(m_kernel.ofDst());
        forEachCell(
            range, cells, [&](const Plane& plane, std::size_t cell, std::int64_t at) HWY_ATTR {
                const auto windows = cells.of(cell);
                const T* diffs = diffDst + plane.dst;
                const Index* places = index + plane.number * dstPlane;
                forEachChannel<float>(m_block, [&](auto d, std::int64_t c) HWY_ATTR {
                    const auto sum = gather(d, windows, diffs + c, places + c);
                    storeElements(d, sum, diffSrc + at + c);
                });
            });
    }

private:
    /// Place of values that ReLU made 0: no cell gets their gradient.
    static constexpr Index kNone = std::numeric_limits<Index>::max();

    /// A block of channels of an image.
    struct Plane
    {
        std::int64_t number = 0;
        std::int64_t dst = 0; ///< its first value there
    };

    /// Calls body(plane, cell of it, first value) for the cells of the range.
    template<class Body>
    HWY_INLINE void forEachCell(const PoolRange& range, const PoolPairs& cells, Body body) const
    {
        const auto perPlane = static_cast<std::int64_t>(cells.cells());
        std::int64_t i = range.first;
        while (i < range.end) {
            const Plane plane = planeAt(i / perPlane);
            const std::int64_t begin = plane.number * perPlane;
            for (; i < std::min(range.end, begin + perPlane); ++i) {
                body(plane, static_cast<std::size_t>(i - begin), i * m_block);
            }
        }
    }

    [[nodiscard]] Plane planeAt(std::int64_t number) const
    {
        const std::int64_t blocks = m_kernel.work().src.blocks;
        return {number, m_kernel.dst().of({number / blocks, number % blocks, 0, 0})};
    }

    [[nodiscard]] std::int64_t planeSize(const PoolPairs& cells) const
    {
        return static_cast<std::int64_t>(cells.cells()) * m_block;
    }

    template<class D>
    HWY_INLINE Found<D> findLargest(D d, std::span<const PoolPair> window, const T* src) const
    {
        const hn::RebindToUnsigned<D> bits;
        using Place = hn::TFromD<decltype(bits)>;
        auto seen = hn::Zero(d);
        auto found = search(d, window, src, [&](auto keys, auto largest) HWY_ATTR {
            seen = Keys::watch(d, keys, seen);
            return hn::Gt(keys, largest);
        });
        if (!hn::AllFalse(d, Keys::isNan(d, seen))) {
            // Somewhere is a NaN, which no comparison finds: the first one wins.
            found = search(d, window, src, [&](auto keys, auto largest) HWY_ATTR {
                const auto isHigher = hn::Or(hn::Gt(keys, largest), Keys::isNan(d, keys));
                return hn::AndNot(Keys::isNan(d, largest), isHigher);
            });
        }
        if (m_kernel.work().isRelu) {
            const auto isOn =
                hn::Or(hn::Gt(found.largest, hn::Zero(d)), Keys::isNan(d, found.largest));
            found.largest = hn::IfThenElseZero(isOn, found.largest);
            found.places = hn::IfThenElse(
                hn::RebindMask(bits, isOn), found.places, hn::Set(bits, static_cast<Place>(kNone)));
        }
        return found;
    }

    /// The cell that is taken: one after another, if isTaken(its keys, those so far).
    template<class D, class IsTaken>
    HWY_INLINE Found<D> search(
        D d, std::span<const PoolPair> window, const T* src, IsTaken isTaken) const
    {
        const hn::RebindToUnsigned<D> bits;
        using Place = hn::TFromD<decltype(bits)>;
        Found<D> found{
            Keys::load(d, src + window.front().other * m_block),
            hn::Set(bits, static_cast<Place>(window.front().place))};
        static_cast<void>(isTaken(found.largest, found.largest));
        for (const PoolPair& cell : window.subspan(1)) {
            const auto keys = Keys::load(d, src + cell.other * m_block);
            const auto takes = isTaken(keys, found.largest);
            found.largest = hn::IfThenElse(takes, keys, found.largest);
            found.places = hn::IfThenElse(
                hn::RebindMask(bits, takes), hn::Set(bits, static_cast<Place>(cell.place)),
                found.places);
        }
        return found;
    }

    template<class D>
    HWY_INLINE void storePlaces(D /*d*/, hn::Vec<hn::RebindToUnsigned<D>> places, Index* to) const
    {
        const hn::RebindToUnsigned<D> bits;
        if constexpr (sizeof(Index) == sizeof(hn::TFromD<D>)) {
            hn::StoreU(places, bits, to);
        } else {
            const hn::RebindToSigned<D> whole;
            const hn::Rebind<Index, D> narrow;
            hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(whole, places)), narrow, to);
        }
    }

    template<class D>
    HWY_INLINE hn::Vec<D> gather(
        D d, std::span<const PoolPair> windows, const T* diffDst, const Index* index) const
    {
        const hn::RebindToUnsigned<D> bits;
        const hn::Rebind<Index, D> narrow;
        auto sum = hn::Zero(d);
        for (const PoolPair& window : windows) {
            const auto places =
                hn::PromoteTo(bits, hn::LoadU(narrow, index + window.other * m_block));
            const auto isTaken = hn::RebindMask(d, hn::Eq(places, hn::Set(bits, window.place)));
            const auto diff = loadElements(d, diffDst + window.other * m_dstStride);
            sum = hn::Add(sum, hn::IfThenElseZero(isTaken, diff));
        }
        return sum;
    }

    const MaxPoolKernel& m_kernel;
    std::int64_t m_block;
    std::int64_t m_dstStride; ///< from a cell to the next
};

/// Calls body(the Pool of such work).
template<class Body>
void withPool(const MaxPoolKernel& kernel, Body body)
{
    const auto withIndex = [&](auto zero) HWY_ATTR {
        using Index = decltype(zero);
        if (kernel.work().src.element == Element::Float32) {
            body(Pool<FloatKeys, Index>(kernel));
        } else {
            body(Pool<HalfKeys, Index>(kernel));
        }
    };
    if (kernel.hasSmallIndex()) {
        withIndex(std::uint8_t{});
    } else {
        withIndex(std::uint16_t{});
    }
}

void poolForward(const MaxPoolKernel& kernel, const PoolRange& range, const PoolForward& tensors)
{
    withPool(kernel, [&](const auto& pool) HWY_ATTR { pool.forward(range, tensors); });
}

void poolBackward(const MaxPoolKernel& kernel, const PoolRange& range, const PoolBackward& tensors)
{
    withPool(kernel, [&](const auto& pool) HWY_ATTR { pool.backward(range, tensors); });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {
namespace {

/// Calls body(row or column of the source) for those that a window at `start` covers.
template<class Body>
void forEachInside(std::int64_t start, std::int64_t window, std::int64_t size, Body body)
{
    for (std::int64_t i = std::max<std::int64_t>(0, start); i < std::min(size, start + window);
         ++i) {
        body(i);
    }
}

/// Calls take(cell of src) for the window of a cell of dst.
template<class Take>
void forEachPair(const PoolWork& work, std::int64_t dstCell, Take take)
{
    const std::int64_t top = dstCell / work.dstWidth * work.stride.height - work.rowsBefore;
    const std::int64_t left = dstCell % work.dstWidth * work.stride.width - work.columnsBefore;
    forEachInside(top, work.window.height, work.srcHeight, [&](std::int64_t y) {
        forEachInside(left, work.window.width, work.srcWidth, [&](std::int64_t x) {
            take(y * work.srcWidth + x);
        });
    });
}

} // namespace

HWY_EXPORT(poolForward);
HWY_EXPORT(poolBackward);

MaxPoolKernel::MaxPoolKernel(const PoolWork& work) : m_work(work), m_dst(dstLayout())
{
    std::vector<std::vector<PoolPair>> ofSrc(
        static_cast<std::size_t>(work.srcHeight * work.srcWidth));
    for (std::int64_t cell = 0; cell < work.dstHeight * work.dstWidth; ++cell) {
        std::uint32_t place = 0;
        forEachPair(work, cell, [&](std::int64_t srcCell) {
            m_ofDst.add({static_cast<std::int32_t>(srcCell), place});
            ofSrc[static_cast<std::size_t>(srcCell)].push_back(
                {static_cast<std::int32_t>(cell), place});
            ++place;
        });
        m_mostCells = std::max<std::size_t>(m_mostCells, place);
        m_ofDst.endCell();
    }
    for (const auto& pairs : ofSrc) {
        for (const PoolPair& pair : pairs) {
            m_ofSrc.add(pair);
        }
        m_ofSrc.endCell();
    }
}

bool MaxPoolKernel::hasSmallIndex() const
{
    return m_mostCells <= std::numeric_limits<std::uint8_t>::max();
}

std::int64_t MaxPoolKernel::cellsOf(const PoolPairs& plane) const
{
    return m_work.src.images * m_work.src.blocks * static_cast<std::int64_t>(plane.cells());
}

std::size_t MaxPoolKernel::indexBytes() const
{
    return static_cast<std::size_t>(cellsOf(m_ofDst) * m_work.src.block)
           * (hasSmallIndex() ? 1U : 2U);
}

void MaxPoolKernel::forward(const std::byte* src, std::byte* dst, std::byte* index) const
{
    forRanges(m_work.threads, cellsOf(m_ofDst), [&](std::int64_t first, std::int64_t end) {
        HWY_DYNAMIC_DISPATCH(poolForward)(*this, {first, end}, {src, dst, index});
    });
}

void MaxPoolKernel::backward(
    const std::byte* diffDst, const std::byte* index, std::byte* diffSrc) const
{
    forRanges(m_work.threads, cellsOf(m_ofSrc), [&](std::int64_t first, std::int64_t end) {
        HWY_DYNAMIC_DISPATCH(poolBackward)(*this, {first, end}, {diffDst, index, diffSrc});
    });
}

} // namespace lockstep::cpu
#endif
