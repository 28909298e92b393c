// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lockstep {

/// What OpPlan::algorithm says for a convolution by sums, not in a transformed domain; processors.
inline constexpr std::string_view kDirectAlgorithm = "direct";

} // namespace lockstep
