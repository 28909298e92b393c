// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/preview/preview_panel.h"
#include "support/lockstep_test.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/pictures/image_grid.h"

#include <QtWidgets>

#include <cmath>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// The small network on the synthetic data set: a global batch of 2 towers x 4.
RunConfig smallConfig()
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.batchPerTower = 4;
    config.seed = 3;
    return config;
}

RunConfig badConfig()
{
    RunConfig config = smallConfig();
    config.dataset = "cifar10";
    config.datasetPath = "/no/such/folder";
    return config;
}

/// Each pixel in a colour of its own.
ImageTile colourfulTile(int tower, const QString& label = "ship", int side = 24)
{
    ImageTile tile;
    tile.image = QImage(side, side, QImage::Format_RGB888);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            tile.image.setPixel(x, y, qRgb(x * 10, y * 10, (x * 7 + y * 13) % 256));
        }
    }
    tile.label = label;
    tile.tower = tower;
    tile.example = 12'345;
    return tile;
}

std::vector<ImageTile> tiles(int towers, int perTower)
{
    std::vector<ImageTile> made;
    made.reserve(static_cast<std::size_t>(towers) * static_cast<std::size_t>(perTower));
    for (int i = 0; i < towers * perTower; ++i) {
        made.push_back(colourfulTile(i / perTower));
    }
    return made;
}

/// A panel that is looked at.
struct SeenPanel : PreviewPanel
{
    SeenPanel()
    {
        setInSight(true);
        resize(700, 240);
    }
};

QString allText(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        if (label->isVisible()) {
            texts.append(label->text());
        }
    }
    return texts.join('\n');
}

const ImageGrid& gridOf(const PreviewPanel& panel)
{
    return *panel.findChild<ImageGrid*>();
}

void press(QWidget& widget, Qt::Key key)
{
    QTest::keyClick(&widget, key);
}

} // namespace

class TestPreviewPanel : public QObject
{
    Q_OBJECT

private slots:
    void Layout_roomForAll_takesTheLargestWholeScale()
    {
        ImageGridInput input{
            .groupSizes = {2, 2}, .imagePixels = {24, 24}, .room = {1000, 600}, .labelHeight = 20};
        // Seven times 24 is the last below the most, 176.
        QCOMPARE(layOutImages(input).scale, 7);
        // On a finer screen twice as many of its pixels are the same length, and there are steps
        // between.
        input.devicePixelRatio = 2.0;
        QCOMPARE(layOutImages(input).scale, 14);
        QCOMPARE(layOutImages(input).imageSize, QSizeF(168, 168));
    }

    void Layout_tooMany_takesTheLeastAndIsHigher()
    {
        ImageGridInput input{
            .groupSizes = {12, 12, 12, 12},
            .imagePixels = {24, 24},
            .room = {700, 200},
            .labelHeight = 20};
        const ImageGridLayout layout = layOutImages(input);
        QCOMPARE(layout.scale, 3);
        QVERIFY(layout.height > input.room.height());
        QVERIFY(layout.cells.back().bottom() < layout.height);
        QCOMPARE(layOutImages({}).height, 0);
    }

    /// In a low dock, too: a person compares what the towers get.
    void Layout_tooManyInALowRoom_hasSomeOfEachTowerInSight()
    {
        ImageGridInput input{
            .groupSizes = {12, 12, 12, 12},
            .imagePixels = {24, 24},
            .room = {800, 96},
            .headingWidth = 80,
            .labelHeight = 12};
        const QRect sight(QPoint(), input.room);
        for (const QSize pixels : {QSize(24, 24), QSize(299, 299)}) { // enlarged, and shrunk
            input.imagePixels = pixels;
            const ImageGridLayout layout = layOutImages(input);
            for (std::size_t i = 0; i < layout.cells.size(); ++i) {
                const QRect& cell = layout.cells[i];
                QVERIFY(i % 12 != 0 || sight.contains(cell));
                QVERIFY(layout.groups[i / 12].contains(cell));
                for (std::size_t k = 0; k < i; ++k) {
                    QVERIFY(!cell.intersects(layout.cells[k]));
                }
            }
        }
        // Where the width doesn't take one of each, they stay below each other.
        input.room = {160, 96};
        QCOMPARE(layOutImages(input).groups[1].left(), layOutImages(input).groups[0].left());
    }

    void Layout_largeImages_areShrunkToFit()
    {
        ImageGridInput input{
            .groupSizes = {4, 4},
            .imagePixels = {299, 299},
            .room = {1000, 260},
            .labelHeight = 20};
        const ImageGridLayout layout = layOutImages(input);
        QCOMPARE(layout.scale, 0);
        QVERIFY(layout.height <= input.room.height());
        QCOMPARE(layout.imageSize.width(), layout.imageSize.height());
        QVERIFY(layout.imageSize.width() >= 64.0 && layout.imageSize.width() <= 176.0);
        // A tall one keeps its shape; with too little room the shorter side has the least size.
        input.imagePixels = {512, 1408};
        input.room = {200, 100};
        const ImageGridLayout tall = layOutImages(input);
        QVERIFY(std::abs(tall.imageSize.height() / tall.imageSize.width() - 2.75) < 1e-9);
        QVERIFY(std::abs(tall.imageSize.width() - 64.0) < 1e-9);
    }

    /// Names of classes are longer than small images are wide.
    void Layout_longLabels_getWiderCells()
    {
        ImageGridInput input{
            .groupSizes = {30}, .imagePixels = {32, 32}, .room = {500, 100}, .labelHeight = 20};
        const int without = layOutImages(input).cells[0].width();
        QCOMPARE(without, 64);
        input.labelWidth = 90;
        QCOMPARE(layOutImages(input).cells[0].width(), 90);
        QCOMPARE(layOutImages(input).imageSize, QSizeF(64, 64));
        input.labelWidth = 1000;
        QVERIFY(layOutImages(input).cells[0].width() < 128);
    }

    void Layout_narrow_breaksRowsAndOverlapsNothing()
    {
        ImageGridInput input{
            .groupSizes = {5, 3},
            .imagePixels = {24, 24},
            .room = {300, 120},
            .headingWidth = 80,
            .labelHeight = 20};
        const ImageGridLayout layout = layOutImages(input);
        QCOMPARE(layout.cells.size(), std::size_t{8});
        for (std::size_t i = 0; i < layout.cells.size(); ++i) {
            QVERIFY(layout.cells[i].right() < input.room.width());
            QVERIFY(layout.groups[i < 5 ? 0 : 1].contains(layout.cells[i]));
            for (std::size_t k = 0; k < i; ++k) {
                QVERIFY(!layout.cells[i].intersects(layout.cells[k]));
            }
        }
        QVERIFY(!layout.groups[0].intersects(layout.groups[1]));
    }

    void Grid_image_isScaledToWholePixels()
    {
        ImageGrid grid;
        grid.resize(600, 260);
        grid.show();
        grid.setTiles({colourfulTile(0)});
        const QImage picture = grid.viewport()->grab().toImage();
        const QRect place = grid.imageRect(0).toRect();
        const int scale = place.width() / 24;
        QVERIFY(scale >= 3);
        QCOMPARE(place.size(), QSize(24 * scale, 24 * scale));
        for (int y = 0; y < place.height(); ++y) {
            for (int x = 0; x < place.width(); ++x) {
                QCOMPARE(
                    picture.pixelColor(place.left() + x, place.top() + y),
                    grid.tiles()[0].image.pixelColor(x / scale, y / scale));
            }
        }
    }

    void Grid_towers_haveTheirColours()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            ImageGrid grid;
            grid.setPalette(palette);
            grid.resize(600, 260);
            grid.show();
            grid.setTiles(tiles(2, 3));
            const QImage picture = grid.viewport()->grab().toImage();
            for (int tower = 0; tower < 2; ++tower) {
                const QRectF image = grid.imageRect(tower * 3);
                const QColor wanted = towerColor(tower, themeColors(palette));
                int found = 0;
                for (int x = 0; x < static_cast<int>(image.left()); ++x) {
                    found += picture.pixelColor(x, static_cast<int>(image.center().y())) == wanted;
                }
                QVERIFY2(found >= 3, qPrintable(QString::number(tower)));
            }
            QCOMPARE(picture.pixelColor(1, 1), palette.color(QPalette::Base));
        }
    }

    void Grid_keys_goFromImageToImageAndScroll()
    {
        ImageGrid grid;
        grid.resize(420, 130);
        grid.show();
        grid.setTiles(tiles(3, 4));
        QVERIFY(grid.verticalScrollBar()->maximum() > 0);
        QCOMPARE(grid.current(), -1);
        press(grid, Qt::Key_Right);
        QCOMPARE(grid.current(), 0);
        press(grid, Qt::Key_Right);
        QCOMPARE(grid.current(), 1);
        press(grid, Qt::Key_Left);
        press(grid, Qt::Key_Left);
        QCOMPARE(grid.current(), 0);
        const double left = grid.imageRect(0).left();
        press(grid, Qt::Key_Down);
        QVERIFY(grid.current() > 0);
        QCOMPARE(grid.imageRect(grid.current()).left(), left);
        press(grid, Qt::Key_Up);
        QCOMPARE(grid.current(), 0);
        press(grid, Qt::Key_End);
        QCOMPARE(grid.current(), 11);
        const QRectF visible(grid.viewport()->rect());
        QVERIFY(visible.contains(grid.imageRect(11)));
        QVERIFY(!visible.intersects(grid.imageRect(0)));
        // A batch with fewer images leaves no current one behind its end.
        grid.setTiles(tiles(1, 2));
        QCOMPARE(grid.current(), 1);
    }

    void Grid_screenReader_isToldWhatThereIs()
    {
        ImageGrid grid;
        grid.resize(420, 130);
        grid.setTiles(
            {colourfulTile(0, "ship"), colourfulTile(0, "cat"), colourfulTile(1, "frog")});
        QVERIFY(!grid.accessibleName().isEmpty());
        QCOMPARE(grid.accessibleDescription(), "tower 0: ship, cat; tower 1: frog");
        press(grid, Qt::Key_End);
        QCOMPARE(
            grid.accessibleDescription(),
            QString("frog, example %1, tower 1").arg(QLocale().toString(12'345)));
    }

    void Panel_shown_asksForTheFirstStep()
    {
        SeenPanel panel;
        const QSignalSpy requests(&panel, &PreviewPanel::requested);
        panel.setConfig(smallConfig());
        panel.show();
        QTRY_COMPARE(gridOf(panel).tiles().size(), std::size_t{8});
        QCOMPARE(requests.size(), 1);
        QCOMPARE(requests[0][0].toLongLong(), 0);
        QCOMPARE(gridOf(panel).tiles().back().tower, 1);
        QVERIFY2(allText(panel).contains("First step"), qPrintable(allText(panel)));
    }

    void Panel_hidden_asksForNothing()
    {
        PreviewPanel panel;
        const QSignalSpy requests(&panel, &PreviewPanel::requested);
        panel.setConfig(smallConfig());
        panel.setPosition(80);
        panel.refresh();
        QTest::qWait(500);
        QVERIFY(requests.isEmpty());
        // Once it is in sight, it catches up, with the newest only. Behind another's tab it is
        // visible to Qt.
        panel.show();
        QTest::qWait(100);
        QVERIFY(requests.isEmpty());
        panel.setInSight(true);
        QTRY_COMPARE(requests.size(), 1);
        QCOMPARE(requests[0][0].toLongLong(), 72);
    }

    void Panel_running_showsTheNewestStepAtMostEveryTwoSeconds()
    {
        SeenPanel panel;
        panel.setConfig(smallConfig());
        panel.show();
        QTRY_VERIFY(!gridOf(panel).tiles().empty());
        std::vector<qint64> times;
        QElapsedTimer clock;
        clock.start();
        connect(&panel, &PreviewPanel::requested, this, [&] { times.push_back(clock.elapsed()); });
        std::int64_t examples = 0;
        while (clock.elapsed() < 5000) {
            examples += 8;
            panel.setPosition(examples);
            QTest::qWait(20);
        }
        QVERIFY2(!times.empty() && times.size() <= 3, qPrintable(QString::number(times.size())));
        for (std::size_t i = 1; i < times.size(); ++i) {
            QVERIFY(times[i] - times[i - 1] >= PreviewPanel::kLiveMilliseconds * 9 / 10);
        }
        // The run ended: what is shown in the end is its last step, number examples / 8 - 1.
        const QString step = QLocale().toString(qlonglong{examples / 8 - 1});
        QTRY_VERIFY(allText(panel).contains(QString("Step %1:").arg(step)));
    }

    void Panel_withoutLive_waitsToBeAsked()
    {
        SeenPanel panel;
        panel.setConfig(smallConfig());
        panel.show();
        QTRY_VERIFY(!gridOf(panel).tiles().empty());
        const QSignalSpy requests(&panel, &PreviewPanel::requested);
        auto* live = panel.findChild<QCheckBox*>();
        auto* refresh = panel.findChild<QToolButton*>("preview_newest");
        QVERIFY(live->isChecked());
        QVERIFY(!refresh->isEnabled());
        live->click();
        panel.setPosition(16);
        QTest::qWait(PreviewPanel::kLiveMilliseconds + 300);
        QVERIFY(requests.isEmpty());
        refresh->click();
        QCOMPARE(requests.size(), 1);
        QCOMPARE(requests[0][0].toLongLong(), 8);
        panel.setPosition(24);
        live->click();
        QTRY_COMPARE(requests.size(), 2);
        QCOMPARE(requests[1][0].toLongLong(), 16);
    }

    void Panel_typing_asksOnce()
    {
        SeenPanel panel;
        panel.show();
        QTest::qWait(50);
        const QSignalSpy requests(&panel, &PreviewPanel::requested);
        RunConfig config = smallConfig();
        for (int batch = 1; batch <= 5; ++batch) {
            config.batchPerTower = batch;
            panel.setConfig(config);
            QTest::qWait(20);
        }
        QTRY_COMPARE(gridOf(panel).tiles().size(), std::size_t{10});
        QCOMPARE(requests.size(), 1);
    }

    void Panel_badConfig_saysWhyUntilItIsGood()
    {
        SeenPanel panel;
        panel.setConfig(badConfig());
        panel.show();
        QTRY_VERIFY(allText(panel).contains("/no/such/folder"));
        QVERIFY(!gridOf(panel).isVisible());
        panel.setConfig(smallConfig());
        QTRY_VERIFY(gridOf(panel).isVisible());
    }

    void Panel_badData_areNotOpenedAgainForEveryStep()
    {
        SeenPanel panel;
        panel.setConfig(badConfig());
        panel.show();
        QTRY_VERIFY(allText(panel).contains("/no/such/folder"));
        const QSignalSpy requests(&panel, &PreviewPanel::requested);
        QElapsedTimer clock;
        clock.start();
        for (std::int64_t examples = 8; clock.elapsed() < PreviewPanel::kLiveMilliseconds + 500;
             examples += 8) {
            panel.setPosition(examples);
            QTest::qWait(20);
        }
        QCOMPARE(requests.size(), 0);
        // A person who asks gets the newest step, and a run whose data are there goes on being
        // shown.
        panel.refresh();
        QCOMPARE(requests.size(), 1);
        panel.setConfig(smallConfig());
        QTRY_VERIFY(gridOf(panel).isVisible());
        panel.setPosition(800);
        QTRY_VERIFY(allText(panel).contains("Step 99:"));
    }
};
LOCKSTEP_TEST(TestPreviewPanel)
#include "test_preview_panel.moc"
