// SPDX-License-Identifier: Apache-2.0
#include "network/cost.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::int64_t kFloatBytes = 4;

bool isProduct(const Layer& layer)
{
    return std::holds_alternative<Conv2d>(layer.spec)
           || std::holds_alternative<ConvTranspose2d>(layer.spec)
           || std::holds_alternative<Dense>(layer.spec);
}

/// Multiply-adds of a forward pass: every weight is used once for every cell that comes out, or
/// goes into a transposed convolution.
std::int64_t multiplyAdds(const NetworkSpec& network, const Layer& layer)
{
    if (!isProduct(layer)) {
        return 0;
    }
    const auto& weights = network.parameters[static_cast<std::size_t>(layer.parameters.front())];
    const bool isTransposed = std::holds_alternative<ConvTranspose2d>(layer.spec);
    const auto source = static_cast<std::size_t>(layer.inputs.front());
    const Shape& cells = isTransposed ? network.layers[source].shape : layer.shape;
    return weights.elements() * cells.height * cells.width;
}

} // namespace

LayerCost& LayerCost::operator+=(const LayerCost& other)
{
    fpropFlop += other.fpropFlop;
    dgradFlop += other.dgradFlop;
    wgradFlop += other.wgradFlop;
    parameterElements += other.parameterElements;
    activationBytes += other.activationBytes;
    parameterBytes += other.parameterBytes;
    return *this;
}

std::vector<LayerCost> layerCosts(const NetworkSpec& network)
{
    const auto withGradient = network.layersWithGradient();
    const auto trained = network.trainedParameters();
    std::vector<LayerCost> costs;
    for (const Layer& layer : network.layers) {
        LayerCost cost;
        cost.fpropFlop = 2 * multiplyAdds(network, layer);
        const auto passes = [&](LayerId input) {
            return withGradient[static_cast<std::size_t>(input)];
        };
        if (withGradient[costs.size()] && std::ranges::any_of(layer.inputs, passes)) {
            cost.dgradFlop = cost.fpropFlop;
        }
        if (!layer.parameters.empty()
            && trained[static_cast<std::size_t>(layer.parameters.front())]) {
            cost.wgradFlop = cost.fpropFlop;
        }
        for (const int number : layer.parameters) {
            const auto& parameter = network.parameters[static_cast<std::size_t>(number)];
            cost.parameterElements += parameter.isStatistic() ? 0 : parameter.elements();
        }
        cost.parameterBytes = kFloatBytes * cost.parameterElements;
        cost.activationBytes = kFloatBytes * layer.shape.elements();
        costs.push_back(cost);
    }
    return costs;
}

LayerCost totalCost(const NetworkSpec& network)
{
    LayerCost total;
    for (const LayerCost& cost : layerCosts(network)) {
        total += cost;
    }
    return total;
}

} // namespace lockstep
