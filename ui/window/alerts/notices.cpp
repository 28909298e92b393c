// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/alerts/notices.h"

#include "bridge/base/file_names.h"
#include "engine/records.h"
#include "models/engine_text.h"
#include "plots/axes/number_text.h"

#include <QCoreApplication>

namespace lockstep::ui {

Notices::Notices(SessionController& controller, MessageBar& bar, QObject* parent)
    : QObject(parent), m_controller(controller), m_bar(bar)
{
    using C = SessionController;
    RunFeed& feed = controller.feed();
    connect(&controller, &C::stateChanged, this, [this](C::State state) {
        if (state == C::State::Preparing) {
            m_lastWarning.clear();
        }
    });
    connect(&controller, &C::openingFailed, this, [this](const QString& text) {
        tell(Kind::Error, text);
    });
    connect(&feed, &RunFeed::started, this, [this](const std::filesystem::path& folder) {
        emit noted(tr("Run %1").arg(toQString(folder)), false);
    });
    connect(
        &feed, &RunFeed::checkpointWritten, this,
        [this](qint64 step, const std::filesystem::path& file) {
            emit noted(
                tr("Checkpoint of step %1: %2").arg(countText(step), toQString(file)), false);
        });
    connect(&feed, &RunFeed::evaluationArrived, this, &Notices::onEvaluation);
    connect(&feed, &RunFeed::preflightArrived, this, &Notices::onPreflight);
    connect(&feed, &RunFeed::noteArrived, this, [this](const QString& text, bool isWarning) {
        emit noted(text, isWarning);
        if (isWarning) {
            m_lastWarning = text;
            m_bar.showMessage(Kind::Warning, text);
        }
    });
}

void Notices::tell(Kind kind, const QString& text, const std::vector<MessageAction>& actions)
{
    if (text != m_lastWarning) { // the engine may have noted what then ended the run
        emit noted(text, kind != Kind::Information);
    }
    m_bar.showMessage(kind, text, actions);
}

void Notices::attempt(const std::function<void()>& work)
{
    try {
        work();
    } catch (const std::exception& error) {
        tell(Kind::Error, engineText(error.what()));
    }
}

MessageAction Notices::showLog()
{
    return {tr("Show Log"), [this] { emit logRequested(); }, true};
}

void Notices::onEvaluation(const EvaluationRecord& record)
{
    const bool isNews =
        m_controller.isBusy()
        || (m_controller.isFollowing() && record.step >= m_controller.plan().nextStep);
    if (isNews) { // of a run that is only shown, they are on the charts
        emit noted(
            tr("Step %1: test accuracy %2, loss %3, %4 (%5)")
                .arg(
                    countText(record.step), numberText(record.accuracy, {100.0, 1, tr(" %")}),
                    numberText(record.loss, {1.0, 4, {}}),
                    record.weights == WeightsKind::Raw ? tr("weights as they are")
                                                       : tr("moving average"),
                    durationText(record.seconds)),
            false);
    }
}

void Notices::onPreflight(const PreflightRecord& record)
{
    const QString line = tr("Pre-flight: %1: %2")
                             .arg(
                                 QCoreApplication::translate("Preflight", record.name.c_str()),
                                 engineText(record.text));
    emit noted(line, record.result != PreflightResult::Passed);
    if (record.result == PreflightResult::Warning) {
        m_bar.showMessage(Kind::Warning, line);
    }
}

} // namespace lockstep::ui
