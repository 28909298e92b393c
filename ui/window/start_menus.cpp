// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/start_menus.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_title.h"
#include "bridge/validation/presets.h"
#include "panels/run_form/run_panel.h"
#include "panels/start/start_page.h"
#include "window/alerts/notices.h"
#include "window/base/window_actions.h"
#include "window/commands/file_choice.h"
#include "window/commands/open_commands.h"
#include "window/commands/set_up_commands.h"

#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

namespace fs = std::filesystem;

StartMenus::StartMenus(const Parts& parts) : m_parts(parts)
{
    connectPage();
    connect(parts.actions.savePreset, &QAction::triggered, this, [this] {
        const RunConfig config = m_parts.commands.panel.request().config;
        askForPresetName(
            tr("Save as Preset"), describedTitle(config),
            [config](const QString& name) { saveOwnPreset(name, config); });
    });
    for (QMenu* const menu : {parts.actions.recentRuns, parts.actions.recentCheckpoints}) {
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            fillRecent(*menu, menu == m_parts.actions.recentRuns);
        });
    }
    fillPresets();
}

void StartMenus::connectPage()
{
    connect(&m_parts.page, &StartPage::chosen, &m_parts.setUps, &SetUpCommands::setUp);
    connect(&m_parts.page, &StartPage::runChosen, &m_parts.opens, &OpenCommands::openRun);
    connect(&m_parts.page, &StartPage::picturesWanted, this, [this](const RunConfig& config) {
        chooseFile(
            m_parts.commands.window, {tr("Folder of Your Pictures"), {}, {}, {}},
            [this, config](const fs::path& folder) {
                RunConfig own = config;
                own.datasetPath = folder.string();
                m_parts.setUps.setUp(own);
            });
    });
    connect(&m_parts.page, &StartPage::removalWanted, this, [this](const Preset& preset) {
        changePresets([&] { removeOwnPreset(preset); });
    });
    connect(&m_parts.page, &StartPage::newNameWanted, this, [this](const Preset& preset) {
        askForPresetName(tr("Rename Preset"), preset.title, [preset](const QString& name) {
            saveOwnPreset(name, preset.config);
            if (name.simplified() != preset.title) {
                removeOwnPreset(preset);
            }
        });
    });
}

void StartMenus::fillPresets()
{
    QMenu& menu = *m_parts.actions.presets;
    menu.clear();
    std::vector<Preset> all = presets();
    std::ranges::move(ownPresets(), std::back_inserter(all));
    for (const Preset& preset : all) {
        QAction* const action = menu.addAction(preset.title);
        action->setObjectName(QStringLiteral("preset_") + preset.name);
        action->setToolTip(preset.description);
        action->setStatusTip(preset.description);
        connect(action, &QAction::triggered, this, [this, config = preset.config] {
            m_parts.setUps.setUp(config);
        });
    }
    menu.setToolTipsVisible(true);
}

void StartMenus::askForPresetName(
    const QString& title, const QString& proposed, const std::function<void(const QString&)>& save)
{
    auto* const dialog = new QInputDialog(&m_parts.commands.window);
    dialog->setObjectName(QStringLiteral("preset_name"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(tr("Name of the preset:"));
    dialog->setTextValue(proposed);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, save](const QString& name) {
        if (!name.simplified().isEmpty()) {
            changePresets([&] { save(name); });
        }
    });
    dialog->open();
}

void StartMenus::changePresets(const std::function<void()>& change)
{
    m_parts.commands.notices.attempt([&] {
        change();
        fillPresets();
        m_parts.page.refreshPresets();
    });
}

void StartMenus::fillRecent(QMenu& menu, bool isRuns)
{
    RunLibrary& library = m_parts.commands.library;
    menu.clear();
    const QStringList names = isRuns ? library.recentRuns() : library.recentCheckpoints();
    for (const QString& name : names) {
        const QFileInfo info(name);
        QAction* const action = menu.addAction(
            isRuns ? titleOf(toPath(name))
                   : tr("%1 (%2)").arg(info.fileName(), info.dir().dirName()));
        action->setToolTip(name);
        connect(action, &QAction::triggered, this, [this, isRuns, path = toPath(name)] {
            isRuns ? m_parts.opens.openRun(path) : m_parts.opens.loadCheckpoint(path);
        });
    }
    menu.setToolTipsVisible(true);
    if (names.isEmpty()) {
        menu.addAction(tr("None yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Clear This List")), &QAction::triggered, this, [&library, isRuns] {
        isRuns ? library.clearRuns() : library.clearCheckpoints();
    });
}

} // namespace lockstep::ui
