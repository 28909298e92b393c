// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/device_model.h"

namespace lockstep::ui {
namespace {

QString listText(const QStringList& items)
{
    return items.join(DeviceModel::tr(", ", "between the items of a list"));
}

} // namespace

DeviceModel::DeviceModel()
    : RowModel(
        {{tr("Device"), tr("Its name in the settings of a run"), &DeviceRow::name},
         {tr("Description"), tr("What was found, or why nothing was"),
          [](const DeviceRow& row) { return row.isAvailable ? row.description : row.reason; }},
         {tr("Processors"), tr("Processors that this program may use"),
          [](const DeviceRow& row) { return told(row.isAvailable ? row.processors : -1); },
          wholeNumbers()},
         {tr("Memory"), tr("Memory of the device"),
          [](const DeviceRow& row) { return told(row.isAvailable ? row.memoryBytes : -1); },
          dataSizes()},
         {tr("Free"), tr("Memory that no program uses now"),
          [](const DeviceRow& row) { return told(row.freeBytes); }, dataSizes()},
         {tr("Load"), tr("Share of the last second in which it computed"),
          [](const DeviceRow& row) { return told(row.load); }, percents(0)},
         {tr("Used by"), tr("Programs that use it now, with their memory"),
          [](const DeviceRow& row) { return listText(row.programs); }},
         {tr("Precisions"), tr("Number formats that it can train with"),
          [](const DeviceRow& row) { return listText(row.precisions); }},
         {tr("Library"), tr("The library that it is used through"), &DeviceRow::library}},
        {{Qt::ToolTipRole, &DeviceRow::reason}})
{
}

Qt::ItemFlags DeviceModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags all = TableModel::flags(index);
    const bool isMissing = index.isValid() && !at(index.row()).isAvailable;
    return isMissing ? all & ~Qt::ItemIsEnabled : all;
}

} // namespace lockstep::ui
