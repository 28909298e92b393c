// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/evaluation/confused_pair_model.h"

#include "models/evaluation/class_image_model.h"

#include <QLocale>

#include <utility>

namespace lockstep::ui {

void ConfusedPairModel::setPairs(std::vector<ConfusedPair> pairs, const QStringList& names)
{
    beginResetModel();
    m_pairs = std::move(pairs);
    m_names = names;
    endResetModel();
}

int ConfusedPairModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_pairs.size());
}

int ConfusedPairModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn ConfusedPairModel::column(int number) const
{
    switch (number) {
    case Label:
        return {tr("Label"), tr("What the images are")};
    case Prediction:
        return {tr("Taken for"), tr("What the network calls them")};
    case Images:
        return {tr("Images"), tr("How many of them"), kFigureAlignment};
    default:
        return {tr("Share"), tr("Of all images with this label"), kFigureAlignment};
    }
}

QVariant ConfusedPairModel::value(int row, int column) const
{
    const ConfusedPair& pair = m_pairs[static_cast<std::size_t>(row)];
    switch (column) {
    case Label:
        return className(m_names, pair.label);
    case Prediction:
        return className(m_names, pair.predicted);
    case Images:
        return pair.images;
    default:
        return static_cast<double>(pair.images) / static_cast<double>(pair.of);
    }
}

QString ConfusedPairModel::text(int row, int column) const
{
    const QVariant cell = value(row, column);
    switch (column) {
    case Images:
        return QLocale().toString(cell.toLongLong());
    case Share:
        return tr("%1 %").arg(QLocale().toString(100.0 * cell.toDouble(), 'f', 1));
    default:
        return cell.toString();
    }
}

} // namespace lockstep::ui
