// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>

namespace lockstep {

/// Inception v3 (Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015)
/// as TensorFlow's first trainer for several GPUs has it (models/inception, 2016 to 2018).
struct InceptionV3Settings
{
    std::int64_t inputHeight = 299; ///< at least kSmallestInceptionSide, as the width
    std::int64_t inputWidth = 299;
    std::int64_t classes = 1000;
    bool hasBackground = true; ///< output 0 is none of the classes, and class i is output i + 1
    NormalizationMode normalization = NormalizationMode::Batch; ///< not PerImage
    double momentDecay = 0.9997;
    double epsilon = 0.001;       ///< of the normalisations
    double dropoutKeep = 0.8;     ///< of the main head
    double labelSmoothing = 0.1;  ///< of both objectives
    double auxiliaryWeight = 0.4; ///< 0: the auxiliary head is only reported
    double weightDecay = 4e-5;    ///< of convolutions and fully connected layers
    /// As torchvision has it, whose weights then fit: normalisations have gammas and follow the
    /// unbiased variance, and average pooling counts the padding.
    bool isTorchvision = false;
};

/// Settings of torchvision's: without background, its moments' decay and its dropout.
InceptionV3Settings torchvisionInception();

/// Of less no cell is left after five halvings.
inline constexpr std::int64_t kSmallestInceptionSide = 75;

/// Groups "features" and "heads"; objectives "main" (weight 1) and "auxiliary". Outputs "logits"
/// and "aux_logits", [classes], one more with the background. Rows are colour images, -1 to 1.
///
/// Layers are named as in the trainer, and the i-th convolution of a branch
/// "mixed_35x35x256a/branch5x5/conv2", whatever the size of the maps. At other sizes than 299 the
/// heads pool what there is: the main one all cells, the auxiliary one by windows of 5 x 5 or
/// smaller maps whole, followed by a convolution over all cells that are left.
///
/// 27,145,970 parameters at 299 x 299 with 1001 outputs, of which the auxiliary head has 3,326,569;
/// 5.71 G multiply-adds to the main logits. Error(BadInput) names the setting.
NetworkSpec inceptionV3Network(const InceptionV3Settings& settings);

} // namespace lockstep
