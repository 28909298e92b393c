// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/program.h"
#include "engine/base.h"
#include "engine/storage.h"
#include "support/lockstep_test.h"

#include <csignal>

namespace lockstep::ui {

/// A run that the real lockstep-train trains in a process of its own: the small model on a few
/// pictures, two towers of 8. Killed at the end of the scope if it is still there.
class HeadlessRun
{
public:
    HeadlessRun(
        const std::filesystem::path& pictures, std::filesystem::path folder, int steps,
        const QStringList& more = {})
        : m_folder(std::move(folder))
    {
        m_process.setStandardOutputFile(QProcess::nullDevice());
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.start(
            LOCKSTEP_TRAIN_PROGRAM,
            test::smallTraining(pictures, m_folder, steps) + withoutAlerts() + more);
    }
    ~HeadlessRun()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    HeadlessRun(const HeadlessRun&) = delete;
    HeadlessRun& operator=(const HeadlessRun&) = delete;

    /// Whether its store comes to hold so many steps.
    [[nodiscard]] bool awaitSteps(std::int64_t steps)
    {
        return test::waitFor([&] {
            try {
                return RunFolder::isRun(m_folder)
                       && RunStoreReader(RunFolder::storeFileOf(m_folder)).nextStep() >= steps;
            } catch (const Error&) { // it is being made
                return false;
            }
        });
    }
    /// Ends it as kill -9 does, and waits for that.
    void killHard()
    {
        ::kill(static_cast<pid_t>(m_process.processId()), SIGKILL);
        m_process.waitForFinished();
    }
    [[nodiscard]] bool awaitEnd()
    {
        return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(60'000);
    }
    [[nodiscard]] int process() const { return static_cast<int>(m_process.processId()); }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    /// Those that depend on how busy the machine is.
    static QStringList withoutAlerts()
    {
        QStringList arguments;
        for (const char* key : {"input_share", "tower_wait", "tower_loss", "stuck_seconds"}) {
            arguments << "--set" << QString("alerts.%1=0").arg(key);
        }
        return arguments;
    }

    std::filesystem::path m_folder;
    QProcess m_process;
};

} // namespace lockstep::ui
