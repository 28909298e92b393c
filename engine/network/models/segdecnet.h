// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <span>
#include <string>

namespace lockstep {

/// Whose SegDecNet: what the two programs that carry the name do differently.
enum class SegdecnetVariant {
    Authors,    ///< Tabernik et al., "Segmentation-based deep-learning approach", 2019
    ThirdParty, ///< the widespread TensorFlow 1.12 program
};

/// A network in two stages: segmentation finds the cells of a defect, decision says from its
/// features and its mask whether the image has one.
struct SegdecnetSettings
{
    std::int64_t inputHeight = 1408;
    std::int64_t inputWidth = 512;
    NormalizationMode normalization = NormalizationMode::PerImage;
    bool hasScale = true;                          ///< gamma in the normalisations
    double decay = 0.9997;                         ///< of their moving moments
    Initializer convolutionWeights = Normal{0.01}; ///< those of the decision's last layer: Xavier
    Activation maskActivation = Activation::Relu;  ///< of the mask that the decision reads
    std::int64_t decisionOutputs = 1;              ///< 1: sigmoid cross entropy, 2: softmax
};

/// "authors", "third_party"; Error(BadInput) for anything else.
SegdecnetVariant segdecnetVariantByName(const std::string& name);
SegdecnetSettings segdecnetSettings(SegdecnetVariant variant);

/// Groups and objectives "segmentation" and "decision". Outputs: "mask_logits" and
/// "mask_probabilities", [height / 8, width / 8, 1], and "decision_logits". 15,662,877 parameters
/// as the authors', 15,661,351 as the third party's. Error(BadInput) for sides that aren't
/// multiples of 64, or too short for the normalisation.
NetworkSpec segdecnetNetwork(const SegdecnetSettings& settings);

/// Probability that an image is defective, from the values of "decision_logits".
double decisionScore(std::span<const float> logits);

} // namespace lockstep
