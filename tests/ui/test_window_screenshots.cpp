// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts_panel.h"
#include "plots/plot_view.h"
#include "theme/palette.h"
#include "ui/window_witness.h"

#include <QDir>
#include <QHeaderView>
#include <QScreen>
#include <QTableView>

namespace lockstep::ui {
namespace {

/// How many colours a picture of the window has at least: a blank one has few.
constexpr int kFewestColors = 100;

/// Where the pictures go: in the build folder, for people to look at.
QString pictureFile(const QString& name)
{
    const QDir folder(QStringLiteral(LOCKSTEP_SCREENSHOTS));
    folder.mkpath(QStringLiteral("."));
    const int scale = qRound(qApp->devicePixelRatio());
    return folder.filePath(QStringLiteral("%1-%2x.png").arg(name).arg(scale));
}

qsizetype colorsOf(const QImage& picture)
{
    QSet<QRgb> colors;
    for (int y = 0; y < picture.height(); y += 3) {
        for (int x = 0; x < picture.width(); x += 3) {
            colors.insert(picture.pixel(x, y));
        }
    }
    return colors.size();
}

} // namespace

/// Takes the pictures of the window that people look at: empty, running, with an error, small; in
/// light and dark; at the scale that QT_SCALE_FACTOR asks for.
class TestWindowScreenshots : public QObject
{
    Q_OBJECT

private slots:
    void Window_empty_inBothThemes();
    void Window_running_inBothThemes();
    void Window_runOfGpus_tellsOfThem();
    void Window_wrongSetting_isMarked();
    void Window_failedRun_saysWhy();
    void Window_small_showsAll();

private:
    void take(WindowScene& scene, const QString& name, const QString& theme, QSize size);
};

void TestWindowScreenshots::take(
    WindowScene& scene, const QString& name, const QString& theme, QSize size)
{
    for (QAction* const action : scene.window().actions().theme->actions()) {
        if (action->data().toString() == theme) {
            action->trigger();
        }
    }
    scene.window().resize(size);
    QTest::qWait(300); // layout, figures that are renewed now and then
    const QImage picture = scene.window().grab().toImage();
    QCOMPARE(picture.size(), size * qApp->devicePixelRatio());
    QVERIFY(colorsOf(picture) > kFewestColors);
    const QColor corner = picture.pixelColor(2, picture.height() / 2);
    QCOMPARE(corner.lightnessF() < 0.5, theme == QLatin1String("dark"));
    QVERIFY(picture.save(pictureFile(name + QLatin1Char('-') + theme)));
}

void TestWindowScreenshots::Window_empty_inBothThemes()
{
    WindowScene scene;
    take(scene, QStringLiteral("empty"), QStringLiteral("light"), {1440, 900});
    take(scene, QStringLiteral("empty"), QStringLiteral("dark"), {1440, 900});
}

void TestWindowScreenshots::Window_running_inBothThemes()
{
    WindowScene scene;
    RunConfig config = smallConfig(100'000);
    config.dataset = "synthetic"; // which can be learnt
    config.towers = 4;
    config.evaluateEverySteps = 200;
    config.checkpointEverySteps = 200;
    scene.window().desk().setUp(config);
    scene.window().actions().start->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(
        scene.window().run().newestStep() && scene.window().run().newestStep()->step >= 1000,
        120'000);
    auto* const charts = scene.window().findChild<ChartsPanel*>();
    charts->range().setCursor(600);
    take(scene, QStringLiteral("running"), QStringLiteral("light"), {1440, 900});
    take(scene, QStringLiteral("running"), QStringLiteral("dark"), {1440, 900});
    scene.window().actions().stop->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(scene.window().controller().canStart(), 60'000);
}

void TestWindowScreenshots::Window_runOfGpus_tellsOfThem()
{
    WindowScene scene;
    scene.window().resize(1440, 900);
    RunConfig config = scene.config(60);
    config.towers = 4;
    config.batchPerTower = 4;
    scene.window().desk().setUp(config);
    scene.actions().start->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(scene.state(), SessionController::State::Finished, 60'000);
    const std::filesystem::path run = scene.run().folder();
    scene.actions().newRun->trigger();
    tellOfTwoGpus(run, 4);
    scene.choose(scene.actions().openRun, run);
    const auto* const table = scene.window().findChild<QTableView*>(QStringLiteral("towers_table"));
    const QAbstractItemModel* const towers = table->model();
    QTRY_COMPARE_WITH_TIMEOUT(towers->columnCount(), int{TowerTableModel::ColumnCount}, 10'000);
    const auto cell = [&](int row, int column) {
        return towers->index(row, column).data().toString();
    };
    QCOMPARE(cell(1, TowerTableModel::Temperature), QStringLiteral("64 °C"));
    QCOMPARE(cell(2, TowerTableModel::Temperature), QStringLiteral("83 °C"));
    QCOMPARE(cell(2, TowerTableModel::SlowedBy), QStringLiteral("power limit"));
    take(scene, QStringLiteral("gpus"), QStringLiteral("light"), {1440, 900});
    const auto* const header = table->horizontalHeader();
    QVERIFY(header->length() <= table->viewport()->width()); // there is room for all columns
    take(scene, QStringLiteral("gpus"), QStringLiteral("dark"), {1440, 900});
    take(scene, QStringLiteral("gpus-small"), QStringLiteral("light"), {1024, 640});
}

void TestWindowScreenshots::Window_wrongSetting_isMarked()
{
    WindowScene scene;
    RunConfig config = smallConfig(1000);
    config.towers = 3;
    config.batchPerTower.reset();
    config.globalBatch = 100;
    scene.window().desk().setUp(config);
    QVERIFY(!scene.window().actions().start->isEnabled());
    take(scene, QStringLiteral("wrong-setting"), QStringLiteral("light"), {1440, 900});
}

void TestWindowScreenshots::Window_failedRun_saysWhy()
{
    WindowScene scene;
    RunConfig config = smallConfig(1000);
    config.learningRate.initial = 1e30;
    scene.window().desk().setUp(config);
    scene.window().actions().start->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(
        scene.window().controller().state(), SessionController::State::Failed, 60'000);
    QCOMPARE(scene.window().messages().kind(), MessageBar::Kind::Error);
    take(scene, QStringLiteral("failed"), QStringLiteral("light"), {1440, 900});
    take(scene, QStringLiteral("failed"), QStringLiteral("dark"), {1440, 900});
}

void TestWindowScreenshots::Window_small_showsAll()
{
    WindowScene scene;
    take(scene, QStringLiteral("small"), QStringLiteral("light"), {1024, 640});
}

} // namespace lockstep::ui

QTEST_MAIN(lockstep::ui::TestWindowScreenshots)
#include "test_window_screenshots.moc"
