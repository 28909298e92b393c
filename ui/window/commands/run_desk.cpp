// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/run_desk.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "panels/run_form/run_panel.h"
#include "plots/axes/number_text.h"

#include <utility>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

QString accuracyPart(const LiveRun& run)
{
    if (!run.testAccuracy()) {
        return {};
    }
    return RunDesk::tr(" Test accuracy %1 with moving averages.")
        .arg(numberText(*run.testAccuracy(), {100.0, 1, RunDesk::tr(" %")}));
}

} // namespace

RunDesk::RunDesk(const Parts& parts) : m_parts(parts)
{
    using C = SessionController;
    RunFeed& feed = parts.controller.feed();
    connect(&parts.controller, &C::stateChanged, this, &RunDesk::onState);
    connect(&parts.controller, &C::failed, this, &RunDesk::onFailed);
    connect(&feed, &RunFeed::configChanged, this, &RunDesk::onConfig);
    connect(&feed, &RunFeed::alertArrived, this, [this](const AlertRecord& alert) {
        m_isNotFinite = alert.kind == AlertKind::NotFinite;
    });
    connect(&parts.controller, &C::openingFailed, this, [this](const QString& text) {
        tell(MessageBar::Kind::Error, text);
    });
    connect(
        &feed, &RunFeed::started, this, [this](const fs::path& folder, const RunConfig& config) {
            m_parts.library.addRun(folder);
            m_isPlanned = true;
            emit noted(tr("Run %1").arg(toQString(folder)), false);
            if (m_parts.controller.isBusy()) {
                m_parts.panel.showRunning(config);
            } else if (m_parts.controller.state() == C::State::Following) {
                tellOfWriter();
            } else {
                offerToContinue(config);
            }
            emit continuableChanged();
        });
    connect(&feed, &RunFeed::checkpointWritten, this, [this](qint64 step, const fs::path& file) {
        m_parts.library.addCheckpoint(file);
        emit noted(tr("Checkpoint of step %1: %2").arg(countText(step), toQString(file)), false);
    });
    connect(&feed, &RunFeed::evaluationArrived, this, &RunDesk::onEvaluation);
    connect(&feed, &RunFeed::preflightArrived, this, &RunDesk::onPreflight);
    connect(&parts.controller, &C::followingEnded, this, &RunDesk::onFollowingEnded);
    connect(&feed, &RunFeed::noteArrived, this, [this](const QString& text, bool isWarning) {
        emit noted(text, isWarning);
        if (isWarning) {
            m_lastWarning = text;
            m_parts.messages.showMessage(MessageBar::Kind::Warning, text);
        }
    });
}

RunDesk::~RunDesk()
{
    m_readers.waitForDone();
}

bool RunDesk::canContinue() const
{
    return m_parts.controller.canStart()
           && m_parts.controller.state() != SessionController::State::Following
           && !m_parts.run.folder().empty()
           && !RunLibrary::checkpointsOf(m_parts.run.folder()).empty();
}

void RunDesk::open(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        openRun(path);
    } else if (path.extension() == ".toml") {
        importConfiguration(path);
    } else {
        loadCheckpoint(path);
    }
}

void RunDesk::start()
{
    if (!m_parts.controller.canStart() || !m_parts.panel.isReady()) {
        return;
    }
    m_parts.messages.clear();
    m_isPlanned = false;
    m_isNotFinite = false;
    m_lastWarning.clear();
    m_started = m_parts.panel.request();
    m_parts.panel.showRunning(m_started.config);
    m_parts.controller.start(m_started);
}

void RunDesk::evaluate()
{
    emit noted(tr("Evaluating on the test set, at the end of this step"), false);
    m_parts.controller.send(command::Evaluate{});
}

void RunDesk::onEvaluation(const EvaluationRecord& record)
{
    const bool isNews = m_parts.controller.isBusy()
                        || (m_parts.controller.state() == SessionController::State::Following
                            && record.step >= m_parts.controller.plan().nextStep);
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

void RunDesk::setUpNewRun()
{
    m_parts.controller.close();
    m_parts.run.clear();
    RunConfig config = m_parts.panel.request().config;
    config.experiment = {}; // of the run before: nobody wants a fault without having asked for it
    setUp(config);
}

void RunDesk::setUp(const RunConfig& config)
{
    prepare({config, {}, false, std::nullopt}, {});
}

void RunDesk::prepare(const RunRequest& request, const QString& message)
{
    m_parts.panel.setRequest(request);
    if (message.isEmpty()) {
        m_parts.messages.clear();
    } else {
        tell(MessageBar::Kind::Information, message, {{tr("Start"), [this] { startPrepared(); }}});
    }
}

void RunDesk::setUpShownRun()
{
    attempt([this] {
        const fs::path folder = m_parts.run.folder();
        prepare(
            requestToContinue(folder),
            tr("%1 is set up to go on from its newest checkpoint.").arg(nameOf(folder)));
    });
}

/// A run that has made all its steps needs more of them first.
void RunDesk::continueShownRun()
{
    attempt([this] {
        const RunRequest request = requestToContinue(m_parts.run.folder());
        const auto files = RunLibrary::checkpointsOf(request.folder);
        if (!files.empty() && files.back().step >= request.config.steps) {
            setUpShownRun();
            return m_parts.panel.goTo(QStringLiteral("steps"));
        }
        prepare(request, {});
        startPrepared();
    });
}

void RunDesk::openRun(const fs::path& folder)
{
    attempt([&] {
        const RunConfig config = configOfRun(folder);
        if (m_parts.controller.canStart()) {
            setUp(config);
            m_parts.controller.open(folder);
        } else if (folder != m_parts.run.folder()) {
            emit windowRequested(folder);
        }
    });
}

void RunDesk::importConfiguration(const fs::path& file)
{
    attempt([&] {
        RunConfig config;
        readConfigFile(config, file);
        setUp(config);
    });
}

void RunDesk::offerCifar10(const fs::path& folder)
{
    m_parts.panel.refresh();
    emit noted(tr("CIFAR-10 is in %1").arg(toQString(folder)), false);
    if (!m_parts.controller.canStart()) {
        return;
    }
    tell(
        MessageBar::Kind::Information, tr("CIFAR-10 is ready: %1").arg(toQString(folder)),
        {{tr("Use It"), [this, folder] {
              RunRequest request = m_parts.panel.request();
              request.config.dataset = "cifar10";
              request.config.datasetPath = folder.string();
              m_parts.panel.setRequest(request);
          }}});
}

void RunDesk::onState(SessionController::State state)
{
    using State = SessionController::State;
    if (state == State::Finished || state == State::Stopped || state == State::Failed) {
        onEnded(state);
    }
    emit continuableChanged();
}

void RunDesk::onEnded(SessionController::State state)
{
    using State = SessionController::State;
    m_parts.panel.showEditable();
    m_parts.panel.setRequest(requestAfter(m_started, state == State::Finished));
    const std::int64_t done = m_parts.run.newestStep() ? m_parts.run.newestStep()->step + 1 : 0;
    if (state == State::Finished) {
        tell(
            MessageBar::Kind::Information,
            tr("All %1 steps are done.").arg(countText(done)) + accuracyPart(m_parts.run));
    } else if (state == State::Stopped) {
        tell(
            MessageBar::Kind::Information,
            tr("Stopped after %1 steps; they are saved.").arg(countText(done)),
            {{tr("Continue Run"), [this] { continueShownRun(); }}});
    }
}

void RunDesk::onFailed(const QString& text)
{
    std::vector<MessageAction> actions{{tr("Show Log"), [this] { emit logRequested(); }, true}};
    if (m_isPlanned && canContinue()) {
        // With the same settings the same would happen again.
        actions.push_back({tr("Continue from Last Checkpoint"), [this] {
                               m_isNotFinite ? setUpShownRun() : continueShownRun();
                           }});
        if (m_isNotFinite) {
            actions.push_back(
                {tr("Lower the Learning Rate…"), [this] { continueWithLowerRate(); }});
        }
    }
    tell(MessageBar::Kind::Error, text, actions);
}

void RunDesk::tell(
    MessageBar::Kind kind, const QString& text, const std::vector<MessageAction>& actions)
{
    if (text != m_lastWarning) { // the engine may have noted what then ended the run
        emit noted(text, kind != MessageBar::Kind::Information);
    }
    m_parts.messages.showMessage(kind, text, actions);
}

void RunDesk::attempt(const std::function<void()>& work)
{
    try {
        work();
    } catch (const std::exception& error) {
        tell(MessageBar::Kind::Error, engineText(error.what()));
    }
}

} // namespace lockstep::ui
