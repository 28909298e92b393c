// SPDX-License-Identifier: Apache-2.0
#include "network/reference.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

using Values = std::vector<double>;

/// Examples of one shape, each height x width x channels.
class Images
{
public:
    Images(const Shape& shape, Values& values) : m_shape(shape), m_values(values) {}

    [[nodiscard]] bool contains(std::int64_t y, std::int64_t x) const
    {
        return y >= 0 && y < m_shape.height && x >= 0 && x < m_shape.width;
    }
    [[nodiscard]] double& at(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) const
    {
        return m_values[static_cast<std::size_t>(
            ((n * m_shape.height + y) * m_shape.width + x) * m_shape.channels + c)];
    }
    [[nodiscard]] const Shape& shape() const { return m_shape; }

private:
    const Shape& m_shape;
    Values& m_values;
};

/// Calls body(n, y, x) for every cell of every example.
template<class Body>
void forEachCell(std::int64_t examples, const Shape& shape, Body body)
{
    for (std::int64_t n = 0; n < examples; ++n) {
        for (std::int64_t y = 0; y < shape.height; ++y) {
            for (std::int64_t x = 0; x < shape.width; ++x) {
                body(n, y, x);
            }
        }
    }
}

/// Where windows of a layer lie in its source.
class Windows
{
public:
    Windows(const Extent& window, const Extent& stride, Padding padding, const Images& src)
        : m_window(window), m_stride(stride), m_src(src),
          m_top(paddingCells(padding, src.shape().height, window.height, stride.height).before),
          m_left(paddingCells(padding, src.shape().width, window.width, stride.width).before)
    {
    }

    /// Calls body(ky, kx, y, x) for every cell of the source under the window at (row, column).
    template<class Body>
    void forEach(std::int64_t row, std::int64_t column, Body body) const
    {
        for (std::int64_t ky = 0; ky < m_window.height; ++ky) {
            for (std::int64_t kx = 0; kx < m_window.width; ++kx) {
                const std::int64_t y = row * m_stride.height - m_top + ky;
                const std::int64_t x = column * m_stride.width - m_left + kx;
                if (m_src.contains(y, x)) {
                    body(ky, kx, y, x);
                }
            }
        }
    }

private:
    Extent m_window;
    Extent m_stride;
    const Images& m_src;
    std::int64_t m_top;
    std::int64_t m_left;
};

/// One layer of one pass. diffSrc may be empty: no gradient is wanted there.
struct LayerPass
{
    std::int64_t examples;
    const Shape& srcShape;
    const Shape& dstShape;
    Values& src;
    Values& dst;
    Values& diffSrc;
    Values& diffDst;
    const Values& weights;
    const Values& bias;
    Values& diffWeights;
    Values& diffBias;
};

void activate(Activation activation, Values& values)
{
    if (activation == Activation::Relu) {
        for (double& value : values) {
            value = value > 0.0 || std::isnan(value) ? value : 0.0;
        }
    }
}

void activateBackward(Activation activation, const Values& dst, Values& diffDst)
{
    if (activation == Activation::Relu) {
        for (std::size_t i = 0; i < dst.size(); ++i) {
            diffDst[i] = dst[i] <= 0.0 ? 0.0 : diffDst[i];
        }
    }
}

std::size_t filterIndex(
    const Conv2d& conv, std::int64_t srcChannels, std::int64_t out, std::int64_t in,
    std::int64_t ky, std::int64_t kx)
{
    return static_cast<std::size_t>(
        ((out * srcChannels + in) * conv.kernel.height + ky) * conv.kernel.width + kx);
}

template<class Kind>
void forward(const Kind& kind, LayerPass& /*pass*/)
{
    fail(ErrorCode::BadInput, "{} is not available in the reference yet", kindName(kind));
}

template<class Kind>
void backward(const Kind& kind, LayerPass& /*pass*/)
{
    fail(ErrorCode::BadInput, "{} is not available in the reference yet", kindName(kind));
}

void forward(const Input& /*input*/, LayerPass& /*pass*/) {}
void backward(const Input& /*input*/, LayerPass& /*pass*/) {}

void forward(const Conv2d& conv, LayerPass& pass)
{
    const Images src(pass.srcShape, pass.src);
    const Images dst(pass.dstShape, pass.dst);
    const Windows windows(conv.kernel, conv.stride, conv.padding, src);
    const std::int64_t srcChannels = pass.srcShape.channels;
    forEachCell(
        pass.examples, pass.dstShape, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
            for (std::int64_t out = 0; out < conv.channels; ++out) {
                double sum = pass.bias[static_cast<std::size_t>(out)];
                windows.forEach(row, column, [&](auto ky, auto kx, auto y, auto x) {
                    for (std::int64_t in = 0; in < srcChannels; ++in) {
                        sum += src.at(n, y, x, in)
                               * pass.weights[filterIndex(conv, srcChannels, out, in, ky, kx)];
                    }
                });
                dst.at(n, row, column, out) = sum;
            }
        });
    activate(conv.activation, pass.dst);
}

void backward(const Conv2d& conv, LayerPass& pass)
{
    activateBackward(conv.activation, pass.dst, pass.diffDst);
    const Images src(pass.srcShape, pass.src);
    const Images diffSrc(pass.srcShape, pass.diffSrc);
    const Images diffDst(pass.dstShape, pass.diffDst);
    const Windows windows(conv.kernel, conv.stride, conv.padding, src);
    const std::int64_t srcChannels = pass.srcShape.channels;
    forEachCell(
        pass.examples, pass.dstShape, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
            for (std::int64_t out = 0; out < conv.channels; ++out) {
                const double diff = diffDst.at(n, row, column, out);
                pass.diffBias[static_cast<std::size_t>(out)] += diff;
                windows.forEach(row, column, [&](auto ky, auto kx, auto y, auto x) {
                    for (std::int64_t in = 0; in < srcChannels; ++in) {
                        const std::size_t weight = filterIndex(conv, srcChannels, out, in, ky, kx);
                        pass.diffWeights[weight] += diff * src.at(n, y, x, in);
                        if (!pass.diffSrc.empty()) {
                            diffSrc.at(n, y, x, in) += diff * pass.weights[weight];
                        }
                    }
                });
            }
        });
}

/// The cell of a window that holds its largest value: the first one, if several do. A NaN counts as
/// larger than all numbers, so that it is not lost.
struct LargestCell
{
    std::int64_t y = -1; ///< -1: no cell was seen yet
    std::int64_t x = -1;
    double value = 0.0;
};

template<class Body>
void forEachLargest(const MaxPool& pool, LayerPass& pass, Body body)
{
    const Images src(pass.srcShape, pass.src);
    const Windows windows(pool.window, pool.stride, pool.padding, src);
    forEachCell(
        pass.examples, pass.dstShape, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
            for (std::int64_t c = 0; c < pass.dstShape.channels; ++c) {
                LargestCell largest;
                windows.forEach(row, column, [&](auto /*ky*/, auto /*kx*/, auto y, auto x) {
                    const double value = src.at(n, y, x, c);
                    const bool isLarger = !std::isnan(largest.value) && !(value <= largest.value);
                    if (largest.y < 0 || isLarger) {
                        largest = {y, x, value};
                    }
                });
                body(n, row, column, c, largest);
            }
        });
}

void forward(const MaxPool& pool, LayerPass& pass)
{
    const Images dst(pass.dstShape, pass.dst);
    forEachLargest(
        pool, pass, [&](auto n, auto row, auto column, auto c, const LargestCell& largest) {
            dst.at(n, row, column, c) = largest.value;
        });
}

void backward(const MaxPool& pool, LayerPass& pass)
{
    const Images diffSrc(pass.srcShape, pass.diffSrc);
    const Images diffDst(pass.dstShape, pass.diffDst);
    forEachLargest(
        pool, pass, [&](auto n, auto row, auto column, auto c, const LargestCell& largest) {
            diffSrc.at(n, largest.y, largest.x, c) += diffDst.at(n, row, column, c);
        });
}

/// bias + alpha * sum of squares around channel c.
double lrnScale(
    const Lrn& lrn, const Images& src, std::int64_t n, std::int64_t y, std::int64_t x,
    std::int64_t c)
{
    double sum = 0.0;
    const std::int64_t last = std::min(src.shape().channels - 1, c + lrn.depthRadius);
    for (std::int64_t j = std::max<std::int64_t>(0, c - lrn.depthRadius); j <= last; ++j) {
        sum += src.at(n, y, x, j) * src.at(n, y, x, j);
    }
    return lrn.bias + lrn.alpha * sum;
}

void forward(const Lrn& lrn, LayerPass& pass)
{
    const Images src(pass.srcShape, pass.src);
    const Images dst(pass.dstShape, pass.dst);
    forEachCell(pass.examples, pass.dstShape, [&](std::int64_t n, std::int64_t y, std::int64_t x) {
        for (std::int64_t c = 0; c < pass.dstShape.channels; ++c) {
            dst.at(n, y, x, c) =
                src.at(n, y, x, c) * std::pow(lrnScale(lrn, src, n, y, x, c), -lrn.beta);
        }
    });
}

void backward(const Lrn& lrn, LayerPass& pass)
{
    const Images src(pass.srcShape, pass.src);
    const Images diffSrc(pass.srcShape, pass.diffSrc);
    const Images diffDst(pass.dstShape, pass.diffDst);
    const std::int64_t channels = pass.dstShape.channels;
    forEachCell(pass.examples, pass.dstShape, [&](std::int64_t n, std::int64_t y, std::int64_t x) {
        for (std::int64_t c = 0; c < channels; ++c) {
            // d(dst_c)/d(src_j) for every channel j that is part of c's sum.
            const double scale = lrnScale(lrn, src, n, y, x, c);
            const double diff = diffDst.at(n, y, x, c);
            diffSrc.at(n, y, x, c) += diff * std::pow(scale, -lrn.beta);
            const double common = -2.0 * lrn.alpha * lrn.beta * diff * src.at(n, y, x, c)
                                  * std::pow(scale, -lrn.beta - 1.0);
            const std::int64_t last = std::min(channels - 1, c + lrn.depthRadius);
            for (std::int64_t j = std::max<std::int64_t>(0, c - lrn.depthRadius); j <= last; ++j) {
                diffSrc.at(n, y, x, j) += common * src.at(n, y, x, j);
            }
        }
    });
}

/// Calls body(weight, n, y, x, c) for every value that one unit reads: channel by channel, row by
/// row.
template<class Body>
void forEachInput(const LayerPass& pass, std::int64_t unit, Body body)
{
    auto weight = static_cast<std::size_t>(unit * pass.srcShape.elements());
    for (std::int64_t c = 0; c < pass.srcShape.channels; ++c) {
        for (std::int64_t y = 0; y < pass.srcShape.height; ++y) {
            for (std::int64_t x = 0; x < pass.srcShape.width; ++x) {
                body(weight++, y, x, c);
            }
        }
    }
}

void forward(const Dense& dense, LayerPass& pass)
{
    const Images src(pass.srcShape, pass.src);
    const Images dst(pass.dstShape, pass.dst);
    for (std::int64_t n = 0; n < pass.examples; ++n) {
        for (std::int64_t unit = 0; unit < dense.units; ++unit) {
            double sum = pass.bias[static_cast<std::size_t>(unit)];
            forEachInput(pass, unit, [&](auto weight, auto y, auto x, auto c) {
                sum += src.at(n, y, x, c) * pass.weights[weight];
            });
            dst.at(n, 0, 0, unit) = sum;
        }
    }
    activate(dense.activation, pass.dst);
}

void backward(const Dense& dense, LayerPass& pass)
{
    activateBackward(dense.activation, pass.dst, pass.diffDst);
    const Images src(pass.srcShape, pass.src);
    const Images diffSrc(pass.srcShape, pass.diffSrc);
    const Images diffDst(pass.dstShape, pass.diffDst);
    for (std::int64_t n = 0; n < pass.examples; ++n) {
        for (std::int64_t unit = 0; unit < dense.units; ++unit) {
            const double diff = diffDst.at(n, 0, 0, unit);
            pass.diffBias[static_cast<std::size_t>(unit)] += diff;
            forEachInput(pass, unit, [&](auto weight, auto y, auto x, auto c) {
                pass.diffWeights[weight] += diff * src.at(n, y, x, c);
                if (!pass.diffSrc.empty()) {
                    diffSrc.at(n, y, x, c) += diff * pass.weights[weight];
                }
            });
        }
    }
}

/// The whole network, layer by layer.
class Interpreter
{
public:
    Interpreter(
        const NetworkSpec& network, const ReferenceParameters& parameters, std::int64_t examples)
        : m_network(network), m_parameters(parameters), m_examples(examples),
          m_diffs(network.layers.size())
    {
    }

    void run(std::span<const float> images, ReferencePass& pass)
    {
        for (const Layer& layer : m_network.layers) {
            pass.activations.emplace_back(
                static_cast<std::size_t>(m_examples * layer.shape.elements()));
        }
        std::ranges::copy(images, pass.activations.front().begin());
        for (std::size_t i = 1; i < m_network.layers.size(); ++i) {
            visit(i, pass, [](const auto& spec, LayerPass& one) { forward(spec, one); });
        }
    }

    void loss(
        const Objective& objective, std::span<const std::int32_t> labels, double lossScale,
        bool isFirst, ReferencePass& pass)
    {
        const auto logits =
            static_cast<std::size_t>(std::get<SoftmaxCrossEntropy>(objective.loss).logits);
        const auto classes = static_cast<std::size_t>(m_network.classes);
        Values& diff = m_diffs[logits];
        diff.resize(pass.activations[logits].size());
        for (std::size_t row = 0; row < labels.size(); ++row) {
            const double* values = pass.activations[logits].data() + row * classes;
            const double* largest = std::max_element(values, values + classes);
            double sum = 0.0;
            for (std::size_t i = 0; i < classes; ++i) {
                sum += std::exp(values[i] - *largest);
            }
            const auto label = static_cast<std::size_t>(labels[row]);
            pass.lossSum += objective.weight * (std::log(sum) + *largest - values[label]);
            pass.correct += isFirst && static_cast<std::size_t>(largest - values) == label ? 1 : 0;
            for (std::size_t i = 0; i < classes; ++i) {
                const double target = i == label ? 1.0 : 0.0;
                diff[row * classes + i] +=
                    objective.weight * lossScale * (std::exp(values[i] - *largest) / sum - target);
            }
        }
    }

    void runBackward(ReferencePass& pass)
    {
        const auto withGradient = m_network.layersWithGradient();
        for (std::size_t i = m_network.layers.size(); i-- > 1;) {
            if (!withGradient[i]) {
                continue;
            }
            const auto input = static_cast<std::size_t>(m_network.layers[i].inputs.front());
            if (withGradient[input]) {
                m_diffs[input].resize(pass.activations[input].size());
            }
            visit(i, pass, [](const auto& spec, LayerPass& one) { backward(spec, one); });
        }
    }

private:
    template<class Visitor>
    void visit(std::size_t index, ReferencePass& pass, Visitor visitor)
    {
        const Layer& layer = m_network.layers[index];
        const auto input = static_cast<std::size_t>(layer.inputs.front());
        Values none;
        const bool hasParameters = !layer.parameters.empty();
        const auto parameter = [&](const auto& of, std::size_t i) -> auto&
        {
            return of[static_cast<std::size_t>(layer.parameters[i])];
        };
        LayerPass one{
            m_examples,
            m_network.layers[input].shape,
            layer.shape,
            pass.activations[input],
            pass.activations[index],
            m_diffs[input],
            m_diffs[index],
            hasParameters ? parameter(m_parameters, 0) : none,
            hasParameters ? parameter(m_parameters, 1) : none,
            hasParameters ? pass.gradients[static_cast<std::size_t>(layer.parameters[0])] : none,
            hasParameters ? pass.gradients[static_cast<std::size_t>(layer.parameters[1])] : none};
        std::visit([&](const auto& spec) { visitor(spec, one); }, layer.spec);
    }

    const NetworkSpec& m_network;
    const ReferenceParameters& m_parameters;
    std::int64_t m_examples;
    std::vector<Values> m_diffs;
};

} // namespace

ReferencePass referencePass(
    const NetworkSpec& network, const ReferenceParameters& parameters,
    std::span<const float> images, std::span<const std::int32_t> labels, double lossScale,
    bool withGradients)
{
    ReferencePass pass;
    for (const Values& values : parameters) {
        pass.gradients.emplace_back(values.size());
    }
    Interpreter interpreter(network, parameters, static_cast<std::int64_t>(labels.size()));
    interpreter.run(images, pass);
    for (const Objective& objective : network.objectives) {
        interpreter.loss(
            objective, labels, lossScale, &objective == &network.objectives.front(), pass);
    }
    if (withGradients) {
        interpreter.runBackward(pass);
    }
    return pass;
}

ReferenceParameters referenceParameters(const NetworkSpec& network, std::uint64_t seed)
{
    ReferenceParameters parameters;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(network.parameters[i].elements()));
        initialize(network.parameters[i].initializer, seed, static_cast<std::uint32_t>(i), values);
        parameters.emplace_back(values.begin(), values.end());
    }
    return parameters;
}

} // namespace lockstep
