// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/batch.h"
#include "metrics/scores/classified_image.h"
#include "network/models/model_settings.h"
#include "network/network_spec.h"
#include "tower/replica.h"

#include <span>
#include <vector>

namespace lockstep {

/// Whether the network tells classes of images apart: the objective that judges is a softmax cross
/// entropy over the image as a whole, and it is none that detects (canScoreImages()).
bool classifiesImages(const NetworkSpec& network);

/// How many classes such a network tells apart: its logits.
std::int64_t classesOf(const NetworkSpec& network);

/// Of how many classes one is right for an image: classesOf() without a background. 0 for another
/// network, and for a model that can't be made, say because its file is gone.
int classesToLearn(const ModelSettings& model);

/// The same network with its logits as an output more, as logitsOf() needs it.
NetworkSpec withLogits(NetworkSpec network);

/// The logits of such a network of the rows of the last forward pass: rows x classesOf().
std::vector<float> logitsOf(const Replica& replica);

/// What such a network says of the rows of `batch`, of which `replica` has done the forward pass;
/// `images` has as many places.
void classifyRows(const Replica& replica, const Batch& batch, std::span<ClassifiedImage> images);

} // namespace lockstep
