// SPDX-License-Identifier: Apache-2.0
// Streams and events of the emulated CUDA runtime.
#include "cuda/emulated_machine.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string_view>

using lockstep::emulation::CapturePointer;
using lockstep::emulation::currentDevice;
using lockstep::emulation::Machine;
using lockstep::emulation::TaskKind;
using lockstep::emulation::TaskPointer;

namespace {

template<class Body>
cudaError_t call(const char* function, Body body)
{
    return Machine::instance().call(function, body);
}

/// As if every measurement were noise: for tests of what must not depend on it.
bool isClockRandom()
{
    const char* clock = std::getenv("LOCKSTEP_EMULATED_CLOCK");
    return clock != nullptr && std::string_view(clock) == "random";
}

float randomTime()
{
    static std::random_device source;
    return std::uniform_real_distribution<float>(1.0F, 1.4F)(source);
}

} // namespace

namespace lockstep::emulation {

cudaError_t enqueueHostTask(cudaStream_t stream, std::function<void()> task)
{
    return Machine::instance().locked([&](Machine& machine) {
        return machine.enqueue(stream, TaskKind::Library, std::move(task));
    });
}

cudaError_t enqueueTogether(
    std::uint64_t key, int ranks, cudaStream_t stream, std::function<void()> task)
{
    return Machine::instance().locked([&](Machine& machine) {
        if (stream == nullptr || stream->capture) {
            return machine.fault(
                cudaErrorStreamCaptureUnsupported,
                "work of several streams on stream 0 or captured");
        }
        const auto found = machine.collectives.find(key);
        if (found == machine.collectives.end()) {
            const TaskInfo info{TaskKind::Together, stream->device, stream->number};
            const TaskPointer first = machine.add(std::move(task), stream->tail, info, ranks - 1);
            stream->tail = {first};
            if (ranks > 1) {
                machine.collectives[key] = {first, ranks - 1};
            }
            return cudaSuccess;
        }
        auto& [collective, missing] = found->second;
        machine.arrive(collective, stream->tail, std::move(task));
        stream->tail = {collective};
        if (--missing == 0) {
            machine.collectives.erase(found);
        }
        return cudaSuccess;
    });
}

} // namespace lockstep::emulation

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
{
    return call("cudaStreamCreateWithFlags", [&](Machine& machine) {
        const int device = currentDevice();
        const int number = machine.streamsMade[device]++;
        *stream = new CUstream_st{machine.generation, device, flags, number, {}, {}, {}};
        machine.streams.push_back(*stream);
        ++machine.counts.streams;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return Machine::instance().callToRelease("cudaStreamDestroy", [&](Machine& machine) {
        if (std::erase(machine.streams, stream) == 0) {
            return cudaErrorInvalidResourceHandle;
        }
        if (stream->capture) {
            endCapture(machine, CapturePointer(stream->capture));
        }
        machine.countLess(machine.counts.streams, stream->generation);
        delete stream;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return call("cudaStreamSynchronize", [&](Machine& machine) {
        if (stream == nullptr) {
            return machine.fault(cudaErrorInvalidResourceHandle, "stream 0 is not used here");
        }
        if (stream->capture) {
            stream->capture->isInvalid = true;
            return machine.fault(cudaErrorStreamCaptureUnsupported, "a wait during a capture");
        }
        return machine.runUntilDone(stream->tail);
    });
}

cudaError_t cudaDeviceSynchronize()
{
    return call("cudaDeviceSynchronize", [&](Machine& machine) {
        const cudaError_t result = machine.requireNoCapture();
        return result == cudaSuccess ? machine.runDevice(currentDevice()) : result;
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/)
{
    return call("cudaStreamWaitEvent", [&](Machine& machine) {
        if (stream == nullptr) {
            return machine.fault(cudaErrorInvalidResourceHandle, "stream 0 is not used here");
        }
        if (stream->capture || event->capture) {
            return waitInCapture(machine, stream, event);
        }
        if (event->task) {
            stream->tail.push_back(event->task);
        }
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    return call("cudaEventCreateWithFlags", [&](Machine& machine) {
        *event = new CUevent_st{machine.generation, currentDevice(), flags, {}, {}, {}};
        ++machine.counts.events;
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return Machine::instance().callToRelease("cudaEventDestroy", [&](Machine& machine) {
        machine.countLess(machine.counts.events, event->generation);
        delete event;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return call("cudaEventRecord", [&](Machine& machine) {
        if (stream == nullptr || stream->device != event->device) {
            return machine.fault(
                cudaErrorInvalidResourceHandle, "an event is recorded on another device");
        }
        event->capture = stream->capture;
        event->captureTail = stream->captureTail;
        if (stream->capture) {
            return cudaSuccess;
        }
        const cudaError_t result = machine.enqueue(stream, TaskKind::Kernel, nullptr);
        event->task = stream->tail.front();
        return result;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return call("cudaEventSynchronize", [&](Machine& machine) {
        if (event->capture) {
            return machine.fault(cudaErrorCapturedEvent, "a wait for an event of a capture");
        }
        const bool isOfBefore = event->generation != machine.generation;
        return event->task && !isOfBefore ? machine.runUntilDone({event->task}) : cudaSuccess;
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    return call("cudaEventElapsedTime", [&](Machine& /*machine*/) {
        if (((start->flags | end->flags) & cudaEventDisableTiming) != 0 || !start->task
            || !end->task) {
            return cudaErrorInvalidResourceHandle;
        }
        if (!start->task->isDone || !end->task->isDone) {
            return cudaErrorNotReady;
        }
        const std::chrono::duration<float, std::milli> time = end->task->end - start->task->end;
        *milliseconds = isClockRandom() ? randomTime() : time.count();
        return cudaSuccess;
    });
}

} // extern "C"
