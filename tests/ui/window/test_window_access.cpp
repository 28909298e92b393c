// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls.h"
#include "ui/window_witness.h"

#include <map>
#include <set>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// Keys that would do more than one thing now.
QStringList ambiguousKeys(const MainWindow& window)
{
    std::map<QString, std::set<QObject*>> users;
    std::map<std::pair<QString, QObject*>, std::set<QObject*>> usersInAWidget;
    for (QAction* action : window.findChildren<QAction*>()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            if (!action->isEnabled() || !action->isVisible()) {
                continue;
            }
            if (action->shortcutContext() == Qt::WidgetShortcut) { // where the keyboard is
                usersInAWidget[{keys.toString(), action->parent()}].insert(action);
            } else {
                users[keys.toString()].insert(action);
            }
        }
    }
    for (const auto& [place, actions] : usersInAWidget) {
        if (actions.size() > 1 || users.contains(place.first)) {
            users[place.first].insert(actions.begin(), actions.end());
        }
    }
    QStringList ambiguous;
    for (const auto& [keys, actions] : users) {
        if (actions.size() > 1) {
            ambiguous.append(keys);
        }
    }
    return ambiguous;
}

} // namespace

/// The window without a mouse, and for those who don't see it.
class TestWindowAccess : public WindowTest
{
    Q_OBJECT

private slots:
    void Controls_all_haveAccessibleNames()
    {
        train(20);
        QStringList nameless;
        int controls = 0;
        for (QWidget* widget : window().findChildren<QWidget*>()) {
            if (isControl(widget)) {
                ++controls;
                if (accessibleName(widget).isEmpty()) {
                    nameless.append(placeOf(widget));
                }
            }
        }
        QVERIFY2(controls > 50, qPrintable(QString::number(controls)));
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
    }

    void Inputs_all_haveToolTips()
    {
        QStringList silent;
        for (QWidget* widget : window().findChildren<QWidget*>()) {
            const bool isInput =
                isOneOf<QAbstractSpinBox, QComboBox, QAbstractSlider, QCheckBox, QLineEdit>(widget);
            if (isInput && isControl(widget) && widget->toolTip().isEmpty()) {
                silent.append(placeOf(widget));
            }
        }
        QVERIFY2(silent.isEmpty(), qPrintable(silent.join('\n')));
    }

    void Keys_inEachState_doOneThing()
    {
        QCOMPARE(ambiguousKeys(window()), QStringList());
        m_scene->start(m_scene->config(kEndless));
        QCOMPARE(ambiguousKeys(window()), QStringList()); // preparing
        WAIT_FOR_STEPS(1);
        QCOMPARE(ambiguousKeys(window()), QStringList());
        actions().pause->trigger();
        QCOMPARE(ambiguousKeys(window()), QStringList()); // pausing
        WAIT_FOR_STATE(Paused);
        QCOMPARE(ambiguousKeys(window()), QStringList());
        actions().stop->trigger();
        QCOMPARE(ambiguousKeys(window()), QStringList()); // stopping
        WAIT_FOR_STATE(Stopped);
        QCOMPARE(ambiguousKeys(window()), QStringList());
    }

    void Mnemonics_visibleTogether_areDifferent()
    {
        m_scene->configure(m_scene->config(20)); // with a folder
        std::map<QString, QStringList> users;
        const auto add = [&](const QString& text) {
            users[QKeySequence::mnemonic(text).toString()].append(text);
        };
        for (const QAction* action : window().menuBar()->actions()) {
            add(action->text());
        }
        for (const QLabel* label : window().findChildren<QLabel*>()) {
            if (label->buddy() != nullptr && label->isVisible()) {
                add(label->text());
            }
        }
        for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
            // Tool buttons of actions show their text without being reached by its mnemonic.
            const auto* tool = qobject_cast<const QToolButton*>(button);
            if (button->isVisible() && (tool == nullptr || tool->defaultAction() == nullptr)) {
                add(button->text());
            }
        }
        users.erase(QString());
        QVERIFY(users.size() > 10);
        for (const auto& [keys, texts] : users) {
            QVERIFY2(texts.size() == 1, qPrintable(keys + ": " + texts.join(", ")));
        }
    }

    void Places_byCtrlAndNumber_takeTheFocus()
    {
        const QStringList docks{
            "run_dock",         "charts",     "towers_dock",    "log_dock",       "preview_dock",
            "checkpoints_dock", "runs_dock",  "barrier_dock",   "gradients_dock", "weights_dock",
            "devices_dock",     "masks_dock", "evaluation_dock"};
        QCOMPARE(actions().places->actions().size(), docks.size());
        for (int i = 0; i < docks.size(); ++i) {
            auto* const place = window().findChild<QWidget*>(docks[i]);
            place->hide(); // it comes back
            if (i == 1) {
                place->show();
            }
            m_scene->press(qPrintable(
                i < 9 ? QString("Ctrl+%1").arg(i + 1) : QString("Ctrl+Shift+%1").arg(i - 8)));
            QTRY_VERIFY2(place->isVisible(), qPrintable(docks[i]));
            QTRY_VERIFY2(
                QApplication::focusWidget() != nullptr
                    && place->isAncestorOf(QApplication::focusWidget()),
                qPrintable(docks[i]));
        }
    }

    void Tab_fromTheStart_reachesEverything()
    {
        std::set<const QWidget*> reached;
        for (int i = 0; i < 200; ++i) {
            QWidget* const focus = QApplication::focusWidget();
            QVERIFY(i == 0 || focus != nullptr);
            if (!reached.insert(focus).second) {
                break; // all around
            }
            QTest::keyClick(focus != nullptr ? focus : &window(), Qt::Key_Tab);
        }
        QStringList missed;
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            const bool canFocus = widget->isVisible() && widget->isEnabled()
                                  && (widget->focusPolicy() & Qt::TabFocus) != 0;
            if (canFocus && isControl(widget) && reached.count(widget) == 0) {
                missed.append(placeOf(widget));
            }
        }
        QVERIFY(reached.size() > 15);
        QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
    }

    void Charts_takeKeys()
    {
        train(40);
        m_scene->press("Ctrl+2");
        QCOMPARE(QApplication::focusWidget(), charts().plots().front());
        m_scene->press("L");
        QVERIFY(charts().plots().front()->isLogarithmic() && actions().logarithmic->isChecked());
        m_scene->press("Left");
        QVERIFY(charts().range().crossHair().row().has_value());
        m_scene->press("Escape");
        QVERIFY(!charts().range().crossHair().row().has_value());
        m_scene->press("+");
        QCOMPARE(charts().range().mode(), XRange::Mode::Fixed);
        m_scene->press("End");
        QVERIFY(actions().follow->isChecked());
        m_scene->press("Home");
        QCOMPARE(charts().range().mode(), XRange::Mode::Fit);
    }

    void Focus_afterStart_staysInTheWindow()
    {
        m_scene->configure(m_scene->config(kEndless));
        find("steps")->setFocus();
        m_scene->press("Ctrl+R");
        WAIT_FOR_STEPS(1);
        QVERIFY(QApplication::focusWidget() != nullptr);
        QVERIFY(QApplication::focusWidget()->isEnabled());
    }
};
LOCKSTEP_TEST(TestWindowAccess)
#include "test_window_access.moc"
