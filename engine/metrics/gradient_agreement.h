// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/gradient_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// How far the towers' gradients agree over some parameters: those of a layer, or all. Not a number
/// where a norm is zero or not finite.
struct LayerAgreement
{
    std::string layer;           ///< "conv1"; empty: the whole network
    double weightNorm = 0.0;     ///< before the update
    double gradientNorm = 0.0;   ///< of the averaged gradient
    double updateToWeight = 0.0; ///< norm of the update / norm of the weights
    std::vector<double> towerNorms;
    std::vector<double> cosines; ///< of each tower's gradient and the averaged one
    /// Of each tower's gradient and the mean of the other towers', in which it has no part; empty
    /// for one tower. A gradient of zero agrees with nothing: 0.
    std::vector<double> cosinesToOthers;
};

struct GradientAgreement
{
    std::int64_t step = 0;
    LayerAgreement whole;
    std::vector<LayerAgreement> layers; ///< in network order
};

/// Assumes towers of equal batches, so that the averaged gradient is their plain mean.
GradientAgreement gradientAgreement(const GradientRecord& record);

/// The layer of a parameter by its name: "conv1" of "conv1.weight".
std::string layerOfParameter(const std::string& name);

/// The gradient noise scale S / |G|^2 of McCandlish et al., "An Empirical Model of Large-Batch
/// Training" (2018), appendix A.1, from the norms of the towers' gradients (batch B) and of their
/// mean (batch N B): |G|^2 = (N B |mean|^2 - B |tower|^2) / (N B - B) and
/// S = (|tower|^2 - |mean|^2) / (1/B - 1/(N B)), |tower|^2 being the mean over the towers. Both are
/// averaged over records, each by a debiased moving average, before they are divided: the ratio of
/// one step is biased and may be anything.
///
/// In examples: a batch of that size needs twice the least number of steps, and twice the least
/// number of examples. Far below it, twice the batch halves the steps; far above it, it saves
/// hardly any. Weight decay has no noise and is left out.
class GradientNoiseScale
{
public:
    enum class State {
        Unmeasured, ///< no record yet
        OneTower,   ///< it takes two to compare
        Drowned,    ///< the noise hides the gradient: the estimate of |G|^2 is not positive (yet)
        Defined,
    };

    /// Records with norms that are not finite are left out. Another number of towers or another
    /// batch is no break: the estimates do not depend on them.
    void add(const GradientRecord& record);

    [[nodiscard]] State state() const;
    /// In examples; 0 where all towers had the same gradient. Empty unless state() is Defined.
    [[nodiscard]] std::optional<double> examples() const;
    /// Estimate of the squared norm of the true gradient.
    [[nodiscard]] double gradientSquares() const;
    /// Estimate of S, the trace of the covariance of the gradients of single examples.
    [[nodiscard]] double variance() const;

private:
    double m_gradientSquares = 0.0; ///< sums, still biased towards 0
    double m_variance = 0.0;
    double m_weight = 0.0; ///< of the records in the sums
    bool m_isOneTower = false;
};

} // namespace lockstep
