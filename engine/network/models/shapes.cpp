// SPDX-License-Identifier: Apache-2.0
#include "network/models/catalog.h"

namespace lockstep {
namespace {

/// Padded so that a stride of 1 keeps the size, normalised, ReLU.
LayerId addConvolution(
    NetworkBuilder& net, const std::string& number, std::int64_t channels, std::int64_t kernel,
    std::int64_t stride, LayerId top)
{
    Conv2d conv;
    conv.channels = channels;
    conv.kernel = {kernel, kernel};
    conv.stride = {stride, stride};
    conv.hasBias = false;
    conv.parameters.weights = HeNormal{};
    top = net.add("conv" + number, conv, {top});
    Normalization norm;
    norm.decay = 0.9; // of runs that last a minute
    norm.activation = Activation::Relu;
    return net.add("bn" + number, norm, {top});
}

} // namespace

NetworkSpec shapesNetwork()
{
    constexpr std::int64_t kClasses = 10;
    const MaxPool half{{2, 2}, {2, 2}};
    NetworkBuilder net("shapes", {32, 32, 3}, kClasses);
    auto top = addConvolution(net, "1", 16, 5, 2, 0);
    top = addConvolution(net, "2", 32, 3, 1, top);
    top = net.add("pool2", half, {top});
    top = addConvolution(net, "3", 64, 3, 1, top);
    top = addConvolution(net, "4", 64, 3, 1, top);
    top = net.add("pool4", half, {top});
    top = addConvolution(net, "5", 96, 3, 1, top);
    // Wherever in the picture the shape is.
    top = net.add("anywhere", GlobalPool{Reduction::Max}, {top});
    Dense dense;
    dense.units = kClasses;
    dense.parameters.weights = TruncatedNormal{0.01};
    top = net.add("logits", dense, {top});
    net.output("logits", top);
    net.objective({"cross_entropy", 1.0, SoftmaxCrossEntropy{top}, {}});
    return net.build();
}

} // namespace lockstep
