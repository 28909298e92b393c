// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "storage/checkpoint/checkpoint.h"

#include <filesystem>
#include <span>

namespace lockstep {

/// Writes weights under the names and in the shapes that the same network has in torchvision, see
/// stateTensor(): its load_state_dict takes the file strictly. Errors of writeSafetensors().
void exportStateDict(
    const NetworkSpec& network, std::span<const NamedTensor> weights,
    const std::filesystem::path& path);

} // namespace lockstep
