// SPDX-License-Identifier: Apache-2.0
#include "network/models/catalog.h"

namespace lockstep {
namespace {

ParameterSettings settings(double stddev, double bias, double weightDecay = 0.0)
{
    return {TruncatedNormal{stddev}, Constant{bias}, weightDecay, "network"};
}

Conv2d convolution(double bias)
{
    return {64, {5, 5}, {1, 1}, Padding::Same, Activation::Relu, settings(0.05, bias)};
}

} // namespace

// The network of TensorFlow's CIFAR-10 tutorial (models/tutorials/image/cifar10, 2016 to 2019).
// "local3" and "local4" are fully connected in spite of their names; norm2 stands before pool2.
NetworkSpec cifar10Network()
{
    constexpr std::int64_t kClasses = 10;
    const MaxPool pool{{3, 3}, {2, 2}, Padding::Same};
    const Lrn lrn{4, 1.0, 0.001 / 9.0, 0.75};
    NetworkBuilder net("cifar10", {24, 24, 3}, kClasses);
    auto top = net.add("conv1", convolution(0.0), {0});
    top = net.add("pool1", pool, {top});
    top = net.add("norm1", lrn, {top});
    top = net.add("conv2", convolution(0.1), {top});
    top = net.add("norm2", lrn, {top});
    top = net.add("pool2", pool, {top});
    top = net.add("local3", Dense{384, Activation::Relu, settings(0.04, 0.1, 0.004)}, {top});
    top = net.add("local4", Dense{192, Activation::Relu, settings(0.04, 0.1, 0.004)}, {top});
    top = net.add(
        "softmax_linear", Dense{kClasses, Activation::None, settings(1.0 / 192.0, 0.0)}, {top});
    net.output("logits", top);
    net.objective({"cross_entropy", 1.0, SoftmaxCrossEntropy{top}, {}});
    return net.build();
}

} // namespace lockstep
