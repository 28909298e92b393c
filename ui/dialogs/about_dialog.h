// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/library_table.h"

#include <QDialog>

#include <vector>

namespace lockstep::ui {

/// What the program is, its version, its licences and the libraries it uses.
class AboutDialog : public QDialog
{
    Q_OBJECT

public:
    /// The devices name the libraries that drive them.
    explicit AboutDialog(const std::vector<DeviceRow>& devices, QWidget* parent = nullptr);
};

/// "Devices and Libraries": what can train on this machine, why the rest can't, and what the
/// program is made of. All of it can be copied as text, for a report.
class DevicesDialog : public QDialog
{
    Q_OBJECT

public:
    /// With the devices of this machine.
    explicit DevicesDialog(std::vector<DeviceRow> devices, QWidget* parent = nullptr);

private:
    DeviceModel m_devices;
};

} // namespace lockstep::ui
