// SPDX-License-Identifier: Apache-2.0
#include "network/reference_layer.h"

#include <cmath>

namespace lockstep::reference {
namespace {

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
            all.gradient(2, c) -= rows * varianceScale(norm, moments.cells) * moments.variance;
        }
    });
}

namespace {

/// Calls body(index of the cell's first value, mean, deviation) for every cell.
template<class Body>
void forEachNormalizedCell(const LayerNorm& norm, const LayerPass& pass, Body body)
{
    const auto channels = static_cast<std::size_t>(pass.src.shape().channels);
    for (std::size_t first = 0; first < pass.src.size(); first += channels) {
        double mean = 0.0;
        double variance = 0.0;
        for (std::size_t i = first; i < first + channels; ++i) {
            mean += pass.src[i] / static_cast<double>(channels);
        }
        for (std::size_t i = first; i < first + channels; ++i) {
            variance += std::pow(pass.src[i] - mean, 2) / static_cast<double>(channels);
        }
        body(first, mean, std::sqrt(variance + norm.epsilon));
    }
}

} // namespace

void forward(const LayerNorm& norm, LayerPass& pass)
{
    const auto channels = static_cast<std::size_t>(pass.src.shape().channels);
    forEachNormalizedCell(norm, pass, [&](std::size_t first, double mean, double deviation) {
        for (std::size_t c = 0; c < channels; ++c) {
            pass.dst[first + c] = pass.weight(c) * (pass.src[first + c] - mean) / deviation
                                  + pass.bias(static_cast<std::int64_t>(c));
        }
    });
}

/// With g = gamma * diffDst: diffSrc = (g - mean(g) - xhat * mean(g * xhat)) / deviation.
void backward(const LayerNorm& norm, LayerPass& pass)
{
    const auto channels = static_cast<std::size_t>(pass.src.shape().channels);
    forEachNormalizedCell(norm, pass, [&](std::size_t first, double mean, double deviation) {
        double ofMean = 0.0;
        double ofHat = 0.0;
        const auto hat = [&](std::size_t c) { return (pass.src[first + c] - mean) / deviation; };
        for (std::size_t c = 0; c < channels; ++c) {
            const double diff = pass.diffDst[first + c];
            pass.diffWeight(c) += diff * hat(c);
            pass.diffBias(static_cast<std::int64_t>(c)) += diff;
            ofMean += pass.weight(c) * diff / static_cast<double>(channels);
            ofHat += pass.weight(c) * diff * hat(c) / static_cast<double>(channels);
        }
        for (std::size_t c = 0; !pass.diffSrc.empty() && c < channels; ++c) {
            const double diff = pass.weight(c) * pass.diffDst[first + c];
            pass.diffSrc[first + c] += (diff - ofMean - hat(c) * ofHat) / deviation;
        }
    });
}

} // namespace lockstep::reference
