// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "metrics/gradient_agreement.h"
#include "metrics/step_record.h"
#include "storage/events/event_record.h"

#include <string>
#include <vector>

namespace lockstep {

// Under which names TensorBoard shows the figures of a run. Those of the classic CIFAR-10 scripts
// of the TensorFlow models repository are kept where they fit: "total_loss" is the loss of the last
// tower, "Precision @ 1" the test accuracy by moving averages. The rest is documented in README.md.

/// Ends the names of the shares of zeros among the activations of a layer: "conv1/sparsity".
inline constexpr const char* kSparsitySuffix = "/sparsity";

/// Losses, learning rate, accuracy, speed and input queue of a step, for its number. `objectives`
/// names those of the network.
std::vector<EventValue> eventScalars(
    const StepRecord& record, const std::vector<std::string>& objectives);
/// Accuracy and loss on the test set, for the number of updates that the weights had seen.
std::vector<EventValue> eventScalars(
    const EvaluationRecord& record, const std::vector<std::string>& objectives);

/// What the gradients of a step say: the least of the towers' cosines to their mean, how far the
/// update moved the weights of each layer, and the noise scale, which has seen this record; what is
/// not defined is left out.
std::vector<EventValue> eventScalars(
    const GradientRecord& record, const GradientNoiseScale& noiseScale);

} // namespace lockstep
