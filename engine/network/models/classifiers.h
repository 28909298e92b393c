// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// What may be chosen about a network of this file.
struct ClassifierSettings
{
    std::int64_t inputHeight = 224; ///< any size that leaves a cell after all halvings
    std::int64_t inputWidth = 224;
    std::int64_t classes = 1000;
    NormalizationMode normalization = NormalizationMode::Batch;
    double momentDecay = 0.9; ///< 1 - PyTorch's momentum
    double epsilon = 1e-5;    ///< of the normalisations
    double dropoutKeep = 1.0; ///< before the last layer; MobileNet only
    double labelSmoothing = 0.0;
    double weightDecay = 1e-4; ///< of convolutions and fully connected layers
};

/// "resnet18", "resnet20", "resnet50", "resnet56", "mobilenet_v3_small".
std::vector<std::string> classifierNames();

bool isClassifier(const std::string& name);

/// The settings that a network of such a name has by itself.
ClassifierSettings classifierSettings(const std::string& name);

/// Networks that tell what a photograph shows, in the order and with the names of torchvision's
/// layers ("layer1.0.conv1", "features.4.block.2.fc1"), so that weights can be exchanged. One
/// parameter group, "network"; one objective, "cross_entropy"; output "logits".
///
/// resnet18, resnet50: He et al., "Deep Residual Learning for Image Recognition", 2015, the latter
/// with the stride in the 3 x 3 convolution ("v1.5", as torchvision's): 11,689,512 and 25,557,032
/// parameters for 1000 classes. resnet20, resnet56: of its section 4.2, for CIFAR-10, with
/// shortcuts without parameters: 269,722 and 853,018. mobilenet_v3_small: Howard et al., "Searching
/// for MobileNetV3", 2019: 2,542,856 for 1000 classes. Convolutions begin as He et al. (2015) have
/// it, the last layer near 0, so that the first loss is log(classes).
///
/// Error(BadInput) names the setting.
NetworkSpec classifierNetwork(const std::string& name, const ClassifierSettings& settings);

} // namespace lockstep
