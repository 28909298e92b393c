// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_library.h"
#include "bridge/runs/run_title.h"
#include "bridge/validation/presets.h"
#include "dialogs/watch_dialog.h"
#include "engine/base.h"
#include "panels/run_form/run_panel.h"
#include "panels/start/start_page.h"
#include "window/commands/files.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"

#include <QDate>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <iterator>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

/// As it is, or with a number behind it where a preset has that title.
QString freeTitle(const QString& title)
{
    QString free = title;
    for (int number = 2; hasOwnPreset(free); ++number) {
        free = title + QLatin1Char(' ') + QString::number(number);
    }
    return free;
}

/// For a training of another program, among the runs.
fs::path freeRunFolder()
{
    const QString name = QDate::currentDate().toString(Qt::ISODate) + QStringLiteral("-pytorch");
    fs::path folder = RunLibrary::runsFolder() / toPath(name);
    for (int number = 2; fs::exists(folder); ++number) {
        folder = RunLibrary::runsFolder() / toPath(QStringLiteral("%1-%2").arg(name).arg(number));
    }
    return folder;
}

class StartMenus : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::StartMenus)

public:
    StartMenus(const WindowParts& parts, SetUpCommands& setUps, OpenCommands& opens)
        : QObject(&parts.owner), m_parts(parts), m_setUps(setUps), m_opens(opens)
    {
        connect(parts.actions.newRun, &QAction::triggered, &setUps, &SetUpCommands::setUpNewRun);
        connect(parts.actions.savePreset, &QAction::triggered, this, [this] {
            const RunConfig config = m_parts.panel.request().config;
            askForPresetName(
                tr("Save as Preset"), freeTitle(describedTitle(config)), {},
                [config](const QString& name) { saveOwnPreset(name, config); });
        });
        for (QMenu* const menu : {parts.actions.recentRuns, parts.actions.recentCheckpoints}) {
            connect(menu, &QMenu::aboutToShow, this, [this, menu] {
                fillRecent(*menu, menu == m_parts.actions.recentRuns);
            });
        }
        fillPresets();
        for (const auto change :
             {&MachineConnection::factsChanged, &MachineConnection::machineChanged}) {
            connect(&parts.machine, change, this, &StartMenus::fillPresets);
        }
        connect(&m_parts.page, &StartPage::chosen, &setUps, &SetUpCommands::setUp);
        connect(&m_parts.page, &StartPage::startWanted, this, [this](const RunConfig& config) {
            m_setUps.setUp(config);
            emit m_setUps.startRequested();
        });
        connect(&m_parts.page, &StartPage::runChosen, &opens, &OpenCommands::openRun);
        connect(&m_parts.page, &StartPage::watchWanted, this, [this] {
            auto* const dialog = new WatchDialog(freeRunFolder(), &m_parts.window);
            connect(dialog, &WatchDialog::found, &m_opens, &OpenCommands::openRun);
            dialog->show();
        });
        connect(&m_parts.page, &StartPage::fileWanted, this, [this] {
            chooseFile(
                m_parts.window,
                {tr("Open Anything"),
                 tr("Runs, checkpoints, configurations, networks, pictures, data sets "
                    "(*.db *.safetensors *.toml *.jpg *.jpeg *.png *.bmp *.zip *.tar *.tgz "
                    "*.csv);;All files (*)"),
                 QString(), RunLibrary::runsFolder()},
                [this](const fs::path& file) { m_opens.open({file}); });
        });
        connect(&m_parts.page, &StartPage::picturesWanted, this, [this](const RunConfig& config) {
            chooseFile(
                m_parts.window, {tr("Folder of Your Pictures")},
                [this, config](const fs::path& folder) {
                    RunConfig own = config;
                    own.datasetPath = folder.string();
                    own.model.classes = 0; // those of the data
                    m_setUps.setUp(own);
                });
        });
        connect(&m_parts.page, &StartPage::removalWanted, this, [this](const Preset& preset) {
            ask(tr("Remove the preset %1?").arg(preset.title), tr("Remove"),
                [preset] { removeOwnPreset(preset); });
        });
        connect(&m_parts.page, &StartPage::newNameWanted, this, [this](const Preset& preset) {
            const QString own = preset.title;
            askForPresetName(tr("Rename Preset"), own, own, [preset](const QString& name) {
                saveOwnPreset(name, preset.config);
                if (name != preset.title) {
                    removeOwnPreset(preset);
                }
            });
        });
    }

private:
    void fillPresets()
    {
        QMenu& menu = *m_parts.actions.presets;
        menu.clear();
        std::vector<Preset> all = presets();
        std::ranges::move(ownPresets(), std::back_inserter(all));
        std::ranges::move(presetsThere(), std::back_inserter(all));
        for (const Preset& preset : all) {
            QAction* const action = menu.addAction(preset.title);
            action->setObjectName(QStringLiteral("preset_") + preset.name);
            action->setToolTip(preset.description);
            action->setStatusTip(preset.description);
            connect(action, &QAction::triggered, this, [this, config = preset.config] {
                m_setUps.setUp(config);
            });
        }
        menu.setToolTipsVisible(true);
    }

    /// Those that lie on the machine; what can't be read is left out.
    [[nodiscard]] std::vector<Preset> presetsThere() const
    {
        std::vector<Preset> found;
        const auto& facts = m_parts.machine.facts();
        for (const auto& there : facts ? facts->presets : std::vector<RemoteFacts::Preset>()) {
            try {
                Preset preset;
                preset.name = QStringLiteral("there_") + QString::fromStdString(there.name);
                preset.title =
                    tr("%1 (%2)").arg(QString::fromStdString(there.name), m_parts.machine.name());
                parseConfig(preset.config, there.configuration, there.name);
                found.push_back(std::move(preset));
            } catch (const Error&) { // of another version, say
            }
        }
        return found;
    }

    /// `own`: the name of the preset that gets another one; empty: it is a new one.
    void askForPresetName(
        const QString& title, const QString& proposed, const QString& own,
        const std::function<void(const QString&)>& save)
    {
        auto* const dialog = new QInputDialog(&m_parts.window);
        dialog->setObjectName(QStringLiteral("preset_name"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(title);
        dialog->setLabelText(tr("Name of the preset:"));
        dialog->setTextValue(proposed);
        const auto onTyped = [this, own, save](const QString& typed) {
            const QString name = typed.simplified();
            const auto change = [save, name] { save(name); };
            if (name != own && hasOwnPreset(name)) {
                ask(tr("There is a preset %1 already. Replace it?").arg(name), tr("Replace"),
                    change);
            } else if (!name.isEmpty()) {
                changePresets(change);
            }
        };
        connect(dialog, &QInputDialog::textValueSelected, this, onTyped);
        dialog->open();
    }

    /// Before a preset is lost.
    void ask(const QString& text, const QString& consent, const std::function<void()>& change)
    {
        auto* const box = new QMessageBox(
            QMessageBox::Question, tr("Lockstep"), text, QMessageBox::Cancel, &m_parts.window);
        box->setObjectName(QStringLiteral("preset_question"));
        const QPushButton* const agree = box->addButton(consent, QMessageBox::AcceptRole);
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(agree, &QPushButton::clicked, this, [this, change] { changePresets(change); });
        box->open();
    }

    void changePresets(const std::function<void()>& change)
    {
        m_parts.notices.attempt([&] {
            change();
            fillPresets();
            m_parts.page.refreshPresets();
        });
    }

    void fillRecent(QMenu& menu, bool isRuns)
    {
        RunLibrary& library = m_parts.library;
        menu.clear();
        const QStringList names = isRuns ? library.recentRuns() : library.recentCheckpoints();
        for (const QString& name : names) {
            const QFileInfo info(name);
            QAction* const action = menu.addAction(
                isRuns ? titleOf(toPath(name))
                       : tr("%1 (%2)").arg(info.fileName(), info.dir().dirName()));
            action->setToolTip(name);
            connect(action, &QAction::triggered, this, [this, isRuns, path = toPath(name)] {
                isRuns ? m_opens.openRun(path) : m_opens.loadCheckpoint(path);
            });
        }
        menu.setToolTipsVisible(true);
        if (names.isEmpty()) {
            menu.addAction(tr("None yet"))->setEnabled(false);
            return;
        }
        menu.addSeparator();
        menu.addAction(tr("Clear This List"), this, [&library, isRuns] {
            isRuns ? library.clearRuns() : library.clearCheckpoints();
        });
    }

    const WindowParts m_parts;
    SetUpCommands& m_setUps;
    OpenCommands& m_opens;
};

} // namespace

void addStartMenus(const WindowParts& parts, SetUpCommands& setUps, OpenCommands& opens)
{
    new StartMenus(parts, setUps, opens);
}

} // namespace lockstep::ui
