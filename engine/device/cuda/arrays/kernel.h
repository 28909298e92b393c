// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels are written with. nvcc compiles them for the device; the tests compile the same
// files with the host's compiler against tests/cuda/emulated_kernel.h, which runs them there.
#if defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include <cuda/emulated_kernel.h>
#endif

#include "device/cuda/runtime/cuda_check.h"

#include <cstdint>

namespace lockstep::cuda {

constexpr unsigned kWarpLanes = 32;
/// Of a block; an upper bound of warps in it is kWarpLanes.
constexpr unsigned kMostThreads = 1024;
/// What kernels without a reason for another size use.
constexpr unsigned kBlockThreads = 256;

/// Blocks of a grid, threads of a block.
struct LaunchShape
{
    dim3 grid;
    dim3 block;
};

template<class T>
[[nodiscard]] constexpr __host__ __device__ T divideUp(T value, T divisor)
{
    return (value + divisor - 1) / divisor;
}

/// As many blocks of kBlockThreads as `threads` threads need; at least one.
[[nodiscard]] inline LaunchShape shapeFor(std::int64_t threads)
{
    const auto blocks = divideUp<std::int64_t>(threads, kBlockThreads);
    return {dim3(static_cast<unsigned>(blocks > 1 ? blocks : 1)), dim3(kBlockThreads)};
}

/// The same, but not more than `mostBlocks`: for kernels whose threads take one item after another.
[[nodiscard]] inline LaunchShape shapeFor(std::int64_t threads, unsigned mostBlocks)
{
    LaunchShape shape = shapeFor(threads);
    shape.grid.x = shape.grid.x < mostBlocks ? shape.grid.x : mostBlocks;
    return shape;
}

/// Enqueues a kernel. Errors as checkCuda.
template<class... Parameters, class... Arguments>
void launch(
    void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
    const Arguments&... arguments)
{
    cudaLaunchConfig_t config{};
    config.gridDim = shape.grid;
    config.blockDim = shape.block;
    config.stream = stream;
    checkCuda(
        cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        "launching a kernel");
}

/// Number of the calling thread in a one-dimensional grid.
[[nodiscard]] __device__ inline std::int64_t globalThread()
{
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
[[nodiscard]] __device__ inline std::int64_t globalThreads()
{
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

// Exchange of values within a warp. All 32 lanes must call it, and blocks are one-dimensional,
// whole warps.

constexpr unsigned kAllLanes = 0xFFFFFFFFU;

[[nodiscard]] __device__ inline unsigned lane()
{
    return threadIdx.x % kWarpLanes;
}
template<class T>
[[nodiscard]] __device__ T shuffleXor(T value, unsigned mask)
{
    return __shfl_xor_sync(kAllLanes, value, static_cast<int>(mask));
}
/// Of lane + distance; beyond the last lane: the caller's own.
template<class T>
[[nodiscard]] __device__ T shuffleDown(T value, unsigned distance)
{
    return __shfl_down_sync(kAllLanes, value, distance);
}
/// Of lane - distance; before the first lane: the caller's own.
template<class T>
[[nodiscard]] __device__ T shuffleUp(T value, unsigned distance)
{
    return __shfl_up_sync(kAllLanes, value, distance);
}

/// Sum over the warp, the same bits in all lanes: a + b is b + a.
template<class T>
[[nodiscard]] __device__ T warpSum(T value)
{
    for (unsigned mask = kWarpLanes / 2; mask > 0; mask /= 2) {
        value += shuffleXor(value, mask);
    }
    return value;
}

/// Sum over the block in an order that never changes, in all its threads. All of them must call it.
template<class T>
[[nodiscard]] __device__ T blockSum(T value)
{
    __shared__ T warps[kWarpLanes];
    const T own = warpSum(value);
    __syncthreads(); // a call before may still be read
    if (lane() == 0) {
        warps[threadIdx.x / kWarpLanes] = own;
    }
    __syncthreads();
    T sum = warps[0];
    for (unsigned i = 1; i < blockDim.x / kWarpLanes; ++i) {
        sum += warps[i];
    }
    return sum;
}

/// The device's clock; it need not begin when the host's does.
[[nodiscard]] __device__ inline std::int64_t globalNanoseconds()
{
#if defined(__CUDACC__)
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return static_cast<std::int64_t>(now);
#else
    return emulation::nanoseconds();
#endif
}

} // namespace lockstep::cuda
