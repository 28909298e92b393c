// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "models/figures/device_model.h"

#include <QObject>
#include <QThreadPool>

#include <vector>

namespace lockstep::ui {

/// Looks beside the GUI thread for this machine's devices and for what they do now, which may wake
/// a driver and take seconds. Lives in the GUI thread.
class DeviceFinder : public QObject
{
    Q_OBJECT

public:
    DeviceFinder() = default;
    /// Waits for a look that is being taken.
    ~DeviceFinder() override { m_worker.waitForDone(); }

    /// As they were found last; empty before that.
    [[nodiscard]] const std::vector<DeviceRow>& devices() const noexcept { return m_devices; }

public slots:
    /// Unless it is looking already.
    void find();

signals:
    void found(const std::vector<lockstep::ui::DeviceRow>& devices);

private:
    std::vector<DeviceRow> m_devices;
    bool m_isLooking = false;
    Mailbox m_mailbox{*this};
    QThreadPool m_worker;
};

} // namespace lockstep::ui
