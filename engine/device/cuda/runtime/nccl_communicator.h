// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <memory>
#include <vector>

namespace lockstep::cuda {

/// Joins GPUs of this process through NCCL; one member for each, in their order. Algorithm and
/// protocol are fixed, so that the same sums have the same bits on the same machine. Error(Device)
/// says what NCCL refused; two members on one GPU are refused always.
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> connectDevices(
    const std::vector<int>& devices);

} // namespace lockstep::cuda
