// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/layer_table_model.h"

#include <QLocale>

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
        sum.activationBytes += layer.activationBytes;
        sum.forwardFlop += layer.forwardFlop;
        sum.backwardFlop += layer.backwardFlop;
    }
    return sum;
}

/// Nothing for nothing, so that the figures that count stand out.
CellFormat unlessZero(const CellFormat& format)
{
    return {
        [text = format.text](const QVariant& value) {
            return value.toLongLong() == 0 ? QString() : text(value);
        },
        format.alignment};
}

QString megaText(const QVariant& flop)
{
    return QLocale().toString(flop.toDouble() / kMega, 'f', 3);
}

constexpr int kNormDigits = 4;
constexpr int kRatioDigits = 2;

TableColumn<GradientRow> towerColumn(std::size_t tower)
{
    return {
        GradientTableModel::tr("Tower %1").arg(tower),
        GradientTableModel::tr(
            "Cosine of the angle between the gradient of tower %1 and the mean of all towers': "
            "1 if they agree, 0 if they have nothing in common")
            .arg(tower),
        [tower](const GradientRow& row) { return finite(row.cosines[tower]); }, decimals(2)};
}

} // namespace

LayerTableModel::LayerTableModel()
    : RowModel(
        {{tr("Layer"), tr("Its name in the network"), &LayerRow::name},
         {tr("Kind"), tr("What it computes"), &LayerRow::kind},
         {tr("Output"), tr("Height × width × channels of what comes out for one example"),
          &LayerRow::shape},
         {tr("Parameters"), tr("Weights and biases that it has"), &LayerRow::parameters,
          unlessZero(wholeNumbers())},
         {tr("Weights"), tr("Memory of its parameters, float32"), &LayerRow::weightBytes,
          unlessZero(dataSizes())},
         {tr("Gradients"), tr("Memory of its gradients in one tower, float32"),
          &LayerRow::weightBytes, unlessZero(dataSizes())},
         {tr("Activations"),
          tr("Memory of what comes out for the batch of one tower, float32.\n"
             "The towers' own plan may share memory between layers, or use bfloat16."),
          &LayerRow::activationBytes, unlessZero(dataSizes())},
         {tr("MFLOP forward"),
          tr("Millions of floating-point operations for one example; a multiply-add is 2,\n"
             "element-wise work is not counted"),
          &LayerRow::forwardFlop, unlessZero(figureFormat(megaText))},
         {tr("Backward"), tr("The same for the gradients of its input and its weights, in MFLOP"),
          &LayerRow::backwardFlop, unlessZero(figureFormat(megaText))}},
        {{EmphasisRole, [](const LayerRow& row) { return row.shape.isEmpty(); }}})
{
}

void LayerTableModel::setLayers(std::vector<LayerRow> layers)
{
    if (!layers.empty()) {
        layers.push_back(sumOf(layers));
    }
    setRows(std::move(layers));
}

GradientTableModel::GradientTableModel()
    : RowModel(
        {{tr("Layer"), tr("Weights and biases of the layer together"),
          [](const GradientRow& row) {
              return row.layer.isEmpty() ? tr("All layers") : row.layer;
          }},
         {tr("Weights"), tr("Norm of the weights before the update"),
          [](const GradientRow& row) { return finite(row.weightNorm); }, digits(kNormDigits)},
         {tr("Gradient"), tr("Norm of the towers' mean gradient, weight decay not included"),
          [](const GradientRow& row) { return finite(row.gradientNorm); }, digits(kNormDigits)},
         {tr("Update / weight"),
          tr("Norm of the update ÷ norm of the weights. Around 0.001 is a common rule of thumb; "
             "much more says that the learning rate may be too high, much less that the layer "
             "hardly moves."),
          [](const GradientRow& row) { return finite(row.updateToWeight); }, digits(kRatioDigits)}},
        {{EmphasisRole, [](const GradientRow& row) { return row.layer.isEmpty(); }}},
        tr("–", "no value yet"))
{
}

void GradientTableModel::setRows(std::vector<GradientRow> rows)
{
    const std::size_t towers = rows.empty() ? 0 : rows.front().cosines.size();
    const std::size_t columns = FirstTower + (towers > 1 ? towers : 0);
    if (rows.size() != m_rows.size() || columns != m_columns.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        m_columns.erase(m_columns.begin() + FirstTower, m_columns.end());
        while (m_columns.size() < columns) {
            m_columns.push_back(towerColumn(m_columns.size() - FirstTower));
        }
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    tellChanged(0, columnCount() - 1);
}

QVariant GradientTableModel::other(int row, int column, int role) const
{
    return role == ColorIndexRole && column >= FirstTower ? column - FirstTower
                                                          : RowModel::other(row, column, role);
}

} // namespace lockstep::ui
