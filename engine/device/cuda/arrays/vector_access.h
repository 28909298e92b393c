// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/arrays/kernel.h"

#include <type_traits>

namespace lockstep::cuda {

/// `kValues` neighbours in memory, loaded and stored at once: their address must be a multiple of
/// their size. 16 bytes are the most that a thread can move in one access.
template<class T, int kValues>
struct alignas(sizeof(T) * kValues) Vector
{
    T values[kValues];
};

/// Values of 16 bytes: 4 float or 8 Bfloat16.
template<class T>
constexpr int kVectorValues = 16 / static_cast<int>(sizeof(T));
constexpr int kFloats = kVectorValues<float>;

template<int kValues, class T>
[[nodiscard]] __device__ inline Vector<T, kValues> loadVector(const T* address)
{
#if !defined(__CUDACC__)
    emulation::requireAligned(address, sizeof(Vector<T, kValues>));
#endif
    return *reinterpret_cast<const Vector<T, kValues>*>(address);
}

template<int kValues, class T>
__device__ inline void storeVector(T* address, const Vector<T, kValues>& vector)
{
#if !defined(__CUDACC__)
    emulation::requireAligned(address, sizeof(Vector<T, kValues>));
#endif
    *reinterpret_cast<Vector<T, kValues>*>(address) = vector;
}

template<int kValues, class T>
__device__ inline void loadFloats(const T* address, float (&values)[kValues])
{
    const auto vector = loadVector<kValues>(address);
    for (int i = 0; i < kValues; ++i) {
        values[i] = toFloat(vector.values[i]);
    }
}

template<int kValues, class T>
__device__ inline void storeFloats(T* address, const float (&values)[kValues])
{
    Vector<T, kValues> vector;
    for (int i = 0; i < kValues; ++i) {
        vector.values[i] = fromFloat<T>(values[i]);
    }
    storeVector<kValues>(address, vector);
}

/// A gradient back through the ReLU of a value. A NaN is not less than anything, so that it stays.
[[nodiscard]] __device__ inline float throughRelu(float value, float diff)
{
    return value <= 0.0F ? 0.0F : diff;
}
[[nodiscard]] __device__ inline float relu(float value)
{
    return throughRelu(value, value);
}

/// Calls body(number of values, place) for `count` values from 0, in vectors of kValues if
/// they are aligned; `threads` threads take their turns, of which this is number `thread`.
template<int kValues, class Body>
__device__ void forEachValue(
    std::int64_t count, bool isAligned, std::int64_t thread, std::int64_t threads, Body body)
{
    const std::int64_t vectors = isAligned ? count / kValues : 0;
    for (std::int64_t i = thread; i < vectors; i += threads) {
        body(std::integral_constant<int, kValues>{}, kValues * i);
    }
    for (std::int64_t i = kValues * vectors + thread; i < count; i += threads) {
        body(std::integral_constant<int, 1>{}, i);
    }
}

/// All threads of a one-dimensional grid take their turns.
template<int kValues, class Body>
__device__ void forEachValue(std::int64_t count, bool isAligned, Body body)
{
    forEachValue<kValues>(count, isAligned, globalThread(), globalThreads(), body);
}

/// Enough blocks of kBlockThreads to fill an H200 at once; what is more is taken in turns.
constexpr unsigned kFullGrid = 132 * 8;
/// For kernels that take less of a multiprocessor.
constexpr unsigned kDoubleGrid = 2 * kFullGrid;

/// Calls body(a T, a constant of values a thread) for the shape's type of values and the widest
/// vectors that its channels are made of.
template<class ChannelsShape, class Body>
void withVectors(const ChannelsShape& shape, Body body)
{
    withType(shape.type, [&](auto zero) {
        constexpr int kWidest = kVectorValues<decltype(zero)>;
        if (shape.channels % kWidest == 0) {
            body(zero, std::integral_constant<int, kWidest>{});
        } else {
            body(zero, std::integral_constant<int, 1>{});
        }
    });
}

/// Calls body(a Unit) for the widest unit of memory, at most 16 bytes, that the or of some sizes
/// and addresses is a multiple of; these are even.
template<class Body>
void withUnit(std::size_t sizes, Body body)
{
    using Widest = Vector<std::uint32_t, 4>;
    if (sizes % sizeof(Widest) == 0) {
        body(Widest{});
    } else if (sizes % sizeof(std::uint32_t) == 0) {
        body(std::uint32_t{});
    } else {
        body(std::uint16_t{});
    }
}

} // namespace lockstep::cuda
