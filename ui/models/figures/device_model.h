// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QStringList>

namespace lockstep::ui {

/// A device, found on this machine or not.
struct DeviceRow
{
    QString name;        ///< "cpu"
    QString description; ///< "AMD EPYC 9R14, AVX-512"
    QString library;     ///< "oneDNN 2.6.3"
    int processors = 0;
    qint64 memoryBytes = 0;
    qint64 freeBytes = -1; ///< of it, now; -1: unknown
    double load = -1.0;    ///< 0 to 1; -1: unknown
    QStringList programs;  ///< that use it now: "python3 (4711) 6.2 GiB"
    QStringList precisions;
    bool isAvailable = false;
    QString reason; ///< why it is not
};

/// The devices; those that are missing are disabled and say why.
class DeviceModel : public RowModel<DeviceRow>
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Description,
        Processors,
        Memory,
        Free,
        Load,
        Programs,
        Precisions,
        Library
    };

    DeviceModel();

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
};

} // namespace lockstep::ui
