// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/layer_table_model.h"

#include <QLocale>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kMega = 1e6;

LayerRow sumOf(const std::vector<LayerRow>& layers)
{
    LayerRow sum;
    sum.name = LayerTableModel::tr("Total");
    for (const LayerRow& layer : layers) {
        sum.parameters += layer.parameters;
        sum.weightBytes += layer.weightBytes;
        sum.gradientBytes += layer.gradientBytes;
        sum.activationBytes += layer.activationBytes;
        sum.forwardFlop += layer.forwardFlop;
        sum.backwardFlop += layer.backwardFlop;
    }
    return sum;
}

/// Nothing for nothing, so that the figures that count stand out.
QString bytesText(qint64 bytes)
{
    return bytes == 0 ? QString() : QLocale().formattedDataSize(bytes, 1);
}

QString megaText(qint64 flop)
{
    return flop == 0 ? QString() : QLocale().toString(static_cast<double>(flop) / kMega, 'f', 3);
}

} // namespace

void LayerTableModel::setLayers(std::vector<LayerRow> layers)
{
    beginResetModel();
    m_layers = std::move(layers);
    m_sum = sumOf(m_layers);
    endResetModel();
}

int LayerTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_layers.empty() ? 0 : static_cast<int>(m_layers.size()) + 1;
}

int LayerTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const LayerRow& LayerTableModel::at(int row) const
{
    const auto number = static_cast<std::size_t>(row);
    return number < m_layers.size() ? m_layers[number] : m_sum;
}

TableColumn LayerTableModel::column(int number) const
{
    switch (number) {
    case Name:
        return {tr("Layer"), tr("Its name in the network")};
    case Kind:
        return {tr("Kind"), tr("What it computes")};
    case Output:
        return {tr("Output"), tr("Height × width × channels of what comes out for one example")};
    case Parameters:
        return {tr("Parameters"), tr("Weights and biases that it has"), kFigureAlignment};
    case Weights:
        return {tr("Weights"), tr("Memory of its parameters, float32"), kFigureAlignment};
    case Gradients:
        return {
            tr("Gradients"), tr("Memory of its gradients in one tower, float32"), kFigureAlignment};
    case Activations:
        return {
            tr("Activations"),
            tr("Memory of what comes out for the batch of one tower, float32.\n"
               "The towers' own plan may share memory between layers, or use bfloat16."),
            kFigureAlignment};
    case Forward:
        return {
            tr("MFLOP forward"),
            tr("Millions of floating-point operations for one example; a multiply-add is 2,\n"
               "element-wise work is not counted"),
            kFigureAlignment};
    default:
        return {
            tr("Backward"), tr("The same for the gradients of its input and its weights, in MFLOP"),
            kFigureAlignment};
    }
}

QVariant LayerTableModel::value(int row, int column) const
{
    const LayerRow& layer = at(row);
    switch (column) {
    case Name:
        return layer.name;
    case Kind:
        return layer.kind;
    case Output:
        return layer.shape;
    case Parameters:
        return layer.parameters;
    case Weights:
        return layer.weightBytes;
    case Gradients:
        return layer.gradientBytes;
    case Activations:
        return layer.activationBytes;
    case Forward:
        return layer.forwardFlop;
    default:
        return layer.backwardFlop;
    }
}

QString LayerTableModel::text(int row, int column) const
{
    const QVariant shown = value(row, column);
    switch (column) {
    case Parameters:
        return shown.toLongLong() == 0 ? QString() : QLocale().toString(shown.toLongLong());
    case Weights:
    case Gradients:
    case Activations:
        return bytesText(shown.toLongLong());
    case Forward:
    case Backward:
        return megaText(shown.toLongLong());
    default:
        return shown.toString();
    }
}

QVariant LayerTableModel::other(int row, int /*column*/, int role) const
{
    return role == EmphasisRole ? QVariant(static_cast<std::size_t>(row) == m_layers.size())
                                : QVariant();
}

} // namespace lockstep::ui
