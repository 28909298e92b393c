// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/recordings.h"
#include "panels/towers/tower_panel.h"
#include "plots/parts/color_menu.h"
#include "plots/parts/tower_highlight.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "ui/session_witness.h"

#include <QtWidgets>

namespace lockstep::ui {

/// The table of towers: what a row has to do with the curves of its tower.
class TestTowerPanel : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_scene = std::make_unique<Scene>();
        emit m_scene->witness.controller.feed().towersPlaced({{"cpu", 0}, {"cpu", 0}, {"cpu", 0}});
        QTRY_COMPARE(table().model()->rowCount(), 3);
        QTRY_VERIFY(table().viewport()->rect().contains(cell(2)));
    }
    void cleanup() { m_scene.reset(); }

    void Row_underThePointer_letsItsTowerStandOut()
    {
        QTest::mouseMove(table().viewport(), cell(1).center());
        QCOMPARE(highlight().tower().value_or(-1), 1);
        QTest::mouseMove(table().viewport(), cell(2).center());
        QCOMPARE(highlight().tower().value_or(-1), 2);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(table().viewport(), &leave);
        QVERIFY(!highlight().tower());
    }

    void Row_selected_letsItsTowerStandOut_untilASecondClick()
    {
        const auto click = [&](int row) {
            QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cell(row).center());
        };
        click(1);
        QCOMPARE(highlight().selected().value_or(-1), 1);
        click(2);
        QCOMPARE(highlight().selected().value_or(-1), 2);
        click(2);
        QVERIFY(!highlight().selected());
        QVERIFY(table().selectionModel()->selectedRows().isEmpty());
        click(0);
        emit m_scene->witness.controller.feed().towersPlaced({{"cpu", 0}, {"cpu", 0}});
        QTRY_VERIFY(!highlight().selected()); // of another run
    }

    void Tower_thatStandsOut_hasItsRowTinted_andNothingMoves()
    {
        const auto ground = [&](int row) {
            const QRect place = cell(row, 1);
            return table().viewport()->grab().toImage().pixelColor(
                place.topRight() + QPoint(-3, 3));
        };
        const QColor usual = ground(1);
        const QSize size = m_scene->panel.sizeHint();
        highlight().point(1);
        QVERIFY(ground(1) != usual);
        QCOMPARE(m_scene->panel.sizeHint(), size);
        highlight().point(std::nullopt);
        QCOMPARE(ground(1), usual);
    }

    void Colour_chosen_isThatOfTheRow()
    {
        emit table().customContextMenuRequested(cell(1).center());
        auto* const menu = table().findChild<QMenu*>("color_menu");
        QVERIFY(menu != nullptr);
        menu->close();
        const auto swatch = [&] {
            const QImage picture = table().viewport()->grab(cell(1)).toImage();
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixelColor(x, picture.height() / 2) == QColor(250, 0, 200)) {
                    return true;
                }
            }
            return false;
        };
        QVERIFY(!swatch());
        chooseColor({ColorOwner::Kind::Tower, 1}, QColor(250, 0, 200));
        tellOfColors();
        QVERIFY(swatch());
        setChosenColors({});
    }

    /// A window beside it, with another run of which tower 1 got random labels.
    void Tower_thatAVerdictNames_isRedInItsWindowOnly()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        TowerHighlight highlighted;
        QWidget window;
        const QWidget beside(&window);
        TowerPanel panel(run, highlighted, &window);
        window.show();
        RunConfig config;
        config.towers = 4;
        emit witness.controller.feed().started("/nowhere", config);
        emit witness.controller.feed().towersPlaced(std::vector<TowerPlacement>(4));
        emit witness.controller.feed().stepsArrived(demonstrationSteps());
        const auto isRed = [](const QWidget& part, int tower) {
            const ThemeColors theme = themeColors(part);
            return towerColor(tower, theme) == theme.alert;
        };
        QTRY_VERIFY(isRed(beside, 1));
        QVERIFY(isRed(*panel.findChild<QTableView*>("towers_table"), 1));
        QVERIFY(!isRed(beside, 2));
        QVERIFY(!isRed(table(), 1));
        // A run that begins in the other window takes nothing back.
        emit m_scene->witness.controller.feed().started("/nowhere", config);
        QVERIFY(isRed(beside, 1) && !isRed(table(), 1));
        emit witness.controller.feed().started("/nowhere", config);
        QVERIFY(!isRed(beside, 1));
    }

private:
    struct Scene
    {
        Scene()
        {
            panel.setPalette(lightPalette());
            panel.resize(500, 300);
            panel.show();
        }

        SessionWitness witness;
        LiveRun run{witness.controller};
        TowerHighlight highlight;
        TowerPanel panel{run, highlight};
    };

    [[nodiscard]] TowerHighlight& highlight() const { return m_scene->highlight; }
    [[nodiscard]] QTableView& table() const
    {
        return *m_scene->panel.findChild<QTableView*>("towers_table");
    }
    [[nodiscard]] QRect cell(int row, int column = 0) const
    {
        return table().visualRect(table().model()->index(row, column));
    }

    std::unique_ptr<Scene> m_scene;
};

} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestTowerPanel)
#include "test_tower_panel.moc"
