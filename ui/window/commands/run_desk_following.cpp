// SPDX-License-Identifier: GPL-3.0-or-later
// What RunDesk tells of runs that another process trains or has trained, and of the checklist
// before the first step.
#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "engine/config.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/run_form/run_panel.h"
#include "plots/axes/number_text.h"
#include "window/commands/run_desk.h"

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

} // namespace

void RunDesk::tellOfWriter()
{
    m_parts.messages.showMessage(
        MessageBar::Kind::Information,
        tr("%1 is being trained by process %2. This window follows it; closing the window leaves "
           "the run alone.")
            .arg(nameOf(m_parts.controller.plan().folder))
            .arg(m_parts.controller.plan().writer.value_or(0)));
}

void RunDesk::onFollowingEnded(const FollowedEnd& end)
{
    m_parts.panel.refresh(); // the run may be gone on with again
    const QString name = nameOf(m_parts.controller.plan().folder);
    const MessageAction continueRun{tr("Continue Run"), [this] { continueShownRun(); }};
    switch (end.state) {
    case RunState::Finished:
        tell(
            MessageBar::Kind::Information,
            tr("%1 has finished: all %2 steps are done.").arg(name, countText(end.endStep)));
        break;
    case RunState::Stopped:
        tell(
            MessageBar::Kind::Information,
            tr("%1 was stopped after %2 steps; they are saved.").arg(name, countText(end.endStep)),
            {continueRun});
        break;
    case RunState::Failed:
        tell(
            MessageBar::Kind::Error,
            tr("%1 was ended by an error after %2 steps; the log says which.")
                .arg(name, countText(end.endStep)),
            {{tr("Show Log"), [this] { emit logRequested(); }, true}, continueRun});
        break;
    default:
        offerToResume(
            {m_parts.controller.plan().folder, end.endStep, m_parts.controller.plan().config.steps},
            true);
    }
    emit continuableChanged();
}

/// A run that is opened again and was not finished: what a person most likely wants.
void RunDesk::offerToContinue(const RunConfig& config)
{
    const std::int64_t done = m_parts.controller.plan().nextStep;
    const fs::path folder = m_parts.controller.plan().folder;
    const InterruptedRun interrupted{folder, done, config.steps};
    const bool isInterrupted = m_parts.controller.endedUnexpectedly();
    if (isInterrupted && !m_parts.settings.wasAskedAbout(interrupted.key())) {
        return offerToResume(interrupted, true);
    }
    if (done < config.steps && canContinue()) {
        m_parts.messages.showMessage(
            MessageBar::Kind::Information,
            (isInterrupted ? tr("%1 ended unexpectedly at step %2 of %3.")
                           : tr("%1 has made %2 of %3 steps."))
                .arg(nameOf(folder), countText(done), countText(config.steps)),
            {{tr("Continue Run"), [this] { continueShownRun(); }}});
    }
}

void RunDesk::offerToResume(const InterruptedRun& run, bool isShown)
{
    m_parts.settings.setAskedAbout(run.key());
    const std::vector<CheckpointItem> files = RunLibrary::checkpointsOf(run.folder);
    std::vector<MessageAction> actions{
        {tr("Resume"), [this, folder = run.folder] { resumeRun(folder); }}};
    if (!isShown) {
        actions.push_back({tr("Show"), [this, folder = run.folder] { openRun(folder); }});
    }
    actions.push_back({tr("Not Now"), [] {}});
    tell(
        MessageBar::Kind::Warning,
        tr("%1 ended unexpectedly at step %2 of %3. Resume it from its newest checkpoint, of step "
           "%4?")
            .arg(
                nameOf(run.folder), countText(run.step), countText(run.steps),
                countText(files.empty() ? 0 : files.back().step)),
        actions);
}

void RunDesk::lookForInterruptedRun()
{
    std::vector<fs::path> folders = RunLibrary::knownRuns();
    for (const QString& recent : m_parts.library.recentRuns()) {
        folders.push_back(toPath(recent));
    }
    const auto shown = m_parts.settings.shownRun(); // tells of itself when it is opened
    std::erase_if(folders, [&](const fs::path& folder) { return folder == shown; });
    m_readers.start([this, folders, asked = m_parts.settings.askedAbout()] {
        const auto found = findInterruptedRun(folders, asked);
        m_mailbox.post([this, found] {
            const bool isQuiet = m_parts.messages.text().isEmpty()
                                 || m_parts.messages.kind() == MessageBar::Kind::Information;
            if (found && m_parts.controller.canStart() && isQuiet) {
                offerToResume(*found, false);
            }
        });
    });
}

void RunDesk::resumeRun(const fs::path& folder)
{
    if (RunLock::writerOf(folder)) { // somebody was faster
        return openRun(folder);
    }
    attempt([&] {
        prepare(requestToContinue(folder), {});
        startPrepared();
    });
}

/// Starts what was set up; where it can't be started, the reason is told and it can be tried again.
void RunDesk::startPrepared()
{
    const QString problem = m_parts.panel.problem();
    if (problem.isEmpty()) {
        start();
    } else {
        tell(MessageBar::Kind::Error, problem, {{tr("Start"), [this] { startPrepared(); }}});
    }
}

void RunDesk::onPreflight(const PreflightRecord& record)
{
    const QString line = tr("Pre-flight: %1: %2")
                             .arg(
                                 QCoreApplication::translate("Preflight", record.name.c_str()),
                                 engineText(record.text));
    emit noted(line, record.result != PreflightResult::Passed);
    if (record.result == PreflightResult::Warning) {
        m_parts.messages.showMessage(MessageBar::Kind::Warning, line);
    }
}

} // namespace lockstep::ui
