// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "device/parameter_chunks.h"
#include "network/network_spec.h"
#include "update/optimizer_settings.h"

#include <vector>

namespace lockstep {

/// Moves the weights by their gradient and their weight decay (see OptimizerSettings), and their
/// moving average in the same pass, strictly after the update: average -= (1 - d) * (average - w).
/// Also keeps the loss of the weight decay, sum of decay * |w|^2 / 2, at hand. A statistic s, in
/// whose gradient lies the negative of a moment, goes by the rule of plain gradient descent,
/// whatever the optimizer, with a rate of its own: s -= (1 - decay) * (-moment + s) is s = decay *
/// s + (1 - decay) * moment, where the decay is that of the statistic, or less if apply() says so.
/// Its slots stay as they are.
class Optimizer
{
public:
    /// `chunks`: what is updated. The arena must have the slots of the settings' kind and outlive
    /// this object.
    Optimizer(
        const HostDevice& device, const NetworkSpec& network, const ParameterArena& arena,
        const std::vector<ParameterChunk>& chunks, const OptimizerSettings& settings = {});

    /// One update with the averaged gradient of the arena; see updateAt().
    void apply(ThreadTeam& threads, const UpdateSettings& update);

    /// Of the last update, where it may have been clipped; -1: it was not looked at.
    [[nodiscard]] double gradientNorm() const { return m_gradientNorm; }
    /// Loss of the weight decay of the current weights, trained parameters only; 0 where it is
    /// none, see decaysByLoss(). Summed in double, chunk by chunk.
    [[nodiscard]] double weightDecayLoss() const { return m_weightDecayLoss; }
    /// Computes it anew: after the weights were initialised or loaded.
    void refreshWeightDecayLoss(ThreadTeam& threads);

private:
    [[nodiscard]] UpdateRule ruleOf(
        std::size_t chunk, const UpdateSettings& update, double scale) const;
    double gradientNorm(ThreadTeam& threads);
    void addSquares(std::size_t chunk);
    void sumUp();

    const HostDevice& m_device;
    const ParameterArena& m_arena;
    OptimizerSettings m_settings;
    UpdateConstants m_constants;
    std::vector<ParameterChunk> m_chunks;
    std::vector<double> m_weightDecay; ///< by chunk
    std::vector<double> m_momentRate;  ///< by chunk: 1 - decay of a statistic; 0: it is a weight
    std::vector<double> m_loss;        ///< by chunk
    std::vector<double> m_squares;     ///< by chunk, of the gradient
    double m_gradientNorm = -1.0;
    double m_weightDecayLoss = 0.0;
};

} // namespace lockstep
