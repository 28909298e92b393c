// SPDX-License-Identifier: Apache-2.0
// How a replica is planned: its nodes, and what memory each of them has.
#include "device/memory_plan.h"
#include "tower/layer_errors.h"
#include "tower/replica.h"

#include <algorithm>
#include <utility>
#include <variant>

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
    for (const std::string& name : {layer, std::string(kEveryLayer)}) {
        const auto found = m_settings.algorithms.find(name);
        if (found != m_settings.algorithms.end() && (name == layer || isQueued())) {
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

/// Moments at which a node's dst is written or read. Slices of it are written before the whole.
std::vector<int> Replica::usesOfValues(int number) const
{
    const Node& node = m_nodes[static_cast<std::size_t>(number)];
    std::vector<int> uses;
    const auto add = [&](int user) {
        uses.push_back(forwardMoment(user));
        if (m_nodes[static_cast<std::size_t>(user)].hasBackward) {
            uses.push_back(backwardMoment(user));
        }
    };
    add(number);
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (reads(m_nodes[i], number)) {
            add(static_cast<int>(i));
        }
    }
    std::ranges::for_each(node.slices, add);
    if (isOutput(number)) {
        uses.push_back(2 * static_cast<int>(m_nodes.size()));
    }
    std::ranges::sort(uses);
    return uses;
}

/// The same of the gradient that a reader makes. The first one is what the others are added to.
std::vector<int> Replica::usesOfGradient(int number, std::size_t reader) const
{
    const Node& node = m_nodes[static_cast<std::size_t>(number)];
    std::vector<int> uses{
        backwardMoment(node.gradientReaders[reader].node), backwardMoment(number)};
    if (reader == 0) {
        for (const Reader& other : node.gradientReaders) {
            if (adds(other)) {
                uses.push_back(backwardMoment(other.node));
            }
        }
        for (const int slice : node.slices) {
            if (m_nodes[static_cast<std::size_t>(slice)].hasBackward) {
                uses.push_back(backwardMoment(slice));
            }
        }
    }
    std::ranges::sort(uses);
    return uses;
}

/// Sync points cut passes into parts that are too short to branch.
bool Replica::mayBranch(const NetworkSpec& network) const
{
    const bool isCut =
        m_settings.syncTowers > 1 && std::ranges::any_of(network.layers, [](const Layer& layer) {
            const auto* norm = std::get_if<Normalization>(&layer.spec);
            return norm != nullptr && norm->mode == NormalizationMode::Synchronised;
        });
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
    std::vector<std::size_t> scratchpadBytes(static_cast<std::size_t>(m_branches.branches()));
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        const auto number = static_cast<int>(i);
        // A slice has its place in what it is a slice of.
        const std::size_t bytes = node.joint < 0 ? node.plan.dst.bytes : 0;
        ids[i].dst = addBuffer({node.name, BufferUse::Values, bytes, 0, usesOfValues(number)});
        std::vector<int> ways{forwardMoment(number)};
        if (node.hasBackward) {
            ways.push_back(backwardMoment(number));
        }
        ids[i].workspace =
            addBuffer({node.name, BufferUse::Workspace, node.plan.workspaceBytes, 0, ways});
        for (std::size_t reader = 0; reader < node.gradientReaders.size(); ++reader) {
            ids[i].diffs.push_back(
                adds(node.gradientReaders[reader]) ? ids[i].diffs.front()
                                                   : addBuffer(
                                                       {node.name, BufferUse::Gradient, bytes, 0,
                                                        usesOfGradient(number, reader)}));
        }
        std::size_t& most = scratchpadBytes[static_cast<std::size_t>(m_branches.branchOf(number))];
        most = std::max(most, node.plan.scratchpadBytes);
        m_memoryPlan.nodes.push_back(node.name);
    }
    std::vector<int> scratchpads;
    for (const std::size_t bytes : scratchpadBytes) {
        scratchpads.push_back(
            addBuffer({"", BufferUse::Scratchpad, bytes, 0, {0, m_branches.moments()}}));
    }
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const int branch = m_branches.branchOf(static_cast<int>(i));
        ids[i].scratchpad = scratchpads[static_cast<std::size_t>(branch)];
    }
    placeBuffers();
    return ids;
}

void Replica::placeBuffers()
{
    std::vector<PlannedBuffer>& buffers = m_memoryPlan.buffers;
    std::vector<std::size_t> bytes;
    for (const PlannedBuffer& buffer : buffers) {
        bytes.push_back(buffer.bytes);
    }
    const MemoryPlan plan = planMemory(bytes, [&](std::size_t a, std::size_t b) {
        return !m_branches.areOver(buffers[a].moments, buffers[b].moments)
               && !m_branches.areOver(buffers[b].moments, buffers[a].moments);
    });
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        buffers[i].offset = plan.offsets[i];
    }
    m_memoryPlan.bytes = plan.bytes;
}

void Replica::allocate(const std::vector<BufferIds>& ids)
{
    m_memory = m_device.allocate(m_memoryPlan.bytes);
    if (m_settings.isTraining) {
        m_gradients = m_device.allocate(m_memoryPlan.gradientBytes);
    }
    allocateCounters();
    if (m_branches.branches() > 1) {
        m_streams.open(*m_device.accelerator(), m_branches);
    }
    // An address even where a buffer would hold nothing.
    const auto at = [&](int id) {
        return m_memory.data()
               + (id < 0 ? 0 : m_memoryPlan.buffers[static_cast<std::size_t>(id)].offset);
    };
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        Node& node = m_nodes[i];
        const BufferIds& whole = ids[node.joint < 0 ? i : static_cast<std::size_t>(node.joint)];
        node.memory.dst = at(whole.dst);
        node.memory.workspace = at(ids[i].workspace);
        node.memory.scratchpad = at(ids[i].scratchpad);
        for (std::size_t reader = 0; reader < node.gradientReaders.size(); ++reader) {
            node.diffs.push_back(at(whole.diffs[reader]));
        }
    }
}

/// Always zero when an op begins: they share memory with nothing.
void Replica::allocateCounters()
{
    std::size_t bytes = 0;
    for (const Node& node : m_nodes) {
        bytes += node.plan.counterBytes;
    }
    m_counters = m_device.allocate(bytes);
    std::byte* next = m_counters.data();
    for (Node& node : m_nodes) {
        if (node.plan.counterBytes > 0) {
            node.memory.counters = reinterpret_cast<std::uint32_t*>(next);
            next += node.plan.counterBytes;
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
        if (node.plan.keepsInner) {
            node.memory.inner = m_nodes[static_cast<std::size_t>(node.inner)].memory.dst;
        }
        guarded(node.name, [&] { node.op->bind(node.memory); });
    }
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
