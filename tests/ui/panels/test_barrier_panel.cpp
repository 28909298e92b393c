// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/engine_text.h"
#include "panels/barrier/barrier_bars.h"
#include "panels/barrier/barrier_panel.h"
#include "panels/barrier/barrier_text.h"
#include "panels/barrier/tower_lanes.h"
#include "panels/shared/run_text.h"
#include "theme/tower_colors.h"
#include "ui/session_witness.h"

#include <QtWidgets>

#include <cmath>
#include <set>

namespace lockstep::ui {
namespace {

constexpr double kMilli = 1e-3;

/// A tower that computes forward and backward, in milliseconds.
TowerRecord tower(double start, double forward, double backward)
{
    TowerRecord record;
    record.startSeconds = kMilli * start;
    record.copySeconds = 0.0;
    record.forwardSeconds = kMilli * forward;
    record.backwardSeconds = kMilli * backward;
    return record;
}

/// 40 ms: 4 of data, 26 until all have arrived, 6 of averaging, 3 of update, 1 between the steps.
StepRecord fortyMilliseconds(std::int64_t step)
{
    StepRecord record;
    record.step = step;
    record.stepSeconds = 40 * kMilli;
    record.inputSeconds = 4 * kMilli;
    record.computeSeconds = 26 * kMilli;
    record.averagingSeconds = 6 * kMilli;
    record.updateSeconds = 3 * kMilli;
    record.towers = {tower(0, 4, 8), tower(1, 5, 20), tower(0, 4, 8)};
    return record;
}

BarrierSummary summaryOf(std::vector<TowerBarrierShare> towers, double inputSeconds = 0.0)
{
    BarrierSummary summary;
    summary.steps = 1000;
    summary.stepSeconds = 20 * kMilli;
    summary.inputSeconds = inputSeconds;
    summary.spreadSeconds = 0.214 * kMilli;
    summary.towers = std::move(towers);
    return summary;
}

/// The panel of a run, and what it says.
struct BarrierScene
{
    BarrierScene()
    {
        panel.resize(300, 600);
        panel.show();
    }

    /// As if a run of three towers were trained.
    void begin()
    {
        RunConfig config;
        config.towers = 3;
        emit witness.controller.feed().started("/nowhere", config);
    }
    void add(const std::vector<StepRecord>& records)
    {
        emit witness.controller.feed().stepsArrived(records);
    }

    template<class Part>
    [[nodiscard]] Part& part(const char* name)
    {
        return *panel.findChild<Part*>(name);
    }
    [[nodiscard]] BarrierBars& bars() { return part<BarrierBars>("barrier_bars"); }
    [[nodiscard]] QString sentence() { return part<QLabel>("barrier_sentence").text(); }

    SessionWitness witness;
    LiveRun run{witness.controller};
    BarrierPanel panel{run};
};

/// Stored times are whole nanoseconds, so that a figure may be rounded the other way.
bool tellAlike(QString one, QString other)
{
    static const QRegularExpression figure("[0-9]+([.][0-9]+)?");
    constexpr double kLastDigit = 0.011;
    auto mine = figure.globalMatch(one);
    auto theirs = figure.globalMatch(other);
    while (mine.hasNext() && theirs.hasNext()) {
        const double here = mine.next().captured().toDouble();
        const double there = theirs.next().captured().toDouble();
        if (std::abs(here - there) > kLastDigit * std::max(here, there)) {
            return false;
        }
    }
    return one.remove(figure) == other.remove(figure);
}

} // namespace

class TestBarrierPanel : public QObject
{
    Q_OBJECT

private slots:
    void Phases_ofAStep_addUpToItInOrder()
    {
        const StepRecord step = fortyMilliseconds(0);
        const auto spans = phasesOf(step, step.towers[1]);
        const std::vector<std::pair<StepPhase, double>> expected{
            {StepPhase::Data, 4},      {StepPhase::Turn, 1},      {StepPhase::Forward, 5},
            {StepPhase::Backward, 20}, {StepPhase::Averaging, 6}, {StepPhase::Update, 3}};
        QCOMPARE(spans.size(), expected.size());
        for (std::size_t i = 0; i < spans.size(); ++i) {
            QCOMPARE(spans[i].phase, expected[i].first);
            QVERIFY(std::abs(spans[i].seconds - kMilli * expected[i].second) < 1e-12);
        }
        const auto waits = phasesOf(step, step.towers[0]);
        QCOMPARE(waits[3].phase, StepPhase::Barrier);
        QVERIFY(std::abs(waits[3].seconds - 14 * kMilli) < 1e-12);
    }

    void Phases_ofTowersOnOneGpu_areSharedAndNotWaiting()
    {
        StepRecord step = fortyMilliseconds(0);
        step.towers[0].device = step.towers[1].device = 0;
        step.towers[2].device = 1;
        const auto spans = phasesOf(step, step.towers[0]);
        QCOMPARE(spans[3].phase, StepPhase::Shared);
        QVERIFY(std::abs(spans[3].seconds - 14 * kMilli) < 1e-12);
        QCOMPARE(spans[4].phase, StepPhase::Averaging);
        QCOMPARE(phasesOf(step, step.towers[2])[3].phase, StepPhase::Barrier);
        PhaseLegend legend;
        legend.setStep(step);
        QVERIFY(legend.accessibleDescription().contains(phaseName(StepPhase::Shared)));
        legend.setStep(fortyMilliseconds(0));
        QVERIFY(!legend.accessibleDescription().contains(phaseName(StepPhase::Shared)));
    }

    void Phases_unknown_areOneSpan()
    {
        StepRecord step = fortyMilliseconds(0);
        step.towers[0] = {};
        step.computeSeconds = step.averagingSeconds = step.updateSeconds = -1.0;
        const auto spans = phasesOf(step, step.towers[0]);
        QCOMPARE(spans.size(), std::size_t{2});
        QCOMPARE(spans[0].phase, StepPhase::Data);
        QCOMPARE(spans[1].phase, StepPhase::Unknown);
        QVERIFY(std::abs(spans[1].seconds - 36 * kMilli) < 1e-12);
    }

    // In light and dark: no two look alike, none like a tower, all stand out from the window.
    void Phases_allAreToldApart()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const ThemeColors theme = themeColors(palette);
            std::set<std::pair<QRgb, int>> looks;
            std::set<QRgb> towers;
            for (int tower = 0; tower < 8; ++tower) {
                towers.insert(towerColor(tower, theme).rgb());
            }
            for (const StepPhase phase : kStepPhases) {
                const QBrush brush = phaseBrush(phase, theme);
                looks.insert({brush.color().rgb(), static_cast<int>(brush.style())});
                QVERIFY(towers.count(brush.color().rgb()) == 0);
                QVERIFY(
                    phase == StepPhase::Unknown || contrast(brush.color(), theme.window) >= 1.6);
                QVERIFY(!phaseName(phase).isEmpty() && !phaseMeaning(phase).isEmpty());
            }
            QCOMPARE(looks.size(), kStepPhases.size());
        }
    }

    void Milliseconds_haveThreeFigures()
    {
        QCOMPARE(millisecondsText(0.0), "0 ms");
        QCOMPARE(millisecondsText(1e-9), "0 ms");
        QCOMPARE(millisecondsText(214e-6), "0.214 ms");
        QCOMPARE(millisecondsText(1.5e-3), "1.50 ms");
        QCOMPARE(millisecondsText(21.04e-3), "21.0 ms");
        QCOMPARE(millisecondsText(2.14), "2.14 s");
    }

    void Sentence_says_data()
    {
        QTest::addColumn<BarrierSummary>("summary");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing yet") << BarrierSummary() << QString();
        QTest::newRow("even towers")
            << summaryOf({{600, 0.004, 80e-6}, {400, 0.002, 40e-6}})
            << "The towers arrive within 0.214 ms of each other, on average.";
        QTest::newRow("turns") << summaryOf(
            {{500, 0.0, 0.0, {}, 0.0, 0.0}, {500, 0.0, 0.0, {}, 0.0, 9e-3}})
                               << "The towers share processors: one of them "
                                  "waits 45 % of each step for its turn.";
        QTest::newRow("data") << summaryOf({{600, 0.0, 0.0}, {400, 0.0, 0.0}}, 5e-3)
                              << "The towers arrive within 0.214 ms of each other, on average. All "
                                 "wait 25 % of the time for data.";
    }

    void Sentence_says()
    {
        QFETCH(BarrierSummary, summary);
        QFETCH(QString, says);
        QCOMPARE(barrierSentences(summary), says);
    }

    void Sentence_ofSeveralRanks_namesThemAndTheirClocks()
    {
        const BarrierSummary summary = summaryOf({{100, 0.004, 80e-6}, {900, 0.142, 2.84e-3}});
        const std::vector<TowerPlacement> seats{
            {"rank0@node3:cuda:0", 0, 0.0}, {"rank1@node7:cuda:1", 0, 12e-6}};
        QVERIFY(barrierSentences(summary, seats)
                    .endsWith("The clocks of the ranks agree within 0.012 ms."));
        const Verdict slow{
            Light::Doubtful, AlertKind::SlowTower, 1, 100, "tower 1 makes everyone wait 14 %"};
        QCOMPARE(sentenceOf(slow, seats), "Tower 1 (rank 1 on node7) makes everyone wait 14 %.");
        QVERIFY(barrierSentences(summary, {{"cuda:0", 0, 12e-6}, {"cuda:1", 0, 12e-6}})
                    .endsWith("The clocks of the GPUs agree within 0.012 ms."));
        QCOMPARE(deviceTitle(seats[1].device), "GPU 1, rank 1 on node7");
        QCOMPARE(deviceTitle("rank0@node3:cpu"), "CPU, rank 0 on node3");
        QCOMPARE(rankTitle("cuda:0"), QString());
    }

    void Panel_beforeTheFirstStep_saysWhatItIsFor()
    {
        BarrierScene scene;
        QVERIFY(scene.sentence().contains("After the first step"));
        QVERIFY(!scene.bars().isVisible());
    }

    void Panel_bars_showEachPhaseWhereItIs()
    {
        BarrierScene scene;
        scene.begin();
        std::vector<StepRecord> steps;
        for (int step = 0; step < 16; ++step) { // enough that it is no chance who comes last
            steps.push_back(fortyMilliseconds(step));
        }
        scene.add(steps);
        QTRY_VERIFY(scene.bars().isVisible());
        QCOMPARE(scene.bars().towers(), 3);
        const QRectF lane = scene.bars().lane(1);
        const auto at = [&](double milliseconds) {
            return lane.left() + milliseconds / 40.0 * lane.width();
        };
        QCOMPARE(scene.bars().phaseAt(1, at(2.0))->phase, StepPhase::Data);
        QCOMPARE(scene.bars().phaseAt(1, at(4.5))->phase, StepPhase::Turn);
        QCOMPARE(scene.bars().phaseAt(1, at(7.5))->phase, StepPhase::Forward);
        QCOMPARE(scene.bars().phaseAt(1, at(20.0))->phase, StepPhase::Backward);
        QCOMPARE(scene.bars().phaseAt(0, at(20.0))->phase, StepPhase::Barrier);
        QCOMPARE(scene.bars().phaseAt(1, at(33.0))->phase, StepPhase::Averaging);
        QCOMPARE(scene.bars().phaseAt(1, at(37.5))->phase, StepPhase::Update);
        QVERIFY(!scene.bars().phaseAt(1, at(39.5))); // between the steps
        const QImage picture = scene.bars().grab().toImage();
        const ThemeColors theme = themeColors(scene.bars().palette());
        const auto pixel = [&](double milliseconds) {
            const QPointF place =
                picture.devicePixelRatio() * QPointF(at(milliseconds), lane.center().y());
            return picture.pixelColor(place.toPoint()).rgb();
        };
        QCOMPARE(pixel(7.5), phaseBrush(StepPhase::Forward, theme).color().rgb());
        QCOMPARE(pixel(20.0), phaseBrush(StepPhase::Backward, theme).color().rgb());
        QCOMPARE(pixel(33.0), phaseBrush(StepPhase::Averaging, theme).color().rgb());
        QVERIFY(scene.bars().accessibleDescription().contains(
            "tower 1: data 4.00 ms, queued 1.00 ms, forward 5.00 ms, backward 20.0 ms"));
        QVERIFY2(
            scene.sentence().endsWith("All wait 10 % of the time for data."),
            qPrintable(scene.sentence()));
    }

    void Strip_keys_tellWhatTheMouseIsTold()
    {
        BarrierStrip strip;
        QCOMPARE(strip.focusPolicy(), Qt::StrongFocus);
        QVERIFY(strip.accessibleDescription().contains("arrow keys"));
        QTest::keyClick(&strip, Qt::Key_Left); // there is nothing to go to
        strip.setSteps({fortyMilliseconds(7), fortyMilliseconds(8), fortyMilliseconds(9)});
        strip.resize(400, 80);
        strip.show();
        const auto told = [&](Qt::Key key) {
            QTest::keyClick(&strip, key);
            return strip.accessibleDescription().section('\n', 0, 0);
        };
        QCOMPARE(told(Qt::Key_Left), "Step 9, tower 0"); // first to the newest
        QCOMPARE(told(Qt::Key_Right), "Step 9, tower 0");
        QCOMPARE(told(Qt::Key_Down), "Step 9, tower 1");
        QCOMPARE(told(Qt::Key_Left), "Step 8, tower 1");
        QVERIFY2(
            strip.accessibleDescription().endsWith(
                "\n25.0 ms at work, 0 ms waiting at the barrier"),
            qPrintable(strip.accessibleDescription()));
        QCOMPARE(told(Qt::Key_Up), "Step 8, tower 0");
        strip.setSteps({fortyMilliseconds(20), fortyMilliseconds(21)}); // those are gone
        QCOMPARE(told(Qt::Key_Right), "Step 21, tower 0");
    }

    void Panel_unknownPhases_saysSo()
    {
        BarrierScene scene;
        scene.begin();
        StepRecord record = fortyMilliseconds(0);
        record.towers.assign(3, TowerRecord());
        record.computeSeconds = record.averagingSeconds = record.updateSeconds = -1.0;
        scene.add({record});
        QTRY_VERIFY(scene.bars().isVisible());
        QVERIFY(scene.sentence().contains("unknown"));
        QVERIFY(scene.bars().accessibleDescription().contains("unknown 36.0 ms"));
        QVERIFY(!scene.part<BarrierStrip>("barrier_strip").isVisible());
        QVERIFY(!scene.part<BarrierTally>("barrier_tally").isVisible());
    }

    void Panel_singleTower_hasNobodyToWaitFor()
    {
        BarrierScene scene;
        scene.begin();
        StepRecord record = fortyMilliseconds(0);
        record.towers.resize(1);
        scene.add({record});
        QTRY_COMPARE(scene.sentence(), "A single tower never waits for another.");
        QVERIFY(scene.bars().isVisible());
        QVERIFY(!scene.part<BarrierTally>("barrier_tally").isVisible());
    }

    void Panel_hidden_isUpToDateWhenShown()
    {
        BarrierScene scene;
        scene.begin();
        scene.panel.hide();
        std::vector<StepRecord> steps;
        for (int step = 0; step < 1200; ++step) {
            steps.push_back(fortyMilliseconds(step));
        }
        scene.add(steps);
        QTest::qWait(600);
        QCOMPARE(scene.bars().towers(), 0); // nothing was laid out or painted
        scene.panel.show();
        QCOMPARE(scene.bars().towers(), 3);
        QVERIFY(std::abs(scene.part<BarrierStrip>("barrier_strip").seconds() - 2.0) < 1e-9);
        QCOMPARE(
            scene.part<BarrierTally>("barrier_tally").accessibleDescription(),
            "tower 0: 0 %, tower 1: 100 %, tower 2: 0 %");
    }

    void Panel_anotherRun_forgetsTheOneBefore()
    {
        BarrierScene scene;
        scene.begin();
        scene.add({fortyMilliseconds(0)});
        QTRY_VERIFY(scene.bars().isVisible());
        scene.begin();
        QVERIFY(!scene.bars().isVisible());
        QVERIFY(scene.sentence().contains("After the first step"));
    }

    // A real training of four towers on the processors, of which one sleeps 20 ms a step.
    void Panel_trainedRun_namesTheDelayedTower()
    {
        BarrierScene scene;
        RunConfig config = smallConfig(60);
        config.towers = 4;
        config.experiment = {20.0, 2};
        scene.witness.train(config);
        QTRY_COMPARE(scene.run.verdicts()->pace().tower, 2);
        QCOMPARE(scene.bars().towers(), 4);
        QVERIFY(scene.bars().isVisible());
        const QString spoken = scene.bars().accessibleDescription();
        QVERIFY2(spoken.contains("waiting "), qPrintable(spoken));
        QVERIFY2(!spoken.contains("unknown"), qPrintable(spoken));
    }

    void Panel_openedRun_showsWhatWasTrained()
    {
        BarrierScene trained;
        RunConfig config = smallConfig(30);
        config.towers = 4;
        trained.witness.train(config);
        BarrierScene opened;
        opened.witness.controller.open(trained.witness.run());
        QTRY_COMPARE(opened.witness.steps.size(), std::size_t{30});
        QTRY_VERIFY(opened.bars().isVisible() && trained.bars().isVisible());
        QTRY_VERIFY2(
            tellAlike(
                opened.bars().accessibleDescription(), trained.bars().accessibleDescription()),
            qPrintable(
                opened.bars().accessibleDescription() + "\nand\n"
                + trained.bars().accessibleDescription()));
        QTRY_COMPARE(opened.sentence(), trained.sentence());
        const auto tally = [](BarrierScene& scene) {
            return scene.part<BarrierTally>("barrier_tally").accessibleDescription();
        };
        QCOMPARE(tally(opened), tally(trained));
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestBarrierPanel)
#include "test_barrier_panel.moc"
