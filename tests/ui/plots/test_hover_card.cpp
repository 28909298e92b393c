// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/hover_card.h"
#include "support/lockstep_test.h"

#include <QtWidgets>

#include <random>

using namespace lockstep::ui;

namespace {

HoverCard towerCard(int towers, bool hasSmoothed)
{
    HoverCard card{"step 8,000 · epoch 81.9 · 2 min 49 s", {}, hasSmoothed};
    for (int tower = 0; tower < towers; ++tower) {
        card.rows.push_back({QString("tower %1").arg(tower), Qt::blue, "0.755", "0.871", false});
    }
    card.rows.push_back({"mean", Qt::black, "0.849", "0.868", true});
    return card;
}

/// The card alone, with space around its room to see what runs out of it.
QImage cardImage(const HoverCard& card, const CardPlace& place)
{
    QImage image(
        (place.room.size() + QSizeF(40, 40)).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paintHoverCard(painter, card, place, QFont(), themeColors(lightPalette()));
    return image;
}

/// The smallest that holds every pixel that is not transparent.
QRect inkedRect(const QImage& image)
{
    QRect inked;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (qAlpha(image.pixel(x, y)) > 0) {
                inked |= QRect(x, y, 1, 1);
            }
        }
    }
    return inked;
}

} // namespace

class TestHoverCard : public QObject
{
    Q_OBJECT

private slots:
    void HoverCard_anywhere_neverLiesOnTheCrossHair()
    {
        std::mt19937 random(8);
        std::uniform_real_distribution<double> share(0.0, 1.0);
        for (int i = 0; i < 2000; ++i) {
            const QRectF room(40, 6, 200 + 900 * share(random), 80 + 300 * share(random));
            const CardPlace place{room, 30.0, room.left() + share(random) * room.width()};
            const QSizeF size(
                (room.width() / 2 - 13) * share(random), room.height() * share(random));
            const QRectF card = placeCard(size, place);
            QVERIFY(card.right() < place.crossHair || card.left() > place.crossHair);
            QVERIFY(room.adjusted(-1, -1, 1, 1).contains(card));
        }
    }

    void HoverCard_littleRoom_staysWithinAndOffTheCrossHair_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("hasSmoothed");
        for (const bool hasSmoothed : {false, true}) {
            for (const QSize size : {QSize(320, 110), QSize(480, 180), QSize(700, 240)}) {
                QTest::addRow("%d%s", size.width(), hasSmoothed ? " smoothed" : "")
                    << size << hasSmoothed;
            }
        }
    }
    void HoverCard_littleRoom_staysWithinAndOffTheCrossHair()
    {
        QFETCH(const QSize, size);
        QFETCH(const bool, hasSmoothed);
        for (const double share : {0.02, 0.3, 0.5, 0.7, 0.98}) {
            const QRectF room(20, 20, size.width() - 12, size.height() - 12);
            const double crossHair = room.left() + share * room.width();
            const QImage image = cardImage(towerCard(8, hasSmoothed), {room, 30.0, crossHair});
            const QRect inked = inkedRect(image);
            QVERIFY(!inked.isEmpty());
            QVERIFY(room.adjusted(-1, -1, 1, 1).contains(inked));
            QVERIFY(inked.right() < crossHair || inked.left() > crossHair);
        }
    }

    void HoverCard_tooManyTowersForTheRoom_keepsTheMean()
    {
        HoverCard card = towerCard(8, true);
        card.rows.back().color = Qt::red;
        const QImage image = cardImage(card, {QRectF(20, 20, 308, 98), 30.0, 174.0});
        int red = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                red += image.pixelColor(x, y) == QColor(Qt::red) ? 1 : 0;
            }
        }
        QVERIFY2(red > 40, qPrintable(QString::number(red)));
    }
};

LOCKSTEP_TEST(TestHoverCard)
#include "test_hover_card.moc"
