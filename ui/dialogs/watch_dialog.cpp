// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/watch_dialog.h"

#include "bridge/base/file_names.h"
#include "engine/gather.h"
#include "theme/icons.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/path_editor.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>

#include <chrono>

namespace lockstep::ui {
namespace {

constexpr std::chrono::seconds kLookEvery{1};
constexpr int kWatchWidth = 620;
constexpr int kLines = 9;

/// As Python has it in quotes.
QString quoted(QString text)
{
    return text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"))
        .replace(QLatin1Char('"'), QStringLiteral("\\\""));
}

} // namespace

WatchDialog::WatchDialog(const std::filesystem::path& folder, QWidget* parent)
    : QDialog(parent), m_folder(new FolderEditor), m_lines(new QPlainTextEdit),
      m_status(new NoteLabel(NoteLabel::Tone::Muted))
{
    setObjectName(QStringLiteral("watch_dialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Watch a PyTorch Training"));
    auto* const text = new NoteLabel(NoteLabel::Tone::Plain);
    text->setNote(
        tr("Put these lines into your script, around its loop, and start it as usual. Every rank "
           "then writes down what it does, and the training stays what it is, bit by bit."));
    m_folder->describe(
        QStringLiteral("watch_folder"), tr("Folder of the Run"),
        tr("Where the ranks write: on a disk that all of them reach"));
    m_folder->setText(toQString(folder));
    m_lines->setObjectName(QStringLiteral("watch_lines"));
    m_lines->setAccessibleName(tr("Lines for the script"));
    m_lines->setReadOnly(true);
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setFixedHeight(
        kLines * QFontMetrics(m_lines->font()).lineSpacing() + 2 * m_lines->frameWidth()
        + 2 * static_cast<int>(m_lines->document()->documentMargin())
        + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    m_status->setObjectName(QStringLiteral("watch_status"));
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* const copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("watch_copy"));
    copy->setIcon(icon(IconName::Copy));

    columnIn(
        this, {18, 16, 18, 14}, 10,
        {text, headingLabel(tr("Folder of the Run"), m_folder->input()), m_folder, m_lines,
         m_status, buttons});
    copy->setDefault(true); // now that it is in a dialog

    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_lines->toPlainText());
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_folder, &FolderEditor::edited, this, &WatchDialog::showLines);
    connect(&m_clock, &QTimer::timeout, this, &WatchDialog::look);
    m_clock.start(kLookEvery);
    showLines();
    resize(kWatchWidth, heightForWidth(kWatchWidth));
}

std::filesystem::path WatchDialog::folder() const
{
    return toPath(QDir::cleanPath(m_folder->text().trimmed()));
}

void WatchDialog::showLines()
{
    m_lines->setPlainText(
        QStringLiteral("# pip install ./app/recorder    (%1)\n"
                       "import lockstep_recorder\n"
                       "\n"
                       "with lockstep_recorder.Run(\"%2\") as run:\n"
                       "    lockstep_recorder.attach(ddp_model, run, optimizer)\n"
                       "    for images, labels in loader:\n"
                       "        ...\n"
                       "        optimizer.step()\n"
                       "        run.step(loss=loss)")
            .arg(tr("once, from Lockstep's sources"), quoted(toQString(folder()))));
    m_status->setNote(
        tr("Waiting for the first rank to write into %1. Its run then opens here by itself.")
            .arg(toQString(folder())));
}

void WatchDialog::look()
{
    if (const std::filesystem::path run = folder(); RunGatherer::isRecorded(run)) {
        m_clock.stop();
        emit found(run);
        close();
    }
}

} // namespace lockstep::ui
