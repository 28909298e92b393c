// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures/device_model.h"

#include <QLocale>

#include <utility>

namespace lockstep::ui {

void DeviceModel::setDevices(std::vector<DeviceRow> devices)
{
    beginResetModel();
    m_devices = std::move(devices);
    endResetModel();
}

int DeviceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_devices.size());
}

int DeviceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags DeviceModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags all = TableModel::flags(index);
    const bool isMissing = index.isValid() && !device(index.row()).isAvailable;
    return isMissing ? all & ~Qt::ItemIsEnabled : all;
}

TableColumn DeviceModel::column(int number) const
{
    switch (number) {
    case Name:
        return {tr("Device"), tr("Its name in the settings of a run")};
    case Description:
        return {tr("Description"), tr("What was found, or why nothing was")};
    case Processors:
        return {tr("Processors"), tr("Processors that this program may use"), kFigureAlignment};
    case Memory:
        return {tr("Memory"), tr("Memory of the device"), kFigureAlignment};
    case Free:
        return {tr("Free"), tr("Memory that no program uses now"), kFigureAlignment};
    case Load:
        return {tr("Load"), tr("Share of the last second in which it computed"), kFigureAlignment};
    case Programs:
        return {tr("Used by"), tr("Programs that use it now, with their memory")};
    case Precisions:
        return {tr("Precisions"), tr("Number formats that it can train with")};
    default:
        return {tr("Library"), tr("The library that it is used through")};
    }
}

QVariant DeviceModel::value(int row, int column) const
{
    const DeviceRow& shown = device(row);
    switch (column) {
    case Name:
        return shown.name;
    case Description:
        return shown.isAvailable ? shown.description : shown.reason;
    case Processors:
        return shown.isAvailable ? QVariant(shown.processors) : QVariant();
    case Memory:
        return shown.isAvailable ? QVariant(shown.memoryBytes) : QVariant();
    case Free:
        return shown.freeBytes >= 0 ? QVariant(shown.freeBytes) : QVariant();
    case Load:
        return shown.load >= 0.0 ? QVariant(shown.load) : QVariant();
    case Programs:
        return shown.programs.join(tr(", ", "between the items of a list"));
    case Precisions:
        return shown.precisions.join(tr(", ", "between the items of a list"));
    default:
        return shown.library;
    }
}

QString DeviceModel::text(int row, int column) const
{
    const QLocale locale;
    const QVariant shown = value(row, column);
    if (shown.isValid() && column == Processors) {
        return locale.toString(shown.toInt());
    }
    if (shown.isValid() && column == Load) {
        return tr("%1 %", "percent").arg(locale.toString(qRound(100.0 * shown.toDouble())));
    }
    if (shown.isValid() && (column == Memory || column == Free)) {
        return locale.formattedDataSize(shown.toLongLong(), 1);
    }
    return shown.toString();
}

QVariant DeviceModel::other(int row, int /*column*/, int role) const
{
    return role == Qt::ToolTipRole ? QVariant(device(row).reason) : QVariant();
}

} // namespace lockstep::ui
