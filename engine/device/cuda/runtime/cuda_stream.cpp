// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/cuda_stream.h"

#include "device/cuda/runtime/cuda_check.h"

namespace lockstep::cuda {

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

CudaGraph::CudaGraph(int device, cudaGraph_t graph) : m_device(device)
{
    const auto made = [&] {
        if (const cudaError_t error = cudaGraphGetNodes(graph, nullptr, &m_nodes);
            error != cudaSuccess) {
            return error;
        }
        return cudaGraphInstantiate(&m_graph, graph, 0);
    }();
    cudaGraphDestroy(graph);
    checkCuda(made, "making the graph of the step");
}

CudaGraph::~CudaGraph()
{
    cudaSetDevice(m_device);
    cudaGraphExecDestroy(m_graph);
}

void CudaGraph::launch(Stream& stream) const
{
    checkCuda(cudaGraphLaunch(m_graph, handleOf(stream)), "launching the graph of the step");
}

CudaStream::CudaStream(int device) : m_device(device)
{
    select(device);
    checkCuda(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
}

CudaStream::~CudaStream()
{
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

void CudaStream::beginCapture()
{
    // Thread-local: other threads go on making and freeing things on other GPUs.
    checkCuda(
        cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal),
        "beginning to capture the step");
}

std::unique_ptr<StepGraph> CudaStream::endCapture()
{
    cudaGraph_t graph = nullptr;
    checkCuda(cudaStreamEndCapture(m_stream, &graph), "capturing the step");
    return std::make_unique<CudaGraph>(m_device, graph);
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
