// SPDX-License-Identifier: Apache-2.0
#include "session/training/training_state.h"

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
        model == network.name
            ? fmt::format("the checkpoint does not fit model '{}' as it is now", network.name)
            : fmt::format("the checkpoint is of model '{}', not of '{}'", model, network.name);
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

const std::vector<NamedTensor>& slotOf(const Checkpoint& checkpoint, const std::string& slot)
{
    const auto found = checkpoint.optimizerState.find(slot);
    if (found == checkpoint.optimizerState.end()) {
        fail(
            ErrorCode::BadInput,
            "the checkpoint is of another optimizer: it has no tensors 'optimizer.{}.*'; train a "
            "new run with its weights (fine-tuning)",
            slot);
    }
    return found->second;
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
    checkpoint.optimizerState.clear();
    for (std::size_t i = 0; i < arena.slotSpecs().size(); ++i) {
        checkpoint.optimizerState[arena.slotSpecs()[i].name] =
            tensorsOf(network, arena, arena.slot(i));
    }
}

void restoreParameters(
    const NetworkSpec& network, const Checkpoint& checkpoint, const ParameterArena& arena)
{
    const auto weights = match(network, checkpoint.model, checkpoint.weights);
    // A file without averages, say one that another tool wrote, starts them at the weights.
    const auto averages = checkpoint.movingAverages.empty()
                              ? weights
                              : match(network, checkpoint.model, checkpoint.movingAverages);
    std::vector<std::vector<const NamedTensor*>> slots;
    for (const SlotSpec& slot : arena.slotSpecs()) {
        slots.push_back(match(network, checkpoint.model, slotOf(checkpoint, slot.name)));
    }
    copyInto(arena, arena.weights(), weights);
    copyInto(arena, arena.movingAverage(), averages);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        copyInto(arena, arena.slot(i), slots[i]);
    }
}

void takeOverWeights(
    const NetworkSpec& network, const std::vector<NamedTensor>& tensors,
    const ParameterArena& arena)
{
    for (const NamedTensor& tensor : tensors) {
        const auto found = std::ranges::find(network.parameters, tensor.name, &ParameterSpec::name);
        require(
            found != network.parameters.end() && found->shape == tensor.shape,
            "weights are taken over for a parameter that is not there");
        const auto number = static_cast<int>(found - network.parameters.begin());
        arena.write(arena.weights(), number, tensor.values);
        arena.write(arena.movingAverage(), number, tensor.values);
    }
}

} // namespace lockstep
