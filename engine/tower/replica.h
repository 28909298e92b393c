// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/device.h"
#include "device/parameter_arena.h"
#include "network/network_spec.h"
#include "tower/node_timer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// How a replica is planned; fixed for its life.
struct ReplicaSettings
{
    std::int64_t examples = 0; ///< rows of every pass
    bool isTraining = false;   ///< false: forward only, less memory
    int threads = 1;
    Precision precision = Precision::Float32;
    /// By layer: what report() said of an earlier replica, so that the same is chosen again.
    std::map<std::string, std::string> algorithms = {};
    // Accelerators: where the replica works and where it leaves its results, one for each
    // objective; null: on a stream, and in memory, of its own.
    Stream* stream = nullptr;
    ObjectiveResult* results = nullptr;
};

/// What one op of a replica is and takes, for tables.
struct OpReport
{
    std::string layer;
    std::string algorithm;
    std::size_t dstBytes = 0;
    std::size_t workspaceBytes = 0;
};

/// Layers [first, end) of a replica; the objectives count as layers after the last one.
struct LayerRange
{
    int first = 0;
    int end = 0;
};

/// The network planned for a fixed number of rows on one device: ops, activations and gradients.
/// Reads weights that belong to somebody else. Everything, the constructor too, is called from one
/// thread.
class Replica
{
public:
    /// Plans and allocates. Errors name the layer.
    Replica(
        const Device& device, const NetworkSpec& network, const ParameterLayout& layout,
        const ReplicaSettings& settings);

    /// Runs the layers and objectives on rows in host memory. On an accelerator the work has only
    /// been enqueued when it returns; what reads its results waits for them.
    void forward(
        const WeightsView& weights, std::span<const float> images,
        std::span<const std::int32_t> labels);
    /// After forward with the same arguments: fills gradients() with those of
    /// lossScale * sum over rows and objectives of weight * loss, weight decay not included.
    void backward(
        const WeightsView& weights, std::span<const float> images,
        std::span<const std::int32_t> labels, double lossScale);

    /// The same on an accelerator, for rows that are there already or are made there. The input's
    /// rowLabels are the replica's own.
    void enqueueForward(const WeightsView& weights, const DeviceInput& input);
    /// The part of the backward pass that is `layers`; begin with the last ones.
    void enqueueBackward(const WeightsView& weights, double lossScale, const LayerRange& layers);
    /// Layers and objectives.
    [[nodiscard]] LayerRange allLayers() const { return {0, static_cast<int>(m_nodes.size())}; }
    /// Where the last forward left its results, in the device's memory.
    [[nodiscard]] ObjectiveResult* resultsOnDevice() const
    {
        return m_settings.results != nullptr
                   ? m_settings.results
                   : reinterpret_cast<ObjectiveResult*>(m_resultMemory.data());
    }

    /// One result for each objective, of the last forward.
    [[nodiscard]] std::span<const ObjectiveResult> results() const;
    /// In the device's memory.
    [[nodiscard]] float* gradients() const { return reinterpret_cast<float*>(m_gradients.data()); }
    /// From now on every pass times its nodes. Host devices only: an accelerator has merely been
    /// given the work when a call returns.
    void timeNodes();
    /// Layers, then objectives: sums of all passes since timeNodes(); empty before.
    [[nodiscard]] const std::vector<NodeSeconds>& nodeSeconds() const
    {
        return m_nodeTimer.seconds();
    }
    /// Values of a named output of the last forward: rows x height x width x channels.
    [[nodiscard]] std::vector<float> output(const std::string& name) const;

    [[nodiscard]] const ReplicaSettings& settings() const { return m_settings; }
    [[nodiscard]] std::vector<OpReport> report() const;
    /// Memory of activations, their gradients, workspaces and parameter gradients.
    [[nodiscard]] std::size_t bytes() const { return m_memory.bytes() + m_gradients.bytes(); }

private:
    /// A layer or an objective in its place. Number in m_nodes: layers first, then objectives.
    struct Node
    {
        std::string name;
        std::unique_ptr<Op> op;
        OpPlan plan;
        OpMemory memory;
        int source = -1; ///< node whose dst it reads; -1 for the input
        bool hasBackward = false;
        std::vector<int> gradientReaders; ///< nodes that make a gradient of its dst
        std::vector<std::byte*> diffs;    ///< where they put it, one buffer each
    };
    /// Numbers of a node's buffers among the requests of the memory plan; -1: none.
    struct BufferIds
    {
        int dst = -1;
        int workspace = -1;
        std::vector<int> diffs;
    };

    void addNodes(const NetworkSpec& network, const ParameterLayout& layout);
    void addLayer(
        const NetworkSpec& network, const ParameterLayout& layout, int layer, bool hasGradient);
    void planNodes(const std::vector<bool>& withGradient);
    void placeMemory(const Device& device);
    void bindNodes();
    void run(const StepContext& context);
    void runBackward(const StepContext& context, const LayerRange& layers);
    void takeIn(std::span<const float> images, std::span<const std::int32_t> labels);
    [[nodiscard]] DeviceInput stagedInput() const;
    void joinGradients(const Node& node) const;
    [[nodiscard]] int forwardMoment(int node) const { return node; }
    [[nodiscard]] int backwardMoment(int node) const
    {
        return 2 * static_cast<int>(m_nodes.size()) - 1 - node;
    }
    [[nodiscard]] bool isOutput(int number) const;
    [[nodiscard]] bool readerAppliesActivation(std::size_t number) const;
    [[nodiscard]] int lastUse(int number) const;

    const Device& m_device;
    const Accelerator* m_accelerator = nullptr; ///< null: a host device
    ReplicaSettings m_settings;
    std::unique_ptr<Stream> m_ownStream;
    std::size_t m_layers = 0;
    std::vector<NamedOutput> m_outputs;
    std::vector<double> m_objectiveWeights;
    std::vector<Node> m_nodes;
    NodeTimer m_nodeTimer;
    mutable std::vector<ObjectiveResult> m_results; ///< in host memory
    DeviceMemory m_memory;
    DeviceMemory m_gradients;
    DeviceMemory m_resultMemory;
    DeviceMemory m_rowLabels; ///< accelerators
    DeviceMemory m_images;    ///< accelerators: rows that came from the host
    DeviceMemory m_imageLabels;
};

} // namespace lockstep
