// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/gradient_table_model.h"

#include <QLocale>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kNormDigits = 4;
constexpr int kRatioDigits = 2;

QVariant numberOrNothing(double number)
{
    return std::isfinite(number) ? QVariant(number) : QVariant();
}

CellFormat digits(int count)
{
    return {
        [count](const QVariant& value) { return QLocale().toString(value.toDouble(), 'g', count); },
        kFigureAlignment};
}

TableColumn<GradientRow> towerColumn(std::size_t tower)
{
    return {
        GradientTableModel::tr("Tower %1").arg(tower),
        GradientTableModel::tr(
            "Cosine of the angle between the gradient of tower %1 and the mean of all towers': "
            "1 if they agree, 0 if they have nothing in common")
            .arg(tower),
        [tower](const GradientRow& row) { return numberOrNothing(row.cosines[tower]); },
        decimals(2)};
}

} // namespace

GradientTableModel::GradientTableModel(QObject* parent)
    : RowModel(
        parent,
        {{tr("Layer"), tr("Weights and biases of the layer together"),
          [](const GradientRow& row) {
              return row.layer.isEmpty() ? tr("All layers") : row.layer;
          }},
         {tr("Weights"), tr("Norm of the weights before the update"),
          [](const GradientRow& row) { return numberOrNothing(row.weightNorm); },
          digits(kNormDigits)},
         {tr("Gradient"), tr("Norm of the towers' mean gradient, weight decay not included"),
          [](const GradientRow& row) { return numberOrNothing(row.gradientNorm); },
          digits(kNormDigits)},
         {tr("Update / weight"),
          tr("Norm of the update ÷ norm of the weights. Around 0.001 is a common rule of thumb; "
             "much more says that the learning rate may be too high, much less that the layer "
             "hardly moves."),
          [](const GradientRow& row) { return numberOrNothing(row.updateToWeight); },
          digits(kRatioDigits)}},
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
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

QVariant GradientTableModel::other(int row, int column, int role) const
{
    if (role == ColorIndexRole && column >= FirstTower) {
        return column - FirstTower;
    }
    if (role == EmphasisRole) {
        return row == 0;
    }
    return {};
}

} // namespace lockstep::ui
