// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/gradient_table_model.h"

#include <QLocale>

#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kNormDigits = 4;
constexpr int kRatioDigits = 2;
constexpr int kCosineDecimals = 2;

} // namespace

void GradientTableModel::setRows(std::vector<GradientRow> rows)
{
    const std::size_t towers = rows.empty() ? 0 : rows.front().cosines.size();
    const int shown = towers > 1 ? static_cast<int>(towers) : 0;
    if (rows.size() != m_rows.size() || shown != m_towers) {
        beginResetModel();
        m_rows = std::move(rows);
        m_towers = shown;
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

int GradientTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int GradientTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstTower + m_towers;
}

TableColumn GradientTableModel::column(int number) const
{
    switch (number) {
    case Layer:
        return {tr("Layer"), tr("Weights and biases of the layer together")};
    case WeightNorm:
        return {tr("Weights"), tr("Norm of the weights before the update"), kFigureAlignment};
    case GradientNorm:
        return {
            tr("Gradient"), tr("Norm of the towers' mean gradient, weight decay not included"),
            kFigureAlignment};
    case UpdateToWeight:
        return {
            tr("Update / weight"),
            tr("Norm of the update ÷ norm of the weights. Around 0.001 is a common rule of thumb; "
               "much more says that the learning rate may be too high, much less that the layer "
               "hardly moves."),
            kFigureAlignment};
    default:
        return {
            tr("Tower %1").arg(number - FirstTower),
            tr("Cosine of the angle between the gradient of tower %1 and the mean of all towers': "
               "1 if they agree, 0 if they have nothing in common")
                .arg(number - FirstTower),
            kFigureAlignment};
    }
}

QVariant GradientTableModel::value(int row, int column) const
{
    const auto known = [](double number) {
        return std::isfinite(number) ? QVariant(number) : QVariant();
    };
    const GradientRow& shown = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Layer:
        return shown.layer.isEmpty() ? tr("All layers") : shown.layer;
    case WeightNorm:
        return known(shown.weightNorm);
    case GradientNorm:
        return known(shown.gradientNorm);
    case UpdateToWeight:
        return known(shown.updateToWeight);
    default:
        return known(shown.cosines[static_cast<std::size_t>(column - FirstTower)]);
    }
}

QString GradientTableModel::text(int row, int column) const
{
    const QVariant shown = value(row, column);
    if (!shown.isValid()) {
        return tr("–", "no value yet");
    }
    const QLocale locale;
    switch (column) {
    case Layer:
        return shown.toString();
    case WeightNorm:
    case GradientNorm:
        return locale.toString(shown.toDouble(), 'g', kNormDigits);
    case UpdateToWeight:
        return locale.toString(shown.toDouble(), 'g', kRatioDigits);
    default:
        return locale.toString(shown.toDouble(), 'f', kCosineDecimals);
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
