// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/readers/device_trace.h"
#include "bridge/session/live_run.h"
#include "engine/records.h"

#include <QObject>
#include <QThreadPool>

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace lockstep::ui {

/// What the devices of the shown run told of themselves: read from its store when it is begun, on a
/// thread of its own, and then as it comes. Lives in the GUI thread.
class DeviceHistory : public QObject
{
    Q_OBJECT

public:
    /// The run must outlive this object.
    explicit DeviceHistory(LiveRun& run, QObject* parent = nullptr);
    ~DeviceHistory() override;

    [[nodiscard]] const DeviceTraces& traces() const noexcept { return *m_traces; }
    /// Why the history is not there; empty: it is.
    [[nodiscard]] const QString& problem() const noexcept { return m_problem; }

signals:
    void changed();

private:
    void begin();
    void read(const std::filesystem::path& folder, const std::stop_token& isUnwanted);
    void take(const DeviceReadingRecord& reading);
    void onRead(const std::shared_ptr<DeviceTraces>& traces);

    LiveRun& m_run;
    std::shared_ptr<DeviceTraces> m_traces = std::make_shared<DeviceTraces>();
    QString m_problem;
    bool m_isReading = false;
    std::vector<DeviceReadingRecord> m_early; ///< came while the history was read
    std::stop_source m_reading;               ///< of the one that is wanted
    Mailbox m_mailbox{*this};
    QThreadPool m_thread;
};

} // namespace lockstep::ui
