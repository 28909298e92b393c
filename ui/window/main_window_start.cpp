// SPDX-License-Identifier: GPL-3.0-or-later
// What a run can begin with: the start page, presets; and the windows beside this one.
#include "bridge/runs/run_title.h"
#include "bridge/validation/presets.h"
#include "engine/base.h"
#include "models/engine_text.h"
#include "panels/run_form/run_panel.h"
#include "panels/start/start_page.h"
#include "widgets/bars/message_bar.h"
#include "window/base/window_actions.h"
#include "window/commands/file_choice.h"
#include "window/commands/run_desk.h"
#include "window/main_window.h"

#include <QInputDialog>

namespace lockstep::ui {

namespace fs = std::filesystem;

void MainWindow::connectStartPage()
{
    RunDesk* const desk = m_desk.get();
    connect(m_startPage, &StartPage::chosen, desk, &RunDesk::setUp);
    connect(m_startPage, &StartPage::runChosen, desk, &RunDesk::openRun);
    connect(m_startPage, &StartPage::picturesWanted, this, [this](const RunConfig& config) {
        chooseFile(
            *this, {tr("Folder of Your Pictures"), {}, {}, {}},
            [this, config](const fs::path& folder) {
                RunConfig own = config;
                own.datasetPath = folder.string();
                m_desk->setUp(own);
            });
    });
    connect(m_startPage, &StartPage::removalWanted, this, [this](const Preset& preset) {
        changePresets([&] { removeOwnPreset(preset); });
    });
    connect(m_startPage, &StartPage::newNameWanted, this, [this](const Preset& preset) {
        askForPresetName(tr("Rename Preset"), preset.title, [preset](const QString& name) {
            saveOwnPreset(name, preset.config);
            if (name.simplified() != preset.title) {
                removeOwnPreset(preset);
            }
        });
    });
    connect(m_actions->savePreset, &QAction::triggered, this, [this] {
        const RunConfig config = m_runPanel->request().config;
        askForPresetName(
            tr("Save as Preset"), describedTitle(config),
            [config](const QString& name) { saveOwnPreset(name, config); });
    });
    connect(desk, &RunDesk::windowRequested, this, &MainWindow::lookAt);
}

void MainWindow::askForPresetName(
    const QString& title, const QString& proposed, const std::function<void(const QString&)>& save)
{
    auto* const dialog = new QInputDialog(this);
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

void MainWindow::changePresets(const std::function<void()>& change)
{
    try {
        change();
        fillPresets();
        m_startPage->refreshPresets();
    } catch (const Error& error) {
        m_messages->showMessage(MessageBar::Kind::Error, engineText(error.what()));
    }
}

void MainWindow::lookAt(const fs::path& run)
{
    auto* const beside = new MainWindow(m_settings.settings(), Purpose::Look);
    beside->setAttribute(Qt::WA_DeleteOnClose);
    connect(this, &MainWindow::closed, beside, &QWidget::close);
    beside->show();
    beside->desk().openRun(run);
}

} // namespace lockstep::ui
