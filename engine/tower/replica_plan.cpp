// SPDX-License-Identifier: Apache-2.0
// How a replica is planned: its nodes, and what each of them does for others.
#include "tower/layer_errors.h"
#include "tower/replica.h"

#include <algorithm>
#include <utility>

namespace lockstep {

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
    if (m_settings.isTraining) {
        fusePairs(network);
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

/// Its own, and then that of all layers: a layer that was planned without its backward pass has no
/// algorithms for that yet.
std::string Replica::algorithmFor(const std::string& layer) const
{
    std::string text;
    const std::string every = isQueued() ? kEveryLayer : kEveryHostLayer;
    for (const std::string& name : {layer, every}) {
        const auto found = m_settings.algorithms.find(name);
        if (found != m_settings.algorithms.end()) {
            text += (text.empty() ? "" : "; ") + found->second;
        }
    }
    return text;
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
        plan.syncTowers = m_settings.syncTowers;
        plan.precision = m_settings.precision;
        plan.features = m_settings.features;
        plan.algorithm = algorithmFor(node.name);
        plan.planning.mayGoOn = m_settings.mayGoOn;
        for (const int input : node.sources) {
            const auto source = static_cast<std::size_t>(input);
            plan.srcs.push_back(m_nodes[source].plan.dst);
            plan.needsDiffSrcs.push_back(node.hasBackward && withGradient[source]);
        }
        plan.mayLeaveActivation = readerAppliesActivation(number);
        plan.mayLeaveGradient = readerFinishesGradient(number);
        plan.mayLeaveMask = readerMasksGradient(number);
        plan.mayAddDiffSrc =
            m_settings.features.has(StepFeature::Accumulation) && isLaterMaker(number);
        guarded(node.name, [&] { node.op->plan(plan); });
        takeInner(node);
    }
    orderMakers();
}

/// Whether another node, which goes backward before this one, makes a gradient of its one source.
bool Replica::isLaterMaker(std::size_t number) const
{
    const Node& node = m_nodes[number];
    if (!node.hasBackward || node.sources.size() != 1) {
        return false;
    }
    const Node& source = m_nodes[static_cast<std::size_t>(node.sources.front())];
    return !source.gradientReaders.empty()
           && source.gradientReaders.back().node > static_cast<int>(number);
}

/// The first one is what others are added to: where nodes do that, the one that goes backward
/// first.
void Replica::orderMakers()
{
    for (Node& node : m_nodes) {
        if (std::ranges::any_of(
                node.gradientReaders, [&](const Reader& reader) { return adds(reader); })) {
            std::ranges::reverse(node.gradientReaders);
        }
    }
}

/// What one joining op reads, and nobody else, is written where that would copy it to.
void Replica::placeSlices()
{
    for (std::size_t i = 0; i < m_layers; ++i) {
        Node& joint = m_nodes[i];
        if (!joint.op->joinsChannels()) {
            continue;
        }
        ChannelSlice slice{joint.plan.dst, 0};
        for (std::size_t input = 0; input < joint.sources.size(); ++input) {
            const int number = joint.sources[input];
            Node& source = m_nodes[static_cast<std::size_t>(number)];
            if (!isOutput(number) && readings(number) == 1 && source.op->writeInto(slice)) {
                joint.op->takeInPlace(input);
                joint.slices.push_back(number);
                source.joint = static_cast<int>(i);
            }
            slice.firstChannel += source.plan.dstShape.channels;
        }
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

/// Inputs of nodes that the node's dst is.
std::ptrdiff_t Replica::readings(int number) const
{
    std::ptrdiff_t count = 0;
    for (const Node& node : m_nodes) {
        count += std::ranges::count(node.sources, number);
    }
    return count;
}

bool Replica::readerAppliesActivation(std::size_t number) const
{
    const auto isReader = [&](const Node& node) { return reads(node, static_cast<int>(number)); };
    const auto reader = std::ranges::find_if(m_nodes, isReader);
    // Somebody else who reads the tensor must find it finished.
    return !isOutput(static_cast<int>(number)) && std::ranges::count_if(m_nodes, isReader) == 1
           && reader->op->appliesPending();
}

/// Sync points cut passes into parts that are too short to branch.
bool Replica::mayBranch(const NetworkSpec& network) const
{
    const bool isCut =
        m_settings.syncTowers > 1 && std::ranges::any_of(network.layers, isSynchronised);
    return isQueued() && m_settings.isTraining && !isCut
           && m_settings.features.has(StepFeature::Branches);
}

void Replica::planBranches(const NetworkSpec& network)
{
    if (!mayBranch(network)) {
        m_branches = BranchPlan(static_cast<int>(m_nodes.size()));
        return;
    }
    std::vector<std::vector<int>> needs(2 * m_nodes.size());
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const auto number = static_cast<int>(i);
        for (const int source : m_nodes[i].sources) {
            needs[i].push_back(forwardMoment(source));
        }
        int last = -1; // of those that add to one gradient, one after the other
        for (const Reader& reader : m_nodes[i].gradientReaders) {
            const int moment = backwardMoment(reader.node);
            needs[static_cast<std::size_t>(backwardMoment(number))].push_back(moment);
            if (adds(reader)) {
                needs[static_cast<std::size_t>(moment)].push_back(last);
            }
            last = last < 0 || adds(reader) ? moment : last;
        }
    }
    m_branches = BranchPlan(needs);
}

void Replica::findSyncPoints()
{
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (const auto sums = m_nodes[i].op->forwardSums(); !sums.empty()) {
            m_forwardSyncPoints.push_back({i, sums});
        }
    }
    for (std::size_t i = m_nodes.size(); i-- > 0;) {
        const auto sums = m_nodes[i].op->backwardSums();
        if (m_nodes[i].hasBackward && !sums.empty()) {
            m_backwardSyncPoints.push_back({i, sums});
        }
    }
}

} // namespace lockstep
