// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_origin.h"
#include "bridge/session/live_run.h"
#include "engine/gather.h"
#include "engine/network.h"
#include "engine/storage.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/runs_panel.h"
#include "plots/axes/number_text.h"
#include "window/alerts/notices.h"
#include "window/commands/run_commands.h"

#include <algorithm>

namespace lockstep::ui {

namespace fs = std::filesystem;
namespace {

/// The run whose folder, configuration or store this is; empty: of none.
fs::path runOf(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return path;
    }
    const fs::path store = RunFolder::storeFileOf(path.parent_path());
    const bool isOwn = path == store || path == RunFolder::configurationFileOf(path.parent_path());
    return isOwn && fs::exists(store, ignored) ? path.parent_path() : fs::path();
}

} // namespace

void OpenCommands::open(std::vector<fs::path> paths)
{
    // What can't be opened is told last, so that it stays to be read.
    const auto others = std::stable_partition(
        paths.begin(), paths.end(), [](const fs::path& path) { return !runOf(path).empty(); });
    const bool isShown = m_parts.controller.canStart(); // else each gets a window of its own
    for (auto path = paths.begin(); path != others; ++path) {
        (isShown && path != paths.begin()) ? layOver(runOf(*path)) : openRun(runOf(*path));
    }
    std::for_each(others, paths.end(), [this](const fs::path& path) { openOne(path); });
}

void OpenCommands::layOver(const fs::path& run)
{
    m_parts.notices.attempt([&] {
        const RunStoreReader readable(RunFolder::storeFileOf(run)); // or the reason why it isn't
        m_parts.library.addRun(run);
        m_parts.runsPanel.overlay(toQString(run), true);
    });
}

void OpenCommands::openOne(const fs::path& path)
{
    if (isRemoteAddress(path.string())) {
        emit machineRequested(toQString(path));
    } else if (path.extension() == ".toml") {
        importConfiguration(path);
    } else {
        loadCheckpoint(path);
    }
}

void OpenCommands::openRun(const fs::path& folder)
{
    m_parts.notices.attempt([&] {
        // The configuration of a training of another program is no setting of ours.
        const bool isRecorded = RunGatherer::isRecorded(folder) || !recorderOf(folder).empty();
        const auto config = isRecorded ? std::nullopt : std::optional(configOfRun(folder));
        if (m_parts.controller.canStart()) {
            m_parts.notices.bar().clear();
            if (config) {
                m_parts.panel.setRequest({*config, {}, false, std::nullopt});
            }
            m_wanted = folder;
            if (m_parts.machine.isMirror(folder)) {
                m_parts.notices.bar().showMessage(
                    Notices::Kind::Information,
                    tr("Fetching %1 from %2…").arg(nameOf(folder), m_parts.machine.name()));
            }
            m_parts.machine.whenHere(folder, [this, folder] {
                if (folder == m_wanted && m_parts.controller.canStart()) {
                    m_parts.notices.bar().clear();
                    m_parts.controller.open(folder);
                }
            });
        } else if (folder != m_parts.run.folder()) {
            emit windowRequested(folder);
        }
    });
}

void OpenCommands::loadCheckpoint(const fs::path& file)
{
    m_parts.notices.attempt([&] {
        const CheckpointSummary summary = readCheckpointSummary(file);
        m_parts.library.addCheckpoint(file);
        const QString what =
            tr("%1: step %2 of %3, %4 × %5.")
                .arg(
                    nameOf(file), countText(summary.step), QString::fromStdString(summary.model),
                    countText(summary.config.towers),
                    countText(summary.config.towerShape().batchPerTower));
        const bool canStart = m_parts.canTrain && m_parts.controller.canStart();
        std::vector<MessageAction> actions;
        if (summary.run && canStart) {
            actions.push_back(
                {tr("Continue Its Run"), [this, file] { m_setUps.setUpToContinue(file); }});
        } else if (summary.run) {
            actions.push_back({tr("Show Its Run"), [this, run = *summary.run] { openRun(run); }});
        }
        if (canStart) {
            actions.push_back(
                {tr("New Run from It"), [this, file] { m_setUps.setUpFromCheckpoint(file); }});
            actions.push_back(
                {tr("Fine-Tune from It"), [this, file] { m_setUps.setUpToFineTune(file); }});
        }
        m_parts.notices.tell(
            Notices::Kind::Information,
            what
                + (canStart ? tr(" What should be done with it?")
                   : m_parts.canTrain
                       ? tr(" Nothing can be started from it while a run is trained.")
                       : tr(" Nothing can be started from it in this window.")),
            actions);
    });
}

void OpenCommands::importConfiguration(const fs::path& file)
{
    if (!m_parts.canTrain || !m_parts.controller.canStart()) {
        return m_parts.notices.tell(
            Notices::Kind::Warning,
            tr("%1: nothing can be set up while a run is trained; open it again when the run has "
               "ended.")
                .arg(toQString(file)));
    }
    m_parts.notices.attempt([&] {
        if (describesNetwork(file)) {
            return setUpNetwork(file);
        }
        RunConfig config;
        readConfigFile(config, file);
        m_setUps.setUp(config);
    });
}

void OpenCommands::setUpNetwork(const fs::path& model)
{
    const NetworkSpec network = readModelFile(model);
    RunConfig config = m_parts.panel.request().config;
    config.model = {};
    config.phases.clear();
    setConfigValue(config, "model", model.string());
    m_setUps.setUp(config);
    m_parts.notices.tell(
        Notices::Kind::Information, tr("The network %1 is set up, from %2.")
                                        .arg(QString::fromStdString(network.name), nameOf(model)));
}

} // namespace lockstep::ui
