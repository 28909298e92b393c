// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/remote/machine_connection.h"

#include <QDialog>
#include <QLineEdit>
#include <QStringList>

#include <optional>

class QComboBox;
class QDialogButtonBox;
class QProgressBar;
class QPushButton;

namespace lockstep::ui {

class NoteLabel;
class ProblemLabel;

/// "Connect": asks for a machine and a folder of runs there, and connects. Says in one sentence why
/// that does not succeed. Not modal; closes once the machine is reached, and closed before, it ends
/// the attempt.
class ConnectDialog : public QDialog
{
    Q_OBJECT

public:
    /// `known`: addresses of before, the latest first. The connection must outlive the dialog.
    ConnectDialog(
        MachineConnection& connection, const QStringList& known, const QString& program,
        QWidget* parent = nullptr);

    /// What the shell there finds the program by; empty: lockstep-train.
    [[nodiscard]] QString program() const { return m_program->text().trimmed(); }

public slots:
    /// Fills the fields, and connects. A text that is no address is shown with what is wrong.
    void connectTo(const QString& address);

private:
    [[nodiscard]] std::optional<RemoteAddress> address(QString* problem = nullptr) const;
    void fill(const RemoteAddress& address);
    void begin();
    void check();
    void showStage(const QString& status, const QString& problem, bool isBusy);
    void follow();

    MachineConnection& m_connection;
    bool m_isConnecting = false; ///< or has tried to
    QComboBox* m_machine;
    QLineEdit* m_path;
    QLineEdit* m_program;
    ProblemLabel* m_problem;
    NoteLabel* m_status;
    QProgressBar* m_bar;
    QDialogButtonBox* m_buttons;
    QPushButton* m_connect;
};

} // namespace lockstep::ui
