// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <functional>

// Of the thread that runs now, as kernels name them.
inline thread_local constinit uint3 threadIdx{};
inline thread_local constinit uint3 blockIdx{};
inline thread_local constinit dim3 blockDim{};
inline thread_local constinit dim3 gridDim{};

namespace lockstep::emulation {

/// How a kernel was launched.
struct GridShape
{
    dim3 grid;
    dim3 block;
    bool isCooperative = false; ///< may use gridBarrier()
    bool isDependent = false;   ///< must wait for the kernel before it
};

/// Runs a kernel, block after block, on the calling thread. A thread of the block runs until it
/// comes to a barrier or ends, then another one; which one goes on after a barrier varies, so that
/// a missing barrier shows. Of a cooperative grid every block runs up to the barrier of the grid
/// before any goes on; what was in shared memory is another block's then. Throws std::runtime_error
/// where threads of a block or a grid (or lanes of a warp) wait at a barrier that others never
/// reach, where one ends without the wait that its launch asks for, and with what a kernel threw.
void runGrid(const GridShape& shape, const std::function<void()>& kernel);

// For kernels that run in runGrid().

void blockBarrier();
/// Error in a grid that is not cooperative.
void gridBarrier();
void waitForKernelBefore();
[[nodiscard]] unsigned laneOfThread();

struct WarpExchange
{
    std::size_t bytes; ///< at most 16
    unsigned sourceLane;
};
/// Gives `own` to the other lanes and takes what the source lane gave. A barrier of the warp; the
/// mask must name all 32 lanes.
void exchangeInWarp(unsigned mask, const void* own, void* received, const WarpExchange& exchange);

} // namespace lockstep::emulation
