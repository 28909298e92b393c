// SPDX-License-Identifier: Apache-2.0
#include "session/training_state.h"

#include "base/error.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

std::vector<NamedTensor> tensorsOf(
    const NetworkSpec& network, const ParameterArena& arena, const float* part)
{
    std::vector<NamedTensor> tensors;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        tensors.push_back(
            {network.parameters[i].name, network.parameters[i].shape,
             arena.read(part, static_cast<int>(i))});
    }
    return tensors;
}

/// The tensors in the order of the network's parameters; throws where they don't fit.
std::vector<const NamedTensor*> match(
    const NetworkSpec& network, const std::string& model, const std::vector<NamedTensor>& tensors)
{
    const std::string what =
        fmt::format("the checkpoint is of model '{}', not of '{}'", model, network.name);
    std::vector<const NamedTensor*> matched;
    for (const ParameterSpec& parameter : network.parameters) {
        const auto found = std::ranges::find(tensors, parameter.name, &NamedTensor::name);
        if (found == tensors.end()) {
            fail(ErrorCode::BadInput, "{}: it has no tensor '{}'", what, parameter.name);
        }
        if (found->shape != parameter.shape) {
            fail(
                ErrorCode::BadInput, "{}: its tensor '{}' has the shape [{}] instead of [{}]", what,
                parameter.name, fmt::join(found->shape, ", "), fmt::join(parameter.shape, ", "));
        }
        matched.push_back(&*found);
    }
    if (tensors.size() != matched.size()) {
        fail(
            ErrorCode::BadInput, "{}: it has {} tensors instead of {}", what, tensors.size(),
            matched.size());
    }
    return matched;
}

void copyInto(
    const ParameterArena& arena, float* part, const std::vector<const NamedTensor*>& tensors)
{
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        arena.write(part, static_cast<int>(i), tensors[i]->values);
    }
}

} // namespace

void captureParameters(
    const NetworkSpec& network, const ParameterArena& arena, Checkpoint& checkpoint)
{
    checkpoint.model = network.name;
    checkpoint.weights = tensorsOf(network, arena, arena.weights());
    checkpoint.movingAverages = tensorsOf(network, arena, arena.movingAverage());
}

void restoreParameters(
    const NetworkSpec& network, const Checkpoint& checkpoint, const ParameterArena& arena)
{
    const auto weights = match(network, checkpoint.model, checkpoint.weights);
    // A file without averages, say one that another tool wrote, starts them at the weights.
    const auto averages = checkpoint.movingAverages.empty()
                              ? weights
                              : match(network, checkpoint.model, checkpoint.movingAverages);
    copyInto(arena, arena.weights(), weights);
    copyInto(arena, arena.movingAverage(), averages);
}

} // namespace lockstep
