// SPDX-License-Identifier: GPL-3.0-or-later
// What RunDesk sets up from checkpoints.
#include "bridge/base/file_names.h"
#include "bridge/runs/run_origin.h"
#include "engine/base.h"
#include "engine/run.h"
#include "panels/run_form/run_panel.h"
#include "plots/axes/number_text.h"
#include "window/commands/run_desk.h"

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

} // namespace

void RunDesk::loadCheckpoint(const fs::path& file)
{
    attempt([&] {
        const CheckpointSummary summary = readCheckpointSummary(file);
        std::vector<MessageAction> actions;
        if (summary.run) {
            actions.push_back({tr("Continue Its Run"), [this, file] { setUpToContinue(file); }});
        }
        actions.push_back({tr("New Run from It"), [this, file] { setUpFromCheckpoint(file); }});
        actions.push_back({tr("Fine-Tune from It"), [this, file] { setUpToFineTune(file); }});
        m_parts.library.addCheckpoint(file);
        tell(
            MessageBar::Kind::Information,
            tr("%1: step %2 of %3, %4 × %5. What should be done with it?")
                .arg(
                    nameOf(file), countText(summary.step), QString::fromStdString(summary.model),
                    countText(summary.config.towers),
                    countText(summary.config.towerShape().batchPerTower)),
            actions);
    });
}

void RunDesk::setUpToContinue(const fs::path& checkpoint)
{
    attempt([&] { prepareToContinue(checkpoint); });
}

void RunDesk::resumeFrom(const fs::path& checkpoint)
{
    attempt([&] {
        prepareToContinue(checkpoint);
        startPrepared();
    });
}

void RunDesk::prepareToContinue(const fs::path& checkpoint)
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
    if (m_parts.run.folder() != *summary.run) {
        m_parts.controller.open(*summary.run);
    }
}

void RunDesk::setUpFromCheckpoint(const fs::path& checkpoint)
{
    attempt([&] {
        const RunRequest request = requestFromCheckpoint(checkpoint);
        prepare(
            request, tr("A new run is set up from %1, to go on until step %2.")
                         .arg(nameOf(checkpoint), countText(request.config.steps)));
    });
}

void RunDesk::setUpToFineTune(const fs::path& checkpointOrRun)
{
    attempt([&] {
        prepare(
            requestToFineTune(checkpointOrRun),
            tr("A new run is set up that begins at step 0 with the weights of %1. Layers whose "
               "shapes differ in another model begin with random weights.")
                .arg(nameOf(checkpointOrRun)));
    });
}

} // namespace lockstep::ui
