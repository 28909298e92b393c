// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/latest_request.h"
#include "bridge/readers/device_trace.h"
#include "bridge/session/live_run.h"
#include "engine/records.h"

#include <QObject>

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

    [[nodiscard]] const DeviceTraces& traces() const noexcept { return m_traces; }
    /// Why the history is not there; empty: it is.
    [[nodiscard]] const QString& problem() const noexcept { return m_problem; }

signals:
    void changed();

private:
    struct Wanted
    {
        std::filesystem::path folder;
        std::stop_token isOver; ///< nobody wants it any more
    };
    struct Stored
    {
        DeviceTraces traces;
        QString problem;
    };
    [[nodiscard]] static std::shared_ptr<const Stored> read(const Wanted& wanted);
    void begin();
    void take(const DeviceReadingRecord& reading);
    void onRead(const DeviceTraces& traces);

    LiveRun& m_run;
    DeviceTraces m_traces;
    QString m_problem;
    bool m_isReading = false;
    std::vector<DeviceReadingRecord> m_early; ///< came while the history was read
    std::stop_source m_wanted;
    LatestRequest<Wanted, Stored> m_reading;
};

} // namespace lockstep::ui
