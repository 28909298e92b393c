// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::cuda {

/// NCCL's unique id, by which the members of a communicator find each other.
[[nodiscard]] std::string makeCommunicatorKey();

/// Joins GPUs of this process with those of others through NCCL; one member for each, in their
/// order. Waits for all processes. Algorithm and
/// protocol are fixed, so that the same sums have the same bits on the same machine. Error(Device)
/// says what NCCL refused; two members on one GPU are refused always.
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> connectDevices(
    const std::vector<int>& devices, const SumMembers& members);

} // namespace lockstep::cuda
