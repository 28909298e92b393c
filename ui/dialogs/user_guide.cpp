// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/user_guide.h"

#include "widgets/forms/layouts.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>

#include <algorithm>
#include <vector>

/// The resources of a static library are only there once it has asked for them, which Qt's macro
/// can do outside any namespace only.
static void loadHelp()
{
    Q_INIT_RESOURCE(help);
}

namespace lockstep::ui {
namespace {

constexpr int kListWidth = 230;
constexpr int kMargin = 18;
constexpr int kChapterSpacing = 2;
constexpr double kLineDistance = 3.0; ///< pixels, whatever stands in a line

enum HitRole { ChapterRole = Qt::UserRole, PositionRole };

/// A place where a text stands in a chapter.
struct Hit
{
    int chapter = 0;
    int position = 0;
    int rank = 0; ///< the lower, the more it is what was looked for
    QString line; ///< around it
};

/// In all chapters, in their order.
std::vector<Hit> hitsOf(const QString& text, const QList<QTextDocument*>& chapters)
{
    constexpr int kBefore = 24;
    constexpr int kAround = 90;
    std::vector<Hit> hits;
    for (int chapter = 0; chapter < chapters.size(); ++chapter) {
        const QTextDocument& document = *chapters[chapter];
        const auto isLetter = [&](int place) {
            const QChar there = document.characterAt(place);
            return there.isLetterOrNumber() || there == QLatin1Char('_');
        };
        for (QTextCursor at = document.find(text); !at.isNull(); at = document.find(text, at)) {
            const bool isWord = !isLetter(at.selectionStart() - 1) && !isLetter(at.selectionEnd());
            const bool isTitle = at.block().blockFormat().headingLevel() > 0;
            const int from = std::max(0, at.selectionStart() - at.block().position() - kBefore);
            const QString line = at.block().text().mid(from, kAround).simplified();
            hits.push_back(
                {chapter, at.selectionStart(), (isWord ? 0 : 2) + (isTitle ? 0 : 1),
                 (from > 0 ? QStringLiteral("…") : QString()) + line});
        }
    }
    return hits;
}

} // namespace

const QStringList& UserGuide::chapters()
{
    static const QStringList names =
        QStringLiteral(
            "first-run window setting-up phases inception charts last-tower barrier-clock "
            "gradients weights masks devices evaluation live-control checkpoints fine-tuning "
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
    : QDialog(parent), m_chapters(new QListWidget), m_hits(new QListWidget),
      m_lists(new QStackedWidget), m_text(new QTextBrowser), m_search(new QLineEdit),
      m_notFound(new QLabel(tr("Not found")))
{
    setWindowTitle(tr("User Guide"));
    setObjectName(QStringLiteral("user_guide"));
    m_chapters->setAccessibleName(tr("Chapters"));
    m_chapters->setObjectName(QStringLiteral("guide_chapters"));
    m_chapters->setSpacing(kChapterSpacing);
    m_hits->setAccessibleName(tr("What was found"));
    m_hits->setObjectName(QStringLiteral("guide_hits"));
    m_hits->setWordWrap(true);
    m_hits->setSpacing(2 * kChapterSpacing);
    m_hits->setAlternatingRowColors(true);
    for (QListWidget* const list : {m_chapters, m_hits}) {
        list->setFrameShape(QFrame::NoFrame);
        m_lists->addWidget(list);
    }
    m_text->setAccessibleName(tr("Text of the chapter"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    // Of pictures, which German pages name from their own folder.
    m_text->setSearchPaths({QStringLiteral(":/help"), QStringLiteral(":/help/de")});
    m_text->document()->setDocumentMargin(kMargin);
    makeSearch();
    auto* const left = new QWidget;
    columnIn(left, {}, kUsualSpacing, {m_search, m_notFound, m_lists});
    auto* const parts = new QSplitter;
    parts->addWidget(left);
    parts->addWidget(m_text);
    parts->setChildrenCollapsible(false);
    parts->setSizes({kListWidth, 4 * kListWidth});
    parts->setStretchFactor(1, 1);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter finds
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    columnIn(this, {12, 12, 12, 12}, kUsualSpacing, {{parts, 1}, buttons});
    connect(m_chapters, &QListWidget::currentRowChanged, this, [this](int row) {
        m_text->setMarkdown(textOf(chapters().value(row)));
        QTextCursor all(m_text->document()); // Markdown can't set a line height
        all.select(QTextCursor::Document);
        QTextBlockFormat format;
        format.setLineHeight(kLineDistance, QTextBlockFormat::LineDistanceHeight);
        all.mergeBlockFormat(format);
        m_text->moveCursor(QTextCursor::Start);
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        // "charts.md" is a chapter; anything else is the desktop's.
        const QString chapter = link.path().section(QStringLiteral(".md"), 0, 0);
        link.isRelative() && chapters().contains(chapter) ? showChapter(chapter)
                                                          : void(QDesktopServices::openUrl(link));
    });
    for (const QString& name : chapters()) { // each begins with its title: "# Charts"
        m_chapters->addItem(textOf(name).section(QLatin1Char('\n'), 0, 0).mid(2).trimmed());
    }
    m_chapters->setCurrentRow(0);
    resize(960, 680);
    m_text->setFocus();
}

void UserGuide::makeSearch()
{
    m_search->setPlaceholderText(tr("Search the guide"));
    m_search->setAccessibleName(tr("Search the guide"));
    m_search->setObjectName(QStringLiteral("guide_search"));
    m_notFound->setObjectName(QStringLiteral("guide_not_found"));
    m_notFound->hide();
    connect(m_search, &QLineEdit::textChanged, this, &UserGuide::search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { goOn(1); });
    connect(m_hits, &QListWidget::currentRowChanged, this, &UserGuide::showHit);
    connect(m_hits, &QListWidget::itemClicked, this, &UserGuide::showHit); // the current one, again
    new QShortcut(QKeySequence::Find, this, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    new QShortcut(QKeySequence::FindNext, this, this, [this] { goOn(1); });
    new QShortcut(QKeySequence::FindPrevious, this, this, [this] { goOn(-1); });
}

/// While something is typed its places stand where the chapters stood.
void UserGuide::search()
{
    const QSignalBlocker quiet(m_hits);
    m_hits->clear();
    const QString text = m_search->text().simplified();
    for (int chapter = 0; m_searched.size() < chapters().size(); ++chapter) {
        m_searched.append(new QTextDocument(this));
        m_searched.back()->setMarkdown(textOf(chapters()[chapter]));
    }
    auto hits = text.isEmpty() ? std::vector<Hit>() : hitsOf(text, m_searched);
    std::ranges::stable_sort(hits, {}, &Hit::rank);
    for (const Hit& hit : hits) {
        auto* const item = new QListWidgetItem(
            m_chapters->item(hit.chapter)->text() + QLatin1Char('\n') + hit.line, m_hits);
        item->setData(ChapterRole, hit.chapter);
        item->setData(PositionRole, hit.position);
    }
    m_hits->setCurrentRow(-1);
    m_notFound->setVisible(!text.isEmpty() && hits.empty());
    m_lists->setCurrentWidget(hits.empty() ? m_chapters : m_hits);
}

void UserGuide::goOn(int by)
{
    const int count = m_hits->count();
    if (count == 0) {
        return m_search->setFocus();
    }
    const int from = m_hits->currentRow() < 0 && by < 0 ? 0 : m_hits->currentRow();
    m_hits->setCurrentRow((from + by + count) % count);
}

void UserGuide::showHit()
{
    if (const QListWidgetItem* const item = m_hits->currentItem()) {
        m_chapters->setCurrentRow(item->data(ChapterRole).toInt());
        QTextCursor marked(m_text->document());
        marked.setPosition(item->data(PositionRole).toInt());
        marked.movePosition(
            QTextCursor::Right, QTextCursor::KeepAnchor,
            static_cast<int>(m_search->text().simplified().size()));
        m_text->setTextCursor(marked);
        m_text->ensureCursorVisible();
    }
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

} // namespace lockstep::ui
