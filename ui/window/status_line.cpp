// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/status_line.h"

#include "models/engine_text.h"
#include "models/table_model.h"
#include "plots/axes/number_text.h"
#include "widgets/bars/progress_readout.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/still_box.h"

#include <QLabel>
#include <QStatusBar>
#include <QStringList>
#include <QToolBar>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsOfClock = 5000;
constexpr qint64 kSecondsOfMinute = 60;

QString separator()
{
    return QStringLiteral(" · ");
}

QString ageText(const QDateTime& moment)
{
    const qint64 seconds = moment.secsTo(QDateTime::currentDateTime());
    if (seconds < 2) {
        return StatusLine::tr("now");
    }
    return seconds < kSecondsOfMinute
               ? StatusLine::tr("%1 s ago").arg(seconds)
               : StatusLine::tr("%1 ago").arg(durationText(static_cast<double>(seconds)));
}

} // namespace

StatusLine::StatusLine(
    SessionController& controller, LiveRun& run, QStatusBar& bar, QToolBar& tools)
    : QObject(&bar), m_controller(controller), m_run(run), m_progress(new ProgressReadout(&tools)),
      m_left(new ElidedLabel(&bar)), m_right(new QLabel(&bar))
{
    m_left->setObjectName(QStringLiteral("status_text"));
    m_left->setTextFormat(Qt::PlainText);
    bar.addWidget(new StillBox(m_left, StillBox::Width::Fills, &bar), 1);
    bar.addPermanentWidget(m_right);
    auto* const between = new QWidget(&tools);
    between->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    tools.addWidget(between);
    tools.addWidget(new StillBox(m_progress, StillBox::Width::Grows, &tools));
    connect(&m_soon, &RefreshTimer::due, this, &StatusLine::refresh);
    m_clock.start(kMillisecondsOfClock);
    connect(&m_clock, &QTimer::timeout, this, &StatusLine::refresh);

    connect(&run.feed(), &RunFeed::examplesEvaluated, this, [this](qint64 done, qint64 all) {
        m_evaluated = {done, all};
        showProgress();
    });
    connect(&run.feed(), &RunFeed::evaluationArrived, this, [this] {
        m_evaluated = {};
        showProgress();
    });
    const auto refreshSoon = [this] { m_soon.request(); };
    connect(&controller, &SessionController::stateChanged, this, &StatusLine::refresh);
    connect(&controller, &SessionController::writerChanged, this, &StatusLine::refresh);
    connect(&run, &LiveRun::begun, this, [this] {
        m_evaluated = {}; // of the run before, which came to no end of it
        refresh();
    });
    connect(&run, &LiveRun::stepsAppended, this, refreshSoon);
    connect(&run, &LiveRun::curvesChanged, this, refreshSoon);
    connect(&run, &LiveRun::checkpointSaved, this, refreshSoon);
    connect(&run, &LiveRun::configChanged, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::setIdleText(const QString& text)
{
    m_idleText = text;
    refresh();
}

void StatusLine::refresh()
{
    QStringList parts{stateText()};
    const bool isFollowing = m_controller.isFollowing();
    if (m_controller.canStart() && m_controller.state() != SessionController::State::Idle
        && !isFollowing) {
        parts.append(m_idleText);
    }
    // While another run is prepared, the figures are still those of the one before.
    if (!m_controller.isPreparing()) {
        if ((m_controller.isBusy() || isFollowing) && m_run.newestStep()) {
            parts.append(paceText());
        }
        if (const auto& saved = m_run.savedCheckpoint()) {
            parts.append(tr("checkpoint at step %1, %2")
                             .arg(countText(saved->step), ageText(saved->written)));
        }
        if (m_controller.stopStep() >= 0) {
            parts.append(tr("stops after step %1").arg(countText(m_controller.stopStep())));
        }
    }
    parts.removeAll(QString());
    m_left->setText(parts.join(separator()));
    m_left->setToolTip(isFollowing ? tr("The run goes on when this window closes") : QString());
    m_right->setText(
        m_run.testAccuracy() ? tr("step %1: test accuracy %2 (moving average)")
                                   .arg(
                                       countText(m_run.testedStep()),
                                       numberText(*m_run.testAccuracy(), {100.0, 1, tr(" %")}))
                             : QString());
    showProgress();
}

void StatusLine::showProgress()
{
    if (m_controller.isPreparing()) {
        m_progress->setBusy(tr("opening data, planning memory"));
    } else if (m_evaluated.second > 0 && m_controller.isBusy()) {
        m_progress->setEvaluating(m_evaluated.first, m_evaluated.second);
    } else if (!m_run.newestStep()) {
        m_progress->setWaiting({});
    } else {
        const std::int64_t done = m_run.newestStep()->step + 1;
        if (m_run.isRecorded()) { // how many there will be is not known
            return m_progress->setWaiting(tr("step %1").arg(countText(done)));
        }
        const bool isMoving = m_controller.can(command::Pause{});
        m_progress->setProgress(
            done, m_run.endStep(), isMoving ? m_run.secondsLeft() : std::nullopt);
    }
}

QString StatusLine::stateText() const
{
    using State = SessionController::State;
    const State state = m_controller.state();
    if (state == State::Idle) {
        return storedStateText();
    }
    if (state == State::Following) {
        return writerText();
    }
    if (state == State::Stopping && m_controller.isPreparing()) {
        return tr("Stopping before the run begins");
    }
    const std::map<State, QString> texts{
        {State::Preparing, m_controller.trainsHere()
                               ? tr("Preparing")
                               : tr("Starting the training as a process of its own")},
        {State::Running, tr("Running")},
        {State::Pausing, tr("Pausing at the end of this step")},
        {State::Paused, tr("Paused")},
        {State::Stopping, tr("Stopping: finishing the step, saving")},
        {State::Finished, tr("Finished")},
        {State::Stopped, tr("Stopped")},
        {State::Failed, tr("Ended by an error")}};
    return texts.at(state);
}

/// How the run ended that is shown, and what else can be done.
QString StatusLine::storedStateText() const
{
    const auto end = m_controller.recordedState();
    if (!end || !m_run.newestStep()) {
        return m_run.isRecorded() ? QString() : m_idleText;
    }
    const QString done = countText(m_run.newestStep()->step + 1);
    const QString text = *end == RunState::Finished  ? tr("Finished after %1 steps").arg(done)
                         : *end == RunState::Stopped ? tr("Stopped after %1 steps").arg(done)
                         : *end == RunState::Failed
                             ? tr("Ended by an error after %1 steps").arg(done)
                         : m_run.isRecorded() ? tr("Recorded until step %1").arg(done)
                                              : tr("Ended unexpectedly after %1 steps").arg(done);
    return m_run.isRecorded() ? text : text + separator() + m_idleText;
}

/// A run of another process, and how that stands.
QString StatusLine::writerText() const
{
    const auto machine = m_run.machine();
    QString writer =
        machine ? tr("Trained on %1").arg(QString::fromStdString(machine->address().machine()))
        : m_run.isRecorded()
            ? tr("Being recorded")
            : tr("Trained by process %1").arg(m_controller.plan().writer.value_or(0));
    const auto& status = m_controller.writerStatus();
    if (!status) {
        return writer;
    }
    return writer + separator()
           + (status->state == RunState::Paused    ? tr("paused")
              : status->state == RunState::Running ? tr("running")
                                                   : tr("preparing"));
}

QString StatusLine::paceText() const
{
    const std::vector<TowerPlacement>& seats = m_run.seats();
    const QString count =
        seats.size() == 1 ? tr("1 tower") : tr("%1 towers").arg(countText(std::ssize(seats)));
    std::set<QString> devices;
    std::ranges::transform(seats, std::inserter(devices, devices.end()), &TowerPlacement::device);
    const QString towers =
        devices.empty()
            ? QString()
            : tr("%1 on %2")
                  .arg(
                      count, devices.size() == 1
                                 ? deviceTitle(*devices.begin())
                                 : tr("%1 devices").arg(countText(std::ssize(devices))));
    const auto rate = m_run.throughput().rate();
    return rate ? towers + separator()
                      + tr("%1 examples/s").arg(numberText(*rate, {1.0, rateDecimals(*rate), {}}))
                : towers;
}

} // namespace lockstep::ui
