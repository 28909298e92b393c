// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// The part of the CUDA runtime that the engine uses, in the host's memory and on the calling
// threads, for machines without a GPU. Link lockstep_cuda_emulation instead of libcudart.
//
// What a stream is given becomes a task with those before it as dependencies. Tasks run when the
// host waits for something, in a random order that keeps the dependencies and no more: what was not
// ordered, or reads host memory that has changed, gives a wrong result here with some seed. Unlike
// CUDA, a call on stream 0 is an error, except for cudaMemcpy and cudaMemset; like CUDA, these wait
// for no stream that was made with cudaStreamNonBlocking. New memory is full of NaN. Kernels that
// fail, copies outside of what was allocated, and asynchronous copies of host memory that
// cudaHostAlloc did not give are errors; lastFault() says what it was.
namespace lockstep::emulation {

enum class TaskKind { Kernel, Copy, Library, Together };

/// What a stream was given.
struct TaskInfo
{
    TaskKind kind = TaskKind::Kernel;
    int device = 0;
    int stream = 0; ///< its number among those that were made on the device
};

/// Time as it would pass on devices that really work beside each other: a task begins when all that
/// it comes after has ended, and lasts as long as is said here. The tasks of one device don't slow
/// each other down. Kernels read the moment at which they began, by the clock of their device.
struct VirtualClock
{
    std::function<std::int64_t(const TaskInfo&)> nanoseconds; ///< that a task lasts
    std::vector<std::int64_t> offsets; ///< nanoseconds by which a device's clock is ahead
    std::vector<double> drifts;        ///< and what that grows by in a nanosecond
};

struct MachineSettings
{
    int devices = 1;
    std::size_t memoryPerDevice = std::size_t{1} << 30U; ///< cudaMalloc fails beyond it
    int driverVersion = 13000;                           ///< 0: no driver is installed
    std::uint64_t seed = 1;                              ///< of the order of tasks
    /// Probability, after each call, that some tasks run at once, as they may on a device. 0: none
    /// runs before the host waits.
    double eagerness = 0.0;
    int codeVersion = 90;     ///< compute capability that kernels are compiled for, times 10
    std::int64_t trapAt = -1; ///< the task that fails, so that no call succeeds after it; -1: none
    std::int64_t hangAt = -1; ///< the task that never ends
};

/// Begins anew: no test sees what another one left. Tasks that did not run never will; streams,
/// events, graphs and memory of before can be given back, and count no more.
void reset(const MachineSettings& settings = {});

/// From now until reset() kernels read this clock instead of the host's. Nothing may be under way.
void setClock(VirtualClock clock);

/// The next call of a runtime function ("cudaMalloc"; kernels: "cudaLaunchKernel"), or the one
/// `after` calls later, does nothing but return the error.
void failNext(const std::string& function, cudaError_t error, int after = 0);

/// What the last failed kernel, host task or call did wrong; empty: nothing.
[[nodiscard]] std::string lastFault();

/// For fakes of libraries: enqueues a function of the host as if it were a kernel; it is captured
/// like one. It must not call the runtime.
cudaError_t enqueueHostTask(cudaStream_t stream, std::function<void()> task);

/// For fakes of NCCL: what `ranks` streams do together. The task of the rank that comes last runs,
/// once, when all of them have come there; what follows on any of the streams waits for it. Calls
/// of one operation have one key, which must not be used again; no capture. A host that waits for a
/// stream waits until other threads have enqueued the missing ranks; an error after ten seconds.
cudaError_t enqueueTogether(
    std::uint64_t key, int ranks, cudaStream_t stream, std::function<void()> task);

struct Counters
{
    int allocations = 0; ///< alive, of devices
    std::size_t bytes = 0;
    int hostAllocations = 0; ///< alive, of cudaHostAlloc
    int streams = 0;         ///< alive
    int events = 0;
    int graphs = 0;                     ///< alive, instances too
    std::int64_t graphNodes = 0;        ///< of the graph that was captured last
    std::int64_t kernelLaunches = 0;    ///< calls, captured ones too
    std::int64_t tallLaunches = 0;      ///< of these, of grids with several blocks in y
    std::int64_t dependentLaunches = 0; ///< of these, of kernels that wait for the one before
    std::int64_t graphLaunches = 0;
    std::int64_t tasksRun = 0;
    std::int64_t tasksWaiting = 0;
};
[[nodiscard]] Counters counters();

} // namespace lockstep::emulation
