// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_estimator.h"

#include "bridge/base/file_names.h"
#include "engine/remote.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include <array>
#include <chrono>
#include <sched.h>
#include <utility>

namespace lockstep::ui {
namespace {

/// After which a person has stopped typing, and a window that was opened stands.
constexpr std::chrono::milliseconds kPause(700);
/// By RoughDuration::Unit; days and more are said from two on.
constexpr auto kRough = std::to_array<const char*>(
    {QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "a few seconds"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "about %1 s"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "about %1 min"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "about %1 h"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "about %1 days"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "about %1 weeks"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "about %1 months"),
     QT_TRANSLATE_NOOP("lockstep::ui::RunEstimator", "years")});
constexpr qint64 kMebibyte = qint64{1} << 20U;
constexpr qint64 kGibibyte = qint64{1} << 30U;

std::optional<RunExpectation> expectationFrom(const QByteArray& line)
{
    const QJsonObject told = QJsonDocument::fromJson(line).object();
    if (told.isEmpty()) {
        return std::nullopt;
    }
    return RunExpectation{
        told.value(QLatin1String("seconds")).toDouble(),
        told.value(QLatin1String("evaluations_counted")).toBool(),
        told.value(QLatin1String("process_bytes")).toInteger(),
        told.value(QLatin1String("machine_bytes")).toInteger()};
}

} // namespace

QString roughText(double seconds)
{
    const RoughDuration rough = roughDuration(seconds);
    const QString text = RunEstimator::tr(kRough.at(static_cast<std::size_t>(rough.unit)));
    return rough.count > 0 ? text.arg(rough.count) : text;
}

QString textOf(const RunExpectation& expected)
{
    const bool isLarge = expected.bytes >= kGibibyte;
    const qint64 unit = isLarge ? 1 : 10 * kMebibyte; // what can be relied on
    const QString bytes =
        QLocale().formattedDataSize((expected.bytes + unit / 2) / unit * unit, isLarge ? 1 : 0);
    return roughText(expected.seconds) + QStringLiteral(" · ")
           + (expected.isTooLarge() ? RunEstimator::tr("%1: too much").arg(bytes)
                                    : RunEstimator::tr("about %1").arg(bytes));
}

QString explanationOf(const RunExpectation& expected)
{
    QStringList sentences{RunEstimator::tr(
        "Time and memory of such a run on this computer, measured with a few steps or known from "
        "an earlier run.")};
    if (!expected.isEvaluated) {
        sentences.append(RunEstimator::tr(
            "Evaluations come on top: how many test images there are is not known yet."));
    }
    if (expected.isTooLarge()) {
        sentences.append(RunEstimator::tr("This computer has %1 of memory.")
                             .arg(QLocale().formattedDataSize(expected.machineBytes, 1)));
    }
    return sentences.join(QLatin1Char(' '));
}

RunEstimator::RunEstimator(QObject* parent) : QObject(parent)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kPause);
    connect(&m_soon, &QTimer::timeout, this, &RunEstimator::next);
    m_process.setProgram(toQString(trainingProgram()));
    m_process.setStandardErrorFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] {
        // Behind what answers a person, as the window; yet with the share of busy processors that
        // the run itself will have, which one that is nice would not.
        const sched_param usual{};
        static_cast<void>(sched_setscheduler(0, SCHED_BATCH, &usual));
    });
    connect(&m_process, &QProcess::finished, this, [this](int status, QProcess::ExitStatus end) {
        onEnded(status == 0 && end == QProcess::NormalExit);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            onEnded(false);
        }
    });
}

void RunEstimator::setOffered(const std::vector<RunConfig>& configs)
{
    m_offered.clear();
    for (const RunConfig& config : configs) {
        m_offered.push_back({toToml(config), 0});
    }
    m_soon.start();
}

void RunEstimator::setPrepared(const ExpectedRun& run)
{
    m_prepared = run == m_asked ? ExpectedRun() : run; // its answer is on its way
    m_soon.start();
}

void RunEstimator::setPaused(bool isPaused)
{
    if (std::exchange(m_isPaused, isPaused) == isPaused) {
        return;
    }
    if (isPaused && !m_asked.config.empty()) {
        m_offered.push_front(m_asked);
        stop();
    }
    m_soon.start();
}

void RunEstimator::next()
{
    if (m_isPaused || !m_asked.config.empty() || m_soon.isActive()) {
        return;
    }
    if (!m_prepared.config.empty()) {
        m_asked = std::exchange(m_prepared, {});
    } else if (!m_offered.empty()) {
        m_asked = m_offered.front();
        m_offered.pop_front();
    } else {
        return;
    }
    QStringList arguments{
        QStringLiteral("inspect"), QStringLiteral("--costs"), QStringLiteral("--json"),
        QStringLiteral("--config"), QStringLiteral("/dev/stdin")};
    if (m_asked.fromStep > 0) {
        arguments << QStringLiteral("--from-step") << QString::number(m_asked.fromStep);
    }
    m_process.setArguments(arguments);
    m_process.start();
    m_process.write(QByteArray::fromStdString(m_asked.config));
    m_process.closeWriteChannel();
}

void RunEstimator::stop()
{
    m_asked = {};
    if (m_process.state() != QProcess::NotRunning) {
        const QSignalBlocker silent(m_process); // nobody wants to hear of it
        m_process.kill();
        m_process.waitForFinished();
    }
}

void RunEstimator::onEnded(bool isGood)
{
    const ExpectedRun asked = std::exchange(m_asked, {});
    emit estimated(
        asked, isGood ? expectationFrom(m_process.readAllStandardOutput()) : std::nullopt);
    // Not from within what the process is telling.
    QMetaObject::invokeMethod(this, &RunEstimator::next, Qt::QueuedConnection);
}

} // namespace lockstep::ui
