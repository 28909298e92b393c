// SPDX-License-Identifier: Apache-2.0
#include "metrics/gradient_agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

/// Some 40 records count: enough to tame the noise, few enough to follow a scale that grows while
/// the loss falls.
constexpr double kDecay = 0.95;

/// Sums over parameters.
struct Sums
{
    double gradientSquares = 0.0;
    double weightSquares = 0.0;
    double updateSquares = 0.0;
    std::vector<TowerGradientRecord> towers;

    void add(const ParameterGradientRecord& parameter)
    {
        gradientSquares += parameter.gradientSquares;
        weightSquares += parameter.weightSquares;
        updateSquares += parameter.updateSquares;
        towers.resize(parameter.towers.size());
        for (std::size_t i = 0; i < towers.size(); ++i) {
            towers[i].squares += parameter.towers[i].squares;
            towers[i].dotMean += parameter.towers[i].dotMean;
        }
    }
};

/// Rounding may lead a hair beyond 1.
double cosine(double dot, double squares, double otherSquares)
{
    return std::clamp(dot / (std::sqrt(squares) * std::sqrt(otherSquares)), -1.0, 1.0);
}

/// With the mean of the others, (N mean - g) / (N - 1), whose norm and product follow from what was
/// measured.
double cosineToOthers(const TowerGradientRecord& tower, double meanSquares, double towers)
{
    if (tower.squares == 0.0) {
        return 0.0;
    }
    const double dot = (towers * tower.dotMean - tower.squares) / (towers - 1.0);
    const double squares =
        (towers * towers * meanSquares - 2.0 * towers * tower.dotMean + tower.squares)
        / ((towers - 1.0) * (towers - 1.0));
    return squares > 0.0 ? cosine(dot, tower.squares, squares) : 0.0;
}

LayerAgreement agreementOf(const std::string& layer, const Sums& sums)
{
    LayerAgreement agreement;
    agreement.layer = layer;
    agreement.weightNorm = std::sqrt(sums.weightSquares);
    agreement.gradientNorm = std::sqrt(sums.gradientSquares);
    agreement.updateToWeight = agreement.weightNorm > 0.0
                                   ? std::sqrt(sums.updateSquares) / agreement.weightNorm
                                   : std::numeric_limits<double>::quiet_NaN();
    const auto towers = static_cast<double>(sums.towers.size());
    for (const TowerGradientRecord& tower : sums.towers) {
        agreement.towerNorms.push_back(std::sqrt(tower.squares));
        agreement.cosines.push_back(cosine(tower.dotMean, tower.squares, sums.gradientSquares));
        if (sums.towers.size() > 1) {
            agreement.cosinesToOthers.push_back(
                cosineToOthers(tower, sums.gradientSquares, towers));
        }
    }
    return agreement;
}

Sums sumsOf(const GradientRecord& record)
{
    Sums sums;
    for (const ParameterGradientRecord& parameter : record.parameters) {
        sums.add(parameter);
    }
    return sums;
}

} // namespace

std::string layerOfParameter(const std::string& name)
{
    return name.substr(0, name.rfind('.'));
}

GradientAgreement gradientAgreement(const GradientRecord& record)
{
    GradientAgreement agreement;
    agreement.step = record.step;
    agreement.whole = agreementOf({}, sumsOf(record));
    for (std::size_t i = 0; i < record.parameters.size();) {
        const std::string layer = layerOfParameter(record.parameters[i].name);
        Sums sums;
        for (; i < record.parameters.size() && layerOfParameter(record.parameters[i].name) == layer;
             ++i) {
            sums.add(record.parameters[i]);
        }
        agreement.layers.push_back(agreementOf(layer, sums));
    }
    return agreement;
}

void GradientNoiseScale::add(const GradientRecord& record)
{
    const Sums sums = sumsOf(record);
    m_isOneTower = sums.towers.size() == 1;
    if (sums.towers.size() < 2) {
        return;
    }
    double small = 0.0;
    for (const TowerGradientRecord& tower : sums.towers) {
        small += tower.squares / static_cast<double>(sums.towers.size());
    }
    const double large = sums.gradientSquares;
    const auto batch = static_cast<double>(record.batchPerTower);
    const double global = batch * static_cast<double>(sums.towers.size());
    const double gradientSquares = (global * large - batch * small) / (global - batch);
    // The mean of vectors is never longer than their mean length: only rounding leads below 0.
    const double variance = std::max(0.0, small - large) / (1.0 / batch - 1.0 / global);
    if (std::isfinite(gradientSquares) && std::isfinite(variance)) {
        m_gradientSquares = kDecay * m_gradientSquares + (1.0 - kDecay) * gradientSquares;
        m_variance = kDecay * m_variance + (1.0 - kDecay) * variance;
        m_weight = kDecay * m_weight + (1.0 - kDecay);
    }
}

GradientNoiseScale::State GradientNoiseScale::state() const
{
    if (m_isOneTower) {
        return State::OneTower;
    }
    if (m_weight == 0.0) {
        return State::Unmeasured;
    }
    return m_gradientSquares > 0.0 ? State::Defined : State::Drowned;
}

std::optional<double> GradientNoiseScale::examples() const
{
    return state() == State::Defined ? std::optional(m_variance / m_gradientSquares) : std::nullopt;
}

double GradientNoiseScale::gradientSquares() const
{
    return m_gradientSquares / m_weight;
}

double GradientNoiseScale::variance() const
{
    return m_variance / m_weight;
}

} // namespace lockstep
