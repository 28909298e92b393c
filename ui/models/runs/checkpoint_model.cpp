// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/checkpoint_model.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockstep::ui {
namespace {

bool isNewer(const CheckpointItem& a, const CheckpointItem& b)
{
    return std::tie(a.step, a.written) > std::tie(b.step, b.written);
}

} // namespace

QString keptText(const CheckpointItem& item)
{
    QString best = item.isBest ? CheckpointModel::tr("best") : QString();
    if (!item.isPinned) {
        return best;
    }
    return best.isEmpty() ? CheckpointModel::tr("pinned") : CheckpointModel::tr("pinned, best");
}

QString accuracyText(const CheckpointItem& item)
{
    return item.accuracy
               ? CheckpointModel::tr("%1 %").arg(QLocale().toString(*item.accuracy * 100.0, 'f', 2))
               : QString();
}

void CheckpointModel::setItems(std::vector<CheckpointItem> items)
{
    beginResetModel();
    m_items = std::move(items);
    std::stable_sort(m_items.begin(), m_items.end(), isNewer);
    endResetModel();
}

int CheckpointModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

int CheckpointModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

TableColumn CheckpointModel::column(int number) const
{
    switch (number) {
    case Step:
        return {tr("Step"), tr("Updates that the weights have seen"), kFigureAlignment};
    case Accuracy:
        return {
            tr("Accuracy"),
            tr("On the test set, with moving averages where the run has some, if it was evaluated "
               "there"),
            kFigureAlignment};
    case Kept:
        return {
            tr("Kept"), tr("Pinned: the run never deletes it. Best: of the checkpoints here, by "
                           "the measure that the run is set to")};
    case Reason:
        return {tr("Reason"), tr("Why it was written")};
    case File:
        return {tr("File"), tr("Name of the file")};
    case Size:
        return {tr("Size"), tr("Size of the file"), kFigureAlignment};
    default:
        return {tr("Written"), tr("When the file was written")};
    }
}

QVariant CheckpointModel::value(int row, int column) const
{
    const CheckpointItem& checkpoint = item(row);
    switch (column) {
    case Step:
        return checkpoint.step;
    case Accuracy:
        return checkpoint.accuracy ? QVariant(*checkpoint.accuracy) : QVariant();
    case Kept:
        return keptText(checkpoint);
    case Reason:
        return checkpoint.reason;
    case File:
        return QFileInfo(checkpoint.file).fileName();
    case Size:
        return checkpoint.bytes;
    default:
        return checkpoint.written;
    }
}

QString CheckpointModel::text(int row, int column) const
{
    const QLocale locale;
    const QVariant shown = value(row, column);
    switch (column) {
    case Step:
        return locale.toString(shown.toLongLong());
    case Accuracy:
        return accuracyText(item(row));
    case Size:
        return locale.formattedDataSize(shown.toLongLong(), 1);
    case Written:
        return locale.toString(shown.toDateTime(), QLocale::ShortFormat);
    default:
        return shown.toString();
    }
}

QVariant CheckpointModel::other(int row, int /*column*/, int role) const
{
    return role == FileRole || role == Qt::ToolTipRole ? QVariant(item(row).file) : QVariant();
}

} // namespace lockstep::ui
