// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_checkpoints.h"
#include "bridge/runs/run_summaries.h"
#include "dialogs/connect_dialog.h"
#include "models/engine_text.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/runs_panel.h"
#include "window/commands/run_commands.h"
#include "window/commands/window_commands.h"
#include "window/desktop/desktop.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPointer>
#include <QStatusBar>
#include <QTimer>

#include <cmath>

namespace lockstep::ui {
namespace {

namespace fs = std::filesystem;

constexpr int kMostKnown = 10;
constexpr int kCountMilliseconds = 1000;

class MachineCommands : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::MachineCommands)

public:
    MachineCommands(const WindowParts& parts, OpenCommands& opens)
        : QObject(&parts.owner), m_parts(parts), m_opens(opens), m_place(new QLabel(&parts.window))
    {
        const WindowActions& actions = parts.actions;
        m_place->setObjectName(QStringLiteral("machine_text"));
        m_place->setContentsMargins(8, 0, 4, 0);
        parts.window.statusBar()->addPermanentWidget(m_place);
        connect(actions.connectMachine, &QAction::triggered, this, &MachineCommands::showDialog);
        connect(
            actions.disconnectMachine, &QAction::triggered, &parts.machine,
            &MachineConnection::leave);
        connect(&opens, &OpenCommands::machineRequested, this, [this](const QString& address) {
            showDialog();
            m_dialog->connectTo(address);
        });
        const MachineConnection* const machine = &parts.machine;
        connect(machine, &MachineConnection::machineChanged, this, &MachineCommands::onMachine);
        connect(machine, &MachineConnection::stateChanged, this, &MachineCommands::showLine);
        connect(machine, &MachineConnection::factsChanged, this, &MachineCommands::tellForm);
        connect(
            machine, &MachineConnection::runsChanged, &parts.summaries, &RunSummaries::refreshSoon);
        m_count.setInterval(kCountMilliseconds);
        connect(&m_count, &QTimer::timeout, this, [this] { m_parts.lineBar.setText(lostText()); });
        parts.runsPanel.setMachine(parts.machine);
        actions.connectMachine->setEnabled(parts.canTrain);
        actions.disconnectMachine->setEnabled(false);
        m_place->hide();
        if (parts.machine.machine()) { // of the window that this one stands beside
            onMachine();
            showLine();
        }
    }

private:
    void showDialog()
    {
        if (m_dialog == nullptr) {
            m_dialog = new ConnectDialog(
                m_parts.machine, m_parts.settings.machines(), m_parts.settings.programThere(),
                &m_parts.window);
            m_dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(m_dialog, &QDialog::accepted, this, [this] {
                m_parts.settings.programThere.set(m_dialog->program());
            });
        }
        bringUp(*m_dialog);
    }

    /// Another machine, or none any more.
    void onMachine()
    {
        const auto machine = m_parts.machine.machine();
        if (!m_mirrors.empty()) {
            leaveMirrors();
        }
        m_mirrors = machine ? machine->mirrors() : fs::path();
        m_parts.controller.setMachine(machine);
        m_parts.summaries.setMachine(machine);
        tellForm();
        const QString name = m_parts.machine.name();
        QAction* const start = m_parts.actions.start;
        start->setText(machine ? tr("&Start on %1").arg(name) : WindowActions::tr("&Start"));
        m_parts.actions.disconnectMachine->setEnabled(m_parts.canTrain && machine);
        if (machine && m_parts.canTrain) {
            welcome(*machine);
        }
    }

    /// Until the machine has told what it has, its name is known: nothing is looked for here.
    void tellForm()
    {
        std::optional<RemoteFacts> facts = m_parts.machine.facts();
        if (!facts && m_parts.machine.machine()) {
            facts.emplace().host = m_parts.machine.name().toStdString();
        }
        m_parts.panel.setMachine(facts);
    }

    /// Of a machine that is reached for the first time.
    void welcome(const RemoteMachine& machine)
    {
        m_parts.settings.machines.putFirst(
            QString::fromStdString(machine.address().text()), kMostKnown);
        const std::string run = machine.state().run;
        if (!run.empty()) {
            const fs::path mirror = machine.mirrorOf(run);
            const fs::path shown = m_parts.run.folder();
            m_parts.machine.whenHere(mirror, [this, mirror, shown] {
                // What was opened while it came is not replaced.
                if (m_parts.run.folder() == shown) {
                    m_opens.openRun(mirror);
                }
            });
        }
    }

    /// Nothing keeps them up to date any more.
    void leaveMirrors()
    {
        for (const QString& folder : m_parts.overlays.folders()) {
            if (toPath(folder).parent_path() == m_mirrors) {
                m_parts.overlays.setOverlaid(folder, false);
            }
        }
        m_parts.notices.bar().clear();
        if (m_parts.run.folder().parent_path() != m_mirrors) {
            return;
        }
        m_parts.controller.close();
        m_parts.run.clear();
        if (!m_parts.canTrain) {
            m_parts.window.close(); // it had nothing else to show
        }
    }

    void showLine()
    {
        const QString name = m_parts.machine.name();
        const auto state = m_parts.machine.state();
        m_count.stop();
        m_place->setVisible(!name.isEmpty());
        if (name.isEmpty()) {
            return m_parts.lineBar.clear();
        }
        const bool isUp = state->kind == RemoteState::Kind::Connected;
        m_place->setText(isUp ? tr("on %1").arg(name) : tr("%1: no line").arg(name));
        if (isUp) {
            m_parts.lineBar.clear();
            return m_parts.checkpoints.refresh(); // those that were written meanwhile
        }
        m_lost.start();
        m_parts.lineBar.showMessage(
            MessageBar::Kind::Warning, lostText(),
            {{tr("Try Now"),
              [this] {
                  if (const auto machine = m_parts.machine.machine()) {
                      machine->reconnect();
                  }
              },
              true}});
        if (state->kind == RemoteState::Kind::Lost) {
            m_count.start();
        }
    }

    [[nodiscard]] QString lostText() const
    {
        const auto state = m_parts.machine.state();
        const QString name = m_parts.machine.name();
        QString reason = engineText(state->reason);
        if (const QString prefix = name + QStringLiteral(": "); reason.startsWith(prefix)) {
            reason.remove(0, prefix.size());
        }
        QString text = reason.isEmpty() ? tr("Connecting to %1…").arg(name)
                                        : tr("The line to %1 is lost: %2.").arg(name, reason);
        if (state->kind != RemoteState::Kind::Lost) {
            return text;
        }
        const double past = static_cast<double>(m_lost.elapsed()) / 1000.0;
        const int left = static_cast<int>(std::ceil(state->retrySeconds - past));
        return text + QLatin1Char(' ')
               + (left > 0 ? tr("Trying again in %1 s.").arg(left) : tr("Trying again…"));
    }

    const WindowParts m_parts;
    OpenCommands& m_opens;
    QLabel* m_place;
    QPointer<ConnectDialog> m_dialog;
    fs::path m_mirrors; ///< of the machine
    QElapsedTimer m_lost;
    QTimer m_count;
};

} // namespace

void addMachineCommands(const WindowParts& parts, OpenCommands& opens)
{
    new MachineCommands(parts, opens);
}

} // namespace lockstep::ui
