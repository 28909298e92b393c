// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/telemetry/session_event.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <filesystem>
#include <functional>
#include <stop_token>

namespace lockstep::ui {

/// Reads runs that are on disk, on threads of its own: only the one that was asked for last is
/// told. Made, asked and destroyed in the GUI thread.
class RunReader
{
public:
    using OnRead = std::function<void(const RunPlan& plan)>;
    using OnError = std::function<void(const QString& text)>;

    /// Tells in the thread of `context`, which must outlive this object.
    explicit RunReader(QObject& context);
    /// Waits for those that are being read.
    ~RunReader() { abandon(); }
    RunReader(const RunReader&) = delete;
    RunReader& operator=(const RunReader&) = delete;

    /// Tells one of the two.
    void read(const std::filesystem::path& run, const OnRead& onRead, const OnError& onError);
    /// What is being read is not wanted any more. It may take its time to end, which nobody waits
    /// for.
    void abandon();
    [[nodiscard]] bool isReading() const { return m_isReading; }

private:
    std::stop_source m_reading;
    bool m_isReading = false;
    Mailbox m_mailbox;
    QThreadPool m_threads; ///< last: it waits for them
};

} // namespace lockstep::ui
