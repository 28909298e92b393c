// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_origin.h"
#include "bridge/validation/presets.h"
#include "engine/data.h"
#include "engine/gather.h"
#include "engine/network.h"
#include "engine/storage.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/runs_panel.h"
#include "plots/axes/number_text.h"
#include "window/commands/files.h"
#include "window/commands/run_commands.h"

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

namespace fs = std::filesystem;
using Kind = FileKind::Kind;

bool OpenCommands::canTry() const
{
    return !m_parts.run.folder().empty() && !m_parts.run.isRecorded();
}

void OpenCommands::open(const std::vector<fs::path>& paths)
{
    std::vector<FileKind> all;
    std::ranges::transform(paths, std::back_inserter(all), kindOf);
    // What can't be opened is told last, so that it stays to be read.
    const auto isRun = [](const FileKind& file) { return file.kind == Kind::Run; };
    const auto others = std::stable_partition(all.begin(), all.end(), isRun);
    const bool isShown = m_parts.controller.canStart(); // else each gets a window of its own
    for (auto run = all.begin(); run != others; ++run) {
        if (!isShown || run == all.begin()) {
            openRun(run->path);
            continue;
        }
        m_parts.notices.attempt([&] {
            const RunStoreReader readable(RunFolder::storeFileOf(run->path)); // or why it isn't
            m_parts.library.addRun(run->path);
            m_parts.runsPanel.overlay(toQString(run->path), true);
        });
    }
    // Pictures are looked at together.
    std::vector<fs::path> pictures;
    const FileKind* firstOfThem = nullptr;
    std::for_each(others, all.end(), [&](const FileKind& file) {
        const bool isPicture = file.kind == Kind::Picture || file.kind == Kind::Pictures;
        if (!isPicture || !canTry()) {
            return openOne(file);
        }
        pictures.push_back(file.path);
        firstOfThem = firstOfThem == nullptr ? &file : firstOfThem;
    });
    if (firstOfThem == nullptr) {
        return;
    }
    emit picturesTried(pictures);
    if (firstOfThem->isData() && m_parts.canTrain) { // they may have been meant to be learnt
        m_parts.notices.inform(
            tr("The network that is shown is asked about the pictures in %1.")
                .arg(nameOf(firstOfThem->path)),
            {{tr("New Run on Them"), [this, first = *firstOfThem] { setUpWith(first); }}});
    }
}

void OpenCommands::openOne(const FileKind& file)
{
    switch (file.kind) {
    case Kind::Machine:
        return emit machineRequested(toQString(file.path));
    case Kind::Configuration:
    case Kind::Network:
        return importConfiguration(file.path);
    case Kind::Checkpoint:
        return loadCheckpoint(file.path);
    case Kind::Weights:
    case Kind::Pictures:
    case Kind::DataSet:
        return setUpWith(file);
    case Kind::Picture:
        return m_parts.notices.reportError(
            tr("%1 is a picture: open a run first, whose network is then asked about it.")
                .arg(toQString(file.path)));
    default:
        m_parts.notices.reportError(
            tr("%1 can't be opened: it is %2. What can be opened: the folder of a run, checkpoints "
               "and weights (.safetensors), configurations and networks (.toml), pictures and "
               "data sets.")
                .arg(toQString(file.path), file.words));
    }
}

QString OpenCommands::promiseOf(const FileKind& file, std::size_t count) const
{
    switch (file.kind) {
    case Kind::Run:
        return !m_parts.controller.canStart() ? tr("Opens this run in a window of its own")
               : count > 1 ? tr("Opens the first run, and lays the others over its charts")
                           : tr("Opens this run");
    case Kind::Picture:
    case Kind::Pictures:
        if (canTry()) {
            return tr("Asks the network of the run that is shown");
        }
        return file.isData() ? tr("Sets up a run that learns these pictures")
                             : tr("A picture: open a run first, to ask its network about it");
    case Kind::Checkpoint:
        return m_parts.controller.canStart()
                   ? tr("Sets up a run that starts from this checkpoint, or goes on with its run")
                   : tr("Sets up the next run, which starts from this checkpoint");
    case Kind::Weights:
        return tr("Sets up a run that starts with these weights");
    case Kind::Configuration:
        return tr("Sets up the run of this configuration");
    case Kind::Network:
        return tr("Sets up a run of this network");
    case Kind::DataSet:
        return tr("Sets up a run on this data set");
    default:
        return tr("%1 can't be opened: it is %2").arg(nameOf(file.path), file.words);
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
                m_parts.notices.show(
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
        std::vector<MessageAction> actions;
        if (summary.run && m_parts.canTrain && m_parts.controller.canStart()) {
            actions.push_back(
                {tr("Continue Its Run"), [this, file] { m_setUps.setUpToContinue(file); }});
        } else if (summary.run) {
            actions.push_back({tr("Show Its Run"), [this, run = *summary.run] { openRun(run); }});
        }
        if (m_parts.canTrain) { // while one trains it is the next one
            actions.push_back(
                {tr("New Run from It"), [this, file] { m_setUps.setUpFromCheckpoint(file); }});
            actions.push_back(
                {tr("Fine-Tune from It"), [this, file] { m_setUps.setUpToFineTune(file); }});
        }
        m_parts.notices.inform(
            what
                + (m_parts.canTrain ? tr(" What should be done with it?")
                                    : tr(" Nothing can be started from it in this window.")),
            actions);
    });
}

bool OpenCommands::canSetUp(const fs::path& file)
{
    if (!m_parts.canTrain) {
        m_parts.notices.tell(
            Notices::Kind::Warning,
            tr("%1: nothing can be set up in this window, which only shows a run.")
                .arg(toQString(file)));
    }
    return m_parts.canTrain;
}

void OpenCommands::importConfiguration(const fs::path& file)
{
    if (!canSetUp(file)) {
        return;
    }
    m_parts.notices.attempt([&] {
        RunConfig config;
        if (!describesNetwork(file)) {
            readConfigFile(config, file);
            return m_setUps.setUp(config);
        }
        const QString name = QString::fromStdString(readModelFile(file).name);
        config = m_parts.panel.request().config;
        config.model = {};
        config.phases.clear();
        setConfigValue(config, "model", file.string());
        m_setUps.setUp(config);
        m_parts.notices.inform(tr("The network %1 is set up, from %2.").arg(name, nameOf(file)));
    });
}

/// Weights, for the network that is set up; a data set, for a network that is known to learn one
/// like it.
void OpenCommands::setUpWith(const FileKind& file)
{
    if (!canSetUp(file.path)) {
        return;
    }
    RunConfig config = m_parts.panel.request().config;
    if (file.isData()) {
        const bool isMasked = describeDataset(file.dataset).hasMasks;
        for (const Preset& preset : presets()) {
            const std::string& learnt = preset.config.dataset;
            if (learnt == file.dataset || (isMasked && learnt == "kolektorsdd")) {
                config = preset.config;
                break;
            }
        }
        config.dataset = file.dataset;
        config.datasetPath = file.path.string();
        config.model.classes = 0; // those of the data, whatever the preset learns
    } else {
        config.initialWeights = {file.path.string()};
    }
    m_setUps.setUp(config);
    m_parts.notices.inform(
        (file.isData() ? tr("A run on %1 is set up.") : tr("A run is set up that starts with %1."))
            .arg(nameOf(file.path)));
}

} // namespace lockstep::ui
