// SPDX-License-Identifier: Apache-2.0
#include "session/exchange/weights_export.h"

#include "base/error.h"
#include "network/models/state_names.h"
#include "storage/checkpoint/safetensors.h"

#include <algorithm>
#include <vector>

namespace lockstep {

void exportStateDict(
    const NetworkSpec& network, std::span<const NamedTensor> weights,
    const std::filesystem::path& path)
{
    std::vector<SafetensorsView> views;
    for (const ParameterSpec& parameter : network.parameters) {
        const auto found = std::ranges::find(weights, parameter.name, &NamedTensor::name);
        if (found == weights.end() || found->shape != parameter.shape) {
            fail(
                ErrorCode::BadInput, "the checkpoint has no fitting weights '{}' of model '{}'",
                parameter.name, network.name);
        }
        StateTensor state = stateTensor(network, parameter);
        views.push_back({std::move(state.name), std::move(state.shape), std::span(found->values)});
    }
    writeSafetensors(path, views, {{"format", "pt"}, {"model", network.name}});
}

} // namespace lockstep
