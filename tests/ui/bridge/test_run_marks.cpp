// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_marks.h"
#include "storage/steps.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "ui/session_witness.h"

#include <cmath>
#include <functional>

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

namespace {

/// The steps at which the rate jumps.
std::vector<int> jumpsOf(int steps, const std::function<double(int)>& rateAt)
{
    LearningRateJumps jumps;
    std::vector<int> found;
    for (int step = 0; step < steps; ++step) {
        if (const auto jump = jumps.append(rateAt(step))) {
            found.push_back(step);
            if (jump->before != rateAt(step - 1) || jump->after != rateAt(step)) {
                found.push_back(-1);
            }
        }
    }
    return found;
}

void appendSteps(RunStore& store, std::int64_t first, std::int64_t end)
{
    for (std::int64_t step = first; step < end; ++step) {
        store.append(exampleStep(step, 2));
    }
}

} // namespace

/// What happened in a run, for its charts.
class TestRunMarks : public QObject
{
    Q_OBJECT

private slots:
    void Jumps_ofStages_areEachFound()
    {
        QCOMPARE(
            jumpsOf(1000, [](int step) { return 0.1 * std::pow(0.94, step / 100); }),
            (std::vector<int>{100, 200, 300, 400, 500, 600, 700, 800, 900}));
        QCOMPARE(
            jumpsOf(100, [](int step) { return step < 50 ? 0.1 : 0.2; }), std::vector<int>{50});
    }

    void Jumps_ofSmoothSchedules_areNone_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::newRow("constant") << 0;
        QTest::newRow("warm-up, then constant") << 1;
        QTest::newRow("cosine") << 2;
        QTest::newRow("exponential") << 3;
    }

    void Jumps_ofSmoothSchedules_areNone()
    {
        QFETCH(int, schedule);
        const auto rateAt = [schedule](int step) {
            switch (schedule) {
            case 1:
                return 0.1 * std::min(1.0, (step + 1) / 500.0);
            case 2:
                return 0.1 * (1.0 + std::cos(3.14159265 * step / 3000.0));
            case 3:
                return 0.1 * std::pow(0.999, step);
            default:
                return 0.1;
            }
        };
        QCOMPARE(jumpsOf(2900, rateAt), std::vector<int>());
    }

    void Jump_byHand_isFoundInASmoothSchedule()
    {
        QCOMPARE(
            jumpsOf(
                1000, [](int step) { return (step < 600 ? 0.1 : 0.03) * std::pow(0.999, step); }),
            std::vector<int>{600});
    }

    void History_ofReturns_tellsBranchesFaultsAndWhatWasLeft()
    {
        const TemporaryFolder folder;
        {
            RunStore store(RunFolder::storeFileOf(folder.path()));
            store.startBranch(exampleBranch(2));
            appendSteps(store, 0, 300);
            store.append(RunEvent{0.0, "error", "Tower 1: loss is NaN"});
            store.startBranch(exampleBranch(2, 200));
            appendSteps(store, 200, 250);
            store.append(RunEvent{0.0, "info", "saved"});
            store.startBranch(exampleBranch(2, 250)); // goes on where it stood
            appendSteps(store, 250, 280);
            store.append(RunEvent{0.0, "error", "the disk is full"});
            store.close();
        }
        const RunHistory history = readRunHistory(folder.path());
        using Kind = RunMark::Kind;
        std::vector<std::pair<Kind, std::int64_t>> found;
        for (const RunMark& mark : history.marks) {
            found.emplace_back(mark.kind, mark.updates);
            QVERIFY(mark.time > 1.6e9);
        }
        QCOMPARE(
            found,
            (std::vector<std::pair<Kind, std::int64_t>>{
                {Kind::Branch, 200}, {Kind::Branch, 250}, {Kind::Fault, 280}, {Kind::Fault, 300}}));
        QCOMPARE(history.marks[0].endStep, 300);
        QCOMPARE(history.marks[1].endStep, 250);
        QVERIFY(!history.marks[2].isLeftBehind && history.marks[3].isLeftBehind);
        QCOMPARE(history.marks[3].text, "Tower 1: loss is NaN");
        QCOMPARE(history.abandoned.size(), 1U);
        const AbandonedSteps& left = history.abandoned[0];
        QVERIFY(left.firstStep == 200 && left.endStep == 300);
        const SeriesStore& losses = left.series->losses();
        QCOMPARE(losses.timeline().stepAt(losses.size() - 1), 299);
        QCOMPARE(
            losses.series(OverlaySeries::kMeanLoss).at(losses.size() - 1),
            static_cast<float>(crossEntropy(exampleStep(299, 2))));
    }

    // What branched off steps that were left behind themselves goes on from those, not from the
    // run.
    void History_ofABranchOfWhatWasLeft_knowsItsOrigin()
    {
        const TemporaryFolder folder;
        {
            RunStore store(RunFolder::storeFileOf(folder.path()));
            for (const auto& [first, end] :
                 {std::pair(0, 300), std::pair(200, 260), std::pair(100, 120)}) {
                store.startBranch(
                    first == 0 ? exampleBranch(2) : exampleBranch(2, std::int64_t{first}));
                appendSteps(store, first, end);
            }
            store.close();
        }
        const std::vector<AbandonedSteps> left = readRunHistory(folder.path()).abandoned;
        const auto of = [&](std::int64_t first) {
            return std::ranges::find(left, first, &AbandonedSteps::firstStep);
        };
        QCOMPARE(left.size(), 2U);
        QVERIFY(of(100) != left.end() && of(200) != left.end());
        QVERIFY(of(100)->origin == nullptr);
        QVERIFY(of(200)->origin == of(100)->series);
        QCOMPARE(readRunHistory(folder.path()).joints(), std::vector<std::int64_t>{100});
    }

    void Branch_andWhatItLeft_beginAtTheSameHeight()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        RunMarks marks(run);
        run.setSmoothing(0.9);
        marks.setSmoothing(0.9);
        RunConfig config = lockstep::ui::smallConfig(60);
        config.checkpointEverySteps = 20;
        witness.train(config);
        const auto saved = std::ranges::find(
            witness.checkpoints, 20, &std::pair<qint64, std::filesystem::path>::first);
        QVERIFY(saved != witness.checkpoints.end());
        config.learningRate.initial = 0.0001; // from here on it does not fall as it did
        witness.controller.start({config, witness.run(), true, saved->second});
        WAIT_FOR(Finished);
        QTRY_COMPARE(marks.abandoned().size(), std::size_t{1});
        const AbandonedSteps& left = marks.abandoned().front();
        QCOMPARE(left.firstStep, 20);
        const Series& line = left.series->losses().series(OverlaySeries::kMeanLoss);
        const Series& mean = run.series()->steps().series(RunSeries::kMeanLoss);
        QCOMPARE(run.series()->steps().size(), 60);
        QTRY_COMPARE(line.smoothedAt(0), mean.smoothedAt(20));
        QCOMPARE(mean.smoothedAt(20), mean.smoothedAt(19)); // as it was when the others were made
        QVERIFY(line.smoothedAt(0) != line.at(0));
        // Each then goes its way: the one that was left ends among its own last values.
        float least = line.at(39);
        float greatest = line.at(39);
        for (std::int64_t row = 30; row < 40; ++row) {
            least = std::min(least, line.at(row));
            greatest = std::max(greatest, line.at(row));
        }
        QVERIFY(line.smoothedAt(39) >= least - 1e-4F && line.smoothedAt(39) <= greatest + 1e-4F);
    }
};
LOCKSTEP_TEST(TestRunMarks)
#include "test_run_marks.moc"
