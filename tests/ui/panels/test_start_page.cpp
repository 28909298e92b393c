// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/presets.h"
#include "panels/start/demonstration.h"
#include "panels/start/recordings.h"
#include "panels/start/start_card.h"
#include "plots/charts/loss_plot.h"
#include "theme/tower_colors.h"
#include "widgets/forms/note_label.h"

#include <QtTest>
#include <QtWidgets>

using namespace lockstep;
using namespace lockstep::ui;
using std::chrono::seconds;

namespace {

/// A desktop that wants no animations.
class StillStyle : public QProxyStyle
{
public:
    int styleHint(
        StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* data) const override
    {
        return hint == SH_Widget_Animation_Duration
                   ? 0
                   : QProxyStyle::styleHint(hint, option, widget, data);
    }
};

/// What stands beside the chart.
QStringList sentencesOf(const Demonstration& demonstration)
{
    QStringList sentences;
    for (const auto* const label : demonstration.findChildren<NoteLabel*>("start_finding")) {
        if (!label->note().isEmpty()) {
            sentences.append(label->note());
        }
    }
    return sentences;
}

} // namespace

/// The parts of the start page, without a window.
class TestStartPage : public QObject
{
    Q_OBJECT

private slots:
    void Recording_isOfARunWhoseTowersGoWrongOneAfterTheOther()
    {
        const std::vector<StepRecord> steps = demonstrationSteps();
        QCOMPARE(steps.size(), std::size_t{600});
        RunVerdicts verdicts(AlertSettings(), 4, 0);
        for (const StepRecord& step : steps) {
            verdicts.take(step);
            if (step.step < 150) { // until then nothing is wrong
                QCOMPARE(verdicts.data().tower, -1);
            }
            if (step.step < 300) {
                QCOMPARE(verdicts.pace().tower, -1);
            }
        }
        QVERIFY(verdicts.data().alert == AlertKind::TowerLoss);
        QCOMPARE(verdicts.data().tower, 1);
        QVERIFY2(verdicts.data().since <= 250, verdicts.data().text.c_str());
        QVERIFY(verdicts.pace().alert == AlertKind::SlowTower);
        QCOMPARE(verdicts.pace().tower, 3);
        QVERIFY2(verdicts.pace().since <= 400, verdicts.pace().text.c_str());
    }

    void Playing_showsWhatIsDue_andEnds()
    {
        Demonstration demonstration(10);
        demonstration.load();
        QCOMPARE(demonstration.shownSteps(), std::size_t{0});
        demonstration.advance(seconds(5));
        QCOMPARE(demonstration.shownSteps(), std::size_t{100});
        QVERIFY(sentencesOf(demonstration).isEmpty());
        demonstration.advance(seconds(24));
        QCOMPARE(demonstration.shownSteps(), std::size_t{580});
        const QStringList sentences = sentencesOf(demonstration);
        QCOMPARE(sentences.size(), 2);
        QVERIFY2(sentences[0].contains("Tower 1: its loss"), qPrintable(sentences[0]));
        QVERIFY2(sentences[1].contains("Tower 3 makes"), qPrintable(sentences[1]));
        demonstration.advance(seconds(24));
        QVERIFY(demonstration.isAtEnd());
        // Again from the beginning.
        demonstration.toggle();
        QCOMPARE(demonstration.shownSteps(), std::size_t{0});
        QVERIFY(sentencesOf(demonstration).isEmpty());
    }

    void Playing_goesOnWhileItIsSeenAndWanted()
    {
        Demonstration demonstration(10);
        demonstration.load();
        QVERIFY(!demonstration.isPlaying()); // nobody sees it
        demonstration.show();
        QVERIFY(demonstration.isPlaying());
        demonstration.hide();
        QVERIFY(!demonstration.isPlaying());
        demonstration.show();
        QVERIFY(demonstration.isPlaying());
        QTest::mouseClick(&demonstration, Qt::LeftButton, {}, demonstration.rect().center());
        QVERIFY(!demonstration.isPlaying());
        auto* const button = demonstration.findChild<QPushButton*>("start_play");
        QCOMPARE(button->text(), "Play");
        QTest::keyClick(&demonstration, Qt::Key_Space);
        QVERIFY(demonstration.isPlaying());
        QCOMPARE(button->text(), "Pause");
        demonstration.advance(Demonstration::kLength);
        QVERIFY(!demonstration.isPlaying());
        QCOMPARE(button->text(), "Play Again");
    }

    void Tower_thatIsFound_isRedThereOnly_untilItBeginsAnew()
    {
        QWidget window;
        Demonstration demonstration(10, &window);
        demonstration.load();
        const auto isRed = [](const QWidget& part, int tower) {
            const ThemeColors theme = themeColors(part);
            return towerColor(tower, theme) == theme.alert;
        };
        const auto& plot = *demonstration.findChild<LossPlot*>();
        demonstration.advance(Demonstration::kLength);
        QVERIFY(isRed(plot, 1));
        QVERIFY(!isRed(plot, 3));
        QVERIFY(!isRed(window, 1));
        setNamedTower(window, 2); // of a run
        QVERIFY(isRed(window, 2));
        QVERIFY(!isRed(plot, 2));
        demonstration.toggle();
        QVERIFY(!isRed(plot, 1) && !isRed(plot, 2));
        demonstration.advance(seconds(15));
        QVERIFY(isRed(plot, 1));
    }

    void Playing_whereNothingMayMove_isAtItsEnd()
    {
        QApplication::setStyle(new StillStyle);
        Demonstration demonstration(10);
        demonstration.show();
        demonstration.load();
        QVERIFY(demonstration.isAtEnd() && !demonstration.isPlaying());
        QCOMPARE(sentencesOf(demonstration).size(), 2);
        QApplication::setStyle(new QProxyStyle);
    }

    void Playing_beginsOnceItIsPainted()
    {
        Demonstration demonstration(10);
        demonstration.show();
        QVERIFY(!demonstration.isPlaying() || demonstration.shownSteps() == 0);
        QTRY_VERIFY(demonstration.shownSteps() > 0);
    }

    void Curves_areThoseOfPresets()
    {
        for (const Preset& preset : presets()) {
            for (const auto& curve : curvesOfPreset(preset.name)) {
                QCOMPARE(curve.size(), std::size_t{60});
                QVERIFY(curve.front().loss > 0.0);
            }
        }
        const auto poisoned = curvesOfPreset(kPoisonedPreset);
        QCOMPARE(poisoned.size(), std::size_t{2});
        QVERIFY(poisoned[1].back().loss > 2.0 * poisoned[0].back().loss);
        const auto first = curvesOfPreset("first_look");
        QCOMPARE(first.size(), std::size_t{1});
        QVERIFY(first[0].back().loss < 0.25 * first[0].front().loss);
        QVERIFY(curvesOfPreset("nobody's").empty());
    }

    void DefectPictures_haveTheirCracksMarked()
    {
        const QImage pictures = defectPictures(2);
        QCOMPARE(pictures.height(), 128);
        for (const int begin : {0, pictures.width() / 2 + 2}) {
            int marked = 0;
            for (int y = 0; y < pictures.height(); ++y) {
                for (int x = begin; x < begin + 256; ++x) {
                    marked += pictures.pixelColor(x, y) == labelColor() ? 1 : 0;
                }
            }
            QVERIFY(marked > 100);
        }
    }
};
LOCKSTEP_TEST(TestStartPage)
#include "test_start_page.moc"
