// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "update/optimizer_settings.h"

#include <string>

namespace lockstep {

/// The [optimizer] table of a configuration. The defaults are those of TensorFlow 1's classes.
struct OptimizerConfig
{
    std::string name = "sgd"; ///< sgd, momentum, rmsprop or adam
    double momentum = 0.0;    ///< of momentum, which wants more than 0, and of rmsprop
    bool isNesterov = false;  ///< of momentum
    double decay = 0.9;       ///< of rmsprop's mean square
    double epsilon = 0.0;     ///< of rmsprop and adam; 0: 1e-10 of rmsprop, 1e-8 of adam
    double beta1 = 0.9;       ///< of adam
    double beta2 = 0.999;     ///< of adam

    /// Checked. Error(BadInput) names the key and what it must be.
    [[nodiscard]] OptimizerSettings settings() const;
};

} // namespace lockstep
