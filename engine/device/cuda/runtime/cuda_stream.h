// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/op.h"

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cuda {

/// What the nodes of a graph were captured for.
struct NodeLabel
{
    std::string part;
    std::string pass;
};
using NodeLabels = std::map<cudaGraphNode_t, NodeLabel>;

/// Makes a GPU the current one of the calling thread.
void select(int device);

class CudaEvent final : public Event
{
public:
    explicit CudaEvent(int device);
    ~CudaEvent() override;

    void wait() const override;
    [[nodiscard]] cudaEvent_t handle() const { return m_event; }

private:
    int m_device;
    cudaEvent_t m_event = nullptr;
};

class CudaGraph final : public StepGraph
{
public:
    /// Takes over the graph.
    CudaGraph(int device, cudaGraph_t graph, NodeLabels labels);
    ~CudaGraph() override;

    void launch(Stream& stream) const override;
    [[nodiscard]] std::vector<GraphNode> nodes() const override;

private:
    int m_device;
    cudaGraph_t m_graph;
    NodeLabels m_labels;
    cudaGraphExec_t m_instance = nullptr;
};

/// A stream that does not wait for CUDA's default stream.
class CudaStream final : public Stream
{
public:
    explicit CudaStream(int device);
    ~CudaStream() override;

    void record(Event& event) override;
    void waitFor(const Event& event) override;
    void synchronize() override;
    void overlapKernels() override;
    void beginCapture() override;
    void label(std::string_view part, std::string_view pass) override;
    [[nodiscard]] std::unique_ptr<StepGraph> endCapture() override;
    [[nodiscard]] cudaStream_t handle() const { return m_stream; }

private:
    int m_device;
    cudaStream_t m_stream = nullptr;
};

/// CUDA's stream within one of ours.
[[nodiscard]] cudaStream_t handleOf(Stream& stream);
[[nodiscard]] cudaStream_t streamOf(const StepContext& context);

} // namespace lockstep::cuda
