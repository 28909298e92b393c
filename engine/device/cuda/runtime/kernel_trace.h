// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <functional>

namespace lockstep::cuda {

/// See Accelerator::trace. Through CUPTI, which is opened when it is first needed: it belongs to
/// the toolkit, and training does without it.
[[nodiscard]] KernelTrace traceKernels(int device, const std::function<void()>& work);

} // namespace lockstep::cuda
