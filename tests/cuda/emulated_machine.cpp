// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulated_machine.h"

#include "cuda/emulated_kernel.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>

namespace lockstep::emulation {

Machine& Machine::instance()
{
    // Never destroyed: objects that live as long as the program give back what they have after it.
    static Machine& machine = *new Machine;
    return machine;
}

int& currentDevice()
{
    static thread_local int device = 0;
    return device;
}

void Machine::reset(const MachineSettings& newSettings)
{
    for (const cudaStream_t stream : streams) {
        stream->tail.clear();
        stream->capture.reset();
        stream->captureTail.clear();
    }
    ++generation;
    settings = newSettings;
    clock = {};
    counts = {};
    faultText.clear();
    usedBytes.assign(static_cast<std::size_t>(settings.devices), 0);
    streamsMade.clear();
    captures.clear();
    collectives.clear();
    injected.clear();
    m_ready.clear();
    m_waiting = 0;
    m_random.seed(settings.seed);
    m_sticky = m_last = cudaSuccess;
    currentDevice() = 0;
}

cudaError_t Machine::begin(const char* function)
{
    const auto planned = injected.find(function);
    if (planned != injected.end() && planned->second.first-- == 0) {
        const cudaError_t error = planned->second.second;
        injected.erase(planned);
        return error;
    }
    return m_sticky;
}

cudaError_t Machine::keep(cudaError_t result)
{
    if (result != cudaSuccess && result != cudaErrorNotReady) {
        m_last = result;
    }
    return result;
}

cudaError_t Machine::fault(cudaError_t error, const std::string& text)
{
    faultText = text;
    return error;
}

cudaError_t Machine::requireDriver() const
{
    if (settings.driverVersion == 0) {
        return cudaErrorInsufficientDriver;
    }
    return settings.devices == 0 ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t Machine::requireNoCapture()
{
    bool isForbidden = false;
    for (const CapturePointer& capture : captures) {
        const bool isOwn = capture->thread == std::this_thread::get_id();
        if (capture->mode == cudaStreamCaptureModeGlobal
            || (isOwn && capture->mode == cudaStreamCaptureModeThreadLocal)) {
            capture->isInvalid = true;
            isForbidden = true;
        }
    }
    return isForbidden ? fault(
               cudaErrorStreamCaptureUnsupported, "a call that is not allowed during a capture")
                       : cudaSuccess;
}

const Allocation* Machine::find(const void* address, std::size_t bytes) const
{
    const auto* const first = static_cast<const std::byte*>(address);
    auto after = allocations.upper_bound(first);
    if (after == allocations.begin()) {
        return nullptr;
    }
    const auto& [start, allocation] = *std::prev(after);
    return first + bytes <= start + allocation.bytes ? &allocation : nullptr;
}

TaskPointer Machine::add(
    Work run, const std::vector<TaskPointer>& after, const TaskInfo& info, int missingRanks)
{
    auto task = std::make_shared<Task>();
    task->info = info;
    task->blockers = missingRanks + 1;
    ++m_waiting;
    arrive(task, after, std::move(run));
    return task;
}

/// Makes the task wait for `after`, and takes away the one blocker that stands for this call.
void Machine::arrive(const TaskPointer& task, const std::vector<TaskPointer>& after, Work run)
{
    task->run = std::move(run);
    for (const TaskPointer& before : after) {
        if (before->isDone) {
            task->virtualBegin = std::max(task->virtualBegin, before->virtualEnd);
        } else {
            before->followers.push_back(task);
            ++task->blockers;
        }
    }
    unblock(task);
}

void Machine::unblock(const TaskPointer& task)
{
    if (--task->blockers == 0) {
        m_ready.push_back(task);
        m_changed.notify_all();
    }
}

void Machine::runOne()
{
    const std::size_t chosen = m_random() % m_ready.size();
    std::swap(m_ready[chosen], m_ready.back());
    const TaskPointer task = std::move(m_ready.back());
    m_ready.pop_back();
    --m_waiting;
    if (task->run && m_sticky == cudaSuccess) {
        const std::int64_t number = counts.tasksRun++;
        try {
            while (number == settings.hangAt) {
                std::this_thread::sleep_for(std::chrono::seconds(1));
            }
            if (number == settings.trapAt) {
                throw std::runtime_error("a trap");
            }
            m_running = task.get();
            task->run();
        } catch (const std::exception& error) {
            m_sticky = fault(cudaErrorLaunchFailure, error.what());
        }
    }
    task->isDone = true;
    task->end = std::chrono::steady_clock::now();
    timeVirtually(*task);
    for (const TaskPointer& follower : task->followers) {
        follower->virtualBegin = std::max(follower->virtualBegin, task->virtualEnd);
        unblock(follower);
    }
    task->followers.clear();
    task->run = nullptr;
    m_changed.notify_all();
}

void Machine::timeVirtually(Task& task) const
{
    const bool lasts = task.run && clock.nanoseconds;
    task.virtualEnd = task.virtualBegin + (lasts ? clock.nanoseconds(task.info) : 0);
}

std::int64_t Machine::nanoseconds() const
{
    if (!clock.nanoseconds) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    const auto device = static_cast<std::size_t>(m_running->info.device);
    const auto& [length, offsets, drifts] = clock;
    const std::int64_t now = m_running->virtualBegin;
    const double drift = device < drifts.size() ? drifts[device] : 0.0;
    return now + (device < offsets.size() ? offsets[device] : 0)
           + std::llround(drift * static_cast<double>(now));
}

cudaError_t Machine::runUntil(const std::function<bool()>& isDone)
{
    constexpr std::chrono::seconds kPatience{10};
    while (!isDone()) {
        // Where nothing can run, other threads have to enqueue their part.
        const auto canGoOn = [&] { return !m_ready.empty() || isDone(); };
        if (!canGoOn() && !m_changed.wait_for(m_mutex, kPatience, canGoOn)) {
            m_sticky = fault(
                cudaErrorLaunchTimeout,
                "work of several streams waits for a stream that never comes");
            return m_sticky;
        }
        if (!isDone()) {
            runOne();
        }
    }
    return m_sticky;
}

cudaError_t Machine::runUntilDone(const std::vector<TaskPointer>& tasks)
{
    return runUntil(
        [&] { return std::ranges::all_of(tasks, [](const auto& task) { return task->isDone; }); });
}

cudaError_t Machine::runDevice(int device)
{
    std::vector<TaskPointer> tasks;
    for (const cudaStream_t stream : streams) {
        if (stream->device == device) {
            tasks.insert(tasks.end(), stream->tail.begin(), stream->tail.end());
        }
    }
    return runUntilDone(tasks);
}

void Machine::runSome()
{
    const auto draw = [&] { return static_cast<double>(m_random() >> 11U) * 0x1p-53; };
    while (!m_ready.empty() && draw() < settings.eagerness) {
        runOne();
    }
}

cudaError_t Machine::enqueue(cudaStream_t stream, TaskKind kind, Work run)
{
    if (stream == nullptr || std::ranges::find(streams, stream) == streams.end()) {
        return fault(cudaErrorInvalidResourceHandle, "work for stream 0, or for none that exists");
    }
    const TaskInfo info{kind, stream->device, stream->number};
    if (stream->capture) {
        if (stream->capture->isInvalid) {
            return cudaErrorStreamCaptureInvalidated;
        }
        auto& nodes = stream->capture->graph.nodes;
        nodes.push_back({std::move(run), info, stream->captureTail});
        stream->captureTail = {nodes.size() - 1};
        return cudaSuccess;
    }
    stream->tail = {add(std::move(run), stream->tail, info)};
    runSome();
    return cudaSuccess;
}

namespace {

bool hasAttribute(const cudaLaunchConfig_t& config, cudaLaunchAttributeID id)
{
    return std::any_of(config.attrs, config.attrs + config.numAttrs, [&](const auto& attribute) {
        return attribute.id == id; // both that we know have a value that is not 0
    });
}

} // namespace

cudaError_t launchKernel(const cudaLaunchConfig_t& config, std::function<void()> kernel)
{
    constexpr unsigned kMostBlocks = 65535; // in y and z
    constexpr unsigned kMostThreads = 1024;
    return Machine::instance().call("cudaLaunchKernel", [&](Machine& machine) {
        const dim3 grid = config.gridDim;
        const dim3 block = config.blockDim;
        const auto threads = std::uint64_t{block.x} * block.y * block.z;
        if (grid.x == 0 || grid.x > 0x7FFFFFFFU || grid.y == 0 || grid.y > kMostBlocks
            || grid.z == 0 || grid.z > kMostBlocks || threads == 0 || threads > kMostThreads
            || block.z > 64) {
            return machine.fault(cudaErrorInvalidConfiguration, "a grid that can't be launched");
        }
        if (config.stream != nullptr && config.stream->device != currentDevice()) {
            return machine.fault(
                cudaErrorInvalidResourceHandle, "a kernel for a stream of another device");
        }
        const GridShape shape{
            grid, block, hasAttribute(config, cudaLaunchAttributeCooperative),
            hasAttribute(config, cudaLaunchAttributeProgrammaticStreamSerialization)};
        if (shape.isCooperative && std::uint64_t{grid.x} * grid.y * grid.z > kResidentBlocks) {
            return machine.fault(
                cudaErrorCooperativeLaunchTooLarge,
                "a cooperative grid of more blocks than run at once");
        }
        ++machine.counts.kernelLaunches;
        machine.counts.dependentLaunches += shape.isDependent ? 1 : 0;
        machine.counts.tallLaunches += grid.y > 1 ? 1 : 0;
        return machine.enqueue(
            config.stream, TaskKind::Kernel, [=, run = std::move(kernel)] { runGrid(shape, run); });
    });
}

std::int64_t nanoseconds()
{
    return Machine::instance().nanoseconds(); // locked: a kernel runs
}

void requireAligned(const void* address, std::size_t bytes)
{
    if (reinterpret_cast<std::uintptr_t>(address) % bytes != 0) {
        throw std::runtime_error(
            "a kernel accesses " + std::to_string(bytes)
            + " bytes at an address that is no multiple of it");
    }
}

void reset(const MachineSettings& settings)
{
    Machine::instance().locked([&](Machine& machine) { machine.reset(settings); });
}

void setClock(VirtualClock clock)
{
    Machine::instance().locked([&](Machine& machine) { machine.clock = std::move(clock); });
}

void failNext(const std::string& function, cudaError_t error, int after)
{
    Machine::instance().locked([&](Machine& machine) {
        machine.injected[function] = {after, error};
    });
}

std::string lastFault()
{
    return Machine::instance().locked([](Machine& machine) { return machine.faultText; });
}

Counters counters()
{
    return Machine::instance().locked([](Machine& machine) {
        Counters counts = machine.counts;
        counts.tasksWaiting = machine.waitingTasks();
        return counts;
    });
}

} // namespace lockstep::emulation
