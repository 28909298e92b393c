// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"

#include <memory>

namespace lockstep::cpu {

/// What describe() says of it.
constexpr const char* kWideConvolution = "own Fourier transforms of tiles";

/// A convolution by WideConvolution, yet to be planned; null where sums are the better way, or are
/// asked for.
std::unique_ptr<Op> makeWideConv2d(const OpPlan& plan, const Conv2d& conv);

} // namespace lockstep::cpu
