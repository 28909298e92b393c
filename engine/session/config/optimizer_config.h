// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "update/optimizer_settings.h"

#include <string>

namespace lockstep {

/// The [optimizer] table of a configuration. The defaults are those of TensorFlow 1's
/// classes, but for epsilonAs.
struct OptimizerConfig
{
    std::string name = "sgd"; ///< sgd, momentum, rmsprop, adam or adamw
    double momentum = 0.0;    ///< of momentum, which wants more than 0, and of rmsprop
    bool isNesterov = false;  ///< of momentum
    double decay = 0.9;       ///< of rmsprop's mean square
    double epsilon = 0.0;     ///< of all but sgd and momentum; 0: 1e-10 of rmsprop, else 1e-8
    std::string epsilonAs = "pytorch"; ///< of adam and adamw, see EpsilonAs
    double beta1 = 0.9;                ///< of adam and adamw
    double beta2 = 0.999;              ///< of adam and adamw
    double weightDecay = -1.0;         ///< of every layer's weights; less than 0: the model's own
    double clipNorm = 0.0;             ///< see OptimizerSettings
    bool decaysAll = false;            ///< biases and normalisations too, as weights

    /// Checked. Error(BadInput) names the key and what it must be.
    [[nodiscard]] OptimizerSettings settings() const;
};

/// The network with the weight decays that the configuration asks for. A bias, and what a
/// normalisation after it learns, then decays as the weights of the layer before.
NetworkSpec withWeightDecay(NetworkSpec network, const OptimizerConfig& config);

} // namespace lockstep
