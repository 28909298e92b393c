// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "network/initializer.h"

#include <cstdint>
#include <string>
#include <variant>

namespace lockstep {

/// What lies around an image under a window. TensorFlow's two rules, Same: dst = ceil(src /
/// stride), the padding that this takes is split in two, and the odd cell goes to the bottom and
/// right; Valid: no padding. And what PyTorch's networks do, Half: half a window, rounded down, on
/// every side.
enum class Padding { Same, Valid, Half };

/// What is applied to every value. Convolutions, fully connected layers, normalisations and sums
/// apply none or ReLU themselves; all are layers of their own as Elementwise.
enum class Activation {
    None,
    Relu,
    Sigmoid,
    Silu,        ///< x * sigmoid(x) (Elfwing et al., 2017)
    Gelu,        ///< x * Phi(x), Phi the normal distribution (Hendrycks and Gimpel, 2016)
    HardSwish,   ///< x * hardSigmoid(x) (Howard et al., "Searching for MobileNetV3", 2019)
    HardSigmoid, ///< x / 6 + 1 / 2, at least 0 and at most 1
};

/// "none", "relu", "hard_swish": the name in model files and tables.
std::string toString(Activation activation);

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

/// Convolution. Weights [channels, src channels / groups, height, width]. Of several groups, each
/// makes its share of the channels from its share of src's; as many as src has channels: depthwise.
struct Conv2d
{
    std::int64_t channels = 0;
    Extent kernel;
    Extent stride;
    Padding padding = Padding::Same;
    Activation activation = Activation::None;
    ParameterSettings parameters;
    bool hasBias = true;
    std::int64_t groups = 1;
};

/// The convolution of its dst, with this kernel, stride and padding, would have the shape of src;
/// this is that one's way back: each value of src adds a filter to dst. Weights [src channels,
/// channels, height, width], as PyTorch's ConvTranspose2d. Rows and columns that come out: same:
/// src * stride; valid: (src - 1) * stride + kernel; half: by twice half a kernel fewer.
struct ConvTranspose2d
{
    std::int64_t channels = 0;
    Extent kernel;
    Extent stride;
    Padding padding = Padding::Same;
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

/// Mean of each window. Cells of the padding don't count, neither in the sum nor in the number that
/// divides it (TensorFlow's average pooling), or else count as zeros (PyTorch's).
struct AveragePool
{
    Extent window;
    Extent stride;
    Padding padding = Padding::Same;
    bool countsPadding = false;
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
    /// The moving variance follows variance * n / (n - 1) of n cells, as PyTorch's does, whose
    /// momentum is 1 - decay.
    bool isUnbiased = false;
};

/// By what a variance of so many cells is multiplied before the moving one follows it.
inline double varianceScale(const Normalization& norm, double cells)
{
    return norm.isUnbiased && cells > 1.0 ? cells / (cells - 1.0) : 1.0;
}

/// Layer normalisation (Ba et al., 2016) over the channels of each cell:
/// dst = gamma * (src - mean) / sqrt(variance + epsilon) + beta, gamma and beta by channel.
struct LayerNorm
{
    double epsilon = 1e-5;
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

/// Sum of all inputs, then the activation: the end of a residual block (He et al., 2015). The first
/// input has the shape of dst. Another one may have fewer channels: 0 stands for those that it
/// lacks (their shortcut without parameters).
struct Add
{
    Activation activation = Activation::None;
};

/// A map of the first input's shape, each channel of each example times a value of the second
/// input, [1, 1, channels]: the end of squeeze-and-excitation (Hu et al., 2017).
struct Scale
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
    Input, Conv2d, ConvTranspose2d, MaxPool, AveragePool, Lrn, Dense, Normalization, LayerNorm,
    GlobalPool, Concat, Add, Scale, Dropout, Elementwise>;

/// "conv2d", "max_pool": the name of the kind in model files and tables.
std::string kindName(const LayerSpec& spec);

} // namespace lockstep
