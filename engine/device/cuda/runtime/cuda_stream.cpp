// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/cuda_stream.h"

#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/dependent_launch.h"
#include "device/cuda/runtime/kernel_name.h"

#include <utility>

namespace lockstep::cuda {
namespace {

/// Of the capture that the thread is at: all of its streams add to one graph.
struct CaptureLabels
{
    bool isOn = false;
    NodeLabel current;
    NodeLabels known;
};
thread_local CaptureLabels labels;

std::vector<cudaGraphNode_t> nodesOf(cudaGraph_t graph)
{
    std::size_t count = 0;
    checkCuda(cudaGraphGetNodes(graph, nullptr, &count), "counting the nodes of the step");
    std::vector<cudaGraphNode_t> nodes(count);
    checkCuda(cudaGraphGetNodes(graph, nodes.data(), &count), "listing the nodes of the step");
    return nodes;
}

/// What came since the last call is of the current label.
void labelNewNodes(cudaGraph_t graph)
{
    for (cudaGraphNode_t node : nodesOf(graph)) {
        labels.known.try_emplace(node, labels.current);
    }
}

} // namespace

void select(int device)
{
    checkCuda(cudaSetDevice(device), "choosing the GPU");
}

CudaEvent::CudaEvent(int device) : m_device(device)
{
    select(device);
    // Without times an event costs less; the device's own clock is in the reports.
    checkCuda(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming), "making an event");
}

CudaEvent::~CudaEvent()
{
    cudaSetDevice(m_device);
    cudaEventDestroy(m_event);
}

void CudaEvent::wait() const
{
    select(m_device);
    checkCuda(cudaEventSynchronize(m_event), "waiting for the GPU");
}

CudaGraph::CudaGraph(int device, cudaGraph_t graph, NodeLabels nodeLabels)
    : m_device(device), m_graph(graph), m_labels(std::move(nodeLabels))
{
    const cudaError_t made = cudaGraphInstantiate(&m_instance, graph, 0);
    if (made != cudaSuccess) {
        cudaGraphDestroy(graph);
    }
    checkCuda(made, "making the graph of the step");
}

CudaGraph::~CudaGraph()
{
    cudaSetDevice(m_device);
    cudaGraphExecDestroy(m_instance);
    cudaGraphDestroy(m_graph);
}

void CudaGraph::launch(Stream& stream) const
{
    checkCuda(cudaGraphLaunch(m_instance, handleOf(stream)), "launching the graph of the step");
}

std::vector<GraphNode> CudaGraph::nodes() const
{
    std::vector<GraphNode> found;
    std::map<cudaGraphNode_t, std::size_t> numbers;
    for (cudaGraphNode_t node : nodesOf(m_graph)) {
        numbers[node] = found.size();
        const NodeLabel& label = m_labels.at(node);
        found.push_back({label.part, label.pass, kernelName(node), {}});
    }
    std::size_t count = 0;
    checkCuda(
        cudaGraphGetEdges(m_graph, nullptr, nullptr, nullptr, &count),
        "counting the edges of the step");
    std::vector<cudaGraphNode_t> from(count);
    std::vector<cudaGraphNode_t> to(count);
    std::vector<cudaGraphEdgeData> data(count); // where it is not asked for, it must be plain
    checkCuda(
        cudaGraphGetEdges(m_graph, from.data(), to.data(), data.data(), &count),
        "listing the edges of the step");
    for (std::size_t i = 0; i < count; ++i) {
        found[numbers.at(to[i])].after.push_back(numbers.at(from[i]));
    }
    return found;
}

CudaStream::CudaStream(int device) : m_device(device)
{
    select(device);
    checkCuda(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
}

CudaStream::~CudaStream()
{
    setDependent(m_stream, false);
    cudaSetDevice(m_device);
    cudaStreamDestroy(m_stream);
}

void CudaStream::record(Event& event)
{
    checkCuda(
        cudaEventRecord(dynamic_cast<CudaEvent&>(event).handle(), m_stream), "recording an event");
}

void CudaStream::waitFor(const Event& event)
{
    checkCuda(
        cudaStreamWaitEvent(m_stream, dynamic_cast<const CudaEvent&>(event).handle(), 0),
        "ordering streams");
}

void CudaStream::synchronize()
{
    select(m_device);
    checkCuda(cudaStreamSynchronize(m_stream), "waiting for the GPU");
}

void CudaStream::overlapKernels()
{
    setDependent(m_stream, true);
}

void CudaStream::beginCapture()
{
    // Thread-local: other threads go on making and freeing things on other GPUs.
    checkCuda(
        cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal),
        "beginning to capture the step");
    labels = {true, {}, {}};
}

void CudaStream::label(std::string_view part, std::string_view pass)
{
    if (!labels.isOn) {
        return;
    }
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    checkCuda(
        cudaStreamGetCaptureInfo(m_stream, &status, nullptr, &graph, nullptr, nullptr, nullptr),
        "looking at the step");
    if (status == cudaStreamCaptureStatusActive) {
        labelNewNodes(graph);
    }
    labels.current = {std::string(part), std::string(pass)};
}

std::unique_ptr<StepGraph> CudaStream::endCapture()
{
    cudaGraph_t graph = nullptr;
    labels.isOn = false;
    checkCuda(cudaStreamEndCapture(m_stream, &graph), "capturing the step");
    labelNewNodes(graph);
    return std::make_unique<CudaGraph>(m_device, graph, std::move(labels.known));
}

cudaStream_t handleOf(Stream& stream)
{
    return dynamic_cast<CudaStream&>(stream).handle();
}

cudaStream_t streamOf(const StepContext& context)
{
    return handleOf(*context.stream);
}

} // namespace lockstep::cuda
