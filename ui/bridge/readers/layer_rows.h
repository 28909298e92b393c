// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/layer_table_model.h"

#include <vector>

namespace lockstep {
struct NetworkSpec;
}

namespace lockstep::ui {

/// The layers of a network for LayerTableModel, with so many examples a tower and step. Their sums
/// are those of `lockstep-train inspect`.
std::vector<LayerRow> layerRows(const NetworkSpec& network, std::int64_t batchPerTower);

} // namespace lockstep::ui
