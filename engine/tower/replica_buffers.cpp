// SPDX-License-Identifier: Apache-2.0
// What memory the nodes of a replica have, and when.
#include "device/memory_plan.h"
#include "tower/layer_errors.h"
#include "tower/replica.h"

#include <algorithm>

namespace lockstep {

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
    scratchpads.reserve(scratchpadBytes.size());
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
    bytes.reserve(buffers.size());
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
        m_streams.open(
            *m_device.accelerator(), m_branches,
            m_settings.features.has(StepFeature::DependentLaunch));
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

} // namespace lockstep
