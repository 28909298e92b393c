// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/program.h"

#include <csignal>

namespace lockstep::test {

/// A training in the background.
class Background
{
public:
    explicit Background(const QStringList& arguments)
    {
        m_process.start(LOCKSTEP_TRAIN_PROGRAM, arguments);
        m_process.waitForReadyRead(30'000);
    }
    ~Background()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    [[nodiscard]] bool isRunning() const { return m_process.state() == QProcess::Running; }
    /// Waits until it says this.
    bool says(const QByteArray& words)
    {
        do {
            m_said += m_process.readAllStandardOutput();
        } while (!m_said.contains(words) && m_process.waitForReadyRead(10'000));
        return m_said.contains(words);
    }
    void signal(int number) { ::kill(static_cast<pid_t>(m_process.processId()), number); }
    /// The exit code.
    int finish()
    {
        m_process.waitForFinished(30'000);
        return m_process.exitCode();
    }

private:
    QProcess m_process;
    QByteArray m_said;
};

} // namespace lockstep::test
