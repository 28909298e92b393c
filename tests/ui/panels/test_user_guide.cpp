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
            links.append(found.next().captured(1).remove("../")); // pictures are shared
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
                if (target.endsWith(".png")) {
                    continue;
                }
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
        auto* const list = guide.findChild<QListWidget*>("guide_chapters");
        QVERIFY(guide.findChild<QTextBrowser*>()->toPlainText().startsWith(
            list->currentItem()->text()));
        guide.showChapter("no such chapter");
        QCOMPARE(guide.chapter(), UserGuide::chapters().front());
    }

    /// Counted in the texts as they are shown, without a search.
    void Search_listsEveryPlace_theLikeliestFirst()
    {
        UserGuide guide;
        show(guide);
        auto* const search = guide.findChild<QLineEdit*>("guide_search");
        const auto* const hits = guide.findChild<QListWidget*>("guide_hits");
        QTest::keySequence(&guide, QKeySequence::Find);
        QVERIFY(search->hasFocus());
        QVERIFY(!hits->isVisible());
        QTest::keyClicks(search, "mask");
        QVERIFY(hits->isVisible());
        qsizetype expected = 0;
        for (const QString& chapter : UserGuide::chapters()) {
            QTextDocument document;
            document.setMarkdown(UserGuide::textOf(chapter));
            expected += document.toPlainText().count("mask", Qt::CaseInsensitive);
        }
        QCOMPARE(hits->count(), expected);
        QVERIFY(expected > 5);
        // The word before what it is a part of.
        const QRegularExpression word("\\bmask\\b", QRegularExpression::CaseInsensitiveOption);
        for (int row = 0; row < hits->count(); ++row) {
            const QString line = hits->item(row)->text().section('\n', 1);
            QVERIFY2(line.contains("mask", Qt::CaseInsensitive), qPrintable(line));
        }
        QVERIFY(word.match(hits->item(0)->text()).hasMatch());
        QVERIFY(!word.match(hits->item(hits->count() - 1)->text()).hasMatch());
        search->setText("Barrier clock"); // a title, whatever the case
        QVERIFY(hits->item(0)->text().startsWith("Barrier clock\n"));
        search->clear();
        QVERIFY(!hits->isVisible());
    }

    void Search_enterAndClick_goThere()
    {
        UserGuide guide;
        show(guide);
        auto* const search = guide.findChild<QLineEdit*>("guide_search");
        auto* const hits = guide.findChild<QListWidget*>("guide_hits");
        const auto* const text = guide.findChild<QTextBrowser*>();
        search->setFocus();
        QTest::keyClicks(search, "noise scale");
        const int count = hits->count();
        QVERIFY(count > 1);
        QStringList chapters;
        for (int i = 0; i < count; ++i) {
            QTest::keyClick(search, Qt::Key_Return);
            QVERIFY(guide.isVisible());
            QCOMPARE(hits->currentRow(), i);
            QCOMPARE(text->textCursor().selectedText().toLower(), "noise scale");
            QCOMPARE(
                hits->item(i)->text().section('\n', 0, 0), text->toPlainText().section('\n', 0, 0));
            chapters.append(guide.chapter());
        }
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(hits->currentRow(), 0);
        guide.goOn(-1);
        QCOMPARE(guide.chapter(), chapters.back());
        guide.showChapter("window");
        const QRect row = hits->visualItemRect(hits->item(count - 1));
        QTest::mouseClick(hits->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(guide.chapter(), chapters.back());
        QCOMPARE(text->textCursor().selectedText().toLower(), "noise scale");
    }

    void Search_forNothingThatIsThere_saysSo()
    {
        UserGuide guide;
        guide.show();
        auto* const search = guide.findChild<QLineEdit*>("guide_search");
        const auto* notFound = guide.findChild<QLabel*>("guide_not_found");
        QVERIFY(!notFound->isVisible());
        search->setText("xyzzy");
        guide.goOn(1);
        QVERIFY(notFound->isVisible());
        QCOMPARE(guide.chapter(), UserGuide::chapters().front());
        search->setText("tower");
        QVERIFY(!notFound->isVisible());
    }

    void Pictures_all_areThere_inBothLanguages()
    {
        int count = 0;
        for (const auto language : {QLocale::English, QLocale::German}) {
            const Speaking speaking(language);
            UserGuide guide;
            guide.show();
            const auto* const text = guide.findChild<QTextBrowser*>();
            for (const QString& chapter : UserGuide::chapters()) {
                guide.showChapter(chapter);
                for (auto block = text->document()->begin(); block.isValid();
                     block = block.next()) {
                    for (auto part = block.begin(); !part.atEnd(); ++part) {
                        const QTextImageFormat format =
                            part.fragment().charFormat().toImageFormat();
                        if (format.isValid()) {
                            const auto image = text->document()->resource(
                                QTextDocument::ImageResource, QUrl(format.name()));
                            QVERIFY2(
                                !image.value<QImage>().isNull() || !image.toByteArray().isEmpty(),
                                qPrintable(format.name()));
                            ++count;
                        }
                    }
                }
            }
        }
        QVERIFY(count >= 6);
        QCOMPARE(count % 2, 0);
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
        QCOMPARE(guide.findChild<QListWidget*>("guide_chapters")->item(1)->text(), "Das Fenster");
        guide.findChild<QLineEdit*>("guide_search")->setText("kleinsten Quadraten");
        guide.goOn(1);
        QCOMPARE(guide.chapter(), "scaling");
        // A language without a guide has the English one.
        const Speaking french(QLocale::French);
        QVERIFY(UserGuide::textOf("window").startsWith("# The window"));
    }

private:
    static void show(UserGuide& guide)
    {
        guide.show();
        guide.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&guide));
    }
};
LOCKSTEP_TEST(TestUserGuide)
#include "test_user_guide.moc"
