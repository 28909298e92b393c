// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/layer_rows.h"

#include "engine/base.h"
#include "engine/network.h"

namespace lockstep::ui {
namespace {

QString shapeText(const Shape& shape)
{
    return QStringLiteral("%1 × %2 × %3").arg(shape.height).arg(shape.width).arg(shape.channels);
}

} // namespace

std::vector<LayerRow> layerRows(const NetworkSpec& network, std::int64_t batchPerTower)
{
    std::vector<LayerRow> rows;
    const std::vector<LayerCost> costs = layerCosts(network);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const Layer& layer = network.layers[i];
        const LayerCost& cost = costs[i];
        LayerRow row;
        row.name = QString::fromStdString(layer.name);
        row.kind = QString::fromStdString(kindName(layer.spec));
        row.shape = shapeText(layer.shape);
        row.hasParameters = !layer.parameters.empty();
        row.parameters = cost.parameterElements;
        row.weightBytes = cost.parameterBytes;
        row.gradientBytes = cost.parameterBytes;
        row.activationBytes = cost.activationBytes * batchPerTower;
        row.forwardFlop = cost.fpropFlop;
        row.backwardFlop = cost.dgradFlop + cost.wgradFlop;
        rows.push_back(row);
    }
    return rows;
}

} // namespace lockstep::ui
