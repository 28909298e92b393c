// SPDX-License-Identifier: Apache-2.0
#include "storage/events/event_export.h"
#include "storage/events/event_file.h"
#include "storage/events/event_file_reader.h"
#include "storage/files.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <map>
#include <string>
#include <utility>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kResumedAt = 4;
constexpr std::int64_t kSteps = 9;

/// A run that was trained for six steps and resumed at step 4: the seed of a step's numbers tells
/// which branch it is of. Its event files hold histograms of steps 0, 3 and 5, then 5 and 8.
struct Scene
{
    Scene()
    {
        RunStore store(storeFile());
        store.startBranch(exampleBranch(2));
        EventFile first(events(), 0);
        train(store, first, {0, 6, 1}, {0, 3, 5});
        store.append(EvaluationRecord{4, WeightsKind::Average, 10, 5, 0.5, 1.0, 1.0});
        store.startBranch(exampleBranch(2, kResumedAt));
        EventFile second(events(), kResumedAt);
        train(store, second, {kResumedAt, kSteps, 2}, {5, 8});
        store.append(EvaluationRecord{kSteps, WeightsKind::Raw, 10, 8, 0.8, 0.5, 1.0});
        store.close();
    }

    struct Stretch
    {
        std::int64_t first;
        std::int64_t end;
        std::uint64_t branch;
    };

    static void train(
        RunStore& store, EventFile& file, const Stretch& stretch,
        const std::vector<std::int64_t>& recorded)
    {
        for (std::int64_t step = stretch.first; step < stretch.end; ++step) {
            store.append(exampleStep(step, 2, stretch.branch));
        }
        for (const std::int64_t step : recorded) {
            const auto value = static_cast<float>(stretch.branch);
            const EventRecord record{
                EventKind::Values,
                1e9,
                step,
                {{"loss/mean", 77.0},
                 {"conv1/sparsity", 0.25},
                 {"conv1/weights", histogramOf(std::span(&value, 1))}}};
            file.append(std::span(&record, 1));
        }
    }

    [[nodiscard]] std::filesystem::path storeFile() const { return folder / "run.db"; }
    [[nodiscard]] std::filesystem::path events() const { return folder / "events"; }
    [[nodiscard]] std::filesystem::path exported() const
    {
        return exportEvents(RunStoreReader(storeFile()), events(), folder / "board");
    }

    TemporaryFolder folder;
};

using Series = std::vector<std::pair<std::int64_t, EventValue>>;

/// The values of an event file, in order, by tag.
std::map<std::string, Series> seriesOf(const std::filesystem::path& file)
{
    std::map<std::string, Series> series;
    EventFileReader reader(file);
    while (const auto record = reader.next()) {
        for (const EventValue& value : record->values) {
            series[value.tag].emplace_back(record->step, value);
        }
    }
    return series;
}

double scalar(const EventValue& value)
{
    return std::get<double>(value.value);
}

} // namespace

class TestEventExport : public QObject
{
    Q_OBJECT

private slots:
    static void Scalars_areOfEveryStepOfTheLine();
    static void Evaluations_areThere();
    static void Histograms_arePassedThroughFromTheLine();
    static void Run_withoutEvents_hasItsScalars();
    static void Target_withEvents_isRefused();
    static void Events_damaged_areNamedAndNothingStays();
};

void TestEventExport::Scalars_areOfEveryStepOfTheLine()
{
    const Scene scene;
    const auto series = seriesOf(scene.exported());
    for (const char* tag : {"loss/mean", "loss/tower_0", "loss/tower_1", "learning_rate"}) {
        QCOMPARE(std::ssize(series.at(tag)), kSteps);
    }
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const StepRecord expected = exampleStep(step, 2, step < kResumedAt ? 1 : 2);
        const auto i = static_cast<std::size_t>(step);
        QCOMPARE(series.at("loss/mean")[i].first, step);
        QCOMPARE(
            scalar(series.at("loss/mean")[i].second),
            double{static_cast<float>(expected.lossMean)});
        QCOMPARE(
            scalar(series.at("loss/tower_1")[i].second),
            double{static_cast<float>(expected.towers[1].loss)});
    }
}

void TestEventExport::Evaluations_areThere()
{
    const Scene scene;
    const auto series = seriesOf(scene.exported());
    QCOMPARE(series.at("test/accuracy_raw").size(), std::size_t{1});
    QCOMPARE(series.at("test/accuracy_raw")[0].first, kSteps);
    QCOMPARE(scalar(series.at("test/loss_raw")[0].second), 0.5);
}

void TestEventExport::Histograms_arePassedThroughFromTheLine()
{
    const Scene scene;
    const auto series = seriesOf(scene.exported());
    std::vector<std::pair<std::int64_t, double>> kept;
    for (const auto& [step, value] : series.at("conv1/weights")) {
        kept.emplace_back(step, std::get<Histogram>(value.value).sum);
    }
    const std::vector<std::pair<std::int64_t, double>> expected{{0, 1}, {3, 1}, {5, 2}, {8, 2}};
    QCOMPARE(kept, expected);
    QCOMPARE(series.at("conv1/sparsity").size(), std::size_t{4});
}

void TestEventExport::Run_withoutEvents_hasItsScalars()
{
    const Scene scene;
    const auto file = exportEvents(
        RunStoreReader(scene.storeFile()), scene.folder / "none", scene.folder / "board");
    QCOMPARE(std::ssize(seriesOf(file).at("loss/mean")), kSteps);
    QVERIFY(!seriesOf(file).contains("conv1/weights"));
}

void TestEventExport::Target_withEvents_isRefused()
{
    const Scene scene;
    const auto file = scene.exported();
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(scene.exported()); }), ErrorCode::BadInput, file.string(),
        "another folder"));
    QCOMPARE(listEventFiles(file.parent_path()).size(), std::size_t{1});
}

void TestEventExport::Events_damaged_areNamedAndNothingStays()
{
    const Scene scene;
    const auto damaged = listEventFiles(scene.events()).front();
    flipBit(damaged, std::filesystem::file_size(damaged) - 10, 3);
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(scene.exported()); }), ErrorCode::Data, damaged.string(),
        "byte"));
    QVERIFY(listEventFiles(scene.folder / "board").empty());
}

LOCKSTEP_TEST(TestEventExport)
#include "test_event_export.moc"
