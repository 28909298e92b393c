// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/layer_spec.h"
#include "network/model_table.h"

namespace lockstep {

/// The layer that a table of a model file describes, without its name and its inputs.
LayerSpec readLayer(TableReader& reader);

} // namespace lockstep
