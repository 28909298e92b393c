// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/run_commands.h"

#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_library.h"
#include "engine/crash.h"
#include "engine/storage.h"
#include "panels/run_form/run_panel.h"
#include "plots/axes/number_text.h"

#include <QDesktopServices>
#include <QUrl>

#include <utility>

namespace lockstep::ui {

namespace fs = std::filesystem;

OpenCommands::OpenCommands(const WindowParts& parts, SetUpCommands& setUps, StartCommands& starts)
    : QObject(&parts.owner), m_parts(parts), m_setUps(setUps), m_starts(starts)
{
    RunFeed& feed = parts.controller.feed();
    connect(&feed, &RunFeed::started, this, &OpenCommands::onStarted);
    connect(&feed, &RunFeed::checkpointWritten, this, [this](qint64, const fs::path& file) {
        if (!m_parts.run.machine()) {
            m_parts.library.addCheckpoint(file);
        }
    });
    connect(&starts, &StartCommands::startedThere, this, [this](const fs::path& mirror) {
        m_parts.machine.whenHere(mirror, [this, mirror] { openRun(mirror); });
    });
    connect(
        &parts.controller, &SessionController::followingEnded, this,
        &OpenCommands::onFollowingEnded);
}

void OpenCommands::onStarted(const fs::path& folder, const RunConfig& config)
{
    const bool isThere = m_parts.run.machine() != nullptr;
    if (!isThere) {
        m_parts.library.addRun(folder);
    }
    if (m_parts.controller.isFollowing()) {
        if (m_parts.canTrain && !isThere) {
            m_parts.settings.setShownRun(folder); // for the next window, however this one ends
        }
        m_parts.notices.show(
            isThere
                ? tr("%1 is being trained on %2. This window follows it; closing the window leaves "
                     "the run alone.")
                      .arg(nameOf(folder), m_parts.machine.name())
            : m_parts.run.isRecorded()
                ? tr("%1 is being recorded. This window follows it; closing the window leaves the "
                     "training alone.")
                      .arg(nameOf(folder))
                : tr("%1 is being trained by process %2. This window follows it; closing the "
                     "window leaves the run alone.")
                      .arg(nameOf(folder))
                      .arg(m_parts.controller.plan().writer.value_or(0)));
    } else if (!m_parts.controller.isBusy() && m_parts.canTrain) {
        offerToContinue(config);
    }
    tellOfCrash();
}

void OpenCommands::onFollowingEnded(const FollowedEnd& end)
{
    m_parts.panel.refresh(); // the run may be gone on with again
    const RunPlan& plan = m_parts.controller.plan();
    const QString name = nameOf(plan.folder);
    const QString steps = countText(end.endStep);
    std::vector<MessageAction> actions;
    if (m_starts.canContinue()) {
        actions.push_back({tr("Continue Run"), [this] { m_starts.continueShownRun(); }});
    }
    switch (end.state) {
    case RunState::Finished:
        return m_parts.notices.inform(
            tr("%1 has finished: all %2 steps are done.").arg(name, steps));
    case RunState::Stopped:
        return m_parts.notices.inform(
            tr("%1 was stopped after %2 steps; they are saved.").arg(name, steps), actions);
    case RunState::Failed:
        actions.insert(actions.begin(), m_parts.notices.showLog());
        return m_parts.notices.reportError(
            tr("%1 was ended by an error after %2 steps; the log says which.").arg(name, steps),
            actions);
    default:
        if (!m_parts.run.isRecorded()) {
            return offerToResume({plan.folder, end.endStep, plan.config.steps}, true);
        }
        m_parts.notices.inform(tr("%1 is not recorded any more, after %2 steps.").arg(name, steps));
    }
}

/// A run that is opened again and was not finished: what a person most likely wants.
void OpenCommands::offerToContinue(const RunConfig& config)
{
    if (m_parts.run.isRecorded()) {
        return;
    }
    const RunPlan& plan = m_parts.controller.plan();
    const InterruptedRun shown{plan.folder, plan.nextStep, config.steps};
    const bool isInterrupted = m_parts.controller.endedUnexpectedly();
    if (isInterrupted && !m_parts.settings.askedAbout().contains(shown.key())) {
        return offerToResume(shown, true);
    }
    if (shown.step < shown.steps && m_starts.canContinue()) {
        const QString text = isInterrupted ? tr("%1 ended unexpectedly at step %2 of %3.")
                                           : tr("%1 has made %2 of %3 steps.");
        m_parts.notices.show(
            text.arg(nameOf(shown.folder), countText(shown.step), countText(shown.steps))
                + StartCommands::lossText(shown.folder, shown.step),
            {{tr("Continue Run"), [this] { m_starts.continueShownRun(); }}});
    }
}

void OpenCommands::offerToResume(const InterruptedRun& run, bool isShown)
{
    constexpr int kMostAskedAbout = 50;
    m_parts.settings.askedAbout.putFirst(run.key(), kMostAskedAbout);
    std::vector<MessageAction> actions;
    if (m_parts.canTrain) {
        actions.push_back({tr("Resume"), [this, folder = run.folder] {
                               // Somebody may have been faster.
                               RunLock::writerOf(folder) ? openRun(folder)
                                                         : m_starts.resumeRun(folder);
                           }});
    }
    if (!isShown) {
        actions.push_back({tr("Show"), [this, folder = run.folder] { openRun(folder); }});
    }
    actions.push_back({tr("Not Now"), [] {}});
    m_parts.notices.tell(
        Notices::Kind::Warning,
        tr("%1 ended unexpectedly at step %2 of %3.")
                .arg(nameOf(run.folder), countText(run.step), countText(run.steps))
            + StartCommands::lossText(run.folder, run.step),
        actions);
}

void OpenCommands::lookForInterruptedRun()
{
    std::vector<fs::path> folders = RunLibrary::knownRuns();
    for (const QString& recent : m_parts.library.recentRuns()) {
        folders.push_back(toPath(recent));
    }
    std::vector<fs::path> places = folders;
    places.push_back(crashFolder());
    const auto shown = m_parts.settings.shownRun(); // tells of itself when it is opened
    places.push_back(shown.value_or(fs::path()));
    std::erase_if(folders, [&](const fs::path& folder) { return folder == shown; });
    m_readers.start([this, folders, places, shown, asked = m_parts.settings.askedAbout()] {
        const auto found = findInterruptedRun(folders, asked);
        m_mailbox.post([this, found, crash = newestCrashTrace(places), shown] {
            const MessageBar& bar = m_parts.notices.bar();
            const bool isQuiet = bar.text().isEmpty() || bar.kind() == Notices::Kind::Information;
            if (found && m_parts.controller.canStart() && isQuiet) {
                offerToResume(*found, false);
            }
            m_crash = crash;
            if (!shown || !m_parts.run.folder().empty()) { // else once it is open
                tellOfCrash();
            }
        });
    });
}

/// Over an offer to go on with a run, which comes back.
void OpenCommands::tellOfCrash()
{
    const auto crash = std::exchange(m_crash, {});
    if (!crash || nameOf(*crash) <= m_parts.settings.toldCrash()) {
        return;
    }
    m_parts.settings.toldCrash.set(nameOf(*crash));
    m_parts.notices.reportError(
        tr("Lockstep crashed. What it did last is written down: %1").arg(toQString(*crash)),
        {{tr("Show Report"),
          [crash] { QDesktopServices::openUrl(QUrl::fromLocalFile(toQString(*crash))); }, true}});
}

} // namespace lockstep::ui
