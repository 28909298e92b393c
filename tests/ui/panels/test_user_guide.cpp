// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/user_guide.h"
#include "support/lockstep_test.h"

#include <QtWidgets>

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
    for (const QString& line : text.split('\n')) {
        const auto kind = QRegularExpression(R"(^(#+ | +|- |\| ?)?)").match(line).captured();
        QStringList links;
        auto found = QRegularExpression(R"re(\]\(([^)]*)\))re").globalMatch(line);
        while (found.hasNext()) {
            links.append(found.next().captured(1));
        }
        links.sort(); // sentences have another order
        const auto codes = line.count('`');
        const bool isCode = kind.startsWith("    ");
        shape.append(QString("%1%2 %3 %4")
                         .arg(isCode ? "    " : kind, QString(line.isEmpty() ? 0 : 1, 'x'))
                         .arg(codes)
                         .arg(links.join(' ')));
    }
    return shape;
}

} // namespace

class TestUserGuide : public QObject
{
    Q_OBJECT

private slots:
    void Chapters_all_haveATitleAndAText()
    {
        QStringList titles;
        for (const QString& chapter : UserGuide::chapters()) {
            const QString text = UserGuide::textOf(chapter);
            QVERIFY2(text.startsWith("# "), qPrintable(chapter));
            QVERIFY2(text.size() > 300, qPrintable(chapter));
            titles.append(text.section('\n', 0, 0));
        }
        titles.removeDuplicates();
        QCOMPARE(titles.size(), UserGuide::chapters().size());
        QVERIFY(UserGuide::textOf("none").isEmpty());
    }

    void Files_all_areChapters()
    {
        QStringList chapters = UserGuide::chapters();
        chapters.sort();
        for (const char* language : {"", "/de"}) {
            const QDir folder(LOCKSTEP_SOURCE_DIR "/resources/help" + QLatin1String(language));
            QStringList names;
            for (const QString& file : folder.entryList({"*.md"})) {
                names.append(file.chopped(3));
            }
            names.sort();
            QCOMPARE(names, chapters);
        }
    }

    void Links_all_leadSomewhere()
    {
        const QRegularExpression link(R"re(\]\(([^)]*)\))re");
        int count = 0;
        for (const QString& chapter : UserGuide::chapters()) {
            auto found = link.globalMatch(UserGuide::textOf(chapter));
            while (found.hasNext()) {
                const QString target = found.next().captured(1);
                const bool isChapter =
                    target.endsWith(".md") && UserGuide::chapters().contains(target.chopped(3));
                QVERIFY2(
                    isChapter || target.startsWith("https://"),
                    qPrintable(chapter + ": " + target));
                ++count;
            }
        }
        QVERIFY(count > 15);
    }

    void Chapter_shown_isTheOneAskedFor()
    {
        UserGuide guide;
        QCOMPARE(guide.chapter(), UserGuide::chapters().front());
        guide.showChapter("scaling");
        QCOMPARE(guide.chapter(), "scaling");
        auto* const list = guide.findChild<QListWidget*>();
        QVERIFY(guide.findChild<QTextBrowser*>()->toPlainText().startsWith(
            list->currentItem()->text()));
        guide.showChapter("no such chapter");
        QCOMPARE(guide.chapter(), UserGuide::chapters().front());
    }

    void Search_findsInOtherChaptersAndGoesRound()
    {
        UserGuide guide;
        guide.show();
        guide.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&guide));
        auto* const search = guide.findChild<QLineEdit*>("guide_search");
        const auto* text = guide.findChild<QTextBrowser*>();
        QTest::keySequence(&guide, QKeySequence::Find);
        QVERIFY(search->hasFocus());
        // Counted in the texts as they are shown, without a search.
        QStringList expected;
        for (const QString& chapter : UserGuide::chapters()) {
            QTextDocument document;
            document.setMarkdown(UserGuide::textOf(chapter));
            const auto count = document.toPlainText().count("amdahl", Qt::CaseInsensitive);
            for (qsizetype i = 0; i < count; ++i) {
                expected.append(chapter);
            }
        }
        QVERIFY(!expected.isEmpty());
        search->setText("amdahl");
        QStringList found;
        for (qsizetype i = 0; i < expected.size(); ++i) {
            QTest::keyClick(search, Qt::Key_Return);
            QCOMPARE(text->textCursor().selectedText().toLower(), "amdahl");
            found.append(guide.chapter());
        }
        QCOMPARE(found, expected);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(guide.chapter(), expected.front());
        guide.findPrevious();
        QCOMPARE(guide.chapter(), expected.back());
    }

    void Search_forNothingThatIsThere_saysSo()
    {
        UserGuide guide;
        guide.show();
        auto* const search = guide.findChild<QLineEdit*>("guide_search");
        const auto labels = guide.findChildren<QLabel*>();
        const auto* notFound = labels.back();
        QVERIFY(!notFound->isVisible());
        search->setText("xyzzy");
        guide.findNext();
        QVERIFY(notFound->isVisible());
        QCOMPARE(guide.chapter(), UserGuide::chapters().front());
        search->setText("tower");
        QVERIFY(!notFound->isVisible());
    }

    void Link_clicked_opensItsChapter()
    {
        UserGuide guide;
        emit guide.findChild<QTextBrowser*>()->anchorClicked(QUrl("keyboard.md"));
        QCOMPARE(guide.chapter(), "keyboard");
    }

    void German_everyChapter_hasTheShapeOfTheEnglishOne()
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
                    qPrintable(QString("%1, line %2").arg(chapter).arg(i + 2)));
            }
        }
    }

    void German_guide_isShownAndSearched()
    {
        const Speaking german(QLocale::German);
        UserGuide guide;
        guide.show();
        QCOMPARE(guide.findChild<QListWidget*>()->item(1)->text(), "Das Fenster");
        guide.findChild<QLineEdit*>("guide_search")->setText("kleinsten Quadraten");
        guide.findNext();
        QCOMPARE(guide.chapter(), "scaling");
        // A language without a guide has the English one.
        const Speaking french(QLocale::French);
        QVERIFY(UserGuide::textOf("window").startsWith("# The window"));
    }
};
LOCKSTEP_TEST(TestUserGuide)
#include "test_user_guide.moc"
