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

/// What is applied to every value. Convolutions, fully connected layers and normalisations apply
/// none or ReLU themselves; all are layers of their own as Elementwise.
enum class Activation { None, Relu, Sigmoid };

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

/// Convolution. Weights [channels, src channels, height, width].
struct Conv2d
{
    std::int64_t channels = 0;
    Extent kernel;
    Extent stride;
    Padding padding = Padding::Same;
    Activation activation = Activation::None;
    ParameterSettings parameters;
    bool hasBias = true;
};

/// Largest value of each window; cells of the padding don't count.
struct MaxPool
{
    Extent window;
    Extent stride;
    Padding padding = Padding::Same;
};

/// Mean of each window; cells of the padding don't count, neither in the sum nor in the number that
/// divides it (TensorFlow's average pooling).
struct AveragePool
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

/// Which mean and variance a normalisation uses. Moments are those of one channel over the cells
/// of the rows that are named; the variance is that of all of them (divided by n, not n - 1). A
/// frozen layer of a training pass uses the same moments as a trained one.
enum class NormalizationMode {
    PerImage,     ///< of each row alone, in training and in evaluation
    Batch,        ///< training: of the rows of the tower; evaluation: the moving moments
    Synchronised, ///< training: of the rows of all towers; evaluation: the moving moments
    Moving,       ///< always the moving moments, as constants; nothing moves them
};

/// Batch normalisation (Ioffe and Szegedy, 2015), channel by channel:
/// dst = gamma * (src - mean) / sqrt(variance + epsilon) + beta, then the activation.
/// Parameters: weights gamma (if hasScale), bias beta, and the moving moments as statistics. The
/// backward pass of a layer whose parameters are trained leaves in the place of a statistic's
/// gradient: - lossScale * sum over the replica's rows of the moment that the row was normalised
/// with; not under Moving.
struct Normalization
{
    NormalizationMode mode = NormalizationMode::Batch;
    bool hasScale = true;
    double epsilon = 0.001;
    double decay = 0.9997; ///< of the moving moments: m = decay * m + (1 - decay) * moment
    Activation activation = Activation::None;
    ParameterSettings parameters{Constant{1.0}, Constant{0.0}};
};

enum class Reduction { Average, Max };

/// One value for each channel, over all cells: [1, 1, channels].
struct GlobalPool
{
    Reduction reduction = Reduction::Average;
};

/// Channels of all inputs, one input after the other; these have one height and width.
struct Concat
{
};

/// Dropout (Srivastava et al., 2014) of a training pass: every value is kept with probability
/// `keep`, then divided by it, or else becomes 0. Evaluation: what comes in. Which values are kept
/// is a function of the seed, the layer, the step and the row's place in the batch of all towers;
/// see network/dropout.h.
struct Dropout
{
    double keep = 0.5;
};

/// An activation as a layer of its own.
struct Elementwise
{
    Activation activation = Activation::Relu;
};

using LayerSpec = std::variant<
    Input, Conv2d, MaxPool, AveragePool, Lrn, Dense, Normalization, GlobalPool, Concat, Dropout,
    Elementwise>;

/// "conv2d", "max_pool": the name of the kind in model files and tables.
std::string kindName(const LayerSpec& spec);

} // namespace lockstep
