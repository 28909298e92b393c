// SPDX-License-Identifier: Apache-2.0
#include "network/reference_layer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::reference {
namespace {

double sigmoid(double value)
{
    return 1.0 / (1.0 + std::exp(-value));
}

/// The normal distribution: up to x, and its density there.
double phi(double x)
{
    return 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2.0);
}
double density(double x)
{
    return std::exp(-x * x / 2.0) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

double hardSigmoid(double x)
{
    return std::isnan(x) ? x : std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
}

double activated(Activation activation, double x)
{
    switch (activation) {
    case Activation::None:
        break;
    case Activation::Relu:
        return x > 0.0 || std::isnan(x) ? x : 0.0;
    case Activation::Sigmoid:
        return sigmoid(x);
    case Activation::Silu:
        return x * sigmoid(x);
    case Activation::Gelu:
        return x * phi(x);
    case Activation::HardSwish:
        return x * hardSigmoid(x);
    case Activation::HardSigmoid:
        return hardSigmoid(x);
    }
    return x;
}

/// Derivative at x.
double slope(Activation activation, double x)
{
    const bool isBetween = x > -3.0 && x < 3.0;
    switch (activation) {
    case Activation::None:
        break;
    case Activation::Relu:
        return x <= 0.0 ? 0.0 : 1.0;
    case Activation::Sigmoid:
        return sigmoid(x) * sigmoid(-x);
    case Activation::Silu:
        return sigmoid(x) * (1.0 + x * sigmoid(-x));
    case Activation::Gelu:
        return phi(x) + x * density(x);
    case Activation::HardSwish:
        return isBetween ? x / 3.0 + 0.5 : hardSigmoid(x);
    case Activation::HardSigmoid:
        return isBetween ? 1.0 / 6.0 : 0.0;
    }
    return 1.0;
}

} // namespace

void activate(Activation activation, const LayerPass& pass)
{
    for (std::size_t i = 0; i < pass.dst.size(); ++i) {
        pass.dst[i] = activated(activation, pass.dst[i]);
    }
}

void activateBackward(Activation activation, const LayerPass& pass)
{
    for (std::size_t i = 0; i < pass.dst.size(); ++i) {
        if (activation == Activation::Relu && pass.dst[i] <= 0.0) {
            pass.diffDst[i] = 0.0;
        }
    }
}

namespace {

/// Calls body(n, row, column, channel, y, x, share) for every cell of the source that has a share
/// in the mean at (row, column).
template<class Body>
void forEachMean(const AveragePool& pool, LayerPass& pass, Body body)
{
    const Windows windows(pool.window, pool.stride, pool.padding, pass.src);
    forEachCell(pass.examples, pass.dst, [&](auto n, auto row, auto column) {
        std::vector<std::pair<std::int64_t, std::int64_t>> cells;
        windows.forEach(row, column, [&](auto /*ky*/, auto /*kx*/, auto y, auto x) {
            cells.emplace_back(y, x);
        });
        const double count = pool.countsPadding
                                 ? static_cast<double>(pool.window.height * pool.window.width)
                                 : static_cast<double>(cells.size());
        for (std::int64_t c = 0; c < pass.dst.shape().channels; ++c) {
            for (const auto& [y, x] : cells) {
                body(n, row, column, c, y, x, 1.0 / count);
            }
        }
    });
}

} // namespace

void forward(const AveragePool& pool, LayerPass& pass)
{
    forEachMean(pool, pass, [&](auto n, auto row, auto column, auto c, auto y, auto x, auto share) {
        pass.dst.at(n, row, column, c) += share * pass.src.at(n, y, x, c);
    });
}

void backward(const AveragePool& pool, LayerPass& pass)
{
    if (pass.diffSrc.empty()) {
        return;
    }
    forEachMean(pool, pass, [&](auto n, auto row, auto column, auto c, auto y, auto x, auto share) {
        pass.diffSrc.at(n, y, x, c) += share * pass.diffDst.at(n, row, column, c);
    });
}

void forward(const GlobalPool& pool, LayerPass& pass)
{
    const auto cells = static_cast<double>(pass.src.shape().height * pass.src.shape().width);
    forEachCell(pass.examples, pass.src, [&](auto n, auto y, auto x) {
        for (std::int64_t c = 0; c < pass.src.shape().channels; ++c) {
            double& value = pass.dst.at(n, 0, 0, c);
            const double one = pass.src.at(n, y, x, c);
            if (pool.reduction == Reduction::Average) {
                value += one / cells;
            } else if ((y == 0 && x == 0) || (!std::isnan(value) && !(one <= value))) {
                value = one;
            }
        }
    });
}

/// The gradient of a maximum goes to the first cell that has it.
void backward(const GlobalPool& pool, LayerPass& pass)
{
    if (pass.diffSrc.empty()) {
        return;
    }
    const auto cells = static_cast<double>(pass.src.shape().height * pass.src.shape().width);
    std::vector<bool> isGiven(pass.dst.size());
    forEachCell(pass.examples, pass.src, [&](auto n, auto y, auto x) {
        for (std::int64_t c = 0; c < pass.src.shape().channels; ++c) {
            const auto number = static_cast<std::size_t>(n * pass.dst.shape().channels + c);
            const double largest = pass.dst.at(n, 0, 0, c);
            const double value = pass.src.at(n, y, x, c);
            if (pool.reduction == Reduction::Average) {
                pass.diffSrc.at(n, y, x, c) += pass.diffDst.at(n, 0, 0, c) / cells;
            } else if (
                !isGiven[number]
                && (value == largest || (std::isnan(value) && std::isnan(largest)))) {
                pass.diffSrc.at(n, y, x, c) += pass.diffDst.at(n, 0, 0, c);
                isGiven[number] = true;
            }
        }
    });
}

namespace {

/// Calls body(channel of dst, source, channel of it).
template<class Body>
void forEachJoined(LayerPass& pass, Body body)
{
    std::int64_t channel = 0;
    for (const LayerSource& source : pass.sources) {
        for (std::int64_t c = 0; c < source.values.shape().channels; ++c) {
            body(channel++, source, c);
        }
    }
}

} // namespace

void forward(const Concat& /*concat*/, LayerPass& pass)
{
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        forEachJoined(pass, [&](std::int64_t channel, const LayerSource& source, std::int64_t c) {
            pass.dst.at(n, y, x, channel) = source.values.at(n, y, x, c);
        });
    });
}

void backward(const Concat& /*concat*/, LayerPass& pass)
{
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        forEachJoined(pass, [&](std::int64_t channel, const LayerSource& source, std::int64_t c) {
            if (!source.diff.empty()) {
                source.diff.at(n, y, x, c) += pass.diffDst.at(n, y, x, channel);
            }
        });
    });
}

namespace {

/// Calls body(index, factor) for every value; the factor is 0 or 1 / keep.
template<class Body>
void forEachDraw(const Dropout& dropout, const LayerPass& pass, Body body)
{
    const std::int64_t elements = pass.src.shape().elements();
    for (std::int64_t n = 0; n < pass.examples; ++n) {
        PhiloxStream stream = dropoutStream(pass.draw, pass.layer, n);
        for (std::int64_t i = n * elements; i < (n + 1) * elements; ++i) {
            const bool isKept = !pass.isTraining || stream.uniform() < keptBelow(dropout);
            const double factor = pass.isTraining ? 1.0 / dropout.keep : 1.0;
            body(static_cast<std::size_t>(i), isKept ? factor : 0.0);
        }
    }
}

} // namespace

void forward(const Dropout& dropout, LayerPass& pass)
{
    forEachDraw(dropout, pass, [&](std::size_t i, double factor) {
        pass.dst[i] = factor == 0.0 ? 0.0 : factor * pass.src[i];
    });
}

void backward(const Dropout& dropout, LayerPass& pass)
{
    if (pass.diffSrc.empty()) {
        return;
    }
    forEachDraw(dropout, pass, [&](std::size_t i, double factor) {
        pass.diffSrc[i] += factor == 0.0 ? 0.0 : factor * pass.diffDst[i];
    });
}

void forward(const Elementwise& elementwise, LayerPass& pass)
{
    for (std::size_t i = 0; i < pass.src.size(); ++i) {
        pass.dst[i] = activated(elementwise.activation, pass.src[i]);
    }
}

void backward(const Elementwise& elementwise, LayerPass& pass)
{
    for (std::size_t i = 0; i < pass.diffSrc.size(); ++i) {
        pass.diffSrc[i] += slope(elementwise.activation, pass.src[i]) * pass.diffDst[i];
    }
}

void forward(const Add& add, LayerPass& pass)
{
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (const LayerSource& source : pass.sources) {
            for (std::int64_t c = 0; c < source.values.shape().channels; ++c) {
                pass.dst.at(n, y, x, c) += source.values.at(n, y, x, c);
            }
        }
    });
    activate(add.activation, pass);
}

void backward(const Add& add, LayerPass& pass)
{
    activateBackward(add.activation, pass);
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (const LayerSource& source : pass.sources) {
            for (std::int64_t c = 0; !source.diff.empty() && c < source.values.shape().channels;
                 ++c) {
                source.diff.at(n, y, x, c) += pass.diffDst.at(n, y, x, c);
            }
        }
    });
}

void forward(const Scale& /*scale*/, LayerPass& pass)
{
    const Images& factors = pass.sources[1].values;
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (std::int64_t c = 0; c < pass.dst.shape().channels; ++c) {
            pass.dst.at(n, y, x, c) = pass.src.at(n, y, x, c) * factors.at(n, 0, 0, c);
        }
    });
}

void backward(const Scale& /*scale*/, LayerPass& pass)
{
    const LayerSource& factors = pass.sources[1];
    forEachCell(pass.examples, pass.dst, [&](auto n, auto y, auto x) {
        for (std::int64_t c = 0; c < pass.dst.shape().channels; ++c) {
            const double diff = pass.diffDst.at(n, y, x, c);
            if (!pass.diffSrc.empty()) {
                pass.diffSrc.at(n, y, x, c) += diff * factors.values.at(n, 0, 0, c);
            }
            if (!factors.diff.empty()) {
                factors.diff.at(n, 0, 0, c) += diff * pass.src.at(n, y, x, c);
            }
        }
    });
}

} // namespace lockstep::reference
