// SPDX-License-Identifier: Apache-2.0
#include "storage/csv_export.h"
#include "storage/files.h"
#include "storage/steps.h"
#include "support/temporary_folder.h"

#include <QtTest>

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

std::string exported(const std::filesystem::path& store)
{
    std::ostringstream out;
    exportCsv(RunStoreReader(store), out);
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
    static void Csv_resumedWithMoreTowers_leavesTheOthersEmpty();
    static void Csv_emptyRun_isTheHeader();
    static void Csv_refusingStream_isAnError();
};

void TestCsvExport::Csv_twoTowers_isExactText()
{
    const TemporaryFolder folder;
    StepRecord record;
    record.step = 3;
    record.examples = 1024;
    record.epoch = 0.02048;
    record.learningRate = 0.1;
    record.lossMean = 4.5;
    record.lossLast = std::numeric_limits<double>::quiet_NaN();
    record.wallSeconds = 1e-7;
    record.examplesPerSecond = 1e22;
    record.secondsPerBatch = 1.0 / 3.0;
    record.towers = {{1e300, 0, 0, 0}, {5, 0, 0, 0}};
    RunStore store(folder / "run.db");
    store.append(record);
    store.close();
    QCOMPARE(
        exported(folder / "run.db"),
        std::string("step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,"
                    "loss_tower_0,loss_tower_1,examples_per_second,seconds_per_batch\n"
                    "3,1e-07,1024,0.02048,0.1,4.5,nan,1e+300,5,1e+22,0.3333333333333333\n"));
}

void TestCsvExport::Csv_everyNumber_readsBackBitForBit()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    for (std::int64_t step = 0; step < 500; ++step) {
        store.append(exampleStep(step, 4));
    }
    store.close();
    const auto rows = rowsOf(exported(folder / "run.db"));
    QCOMPARE(rows.size(), 502U);
    QCOMPARE(rows.back(), (std::vector<std::string>{""}));
    for (std::int64_t step = 0; step < 500; ++step) {
        const auto& row = rows[static_cast<std::size_t>(step) + 1];
        const StepRecord r = exampleStep(step, 4);
        const std::vector<double> expected{
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
            r.examplesPerSecond,
            r.secondsPerBatch};
        QCOMPARE(row.size(), expected.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            QVERIFY2(number(row[i]) == expected[i], row[i].c_str());
            QVERIFY2(row[i].size() <= 24, row[i].c_str());
        }
    }
}

void TestCsvExport::Csv_resumedWithMoreTowers_leavesTheOthersEmpty()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    for (std::int64_t step = 0; step < 4; ++step) {
        store.append(exampleStep(step, 1));
    }
    store.startBranch(2);
    store.append(exampleStep(2, 3, 2));
    store.append(exampleStep(3, 3, 2));
    store.close();
    const auto rows = rowsOf(exported(folder / "run.db"));
    QCOMPARE(rows.size(), 6U);
    for (std::size_t row = 0; row < 5; ++row) {
        QCOMPARE(rows[row].size(), 12U);
    }
    QCOMPARE(rows[0][9], std::string("loss_tower_2"));
    QCOMPARE(number(rows[2][7]), exampleStep(1, 1).towers[0].loss);
    QVERIFY(rows[2][8].empty() && rows[2][9].empty());
    QCOMPARE(number(rows[3][9]), exampleStep(2, 3, 2).towers[2].loss);
    QCOMPARE(number(rows[4][7]), exampleStep(3, 3, 2).towers[0].loss);
}

void TestCsvExport::Csv_emptyRun_isTheHeader()
{
    const TemporaryFolder folder;
    RunStore(folder / "run.db").close();
    QCOMPARE(
        exported(folder / "run.db"),
        std::string("step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,"
                    "examples_per_second,seconds_per_batch\n"));
}

// /dev/full refuses every write, for root too.
void TestCsvExport::Csv_refusingStream_isAnError()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.append(exampleStep(0, 2));
    store.close();
    std::ofstream full("/dev/full");
    QVERIFY(
        tells(errorOf([&] { exportCsv(RunStoreReader(folder / "run.db"), full); }), ErrorCode::Io));
}

QTEST_GUILESS_MAIN(TestCsvExport)
#include "test_csv_export.moc"
