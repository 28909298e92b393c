// SPDX-License-Identifier: Apache-2.0
// What ops do for those before them: all of their work, or the end of their way back.
#include "tower/replica.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

/// Of a node whose work is done by the op of the node that reads it.
class FusedAwayOp : public Op
{
public:
    void plan(OpPlan& /*plan*/) override {}
    void forward(const StepContext& /*context*/) override {}
    void backward(const StepContext& /*context*/) override {}
    [[nodiscard]] std::string describe() const override { return {}; }
};

} // namespace

/// The first pairs come first; a node belongs to one at most.
void Replica::fusePairs(const NetworkSpec& network)
{
    for (std::size_t second = 0; second < m_nodes.size(); ++second) {
        const std::vector<int>& sources = m_nodes[second].sources;
        if (!m_nodes[second].hasBackward || sources.size() != 1 || readings(sources.front()) != 1) {
            continue;
        }
        const Node& first = m_nodes[static_cast<std::size_t>(sources.front())];
        if (!first.hasBackward || first.inner >= 0) {
            continue;
        }
        if (auto op = makeFusedOp(network, sources.front(), second)) {
            fuse(sources.front(), second, std::move(op));
        }
    }
}

std::unique_ptr<Op> Replica::makeFusedOp(
    const NetworkSpec& network, int first, std::size_t second) const
{
    const Layer& layer = network.layers[static_cast<std::size_t>(first)];
    const auto source = static_cast<std::size_t>(layer.inputs.front());
    const FusionSettings settings{
        network.layers[source].shape, m_settings.precision, m_settings.features, isOutput(first)};
    return second < m_layers
               ? m_device.makeFusedOp(layer, network.layers[second], settings)
               : m_device.makeFusedOp(layer, network.objectives[second - m_layers], settings);
}

/// Numbers, and with them moments and ranges of layers, stay: the work of the first is done later
/// in forward and earlier in backward, when nobody has asked for it yet.
void Replica::fuse(int first, std::size_t second, std::unique_ptr<Op> op)
{
    Node& gone = m_nodes[static_cast<std::size_t>(first)];
    Node& pair = m_nodes[second];
    pair.inner = first;
    pair.name = gone.name + " + " + pair.name;
    pair.op = std::move(op);
    pair.sources = std::exchange(gone.sources, {});
    OpPlan& plan = pair.plan;
    plan.keepsInner = isOutput(first);
    plan.trainsParameters = plan.trainsParameters || gone.plan.trainsParameters;
    const auto& offsets = gone.plan.parameterOffsets;
    plan.parameterOffsets.insert(plan.parameterOffsets.begin(), offsets.begin(), offsets.end());
    gone.op = std::make_unique<FusedAwayOp>();
    gone.hasBackward = false;
}

/// What is between the halves of a pair is the dst of the first one, if somebody wants it.
void Replica::takeInner(const Node& node)
{
    if (node.plan.keepsInner) {
        m_nodes[static_cast<std::size_t>(node.inner)].plan.dst = node.plan.inner;
    }
}

/// Others may read the tensor, which is finished, but only one may make a gradient of it.
bool Replica::readerFinishesGradient(std::size_t number) const
{
    const std::vector<Reader>& readers = m_nodes[number].gradientReaders;
    return m_settings.features.has(StepFeature::FinishedGradients) && readers.size() == 1
           && m_nodes[static_cast<std::size_t>(readers.front().node)].op->finishesGradient();
}

bool Replica::readerMasksGradient(std::size_t number) const
{
    const std::vector<Reader>& readers = m_nodes[number].gradientReaders;
    return m_settings.features.has(StepFeature::Epilogues) && readers.size() == 1
           && m_nodes[static_cast<std::size_t>(readers.front().node)].op->masksGradient();
}

} // namespace lockstep
