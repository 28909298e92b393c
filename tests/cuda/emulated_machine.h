// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/emulated_runtime.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

// The inside of the emulated runtime; tests use emulated_runtime.h.
namespace lockstep::emulation {

using Work = std::function<void()>;

/// Something that was enqueued.
struct Task
{
    Work run; ///< empty: a place in a stream only
    TaskInfo info;
    std::vector<std::shared_ptr<Task>> followers;
    int blockers = 0; ///< dependencies that are not done, and ranks that have not come
    bool isDone = false;
    std::chrono::steady_clock::time_point end;
    std::int64_t virtualBegin = 0; ///< the latest end of what it comes after
    std::int64_t virtualEnd = 0;
};
using TaskPointer = std::shared_ptr<Task>;

struct GraphNode
{
    Work run;
    TaskInfo info;
    std::vector<std::size_t> after; ///< nodes that come before
};

} // namespace lockstep::emulation

/// Nodes are told by their place, from 1.
struct CUgraph_st
{
    int generation = 0;
    std::vector<lockstep::emulation::GraphNode> nodes;
};

namespace lockstep::emulation {

struct Capture
{
    CUgraph_st graph;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread;
    std::vector<cudaStream_t> streams;
    bool isInvalid = false;
    bool hasEnded = false;
};
using CapturePointer = std::shared_ptr<Capture>;

constexpr std::size_t kAllocationAlignment = 256;
constexpr int kProcessors = 2;
constexpr int kBlocksOfAProcessor = 2;
/// Of a kernel, at once.
constexpr std::uint64_t kResidentBlocks = kProcessors * kBlocksOfAProcessor;

struct Allocation
{
    std::size_t bytes = 0;
    int device = -1; ///< -1: of the host
    std::byte* block = nullptr;
    int generation = 0; ///< of the machine, see reset()
};

/// Everything there is, and its lock. Functions other than call() need the lock.
class Machine
{
public:
    static Machine& instance();
    void reset(const MachineSettings& settings);

    /// A runtime function: counts failNext(), keeps errors as CUDA does.
    template<class Body>
    cudaError_t call(const char* function, Body body)
    {
        const std::lock_guard lock(m_mutex);
        cudaError_t result = begin(function);
        if (result == cudaSuccess) {
            result = body(*this);
        }
        return keep(result);
    }
    /// The same for what gives something back: done also where an error sticks.
    template<class Body>
    cudaError_t callToRelease(const char* function, Body body)
    {
        const std::lock_guard lock(m_mutex);
        const cudaError_t before = begin(function);
        if (before != cudaSuccess && before != m_sticky) {
            return keep(before);
        }
        const cudaError_t result = body(*this);
        return keep(before == cudaSuccess ? result : before);
    }
    template<class Body>
    auto locked(Body body)
    {
        const std::lock_guard lock(m_mutex);
        return body(*this);
    }

    // Tasks.
    TaskPointer add(
        Work run, const std::vector<TaskPointer>& after, const TaskInfo& info = {},
        int missingRanks = 0);
    void arrive(const TaskPointer& task, const std::vector<TaskPointer>& after, Work run);
    void unblock(const TaskPointer& task);
    cudaError_t runUntilDone(const std::vector<TaskPointer>& tasks);
    /// All that the streams of a device have.
    cudaError_t runDevice(int device);
    void runSome();
    [[nodiscard]] std::int64_t waitingTasks() const { return m_waiting; }

    /// Adds to what the stream has: a task, or a node where it is captured.
    cudaError_t enqueue(cudaStream_t stream, TaskKind kind, Work run);
    /// Of the device whose task runs.
    [[nodiscard]] std::int64_t nanoseconds() const;
    /// Notes the text; returns the error.
    cudaError_t fault(cudaError_t error, const std::string& text);
    cudaError_t takeLastError() { return std::exchange(m_last, m_sticky); }
    [[nodiscard]] cudaError_t lastError() const { return m_last; }
    [[nodiscard]] cudaError_t requireDriver() const;
    /// cudaErrorStreamCaptureUnsupported, and the capture is lost, where the calling thread must
    /// not wait or allocate.
    cudaError_t requireNoCapture();
    /// The allocation that holds the whole range, or null.
    [[nodiscard]] const Allocation* find(const void* address, std::size_t bytes) const;

    /// Counts one thing less, unless reset() has made the counters new since it was made.
    void countLess(int& counter, int madeIn) { counter -= madeIn == generation ? 1 : 0; }

    MachineSettings settings;
    VirtualClock clock; ///< without `nanoseconds`: the host's
    int generation = 0; ///< counts reset()
    Counters counts;
    std::string faultText;
    std::map<const std::byte*, Allocation> allocations;
    std::vector<std::size_t> usedBytes; ///< by device
    std::map<int, int> streamsMade;     ///< by device
    std::vector<CapturePointer> captures;
    std::vector<cudaStream_t> streams;
    std::map<std::uint64_t, std::pair<TaskPointer, int>> collectives; ///< and ranks still missing
    std::map<std::string, std::pair<int, cudaError_t>> injected;      ///< calls until then

private:
    cudaError_t begin(const char* function);
    cudaError_t keep(cudaError_t result);
    void runOne();
    void timeVirtually(Task& task) const;
    cudaError_t runUntil(const std::function<bool()>& isDone);

    std::recursive_mutex m_mutex;
    std::condition_variable_any m_changed;
    std::vector<TaskPointer> m_ready;
    const Task* m_running = nullptr;
    std::int64_t m_waiting = 0;
    std::mt19937_64 m_random;
    cudaError_t m_sticky = cudaSuccess;
    cudaError_t m_last = cudaSuccess;
};

/// The device that the calling thread has chosen.
int& currentDevice();

/// The streams belong to the capture no more, and it is none of the machine's.
void endCapture(Machine& machine, const CapturePointer& capture);
/// cudaStreamWaitEvent where the stream or the event belongs to a capture.
cudaError_t waitInCapture(Machine& machine, cudaStream_t stream, cudaEvent_t event);

} // namespace lockstep::emulation

// CUDA's opaque types.
struct CUstream_st
{
    int generation = 0;
    int device = 0;
    unsigned flags = 0;
    int number = 0;                                     ///< among those of the device
    std::vector<lockstep::emulation::TaskPointer> tail; ///< what the next task comes after
    lockstep::emulation::CapturePointer capture;
    std::vector<std::size_t> captureTail;
};
struct CUevent_st
{
    int generation = 0;
    int device = 0;
    unsigned flags = 0;
    lockstep::emulation::TaskPointer task; ///< where it was recorded
    lockstep::emulation::CapturePointer capture;
    std::vector<std::size_t> captureTail;
};
struct CUgraphExec_st
{
    int generation = 0;
    std::vector<lockstep::emulation::GraphNode> nodes;
    lockstep::emulation::TaskPointer last; ///< of the launch before
};
