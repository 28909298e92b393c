// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels are written with. nvcc compiles them for the device; the tests compile the same
// files with the host's compiler against tests/cuda/emulated_kernel.h, which runs them there.
#if defined(__CUDACC__)
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#else
#include <cuda/emulated_kernel.h>
#endif

#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/dependent_launch.h"

#include <algorithm>
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
    bool isCooperative = false; ///< all blocks run at once and may wait for each other
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

/// Enqueues a kernel, which may begin before the one in front of it has ended where its stream is
/// a dependent one; see waitForKernelBefore(). Errors as checkCuda.
template<class... Parameters, class... Arguments>
void launch(
    void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
    const Arguments&... arguments)
{
    cudaLaunchConfig_t config{};
    config.gridDim = shape.grid;
    config.blockDim = shape.block;
    config.stream = stream;
    cudaLaunchAttribute attribute{};
    config.attrs = &attribute;
    if (shape.isCooperative) {
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        config.numAttrs = 1;
    } else if (isDependent(stream) && canWait(reinterpret_cast<const void*>(kernel))) {
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        config.numAttrs = 1;
    }
    checkCuda(
        cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        "launching a kernel");
}

/// For a kernel with gridBarrier(): as many blocks as run at once on the current device, at most
/// `mostBlocks`, at least one.
template<class... Parameters>
[[nodiscard]] LaunchShape cooperativeShape(
    void (*kernel)(Parameters...), unsigned threads, std::int64_t mostBlocks)
{
    int device = 0;
    int processors = 0;
    int blocks = 0;
    checkCuda(cudaGetDevice(&device), "asking for the GPU");
    checkCuda(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "asking for the GPU's processors");
    checkCuda(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, reinterpret_cast<const void*>(kernel), static_cast<int>(threads), 0),
        "asking how many blocks run at once");
    // Not std::clamp(): where none fits, the launch is to say so.
    const auto grid =
        std::max<std::int64_t>(1, std::min(mostBlocks, std::int64_t{blocks} * processors));
    return {dim3(static_cast<unsigned>(grid)), dim3(threads), true};
}

/// The first thing in every kernel (tests/house/check_kernels.sh): all that was enqueued before is
/// done and seen from here on. The kernel after this one may then take the places that get free,
/// and waits here in its turn; as each has waited for the one before, order holds through a chain.
__device__ inline void waitForKernelBefore()
{
#if !defined(__CUDACC__)
    emulation::waitForKernelBefore();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 // as canWait() asks
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// In kernels of a cooperative shape, by all threads: what all blocks wrote before is seen after
/// it. What lies in shared memory is lost in the emulation.
__device__ inline void gridBarrier()
{
#if defined(__CUDACC__)
    cooperative_groups::this_grid().sync();
#else
    emulation::gridBarrier();
#endif
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

/// By one thread: notes the device's clock; null: nowhere.
__device__ inline void noteTime(std::int64_t* place)
{
    if (place != nullptr) {
        *place = globalNanoseconds();
    }
}
/// By all threads of a one-dimensional grid as they begin: the first one does.
__device__ inline void noteBegin(std::int64_t* place)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        noteTime(place);
    }
}

} // namespace lockstep::cuda
