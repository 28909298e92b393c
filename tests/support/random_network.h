// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "network/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lockstep::test {

/// Random numbers for tests: the same on every machine, because only the engine's bits are used
/// (the distributions of the standard library differ between libraries).
class Random
{
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}

    /// Uniform in [low, high).
    double uniform(double low, double high)
    {
        return low + (high - low) * static_cast<double>(m_engine() >> 11U) * 0x1p-53;
    }
    /// Uniform in low .. high, both included.
    std::int64_t integer(std::int64_t low, std::int64_t high)
    {
        return low
               + static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(high - low + 1));
    }
    template<class T>
    T oneOf(const std::vector<T>& choices)
    {
        return choices[static_cast<std::size_t>(
            integer(0, static_cast<std::int64_t>(choices.size()) - 1))];
    }
    std::vector<float> floats(std::size_t count, double low, double high)
    {
        std::vector<float> values(count);
        for (float& value : values) {
            value = static_cast<float>(uniform(low, high));
        }
        return values;
    }

private:
    std::mt19937_64 m_engine;
};

/// Rows of images and labels for a network.
struct Examples
{
    std::vector<float> images;
    std::vector<std::int32_t> labels;
    std::vector<float> masks; ///< where the network needs them
    [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(labels.size()); }
};

inline Examples randomExamples(const NetworkSpec& network, std::int64_t rows, Random& random)
{
    Examples examples;
    examples.images =
        random.floats(static_cast<std::size_t>(rows * network.inputShape().elements()), -1.7, 1.7);
    for (std::int64_t row = 0; row < rows; ++row) {
        examples.labels.push_back(
            static_cast<std::int32_t>(random.integer(0, network.classes - 1)));
    }
    if (network.maskShape) {
        const auto cells = static_cast<std::size_t>(rows * network.maskShape->elements());
        examples.masks = random.floats(cells, -0.5, 1.0);
        for (float& cell : examples.masks) {
            cell = std::max(cell, 0.0F); // mostly soft, and a third plainly none
        }
    }
    return examples;
}

/// Scales and variances of normalisations are around 1, all others around 0.
inline double middleOf(const ParameterSpec& spec)
{
    const bool isScale = spec.role == ParameterRole::Weights && spec.shape.size() == 1;
    return isScale || spec.role == ParameterRole::MovingVariance ? 1.0 : 0.0;
}

/// Weights that keep values near 1 through any depth, and biases that are not zero; every value is
/// exact in float32, so that a device and the reference start from the same numbers.
inline ReferenceParameters randomParameters(const NetworkSpec& network, Random& random)
{
    ReferenceParameters parameters;
    for (const ParameterSpec& spec : network.parameters) {
        const bool isVector = spec.shape.size() == 1;
        const std::int64_t fanIn = spec.elements() / spec.shape.front();
        const double bound = isVector ? 0.3 : std::sqrt(3.0 / static_cast<double>(fanIn));
        const double middle = middleOf(spec);
        const auto values = random.floats(
            static_cast<std::size_t>(spec.elements()), middle - bound, middle + bound);
        parameters.emplace_back(values.begin(), values.end());
    }
    return parameters;
}

/// The same of so few bits that bfloat16 holds them exactly. With coarseExamples() it holds what a
/// convolution of three channels makes of them, too: what the next layer decides by comparing (a
/// ReLU, a maximum) then does not depend on rounding.
inline ReferenceParameters coarseParameters(const NetworkSpec& network, Random& random)
{
    ReferenceParameters parameters;
    for (const ParameterSpec& spec : network.parameters) {
        const std::int64_t inputs = spec.elements() / spec.shape.front();
        const auto fanIn = static_cast<double>(inputs);
        const double unit = spec.shape.size() == 1
                                ? 0.125
                                : 0.5 * std::exp2(std::floor(0.5 * std::log2(3 / fanIn)));
        auto& values = parameters.emplace_back(static_cast<std::size_t>(spec.elements()));
        for (double& value : values) {
            value = middleOf(spec) + unit * static_cast<double>(random.integer(-2, 2));
        }
    }
    return parameters;
}

inline Examples coarseExamples(const NetworkSpec& network, std::int64_t rows, Random& random)
{
    Examples examples = randomExamples(network, rows, random);
    for (float& value : examples.images) {
        value = std::round(4.0F * value) / 4.0F;
    }
    return examples;
}

/// Settings without meaning of their own: tests bring their own values.
inline Conv2d convolution(
    std::int64_t channels, Extent kernel, Extent stride = {1, 1}, Padding padding = Padding::Same,
    Activation activation = Activation::None)
{
    return {channels, kernel, stride, padding, activation, {}};
}

inline Dense fullyConnected(std::int64_t units, Activation activation = Activation::None)
{
    return {units, activation, {}};
}

/// Two fully connected layers, "hidden", whose weights decay, and "logits", with one loss.
inline NetworkSpec twoDenseLayers(
    std::int64_t inputs, std::int64_t units, std::int64_t classes, double weightDecay = 0.0)
{
    NetworkBuilder builder("dense", {1, 1, inputs}, classes);
    Dense hidden = fullyConnected(units);
    hidden.parameters.weightDecay = weightDecay;
    const LayerId first = builder.add("hidden", hidden, {0});
    const LayerId logits = builder.add("logits", fullyConnected(classes), {first});
    builder.objective({"loss", 1.0, SoftmaxCrossEntropy{logits}, {}});
    return builder.build();
}

/// A network of the given layers, one after the other, each named after its place and kind
/// ("2-max_pool"), closed by a fully connected layer and one loss. `allOutputs` makes every layer
/// an output of its name.
inline NetworkSpec chain(
    const Shape& input, const std::vector<LayerSpec>& layers, std::int64_t classes = 4,
    bool allOutputs = false)
{
    NetworkBuilder builder("chain", input, classes);
    LayerId top = 0;
    for (const LayerSpec& layer : layers) {
        const std::string name = std::to_string(top + 1) + "-" + kindName(layer);
        top = builder.add(name, layer, {top});
        if (allOutputs) {
            builder.output(name, top);
        }
    }
    top = builder.add("logits", fullyConnected(classes), {top});
    builder.output("logits", top);
    builder.objective({"cross_entropy", 1.0, SoftmaxCrossEntropy{top}, {}});
    return builder.build();
}

/// A random layer that fits behind values of the given shape.
inline LayerSpec randomLayer(const Shape& src, Random& random)
{
    const auto extent = [&](std::int64_t largest) {
        return Extent{random.integer(1, largest), random.integer(1, largest)};
    };
    const auto fitted = [&](Extent window) {
        const bool fits = window.height <= src.height && window.width <= src.width;
        return fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
    };
    const auto kind = random.integer(0, 9);
    if (kind < 4) {
        const Extent kernel = extent(5);
        return convolution(
            random.oneOf<std::int64_t>({1, 3, 5, 8, 16, 17, 24, 32}), kernel, extent(2),
            fitted(kernel), random.integer(0, 1) == 1 ? Activation::Relu : Activation::None);
    }
    if (kind < 6) {
        const Extent window = extent(3);
        return MaxPool{window, extent(2), fitted(window)};
    }
    if (kind < 9) {
        return Lrn{
            random.integer(1, 9), random.uniform(0.5, 2.0), random.uniform(0.05, 0.5),
            random.oneOf<double>({0.75, 0.5, 1.0})};
    }
    return fullyConnected(
        random.oneOf<std::int64_t>({1, 5, 16, 33}),
        random.integer(0, 1) == 1 ? Activation::Relu : Activation::None);
}

} // namespace lockstep::test
