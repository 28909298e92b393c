// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/run_reader.h"
#include "models/engine_text.h"

#include "bridge/telemetry/stored_run.h"

#include <exception>

namespace lockstep::ui {
namespace {

/// One that does not come to an end, say on a share that is gone, must not keep the next waiting.
constexpr int kMostThreads = 4;

} // namespace

RunReader::RunReader(QObject& context) : m_mailbox(context)
{
    m_threads.setMaxThreadCount(kMostThreads);
}

void RunReader::abandon()
{
    m_reading.request_stop();
    m_reading = std::stop_source();
    m_isReading = false;
}

void RunReader::read(const std::filesystem::path& run, const OnRead& onRead, const OnError& onError)
{
    abandon();
    m_isReading = true;
    m_threads.start([this, run, onRead, onError, isUnwanted = m_reading.get_token()] {
        if (isUnwanted.stop_requested()) { // while others were read
            return;
        }
        std::function<void()> tell;
        try {
            tell = [onRead, plan = readStoredRun(run)] { onRead(plan); };
        } catch (const std::exception& error) {
            tell = [onError, text = engineText(error.what())] { onError(text); };
        }
        m_mailbox.post([this, tell, isUnwanted] {
            if (!isUnwanted.stop_requested()) {
                m_isReading = false;
                tell();
            }
        });
    });
}

} // namespace lockstep::ui
