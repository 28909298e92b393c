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
        m_rowLabels =
            device.allocate(static_cast<std::size_t>(settings.examples) * sizeof(std::int32_t));
        if (settings.stream == nullptr) {
            m_ownStream = m_accelerator->makeStream();
            m_settings.stream = m_ownStream.get();
        }
    }
    addNodes(network, layout);
    planNodes(network.layersWithGradient());
    placeMemory(device);
    bindNodes();
    if (settings.isTraining) {
        m_gradients = device.allocate(static_cast<std::size_t>(layout.elements) * sizeof(float));
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
        node.source = sourceOf(objective);
        node.hasBackward = m_settings.isTraining && objective.isActive()
                           && withGradient[static_cast<std::size_t>(node.source)];
        m_objectiveWeights.push_back(objective.weight);
        m_nodes.push_back(std::move(node));
    }
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const int source = m_nodes[i].source;
        if (m_nodes[i].hasBackward && m_nodes[static_cast<std::size_t>(source)].hasBackward) {
            m_nodes[static_cast<std::size_t>(source)].gradientReaders.push_back(
                static_cast<int>(i));
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
    node.source = spec.inputs.empty() ? -1 : spec.inputs.front();
    node.hasBackward = m_settings.isTraining && hasGradient;
    node.plan.dstShape = spec.shape;
    if (!spec.parameters.empty()) {
        const auto trained = network.trainedParameters();
        const auto weights = static_cast<std::size_t>(spec.parameters.front());
        const auto bias = static_cast<std::size_t>(spec.parameters.back());
        node.plan.weightsOffset = layout.offsets[weights];
        node.plan.biasOffset = layout.offsets[bias];
        node.plan.trainsParameters = trained[weights];
    }
    m_nodes.push_back(std::move(node));
}

void Replica::planNodes(const std::vector<bool>& withGradient)
{
    for (std::size_t number = 0; number < m_nodes.size(); ++number) {
        Node& node = m_nodes[number];
        OpPlan& plan = node.plan;
        plan.examples = m_settings.examples;
        plan.isTraining = m_settings.isTraining && (node.hasBackward || node.source < 0);
        plan.threads = m_settings.threads;
        plan.precision = m_settings.precision;
        const auto algorithm = m_settings.algorithms.find(node.name);
        plan.algorithm = algorithm == m_settings.algorithms.end() ? "" : algorithm->second;
        if (node.source >= 0) {
            const auto source = static_cast<std::size_t>(node.source);
            plan.src = m_nodes[source].plan.dst;
            plan.needsDiffSrc = node.hasBackward && withGradient[source];
        }
        plan.mayLeaveActivation = readerAppliesActivation(number);
        guarded(node.name, [&] { node.op->plan(plan); });
    }
}

bool Replica::isOutput(int number) const
{
    return std::ranges::find(m_outputs, number, &NamedOutput::layer) != m_outputs.end();
}

bool Replica::readerAppliesActivation(std::size_t number) const
{
    const auto isReader = [&](const Node& node) { return node.source == static_cast<int>(number); };
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
        if (m_nodes[i].source == number) {
            const auto reader = static_cast<int>(i);
            last = std::max(
                last, m_nodes[i].hasBackward ? backwardMoment(reader) : forwardMoment(reader));
        }
    }
    return last;
}

void Replica::placeMemory(const Device& device)
{
    std::vector<BufferRequest> requests;
    const auto request = [&](std::size_t bytes, int first, int last) {
        requests.push_back({bytes, first, last});
        return static_cast<int>(requests.size()) - 1;
    };
    std::vector<BufferIds> ids(m_nodes.size());
    std::size_t scratchpadBytes = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        const auto number = static_cast<int>(i);
        const int end = node.hasBackward ? backwardMoment(number) : forwardMoment(number);
        ids[i].dst = request(node.plan.dst.bytes, forwardMoment(number), lastUse(number));
        ids[i].workspace = request(node.plan.workspaceBytes, forwardMoment(number), end);
        for (const int reader : node.gradientReaders) {
            ids[i].diffs.push_back(request(node.plan.dst.bytes, backwardMoment(reader), end));
        }
        scratchpadBytes = std::max(scratchpadBytes, node.plan.scratchpadBytes);
    }
    const int scratchpad = request(scratchpadBytes, 0, 2 * static_cast<int>(m_nodes.size()));
    const MemoryPlan plan = planMemory(requests);
    m_memory = device.allocate(plan.bytes);
    const auto at = [&](int id) {
        return m_memory.data() + plan.offsets[static_cast<std::size_t>(id)];
    };
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        Node& node = m_nodes[i];
        node.memory.dst = at(ids[i].dst);
        node.memory.workspace = at(ids[i].workspace);
        node.memory.scratchpad = at(scratchpad);
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
        if (node.source >= 0) {
            const Node& source = m_nodes[static_cast<std::size_t>(node.source)];
            node.memory.src = source.memory.dst;
            const auto reader = std::ranges::find(source.gradientReaders, static_cast<int>(i));
            if (reader != source.gradientReaders.end()) {
                const auto place = reader - source.gradientReaders.begin();
                node.memory.diffSrc = source.diffs[static_cast<std::size_t>(place)];
            }
        }
        guarded(node.name, [&] { node.op->bind(node.memory); });
    }
}

void Replica::forward(
    const WeightsView& weights, std::span<const float> images, std::span<const std::int32_t> labels)
{
    if (m_accelerator != nullptr) {
        takeIn(images, labels);
        enqueueForward(weights, stagedInput());
        return;
    }
    StepContext context{weights, gradients(), images, labels, 1.0, {}};
    run(context);
}

void Replica::backward(
    const WeightsView& weights, std::span<const float> images, std::span<const std::int32_t> labels,
    double lossScale)
{
    if (m_accelerator != nullptr) {
        enqueueBackward(weights, lossScale, allLayers());
        return;
    }
    runBackward({weights, gradients(), images, labels, lossScale, {}}, allLayers());
}

void Replica::enqueueForward(const WeightsView& weights, const DeviceInput& input)
{
    DeviceInput own = input;
    own.rowLabels = reinterpret_cast<std::int32_t*>(m_rowLabels.data());
    const std::span<const std::int32_t> labels(
        own.rowLabels, static_cast<std::size_t>(m_settings.examples));
    run({weights, gradients(), {}, labels, 1.0, {}, m_settings.stream, &own});
}

void Replica::enqueueBackward(
    const WeightsView& weights, double lossScale, const LayerRange& layers)
{
    const std::span<const std::int32_t> labels(
        reinterpret_cast<const std::int32_t*>(m_rowLabels.data()),
        static_cast<std::size_t>(m_settings.examples));
    runBackward({weights, gradients(), {}, labels, lossScale, {}, m_settings.stream}, layers);
}

void Replica::run(const StepContext& context)
{
    StepContext each = context;
    const std::span results(resultsOnDevice(), m_results.size());
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (i >= m_layers) {
            each.results = results.subspan(i - m_layers, 1);
        }
        m_nodeTimer.run(i, &NodeSeconds::forward, [&] {
            guarded(m_nodes[i].name, [&] { m_nodes[i].op->forward(each); });
        });
    }
}

void Replica::runBackward(const StepContext& context, const LayerRange& layers)
{
    StepContext each = context;
    for (auto i = static_cast<std::size_t>(layers.end);
         i-- > static_cast<std::size_t>(layers.first);) {
        const Node& node = m_nodes[i];
        if (node.hasBackward) {
            each.lossScale =
                context.lossScale * (i >= m_layers ? m_objectiveWeights[i - m_layers] : 1.0);
            m_nodeTimer.run(i, &NodeSeconds::backward, [&] {
                joinGradients(node);
                guarded(node.name, [&] { node.op->backward(each); });
            });
        }
    }
}

void Replica::timeNodes()
{
    require(m_accelerator == nullptr, "the nodes of an accelerator can't be timed one by one");
    m_nodeTimer.start(m_nodes.size());
}

void Replica::takeIn(std::span<const float> images, std::span<const std::int32_t> labels)
{
    require(
        static_cast<std::int64_t>(labels.size()) == m_settings.examples,
        "a replica got another number of rows than planned");
    // A pass that is still under way reads the rows before.
    m_settings.stream->synchronize();
    if (m_images.bytes() < images.size_bytes()) {
        m_images = m_device.allocate(images.size_bytes());
        m_imageLabels = m_device.allocate(labels.size_bytes());
    }
    m_device.copyIn(m_images.data(), images.data(), images.size_bytes());
    m_device.copyIn(m_imageLabels.data(), labels.data(), labels.size_bytes());
}

DeviceInput Replica::stagedInput() const
{
    DeviceInput input;
    input.globalBatch = m_settings.examples;
    input.images = reinterpret_cast<const float*>(m_images.data());
    input.imageLabels = reinterpret_cast<const std::int32_t*>(m_imageLabels.data());
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
