// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/lockstep_test.h"
#include "ui/controls.h"
#include "ui/window_witness.h"

#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTimer>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

void addMenu(const QMenu& menu, QList<QAction*>& entries)
{
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr) {
            emit action->menu()->aboutToShow();
            addMenu(*action->menu(), entries);
        } else if (!action->isSeparator()) {
            entries.append(action);
        }
    }
}

/// All entries of all menus.
QList<QAction*> entriesOf(const MainWindow& window)
{
    QList<QAction*> entries;
    for (const QAction* action : window.menuBar()->actions()) {
        addMenu(*action->menu(), entries);
    }
    return entries;
}

} // namespace

/// No entry of a menu is without effect.
class TestWindowMenus : public WindowTest
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup() { END_SCENE(); }

    void ViewMenu_everyEntry_changesTheView();
    void HelpMenu_everyEntry_opensADialog();
    void FileDialogs_all_open();
    void Entries_all_haveText();

private:
    void expectDialog(QAction* action);
};

void TestWindowMenus::ViewMenu_everyEntry_changesTheView()
{
    m_scene->start(m_scene->config(40));
    WAIT_FOR_STATE(Finished);
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

void TestWindowMenus::expectDialog(QAction* action)
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

void TestWindowMenus::HelpMenu_everyEntry_opensADialog()
{
    expectDialog(actions().userGuide);
    expectDialog(actions().shortcuts);
    expectDialog(actions().scalingRuler);
    expectDialog(actions().devices);
    expectDialog(actions().about);
    expectDialog(actions().getCifar10);
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

void TestWindowMenus::FileDialogs_all_open()
{
    m_scene->start(m_scene->config(kEndless));
    WAIT_FOR_STEPS(1);
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

void TestWindowMenus::Entries_all_haveText()
{
    const QList<QAction*> entries = entriesOf(window());
    QVERIFY(entries.size() > 40);
    for (const QAction* entry : entries) {
        QVERIFY(!entry->text().isEmpty());
    }
    for (QAction* entry : actions().all()) {
        QVERIFY2(entries.contains(entry), qPrintable(entry->text())); // none is without its menu
    }
}

LOCKSTEP_TEST(TestWindowMenus)
#include "test_window_menus.moc"
