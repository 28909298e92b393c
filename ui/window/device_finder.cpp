// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/device_finder.h"

#include "bridge/readers/device_rows.h"

#include <utility>

namespace lockstep::ui {

void DeviceFinder::find()
{
    if (std::exchange(m_isLooking, true)) {
        return;
    }
    m_worker.start([this] {
        m_mailbox.post([this, devices = findDeviceRows()] {
            m_isLooking = false;
            m_devices = devices;
            emit found(devices);
        });
    });
}

} // namespace lockstep::ui
