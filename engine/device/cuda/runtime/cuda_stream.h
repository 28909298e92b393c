// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/op.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

namespace lockstep::cuda {

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
    CudaGraph(int device, cudaGraph_t graph);
    ~CudaGraph() override;

    void launch(Stream& stream) const override;
    [[nodiscard]] std::size_t nodes() const override { return m_nodes; }

private:
    int m_device;
    std::size_t m_nodes = 0;
    cudaGraphExec_t m_graph = nullptr;
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
    void beginCapture() override;
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
