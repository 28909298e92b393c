// SPDX-License-Identifier: Apache-2.0
#include "update/optimizer_reference.h"

#include <cmath>

namespace lockstep {

ReferenceOptimizer::ReferenceOptimizer(
    const OptimizerSettings& settings, std::span<const float> weights)
    : m_settings(settings), m_weights(weights.begin(), weights.end())
{
    const auto specs = slotsOf(settings.kind);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        m_slots.at(i).assign(weights.size(), static_cast<double>(specs[i].initial));
    }
}

void ReferenceOptimizer::apply(
    std::span<const float> gradient, double weightDecay, double learningRate)
{
    ++m_updates;
    for (std::size_t i = 0; i < m_weights.size(); ++i) {
        const auto g = static_cast<double>(gradient[i]);
        if (m_settings.kind == UpdateKind::AdamW) {
            m_weights[i] *= 1.0 - learningRate * weightDecay;
            m_weights[i] -= stepOf(i, g, learningRate);
        } else {
            m_weights[i] -= stepOf(i, g + weightDecay * m_weights[i], learningRate);
        }
    }
}

double ReferenceOptimizer::stepOf(std::size_t i, double g, double learningRate)
{
    const OptimizerSettings& of = m_settings;
    switch (of.kind) {
    case UpdateKind::Sgd:
        break;
    case UpdateKind::Momentum: {
        double& m = m_slots[0][i];
        m = of.momentum * m + g;
        return learningRate * (of.isNesterov ? g + of.momentum * m : m);
    }
    case UpdateKind::RmsProp: {
        double& s = m_slots[0][i];
        double& m = m_slots[1][i];
        s = of.decay * s + (1.0 - of.decay) * g * g;
        m = of.momentum * m + learningRate * g / std::sqrt(s + of.epsilon);
        return m;
    }
    case UpdateKind::Adam:
    case UpdateKind::AdamW: {
        double& m = m_slots[0][i];
        double& s = m_slots[1][i];
        m = of.beta1 * m + (1.0 - of.beta1) * g;
        s = of.beta2 * s + (1.0 - of.beta2) * g * g;
        const auto t = static_cast<double>(m_updates);
        if (of.epsilonAs == EpsilonAs::PyTorch) { // as the pages of torch.optim have it
            const double mean = m / (1.0 - std::pow(of.beta1, t));
            const double square = s / (1.0 - std::pow(of.beta2, t));
            return learningRate * mean / (std::sqrt(square) + of.epsilon);
        }
        const double rate =
            learningRate * std::sqrt(1.0 - std::pow(of.beta2, t)) / (1.0 - std::pow(of.beta1, t));
        return rate * m / (std::sqrt(s) + of.epsilon);
    }
    }
    return learningRate * g;
}

} // namespace lockstep
