// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::cpu {

/// A convolution by a TiledConvolution, yet to be planned; null where sums are the better way, or
/// are asked for. `sumsTimes`: how many times as long they take here as they could.
std::unique_ptr<Op> makeTiledConv2d(const OpPlan& plan, const Conv2d& conv, double sumsTimes);

/// The ways that measurement may choose of: each makes makeTiledConv2d() take it where
/// OpPlan::algorithm says so. None: sums or a count decide.
std::vector<std::string> tiledWays(const OpPlan& plan, const Conv2d& conv);

} // namespace lockstep::cpu
