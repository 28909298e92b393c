// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <string>

namespace lockstep {

/// A network and what may be chosen about it: the [model] table of a run configuration. Empty and 0
/// mean: as the network has it.
struct ModelSettings
{
    std::string name = "cifar10";     ///< built in, or path of a model file (.toml)
    std::string variant = {};         ///< "authors", "third_party"
    std::int64_t inputHeight = 0;     ///< in cells
    std::int64_t inputWidth = 0;      ///< in cells
    std::string normalization = {};   ///< "per_image", "batch", "synchronised", "moving"
    std::string scale = {};           ///< of normalisations: "on" with gamma, "off" without
    double momentDecay = 0.0;         ///< of their moving moments
    std::string initializer = {};     ///< of convolutions: "normal", "xavier"
    std::string maskActivation = {};  ///< of the mask that the decision reads: "relu", "sigmoid"
    std::int64_t decisionOutputs = 0; ///< 1, 2

    bool operator==(const ModelSettings&) const = default;
};

/// "per_image", "batch", "synchronised", "moving"; Error(BadInput) lists them for anything else.
NormalizationMode normalizationModeByName(const std::string& name);
std::string toString(NormalizationMode mode);

/// The network that the settings ask for. Error(BadInput) names the key that is wrong or that this
/// network does not have.
NetworkSpec makeNetwork(const ModelSettings& settings);

} // namespace lockstep
