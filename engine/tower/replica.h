// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/device.h"
#include "device/parameter_arena.h"
#include "device/step_features.h"
#include "input/batch.h"
#include "network/network_spec.h"
#include "tower/branch_plan.h"
#include "tower/branch_streams.h"
#include "tower/layer_algorithms.h"
#include "tower/node_timer.h"
#include "tower/replica_memory.h"

#include <cstdint>
#include <functional>
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
    /// Towers that add up the sums of synchronised ops between the parts of a pass; 1: the rows of
    /// this replica are all there are.
    int syncTowers = 1;
    std::uint64_t seed = 0;    ///< of what a training pass draws at random: dropout
    std::int64_t firstRow = 0; ///< of the replica, in the batch of all towers
    /// By layer: what report() said of an earlier replica, so that the same is chosen again; or
    /// kFirstAlgorithm, also for kEveryLayer, which is an accelerator's, and for kEveryHostLayer,
    /// or kDirectAlgorithm for that.
    std::map<std::string, std::string> algorithms = {};
    std::function<bool()> mayGoOn = {};          ///< see Planning
    StepFeatures features = StepFeatures::all(); ///< accelerators
    // Accelerators: where the replica works and where it leaves its results, one for each
    // objective; null: on a stream, and in memory, of its own.
    Stream* stream = nullptr;
    ObjectiveResult* results = nullptr; ///< pass by pass, see beginPass()
    /// Where it notes the device's clock as it begins and after forward; null: nowhere. Of several
    /// passes the first one does.
    TowerStamps* stamps = nullptr;
    /// Nothing is allocated: the replica only tells of its memory().
    bool isPlanOnly = false;
};

/// What one op of a replica is and takes, for tables.
struct OpReport
{
    std::string layer;     ///< "pool1 + norm1" where the second's op does both
    std::string algorithm; ///< empty: another layer's op does this one's work
    std::size_t dstBytes = 0;
    std::size_t workspaceBytes = 0;
    std::size_t srcBytes = 0;        ///< of all tensors that it reads
    std::size_t diffSrcBytes = 0;    ///< of those whose gradient it makes
    int inner = -1;                  ///< number of the op whose work it does besides; -1: none
    bool isGradientFinished = false; ///< see TensorPlan::finish, of its dst
    AlgorithmChoices choices = {};
};

enum class Direction { Forward, Backward };

/// Layers [first, end) of a replica; the objectives count as layers after the last one.
struct LayerRange
{
    int first = 0;
    int end = 0;
};

/// A part of a backward pass: begins or ends at a range, or at a sync point, in the middle of an
/// op.
struct BackwardPart
{
    int finishesNode = -1; ///< whose sums have been added up before; -1: none
    LayerRange layers;
    int beginsNode = -1; ///< whose sums are added up next; -1: none
};

/// The network planned for a fixed number of rows on one device: ops, activations and gradients.
/// Reads weights that belong to somebody else. Everything, the constructor too, is called from one
/// thread.
class Replica
{
public:
    /// Plans and, except for ReplicaSettings::isPlanOnly, allocates. Errors name the layer.
    Replica(
        const Device& device, const NetworkSpec& network, const ParameterLayout& layout,
        const ReplicaSettings& settings);

    /// Runs the layers and objectives on rows in host memory. On an accelerator the work has only
    /// been enqueued when it returns; what reads its results waits for them.
    void forward(const WeightsView& weights, const BatchSlice& rows);
    /// After forward with the same arguments: fills gradients() with those of
    /// lossScale * sum over rows and objectives of weight * loss, weight decay not included.
    void backward(const WeightsView& weights, const BatchSlice& rows, double lossScale);

    /// Parts into which a pass falls, one after the other: with ReplicaSettings::syncTowers > 1
    /// there is a sync point between two of them. Host devices: forward() and
    /// backward() run all parts, forwardPart() and backwardPart() one of them.
    [[nodiscard]] std::size_t parts(Direction direction) const
    {
        return direction == Direction::Forward ? m_forwardSyncPoints.size() + 1
                                               : m_backwardParts.size();
    }
    /// Host devices: from now on a part of the backward pass ends at each of these layers too, the
    /// last layer first, and at layer 0: in front of it the gradients of all layers from there on
    /// are there. Returns the parts up to each of them.
    std::vector<std::size_t> cutBackward(const std::vector<int>& firstLayers);
    void forwardPart(std::size_t part, const WeightsView& weights, const BatchSlice& rows);
    void backwardPart(
        std::size_t part, const WeightsView& weights, const BatchSlice& rows, double lossScale);
    /// What the towers add up after this part: this replica's own share, to be replaced by the sum
    /// over all. Empty where it is not a sync point that ends it.
    [[nodiscard]] std::span<double> sumsAfter(Direction direction, std::size_t part) const;

    /// Accelerators: what is enqueued from now on is pass `number` of a step, counted from 0, over
    /// the rows that follow those of the passes before, and fills `gradients`, memory of the device
    /// that is laid out like gradients().
    void beginPass(int number, float* gradients)
    {
        m_pass = number;
        m_passGradients = gradients;
    }
    /// The same on an accelerator, for rows that are there already or are made there. The input's
    /// rowLabels and rowMasks are the replica's own.
    void enqueueForwardPart(std::size_t part, const WeightsView& weights, const DeviceInput& input);
    void enqueueBackward(const WeightsView& weights, double lossScale, const BackwardPart& part);
    /// The parts of a backward pass that are `layers`, in the order in which they run; a pass may
    /// be made range by range, the last layers first.
    [[nodiscard]] std::vector<BackwardPart> backwardParts(const LayerRange& layers) const;
    /// What the towers add up after that part.
    [[nodiscard]] std::span<double> sumsAfter(const BackwardPart& part) const
    {
        return m_nodes[static_cast<std::size_t>(part.beginsNode)].op->backwardSums();
    }
    /// Layers and objectives.
    [[nodiscard]] LayerRange allLayers() const { return {0, static_cast<int>(m_nodes.size())}; }
    /// Where the last forward left its results, in the device's memory.
    [[nodiscard]] ObjectiveResult* resultsOnDevice() const
    {
        return m_settings.results != nullptr
                   ? m_settings.results + static_cast<std::size_t>(m_pass) * m_results.size()
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
    /// How its memory is shared out.
    [[nodiscard]] const ReplicaMemory& memory() const { return m_memoryPlan; }
    /// Which of its layers and objectives run beside each other.
    [[nodiscard]] const BranchPlan& branches() const { return m_branches; }
    /// Memory of activations, their gradients, workspaces and parameter gradients.
    [[nodiscard]] std::size_t bytes() const { return m_memory.bytes() + m_gradients.bytes(); }

private:
    /// Input `input` of node `node`.
    struct Reader
    {
        int node = 0;
        std::size_t input = 0;
        bool operator==(const Reader&) const = default;
    };
    /// A layer or an objective in its place. Number in m_nodes: layers first, then objectives.
    struct Node
    {
        std::string name;
        std::unique_ptr<Op> op;
        OpPlan plan;
        OpMemory memory;
        std::vector<int> sources; ///< nodes whose dst it reads; none for the input
        bool hasBackward = false;
        std::vector<Reader> gradientReaders; ///< those that make a gradient of its dst
        int inner = -1;                      ///< node whose work the op does besides; -1: none
        /// Where they put it, a buffer each; those that add to a gradient that is there: the first.
        std::vector<std::byte*> diffs;
        int joint = -1;          ///< node whose dst and gradient hold this one's; -1: none
        std::vector<int> slices; ///< nodes whose dst and gradient are channels of this one's
    };
    /// A node whose op waits in the middle of its pass.
    struct SyncPoint
    {
        std::size_t node = 0;
        std::span<double> sums;
    };
    /// Numbers of a node's buffers in the memory plan; -1: none.
    struct BufferIds
    {
        int dst = -1;
        int workspace = -1;
        int scratchpad = -1;
        std::vector<int> diffs;
    };

    /// Its work is enqueued, and not done when a call returns: on an accelerator.
    [[nodiscard]] bool isQueued() const { return m_settings.stream != nullptr; }
    void addNodes(const NetworkSpec& network, const ParameterLayout& layout);
    void addLayer(
        const NetworkSpec& network, const ParameterLayout& layout, int layer, bool hasGradient);
    void fusePairs(const NetworkSpec& network);
    [[nodiscard]] std::unique_ptr<Op> makeFusedOp(
        const NetworkSpec& network, int first, std::size_t second) const;
    void fuse(int first, std::size_t second, std::unique_ptr<Op> op);
    void takeInner(const Node& node);
    [[nodiscard]] std::string algorithmFor(const std::string& layer) const;
    void planNodes(const std::vector<bool>& withGradient);
    [[nodiscard]] bool isLaterMaker(std::size_t number) const;
    void orderMakers();
    void placeSlices();
    void planBranches(const NetworkSpec& network);
    [[nodiscard]] bool mayBranch(const NetworkSpec& network) const;
    int addBuffer(const PlannedBuffer& buffer);
    [[nodiscard]] std::vector<BufferIds> planBuffers();
    void placeBuffers();
    void allocate(const std::vector<BufferIds>& ids);
    void allocateCounters();
    void bindNodes();
    void findSyncPoints();
    [[nodiscard]] StepContext hostContext(
        const WeightsView& weights, const BatchSlice& rows, double lossScale) const;
    void run(const StepContext& context, std::size_t part);
    void runBackward(const StepContext& context, const LayerRange& layers);
    void beginBackwardNode(std::size_t number, const StepContext& context);
    void finishBackwardNode(std::size_t number, const StepContext& context);
    void passNode(
        std::size_t number, double NodeSeconds::*pass, void (Op::*call)(const StepContext&),
        const StepContext& context);
    void runBackwardPart(const StepContext& context, const BackwardPart& part);
    void takeIn(const BatchSlice& rows);
    [[nodiscard]] StepContext deviceContext(const WeightsView& weights, double lossScale) const;
    [[nodiscard]] DeviceInput stagedInput() const;
    void joinGradients(std::size_t number) const;
    [[nodiscard]] int forwardMoment(int node) const { return node; }
    [[nodiscard]] int backwardMoment(int node) const
    {
        return 2 * static_cast<int>(m_nodes.size()) - 1 - node;
    }
    [[nodiscard]] bool isOutput(int number) const;
    [[nodiscard]] bool readerAppliesActivation(std::size_t number) const;
    [[nodiscard]] bool readerFinishesGradient(std::size_t number) const;
    [[nodiscard]] bool readerMasksGradient(std::size_t number) const;
    [[nodiscard]] static bool reads(const Node& node, int number);
    [[nodiscard]] std::ptrdiff_t readings(int number) const;
    [[nodiscard]] bool adds(const Reader& reader) const
    {
        return m_nodes[static_cast<std::size_t>(reader.node)].plan.addsDiffSrc;
    }
    [[nodiscard]] std::vector<int> usesOfValues(int number) const;
    [[nodiscard]] std::vector<int> usesOfGradient(int number, std::size_t reader) const;

    const Device& m_device;
    ReplicaSettings m_settings;
    std::unique_ptr<Stream> m_ownStream;
    const StepState* m_state = nullptr; ///< accelerators: of the last forward
    int m_pass = 0;                     ///< see beginPass()
    float* m_passGradients = nullptr;   ///< null: gradients()
    std::size_t m_layers = 0;
    std::vector<NamedOutput> m_outputs;
    std::vector<double> m_objectiveWeights;
    std::vector<Node> m_nodes;
    std::vector<SyncPoint> m_forwardSyncPoints; ///< in the order in which a pass comes to them
    std::vector<SyncPoint> m_backwardSyncPoints;
    std::vector<BackwardPart> m_backwardParts; ///< of the whole pass
    BranchPlan m_branches;
    BranchStreams m_streams;
    NodeTimer m_nodeTimer;
    mutable std::vector<ObjectiveResult> m_results; ///< in host memory
    ReplicaMemory m_memoryPlan;
    DeviceMemory m_memory;
    DeviceMemory m_gradients;
    DeviceMemory m_resultMemory;
    DeviceMemory m_counters;  ///< accelerators: of all ops
    DeviceMemory m_rowLabels; ///< accelerators
    DeviceMemory m_images;    ///< accelerators: rows that came from the host
    DeviceMemory m_imageLabels;
    DeviceMemory m_masks;
    DeviceMemory m_stagedState;
    DeviceMemory m_rowMasks; ///< accelerators, where the network needs masks
    DeviceMemory m_mixed;    ///< accelerators: of rows that came from the host
    DeviceMemory m_rowMixed; ///< accelerators
    bool m_isMixed = false;  ///< accelerators: the rows of the last forward
};

} // namespace lockstep
