// SPDX-License-Identifier: Apache-2.0
#include "metrics/gradient_agreement.h"
#include "storage/events/event_scalars.h"
#include "storage/files.h"
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/gradient_csv.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Steps [first, end) with gradients of every `every`-th.
void append(RunStore& store, std::int64_t first, std::int64_t end, std::int64_t every)
{
    for (std::int64_t step = first; step < end; ++step) {
        store.append(exampleStep(step, 2));
        if (step % every == 0) {
            store.append(exampleGradients(step, 2));
        }
    }
}

std::vector<std::int64_t> stepsOf(const std::vector<GradientRecord>& records)
{
    std::vector<std::int64_t> steps;
    for (const GradientRecord& record : records) {
        steps.push_back(record.step);
    }
    return steps;
}

std::vector<GradientRecord> gradientsOf(
    const RunStoreReader& reader, std::int64_t first = 0, std::int64_t end = RunStoreReader::kNoEnd)
{
    std::vector<GradientRecord> records;
    reader.forEachGradient(
        [&](const GradientRecord& record) { records.push_back(record); }, first, end);
    return records;
}

} // namespace

/// Gradients in the run store, and what is made of them there.
class TestRunStoreGradients : public QObject
{
    Q_OBJECT
private slots:
    static void Gradients_all_roundTrip();
    static void Gradients_notANumber_comeBackAsSuch();
    static void Gradients_ofAnAbandonedBranch_areLeftOut();
    static void Gradients_afterReopening_keepTheNumbersOfParameters();
    static void SomeGradients_ofALongRun_areSpread_andTheNewestAll();
    static void SomeGradients_ofALineOfBranches_areOfEach();
    static void Csv_hasTheAgreementOfEachLayer();
    static void EventScalars_areThoseOfTheRecord();
};

void TestRunStoreGradients::Gradients_all_roundTrip()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    append(store, 0, 25, 10);
    store.close();
    const RunStoreReader reader(folder / "run.db");
    const auto found = gradientsOf(reader);
    QCOMPARE(stepsOf(found), (std::vector<std::int64_t>{0, 10, 20}));
    for (const GradientRecord& record : found) {
        QVERIFY(sameGradients(record, exampleGradients(record.step, 2)));
    }
    QCOMPARE(stepsOf(gradientsOf(reader, 1, 20)), (std::vector<std::int64_t>{10}));
    QCOMPARE(stepsOf(reader.someGradients(1)), stepsOf(found));
}

void TestRunStoreGradients::Gradients_notANumber_comeBackAsSuch()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(exampleStep(0, 2));
    GradientRecord record = exampleGradients(0, 2);
    record.parameters[1].weightSquares = std::numeric_limits<double>::quiet_NaN();
    record.parameters[1].towers[0].squares = std::numeric_limits<double>::infinity();
    store.append(record);
    store.close();
    const auto found = gradientsOf(RunStoreReader(folder / "run.db"));
    QVERIFY(std::isnan(found.at(0).parameters[1].weightSquares));
    QVERIFY(std::isinf(found.at(0).parameters[1].towers[0].squares));
}

void TestRunStoreGradients::Gradients_ofAnAbandonedBranch_areLeftOut()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    append(store, 0, 30, 10);
    store.startBranch(exampleBranch(2, 15));
    append(store, 15, 28, 4);
    store.close();
    QCOMPARE(
        stepsOf(gradientsOf(RunStoreReader(folder / "run.db"))),
        (std::vector<std::int64_t>{0, 10, 16, 20, 24}));
}

void TestRunStoreGradients::Gradients_afterReopening_keepTheNumbersOfParameters()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    {
        RunStore store(file);
        store.startBranch(exampleBranch(2));
        append(store, 0, 1, 1);
    }
    RunStore store(file);
    append(store, 1, 2, 1);
    store.close();
    QCOMPARE(ask(file, "SELECT count(*) FROM parameter"), std::string("3"));
    const auto found = gradientsOf(RunStoreReader(file));
    QVERIFY(sameGradients(found.at(1), exampleGradients(1, 2)));
}

void TestRunStoreGradients::SomeGradients_ofALongRun_areSpread_andTheNewestAll()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    append(store, 0, 500, 1);
    store.close();
    const auto steps = stepsOf(RunStoreReader(folder / "run.db").someGradients(200));
    QCOMPARE(steps.size(), std::size_t{200});
    for (std::size_t i = 0; i < 100; ++i) {
        QCOMPARE(steps[i], static_cast<std::int64_t>(4 * i));
        QCOMPARE(steps[100 + i], static_cast<std::int64_t>(400 + i));
    }
}

// Every 10 steps until 2000, then every step until 2300; the newest 100 reach back to 2200.
void TestRunStoreGradients::SomeGradients_ofALineOfBranches_areOfEach()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    append(store, 0, 2100, 10);
    store.startBranch(exampleBranch(2, 2000));
    append(store, 2000, 2300, 1);
    store.close();
    const auto records = RunStoreReader(folder / "run.db").someGradients(150);
    const auto steps = stepsOf(records);
    QVERIFY(std::ranges::is_sorted(steps, std::less_equal()));
    QCOMPARE(steps.size(), std::size_t{150});
    for (std::size_t i = 0; i < 50; ++i) { // the first one at 2200 i / 50 or later
        const auto wanted = static_cast<std::int64_t>(44 * i);
        QCOMPARE(steps[i], wanted < 2000 ? (wanted + 9) / 10 * 10 : wanted);
        QVERIFY(sameGradients(records[i], exampleGradients(steps[i], 2)));
    }
    for (std::size_t i = 0; i < 100; ++i) {
        QCOMPARE(steps[50 + i], static_cast<std::int64_t>(2200 + i));
    }
}

void TestRunStoreGradients::Csv_hasTheAgreementOfEachLayer()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(exampleStep(0, 2));
    // Two towers at right angles: each has a cosine of 1 / sqrt(2) with their mean.
    const TowerGradients gradients{{3.0, 0.0}, {0.0, 3.0}};
    GradientRecord record{0, kExampleBatch, {measured("a.weight", gradients)}};
    record.parameters[0].weightSquares = 16.0;
    record.parameters[0].updateSquares = 4.0;
    store.append(record);
    store.close();
    std::ostringstream out;
    writeCsv(gradientsAsCsv(RunStoreReader(folder / "run.db")), out);
    const auto lines = QString::fromStdString(out.str()).split('\n');
    QCOMPARE(
        lines[0], QString("step,layer,weight_norm,gradient_norm,update_to_weight,noise_scale,"
                          "norm_tower_0,norm_tower_1,cosine_tower_0,cosine_tower_1"));
    const QStringList whole = lines[1].split(',');
    const QStringList layer = lines[2].split(',');
    QCOMPARE(whole.size(), 10);
    QCOMPARE(layer.mid(0, 3), (QStringList{"0", "a", "4"}));
    QCOMPARE(whole[1], QString());
    QCOMPARE(whole[4].toDouble(), 0.5);
    QVERIFY(whole[5].isEmpty()); // what they agree on is drowned: |mean|^2 2 N - |tower|^2 = 0
    QCOMPARE(whole[6], QString("3"));
    QVERIFY(std::abs(layer[8].toDouble() - std::sqrt(0.5)) < 1e-12);
    QVERIFY(lines[3].isEmpty());
}

void TestRunStoreGradients::EventScalars_areThoseOfTheRecord()
{
    const TowerGradients gradients{{4.0, 3.0}, {4.0, 0.0}, {4.0, 1.0}};
    GradientRecord record{0, 8, {measured("a.weight", gradients)}};
    record.parameters[0].weightSquares = 100.0;
    record.parameters[0].updateSquares = 1.0;
    GradientNoiseScale noiseScale;
    noiseScale.add(record);
    const auto values = eventScalars(record, noiseScale);
    QCOMPARE(values.size(), std::size_t{3});
    QCOMPARE(values[0].tag, std::string("gradients/cosine_min"));
    const auto cosines = gradientAgreement(record).whole.cosines;
    QCOMPARE(std::get<double>(values[0].value), *std::ranges::min_element(cosines));
    QCOMPARE(values[1].tag, std::string("gradients/noise_scale"));
    QCOMPARE(std::get<double>(values[1].value), noiseScale.examples().value());
    QCOMPARE(values[2].tag, std::string("update_to_weight/a"));
    QCOMPARE(std::get<double>(values[2].value), 0.1);
}

LOCKSTEP_TEST(TestRunStoreGradients)
#include "test_run_store_gradients.moc"
