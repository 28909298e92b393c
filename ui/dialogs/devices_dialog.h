// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/library_versions.h"
#include "models/figures/device_model.h"

#include <QDialog>

#include <vector>

class QTableView;

namespace lockstep::ui {

/// "Devices and Libraries": what can train on this machine, why the rest can't, and what the
/// program is made of. All of it can be copied as text, for a report.
class DevicesDialog : public QDialog
{
    Q_OBJECT

public:
    /// With what findDeviceRows() found.
    explicit DevicesDialog(std::vector<DeviceRow> devices, QWidget* parent = nullptr);

    /// What Copy puts on the clipboard.
    [[nodiscard]] QString toPlainText() const;

private:
    [[nodiscard]] QTableView* makeDeviceTable();

    DeviceModel m_devices;
    std::vector<LibraryVersion> m_libraries;
};

} // namespace lockstep::ui
