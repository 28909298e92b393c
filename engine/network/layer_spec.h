// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "network/initializer.h"

#include <cstdint>
#include <string>
#include <variant>

namespace lockstep {

/// TensorFlow's two rules for the border of a window. Same: dst = ceil(src / stride), the padding
/// that this takes is split in two, and the odd cell goes to the bottom and right. Valid: no
/// padding.
enum class Padding { Same, Valid };

/// What is applied to a layer's sum, inside the layer.
enum class Activation { None, Relu };

/// Height and width of a window or stride, in cells.
struct Extent
{
    std::int64_t height = 1;
    std::int64_t width = 1;
    bool operator==(const Extent&) const = default;
};

/// How the parameters of a layer begin and are trained.
struct ParameterSettings
{
    Initializer weights = TruncatedNormal{0.05};
    Initializer bias = Constant{0.0};
    double weightDecay = 0.0; ///< adds weightDecay * sum(w^2) / 2 to the loss; weights, not biases
    std::string group = "network"; ///< what a phase of training freezes or trains together
};

/// The images, as the input pipeline delivers them. Exactly one, the first layer.
struct Input
{
    Shape shape;
};

/// Convolution with bias. Weights [channels, src channels, height, width].
struct Conv2d
{
    std::int64_t channels = 0;
    Extent kernel;
    Extent stride;
    Padding padding = Padding::Same;
    Activation activation = Activation::None;
    ParameterSettings parameters;
};

/// Largest value of each window; cells of the padding don't count.
struct MaxPool
{
    Extent window;
    Extent stride;
    Padding padding = Padding::Same;
};

/// Local response normalisation across channels (Krizhevsky et al., 2012), as TensorFlow defines
/// it: dst_c = src_c / (bias + alpha * sum of src_j^2 for |j - c| <= depthRadius)^beta. Alpha is
/// not divided by the size of the window.
struct Lrn
{
    std::int64_t depthRadius = 5;
    double bias = 1.0;
    double alpha = 1.0;
    double beta = 0.5;
};

/// Fully connected, with bias. Src is flattened channel by channel, row by row. Weights [units,
/// src].
struct Dense
{
    std::int64_t units = 0;
    Activation activation = Activation::None;
    ParameterSettings parameters;
};

using LayerSpec = std::variant<Input, Conv2d, MaxPool, Lrn, Dense>;

/// "conv2d", "max_pool": the name of the kind in model files and tables.
std::string kindName(const LayerSpec& spec);

} // namespace lockstep
