// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/run_commands.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "bridge/session/live_run.h"
#include "engine/base.h"
#include "engine/remote.h"
#include "panels/run_form/run_panel.h"
#include "plots/axes/number_text.h"
#include "window/alerts/notices.h"

namespace lockstep::ui {

namespace fs = std::filesystem;

void SetUpCommands::prepare(const RunRequest& request, const QString& message)
{
    if (m_parts.controller.state() == SessionController::State::Following
        || m_parts.run.isRecorded()) {
        leaveShownRun();
    }
    m_parts.panel.setRequest(request);
    if (message.isEmpty()) {
        m_parts.notices.bar().clear();
    } else {
        m_parts.notices.tell(Notices::Kind::Information, message, {{tr("Start"), [this] {
                                                                        emit startRequested();
                                                                    }}});
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
    m_parts.notices.tell(Notices::Kind::Information, text, {{tr("Use It"), use}});
}

} // namespace lockstep::ui
