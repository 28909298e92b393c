// SPDX-License-Identifier: Apache-2.0
// Capture and graphs of the emulated CUDA runtime.
#include "cuda/emulated_machine.h"

#include <algorithm>
#include <set>

using lockstep::emulation::Capture;
using lockstep::emulation::CapturePointer;
using lockstep::emulation::GraphNode;
using lockstep::emulation::Machine;
using lockstep::emulation::TaskPointer;

namespace {

template<class Body>
cudaError_t call(const char* function, Body body)
{
    return Machine::instance().call(function, body);
}

cudaGraphNode_t handleOf(std::size_t node)
{
    return reinterpret_cast<cudaGraphNode_t>(node + 1);
}

/// Nodes that come before one of `nodes`, and these.
std::set<std::size_t> withAncestors(const Capture& capture, const std::vector<std::size_t>& nodes)
{
    std::set<std::size_t> all;
    std::vector<std::size_t> open(nodes);
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        if (all.insert(node).second) {
            const auto& before = capture.graph.nodes[node].after;
            open.insert(open.end(), before.begin(), before.end());
        }
    }
    return all;
}

bool isJoined(const Capture& capture)
{
    const auto reached = withAncestors(capture, capture.origin->captureTail);
    return std::ranges::all_of(capture.streams, [&](const cudaStream_t stream) {
        return std::ranges::all_of(
            stream->captureTail, [&](std::size_t node) { return reached.contains(node); });
    });
}

} // namespace

namespace lockstep::emulation {

void endCapture(Machine& machine, const CapturePointer& capture)
{
    for (const cudaStream_t stream : capture->streams) {
        stream->capture.reset();
        stream->captureTail.clear();
    }
    capture->hasEnded = true;
    std::erase(machine.captures, capture);
}

cudaError_t waitInCapture(Machine& machine, cudaStream_t stream, cudaEvent_t event)
{
    const bool isSame = stream->capture == event->capture;
    if (stream->capture && !isSame) {
        stream->capture->isInvalid = true;
        return machine.fault(
            event->capture ? cudaErrorStreamCaptureMerge : cudaErrorStreamCaptureIsolation,
            "a captured stream waits for an event that is not of its capture");
    }
    if (event->capture->hasEnded) {
        return machine.fault(
            cudaErrorCapturedEvent, "a stream waits for an event of a capture that has ended");
    }
    if (!isSame) {
        stream->capture = event->capture;
        stream->captureTail.clear();
        event->capture->streams.push_back(stream);
    }
    auto& tail = stream->captureTail;
    tail.insert(tail.end(), event->captureTail.begin(), event->captureTail.end());
    return cudaSuccess;
}

} // namespace lockstep::emulation

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    return call("cudaStreamBeginCapture", [&](Machine& machine) {
        if (stream == nullptr || stream->capture) {
            return machine.fault(cudaErrorIllegalState, "a stream that can't begin a capture");
        }
        auto capture = std::make_shared<Capture>();
        capture->origin = stream;
        capture->mode = mode;
        capture->thread = std::this_thread::get_id();
        capture->streams = {stream};
        machine.captures.push_back(capture);
        stream->capture = capture;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    return call("cudaStreamEndCapture", [&](Machine& machine) {
        *graph = nullptr;
        if (stream == nullptr || !stream->capture) {
            return cudaErrorIllegalState;
        }
        const CapturePointer capture = stream->capture;
        if (capture->origin != stream) {
            capture->isInvalid = true;
            return machine.fault(
                cudaErrorStreamCaptureUnmatched, "a capture ends on another stream than it began");
        }
        const bool isWhole = isJoined(*capture);
        endCapture(machine, capture);
        if (capture->isInvalid) {
            return cudaErrorStreamCaptureInvalidated;
        }
        if (!isWhole) {
            return machine.fault(
                cudaErrorStreamCaptureUnjoined, "a capture ends before all its streams joined");
        }
        *graph = new CUgraph_st{machine.generation, capture->graph.nodes};
        ++machine.counts.graphs;
        machine.counts.graphNodes = static_cast<std::int64_t>(capture->graph.nodes.size());
        return cudaSuccess;
    });
}

cudaError_t cudaGraphInstantiate(
    cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long /*flags*/)
{
    return call("cudaGraphInstantiate", [&](Machine& machine) {
        *instance = new CUgraphExec_st{machine.generation, graph->nodes, {}};
        ++machine.counts.graphs;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count)
{
    return call("cudaGraphGetNodes", [&](Machine& /*machine*/) {
        *count = graph->nodes.size();
        for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) {
            nodes[i] = handleOf(i);
        }
        return cudaSuccess;
    });
}

cudaError_t cudaGraphGetEdges(
    cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* /*data*/,
    std::size_t* count)
{
    return call("cudaGraphGetEdges", [&](Machine& /*machine*/) {
        *count = 0;
        for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
            for (const std::size_t before : graph->nodes[i].after) {
                if (from != nullptr) {
                    from[*count] = handleOf(before);
                    to[*count] = handleOf(i);
                }
                ++*count;
            }
        }
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* /*id*/,
    cudaGraph_t* graph, const cudaGraphNode_t** /*dependencies*/,
    const cudaGraphEdgeData** /*edges*/, std::size_t* /*count*/)
{
    return call("cudaStreamGetCaptureInfo", [&](Machine& /*machine*/) {
        *status = stream->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
        *graph = stream->capture ? &stream->capture->graph : nullptr;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream)
{
    return call("cudaGraphLaunch", [&](Machine& machine) {
        if (stream == nullptr || stream->capture) {
            return machine.fault(
                cudaErrorStreamCaptureUnsupported, "a graph is launched on no stream, or captured");
        }
        std::vector<TaskPointer> before = stream->tail;
        if (instance->last) {
            before.push_back(instance->last);
        }
        std::vector<TaskPointer> tasks;
        for (const GraphNode& node : instance->nodes) {
            std::vector<TaskPointer> after;
            for (const std::size_t index : node.after) {
                after.push_back(tasks[index]);
            }
            tasks.push_back(machine.add(node.run, node.after.empty() ? before : after, node.info));
        }
        tasks.insert(tasks.end(), before.begin(), before.end());
        instance->last = machine.add(nullptr, tasks);
        stream->tail = {instance->last};
        ++machine.counts.graphLaunches;
        machine.runSome();
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return Machine::instance().callToRelease("cudaGraphDestroy", [&](Machine& machine) {
        machine.countLess(machine.counts.graphs, graph->generation);
        delete graph;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance)
{
    return Machine::instance().callToRelease("cudaGraphExecDestroy", [&](Machine& machine) {
        machine.countLess(machine.counts.graphs, instance->generation);
        delete instance;
        return cudaSuccess;
    });
}

} // extern "C"
