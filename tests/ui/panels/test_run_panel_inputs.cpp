// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_panel_scene.h"

#include <QtTest/qtestspontaneevent.h>

#include <set>

using namespace lockstep;
using namespace lockstep::ui;

class TestRunPanelInputs : public RunPanelTest
{
    Q_OBJECT

private slots:
    void Devices_found_areOfferedAndMissingOnesSayWhy()
    {
        const auto* combo = m_scene->find<QComboBox>("device");
        const auto* model = qobject_cast<QStandardItemModel*>(combo->model());
        const int cuda = combo->findData("cuda");
        QVERIFY(!model->item(cuda)->isEnabled());
        QCOMPARE(combo->itemData(cuda, Qt::ToolTipRole).toString(), "no driver");
        QVERIFY(model->item(combo->findData("cpu"))->isEnabled());
        const FormField* towers = m_scene->field("towers");
        QVERIFY(towers->note().contains("No GPU"));
        QVERIFY(towers->note().contains("2 processor"));

        DeviceRow cuda1 = missingCuda();
        cuda1.isAvailable = true;
        cuda1.description = "2 of some GPU";
        cuda1.precisions = {"float32", "bfloat16"};
        panel().setDevices({cpuRow(), cuda1});
        QVERIFY(model->item(combo->findData("cuda"))->isEnabled());
        QVERIFY(towers->note().contains(cuda1.description));
        QVERIFY(m_scene->field("device")->note().contains("cuda"));
        const auto* precision = m_scene->find<QComboBox>("precision");
        const auto* formats = qobject_cast<QStandardItemModel*>(precision->model());
        QVERIFY(formats->item(precision->findData("bfloat16"))->isEnabled());
        QVERIFY(!formats->item(precision->findData("tf32"))->isEnabled());
        QCOMPARE(combo->currentData().toString(), "auto");
    }

    void Threads_chosen_areInTheRequest()
    {
        auto* const combo = m_scene->find<QComboBox>("threads_per_tower");
        QCOMPARE(combo->currentData().toString(), "0");
        combo->setCurrentIndex(combo->findData("measure"));
        QVERIFY(panel().request().config.threadsPerTower.isMeasured);
        const FormField* device = m_scene->field("device");
        QTRY_VERIFY(device->note().contains("threads measured at start"));
        combo->setCurrentIndex(combo->findData(QString::number(QThread::idealThreadCount())));
        QCOMPARE(panel().request().config.threadsPerTower.number, QThread::idealThreadCount());
    }

    void Facts_follow_theFields()
    {
        const FormField* global = m_scene->field("global_batch");
        const FormField* device = m_scene->field("device");
        m_scene->type("towers", "4");
        QTRY_VERIFY(global->note().contains("4 towers × 128 = 512"));
        QVERIFY(device->note().contains("4 tower"));
        QVERIFY(device->note().contains("on CPU"));
        // What makes no sense hides the line, and nothing below it moves except for the problem's
        // line.
        const QWidget* steps = m_scene->input("steps");
        const int before = steps->mapTo(&panel(), QPoint()).y();
        m_scene->type("batch_per_tower", "0");
        QTRY_VERIFY(!m_scene->field("batch_per_tower")->problem().isEmpty());
        QCoreApplication::processEvents();
        const int moved = steps->mapTo(&panel(), QPoint()).y() - before;
        const int line = m_scene->field("steps")->fontMetrics().lineSpacing();
        QVERIFY2(moved >= 0 && moved < 4 * line, qPrintable(QString::number(moved)));
    }

    void Model_questionForAFileCancelled_keepsItsSettings()
    {
        RunRequest request;
        request.config.model.name = "inception_v3";
        request.config.model.labelSmoothing = 0.25;
        panel().setRequest(request);
        int asked = 0;
        QTimer closer;
        connect(&closer, &QTimer::timeout, this, [&] {
            if (auto* const dialog =
                    qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                ++asked;
                dialog->reject();
            }
        });
        closer.start(20);
        auto* const model = m_scene->find<QComboBox>("model.name");
        model->setFocus();
        QTest::keyClick(model, Qt::Key_End); // its last choice asks
        QCOMPARE(asked, 1);
        QCOMPARE(model->currentData().toString(), "inception_v3");
        QCOMPARE(toToml(panel().request().config), toToml(request.config));
        // Another model has settings of its own.
        QTest::keyClick(model, Qt::Key_Home);
        QVERIFY(model->currentData().toString() != "inception_v3");
        QCOMPARE(panel().request().config.model.labelSmoothing, RunConfig().model.labelSmoothing);
    }

    void Inputs_all_haveNameAndToolTip()
    {
        std::set<QString> keys;
        int count = 0;
        for (const QWidget* each : panel().findChildren<QWidget*>()) {
            const bool isInput = qobject_cast<const QAbstractSpinBox*>(each) != nullptr
                                 || qobject_cast<const QLineEdit*>(each) != nullptr
                                 || qobject_cast<const QComboBox*>(each) != nullptr
                                 || qobject_cast<const QCheckBox*>(each) != nullptr
                                 || each->objectName() == "phase";
            if (isInput) {
                QVERIFY2(!each->accessibleName().isEmpty(), qPrintable(each->objectName()));
                QVERIFY2(!each->toolTip().isEmpty(), qPrintable(each->objectName()));
                keys.insert(each->objectName());
                ++count;
            }
        }
        QVERIFY(count >= 30);
        for (const ConfigKey& key : configKeys(RunConfig())) {
            QVERIFY2(keys.contains(QString::fromStdString(key.name)), key.name.c_str());
        }
        QVERIFY(keys.contains("run.folder"));
        std::set<QChar> mnemonics;
        for (const QLabel* label : panel().findChildren<QLabel*>()) {
            const auto at = label->text().indexOf('&');
            if (at >= 0) {
                QVERIFY2(label->buddy() != nullptr, qPrintable(label->text()));
                QVERIFY2(
                    mnemonics.insert(label->text().at(at + 1).toLower()).second,
                    qPrintable(label->text()));
            }
        }
        QVERIFY(mnemonics.size() >= 12);
    }

    void Inputs_all_followFromTopToBottom()
    {
        m_scene->more().setOpen(true);
        QCoreApplication::processEvents();
        QWidget* first = m_scene->input("model.name");
        first->setFocus();
        int last = -1;
        int count = 0;
        for (; count < 100; ++count) {
            QWidget* now = QApplication::focusWidget();
            const int y = now->mapTo(panel().findChild<QScrollArea*>()->widget(), QPoint(0, 5)).y();
            if (now == first && count > 0) {
                break;
            }
            QVERIFY2(y >= last - 1, qPrintable(now->objectName()));
            last = y;
            QTest::keyClick(now, Qt::Key_Tab);
        }
        QVERIFY2(count >= 30 && count < 100, qPrintable(QString::number(count)));
    }

    void LastAndOwn_areWordsAndNoNumbers()
    {
        const auto* const tower = m_scene->find<WholeNumberBox>("experiment.tower");
        QCOMPARE(tower->text(), "last");
        m_scene->more().setOpen(true);
        RunRequest request = panel().request();
        request.config.experiment.shards = "poisoned";
        request.config.experiment.tower = 0; // which is not the last
        panel().setRequest(request);
        QCOMPARE(tower->text(), "0");
        QCOMPARE(panel().request().config.experiment.tower, 0);
        m_scene->type("experiment.tower", "-1");
        m_scene->input("steps")->setFocus();
        QCOMPARE(tower->text(), "last");
        QCOMPARE(panel().request().config.experiment.tower, -1);
        const auto* const decay = m_scene->find<QLineEdit>("optimizer.weight_decay");
        QVERIFY(decay->text().isEmpty());
        QCOMPARE(decay->placeholderText(), "the model's own");
        const double own = RunConfig().optimizer.weightDecay;
        QCOMPARE(panel().request().config.optimizer.weightDecay, own);
        m_scene->type("optimizer.weight_decay", "0.5");
        QCOMPARE(panel().request().config.optimizer.weightDecay, 0.5);
        m_scene->type("optimizer.weight_decay", "");
        QCOMPARE(panel().request().config.optimizer.weightDecay, own);
        QVERIFY(panel().isReady());
    }

    void OwnPictures_areNotRed_beforeAnythingWasTyped()
    {
        RunRequest request = panel().request();
        request.config.dataset = "image_folder";
        panel().setRequest(request);
        QVERIFY(!panel().isReady());
        const QWidget* const folder = m_scene->input("dataset.path");
        QCOMPARE(
            m_scene->shownProblem("dataset.path"), "Choose the folder or archive of your pictures");
        QVERIFY(!folder->property("hasProblem").toBool());
        m_scene->type("dataset.path", "/no/such/folder");
        QVERIFY(!panel().isReady());
        QVERIFY(folder->property("hasProblem").toBool());
    }

    void Fields_stayInPlace_whenALineComesOrGoes()
    {
        panel().showExpectation("about 3 min");
        m_scene->more().setOpen(true);
        const auto place = [&](const char* key) {
            QCoreApplication::processEvents();
            return m_scene->input(key)->mapTo(m_scene->input(key)->window(), QPoint());
        };
        const QPoint before = place("learning_rate.initial");
        const QPoint below = place("experiment.delay_ms");
        m_scene->type("experiment.delay_ms", "5");
        QVERIFY(panel().isReady());
        panel().showExpectation({}); // measured anew
        QCOMPARE(place("learning_rate.initial"), before);
        QCOMPARE(place("experiment.delay_ms"), below);
    }

    void Path_tooLong_showsItsEnd()
    {
        auto* const line = m_scene->find<QLineEdit>("run.folder");
        m_scene->more().setOpen(true);
        m_scene->input("steps")->setFocus();
        const auto shown = [&](const char* path) {
            line->setText(path);
            return line->grab().toImage();
        };
        const QImage picture = shown("/a/folder/with/a/long/name/not/on/this/computer/runs");
        QVERIFY(picture == shown("/one/more/with/a/long/name/not/on/this/computer/runs"));
        QVERIFY(picture != shown("/a/folder/with/a/long/name/not/on/this/computer/data"));
    }

    void Wheel_overAnInputWithoutFocus_scrolls()
    {
        m_scene->more().setOpen(true);
        panel().resize(300, 300);
        QCoreApplication::processEvents();
        const std::string before = toToml(panel().request().config);
        auto* bar = panel().findChild<QScrollArea*>()->verticalScrollBar();
        const auto turn = [](QWidget* over, int angle) {
            const QPointF at(5, 5);
            QWheelEvent wheel(
                at, over->mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                Qt::NoScrollPhase, false);
            QSpontaneKeyEvent::setSpontaneous(&wheel); // Qt passes only a person's on to the parent
            qApp->notify(over, &wheel);
        };
        m_scene->input("model.name")->clearFocus();
        for (const char* key : {"towers", "device", "dataset.name", "steps", "precision"}) {
            bar->setValue(0);
            turn(m_scene->input(key), -120);
            QVERIFY2(bar->value() > 0, key);
            QVERIFY(!m_scene->input(key)->hasFocus());
        }
        bar->setValue(0);
        turn(m_scene->input("towers")->findChild<QLineEdit*>(), -120);
        QVERIFY(bar->value() > 0);
        QCOMPARE(toToml(panel().request().config), before);
        m_scene->input("towers")->setFocus();
        turn(m_scene->input("towers"), 120);
        QCOMPARE(panel().request().config.towers, 3);
    }

    void Width_narrow_cutsNothingOff()
    {
        m_scene->more().setOpen(true);
        RunRequest request = unusualRequest();
        request.config.datasetPath =
            "/a/folder/with/a/long/name/that/is/not/on/this/computer/at/all";
        panel().setRequest(request);
        for (const int width : {250, 300}) {
            panel().resize(width, 700);
            QCoreApplication::processEvents();
            const auto* scroll = panel().findChild<QScrollArea*>();
            QCOMPARE(panel().width(), width);
            QVERIFY2(
                scroll->widget()->width() <= scroll->viewport()->width(),
                qPrintable(QString::number(scroll->widget()->width())));
            std::set<int> rights;
            for (const FormField* each : panel().findChildren<FormField*>()) {
                if (each->isVisibleTo(&panel())) { // not those of other data sets or models
                    rights.insert(
                        each->editor()->mapTo(&panel(), QPoint(each->editor()->width(), 0)).x());
                }
            }
            QCOMPARE(rights.size(), std::size_t{1}); // one column
        }
    }

    void Width_narrow_leavesNamesOfDataSetsWhole()
    {
        auto* const combo = m_scene->find<QComboBox>("dataset.name");
        panel().resize(panel().minimumWidth(), 700);
        QCoreApplication::processEvents();
        QStyleOptionComboBox option;
        option.initFrom(combo);
        option.editable = false;
        const QRect text = combo->style()->subControlRect(
            QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, combo);
        QVERIFY(combo->count() >= 4);
        for (int i = 0; i < combo->count(); ++i) {
            QVERIFY2(
                combo->fontMetrics().horizontalAdvance(combo->itemText(i)) <= text.width(),
                qPrintable(combo->itemText(i)));
        }
    }

    void Palette_changed_isFollowed()
    {
        m_scene->type("towers", "0");
        QVERIFY(!panel().isReady());
        QApplication::setPalette(darkPalette());
        QCoreApplication::processEvents();
        const ThemeColors theme = themeColors(darkPalette());
        int checked = 0;
        for (const QLabel* label : panel().findChildren<QLabel*>()) {
            if (label->isVisible() && !label->text().isEmpty()) {
                const QColor text = label->palette().color(QPalette::WindowText);
                QVERIFY2(contrast(text, theme.window) >= 4.0, qPrintable(label->text()));
                ++checked;
            }
        }
        QVERIFY(checked > 15);
    }
};
LOCKSTEP_TEST(TestRunPanelInputs)
#include "test_run_panel_inputs.moc"
