// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/user_guide.h"
#include "panels/run_form/run_panel.h"
#include "plots/view/plot_view.h"
#include "support/lockstep_test.h"
#include "ui/controls.h"
#include "ui/window_witness.h"
#include "widgets/forms/disclosure.h"
#include "window/base/language.h"
#include "window/window_helpers.h"

#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolBar>
#include <QToolButton>
#include <QTranslator>
#include <QXmlStreamReader>

#include <algorithm>
#include <set>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// Every text in brackets, with accents and half as long again: what a translation may come to.
class PseudoTranslator : public QTranslator
{
public:
    [[nodiscard]] QString translate(
        const char* /*context*/, const char* text, const char* /*comment*/,
        int /*n*/) const override
    {
        QString source = QString::fromUtf8(text);
        const auto length = source.size() / 2;
        return QStringLiteral("[") + source.replace(QLatin1Char('a'), QStringLiteral("ä"))
               + QString(length, QLatin1Char('~')) + QStringLiteral("]");
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

/// A menu and all menus in it, filled as when they are opened.
QList<QMenu*> menusIn(QMenu* menu)
{
    QList<QMenu*> menus{menu};
    emit menu->aboutToShow();
    for (const QAction* action : menu->actions()) {
        if (action->menu() != nullptr) {
            menus.append(menusIn(action->menu()));
        }
    }
    return menus;
}

QList<QMenu*> menusOf(const QMainWindow& window)
{
    QList<QMenu*> menus;
    for (const QAction* action : window.menuBar()->actions()) {
        menus.append(menusIn(action->menu()));
    }
    return menus;
}

QChar mnemonicOf(const QString& text)
{
    const auto found = QRegularExpression(QStringLiteral("&([^&])")).match(text);
    return found.hasMatch() ? found.captured(1).front().toLower() : QChar();
}

/// The texts of these entries.
QStringList textsOf(const QList<QAction*>& actions)
{
    QStringList texts;
    for (const QAction* action : actions) {
        if (action->isVisible()) {
            texts.append(action->text());
        }
    }
    return texts;
}

/// A text whose access key another one has, too; empty if there is none.
QString sharedMnemonic(const QStringList& texts)
{
    std::set<QChar> seen;
    for (const QString& text : texts) {
        const QChar key = mnemonicOf(text);
        if (!key.isNull() && !seen.insert(key).second) {
            return text;
        }
    }
    return {};
}

/// The entries of every menu, and the menus' own titles.
QList<QStringList> entriesOf(const QMainWindow& window)
{
    QList<QStringList> entries{textsOf(window.menuBar()->actions())};
    for (const QMenu* menu : menusOf(window)) {
        entries.append(textsOf(menu->actions()));
    }
    return entries;
}

/// Placeholders of a text: "%1", "%2".
QStringList placeholdersOf(const QString& text)
{
    QStringList found;
    auto matches = QRegularExpression(QStringLiteral("%L?[0-9]+")).globalMatch(text);
    while (matches.hasNext()) {
        found.append(matches.next().captured());
    }
    found.sort();
    return found;
}

struct Message
{
    QString source;
    QString translation;
    bool isFinished = false;
};

QList<Message> messagesOf(const QString& file)
{
    QList<Message> messages;
    QFile opened(file);
    if (!opened.open(QIODevice::ReadOnly)) {
        return messages;
    }
    QXmlStreamReader xml(&opened);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("message")) {
            messages.append(Message());
        } else if (xml.name() == QLatin1String("source")) {
            messages.back().source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            messages.back().isFinished = !xml.attributes().hasAttribute(QLatin1String("type"));
            messages.back().translation = xml.readElementText();
        }
    }
    return messages;
}

/// What of the form has less room than it needs, or lies beyond its edge.
QStringList cutOff(const RunPanel& panel)
{
    QStringList cut;
    const auto* const scroll = panel.findChild<QScrollArea*>();
    for (const QWidget* each : scroll->widget()->findChildren<QWidget*>()) {
        if (each->isVisible() && (isControl(each) || qobject_cast<const QLabel*>(each))) {
            const int needed =
                each->minimumWidth() > 0 ? each->minimumWidth() : each->minimumSizeHint().width();
            const int right = each->mapTo(scroll->viewport(), QPoint(each->width(), 0)).x();
            if (each->width() < needed || right > scroll->viewport()->width()) {
                cut.append(placeOf(each));
            }
        }
    }
    return cut;
}

QString germanFile()
{
    return QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/translations/lockstep_de.ts");
}

} // namespace

/// The languages, the guide's key, and the ruler's entry in the real window.
class TestLanguage : public WindowTest
{
    Q_OBJECT

private slots:
    void cleanup();
    void Languages_found_areEnglishAndGerman();
    void Language_forADesktop_isTheNearest_data();
    void Language_forADesktop_isTheNearest();
    void German_figures_areWrittenAsThere();
    void German_everyText_keepsItsPlaceholders();
    void German_window_speaksIt();
    void Form_atFirst_fitsWithoutScrolling_data();
    void Form_atFirst_fitsWithoutScrolling();
    void Form_inLargeTextAndASavedLayout_cutsNothing();
    void Pseudo_everyEntry_isTranslated();
    void Pseudo_everyTextOfAWidget_isTranslated();
    void Pseudo_menus_cutNothing();
    void Mnemonics_inEveryMenu_areDifferent();
    void Choice_ofALanguage_isKeptAndSaysWhen();
    void Guide_byItsKey_opensTheChapterOfTheFocus();
    void Guide_chapters_existForEveryPart();
    void Ruler_byItsEntry_opensAndKnowsOfTheRun();

private:
    void speak(const QString& code)
    {
        const auto before = QCoreApplication::instance()->findChildren<QTranslator*>();
        installLanguage(code);
        for (QTranslator* each : QCoreApplication::instance()->findChildren<QTranslator*>()) {
            if (!before.contains(each)) {
                m_installed.append(each);
            }
        }
    }

    QList<QTranslator*> m_installed;
};

void TestLanguage::cleanup()
{
    m_scene.reset();
    qDeleteAll(m_installed); // takes them out
    m_installed.clear();
}

/// Whatever the desktop speaks.
void TestLanguage::German_figures_areWrittenAsThere()
{
    QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
    speak(QStringLiteral("de"));
    QCOMPARE(QLocale().toString(1234.5, 'f', 1), QStringLiteral("1.234,5"));
    speak(QStringLiteral("en"));
    QCOMPARE(QLocale().toString(1234.5, 'f', 1), QStringLiteral("1,234.5"));
}

void TestLanguage::Languages_found_areEnglishAndGerman()
{
    const auto all = languages();
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all[0].code, QStringLiteral("en"));
    QCOMPARE(all[0].percent, 100);
    QCOMPARE(all[1].code, QStringLiteral("de"));
    QCOMPARE(all[1].name, QStringLiteral("Deutsch"));
    // Counted in what the build has translated from, in another way.
    const auto messages = messagesOf(QStringLiteral(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts"));
    QVERIFY(messages.size() > 500);
    const auto done = std::count_if(messages.begin(), messages.end(), [](const Message& message) {
        return message.isFinished;
    });
    QCOMPARE(all[1].percent, static_cast<int>(100 * done / messages.size()));
    QVERIFY(all[1].percent > 20);
}

void TestLanguage::Language_forADesktop_isTheNearest_data()
{
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<QString>("code");
    QTest::newRow("german") << QStringLiteral("de") << QStringLiteral("de");
    QTest::newRow("of Austria") << QStringLiteral("de-AT") << QStringLiteral("de");
    QTest::newRow("english") << QStringLiteral("en") << QStringLiteral("en");
    QTest::newRow("unknown") << QStringLiteral("tlh") << QStringLiteral("en");
    QTest::newRow("nothing") << QString() << QStringLiteral("en");
}

void TestLanguage::Language_forADesktop_isTheNearest()
{
    QFETCH(const QString, chosen);
    QFETCH(const QString, code);
    QCOMPARE(languageFor(chosen), code);
}

void TestLanguage::German_everyText_keepsItsPlaceholders()
{
    int count = 0;
    for (const Message& message : messagesOf(germanFile())) {
        if (message.isFinished) {
            ++count;
            QVERIFY2(!message.translation.isEmpty(), qPrintable(message.source));
            QCOMPARE(placeholdersOf(message.translation), placeholdersOf(message.source));
            const auto ends = [](const QString& text) {
                return std::pair(text.startsWith(QLatin1Char(' ')), text.endsWith(QChar(0x2026)));
            };
            QVERIFY2(ends(message.translation) == ends(message.source), qPrintable(message.source));
            if (!message.translation.contains(QStringLiteral("{0}"))) { // those of the engine
                const QRegularExpression place(QStringLiteral("\\{[^{}]*\\}"));
                QVERIFY2(
                    message.translation.count(place) == message.source.count(place),
                    qPrintable(message.source));
            }
        }
    }
    QVERIFY2(count > 200, qPrintable(QString::number(count)));
}

void TestLanguage::German_window_speaksIt()
{
    speak(QStringLiteral("de"));
    QVERIFY(!m_installed.isEmpty());
    m_scene.emplace();
    QStringList titles;
    for (const QAction* action : m_scene->window().menuBar()->actions()) {
        titles.append(action->text().remove(QLatin1Char('&')));
    }
    QCOMPARE(
        titles, QStringList(
                    {QStringLiteral("Datei"), QStringLiteral("Lauf"), QStringLiteral("Ansicht"),
                     QStringLiteral("Hilfe")}));
    // Keys do not depend on the language.
    QCOMPARE(m_scene->actions().start->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
    QCOMPARE(
        m_scene->actions().start->shortcut().toString(QKeySequence::NativeText),
        QStringLiteral("Strg+R"));
    QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Close"), QStringLiteral("Schließen"));
    QCOMPARE(m_scene->field(QStringLiteral("steps"))->title(), QStringLiteral("Schritte"));
    m_scene->start(m_scene->config(3)); // and it works
    WAIT_FOR_STATE(Finished);
}

void TestLanguage::Form_atFirst_fitsWithoutScrolling_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("German") << QStringLiteral("de");
}

void TestLanguage::Form_atFirst_fitsWithoutScrolling()
{
    QFETCH(const QString, language);
    speak(language);
    m_scene.emplace();
    m_scene->window().resize(1440, 900);
    QCoreApplication::processEvents();
    const RunPanel& form = m_scene->window().runPanel();
    const auto* const scroll = form.findChild<QScrollArea*>();
    QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
    QCOMPARE(cutOff(form), QStringList());
    form.findChild<Disclosure*>()->setOpen(true);
    QCoreApplication::processEvents();
    QCOMPARE(cutOff(form), QStringList());
}

/// Text half as large again, in the layout that a window with usual text left.
void TestLanguage::Form_inLargeTextAndASavedLayout_cutsNothing()
{
    const QFont usual = QApplication::font();
    m_scene.emplace();
    m_scene->window().close();
    QFont large = usual;
    large.setPointSizeF(1.5 * usual.pointSizeF());
    QApplication::setFont(large);
    m_scene->open();
    QCoreApplication::processEvents();
    const QStringList cut = cutOff(m_scene->window().runPanel());
    QApplication::setFont(usual);
    QCOMPARE(cut, QStringList());
}

void TestLanguage::Pseudo_everyEntry_isTranslated()
{
    PseudoTranslator pseudo;
    QCoreApplication::installTranslator(&pseudo);
    m_scene.emplace();
    for (const QMenu* menu : menusOf(m_scene->window())) {
        for (const QAction* action : menu->actions()) {
            const bool isName = std::ranges::any_of(languages(), [action](const auto& language) {
                return action->text() == language.name; // in the language itself
            });
            if (!action->isSeparator() && !isName) {
                QVERIFY2(action->text().startsWith(QLatin1Char('[')), qPrintable(action->text()));
            }
        }
    }
    QCoreApplication::removeTranslator(&pseudo);
}

void TestLanguage::Pseudo_everyTextOfAWidget_isTranslated()
{
    PseudoTranslator pseudo;
    QCoreApplication::installTranslator(&pseudo);
    m_scene.emplace();
    QStringList untranslated;
    for (const QWidget* widget : m_scene->window().findChildren<QWidget*>()) {
        const auto* const label = qobject_cast<const QLabel*>(widget);
        const auto* const button = qobject_cast<const QAbstractButton*>(widget);
        const auto* const line = qobject_cast<const QLineEdit*>(widget);
        for (const QString& text :
             {label != nullptr ? label->text() : QString(),
              button != nullptr ? button->text() : QString(),
              line != nullptr ? line->placeholderText() : QString(), widget->toolTip(),
              widget->windowTitle(), widget->accessibleName()}) {
            // Two words make a text; one may be the name of something.
            if (text.contains(QRegularExpression(QStringLiteral("[a-z] [a-z]")))
                && !text.contains(QLatin1Char('['))) {
                untranslated.append(text);
            }
        }
    }
    QCoreApplication::removeTranslator(&pseudo);
    QCOMPARE(untranslated, QStringList());
}

void TestLanguage::Pseudo_menus_cutNothing()
{
    PseudoTranslator pseudo;
    QCoreApplication::installTranslator(&pseudo);
    m_scene.emplace();
    const QMenuBar& bar = *m_scene->window().menuBar();
    for (QAction* action : bar.actions()) {
        const QRect place = bar.actionGeometry(action);
        QVERIFY2(
            place.width()
                    >= bar.fontMetrics().horizontalAdvance(action->text().remove(QLatin1Char('&')))
                && bar.rect().contains(place),
            qPrintable(action->text()));
    }
    for (QMenu* menu : menusOf(m_scene->window())) {
        menu->resize(menu->sizeHint());
        for (QAction* action : menu->actions()) {
            if (action->isVisible() && !action->isSeparator()) {
                const int text = menu->fontMetrics().horizontalAdvance(
                    action->text() + action->shortcut().toString());
                QVERIFY2(menu->actionGeometry(action).width() >= text, qPrintable(action->text()));
            }
        }
    }
    QCoreApplication::removeTranslator(&pseudo);
}

void TestLanguage::Mnemonics_inEveryMenu_areDifferent()
{
    m_scene.emplace();
    const auto english = entriesOf(m_scene->window());
    for (const QStringList& entries : english) {
        QCOMPARE(sharedMnemonic(entries), QString());
    }
    m_scene.reset();
    speak(QStringLiteral("de"));
    m_scene.emplace();
    auto german = entriesOf(m_scene->window());
    QCOMPARE(german.size(), english.size());
    for (qsizetype i = 0; i < german.size(); ++i) {
        for (const QString& untranslated : english[i]) {
            german[i].removeAll(untranslated); // has the key that it has in English
        }
        QCOMPARE(sharedMnemonic(german[i]), QString());
    }
}

void TestLanguage::Choice_ofALanguage_isKeptAndSaysWhen()
{
    m_scene.emplace();
    const auto entries = m_scene->actions().language->actions();
    QCOMPARE(entries.size(), 3);
    QVERIFY(entries[0]->isChecked());
    QVERIFY(!entries[1]->text().contains(QLatin1Char('%')));
    const bool isComplete = languages().at(1).percent == 100;
    QVERIFY2(
        entries[2]->text().contains(QLatin1Char('%')) != isComplete,
        qPrintable(entries[2]->text()));
    entries[2]->trigger();
    QVERIFY(entries[2]->isChecked() && !entries[0]->isChecked());
    QVERIFY2(
        m_scene->message().contains(QStringLiteral("started again")),
        qPrintable(m_scene->message()));
    m_scene->open();
    QVERIFY(m_scene->actions().language->actions()[2]->isChecked());
}

void TestLanguage::Guide_byItsKey_opensTheChapterOfTheFocus()
{
    m_scene.emplace();
    const auto chapterAfterF1 = [&] {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        const auto* guide = m_scene->window().findChild<UserGuide*>();
        QString chapter = guide != nullptr && guide->isVisible() ? guide->chapter() : QString();
        m_scene->window().findChild<UserGuide*>()->reject();
        m_scene->activate();
        return chapter;
    };
    m_scene->window().findChild<QWidget*>(QStringLiteral("steps"))->setFocus();
    QCOMPARE(chapterAfterF1(), QStringLiteral("setting-up"));
    m_scene->window().findChild<ChartsPanel*>()->plots().front()->setFocus();
    QCOMPARE(chapterAfterF1(), QStringLiteral("charts"));
}

void TestLanguage::Guide_chapters_existForEveryPart()
{
    m_scene.emplace();
    int count = 0;
    for (const QWidget* widget : m_scene->window().findChildren<QWidget*>()) {
        const QString chapter = helpChapterOf(widget);
        QVERIFY2(chapter.isEmpty() || UserGuide::chapters().contains(chapter), qPrintable(chapter));
        count += chapter.isEmpty() ? 0 : 1;
    }
    QVERIFY(count > 100);
    for (const QDockWidget* dock : m_scene->window().findChildren<QDockWidget*>()) {
        QVERIFY2(!helpChapterOf(dock->widget()).isEmpty(), qPrintable(dock->objectName()));
    }
    QVERIFY(helpChapterOf(nullptr).isEmpty());
}

void TestLanguage::Ruler_byItsEntry_opensAndKnowsOfTheRun()
{
    m_scene.emplace();
    m_scene->start(m_scene->config(kEndless));
    WAIT_FOR_STEPS(1);
    m_scene->actions().scalingRuler->trigger();
    auto* const dialog = m_scene->window().findChild<ScalingDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    const auto* measure = dialog->findChild<QPushButton*>(QStringLiteral("measure"));
    QVERIFY(!measure->isEnabled());
    m_scene->actions().stop->trigger();
    WAIT_FOR_STATE(Stopped);
    QVERIFY(measure->isEnabled());
    dialog->reject();
    m_scene.reset();
    QCOMPARE(WarningWitness::lines(), QStringList());
}

LOCKSTEP_TEST(TestLanguage)
#include "test_language.moc"
