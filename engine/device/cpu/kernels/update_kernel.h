// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/update_rule.h"

#include <cstdint>

// The update of the weights, compiled for several instruction sets; the best one is taken at run
// time. Results depend on the values and the machine only, never on threads or on alignment.
namespace lockstep::cpu {

/// See HostDevice::update; operands are bfloat16.
void updateRange(const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays);

} // namespace lockstep::cpu
