// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/steps.h"
#include "storage/store/csv_export.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cstdlib>
#include <limits>
#include <sstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<std::vector<std::string>> rowsOf(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& line : QString::fromStdString(csv).split('\n')) {
        std::vector<std::string> cells;
        for (const auto& cell : line.split(',')) {
            cells.push_back(cell.toStdString());
        }
        rows.push_back(cells);
    }
    return rows;
}

std::string exported(const std::filesystem::path& store, CsvLines lines = CsvLines::Lineage)
{
    std::ostringstream out;
    writeCsv(stepsAsCsv(RunStoreReader(store), lines), out);
    return out.str();
}

double number(const std::string& cell)
{
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    return *end == '\0' && !cell.empty() ? value : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class TestCsvExport : public QObject
{
    Q_OBJECT
private slots:
    static void Csv_twoTowers_isExactText();
    static void Csv_everyNumber_readsBackBitForBit();
    static void Csv_ofAnOlderProgram_hasNoCrossEntropy();
    static void Csv_resumedWithMoreTowers_leavesTheOthersEmpty();
    static void Csv_allBranches_hasEveryStepOfEach();
    static void Csv_emptyRun_isTheHeader();
    static void Evaluations_ofBothWeights_areRows();
    static void Csv_refusingStream_isAnError();
};

void TestCsvExport::Csv_twoTowers_isExactText()
{
    const TemporaryFolder folder;
    StepRecord record;
    record.step = 3;
    record.examples = 1024;
    record.learningRate = 0.1;
    record.lossMean = 1e300;
    record.weightDecayLoss = 0.25;
    record.stepSeconds = 3.0;
    record.wallSeconds = 1e-7;
    record.inputSeconds = 0.125;
    record.computeSeconds = 2.75;
    record.updateSeconds = 0.0;
    record.towers = {
        {4.5, 4, 4, 0.5, 0.0, 0.25, 1.5}, {std::numeric_limits<double>::quiet_NaN(), 2, 4}};
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2, 3));
    store.append(record);
    store.close();
    // 1024 of 50,000 examples; 2 x 128 examples in 3 seconds; nobody told how long averaging
    // took, nor anything of tower 1.
    const std::string header =
        "step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,"
        "loss_tower_0,loss_tower_1,train_accuracy,examples_per_second,seconds_per_batch,"
        "step_seconds,input_seconds,compute_seconds,averaging_seconds,"
        "update_seconds,start_seconds_tower_0,start_seconds_tower_1,"
        "copy_seconds_tower_0,copy_seconds_tower_1,"
        "forward_seconds_tower_0,forward_seconds_tower_1,"
        "backward_seconds_tower_0,backward_seconds_tower_1,"
        "weight_decay_loss,cross_entropy_mean,cross_entropy_tower_0,cross_entropy_tower_1\n";
    const std::string row = "3,1e-07,1024,0.02048,0.1,1e+300,nan,4.5,nan,0.75,85.33333333333333,"
                            "1.5,3,0.125,2.75,,0,0.5,,0,,0.25,,1.5,,0.25,1e+300,4.25,nan\n";
    QCOMPARE(exported(folder / "run.db"), header + row);
    QCOMPARE(exported(folder / "run.db", CsvLines::AllBranches), "branch," + header + "1," + row);
}

void TestCsvExport::Csv_everyNumber_readsBackBitForBit()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(4));
    writeSteps(store, 0, 500, 4);
    store.close();
    const auto rows = rowsOf(exported(folder / "run.db"));
    QCOMPARE(rows.size(), 502U);
    QCOMPARE(rows.back(), (std::vector<std::string>{""}));
    for (std::int64_t step = 0; step < 500; ++step) {
        const auto& row = rows[static_cast<std::size_t>(step) + 1];
        const StepRecord r = exampleStep(step, 4);
        std::vector<double> expected{
            static_cast<double>(r.step),
            r.wallSeconds,
            static_cast<double>(r.examples),
            r.epoch,
            r.learningRate,
            r.lossMean,
            r.lossLast,
            r.towers[0].loss,
            r.towers[1].loss,
            r.towers[2].loss,
            r.towers[3].loss,
            static_cast<double>(r.towers[0].correct) / static_cast<double>(r.towers[0].examples),
            r.examplesPerSecond,
            r.secondsPerBatch,
            r.stepSeconds,
            r.inputSeconds,
            r.computeSeconds,
            r.averagingSeconds,
            r.updateSeconds};
        for (const auto seconds :
             {&TowerRecord::startSeconds, &TowerRecord::copySeconds, &TowerRecord::forwardSeconds,
              &TowerRecord::backwardSeconds}) {
            for (const TowerRecord& tower : r.towers) {
                expected.push_back(tower.*seconds);
            }
        }
        expected.push_back(r.weightDecayLoss);
        for (const double loss :
             {r.lossMean, r.towers[0].loss, r.towers[1].loss, r.towers[2].loss, r.towers[3].loss}) {
            expected.push_back(loss - r.weightDecayLoss);
        }
        QCOMPARE(row.size(), expected.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            QVERIFY2(number(row[i]) == expected[i], row[i].c_str());
            QVERIFY2(row[i].size() <= 24, row[i].c_str());
        }
    }
}

void TestCsvExport::Csv_ofAnOlderProgram_hasNoCrossEntropy()
{
    const TemporaryFolder folder;
    StepRecord record = exampleStep(0, 2);
    record.weightDecayLoss = std::numeric_limits<double>::quiet_NaN();
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(record);
    store.close();
    const auto rows = rowsOf(exported(folder / "run.db"));
    QCOMPARE(rows[1].size(), rows[0].size());
    QCOMPARE(number(rows[1][5]), record.lossMean);
    for (std::size_t i = rows[0].size() - 4; i < rows[0].size(); ++i) {
        QVERIFY2(rows[1][i].empty(), rows[0][i].c_str());
    }
}

/// Four steps of one tower, of which two were left for two of three towers.
void writeResumed(const std::filesystem::path& file)
{
    RunStore store(file);
    store.startBranch(exampleBranch(1));
    writeSteps(store, 0, 4, 1);
    store.startBranch(exampleBranch(3, 2));
    store.append(exampleStep(2, 3, 2));
    store.append(exampleStep(3, 3, 2));
    store.close();
}

void TestCsvExport::Csv_resumedWithMoreTowers_leavesTheOthersEmpty()
{
    const TemporaryFolder folder;
    writeResumed(folder / "run.db");
    const auto rows = rowsOf(exported(folder / "run.db"));
    QCOMPARE(rows.size(), 6U);
    for (std::size_t row = 0; row < 5; ++row) {
        QCOMPARE(rows[row].size(), 35U); // 17 and 6 for each tower
    }
    QCOMPARE(rows[0][9], std::string("loss_tower_2"));
    QCOMPARE(number(rows[2][7]), exampleStep(1, 1).towers[0].loss);
    QVERIFY(rows[2][8].empty() && rows[2][9].empty());
    QCOMPARE(number(rows[3][9]), exampleStep(2, 3, 2).towers[2].loss);
    QCOMPARE(number(rows[4][7]), exampleStep(3, 3, 2).towers[0].loss);
}

void TestCsvExport::Csv_allBranches_hasEveryStepOfEach()
{
    const TemporaryFolder folder;
    writeResumed(folder / "run.db");
    const auto rows = rowsOf(exported(folder / "run.db", CsvLines::AllBranches));
    QCOMPARE(rows.size(), 8U);
    QCOMPARE(rows[0][0], std::string("branch"));
    const std::vector<std::pair<std::string, std::string>> expected{
        {"1", "0"}, {"1", "1"}, {"1", "2"}, {"1", "3"}, {"2", "2"}, {"2", "3"}};
    for (std::size_t row = 0; row < expected.size(); ++row) {
        QCOMPARE(rows[row + 1][0], expected[row].first);
        QCOMPARE(rows[row + 1][1], expected[row].second);
        QCOMPARE(rows[row + 1].size(), 36U);
    }
    QCOMPARE(number(rows[3][8]), exampleStep(2, 1).towers[0].loss);
    QCOMPARE(number(rows[5][8]), exampleStep(2, 3, 2).towers[0].loss);
}

void TestCsvExport::Csv_emptyRun_isTheHeader()
{
    const TemporaryFolder folder;
    RunStore(folder / "run.db").close();
    QCOMPARE(
        exported(folder / "run.db"),
        std::string(
            "step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,"
            "train_accuracy,examples_per_second,seconds_per_batch,step_seconds,input_seconds,"
            "compute_seconds,averaging_seconds,update_seconds,weight_decay_loss,"
            "cross_entropy_mean\n"));
}

void TestCsvExport::Evaluations_ofBothWeights_areRows()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(1));
    writeSteps(store, 0, 4, 1);
    EvaluationRecord average{4, WeightsKind::Average, 8, 6, 0.75, 0.5, 1.0};
    average.inTopFive = 7;
    store.append(average);
    store.append(EvaluationRecord{4, WeightsKind::Raw, 8, 2, 0.25, 1.5, 0.125});
    store.close();
    std::ostringstream out;
    writeCsv(evaluationsAsCsv(RunStoreReader(folder / "run.db")), out);
    QCOMPARE(
        out.str(),
        std::string("step,weights,examples,correct,accuracy,top5,average_precision,loss,seconds\n"
                    "4,average,8,6,0.75,0.875,,0.5,1\n4,raw,8,2,0.25,,,1.5,0.125\n"));
}

// /dev/full refuses every write, for root too.
void TestCsvExport::Csv_refusingStream_isAnError()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(exampleStep(0, 2));
    store.close();
    std::ofstream full("/dev/full");
    QVERIFY(tells(
        errorOf([&] { writeCsv(stepsAsCsv(RunStoreReader(folder / "run.db")), full); }),
        ErrorCode::Io));
}

LOCKSTEP_TEST(TestCsvExport)
#include "test_csv_export.moc"
