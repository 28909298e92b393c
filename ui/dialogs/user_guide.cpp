// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/user_guide.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

/// The resources of a static library are only there once it has asked for them, which Qt's macro
/// can do outside any namespace only.
static void loadHelp()
{
    Q_INIT_RESOURCE(help);
}

namespace lockstep::ui {
namespace {

constexpr int kListWidth = 190;
constexpr int kMargin = 18;
constexpr int kChapterSpacing = 2;
constexpr double kLineHeight = 118.0; ///< per cent

/// A chapter begins with its title: "# Charts".
QString titleOf(const QString& text)
{
    return text.section(QLatin1Char('\n'), 0, 0).mid(2).trimmed();
}

/// Markdown can't set a line height, so it is set afterwards.
void setLineHeight(QTextDocument& document)
{
    QTextCursor cursor(&document);
    cursor.select(QTextCursor::Document);
    QTextBlockFormat format;
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(format);
}

} // namespace

const QStringList& UserGuide::chapters()
{
    static const QStringList names =
        QStringLiteral(
            "first-run window setting-up phases inception charts last-tower "
            "barrier-clock gradients "
            "weights masks devices evaluation live-control checkpoints fine-tuning "
            "pytorch runs data-preview scaling several-gpus recording command-line keyboard")
            .split(QLatin1Char(' '));
    return names;
}

QString UserGuide::textOf(const QString& chapter)
{
    ::loadHelp();
    const QString language = QLocale().name().section(QLatin1Char('_'), 0, 0);
    QFile file(QStringLiteral(":/help/%1/%2.md").arg(language, chapter));
    if (!file.exists()) { // English
        file.setFileName(QStringLiteral(":/help/%1.md").arg(chapter));
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QString text = QString::fromUtf8(file.readAll());
    return text.mid(text.indexOf(QStringLiteral("\n# ")) + 1); // the licence stands above it
}

UserGuide::UserGuide(QWidget* parent)
    : QDialog(parent), m_chapters(new QListWidget), m_text(new QTextBrowser),
      m_search(new QLineEdit), m_notFound(new QLabel(tr("Not found")))
{
    setWindowTitle(tr("User Guide"));
    setObjectName(QStringLiteral("user_guide"));
    m_chapters->setAccessibleName(tr("Chapters"));
    m_chapters->setFrameShape(QFrame::NoFrame);
    m_chapters->setSpacing(kChapterSpacing);
    m_text->setAccessibleName(tr("Text of the chapter"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(kMargin);
    auto* const parts = new QSplitter;
    parts->addWidget(m_chapters);
    parts->addWidget(m_text);
    parts->setChildrenCollapsible(false);
    parts->setSizes({kListWidth, 4 * kListWidth});
    parts->setStretchFactor(1, 1);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const bottom = new QHBoxLayout;
    bottom->addLayout(makeSearch(), 1);
    bottom->addWidget(buttons);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->addWidget(parts, 1);
    layout->addLayout(bottom);
    connect(m_chapters, &QListWidget::currentRowChanged, this, [this](int row) {
        m_text->setMarkdown(textOf(chapters().value(row)));
        setLineHeight(*m_text->document());
        m_text->moveCursor(QTextCursor::Start);
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, &UserGuide::openLink);
    for (const QString& name : chapters()) {
        m_chapters->addItem(titleOf(textOf(name)));
    }
    m_chapters->setCurrentRow(0);
    resize(920, 680);
    m_text->setFocus();
}

QLayout* UserGuide::makeSearch()
{
    m_search->setPlaceholderText(tr("Search the guide"));
    m_search->setAccessibleName(tr("Search the guide"));
    m_search->setObjectName(QStringLiteral("guide_search"));
    m_search->setMaximumWidth(280);
    m_notFound->hide();
    auto* const previous = new QPushButton(tr("&Previous"));
    auto* const next = new QPushButton(tr("&Next"));
    for (QPushButton* const button : {previous, next}) {
        button->setAutoDefault(false);
    }
    connect(previous, &QPushButton::clicked, this, &UserGuide::findPrevious);
    connect(next, &QPushButton::clicked, this, &UserGuide::findNext);
    connect(m_search, &QLineEdit::returnPressed, this, &UserGuide::findNext);
    connect(m_search, &QLineEdit::textChanged, m_notFound, &QWidget::hide);
    new QShortcut(QKeySequence::Find, this, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    new QShortcut(QKeySequence::FindNext, this, this, &UserGuide::findNext);
    new QShortcut(QKeySequence::FindPrevious, this, this, &UserGuide::findPrevious);
    auto* const row = new QHBoxLayout;
    row->addWidget(m_search, 1);
    row->addWidget(previous);
    row->addWidget(next);
    row->addWidget(m_notFound);
    row->addStretch();
    return row;
}

void UserGuide::showChapter(const QString& chapter)
{
    m_chapters->setCurrentRow(
        static_cast<int>(std::max<qsizetype>(0, chapters().indexOf(chapter))));
    m_text->moveCursor(QTextCursor::Start);
}

QString UserGuide::chapter() const
{
    return chapters().value(m_chapters->currentRow());
}

bool UserGuide::findHere(bool isForward)
{
    return m_text->find(
        m_search->text(), isForward ? QTextDocument::FindFlags()
                                    : QTextDocument::FindFlags(QTextDocument::FindBackward));
}

/// Here first, then chapter by chapter, and in the end once more here.
void UserGuide::find(bool isForward)
{
    if (m_search->text().isEmpty()) {
        m_search->setFocus();
        return;
    }
    bool isFound = findHere(isForward);
    const int count = m_chapters->count();
    const int first = m_chapters->currentRow();
    for (int i = 1; !isFound && i <= count; ++i) {
        m_chapters->setCurrentRow((first + (isForward ? i : count - i)) % count);
        m_text->moveCursor(isForward ? QTextCursor::Start : QTextCursor::End);
        isFound = findHere(isForward);
    }
    m_notFound->setVisible(!isFound);
}

/// "charts.md" is a chapter; anything else is the desktop's.
void UserGuide::openLink(const QUrl& link)
{
    const QString chapter = link.path().section(QStringLiteral(".md"), 0, 0);
    if (link.isRelative() && chapters().contains(chapter)) {
        showChapter(chapter);
    } else {
        QDesktopServices::openUrl(link);
    }
}

} // namespace lockstep::ui
