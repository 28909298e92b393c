// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/user_guide.h"
#include "plots/cards/card_chart.h"
#include "support/text_rows.h"
#include "ui/controls.h"
#include "ui/window_witness.h"
#include "widgets/forms/form_field.h"
#include "window/commands/window_commands.h"

#include <algorithm>
#include <set>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// Every text in brackets, with accents and half as long again: what a translation may come to.
class PseudoTranslator : public QTranslator
{
public:
    PseudoTranslator() { QCoreApplication::installTranslator(this); }
    [[nodiscard]] QString translate(
        const char* /*context*/, const char* text, const char* /*comment*/,
        int /*n*/) const override
    {
        QString source = QString::fromUtf8(text);
        const auto length = source.size() / 2;
        return "[" + source.replace('a', "ä") + QString(length, '~') + "]";
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
};

QChar mnemonicOf(const QString& text)
{
    const auto found = QRegularExpression("&([^&])").match(text);
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
    auto matches = QRegularExpression("%L?[0-9]+").globalMatch(text);
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
        if (each->isVisible() && (isControl(each) || isOneOf<QLabel>(each))) {
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

/// Of a tool tip as Qt shows it: it wraps rich text, and nothing else; what is wider than a small
/// window counts as two lines.
int linesOf(const QString& tip)
{
    const QFont font = QToolTip::font();
    const QFontMetricsF metrics(font);
    constexpr double kWidest = 900.0;
    if (Qt::mightBeRichText(tip)) {
        QTextDocument text;
        text.setDocumentMargin(0.0);
        text.setDefaultFont(font);
        text.setHtml(tip);
        text.adjustSize();
        return qRound(text.size().height() / metrics.lineSpacing());
    }
    int lines = 0;
    for (const QString& line : tip.split('\n')) {
        lines += metrics.horizontalAdvance(line) > kWidest ? 2 : 1;
    }
    return lines;
}

/// What hovers over a chart's title.
QString titleTipOf(QWidget& chart)
{
    chart.grab();
    const QPoint title(30, 12);
    QHelpEvent help(QEvent::ToolTip, title, chart.mapToGlobal(title));
    QCoreApplication::sendEvent(&chart, &help);
    return QToolTip::text();
}

} // namespace

/// The languages, the guide's key, and the ruler's entry in the real window.
class TestLanguage : public WindowTest
{
    Q_OBJECT

private slots:
    void init() {} // not before a language is chosen

    void cleanup()
    {
        m_scene.reset();
        qDeleteAll(m_installed); // takes them out
        m_installed.clear();
    }

    void Languages_found_areEnglishAndGerman()
    {
        const auto all = languages();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].code, "en");
        QCOMPARE(all[0].percent, 100);
        QCOMPARE(all[1].code, "de");
        QCOMPARE(all[1].name, "Deutsch");
        // Counted in what the build has translated from, in another way.
        const auto messages = messagesOf(LOCKSTEP_TRANSLATIONS "/lockstep_de.ts");
        QVERIFY(messages.size() > 500);
        const auto done =
            std::count_if(messages.begin(), messages.end(), [](const Message& message) {
                return message.isFinished;
            });
        QCOMPARE(all[1].percent, static_cast<int>(100 * done / messages.size()));
        QVERIFY(all[1].percent > 20);
    }

    void Language_forADesktop_isTheNearest_data()
    {
        test::addTextRows(
            {"chosen", "code"}, {{"german", "de", "de"},
                                 {"of Austria", "de-AT", "de"},
                                 {"english", "en", "en"},
                                 {"unknown", "tlh", "en"},
                                 {"nothing", "", "en"}});
    }

    void Language_forADesktop_isTheNearest()
    {
        QFETCH(const QString, chosen);
        QFETCH(const QString, code);
        QCOMPARE(languageFor(chosen), code);
    }

    /// Whatever the desktop speaks.
    void German_figures_areWrittenAsThere()
    {
        QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
        speak("de");
        QCOMPARE(QLocale().toString(1234.5, 'f', 1), "1.234,5");
        speak("en");
        QCOMPARE(QLocale().toString(1234.5, 'f', 1), "1,234.5");
    }

    void German_everyText_keepsItsPlaceholders()
    {
        int count = 0;
        for (const Message& message :
             messagesOf(LOCKSTEP_SOURCE_DIR "/resources/translations/lockstep_de.ts")) {
            if (message.isFinished) {
                ++count;
                QVERIFY2(!message.translation.isEmpty(), qPrintable(message.source));
                QCOMPARE(placeholdersOf(message.translation), placeholdersOf(message.source));
                const auto ends = [](const QString& text) {
                    return std::pair(text.startsWith(' '), text.endsWith(QChar(0x2026)));
                };
                QVERIFY2(
                    ends(message.translation) == ends(message.source), qPrintable(message.source));
                if (!message.translation.contains("{0}")) { // those of the engine
                    const QRegularExpression place("\\{[^{}]*\\}");
                    QVERIFY2(
                        message.translation.count(place) == message.source.count(place),
                        qPrintable(message.source));
                }
            }
        }
        QVERIFY2(count > 200, qPrintable(QString::number(count)));
    }

    void German_window_speaksIt()
    {
        speak("de");
        QVERIFY(!m_installed.isEmpty());
        m_scene.emplace();
        QStringList titles;
        for (const QAction* action : window().menuBar()->actions()) {
            titles.append(action->text().remove('&'));
        }
        QCOMPARE(titles, QStringList({"Datei", "Lauf", "Ansicht", "Hilfe"}));
        // Keys do not depend on the language.
        QCOMPARE(actions().start->shortcut(), QKeySequence("Ctrl+R"));
        QCOMPARE(actions().start->shortcut().toString(QKeySequence::NativeText), "Strg+R");
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Close"), "Schließen");
        QCOMPARE(m_scene->field("steps")->title(), "Schritte");
        m_scene->start(m_scene->config(3)); // and it works
        WAIT_FOR_STATE(Finished);
    }

    void Form_atFirst_fitsWithoutScrolling_data()
    {
        test::addTextRows({"language"}, {{"en"}, {"de"}});
    }

    void Form_atFirst_fitsWithoutScrolling()
    {
        QFETCH(const QString, language);
        speak(language);
        m_scene.emplace();
        window().resize(1440, 900);
        QCoreApplication::processEvents();
        const RunPanel& form = window().runPanel();
        const auto* const scroll = form.findChild<QScrollArea*>();
        QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
        QCOMPARE(cutOff(form), QStringList());
        form.findChild<Disclosure*>()->setOpen(true);
        QCoreApplication::processEvents();
        QCOMPARE(cutOff(form), QStringList());
    }

    /// Text half as large again, in the layout that a window with usual text left.
    void Form_inLargeTextAndASavedLayout_cutsNothing()
    {
        const QFont usual = QApplication::font();
        m_scene.emplace();
        window().close();
        QFont large = usual;
        large.setPointSizeF(1.5 * usual.pointSizeF());
        QApplication::setFont(large);
        m_scene->open();
        QCoreApplication::processEvents();
        const QStringList cut = cutOff(window().runPanel());
        QApplication::setFont(usual);
        QCOMPARE(cut, QStringList());
    }

    void Pseudo_everyEntry_isTranslated()
    {
        const PseudoTranslator pseudo;
        m_scene.emplace();
        for (const QMenu* menu : menusOf(window())) {
            for (const QAction* action : menu->actions()) {
                const bool isName =
                    std::ranges::any_of(languages(), [action](const auto& language) {
                        return action->text() == language.name; // in the language itself
                    });
                if (!action->isSeparator() && !isName) {
                    QVERIFY2(action->text().startsWith('['), qPrintable(action->text()));
                }
            }
        }
    }

    void Pseudo_everyTextOfAWidget_isTranslated()
    {
        const PseudoTranslator pseudo;
        m_scene.emplace();
        QStringList untranslated;
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            const auto* const label = qobject_cast<const QLabel*>(widget);
            const auto* const button = qobject_cast<const QAbstractButton*>(widget);
            const auto* const line = qobject_cast<const QLineEdit*>(widget);
            for (const QString& text :
                 {label != nullptr ? label->text() : QString(),
                  button != nullptr ? button->text() : QString(),
                  line != nullptr ? line->placeholderText() : QString(), widget->toolTip(),
                  widget->windowTitle(), widget->accessibleName()}) {
                // Two words make a text; one may be the name of something.
                if (text.contains(QRegularExpression("[a-z] [a-z]")) && !text.contains('[')) {
                    untranslated.append(text);
                }
            }
        }
        QCOMPARE(untranslated, QStringList());
    }

    void Pseudo_menus_cutNothing()
    {
        const PseudoTranslator pseudo;
        m_scene.emplace();
        const QMenuBar& bar = *window().menuBar();
        for (QAction* action : bar.actions()) {
            const QRect place = bar.actionGeometry(action);
            QVERIFY2(
                place.width() >= bar.fontMetrics().horizontalAdvance(action->text().remove('&'))
                    && bar.rect().contains(place),
                qPrintable(action->text()));
        }
        for (QMenu* menu : menusOf(window())) {
            menu->resize(menu->sizeHint());
            for (QAction* action : menu->actions()) {
                if (action->isVisible() && !action->isSeparator()) {
                    const int text = menu->fontMetrics().horizontalAdvance(
                        action->text() + action->shortcut().toString());
                    QVERIFY2(
                        menu->actionGeometry(action).width() >= text, qPrintable(action->text()));
                }
            }
        }
    }

    void ToolTips_all_haveAtMostThreeLines_data()
    {
        test::addTextRows({"language"}, {{"en"}, {"de"}});
    }

    void ToolTips_all_haveAtMostThreeLines()
    {
        QFETCH(const QString, language);
        speak(language);
        m_scene.emplace();
        train(20);
        int tips = 0;
        QStringList tall;
        const auto add = [&](const QString& tip, const QString& place) {
            tips += tip.isEmpty() ? 0 : 1;
            if (linesOf(tip) > 3) {
                tall.append(place + ": " + tip);
            }
        };
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            add(widget->toolTip(), placeOf(widget));
            const auto* const tabs = qobject_cast<const QTabBar*>(widget);
            for (int i = 0; tabs != nullptr && i < tabs->count(); ++i) {
                add(tabs->tabToolTip(i), placeOf(tabs));
            }
            const auto* const table = qobject_cast<const QTableView*>(widget);
            for (int i = 0; table != nullptr && i < table->model()->columnCount(); ++i) {
                add(table->model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString(),
                    placeOf(table));
            }
            const auto* const list = qobject_cast<const QComboBox*>(widget);
            for (int i = 0; list != nullptr && i < list->count(); ++i) {
                add(list->itemData(i, Qt::ToolTipRole).toString(), placeOf(list));
            }
        }
        for (const QAction* action : window().findChildren<QAction*>()) {
            add(action->toolTip(), action->text());
        }
        for (auto* chart : window().findChildren<PlotView*>()) {
            const QString name = chart->accessibleName();
            add(titleTipOf(*chart), name);
            chart->resize(300, 120); // its caption is cut, and there is no line for its status
            add(titleTipOf(*chart), name + " narrow");
            QVERIFY(!QToolTip::text().isEmpty());
        }
        for (auto* chart : window().findChildren<CardChart*>()) {
            add(titleTipOf(*chart), chart->objectName());
        }
        QToolTip::hideText();
        m_scene.reset();
        QVERIFY2(tips > 300, qPrintable(QString::number(tips)));
        QVERIFY2(tall.isEmpty(), qPrintable(tall.join("\n\n")));
    }

    void Mnemonics_inEveryMenu_areDifferent()
    {
        m_scene.emplace();
        const auto english = entriesOf(window());
        for (const QStringList& entries : english) {
            QCOMPARE(sharedMnemonic(entries), QString());
        }
        m_scene.reset();
        speak("de");
        m_scene.emplace();
        auto german = entriesOf(window());
        QCOMPARE(german.size(), english.size());
        for (qsizetype i = 0; i < german.size(); ++i) {
            for (const QString& untranslated : english[i]) {
                german[i].removeAll(untranslated); // has the key that it has in English
            }
            QCOMPARE(sharedMnemonic(german[i]), QString());
        }
    }

    void Choice_ofALanguage_isKeptAndSaysWhen()
    {
        m_scene.emplace();
        const auto entries = actions().language->actions();
        QCOMPARE(entries.size(), 3);
        QVERIFY(entries[0]->isChecked());
        QVERIFY(!entries[1]->text().contains('%'));
        const bool isComplete = languages().at(1).percent == 100;
        QVERIFY2(entries[2]->text().contains('%') != isComplete, qPrintable(entries[2]->text()));
        entries[2]->trigger();
        QVERIFY(entries[2]->isChecked() && !entries[0]->isChecked());
        QVERIFY2(m_scene->message().contains("started again"), qPrintable(m_scene->message()));
        QTimer::singleShot(0, &window(), [this] { m_scene->accept("Restart Now"); });
        QCOMPARE(QCoreApplication::exec(), kRestart);
        QVERIFY(!window().isVisible());
        m_scene->open();
        QVERIFY(actions().language->actions()[2]->isChecked());
    }

    void Choice_ofALanguage_whileItTrains_offersNoRestart()
    {
        m_scene.emplace();
        m_scene->start(m_scene->config(kEndless));
        WAIT_FOR_STATE(Running);
        actions().language->actions()[2]->trigger();
        QVERIFY2(m_scene->message().contains("started again"), qPrintable(m_scene->message()));
        QCOMPARE(m_scene->offers(), QStringList());
        m_scene->stopAtOnce();
    }

    void Guide_byItsKey_opensTheChapterOfTheFocus()
    {
        m_scene.emplace();
        const auto chapterAfterF1 = [&] {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
            const auto* guide = window().findChild<UserGuide*>();
            QString chapter = guide != nullptr && guide->isVisible() ? guide->chapter() : QString();
            window().findChild<UserGuide*>()->reject();
            m_scene->activate();
            return chapter;
        };
        find("steps")->setFocus();
        QCOMPARE(chapterAfterF1(), "setting-up");
        charts().plots().front()->setFocus();
        QCOMPARE(chapterAfterF1(), "charts");
    }

    void Guide_chapters_existForEveryPart()
    {
        m_scene.emplace();
        int count = 0;
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            const QString chapter = helpChapterOf(widget);
            QVERIFY2(
                chapter.isEmpty() || UserGuide::chapters().contains(chapter), qPrintable(chapter));
            count += chapter.isEmpty() ? 0 : 1;
        }
        QVERIFY(count > 100);
        for (const QDockWidget* dock : window().findChildren<QDockWidget*>()) {
            QVERIFY2(!helpChapterOf(dock->widget()).isEmpty(), qPrintable(dock->objectName()));
        }
        QVERIFY(helpChapterOf(nullptr).isEmpty());
    }

    void Ruler_byItsEntry_opensAndKnowsOfTheRun()
    {
        m_scene.emplace();
        trainOn(1);
        actions().scalingRuler->trigger();
        auto* const dialog = window().findChild<ScalingDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        const auto* measure = dialog->findChild<QPushButton*>("measure");
        QVERIFY(!measure->isEnabled());
        actions().stop->trigger();
        WAIT_FOR_STATE(Stopped);
        QVERIFY(measure->isEnabled());
        dialog->reject();
        m_scene.reset();
        QCOMPARE(WarningWitness::lines(), QStringList());
    }

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
LOCKSTEP_TEST(TestLanguage)
#include "test_language.moc"
