// SPDX-License-Identifier: Apache-2.0
#include "network/reference_layer.h"

#include <cmath>

namespace lockstep::reference {
namespace {

double sigmoid(double value)
{
    return 1.0 / (1.0 + std::exp(-value));
}

/// Mean and variance of a channel over the cells of some rows.
struct Moments
{
    double mean = 0.0;
    double variance = 0.0;
    double cells = 0.0;
};

/// One normalisation: which rows are normalised together, and with what.
class NormalizationPass
{
public:
    NormalizationPass(const Normalization& norm, LayerPass& pass) : m_norm(norm), m_pass(pass) {}

    [[nodiscard]] bool takesMoments() const
    {
        return m_norm.mode == NormalizationMode::PerImage
               || (m_norm.mode != NormalizationMode::Moving && m_pass.isTraining);
    }
    /// Rows of a group.
    [[nodiscard]] std::int64_t groupRows() const
    {
        return m_norm.mode == NormalizationMode::PerImage ? 1 : m_pass.examples;
    }
    /// Parameter behind gamma: 0 is beta, 1 and 2 are the moving moments.
    [[nodiscard]] std::size_t behindGamma(std::size_t number) const
    {
        return number + (m_norm.hasScale ? 1 : 0);
    }
    [[nodiscard]] double gamma(std::int64_t c) const
    {
        return m_norm.hasScale ? (*m_pass.parameters[0])[static_cast<std::size_t>(c)] : 1.0;
    }
    [[nodiscard]] double parameter(std::size_t number, std::int64_t c) const
    {
        return (*m_pass.parameters[behindGamma(number)])[static_cast<std::size_t>(c)];
    }
    [[nodiscard]] double& gradient(std::size_t number, std::int64_t c) const
    {
        return (*m_pass.gradients[behindGamma(number)])[static_cast<std::size_t>(c)];
    }

    /// Calls body(index in src and dst) for the cells of a group, channel c.
    template<class Body>
    void forEach(std::int64_t group, std::int64_t c, Body body) const
    {
        const std::int64_t cells = m_pass.src.shape().height * m_pass.src.shape().width;
        for (std::int64_t cell = group * groupRows() * cells;
             cell < (group + 1) * groupRows() * cells; ++cell) {
            body(static_cast<std::size_t>(cell * m_pass.src.shape().channels + c));
        }
    }
    /// Calls body(group, channel).
    template<class Body>
    void forEachGroup(Body body) const
    {
        for (std::int64_t group = 0; group < m_pass.examples / groupRows(); ++group) {
            for (std::int64_t c = 0; c < m_pass.src.shape().channels; ++c) {
                body(group, c);
            }
        }
    }

    [[nodiscard]] Moments moments(std::int64_t group, std::int64_t c) const
    {
        Moments moments;
        forEach(group, c, [&](std::size_t i) {
            moments.mean += m_pass.src[i];
            moments.cells += 1.0;
        });
        moments.mean /= moments.cells;
        forEach(group, c, [&](std::size_t i) {
            moments.variance += std::pow(m_pass.src[i] - moments.mean, 2) / moments.cells;
        });
        if (!takesMoments()) {
            moments.mean = parameter(1, c);
            moments.variance = parameter(2, c);
        }
        return moments;
    }

private:
    const Normalization& m_norm;
    LayerPass& m_pass;
};

} // namespace

void activate(Activation activation, const LayerPass& pass)
{
    for (std::size_t i = 0; i < pass.dst.size(); ++i) {
        double& value = pass.dst[i];
        if (activation == Activation::Relu) {
            value = value > 0.0 || std::isnan(value) ? value : 0.0;
        } else if (activation == Activation::Sigmoid) {
            value = sigmoid(value);
        }
    }
}

void activateBackward(Activation activation, const LayerPass& pass)
{
    for (std::size_t i = 0; i < pass.dst.size(); ++i) {
        if (activation == Activation::Relu) {
            pass.diffDst[i] = pass.dst[i] <= 0.0 ? 0.0 : pass.diffDst[i];
        } else if (activation == Activation::Sigmoid) {
            pass.diffDst[i] *= pass.dst[i] * (1.0 - pass.dst[i]);
        }
    }
}

void forward(const Normalization& norm, LayerPass& pass)
{
    const NormalizationPass all(norm, pass);
    all.forEachGroup([&](std::int64_t group, std::int64_t c) {
        const Moments moments = all.moments(group, c);
        const double deviation = std::sqrt(moments.variance + norm.epsilon);
        all.forEach(group, c, [&](std::size_t i) {
            pass.dst[i] =
                all.gamma(c) * (pass.src[i] - moments.mean) / deviation + all.parameter(0, c);
        });
    });
    activate(norm.activation, pass);
}

/// By the chain rule through xhat, the variance and the mean, as they depend on each value.
void backward(const Normalization& norm, LayerPass& pass)
{
    activateBackward(norm.activation, pass);
    const NormalizationPass all(norm, pass);
    all.forEachGroup([&](std::int64_t group, std::int64_t c) {
        const Moments moments = all.moments(group, c);
        const double deviation = std::sqrt(moments.variance + norm.epsilon);
        double ofVariance = 0.0;
        double ofMean = 0.0;
        all.forEach(group, c, [&](std::size_t i) {
            const double centred = pass.src[i] - moments.mean;
            const double ofHat = pass.diffDst[i] * all.gamma(c);
            ofVariance += ofHat * centred * -0.5 / std::pow(deviation, 3);
            ofMean += -ofHat / deviation;
            if (norm.hasScale) {
                (*pass.gradients[0])[static_cast<std::size_t>(c)] +=
                    pass.diffDst[i] * centred / deviation;
            }
            all.gradient(0, c) += pass.diffDst[i];
        });
        if (!pass.diffSrc.empty()) {
            all.forEach(group, c, [&](std::size_t i) {
                pass.diffSrc[i] += pass.diffDst[i] * all.gamma(c) / deviation;
                if (all.takesMoments()) {
                    pass.diffSrc[i] +=
                        (ofVariance * 2.0 * (pass.src[i] - moments.mean) + ofMean) / moments.cells;
                }
            });
        }
        if (all.takesMoments()) {
            const double rows = pass.lossScale * static_cast<double>(all.groupRows());
            all.gradient(1, c) -= rows * moments.mean;
            all.gradient(2, c) -= rows * moments.variance;
        }
    });
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
        for (std::int64_t c = 0; c < pass.dst.shape().channels; ++c) {
            for (const auto& [y, x] : cells) {
                body(n, row, column, c, y, x, 1.0 / static_cast<double>(cells.size()));
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
        pass.dst[i] = pass.src[i];
    }
    activate(elementwise.activation, pass);
}

void backward(const Elementwise& elementwise, LayerPass& pass)
{
    activateBackward(elementwise.activation, pass);
    for (std::size_t i = 0; i < pass.diffSrc.size(); ++i) {
        pass.diffSrc[i] += pass.diffDst[i];
    }
}

} // namespace lockstep::reference
