// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/run_series.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "plots/view/plot_view.h"
#include "support/lockstep_test.h"
#include "theme/tower_colors.h"
#include "ui/synthetic_run.h"

#include <QAction>

using namespace lockstep::ui;

namespace {

constexpr int kHigh = 1020;
constexpr int kLow = 390; // what a window of 1024 x 640 leaves
constexpr int kLowest = 300;
constexpr int kWidth = 460;

const QList<bool> kAllOpen(7, false);

QList<bool> foldedOf(const ChartStack& stack)
{
    QList<bool> folded;
    for (const PlotView* const plot : stack.plots()) {
        folded.append(plot->room().isFolded());
    }
    return folded;
}

} // namespace

/// How the charts share the height, and what a person folds.
class TestChartStack : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_stack = std::make_unique<ChartStack>();
        m_stack->resize(kWidth, kHigh);
        m_stack->show();
    }

    void Picture_hasTheNamedTowerInRed_asTheWindow()
    {
        SyntheticRun run(4, 128, 100);
        m_stack->setRun(&run.series());
        const auto picture = [this] {
            return imageOf(pictureOf(*m_stack, {}, {{800, 600}, false}), 1.0);
        };
        const QImage usual = picture();
        setNamedTower(*m_stack, 3);
        QVERIFY(picture() != usual);
        setNamedTower(*m_stack, std::nullopt);
        QCOMPARE(picture(), usual);
        m_stack->setRun(nullptr);
    }

    void Room_enough_showsAll()
    {
        QCOMPARE(foldedOf(*m_stack), kAllOpen);
        for (const QAction* const opening : m_stack->openings()) {
            QVERIFY(opening->isChecked());
        }
    }

    void Room_little_foldsTheStripsAndLeavesMostToTheLoss()
    {
        m_stack->resize(kWidth, kLow);
        QCOMPARE(foldedOf(*m_stack), (QList{false, true, true, true, false, true, true}));
        QVERIFY(!opening(1).isChecked() && opening(3).isChecked());
        int others = 0;
        for (std::size_t i = 1; i < m_stack->plots().size(); ++i) {
            others += plot(i).room().isFolded() ? 0 : plot(i).height();
        }
        QVERIFY2(plot(0).height() > others, qPrintable(QString::number(plot(0).height())));
        m_stack->resize(kWidth, kLowest);
        QCOMPARE(foldedOf(*m_stack), (QList{false, true, true, true, false, true, true}));
        m_stack->resize(kWidth, kHigh);
        QCOMPARE(foldedOf(*m_stack), kAllOpen);
    }

    void Chart_foldedByHand_staysSoAtAnyHeight()
    {
        QTest::mouseClick(&plot(1), Qt::LeftButton, Qt::NoModifier, foldMarkOf(1));
        QCOMPARE(foldedOf(*m_stack), (QList{false, true, false, false, false, false, false}));
        m_stack->resize(kWidth, kHigh + 200);
        QVERIFY(plot(1).room().isFolded());
        plot(1).setFocus();
        QTest::keyClick(&plot(1), Qt::Key_F);
        QVERIFY(!plot(1).room().isFolded());
        QTest::keyClick(&plot(0), Qt::Key_F); // the loss always stays
        QVERIFY(!plot(0).room().isFolded() && plot(0).room().foldMark().isEmpty());
    }

    void Chart_openedByHand_staysSoWhereRoomIsShort()
    {
        m_stack->resize(kWidth, kLow);
        opening(1).trigger();
        QCOMPARE(foldedOf(*m_stack), (QList{false, true, false, true, false, true, true}));
        m_stack->resize(kWidth, kLowest);
        QVERIFY(!plot(2).room().isFolded());
        QVERIFY(opening(1).isChecked());
    }

    void Chart_folded_isOneLineAndTakesNoDrags()
    {
        const int open = plot(2).height();
        QTest::mouseClick(&plot(2), Qt::LeftButton, Qt::NoModifier, foldMarkOf(2));
        QTRY_VERIFY(plot(2).height() < 30);
        QVERIFY(plot(2).height() >= plot(2).fontMetrics().height());
        const double before = m_stack->range().last();
        QTest::mousePress(&plot(2), Qt::LeftButton, Qt::NoModifier, {100, 10});
        QTest::mouseMove(&plot(2), {300, 12});
        QTest::mouseRelease(&plot(2), Qt::LeftButton, Qt::NoModifier, {300, 12});
        QCOMPARE(m_stack->range().last(), before);
        QTest::mouseDClick(&plot(2), Qt::LeftButton, Qt::NoModifier, {100, 10});
        QTRY_VERIFY(std::abs(plot(2).height() - open) <= 2);
    }

    void Heights_byHand_areKeptThroughFolding()
    {
        ChartPlaces places;
        places.readText("180a 260a 90a 90a 100a 90a 90a 90a");
        m_stack->setPlaces(places);
        const int throughput = plot(1).height();
        QVERIFY(throughput > plot(0).height());
        QTest::mouseClick(&plot(1), Qt::LeftButton, Qt::NoModifier, foldMarkOf(1));
        QTRY_VERIFY(plot(1).height() < 30);
        QTest::mouseClick(&plot(1), Qt::LeftButton, Qt::NoModifier, foldMarkOf(1));
        QTRY_VERIFY(std::abs(plot(1).height() - throughput) <= 2);
    }

    void Enlarged_hasAllTheRoom_andGivesItBack()
    {
        m_stack->resize(kWidth, kLow);
        QVERIFY(plot(2).room().isFolded());
        m_stack->toggleEnlarged(plot(2));
        QVERIFY(!plot(2).room().isFolded() && plot(2).isVisible() && !plot(0).isVisible());
        QTRY_COMPARE(plot(2).height(), m_stack->height());
        m_stack->toggleEnlarged(plot(2));
        QVERIFY(plot(2).room().isFolded() && plot(0).isVisible());
    }

    void Places_asText_comeBack()
    {
        QTest::mouseClick(&plot(3), Qt::LeftButton, Qt::NoModifier, foldMarkOf(3));
        opening(0).trigger(); // closes
        opening(0).trigger(); // by hand from now on
        const QByteArray text = m_stack->places().toText();
        ChartPlaces read;
        read.readText(text);
        QCOMPARE(read.toText(), text);
        ChartStack other;
        other.resize(kWidth, kLowest);
        other.setPlaces(read);
        other.show();
        QCOMPARE(foldedOf(other), (QList{false, false, true, true, false, true, true}));
    }

    void Places_ofNonsense_areLeft()
    {
        const QByteArray whole = ChartPlaces().toText();
        for (const QByteArray& text :
             {QByteArray(), QByteArray("nonsense"), QByteArray("1a 2a"),
              QByteArray("0a 1a 1a 1a 1a"), QByteArray("1x 1a 1a 1a 1a"), whole + " 9a",
              QByteArray(" ")}) {
            ChartPlaces places;
            places.readText(text);
            QCOMPARE(places.toText(), whole);
        }
    }

    void Run_withObjectives_hasACurveForEachInTheLoss()
    {
        RunSeries run(2, 1, {"segmentation", "decision"});
        const std::vector<double> losses{2.0, 3.0};
        const std::vector<double> objectives{1.5, 9.0};
        run.append({{0, 0.1, 0.1, 2.0}, losses, 2.5, 10.0, 0.5, objectives, 2.75});
        const QSignalSpy changes(m_stack.get(), &ChartStack::plotsChanged);
        m_stack->setRun(&run);
        QCOMPARE(changes.size(), 1);
        QStringList named;
        for (const Curve& curve : plot(0).curves()) {
            named.append(QString("%1 %2").arg(curve.name).arg(curve.series().at(0)));
        }
        QCOMPARE(
            named, (QStringList{
                       "with weight decay 2.75", "segmentation 1.5", "decision 9", "tower 0 2",
                       "last tower (1) 3", "mean 2.5"}));
        QCOMPARE(m_stack->plots().size(), std::size_t{7});
        run.setDetecting(true);
        m_stack->setRun(&run);
        QCOMPARE(m_stack->plots().size(), std::size_t{8});
        QCOMPARE(m_stack->plots().back()->accessibleName(), "Average precision");
        m_stack->toggleEnlarged(plot(7));
        QVERIFY(plot(7).isVisible() && !plot(0).isVisible());

        m_stack->setRun(nullptr); // has no such chart
        QCOMPARE(m_stack->plots().size(), std::size_t{7});
        QVERIFY(plot(0).isVisible() && plot(1).isVisible());
    }

    void Loss_ofAnOlderProgram_saysThatWeightDecayIsIncluded()
    {
        RunSeries run(1, 1);
        const std::vector<double> before{4.5};
        run.append({{0, 0.1, 0.1, 1.0}, before, 4.5, 10.0});
        m_stack->setRun(&run);
        QString text = plot(0).summary();
        QVERIFY2(text.contains("weight decay included ·"), qPrintable(text));
        const std::vector<double> since{2.25}; // it was resumed
        run.append({{1, 0.2, 0.2, 2.0}, since, 2.25, 10.0, 0.5, {}, 4.375});
        text = plot(0).summary();
        QVERIFY2(text.contains(" · with weight decay 4.375"), qPrintable(text));
        QVERIFY2(text.contains(" · weight decay included at first"), qPrintable(text));
        m_stack->setRun(nullptr);
    }

    void LearningRate_isDrawnAsItWas()
    {
        RunSeries run(1, 8);
        run.setSmoothing(0.9);
        for (int step = 0; step < 40; ++step) {
            StepPoint point{{step, 0.0, 0.1 * step}, {}, 1.0, 10.0};
            const std::vector<double> losses{1.0};
            point.towerLosses = losses;
            point.learningRate = step < 20 ? 0.1 : 0.01;
            run.append(point);
        }
        m_stack->setRun(&run);
        const Curve& rate = plot(ChartPlaces::kLearningRate).curves().front();
        QCOMPARE(rate.series().smoothedAt(19), 0.1F);
        QCOMPARE(rate.series().smoothedAt(20), 0.01F);
        QVERIFY(plot(ChartPlaces::kLearningRate).summary().contains("0.01"));
    }

private:
    [[nodiscard]] PlotView& plot(std::size_t i) const { return *m_stack->plots()[i]; }
    [[nodiscard]] QPoint foldMarkOf(std::size_t i) const
    {
        return plot(i).room().foldMark().center().toPoint();
    }

    /// Of the charts that are there.
    [[nodiscard]] QAction& opening(std::size_t i) const
    {
        std::vector<QAction*> openings = m_stack->openings();
        std::erase_if(openings, [](const QAction* each) { return !each->isVisible(); });
        return *openings.at(i);
    }

    std::unique_ptr<ChartStack> m_stack;
};
LOCKSTEP_TEST(TestChartStack)
#include "test_chart_stack.moc"
