// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench_work.h"

#include "network/cost.h"

namespace lockstep {

OpTraffic trafficOf(const LayerSpec& spec)
{
    struct Visitor
    {
        OpTraffic operator()(const Input& /*spec*/) const { return {}; }
        OpTraffic operator()(const Conv2d& conv) const
        {
            return {true, true, conv.activation != Activation::None};
        }
        OpTraffic operator()(const ConvTranspose2d& /*spec*/) const { return {true, true, false}; }
        OpTraffic operator()(const Dense& dense) const
        {
            return {true, true, dense.activation != Activation::None};
        }
        OpTraffic operator()(const MaxPool& /*spec*/) const { return {false, false, true}; }
        OpTraffic operator()(const Lrn& /*spec*/) const { return {false, true, false}; }
        OpTraffic operator()(const Normalization& spec) const
        {
            return {true, true, spec.activation != Activation::None};
        }
        OpTraffic operator()(const LayerNorm& /*spec*/) const { return {true, true, false}; }
        OpTraffic operator()(const Add& spec) const
        {
            return {false, false, spec.activation != Activation::None};
        }
        OpTraffic operator()(const Scale& /*spec*/) const { return {false, true, false}; }
        OpTraffic operator()(const GlobalPool& spec) const
        {
            return {false, false, spec.reduction == Reduction::Max};
        }
        OpTraffic operator()(const Concat& /*spec*/) const { return {}; }
        OpTraffic operator()(const AveragePool& /*spec*/) const { return {}; }
        OpTraffic operator()(const Dropout& /*spec*/) const { return {}; }
        OpTraffic operator()(const Elementwise& /*spec*/) const { return {false, true, false}; }
    };
    return std::visit(Visitor{}, spec);
}

namespace {

/// The values of a layer's passes.
void countValues(
    const NetworkSpec& network, const std::vector<bool>& hasGradient, std::size_t number,
    NodeWork& work)
{
    const Layer& layer = network.layers[number];
    const OpTraffic traffic = trafficOf(layer.spec);
    const std::int64_t dst = layer.shape.elements();
    std::int64_t src = 0;
    std::int64_t diffSrc = 0;
    for (const LayerId input : layer.inputs) {
        const auto place = static_cast<std::size_t>(input);
        src += network.layers[place].shape.elements();
        diffSrc += hasGradient[place] ? network.layers[place].shape.elements() : 0;
    }
    work.forward.values = src + dst;
    if (hasGradient[number]) {
        const int readsOfDiffDst = (traffic.hasParameters ? 1 : 0) + (diffSrc > 0 ? 1 : 0);
        work.backward.values = diffSrc + (traffic.needsSrc ? src : 0) + (traffic.needsDst ? dst : 0)
                               + readsOfDiffDst * dst;
    }
}

} // namespace

std::vector<NodeWork> nodeWork(const NetworkSpec& network)
{
    const auto hasGradient = network.layersWithGradient();
    const auto costs = layerCosts(network);
    std::vector<NodeWork> nodes;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        NodeWork work{network.layers[i].name, {costs[i].fpropFlop, 0}, {}};
        work.backward.flop = costs[i].dgradFlop + costs[i].wgradFlop;
        countValues(network, hasGradient, i, work);
        nodes.push_back(work);
    }
    for (const Objective& objective : network.objectives) {
        const auto source = static_cast<std::size_t>(sourceOf(objective));
        const std::int64_t src = network.layers[source].shape.elements();
        // Backward reads src once more and writes its gradient.
        nodes.push_back({objective.name, {0, src}, {0, hasGradient[source] ? 2 * src : 0}});
    }
    return nodes;
}

double valueBytes(Precision precision)
{
    constexpr double kFloatBytes = 4.0;
    constexpr double kHalfBytes = 2.0;
    return precision == Precision::Bfloat16 ? kHalfBytes : kFloatBytes;
}

double updateBytes(const NetworkSpec& network, Precision precision)
{
    constexpr double kPasses = 5.0; ///< gradient read; weights, moving average read and written
    const double copy = precision == Precision::Bfloat16 ? valueBytes(precision) : 0.0;
    return (kPasses * valueBytes(Precision::Float32) + copy)
           * static_cast<double>(network.parameterElements());
}

} // namespace lockstep
