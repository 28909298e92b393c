// SPDX-License-Identifier: Apache-2.0
// Memory and copies of the emulated CUDA runtime.
#include "cuda/emulated_machine.h"

#include <algorithm>
#include <cstring>
#include <new>

using lockstep::emulation::Allocation;
using lockstep::emulation::currentDevice;
using lockstep::emulation::kAllocationAlignment;
using lockstep::emulation::Machine;
using lockstep::emulation::TaskKind;
using lockstep::emulation::TaskPointer;

namespace {

/// On both sides of an allocation, to see writes beyond it.
constexpr std::size_t kGuardBytes = kAllocationAlignment;
constexpr int kGuardByte = 0xA5;
/// float, double and bfloat16 of these are NaN.
constexpr int kPoisonByte = 0xFF;

template<class Body>
cudaError_t call(const char* function, Body body)
{
    return Machine::instance().call(function, body);
}

void* allocate(Machine& machine, std::size_t bytes, int device)
{
    const std::size_t whole = bytes + 2 * kGuardBytes;
    auto* const block =
        static_cast<std::byte*>(operator new (whole, std::align_val_t{kAllocationAlignment}));
    std::memset(block, kGuardByte, whole);
    std::memset(block + kGuardBytes, kPoisonByte, bytes);
    machine.allocations[block + kGuardBytes] = {bytes, device, block, machine.generation};
    return block + kGuardBytes;
}

bool isIntact(const Allocation& allocation)
{
    const auto isGuard = [](std::byte value) { return value == std::byte{kGuardByte}; };
    const std::byte* const end = allocation.block + kGuardBytes + allocation.bytes;
    return std::all_of(allocation.block, allocation.block + kGuardBytes, isGuard)
           && std::all_of(end, end + kGuardBytes, isGuard);
}

/// Gives memory of a device, or of the host (-1), back.
cudaError_t release(Machine& machine, void* address, bool isHost)
{
    const auto found = machine.allocations.find(static_cast<std::byte*>(address));
    if (found == machine.allocations.end() || (found->second.device < 0) != isHost) {
        return machine.fault(cudaErrorInvalidValue, "memory is freed that was not allocated so");
    }
    const Allocation allocation = found->second;
    machine.allocations.erase(found);
    const bool wasIntact = isIntact(allocation);
    std::memset(address, kPoisonByte, allocation.bytes);
    operator delete (allocation.block, std::align_val_t{kAllocationAlignment});
    machine.countLess(
        isHost ? machine.counts.hostAllocations : machine.counts.allocations,
        allocation.generation);
    if (!isHost && allocation.generation == machine.generation) {
        machine.counts.bytes -= allocation.bytes;
        machine.usedBytes[static_cast<std::size_t>(allocation.device)] -= allocation.bytes;
    }
    return wasIntact ? cudaSuccess
                     : machine.fault(cudaErrorIllegalAddress, "written beyond an allocation");
}

/// May this end of a copy be where it is? `isHostAllowed`: also in memory of the host that CUDA
/// does not know.
bool isEndOfCopy(
    const Machine& machine, const void* address, std::size_t bytes, bool isHost, bool isAnyAllowed)
{
    const Allocation* found = machine.find(address, bytes);
    if (found != nullptr) {
        return (found->device < 0) == isHost;
    }
    return isHost && isAnyAllowed;
}

cudaError_t checkCopy(
    Machine& machine, const void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind,
    bool isAnyHostAllowed)
{
    const bool fromHost = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
    const bool toHost = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
    if (kind == cudaMemcpyDefault
        || (isEndOfCopy(machine, dst, bytes, toHost, isAnyHostAllowed)
            && isEndOfCopy(machine, src, bytes, fromHost, isAnyHostAllowed))) {
        return cudaSuccess;
    }
    return machine.fault(
        cudaErrorInvalidValue, "a copy to or from memory that is not allocated, not where the kind "
                               "of the copy says, or not of cudaHostAlloc");
}

cudaError_t runStreamsThatBlock(Machine& machine)
{
    std::vector<TaskPointer> tasks;
    for (const cudaStream_t stream : machine.streams) {
        if ((stream->flags & cudaStreamNonBlocking) == 0) {
            tasks.insert(tasks.end(), stream->tail.begin(), stream->tail.end());
        }
    }
    return machine.runUntilDone(tasks);
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void** address, std::size_t bytes)
{
    return call("cudaMalloc", [&](Machine& machine) {
        cudaError_t result = machine.requireDriver();
        if (result == cudaSuccess) {
            result = machine.requireNoCapture();
        }
        if (result != cudaSuccess) {
            return result;
        }
        std::size_t& used = machine.usedBytes[static_cast<std::size_t>(currentDevice())];
        if (bytes > machine.settings.memoryPerDevice - used) {
            return cudaErrorMemoryAllocation;
        }
        *address = bytes == 0 ? nullptr : allocate(machine, bytes, currentDevice());
        if (bytes > 0) {
            used += bytes;
            machine.counts.bytes += bytes;
            ++machine.counts.allocations;
        }
        return cudaSuccess;
    });
}

cudaError_t cudaFree(void* address)
{
    return Machine::instance().callToRelease("cudaFree", [&](Machine& machine) {
        if (address == nullptr) {
            return cudaSuccess;
        }
        cudaError_t result = machine.requireNoCapture();
        if (result == cudaSuccess) {
            machine.runDevice(currentDevice());
            result = release(machine, address, false);
        }
        return result;
    });
}

cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned /*flags*/)
{
    return call("cudaHostAlloc", [&](Machine& machine) {
        cudaError_t result = machine.requireDriver();
        if (result == cudaSuccess) {
            result = machine.requireNoCapture();
        }
        if (result == cudaSuccess) {
            *address = allocate(machine, bytes, -1);
            ++machine.counts.hostAllocations;
        }
        return result;
    });
}

cudaError_t cudaFreeHost(void* address)
{
    return Machine::instance().callToRelease("cudaFreeHost", [&](Machine& machine) {
        if (address == nullptr) {
            return cudaSuccess;
        }
        machine.runDevice(currentDevice());
        return release(machine, address, true);
    });
}

cudaError_t cudaMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes)
{
    return call("cudaMemGetInfo", [&](Machine& machine) {
        *totalBytes = machine.settings.memoryPerDevice;
        *freeBytes = *totalBytes - machine.usedBytes[static_cast<std::size_t>(currentDevice())];
        return machine.requireDriver();
    });
}

cudaError_t cudaMemcpy(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind)
{
    return call("cudaMemcpy", [&](Machine& machine) {
        cudaError_t result = machine.requireNoCapture();
        if (result == cudaSuccess) {
            result = checkCopy(machine, dst, src, bytes, kind, true);
        }
        if (result == cudaSuccess) {
            result = runStreamsThatBlock(machine);
        }
        if (result == cudaSuccess && bytes > 0) {
            std::memcpy(dst, src, bytes);
        }
        return result;
    });
}

cudaError_t cudaMemset(void* address, int value, std::size_t bytes)
{
    return call("cudaMemset", [&](Machine& machine) {
        if (machine.find(address, bytes) == nullptr) {
            return machine.fault(cudaErrorInvalidValue, "cudaMemset beyond an allocation");
        }
        const cudaError_t result = runStreamsThatBlock(machine);
        if (result == cudaSuccess) {
            std::memset(address, value, bytes);
        }
        return result;
    });
}

cudaError_t cudaMemcpyAsync(
    void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return call("cudaMemcpyAsync", [&](Machine& machine) {
        const cudaError_t result = checkCopy(machine, dst, src, bytes, kind, false);
        return result != cudaSuccess
                   ? result
                   : machine.enqueue(stream, TaskKind::Copy, [=] { std::memcpy(dst, src, bytes); });
    });
}

cudaError_t cudaMemsetAsync(void* address, int value, std::size_t bytes, cudaStream_t stream)
{
    return call("cudaMemsetAsync", [&](Machine& machine) {
        return machine.find(address, bytes) == nullptr
                   ? machine.fault(cudaErrorInvalidValue, "cudaMemsetAsync beyond an allocation")
                   : machine.enqueue(
                       stream, TaskKind::Kernel, [=] { std::memset(address, value, bytes); });
    });
}

} // extern "C"
