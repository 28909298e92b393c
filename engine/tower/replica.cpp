// SPDX-License-Identifier: Apache-2.0
#include "tower/replica.h"

#include "base/error.h"
#include "tower/layer_errors.h"

#include <algorithm>

namespace lockstep {

Replica::Replica(
    const Device& device, const NetworkSpec& network, const ParameterLayout& layout,
    const ReplicaSettings& settings)
    : m_device(device), m_settings(settings), m_layers(network.layers.size()),
      m_outputs(network.outputs), m_results(network.objectives.size()),
      m_resultMemory(device.allocate(network.objectives.size() * sizeof(ObjectiveResult)))
{
    if (settings.stream == nullptr) {
        m_ownStream = device.makeStream();
        m_settings.stream = m_ownStream.get();
    }
    m_streams = BranchStreams(m_settings.stream);
    if (isQueued()) {
        const auto rows = static_cast<std::size_t>(settings.examples);
        m_rowLabels = device.allocate(rows * sizeof(std::int32_t));
        m_rowMixed = device.allocate(rows * sizeof(MixedLabel));
        if (network.maskShape) {
            const auto cells = static_cast<std::size_t>(network.maskShape->elements());
            m_rowMasks = device.allocate(rows * cells * sizeof(float));
        }
    }
    addNodes(network, layout);
    planNodes(network.layersWithGradient());
    placeSlices();
    planBranches(network);
    if (settings.isTraining) {
        m_memoryPlan.gradientBytes = static_cast<std::size_t>(layout.elements) * sizeof(float);
    }
    const auto buffers = planBuffers();
    if (!settings.isPlanOnly) {
        allocate(buffers);
        bindNodes();
        findSyncPoints();
        m_backwardParts = backwardParts(allLayers());
    }
}

StepContext Replica::hostContext(
    const WeightsView& weights, const BatchSlice& rows, double lossScale) const
{
    return {weights,    gradients(), rows.images, rows.labels,     rows.masks,
            rows.mixed, lossScale,   rows.step,   rows.rowsBefore, {}};
}

void Replica::forward(const WeightsView& weights, const BatchSlice& rows)
{
    if (isQueued()) {
        takeIn(rows);
    }
    for (std::size_t part = 0; part < parts(Direction::Forward); ++part) {
        if (isQueued()) {
            enqueueForwardPart(part, weights, stagedInput());
        } else {
            forwardPart(part, weights, rows);
        }
    }
}

void Replica::forwardPart(std::size_t part, const WeightsView& weights, const BatchSlice& rows)
{
    run(hostContext(weights, rows, 1.0), part);
}

void Replica::backward(const WeightsView& weights, const BatchSlice& rows, double lossScale)
{
    if (isQueued()) {
        for (const BackwardPart& part : m_backwardParts) {
            enqueueBackward(weights, lossScale, part);
        }
        return;
    }
    for (std::size_t part = 0; part < parts(Direction::Backward); ++part) {
        backwardPart(part, weights, rows, lossScale);
    }
}

void Replica::backwardPart(
    std::size_t part, const WeightsView& weights, const BatchSlice& rows, double lossScale)
{
    runBackwardPart(hostContext(weights, rows, lossScale), m_backwardParts[part]);
}

std::vector<BackwardPart> Replica::backwardParts(const LayerRange& layers) const
{
    std::vector<BackwardPart> parts;
    BackwardPart part{-1, layers, -1};
    for (const SyncPoint& point : m_backwardSyncPoints) {
        const auto node = static_cast<int>(point.node);
        if (node >= layers.first && node < layers.end) {
            part.layers.first = node + 1;
            part.beginsNode = node;
            parts.push_back(part);
            part = {node, {layers.first, node}, -1};
        }
    }
    parts.push_back(part);
    return parts;
}

std::vector<std::size_t> Replica::cutBackward(const std::vector<int>& firstLayers)
{
    m_backwardParts.clear();
    std::vector<std::size_t> ends;
    int end = allLayers().end;
    for (const int first : firstLayers) {
        const auto parts = backwardParts({first, end});
        m_backwardParts.insert(m_backwardParts.end(), parts.begin(), parts.end());
        ends.push_back(m_backwardParts.size());
        end = first;
    }
    return ends;
}

std::span<double> Replica::sumsAfter(Direction direction, std::size_t part) const
{
    if (direction == Direction::Forward) {
        return part < m_forwardSyncPoints.size() ? m_forwardSyncPoints[part].sums
                                                 : std::span<double>();
    }
    const BackwardPart& ended = m_backwardParts[part];
    return ended.beginsNode < 0 ? std::span<double>() : sumsAfter(ended);
}

void Replica::runBackwardPart(const StepContext& context, const BackwardPart& part)
{
    if (part.finishesNode >= 0) {
        finishBackwardNode(static_cast<std::size_t>(part.finishesNode), context);
    }
    runBackward(context, part.layers);
    if (part.beginsNode >= 0) {
        beginBackwardNode(static_cast<std::size_t>(part.beginsNode), context);
    }
}

StepContext Replica::deviceContext(const WeightsView& weights, double lossScale) const
{
    StepContext context;
    context.weights = weights;
    context.gradients = m_passGradients != nullptr ? m_passGradients : gradients();
    context.labels = {
        reinterpret_cast<const std::int32_t*>(m_rowLabels.data()),
        m_rowLabels.bytes() / sizeof(std::int32_t)};
    context.masks = {
        reinterpret_cast<const float*>(m_rowMasks.data()), m_rowMasks.bytes() / sizeof(float)};
    if (m_isMixed) {
        context.mixed = {
            reinterpret_cast<const MixedLabel*>(m_rowMixed.data()),
            m_rowMixed.bytes() / sizeof(MixedLabel)};
    }
    context.lossScale = lossScale;
    context.stream = m_settings.stream;
    context.state = m_state;
    context.rowsBefore = m_pass * m_settings.examples;
    context.afterForward =
        m_settings.stamps != nullptr && m_pass == 0 ? &m_settings.stamps->afterForward : nullptr;
    return context;
}

void Replica::enqueueForwardPart(
    std::size_t part, const WeightsView& weights, const DeviceInput& input)
{
    DeviceInput own = input;
    own.firstRow += m_pass * m_settings.examples;
    own.rowLabels = reinterpret_cast<std::int32_t*>(m_rowLabels.data());
    own.rowMasks = reinterpret_cast<float*>(m_rowMasks.data());
    own.begins = m_settings.stamps != nullptr && m_pass == 0 ? &m_settings.stamps->begin : nullptr;
    own.rowMixed = reinterpret_cast<MixedLabel*>(m_rowMixed.data());
    m_state = input.state;
    m_isMixed = input.mixed != nullptr;
    StepContext context = deviceContext(weights, 1.0);
    context.input = &own;
    m_streams.fork();
    run(context, part);
    m_streams.join();
}

void Replica::enqueueBackward(
    const WeightsView& weights, double lossScale, const BackwardPart& part)
{
    m_streams.fork();
    runBackwardPart(deviceContext(weights, lossScale), part);
    m_streams.join();
}

void Replica::run(const StepContext& context, std::size_t part)
{
    const bool isLast = part == m_forwardSyncPoints.size();
    const auto first = part == 0 ? 0 : m_forwardSyncPoints[part - 1].node;
    const auto end = isLast ? m_nodes.size() : m_forwardSyncPoints[part].node;
    for (std::size_t i = first; i < end; ++i) {
        const auto number = static_cast<int>(i);
        m_streams.begin(number, forwardMoment(number));
        passNode(i, &NodeSeconds::forward, &Op::forward, context);
        m_streams.end(number, forwardMoment(number));
    }
    if (!isLast) {
        passNode(end, &NodeSeconds::forward, &Op::beginForward, context);
    }
}

void Replica::runBackward(const StepContext& context, const LayerRange& layers)
{
    for (auto i = static_cast<std::size_t>(layers.end);
         i-- > static_cast<std::size_t>(layers.first);) {
        beginBackwardNode(i, context);
        finishBackwardNode(i, context);
    }
}

/// Joins what its readers made and, at a sync point, leaves the node in the middle of its pass.
void Replica::beginBackwardNode(std::size_t number, const StepContext& context)
{
    const Node& node = m_nodes[number];
    if (!node.hasBackward) {
        return;
    }
    m_streams.begin(static_cast<int>(number), backwardMoment(static_cast<int>(number)));
    m_nodeTimer.run(number, &NodeSeconds::backward, [&] { joinGradients(number); });
    if (!node.op->backwardSums().empty()) {
        passNode(number, &NodeSeconds::backward, &Op::beginBackward, context);
    }
}

void Replica::finishBackwardNode(std::size_t number, const StepContext& context)
{
    if (!m_nodes[number].hasBackward) {
        return;
    }
    StepContext own = context;
    own.lossScale *= number >= m_layers ? m_objectiveWeights[number - m_layers] : 1.0;
    passNode(number, &NodeSeconds::backward, &Op::backward, own);
    m_streams.end(static_cast<int>(number), backwardMoment(static_cast<int>(number)));
}

void Replica::passNode(
    std::size_t number, double NodeSeconds::*pass, void (Op::*call)(const StepContext&),
    const StepContext& context)
{
    StepContext own = context;
    own.stream = m_streams.of(static_cast<int>(number));
    if (number >= m_layers) {
        own.results = std::span(resultsOnDevice(), m_results.size()).subspan(number - m_layers, 1);
    }
    if (isQueued()) {
        m_settings.stream->label(
            m_nodes[number].name, pass == &NodeSeconds::forward ? "forward" : "backward");
    }
    m_nodeTimer.run(number, pass, [&] {
        guarded(m_nodes[number].name, [&] { (m_nodes[number].op.get()->*call)(own); });
    });
}

void Replica::timeNodes()
{
    require(!isQueued(), "the nodes of an accelerator can't be timed one by one");
    m_nodeTimer.start(m_nodes.size());
}

void Replica::takeIn(const BatchSlice& rows)
{
    const auto& [images, labels, masks, step, rowsBefore, mixed] = rows;
    require(
        rows.examples() == m_settings.examples && rowsBefore == 0
            && (m_rowMasks.bytes() == 0 || masks.size_bytes() == m_rowMasks.bytes()),
        "a replica got another number of rows than planned");
    // A pass that is still under way reads the rows before.
    m_settings.stream->synchronize();
    if (m_images.bytes() < images.size_bytes()) {
        m_images = m_device.allocate(images.size_bytes());
        m_imageLabels = m_device.allocate(labels.size_bytes());
        m_masks = m_device.allocate(m_rowMasks.bytes());
        m_stagedState = m_device.allocate(sizeof(StepState));
        m_mixed = m_device.allocate(m_rowMixed.bytes());
    }
    m_device.copyIn(m_images.data(), images.data(), images.size_bytes());
    m_device.copyIn(m_imageLabels.data(), labels.data(), labels.size_bytes());
    if (m_rowMasks.bytes() > 0) {
        m_device.copyIn(m_masks.data(), masks.data(), m_rowMasks.bytes());
    }
    m_device.copyIn(m_mixed.data(), mixed.data(), mixed.size_bytes());
    m_isMixed = !mixed.empty();
    const StepState state{.step = step};
    m_device.copyIn(m_stagedState.data(), &state, sizeof(state));
}

DeviceInput Replica::stagedInput() const
{
    DeviceInput input;
    input.state = reinterpret_cast<const StepState*>(m_stagedState.data());
    input.slotRows = m_settings.examples;
    input.images = reinterpret_cast<const float*>(m_images.data());
    input.imageLabels = reinterpret_cast<const std::int32_t*>(m_imageLabels.data());
    input.masks = reinterpret_cast<const float*>(m_masks.data());
    input.mixed = m_isMixed ? reinterpret_cast<const MixedLabel*>(m_mixed.data()) : nullptr;
    input.maskCells =
        static_cast<std::int64_t>(m_rowMasks.bytes() / sizeof(float)) / m_settings.examples;
    return input;
}

std::span<const ObjectiveResult> Replica::results() const
{
    if (isQueued()) {
        m_settings.stream->synchronize();
    }
    m_device.copyOut(
        m_results.data(), reinterpret_cast<const std::byte*>(resultsOnDevice()),
        m_results.size() * sizeof(ObjectiveResult));
    return m_results;
}

/// Where several nodes read one tensor, its gradient is the sum of what they made.
void Replica::joinGradients(std::size_t number) const
{
    const Node& node = m_nodes[number];
    if (isQueued()) {
        m_settings.stream->label(node.name, "sum of gradients");
    }
    for (std::size_t i = 1; i < node.diffs.size(); ++i) {
        if (node.diffs[i] != node.diffs.front()) {
            m_device.addTo(
                m_streams.of(static_cast<int>(number)), node.plan.dst, node.diffs.front(),
                node.diffs[i]);
        }
    }
}

std::vector<float> Replica::output(const std::string& name) const
{
    const auto found = std::ranges::find(m_outputs, name, &NamedOutput::name);
    require(found != m_outputs.end(), "the network has no output of this name");
    const Node& node = m_nodes[static_cast<std::size_t>(found->layer)];
    std::vector<float> values(
        static_cast<std::size_t>(m_settings.examples * node.plan.dst.shape.elements()));
    if (isQueued()) {
        m_settings.stream->synchronize();
    }
    m_device.read(node.plan.dst, node.memory.dst, values);
    return values;
}

std::vector<OpReport> Replica::report() const
{
    std::vector<OpReport> reports;
    for (const Node& node : m_nodes) {
        OpReport report{
            node.name, node.op->describe(), node.plan.dst.bytes, node.plan.workspaceBytes};
        for (std::size_t i = 0; i < node.plan.srcs.size(); ++i) {
            report.srcBytes += node.plan.srcs[i].bytes;
            report.diffSrcBytes += node.plan.needsDiffSrcs[i] ? node.plan.srcs[i].bytes : 0;
        }
        report.inner = node.inner;
        report.isGradientFinished = node.plan.dst.finish.has_value();
        report.choices = node.plan.planning.choices;
        reports.push_back(std::move(report));
    }
    return reports;
}

} // namespace lockstep
