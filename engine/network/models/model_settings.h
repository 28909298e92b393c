// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// A network and what may be chosen about it: the [model] table of a run configuration. Empty and 0
/// mean: as the network has it. Which network has which: modelHasSetting().
struct ModelSettings
{
    std::string name = "cifar10";     ///< built in, or path of a model file (.toml)
    std::string variant = {};         ///< "authors", "third_party"; "torchvision"
    std::int64_t inputHeight = 0;     ///< in cells
    std::int64_t inputWidth = 0;      ///< in cells
    std::string normalization = {};   ///< "per_image", "batch", "synchronised", "moving"
    std::string scale = {};           ///< of normalisations: "on" with gamma, "off" without
    double momentDecay = 0.0;         ///< of their moving moments
    std::string initializer = {};     ///< of convolutions: "normal", "xavier"
    std::string maskActivation = {};  ///< of the mask that the decision reads: "relu", "sigmoid"
    std::int64_t decisionOutputs = 0; ///< 1, 2
    std::int64_t classes = 0;
    double epsilon = 0.0;         ///< of normalisations
    double dropoutKeep = 0.0;     ///< before the last layer
    double labelSmoothing = -1.0; ///< less than 0, as of the next: as the network has it
    double weightDecay = -1.0;
    // As InceptionV3Settings has them.
    bool hasBackground = true;
    double auxiliaryWeight = 0.4;

    bool operator==(const ModelSettings&) const = default;
};

/// Whether a built-in network has the setting "model.KEY"; no for a model file, which says all
/// itself.
bool modelHasSetting(const std::string& model, std::string_view key);

/// Whether output 0 of the network is none of the classes, so that labels begin at 1.
bool hasBackgroundClass(const ModelSettings& settings);

/// The network that the settings ask for. Error(BadInput) names the key that is wrong or that this
/// network does not have.
NetworkSpec makeNetwork(const ModelSettings& settings);

/// Whether a model is meant by the path of its file, and not by a built-in name.
bool isModelFile(const std::string& nameOrFile);

} // namespace lockstep
