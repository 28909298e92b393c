// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/read_patience.h"

#include "base/clock.h"
#include "base/error.h"

#include <chrono>
#include <thread>
#include <utility>

namespace lockstep {

void ReadPatience::set(PatienceSettings settings)
{
    const std::scoped_lock lock(m_mutex);
    m_settings = std::move(settings);
}

void ReadPatience::read(const std::function<void()>& read)
{
    std::optional<double> since;
    for (;;) {
        try {
            read();
            break;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::Io || !mayWait(since, error.what())) {
                throw;
            }
        }
        wait();
    }
    if (since) {
        goOn(*since);
    }
}

bool ReadPatience::mayWait(std::optional<double>& since, const char* reason)
{
    const std::scoped_lock lock(m_mutex);
    if (!since && m_settings.seconds > 0.0) {
        since = now();
        if (m_waiting++ == 0 && m_settings.tell) {
            m_settings.tell(
                fmt::format(
                    "waiting up to {} s for the data (dataset.patience_seconds): {}",
                    m_settings.seconds, reason),
                false);
        }
    }
    const bool isStopped = m_settings.isStopWanted && m_settings.isStopWanted();
    const bool mayWait = since && now() - *since < m_settings.seconds;
    if (since && (isStopped || !mayWait)) {
        --m_waiting;
    }
    if (since && isStopped) {
        fail(ErrorCode::Cancelled, "the run was stopped while it waited for the data: {}", reason);
    }
    return mayWait;
}

void ReadPatience::goOn(double since)
{
    const std::scoped_lock lock(m_mutex);
    if (--m_waiting == 0 && m_settings.tell) {
        m_settings.tell(
            fmt::format("the data are there again after {:.1f} s; it goes on", now() - since),
            true);
    }
}

void ReadPatience::wait()
{
    std::function<void()> wait;
    {
        const std::scoped_lock lock(m_mutex);
        wait = m_settings.wait;
    }
    if (wait) {
        wait();
    } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

double ReadPatience::now() const
{
    return m_settings.clock ? m_settings.clock() : steadySeconds();
}

} // namespace lockstep
