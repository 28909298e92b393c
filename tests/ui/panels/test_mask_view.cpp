// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/lockstep_test.h"
#include "theme/palette.h"
#include "widgets/pictures/mask_view.h"

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kRows = 6;
constexpr int kColumns = 3;
constexpr int kInputGrey = 120;

/// A tall picture, all of one grey. Marked: the two middle cells of the first column; predicted is
/// the last row, with 0.3, 0.6 and 0.9.
MaskPicture tallPicture()
{
    MaskPicture picture;
    picture.input = QImage(96, 192, QImage::Format_Grayscale8);
    picture.input.fill(kInputGrey);
    picture.rows = kRows;
    picture.columns = kColumns;
    picture.label.assign(kRows * kColumns, 0.0F);
    picture.label[2 * kColumns] = 1.0F;
    picture.label[3 * kColumns] = 0.25F;
    picture.probabilities.assign(kRows * kColumns, 0.0F);
    picture.probabilities[5 * kColumns] = 0.3F;
    picture.probabilities[5 * kColumns + 1] = 0.6F;
    picture.probabilities[5 * kColumns + 2] = 0.9F;
    return picture;
}

/// The colour in the middle of a cell, as it is on the screen.
QColor cellColor(const MaskView& view, const QImage& shot, int layer, int row, int column)
{
    const QRectF place = view.layerRect(layer);
    const QPointF middle(
        place.left() + (column + 0.5) * place.width() / kColumns,
        place.top() + (row + 0.5) * place.height() / kRows);
    return shot.pixelColor((middle * shot.devicePixelRatio()).toPoint());
}

QImage shotOf(MaskView& view)
{
    return view.grab().toImage();
}

bool isGrey(const QColor& color)
{
    return color.red() == color.green() && color.green() == color.blue();
}

} // namespace

/// What is painted of a picture and its masks, against the cells that it was given.
class TestMaskView : public QObject
{
    Q_OBJECT

private slots:
    static void Layers_standSideBySide_inThePicturesProportions()
    {
        MaskView view;
        view.setPicture(tallPicture());
        for (const QSize& size : {QSize(900, 200), QSize(300, 500)}) {
            view.resize(size);
            double right = 0.0;
            for (int i = 0; i < 4; ++i) {
                const QRectF place = view.layerRect(i);
                QVERIFY(QRectF(view.rect()).contains(place));
                QVERIFY(place.left() >= right);
                right = place.right();
                // Within the pixel to which both sides are cut.
                QVERIFY(std::abs(place.height() - 2.0 * place.width()) <= 2.0);
            }
        }
    }

    static void WidthFor_leavesNoRoomBesideTheLayers()
    {
        MaskView view;
        view.setPicture(tallPicture());
        view.setLayers({MaskView::Layer::Input, MaskView::Layer::Overlay});
        view.resize(view.widthFor(240), 240);
        QVERIFY(view.layerRect(0).bottom() > 238.0);
        QVERIFY(view.width() - view.layerRect(1).right() < 3.0);
    }

    static void Overlay_tintsWhatIsAboveTheThreshold()
    {
        MaskView view;
        view.setPicture(tallPicture());
        view.setLayers({MaskView::Layer::Overlay});
        view.resize(200, 420);
        const auto tinted = [&view] {
            const QImage shot = shotOf(view);
            std::vector<int> cells;
            for (int column = 0; column < kColumns; ++column) {
                if (!isGrey(cellColor(view, shot, 0, 5, column))) {
                    cells.push_back(column);
                }
            }
            return cells;
        };
        QCOMPARE(tinted(), (std::vector<int>{1, 2}));
        view.setThreshold(0.7);
        QCOMPARE(tinted(), std::vector<int>{2});
        QVERIFY(view.accessibleDescription().contains("1 predicted above 0.70"));
        view.setThreshold(0.1);
        QCOMPARE(tinted(), (std::vector<int>{0, 1, 2}));
        QCOMPARE(
            cellColor(view, shotOf(view), 0, 0, 1), QColor(kInputGrey, kInputGrey, kInputGrey));
    }

    static void Maps_areBlackWhereNothingIs()
    {
        MaskView view;
        view.setPicture(tallPicture());
        view.setLayers({MaskView::Layer::Label, MaskView::Layer::Prediction});
        view.resize(400, 420);
        const QImage shot = shotOf(view);
        const QColor black(Qt::black);
        QCOMPARE(cellColor(view, shot, 0, 0, 0), black);
        QCOMPARE(cellColor(view, shot, 1, 0, 0), black);
        const QColor marked = cellColor(view, shot, 0, 2, 0);
        QVERIFY(marked.blue() > marked.red());
        const QColor predicted = cellColor(view, shot, 1, 5, 2);
        QVERIFY(predicted.red() > predicted.blue());
        QVERIFY(predicted.lightness() > cellColor(view, shot, 1, 5, 1).lightness());
    }

    static void Outline_goesAroundTheLabel()
    {
        MaskView view;
        view.setPicture(tallPicture());
        view.setLayers({MaskView::Layer::Overlay});
        view.resize(200, 420);
        const QImage shot = shotOf(view);
        const QRectF place = view.layerRect(0);
        const auto isBlueAt = [&](double row, double column) {
            const QPointF spot(
                place.left() + column * place.width() / kColumns,
                place.top() + row * place.height() / kRows);
            const QColor color = shot.pixelColor((spot * shot.devicePixelRatio()).toPoint());
            return color.blue() > color.red() + 40;
        };
        QVERIFY(isBlueAt(2.0, 0.5));  // above the two cells
        QVERIFY(isBlueAt(4.0, 0.5));  // below
        QVERIFY(isBlueAt(2.5, 1.0));  // on their right
        QVERIFY(!isBlueAt(3.0, 0.5)); // between them
        QVERIFY(!isBlueAt(2.5, 2.0));
    }

    static void Description_countsCells()
    {
        MaskView view;
        view.setPicture(tallPicture());
        QCOMPARE(view.accessibleDescription(), "2 of 18 cells marked, 2 predicted above 0.50");
    }

    static void ShareColor_growsLighter()
    {
        for (const QColor& color : {labelColor(), predictionColor()}) {
            const auto lightness = [&color](float share) {
                return contrast(QColor(shareColor(color, share)), Qt::black);
            };
            for (int i = 1; i <= 20; ++i) {
                QVERIFY(
                    lightness(static_cast<float>(i) / 20)
                    > lightness(static_cast<float>(i - 1) / 20));
            }
        }
        QCOMPARE(QColor(shareColor(labelColor(), std::nanf(""))), QColor(Qt::black));
    }

    static void View_withoutPicture_paintsNothing()
    {
        MaskView view;
        view.resize(100, 100);
        const QImage shot = shotOf(view);
        QImage blank = shot;
        blank.fill(shot.pixelColor(0, 0));
        QCOMPARE(shot, blank);
        QVERIFY(view.layerRect(0).isEmpty());
    }

    static void Legend_tellsTheThreshold()
    {
        MaskLegend legend;
        const int width = legend.sizeHint().width();
        legend.setThreshold(0.25);
        QVERIFY(legend.accessibleDescription().contains("0.25"));
        QVERIFY(std::abs(legend.sizeHint().width() - width) < 10);
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestMaskView)
#include "test_mask_view.moc"
