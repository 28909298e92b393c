// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/user_guide.h"
#include "support/lockstep_test.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QtTest>

using namespace lockstep::ui;

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
    const QDir folder(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/help"));
    QStringList names;
    for (const QString& file : folder.entryList({QStringLiteral("*.md")})) {
        names.append(file.chopped(3));
    }
    QStringList chapters = UserGuide::chapters();
    names.sort();
    chapters.sort();
    QCOMPARE(names, chapters);
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

LOCKSTEP_TEST(TestUserGuide)
#include "test_user_guide.moc"
