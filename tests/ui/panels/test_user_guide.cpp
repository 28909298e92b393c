// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/user_guide.h"
#include "support/lockstep_test.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QtTest>

#include <algorithm>

using namespace lockstep::ui;

namespace {

/// The language that the guide takes.
class Speaking
{
public:
    explicit Speaking(QLocale::Language language) { QLocale::setDefault(QLocale(language)); }
    ~Speaking() { QLocale::setDefault(m_before); }
    Q_DISABLE_COPY_MOVE(Speaking)

private:
    QLocale m_before;
};

/// What all languages have in common: the kind of each line, the places that its links lead to, and
/// what is written in it as code.
QStringList shapeOf(const QString& text)
{
    QStringList shape;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const auto kind =
            QRegularExpression(QStringLiteral("^(#+ | +|- |\\| ?)?")).match(line).captured();
        QStringList links;
        auto found = QRegularExpression(QStringLiteral("\\]\\(([^)]*)\\)")).globalMatch(line);
        while (found.hasNext()) {
            links.append(found.next().captured(1));
        }
        links.sort(); // sentences have another order
        const auto codes = line.count(QLatin1Char('`'));
        const bool isCode = kind.startsWith(QStringLiteral("    "));
        shape.append(QStringLiteral("%1%2 %3 %4")
                         .arg(
                             isCode ? QStringLiteral("    ") : kind,
                             QString(line.isEmpty() ? 0 : 1, QLatin1Char('x')))
                         .arg(codes)
                         .arg(links.join(QLatin1Char(' '))));
    }
    return shape;
}

} // namespace

class TestUserGuide : public QObject
{
    Q_OBJECT

private slots:
    void Chapters_all_haveATitleAndAText();
    void Files_all_areChapters();
    void Links_all_leadSomewhere();
    void Chapter_shown_isTheOneAskedFor();
    void Search_findsInOtherChaptersAndGoesRound();
    void Search_forNothingThatIsThere_saysSo();
    void Link_clicked_opensItsChapter();
    void German_everyChapter_hasTheShapeOfTheEnglishOne();
    void German_guide_isShownAndSearched();
};

void TestUserGuide::Chapters_all_haveATitleAndAText()
{
    QStringList titles;
    for (const QString& chapter : UserGuide::chapters()) {
        const QString text = UserGuide::textOf(chapter);
        QVERIFY2(text.startsWith(QStringLiteral("# ")), qPrintable(chapter));
        QVERIFY2(text.size() > 300, qPrintable(chapter));
        titles.append(text.section(QLatin1Char('\n'), 0, 0));
    }
    titles.removeDuplicates();
    QCOMPARE(titles.size(), UserGuide::chapters().size());
    QVERIFY(UserGuide::textOf(QStringLiteral("none")).isEmpty());
}

void TestUserGuide::Files_all_areChapters()
{
    QStringList chapters = UserGuide::chapters();
    chapters.sort();
    for (const char* language : {"", "/de"}) {
        const QDir folder(
            QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/help") + QLatin1String(language));
        QStringList names;
        for (const QString& file : folder.entryList({QStringLiteral("*.md")})) {
            names.append(file.chopped(3));
        }
        names.sort();
        QCOMPARE(names, chapters);
    }
}

void TestUserGuide::Links_all_leadSomewhere()
{
    const QRegularExpression link(QStringLiteral("\\]\\(([^)]*)\\)"));
    int count = 0;
    for (const QString& chapter : UserGuide::chapters()) {
        auto found = link.globalMatch(UserGuide::textOf(chapter));
        while (found.hasNext()) {
            const QString target = found.next().captured(1);
            const bool isChapter = target.endsWith(QStringLiteral(".md"))
                                   && UserGuide::chapters().contains(target.chopped(3));
            QVERIFY2(
                isChapter || target.startsWith(QStringLiteral("https://")),
                qPrintable(chapter + QStringLiteral(": ") + target));
            ++count;
        }
    }
    QVERIFY(count > 15);
}

void TestUserGuide::Chapter_shown_isTheOneAskedFor()
{
    UserGuide guide;
    QCOMPARE(guide.chapter(), UserGuide::chapters().front());
    guide.showChapter(QStringLiteral("scaling"));
    QCOMPARE(guide.chapter(), QStringLiteral("scaling"));
    auto* const list = guide.findChild<QListWidget*>();
    QVERIFY(
        guide.findChild<QTextBrowser*>()->toPlainText().startsWith(list->currentItem()->text()));
    guide.showChapter(QStringLiteral("no such chapter"));
    QCOMPARE(guide.chapter(), UserGuide::chapters().front());
}

void TestUserGuide::Search_findsInOtherChaptersAndGoesRound()
{
    UserGuide guide;
    guide.show();
    guide.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&guide));
    auto* const search = guide.findChild<QLineEdit*>(QStringLiteral("guide_search"));
    const auto* text = guide.findChild<QTextBrowser*>();
    QTest::keySequence(&guide, QKeySequence::Find);
    QVERIFY(search->hasFocus());
    // Counted in the texts as they are shown, without a search.
    QStringList expected;
    for (const QString& chapter : UserGuide::chapters()) {
        QTextDocument document;
        document.setMarkdown(UserGuide::textOf(chapter));
        const auto count =
            document.toPlainText().count(QStringLiteral("amdahl"), Qt::CaseInsensitive);
        for (qsizetype i = 0; i < count; ++i) {
            expected.append(chapter);
        }
    }
    QVERIFY(!expected.isEmpty());
    search->setText(QStringLiteral("amdahl"));
    QStringList found;
    for (qsizetype i = 0; i < expected.size(); ++i) {
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(text->textCursor().selectedText().toLower(), QStringLiteral("amdahl"));
        found.append(guide.chapter());
    }
    QCOMPARE(found, expected);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(guide.chapter(), expected.front());
    guide.findPrevious();
    QCOMPARE(guide.chapter(), expected.back());
}

void TestUserGuide::Search_forNothingThatIsThere_saysSo()
{
    UserGuide guide;
    guide.show();
    auto* const search = guide.findChild<QLineEdit*>(QStringLiteral("guide_search"));
    const auto labels = guide.findChildren<QLabel*>();
    const auto* notFound = labels.back();
    QVERIFY(!notFound->isVisible());
    search->setText(QStringLiteral("xyzzy"));
    guide.findNext();
    QVERIFY(notFound->isVisible());
    QCOMPARE(guide.chapter(), UserGuide::chapters().front());
    search->setText(QStringLiteral("tower"));
    QVERIFY(!notFound->isVisible());
}

void TestUserGuide::Link_clicked_opensItsChapter()
{
    UserGuide guide;
    emit guide.findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("keyboard.md")));
    QCOMPARE(guide.chapter(), QStringLiteral("keyboard"));
}

void TestUserGuide::German_everyChapter_hasTheShapeOfTheEnglishOne()
{
    for (const QString& chapter : UserGuide::chapters()) {
        const Speaking english(QLocale::English);
        const QString text = UserGuide::textOf(chapter);
        const Speaking german(QLocale::German);
        const QString translated = UserGuide::textOf(chapter);
        QVERIFY2(translated != text, qPrintable(chapter));
        const QStringList expected = shapeOf(text);
        const QStringList found = shapeOf(translated);
        for (qsizetype i = 0; i < std::max(expected.size(), found.size()); ++i) {
            QVERIFY2(
                found.value(i) == expected.value(i),
                qPrintable(QStringLiteral("%1, line %2").arg(chapter).arg(i + 2)));
        }
    }
}

void TestUserGuide::German_guide_isShownAndSearched()
{
    const Speaking german(QLocale::German);
    UserGuide guide;
    guide.show();
    QCOMPARE(guide.findChild<QListWidget*>()->item(1)->text(), QStringLiteral("Das Fenster"));
    guide.findChild<QLineEdit*>(QStringLiteral("guide_search"))
        ->setText(QStringLiteral("kleinsten Quadraten"));
    guide.findNext();
    QCOMPARE(guide.chapter(), QStringLiteral("scaling"));
    // A language without a guide has the English one.
    const Speaking french(QLocale::French);
    QVERIFY(UserGuide::textOf(QStringLiteral("window")).startsWith(QStringLiteral("# The window")));
}

LOCKSTEP_TEST(TestUserGuide)
#include "test_user_guide.moc"
