// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/run_commands.h"

#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_origin.h"
#include "engine/base.h"
#include "engine/remote.h"
#include "panels/run_form/run_panel.h"
#include "plots/axes/number_text.h"

#include <utility>

namespace lockstep::ui {

namespace fs = std::filesystem;
using State = SessionController::State;

void SetUpCommands::prepare(const RunRequest& request, const QString& message)
{
    if (m_parts.controller.isFollowing() || m_parts.run.isRecorded()) {
        leaveShownRun();
    }
    const bool isNext = !m_parts.controller.canStart();
    if (isNext) { // what is told of the run that trains stays
        m_parts.panel.showNext();
    }
    m_parts.panel.setRequest(request);
    if (isNext) {
        return;
    }
    if (message.isEmpty()) {
        m_parts.notices.bar().clear();
    } else {
        m_parts.notices.inform(message, {{tr("Start"), [this] { emit startRequested(); }}});
    }
}

void SetUpCommands::leaveShownRun()
{
    if (m_parts.controller.canStart()) {
        m_parts.controller.close();
        if (!m_parts.run.folder().empty()) {
            m_parts.run.clear();
        }
    }
}

void SetUpCommands::setUp(const RunConfig& config)
{
    leaveShownRun();
    prepare({config, {}, false, std::nullopt});
}

void SetUpCommands::setUpNewRun()
{
    RunConfig config = m_parts.panel.request().config;
    config.experiment = {}; // of the run before: nobody wants a fault without having asked for it
    setUp(config);
}

void SetUpCommands::setUpToContinue(const fs::path& checkpoint)
{
    m_parts.notices.attempt([&] { prepareToContinue(checkpoint); });
}

void SetUpCommands::prepareToContinue(const fs::path& checkpoint)
{
    const CheckpointSummary summary = readCheckpointSummary(checkpoint);
    if (!summary.run) {
        fail(
            ErrorCode::BadInput, "{}: is not in a run that could be continued",
            checkpoint.string());
    }
    prepare(
        requestToContinue(*summary.run, checkpoint),
        tr("%1 is set up to go on from step %2; steps after it are kept aside.")
            .arg(nameOf(*summary.run), countText(summary.step)));
    if (m_parts.run.folder() != *summary.run && !RunLock::writerOf(*summary.run)) {
        m_parts.controller.open(*summary.run);
    }
}

void SetUpCommands::setUpFromCheckpoint(const fs::path& checkpoint)
{
    m_parts.notices.attempt([&] {
        const RunRequest request = requestFromCheckpoint(checkpoint);
        prepare(
            request, tr("A new run is set up from %1, to go on until step %2.")
                         .arg(nameOf(checkpoint), countText(request.config.steps)));
    });
}

void SetUpCommands::setUpToFineTune(const fs::path& checkpointOrRun)
{
    m_parts.notices.attempt([&] {
        prepare(
            requestToFineTune(checkpointOrRun),
            tr("A new run is set up that begins at step 0 with the weights of %1. Layers whose "
               "shapes differ in another model begin with random weights.")
                .arg(nameOf(checkpointOrRun)));
    });
}

void SetUpCommands::offerCifar10(const fs::path& folder)
{
    m_parts.panel.refresh();
    const QString text = tr("CIFAR-10 is ready: %1").arg(toQString(folder));
    if (!m_parts.controller.canStart() || !m_parts.canTrain || m_parts.run.isRecorded()) {
        emit m_parts.notices.noted(text, false);
        return;
    }
    const auto use = [this, folder] {
        RunRequest request = m_parts.panel.request();
        request.config.dataset = "cifar10";
        request.config.datasetPath = folder.string();
        m_parts.panel.setRequest(request);
    };
    m_parts.notices.inform(text, {{tr("Use It"), use}});
}

StartCommands::StartCommands(const WindowParts& parts, SetUpCommands& setUps)
    : QObject(&parts.owner), m_parts(parts), m_setUps(setUps)
{
    RunFeed& feed = parts.controller.feed();
    connect(&setUps, &SetUpCommands::startRequested, this, &StartCommands::startPrepared);
    connect(&parts.controller, &SessionController::stateChanged, this, &StartCommands::onState);
    connect(&parts.controller, &SessionController::failed, this, &StartCommands::onFailed);
    connect(&feed, &RunFeed::configChanged, this, &StartCommands::onConfig);
    connect(&parts.machine, &MachineConnection::machineChanged, this, [this] {
        m_isStartingThere = false;
        emit continuableChanged();
    });
    connect(&feed, &RunFeed::alertArrived, this, [this](const AlertRecord& alert) {
        m_isNotFinite = alert.kind == AlertKind::NotFinite;
    });
    connect(&feed, &RunFeed::started, this, [this](const fs::path&, const RunConfig& config) {
        const bool isOpen = m_parts.controller.state() == State::Idle && m_parts.canTrain;
        if (!isOpen && !m_parts.run.isRecorded()) { // nothing can be set up beside it
            m_parts.panel.showRunning(config);
        }
        emit continuableChanged();
    });
}

bool StartCommands::canContinue() const
{
    return m_parts.canTrain && m_parts.controller.canStart() && !m_parts.controller.isFollowing()
           && !checkpoints().empty();
}

std::vector<CheckpointItem> StartCommands::checkpoints() const
{
    if (m_parts.run.folder().empty() || m_parts.run.isRecorded()
        || m_parts.run.machine() != m_parts.machine.machine()) {
        return {}; // another machine than the one where runs are started just now
    }
    return m_parts.run.machine() ? m_parts.checkpoints.items()
                                 : RunLibrary::checkpointsOf(m_parts.run.folder());
}

QString StartCommands::lossText(const fs::path& run, std::int64_t steps)
{
    const std::vector<CheckpointItem> files = RunLibrary::checkpointsOf(run);
    if (files.empty()) {
        return {};
    }
    const std::int64_t lost = steps - files.back().step;
    const QString text =
        tr(" It can go on from its checkpoint of step %1.").arg(countText(files.back().step));
    return lost > 0 ? text + tr(" Steps lost since then: %1.").arg(countText(lost)) : text;
}

void StartCommands::start()
{
    if (!m_parts.canTrain || !m_parts.controller.canStart() || !m_parts.panel.isReady()) {
        return;
    }
    m_parts.notices.bar().clear();
    if (m_parts.machine.machine()) {
        return startThere(m_parts.panel.request());
    }
    m_isNotFinite = false;
    m_started = m_parts.panel.request();
    m_parts.panel.showRunning(m_started.config);
    m_parts.settings.isTrainingKept() ? m_parts.controller.launch(m_started)
                                      : m_parts.controller.start(m_started);
}

void StartCommands::startThere(const RunRequest& request)
{
    const QString machine = m_parts.machine.name();
    if (request.isResume && !m_parts.machine.isMirror(request.folder)) {
        return m_parts.notices.reportError(
            tr("%1 is a run of this computer: disconnect from %2 first.")
                .arg(nameOf(request.folder), machine));
    }
    if (std::exchange(m_isStartingThere, true)) {
        return;
    }
    m_parts.notices.show(tr("Starting the run on %1…").arg(machine));
    emit continuableChanged();
    const auto end = [this] {
        m_isStartingThere = false;
        m_parts.notices.bar().clear();
        emit continuableChanged();
    };
    m_parts.machine.start(
        {toToml(request.config), request.folder.filename().string(), request.isResume},
        [this, end](const fs::path& mirror) {
            end();
            emit startedThere(mirror);
        },
        [this, end, machine](const QString& reason) {
            end();
            m_parts.notices.reportError(tr("Not started on %1: %2").arg(machine, reason));
        });
}

void StartCommands::startPrepared()
{
    const QString problem = m_parts.panel.problem();
    if (problem.isEmpty()) {
        start();
    } else {
        m_parts.notices.reportError(problem, {{tr("Start"), [this] { startPrepared(); }}});
    }
}

void StartCommands::evaluate()
{
    if (!m_parts.controller.can(command::Evaluate{})) {
        const auto files = checkpoints();
        return files.empty() ? void() : emit evaluationRequested(files.back());
    }
    emit m_parts.notices.noted(tr("Evaluating on the test set, at the end of this step"), false);
    m_parts.controller.send(command::Evaluate{});
}

void StartCommands::setUpShownRun()
{
    m_parts.notices.attempt([this] {
        const fs::path folder = m_parts.run.folder();
        m_setUps.prepare(
            requestToContinue(folder),
            tr("%1 is set up to go on from its newest checkpoint.").arg(nameOf(folder)));
    });
}

void StartCommands::continueShownRun()
{
    m_parts.notices.attempt([this] {
        const fs::path folder = m_parts.run.folder();
        const auto files = checkpoints();
        if (files.empty() || files.back().step < requestToContinue(folder).config.steps) {
            return resumeRun(folder);
        }
        setUpShownRun();
        m_parts.panel.goTo(QStringLiteral("steps"));
    });
}

void StartCommands::resumeRun(const fs::path& folder, std::optional<qint64> steps)
{
    m_parts.notices.attempt([&] {
        RunRequest request = requestToContinue(folder);
        request.config.steps = steps.value_or(request.config.steps);
        m_setUps.prepare(request);
        startPrepared();
    });
}

void StartCommands::resumeFrom(const fs::path& checkpoint)
{
    m_parts.notices.attempt([&] {
        m_setUps.prepareToContinue(checkpoint);
        startPrepared();
    });
}

/// Of a run that goes on, the settings that are offered after its end must not take the change
/// back.
void StartCommands::onConfig(const RunConfig& config)
{
    if (m_parts.controller.isBusy() || m_parts.controller.isFollowing()) {
        m_parts.panel.showRunning(config);
        if (m_started.isResume) {
            m_started.config.steps = config.steps;
            m_started.config.learningRate = config.learningRate;
        }
    }
}

void StartCommands::onState(State state)
{
    const bool isNext = m_parts.panel.isNext(); // set up by the person, who may be typing
    if (m_parts.canTrain && m_parts.controller.canStart() && state != State::Following) {
        m_parts.panel.showEditable();
    }
    if (state == State::Finished || state == State::Stopped || state == State::Failed) {
        if (!isNext) {
            m_parts.panel.setRequest(requestAfter(m_started, state == State::Finished));
        }
        onEnded(state);
    }
    emit continuableChanged();
}

void StartCommands::onEnded(State state)
{
    const auto& newest = m_parts.run.newestStep();
    const QString done = countText(newest ? newest->step + 1 : 0);
    if (state == State::Finished) {
        const auto accuracy = m_parts.run.testAccuracy();
        m_parts.notices.inform(
            tr("All %1 steps are done.").arg(done)
            + (accuracy ? tr(" Test accuracy %1 with moving averages.")
                              .arg(numberText(*accuracy, {100.0, 1, tr(" %")}))
                        : QString()));
    } else if (state == State::Stopped && !m_parts.controller.isPlanned()) {
        m_parts.notices.inform(
            m_started.isResume ? tr("Stopped before the run went on: it is as it was.")
                               : tr("Stopped before the run began: there is nothing to save."));
    } else if (state == State::Stopped) {
        m_parts.notices.inform(
            tr("Stopped after %1 steps; they are saved.").arg(done),
            {{tr("Continue Run"), [this] { continueShownRun(); }}});
    }
}

void StartCommands::onFailed(const QString& text)
{
    std::vector<MessageAction> actions{m_parts.notices.showLog()};
    if (m_parts.controller.isPlanned() && canContinue()) {
        // With the same settings the same would happen again.
        actions.push_back({tr("Continue from Last Checkpoint"), [this] {
                               m_isNotFinite ? setUpShownRun() : continueShownRun();
                           }});
        if (m_isNotFinite) {
            actions.push_back({tr("Lower the Learning Rate…"), [this] {
                                   setUpShownRun();
                                   m_parts.panel.goTo(QStringLiteral("learning_rate.initial"));
                               }});
        }
    }
    m_parts.notices.reportError(text, actions);
}

} // namespace lockstep::ui
