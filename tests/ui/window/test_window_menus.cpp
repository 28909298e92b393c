// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::ui;

/// No entry of a menu is without effect.
class TestWindowMenus : public WindowTest
{
    Q_OBJECT

private slots:
    void ViewMenu_everyEntry_changesTheView()
    {
        train(40);
        const auto look = [this] {
            QCoreApplication::processEvents();
            return window().grab().toImage();
        };
        for (QAction* dock : actions().docks->actions()) {
            const bool wasChecked = dock->isChecked();
            dock->trigger();
            QCOMPARE(dock->isChecked(), !wasChecked);
            dock->trigger();
        }
        actions().theme->actions().at(1)->trigger();
        for (QAction* action :
             {actions().smoothLess, actions().logarithmic, actions().axis->actions().at(1),
              actions().axis->actions().at(2), actions().axis->actions().at(3),
              actions().axis->actions().at(0), actions().logarithmicX, actions().logarithmicX,
              actions().enlarge, actions().enlarge, actions().theme->actions().at(2)}) {
            const QImage before = look();
            action->trigger();
            QVERIFY2(look() != before, qPrintable(action->text()));
        }
        const double smoothing = m_scene->run().smoothing();
        actions().smoothMore->trigger();
        QVERIFY(m_scene->run().smoothing() > smoothing);
        const XRange& range = charts().range();
        actions().robust->trigger();
        QVERIFY(!range.isRobust());
        QVERIFY(!actions().zoomForward->isEnabled());
        charts().range().zoomTo(10, 20);
        actions().zoomBack->trigger();
        QCOMPARE(range.mode(), XRange::Mode::Fit);
        actions().zoomForward->trigger();
        QCOMPARE(range.first(), 10.0);
        actions().follow->trigger();
        QCOMPARE(charts().range().mode(), XRange::Mode::Follow);
        actions().fit->trigger();
        QCOMPARE(charts().range().mode(), XRange::Mode::Fit);
        actions().fullScreen->trigger();
        QVERIFY(window().isFullScreen());
        actions().fullScreen->trigger();
        QVERIFY(!window().isFullScreen());
    }

    void HelpMenu_everyEntry_opensADialog()
    {
        const WindowActions& all = actions();
        for (QAction* const action :
             {all.userGuide, all.shortcuts, all.findRate, all.scalingRuler, all.devices, all.about,
              all.getCifar10}) {
            expectDialog(action);
        }
        bool isShown = false;
        QTimer::singleShot(0, this, [&] { // it is Qt's own and waits for its answer
            if (auto* const box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                isShown = true;
                box->reject();
            }
        });
        actions().aboutQt->trigger();
        QTRY_VERIFY(isShown);
    }

    void FileDialogs_all_open()
    {
        trainOn(1);
        expectDialog(actions().saveCheckpointAs);
        expectDialog(actions().exportCharts);
        expectDialog(actions().exportCsv);
        expectDialog(actions().exportConfiguration);
        actions().stop->trigger();
        WAIT_FOR_STATE(Stopped);
        expectDialog(actions().openRun);
        expectDialog(actions().loadCheckpoint);
        expectDialog(actions().importConfiguration);
    }

    void Entries_all_haveText()
    {
        QList<QAction*> entries;
        for (const QMenu* menu : menusOf(window())) {
            for (QAction* entry : menu->actions()) {
                if (entry->menu() == nullptr && !entry->isSeparator()) {
                    QVERIFY(!entry->text().isEmpty());
                    entries.append(entry);
                }
            }
        }
        QVERIFY(entries.size() > 40);
        for (QAction* entry : actions().all()) {
            QVERIFY2(
                entries.contains(entry), qPrintable(entry->text())); // none is without its menu
        }
    }

private:
    void expectDialog(QAction* action)
    {
        action->trigger();
        QDialog* shown = nullptr;
        for (QDialog* dialog : window().findChildren<QDialog*>()) {
            shown = dialog->isVisible() ? dialog : shown;
        }
        if (shown == nullptr) {
            QFAIL(qPrintable(action->text()));
        }
        QVERIFY(!shown->windowTitle().isEmpty());
        for (QWidget* widget : shown->findChildren<QWidget*>()) {
            if (isControl(widget) && qobject_cast<QFileDialog*>(shown) == nullptr) {
                QVERIFY2(!accessibleName(widget).isEmpty(), qPrintable(placeOf(widget)));
            }
        }
        shown->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
};
LOCKSTEP_TEST(TestWindowMenus)
#include "test_window_menus.moc"
