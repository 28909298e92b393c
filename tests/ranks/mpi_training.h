// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/program.h"
#include "support/time_limit.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QUuid>

#include <csignal>
#include <map>

namespace lockstep::test {

/// Why no ranks can be started here; empty: they can.
inline const char* reasonAgainstRanks()
{
#if defined(__SANITIZE_THREAD__)
    return "MPI is not instrumented: the thread sanitizer would tell of its threads";
#else
    return QStandardPaths::findExecutable("mpirun").isEmpty()
               ? "mpirun is not installed (openmpi-bin)"
               : "";
#endif
}

/// A training on several ranks: lockstep-train started by mpirun, or by a launcher of ours.
class MpiTraining
{
public:
    explicit MpiTraining(const QString& program, const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
        environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        environment.insert("OMPI_MCA_btl_vader_single_copy_mechanism", "none"); // for containers
        environment.insert("LOCKSTEP_TEST_MARK", m_mark);
        if (kIsSanitized) { // MPI keeps what it has until its process ends
            environment.insert("ASAN_OPTIONS", "detect_leaks=0");
        }
        m_process.setProcessEnvironment(environment);
        m_process.start(program, arguments);
    }
    ~MpiTraining()
    {
        for (const auto& [rank, process] : ranks()) {
            ::kill(process, SIGKILL);
        }
        m_process.kill();
        m_process.waitForFinished();
    }
    MpiTraining(const MpiTraining&) = delete;
    MpiTraining& operator=(const MpiTraining&) = delete;

    /// Arguments of mpirun for so many ranks with the same arguments.
    static QStringList onRanks(int ranks, const QStringList& arguments)
    {
        return QStringList{"--quiet", "--oversubscribe", "--bind-to", "none"}
               + part(ranks, arguments);
    }
    /// Of mpirun: so many ranks more, after ":" with other arguments.
    static QStringList part(
        int ranks, const QStringList& arguments, const QString& program = LOCKSTEP_TRAIN_PROGRAM)
    {
        return QStringList{"-n", QString::number(ranks), program} + arguments;
    }

    /// Waits until it says this.
    bool says(const QByteArray& words, int milliseconds = 60'000)
    {
        QElapsedTimer timer;
        timer.start();
        while (!m_out.contains(words) && !m_err.contains(words)) {
            if (timer.elapsed() > milliseconds || m_process.state() == QProcess::NotRunning) {
                return false;
            }
            m_process.waitForReadyRead(20);
            take();
        }
        return true;
    }
    /// Forgets what it said.
    void forget()
    {
        take();
        m_out.clear();
        m_err.clear();
    }

    /// The processes that are there, by rank.
    [[nodiscard]] std::map<int, pid_t> ranks() const
    {
        std::map<int, pid_t> found;
        for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
            QFile file("/proc/" + name + "/environ");
            if (name.toInt() > 0 && file.open(QIODevice::ReadOnly)) {
                const QList<QByteArray> lines = file.readAll().split('\0');
                const QByteArray key = "OMPI_COMM_WORLD_RANK=";
                for (const QByteArray& line : lines) {
                    if (line.startsWith(key)
                        && lines.contains("LOCKSTEP_TEST_MARK=" + m_mark.toUtf8())) {
                        found[line.mid(key.size()).toInt()] = name.toInt();
                    }
                }
            }
        }
        return found;
    }
    [[nodiscard]] pid_t launcher() const { return static_cast<pid_t>(m_process.processId()); }

    Outcome finish(int milliseconds = 240'000)
    {
        const bool isDone = m_process.waitForFinished(milliseconds);
        take();
        return {
            isDone && m_process.exitStatus() == QProcess::NormalExit, m_process.exitCode(), m_out,
            m_err};
    }

private:
    void take()
    {
        m_out += m_process.readAllStandardOutput();
        m_err += m_process.readAllStandardError();
    }

    QString m_mark = QUuid::createUuid().toString();
    QProcess m_process;
    QByteArray m_out;
    QByteArray m_err;
};

/// To its end.
inline Outcome trainOnMpi(int ranks, const QStringList& arguments)
{
    return MpiTraining("mpirun", MpiTraining::onRanks(ranks, arguments)).finish();
}

} // namespace lockstep::test
