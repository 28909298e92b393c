// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"

#include <memory>

namespace lockstep::cpu {

/// A convolution by a TiledConvolution, yet to be planned; null where sums are the better way, or
/// are asked for. `sumsTimes`: how many times as long they take here as they could.
std::unique_ptr<Op> makeTiledConv2d(const OpPlan& plan, const Conv2d& conv, double sumsTimes);

} // namespace lockstep::cpu
