// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "network/network_spec.h"

#include <memory>

namespace lockstep {

/// As many examples as wanted of the shape that a network reads, some noise, for what is timed and
/// not learnt; half of them marked where the network learns from masks. Takes the memory of a few
/// images, whatever their number.
std::unique_ptr<Dataset> openStandIn(const NetworkSpec& network, std::int64_t examples);

} // namespace lockstep
