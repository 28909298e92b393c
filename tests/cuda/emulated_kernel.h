// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stands in for cuda_runtime.h where the host's compiler compiles kernels: the words of CUDA C++
// that our kernels use, with blocks that run one after another on the calling thread.
#include "cuda/emulated_block.h"

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>

// One block at a time: its shared memory can be static. What a block leaves there the next one
// finds, as on a device.
#undef __shared__
#define __shared__ static
#define __launch_bounds__(...)

namespace lockstep::emulation {

/// Checks what CUDA would refuse, and enqueues.
cudaError_t launchKernel(const cudaLaunchConfig_t& config, std::function<void()> kernel);

/// Error in the kernel where the address is no multiple of `bytes`.
void requireAligned(const void* address, std::size_t bytes);

/// The clock of the device that the calling kernel runs on.
std::int64_t nanoseconds();

/// The value of another lane.
template<class T>
T shuffle(unsigned mask, const T& value, unsigned sourceLane)
{
    T received;
    exchangeInWarp(mask, &value, &received, {sizeof(T), sourceLane});
    return received;
}

} // namespace lockstep::emulation

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names

template<class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(
    const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments)
{
    const std::tuple<Parameters...> copies(std::forward<Arguments>(arguments)...);
    return lockstep::emulation::launchKernel(
        *config, [kernel, copies] { std::apply(kernel, copies); });
}

inline void __syncthreads()
{
    lockstep::emulation::blockBarrier();
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFU)
{
    lockstep::emulation::shuffle(mask, 0, 0);
}
// Blocks and threads run one after another, and whoever looks at memory has taken the machine's
// lock.
inline void __threadfence() {}
inline void __threadfence_system() {}

template<class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes)
{
    return lockstep::emulation::shuffle(
        mask, value, lockstep::emulation::laneOfThread() ^ static_cast<unsigned>(lanes));
}
template<class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance)
{
    const unsigned lane = lockstep::emulation::laneOfThread();
    return lockstep::emulation::shuffle(mask, value, lane + distance < 32 ? lane + distance : lane);
}
template<class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance)
{
    const unsigned lane = lockstep::emulation::laneOfThread();
    return lockstep::emulation::shuffle(mask, value, lane >= distance ? lane - distance : lane);
}

// Copied through memcpy: a kernel may pass the address of an integer of the same size but another
// name (unsigned long).
inline unsigned long long atomicMin(unsigned long long* address, unsigned long long value)
{
    unsigned long long old = 0;
    std::memcpy(&old, address, sizeof(old));
    const unsigned long long smaller = value < old ? value : old;
    std::memcpy(address, &smaller, sizeof(smaller));
    return old;
}
inline unsigned atomicInc(unsigned* address, unsigned most)
{
    const unsigned old = *address;
    *address = old >= most ? 0 : old + 1;
    return old;
}

inline float rsqrtf(float value)
{
    return 1.0F / std::sqrt(value);
}
inline float __fmul_rn(float a, float b)
{
    return a * b;
}
inline float __fadd_rn(float a, float b)
{
    return a + b;
}

// NOLINTEND(bugprone-reserved-identifier)
