// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/connect_dialog.h"

#include "engine/base.h"
#include "models/engine_text.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kDialogWidth = 520;
constexpr int kBarHeight = 4;

/// Those that the user's configuration of ssh names, but for patterns.
QStringList hostsOfSsh()
{
    QStringList hosts;
    QFile file(QDir::homePath() + QStringLiteral("/.ssh/config"));
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) {
        return hosts;
    }
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        QStringList words = line.simplified().split(QLatin1Char(' '));
        if (words.takeFirst().compare(QLatin1String("host"), Qt::CaseInsensitive) == 0) {
            hosts += words;
        }
    }
    return hosts.filter(QRegularExpression(QStringLiteral("^[^*?!]*$")));
}

} // namespace

ConnectDialog::ConnectDialog(
    MachineConnection& connection, const QStringList& known, const QString& program,
    QWidget* parent)
    : QDialog(parent), m_connection(connection), m_machine(new QComboBox(this)),
      m_path(new QLineEdit(this)), m_program(new QLineEdit(program, this)),
      m_problem(new ProblemLabel(this)), m_status(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_bar(new QProgressBar(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel, this)),
      m_connect(m_buttons->addButton(tr("&Connect"), QDialogButtonBox::AcceptRole))
{
    setObjectName(QStringLiteral("connect_dialog"));
    setWindowTitle(tr("Connect to a Machine"));
    auto* const text = new NoteLabel(NoteLabel::Tone::Plain, this);
    text->setNote(
        tr("Shows the runs of another machine where Lockstep is installed, and starts runs there. "
           "Your own ssh reaches it, with your keys and your configuration."));
    m_machine->setObjectName(QStringLiteral("connect_machine"));
    m_machine->setEditable(true);
    m_machine->setInsertPolicy(QComboBox::NoInsert);
    m_machine->addItems(known + hostsOfSsh());
    m_machine->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_machine->setCurrentIndex(-1);
    m_machine->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_machine->lineEdit()->setPlaceholderText(tr("user@host, or ssh://user@host:port/folder"));
    m_machine->setToolTip(tr("A name that ssh knows: of the network, or of ~/.ssh/config"));
    m_path->setObjectName(QStringLiteral("connect_path"));
    m_path->setPlaceholderText(tr("where runs lie there by default"));
    m_path->setToolTip(tr("Folder of runs on that machine, or of one run; ~ is the home there"));
    m_program->setObjectName(QStringLiteral("connect_program"));
    m_program->setPlaceholderText(QStringLiteral("lockstep-train"));
    m_program->setToolTip(tr("Its path on that machine, if the shell there does not find it"));
    m_status->setObjectName(QStringLiteral("connect_status"));
    m_problem->setObjectName(QStringLiteral("connect_problem"));
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(kBarHeight);
    m_bar->setAccessibleName(tr("Connecting"));
    QSizePolicy policy = m_bar->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_bar->setSizePolicy(policy);
    m_connect->setDefault(true);

    auto* const form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->addRow(tr("&Machine"), m_machine);
    form->addRow(tr("&Folder"), m_path);
    form->addRow(tr("&Program"), m_program);
    columnIn(
        this, {18, 16, 18, 14}, 10, {text, form, m_problem, m_status, space(), m_bar, m_buttons});
    resize(kDialogWidth, sizeHint().height());

    connect(m_machine, &QComboBox::editTextChanged, this, &ConnectDialog::check);
    connect(m_path, &QLineEdit::textChanged, this, &ConnectDialog::check);
    connect(m_machine, &QComboBox::activated, this, [this] {
        if (const auto chosen = address(); chosen && !chosen->path.empty()) {
            fill(*chosen);
        }
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::begin);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, [this] {
        if (std::exchange(m_isConnecting, false)) {
            m_connection.leave();
        }
    });
    connect(&m_connection, &MachineConnection::stateChanged, this, &ConnectDialog::follow);
    m_machine->setFocus();
    check();
}

std::optional<RemoteAddress> ConnectDialog::address(QString* problem) const
{
    try {
        RemoteAddress address =
            parseRemoteAddress(m_machine->currentText().trimmed().toStdString());
        if (const QString path = m_path->text().trimmed(); !path.isEmpty()) {
            address.path = path.toStdString();
            address = parseRemoteAddress(address.text()); // as a person may type it in one
        }
        return address;
    } catch (const Error& error) {
        if (problem != nullptr) {
            *problem = engineText(error.what());
        }
        return std::nullopt;
    }
}

void ConnectDialog::fill(const RemoteAddress& address)
{
    m_machine->setEditText(QString::fromStdString(address.machine()));
    m_path->setText(QString::fromStdString(address.path));
}

void ConnectDialog::connectTo(const QString& address)
{
    m_machine->setEditText(address);
    m_path->clear();
    if (const auto wanted = this->address()) {
        fill(*wanted);
        begin();
    }
}

void ConnectDialog::begin()
{
    if (const auto wanted = address()) {
        m_isConnecting = true;
        try {
            m_connection.connectTo(*wanted, program());
        } catch (const Error& error) {
            showStage({}, engineText(error.what()), false);
        }
    }
}

/// While someone types. Nothing is wrong with what is not there yet.
void ConnectDialog::check()
{
    QString problem;
    const bool isEmpty = m_machine->currentText().trimmed().isEmpty();
    const bool isGood = address(&problem).has_value();
    showStage({}, isEmpty ? QString() : problem, false);
    m_connect->setEnabled(isGood);
    m_connect->setToolTip(isEmpty ? tr("Enter a machine first") : problem);
}

void ConnectDialog::showStage(const QString& status, const QString& problem, bool isBusy)
{
    m_status->setNote(status);
    m_problem->setProblem(problem);
    m_bar->setVisible(isBusy);
    m_connect->setEnabled(!isBusy);
    for (QWidget* const input : std::initializer_list<QWidget*>{m_machine, m_path, m_program}) {
        input->setEnabled(!isBusy);
    }
    // A window does not grow by itself for wrapped words.
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void ConnectDialog::follow()
{
    const auto state = m_connection.state();
    if (!m_isConnecting || !state) {
        return;
    }
    switch (state->kind) {
    case RemoteState::Kind::Connecting:
        return showStage(
            tr("Connecting to %1…").arg(m_machine->currentText().trimmed()), QString(), true);
    case RemoteState::Kind::Connected:
        m_isConnecting = false;
        return accept();
    default:
        showStage({}, engineText(state->reason), false);
        m_connect->setFocus();
    }
}

} // namespace lockstep::ui
