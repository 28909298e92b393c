// SPDX-License-Identifier: Apache-2.0
#include "tower/replica.h"

#include "base/error.h"
#include "device/memory_plan.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

/// Calls into an op; an exception of the library below gets the name of the layer.
template<class Call>
void guarded(const std::string& layer, Call call)
{
    try {
        call();
    } catch (const Error& error) {
        fail(error.code(), "layer '{}': {}", layer, error.what());
    } catch (const std::exception& error) {
        fail(ErrorCode::Device, "layer '{}': {}", layer, error.what());
    }
}

} // namespace

Replica::Replica(
    const Device& device, const NetworkSpec& network, const ParameterLayout& layout,
    const ReplicaSettings& settings)
    : m_device(device), m_accelerator(dynamic_cast<const Accelerator*>(&device)),
      m_settings(settings), m_layers(network.layers.size()), m_outputs(network.outputs),
      m_results(network.objectives.size()),
      m_resultMemory(device.allocate(network.objectives.size() * sizeof(ObjectiveResult)))
{
    if (m_accelerator != nullptr) {
        const auto rows = static_cast<std::size_t>(settings.examples);
        m_rowLabels = device.allocate(rows * sizeof(std::int32_t));
        if (network.maskShape) {
            const auto cells = static_cast<std::size_t>(network.maskShape->elements());
            m_rowMasks = device.allocate(rows * cells * sizeof(float));
        }
        if (settings.stream == nullptr) {
            m_ownStream = m_accelerator->makeStream();
            m_settings.stream = m_ownStream.get();
        }
    }
    addNodes(network, layout);
    planNodes(network.layersWithGradient());
    if (settings.isTraining) {
        m_memoryPlan.gradientBytes = static_cast<std::size_t>(layout.elements) * sizeof(float);
    }
    const auto buffers = planBuffers();
    if (!settings.isPlanOnly) {
        allocate(buffers);
        bindNodes();
        findStops();
    }
}

void Replica::addNodes(const NetworkSpec& network, const ParameterLayout& layout)
{
    const auto withGradient = network.layersWithGradient();
    for (std::size_t i = 0; i < m_layers; ++i) {
        addLayer(network, layout, static_cast<int>(i), withGradient[i]);
    }
    for (const Objective& objective : network.objectives) {
        Node node;
        node.name = objective.name;
        node.op = m_device.makeObjective(objective);
        const LayerId source = sourceOf(objective);
        node.sources = {source};
        node.hasBackward = m_settings.isTraining && objective.isActive()
                           && withGradient[static_cast<std::size_t>(source)];
        m_objectiveWeights.push_back(objective.weight);
        m_nodes.push_back(std::move(node));
    }
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        for (std::size_t input = 0; input < m_nodes[i].sources.size(); ++input) {
            Node& source = m_nodes[static_cast<std::size_t>(m_nodes[i].sources[input])];
            if (m_nodes[i].hasBackward && source.hasBackward) {
                source.gradientReaders.push_back({static_cast<int>(i), input});
            }
        }
    }
}

void Replica::addLayer(
    const NetworkSpec& network, const ParameterLayout& layout, int layer, bool hasGradient)
{
    const Layer& spec = network.layers[static_cast<std::size_t>(layer)];
    Node node;
    node.name = spec.name;
    node.op = m_device.makeOp(spec.spec);
    node.sources = spec.inputs;
    node.hasBackward = m_settings.isTraining && hasGradient;
    node.plan.dstShape = spec.shape;
    node.plan.layer = layer;
    if (!spec.parameters.empty()) {
        const auto first = static_cast<std::size_t>(spec.parameters.front());
        node.plan.trainsParameters = network.trainedParameters()[first];
        for (const int parameter : spec.parameters) {
            node.plan.parameterOffsets.push_back(
                layout.offsets[static_cast<std::size_t>(parameter)]);
        }
    }
    m_nodes.push_back(std::move(node));
}

void Replica::planNodes(const std::vector<bool>& withGradient)
{
    for (std::size_t number = 0; number < m_nodes.size(); ++number) {
        Node& node = m_nodes[number];
        OpPlan& plan = node.plan;
        plan.examples = m_settings.examples;
        plan.isTraining = m_settings.isTraining && (node.hasBackward || node.sources.empty());
        plan.isTrainingPass = m_settings.isTraining;
        plan.seed = m_settings.seed;
        plan.firstRow = m_settings.firstRow;
        plan.threads = m_settings.threads;
        plan.meetingTowers = m_settings.meetingTowers;
        plan.precision = m_settings.precision;
        const auto algorithm = m_settings.algorithms.find(node.name);
        plan.algorithm = algorithm == m_settings.algorithms.end() ? "" : algorithm->second;
        for (const int input : node.sources) {
            const auto source = static_cast<std::size_t>(input);
            plan.srcs.push_back(m_nodes[source].plan.dst);
            plan.needsDiffSrcs.push_back(node.hasBackward && withGradient[source]);
        }
        plan.mayLeaveActivation = readerAppliesActivation(number);
        guarded(node.name, [&] { node.op->plan(plan); });
    }
}

bool Replica::isOutput(int number) const
{
    return std::ranges::find(m_outputs, number, &NamedOutput::layer) != m_outputs.end();
}

bool Replica::reads(const Node& node, int number)
{
    return std::ranges::find(node.sources, number) != node.sources.end();
}

bool Replica::readerAppliesActivation(std::size_t number) const
{
    const auto isReader = [&](const Node& node) { return reads(node, static_cast<int>(number)); };
    const auto reader = std::ranges::find_if(m_nodes, isReader);
    // Somebody else who reads the tensor must find it finished.
    return !isOutput(static_cast<int>(number)) && std::ranges::count_if(m_nodes, isReader) == 1
           && reader->op->appliesPending();
}

int Replica::lastUse(int number) const
{
    const Node& node = m_nodes[static_cast<std::size_t>(number)];
    if (isOutput(number)) {
        return 2 * static_cast<int>(m_nodes.size());
    }
    int last = node.hasBackward ? backwardMoment(number) : forwardMoment(number);
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (reads(m_nodes[i], number)) {
            const auto reader = static_cast<int>(i);
            last = std::max(
                last, m_nodes[i].hasBackward ? backwardMoment(reader) : forwardMoment(reader));
        }
    }
    return last;
}

/// Its number; -1: it would hold nothing.
int Replica::addBuffer(const PlannedBuffer& buffer)
{
    if (buffer.bytes == 0) {
        return -1;
    }
    m_memoryPlan.buffers.push_back(buffer);
    return static_cast<int>(m_memoryPlan.buffers.size()) - 1;
}

std::vector<Replica::BufferIds> Replica::planBuffers()
{
    std::vector<BufferIds> ids(m_nodes.size());
    std::size_t scratchpadBytes = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        const auto number = static_cast<int>(i);
        const int end = node.hasBackward ? backwardMoment(number) : forwardMoment(number);
        const std::size_t bytes = node.plan.dst.bytes;
        PlannedBuffer buffer{node.name, BufferUse::Values,     bytes,
                             0,         forwardMoment(number), lastUse(number)};
        ids[i].dst = addBuffer(buffer);
        buffer.use = BufferUse::Workspace;
        buffer.bytes = node.plan.workspaceBytes;
        buffer.last = end;
        ids[i].workspace = addBuffer(buffer);
        for (const Reader& reader : node.gradientReaders) {
            ids[i].diffs.push_back(addBuffer(
                {node.name, BufferUse::Gradient, bytes, 0, backwardMoment(reader.node), end}));
        }
        scratchpadBytes = std::max(scratchpadBytes, node.plan.scratchpadBytes);
        m_memoryPlan.nodes.push_back(node.name);
    }
    const int last = 2 * static_cast<int>(m_nodes.size());
    const int scratchpad = addBuffer({"", BufferUse::Scratchpad, scratchpadBytes, 0, 0, last});
    for (BufferIds& node : ids) {
        node.scratchpad = scratchpad;
    }
    placeBuffers();
    return ids;
}

void Replica::placeBuffers()
{
    std::vector<BufferRequest> requests;
    for (const PlannedBuffer& buffer : m_memoryPlan.buffers) {
        requests.push_back({buffer.bytes, buffer.first, buffer.last});
    }
    const MemoryPlan plan = planMemory(requests);
    for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
        m_memoryPlan.buffers[i].offset = plan.offsets[i];
    }
    m_memoryPlan.bytes = plan.bytes;
}

void Replica::allocate(const std::vector<BufferIds>& ids)
{
    m_memory = m_device.allocate(m_memoryPlan.bytes);
    if (m_settings.isTraining) {
        m_gradients = m_device.allocate(m_memoryPlan.gradientBytes);
    }
    // An address even where a buffer would hold nothing.
    const auto at = [&](int id) {
        return m_memory.data()
               + (id < 0 ? 0 : m_memoryPlan.buffers[static_cast<std::size_t>(id)].offset);
    };
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        Node& node = m_nodes[i];
        node.memory.dst = at(ids[i].dst);
        node.memory.workspace = at(ids[i].workspace);
        node.memory.scratchpad = at(ids[i].scratchpad);
        for (const int diff : ids[i].diffs) {
            node.diffs.push_back(at(diff));
        }
    }
}

void Replica::bindNodes()
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        Node& node = m_nodes[i];
        node.memory.diffDst = node.diffs.empty() ? nullptr : node.diffs.front();
        for (std::size_t input = 0; input < node.sources.size(); ++input) {
            const Node& source = m_nodes[static_cast<std::size_t>(node.sources[input])];
            node.memory.srcs.push_back(source.memory.dst);
            const Reader self{static_cast<int>(i), input};
            const auto reader = std::ranges::find(source.gradientReaders, self);
            const auto place = static_cast<std::size_t>(reader - source.gradientReaders.begin());
            node.memory.diffSrcs.push_back(
                reader == source.gradientReaders.end() ? nullptr : source.diffs[place]);
        }
        guarded(node.name, [&] { node.op->bind(node.memory); });
    }
}

void Replica::findStops()
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (const auto sums = m_nodes[i].op->forwardSums(); !sums.empty()) {
            m_forwardStops.push_back({i, sums});
        }
    }
    for (std::size_t i = m_nodes.size(); i-- > 0;) {
        const auto sums = m_nodes[i].op->backwardSums();
        if (m_nodes[i].hasBackward && !sums.empty()) {
            m_backwardStops.push_back({i, sums});
        }
    }
}

StepContext Replica::hostContext(
    const WeightsView& weights, const HostRows& rows, double lossScale) const
{
    return {weights, gradients(), rows.images, rows.labels, rows.masks, lossScale, rows.step, {}};
}

void Replica::forward(const WeightsView& weights, const HostRows& rows)
{
    if (m_accelerator != nullptr) {
        takeIn(rows);
        enqueueForward(weights, stagedInput());
        return;
    }
    for (std::size_t part = 0; part < parts(Direction::Forward); ++part) {
        forwardPart(part, weights, rows);
    }
}

void Replica::forwardPart(std::size_t part, const WeightsView& weights, const HostRows& rows)
{
    run(hostContext(weights, rows, 1.0), part);
}

void Replica::backward(const WeightsView& weights, const HostRows& rows, double lossScale)
{
    if (m_accelerator != nullptr) {
        for (const BackwardPart& part : backwardParts(allLayers())) {
            enqueueBackward(weights, lossScale, part);
        }
        return;
    }
    for (std::size_t part = 0; part < parts(Direction::Backward); ++part) {
        backwardPart(part, weights, rows, lossScale);
    }
}

void Replica::backwardPart(
    std::size_t part, const WeightsView& weights, const HostRows& rows, double lossScale)
{
    runBackwardPart(hostContext(weights, rows, lossScale), backwardParts(allLayers())[part]);
}

std::vector<BackwardPart> Replica::backwardParts(const LayerRange& layers) const
{
    std::vector<BackwardPart> parts;
    BackwardPart part{-1, layers, -1};
    for (const Stop& stop : m_backwardStops) {
        const auto node = static_cast<int>(stop.node);
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
    context.gradients = gradients();
    context.labels = {
        reinterpret_cast<const std::int32_t*>(m_rowLabels.data()),
        m_rowLabels.bytes() / sizeof(std::int32_t)};
    context.masks = {
        reinterpret_cast<const float*>(m_rowMasks.data()), m_rowMasks.bytes() / sizeof(float)};
    context.lossScale = lossScale;
    context.stream = m_settings.stream;
    context.state = m_state;
    return context;
}

void Replica::enqueueForward(const WeightsView& weights, const DeviceInput& input)
{
    for (std::size_t part = 0; part < parts(Direction::Forward); ++part) {
        enqueueForwardPart(part, weights, input);
    }
}

void Replica::enqueueForwardPart(
    std::size_t part, const WeightsView& weights, const DeviceInput& input)
{
    DeviceInput own = input;
    own.rowLabels = reinterpret_cast<std::int32_t*>(m_rowLabels.data());
    own.rowMasks = reinterpret_cast<float*>(m_rowMasks.data());
    m_state = input.state;
    StepContext context = deviceContext(weights, 1.0);
    context.input = &own;
    run(context, part);
}

void Replica::enqueueBackward(
    const WeightsView& weights, double lossScale, const BackwardPart& part)
{
    runBackwardPart(deviceContext(weights, lossScale), part);
}

void Replica::run(const StepContext& context, std::size_t part)
{
    const bool isLast = part == m_forwardStops.size();
    const auto first = part == 0 ? 0 : m_forwardStops[part - 1].node;
    const auto end = isLast ? m_nodes.size() : m_forwardStops[part].node;
    for (std::size_t i = first; i < end; ++i) {
        passNode(i, &NodeSeconds::forward, &Op::forward, context);
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

/// Joins what its readers made and, at a stop, leaves the node in the middle of its pass.
void Replica::beginBackwardNode(std::size_t number, const StepContext& context)
{
    const Node& node = m_nodes[number];
    if (!node.hasBackward) {
        return;
    }
    m_nodeTimer.run(number, &NodeSeconds::backward, [&] { joinGradients(node); });
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
}

void Replica::passNode(
    std::size_t number, double NodeSeconds::*pass, void (Op::*call)(const StepContext&),
    const StepContext& context)
{
    StepContext own = context;
    if (number >= m_layers) {
        own.results = std::span(resultsOnDevice(), m_results.size()).subspan(number - m_layers, 1);
    }
    m_nodeTimer.run(number, pass, [&] {
        guarded(m_nodes[number].name, [&] { (m_nodes[number].op.get()->*call)(own); });
    });
}

void Replica::timeNodes()
{
    require(m_accelerator == nullptr, "the nodes of an accelerator can't be timed one by one");
    m_nodeTimer.start(m_nodes.size());
}

void Replica::takeIn(const HostRows& rows)
{
    const auto& [images, labels, masks, step] = rows;
    require(
        static_cast<std::int64_t>(labels.size()) == m_settings.examples
            && (m_rowMasks.bytes() == 0 || masks.size_bytes() == m_rowMasks.bytes()),
        "a replica got another number of rows than planned");
    // A pass that is still under way reads the rows before.
    m_settings.stream->synchronize();
    if (m_images.bytes() < images.size_bytes()) {
        m_images = m_device.allocate(images.size_bytes());
        m_imageLabels = m_device.allocate(labels.size_bytes());
        m_masks = m_device.allocate(m_rowMasks.bytes());
        m_stagedState = m_device.allocate(sizeof(StepState));
    }
    m_device.copyIn(m_images.data(), images.data(), images.size_bytes());
    m_device.copyIn(m_imageLabels.data(), labels.data(), labels.size_bytes());
    if (m_rowMasks.bytes() > 0) {
        m_device.copyIn(m_masks.data(), masks.data(), m_rowMasks.bytes());
    }
    const StepState state{.step = step};
    m_device.copyIn(m_stagedState.data(), &state, sizeof(state));
}

DeviceInput Replica::stagedInput() const
{
    DeviceInput input;
    input.state = reinterpret_cast<const StepState*>(m_stagedState.data());
    input.globalBatch = m_settings.examples;
    input.images = reinterpret_cast<const float*>(m_images.data());
    input.imageLabels = reinterpret_cast<const std::int32_t*>(m_imageLabels.data());
    input.masks = reinterpret_cast<const float*>(m_masks.data());
    input.maskCells =
        static_cast<std::int64_t>(m_rowMasks.bytes() / sizeof(float)) / m_settings.examples;
    return input;
}

std::span<const ObjectiveResult> Replica::results() const
{
    if (m_accelerator != nullptr) {
        m_settings.stream->synchronize();
    }
    m_device.copyOut(
        m_results.data(), reinterpret_cast<const std::byte*>(resultsOnDevice()),
        m_results.size() * sizeof(ObjectiveResult));
    return m_results;
}

/// Where several nodes read one tensor, its gradient is the sum of what they made.
void Replica::joinGradients(const Node& node) const
{
    if (node.diffs.size() < 2) {
        return;
    }
    if (m_accelerator != nullptr) {
        for (std::size_t i = 1; i < node.diffs.size(); ++i) {
            m_accelerator->enqueueSum(
                *m_settings.stream, node.plan.dst, node.diffs.front(), node.diffs[i]);
        }
        return;
    }
    const auto& host = dynamic_cast<const HostDevice&>(m_device);
    for (std::size_t i = 1; i < node.diffs.size(); ++i) {
        host.addTo(node.plan.dst, node.diffs.front(), node.diffs[i]);
    }
}

std::vector<float> Replica::output(const std::string& name) const
{
    const auto found = std::ranges::find(m_outputs, name, &NamedOutput::name);
    require(found != m_outputs.end(), "the network has no output of this name");
    const Node& node = m_nodes[static_cast<std::size_t>(found->layer)];
    std::vector<float> values(
        static_cast<std::size_t>(m_settings.examples * node.plan.dst.shape.elements()));
    if (m_accelerator != nullptr) {
        m_settings.stream->synchronize();
    }
    m_device.read(node.plan.dst, node.memory.dst, values);
    return values;
}

std::vector<OpReport> Replica::report() const
{
    std::vector<OpReport> reports;
    for (const Node& node : m_nodes) {
        reports.push_back(
            {node.name, node.op->describe(), node.plan.dst.bytes, node.plan.workspaceBytes});
    }
    return reports;
}

} // namespace lockstep
