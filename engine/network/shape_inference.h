// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/layer_spec.h"

#include <string>
#include <vector>

namespace lockstep {

/// The shape that comes out of a layer, for one example, from those of its inputs in their order.
/// Error(BadInput) names the layer and the field that can't be.
Shape inferShape(const std::string& name, const LayerSpec& spec, const std::vector<Shape>& inputs);

} // namespace lockstep
