// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runs/checkpoint_model.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockstep::ui {

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
    return item.accuracy ? percents(2).text(*item.accuracy) : QString();
}

CheckpointModel::CheckpointModel()
    : RowModel(
        {{tr("Step"), tr("Updates that the weights have seen"), &CheckpointItem::step,
          wholeNumbers()},
         {tr("Accuracy"),
          tr("On the test set, with moving averages where the run has some, if it was evaluated "
             "there"),
          [](const CheckpointItem& item) { return known(item.accuracy); }, percents(2)},
         {tr("Kept"),
          tr("Pinned: the run never deletes it. Best: of the checkpoints here, by the measure "
             "that the run is set to"),
          keptText},
         {tr("Reason"), tr("Why it was written"), &CheckpointItem::reason},
         {tr("File"), tr("Name of the file"),
          [](const CheckpointItem& item) { return QFileInfo(item.file).fileName(); }},
         {tr("Size"), tr("Size of the file"), &CheckpointItem::bytes, dataSizes()},
         {tr("Written"), tr("When the file was written"), &CheckpointItem::written,
          [](const CheckpointItem& item) {
              return QLocale().toString(item.written, QLocale::ShortFormat);
          }}},
        {{FileRole, &CheckpointItem::file}, {Qt::ToolTipRole, &CheckpointItem::file}})
{
}

void CheckpointModel::setItems(std::vector<CheckpointItem> items)
{
    std::ranges::stable_sort(items, std::greater(), [](const CheckpointItem& item) {
        return std::pair(item.step, item.written);
    });
    setRows(std::move(items));
}

} // namespace lockstep::ui
