// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/readers/scaling_store.h"
#include "dialogs/about_dialog.h"
#include "dialogs/cifar10_dialog.h"
#include "dialogs/picture_dialog.h"
#include "dialogs/rate_finder/rate_finder_dialog.h"
#include "dialogs/scaling/scaling_dialog.h"
#include "dialogs/user_guide.h"
#include "dialogs/watch_dialog.h"
#include "ui/pictures.h"
#include "ui/run_panel_scene.h"
#include "window/base/language.h"
#include "window/main_window.h"

using namespace lockstep;
using namespace lockstep::ui;

namespace {

void take(QWidget& widget, const QString& name)
{
    for (const bool isInDark : {false, true}) {
        QApplication::setPalette(isInDark ? darkPalette() : lightPalette());
        QTest::qWait(150);
        const QImage picture = widget.grab().toImage();
        QCOMPARE(picture.size(), widget.size() * qApp->devicePixelRatio());
        QCOMPARE(picture.pixelColor(3, 3).lightnessF() < 0.5, isInDark);
        QVERIFY(picture.save(pictureFile(name + (isInDark ? "-dark" : "-light"))));
    }
}

/// What two processors might give: real figures would differ from picture to picture.
KeptScaling invented()
{
    ScalingReport report;
    report.model = "cifar10";
    report.device = "cpu";
    report.precision = "float32";
    report.batch = 128;
    report.threadsPerTower = 1;
    report.processors = 4;
    report.seconds = 4.0;
    const auto add = [&](int towers, double speedUp, const ScalingLoss& loss) {
        ScalingLine line;
        line.towers = towers;
        line.speedUp = speedUp;
        line.efficiency = speedUp / towers;
        line.examplesPerSecond = 1140.0 * speedUp;
        line.least = 0.97 * line.examplesPerSecond;
        line.greatest = 1.01 * line.examplesPerSecond;
        line.loss = loss;
        report.lines.push_back(line);
    };
    add(1, 1.0, {});
    add(2, 1.93, {0.07, 0.00, 0.02, 0.01, 0.01, 0.03});
    add(3, 2.79, {0.21, 0.02, 0.05, 0.02, 0.04, 0.08});
    add(4, 3.52, {0.48, 0.11, 0.09, 0.03, 0.08, 0.17});
    report.serialShare = serialShare(report.lines);
    return {report, QDateTime({2026, 11, 21}, {21, 5})};
}

/// Texts in `window` that their widgets are too narrow for.
QStringList cutTextsIn(const QWidget& window)
{
    QStringList cut;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const auto* const label = qobject_cast<const QLabel*>(widget);
        const auto* const button = qobject_cast<const QAbstractButton*>(widget);
        const bool hasLine = label != nullptr && !label->wordWrap() && !label->text().isEmpty();
        const bool isPlain = hasLine || (button != nullptr && !button->text().isEmpty());
        if (isPlain && widget->isVisible() && widget->width() < widget->minimumSizeHint().width()) {
            cut.append(hasLine ? label->text() : button->text());
        }
    }
    return cut;
}

} // namespace

/// Pictures of what stands beside the charts, for people to look at, in light and dark.
class TestDialogScreenshots : public QObject
{
    Q_OBJECT

private slots:
    void Ruler_withAResult()
    {
        const test::TemporaryFolder folder;
        QSettings settings(toQString(folder / "settings.ini"), QSettings::IniFormat);
        keepScaling(settings, invented());
        ScalingDialog dialog(settings);
        DeviceRow cpu = cpuRow();
        cpu.processors = 4;
        dialog.setUp(RunConfig(), {cpu});
        dialog.show();
        take(dialog, "ruler");
        dialog.setTraining(true);
        dialog.resize(620, 560);
        take(dialog, "ruler-small");
    }

    void Guide_atAFormula()
    {
        UserGuide guide;
        for (const char* chapter : {"first-run", "setting-up", "scaling", "charts"}) {
            guide.showChapter(chapter);
            guide.show();
            take(guide, "guide-" + QLatin1String(chapter));
        }
        guide.findChild<QLineEdit*>("guide_search")->setText("barrier");
        guide.goOn(1);
        take(guide, "guide-search");
    }

    void Picture_asItIsAskedFor()
    {
        const test::TemporaryFolder folder;
        QSettings settings(toQString(folder / "settings.ini"), QSettings::IniFormat);
        auto* const dialog =
            new PictureDialog({"Export Charts", "charts", {{1440, 900}, 2}}, settings);
        dialog->show();
        take(*dialog, "picture-dialog");
        dialog->reject(); // deletes it
    }

    void Watch_beforeARankWrites()
    {
        WatchDialog dialog("/home/me/runs/2026-11-28-pytorch");
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        take(dialog, "watch");
        QVERIFY(dialog.findChild<QPushButton*>("watch_copy")->isDefault()); // Enter closes nothing
        QCOMPARE(cutTextsIn(dialog), QStringList());
    }

    /// Of a training that really happens.
    void Finder_withItsSuggestion()
    {
        RateFinderDialog dialog;
        RunConfig config;
        config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
        config.device = "cpu";
        config.batchPerTower = 16;
        dialog.setUp(config);
        dialog.show();
        dialog.tryRates();
        QTRY_VERIFY(!dialog.isTrying());
        take(dialog, "rate-finder");
        QCOMPARE(cutTextsIn(dialog), QStringList());
    }

    void Form_withItsSchedule()
    {
        const RunPanelScene scene;
        RunRequest request;
        request.config.towers = 4;
        request.config.batchPerTower = 32;
        request.config.steps = 10'000;
        request.config.learningRate = {0.05, 0.1, 40.0, false};
        scene.panel().setRequest(request);
        take(scene.panel(), "form");
    }

    void Window_german()
    {
        installLanguage("de");
        QLocale::setDefault({QLocale::German, QLocale::Germany});
        const test::TemporaryFolder folder;
        QSettings settings(toQString(folder / "settings.ini"), QSettings::IniFormat);
        MainWindow window(settings);
        window.resize(1440, 900);
        window.show();
        QTest::qWait(500);
        take(window, "german");
        QCOMPARE(cutTextsIn(window), QStringList());
        window.resize(1024, 640);
        take(window, "german-small");
        QCOMPARE(window.width(), 1024);
        QCOMPARE(cutTextsIn(window), QStringList());
        // Nothing of the form is cut off at its right.
        const auto* const form = window.runPanel().findChild<QScrollArea*>();
        QVERIFY(form->viewport()->width() >= form->widget()->minimumSizeHint().width());
    }

    /// Speaks German since Window_german().
    void Dialogs_german()
    {
        const test::TemporaryFolder folder;
        QSettings settings(toQString(folder / "settings.ini"), QSettings::IniFormat);
        keepScaling(settings, invented());
        ScalingDialog ruler(settings);
        ruler.setUp(RunConfig(), {cpuRow()});
        UserGuide guide;
        guide.showChapter("live-control");
        DevicesDialog devices({cpuRow()});
        AboutDialog about({cpuRow()});
        Cifar10Dialog download(nullptr);
        RateFinderDialog finder;
        const std::vector<std::pair<QDialog*, QString>> dialogs{
            {&ruler, "german-ruler"},       {&guide, "german-guide"},
            {&devices, "german-devices"},   {&about, "german-about"},
            {&download, "german-download"}, {&finder, "german-rate-finder"}};
        for (const auto& [dialog, name] : dialogs) {
            dialog->show();
            take(*dialog, name);
            QCOMPARE(cutTextsIn(*dialog), QStringList());
            dialog->hide();
        }
        // No chapter's title is wider than their list.
        const auto* const chapters = guide.findChild<QListWidget*>("guide_chapters");
        QVERIFY(chapters->sizeHintForColumn(0) <= chapters->viewport()->width());
    }
};
LOCKSTEP_TEST(TestDialogScreenshots)
#include "test_dialog_screenshots.moc"
