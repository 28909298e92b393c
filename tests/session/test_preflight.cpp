// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"
#include "dataset/formats/catalog.h"
#include "session/run/preflight.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint.h"
#include "storage/files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"
#include "support/time_limit.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

const PreflightRecord& lineOf(
    const std::vector<PreflightRecord>& checklist, const std::string& name)
{
    return *std::ranges::find(checklist, name, &PreflightRecord::name);
}

/// A data set with one example that is not as it should be.
class Spoilt final : public Dataset
{
public:
    Spoilt(const Dataset& whole, std::int64_t index, ExampleView example)
        : m_whole(whole), m_index(index), m_example(example)
    {
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_whole.info(); }
    [[nodiscard]] std::int64_t size() const override { return m_whole.size(); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        return index == m_index ? m_example : m_whole.example(index);
    }

private:
    const Dataset& m_whole;
    std::int64_t m_index;
    ExampleView m_example;
};

} // namespace

class TestPreflight : public QObject
{
    Q_OBJECT

private slots:
    void Run_beforeItsFirstStep_goesThroughTheChecklist();
    void Checklist_ofCifar10Size_takesUnderASecond();
    void Stop_beforeTheChecklist_isNoFailure();
    void Devices_busyProcessors_areNamed();
    void Moments_thatAreTooSlow_areWarnedOf();
    void Data_outOfRange_isNamed_data();
    void Data_outOfRange_isNamed();
    void Disk_withoutRoom_isRefusedBeforeTheFirstStep();
    void Disk_withLittleRoom_isWarnedOf();
    void Disk_withoutRoomForTheStore_leavesNoRun();
};

void TestPreflight::Run_beforeItsFirstStep_goesThroughTheChecklist()
{
    const TemporaryFolder folder;
    Witness witness;
    trainWhole({smallConfig(1), folder / "run"}, witness);
    QStringList names;
    for (const PreflightRecord& record : witness.checklist) {
        // This machine may be busy, which a run may say.
        const bool isBusy = record.text.find("busy already") != std::string::npos;
        QVERIFY2(record.result == PreflightResult::Passed || isBusy, record.text.c_str());
        QVERIFY(!record.text.empty());
        names << QString::fromStdString(record.name);
    }
    QCOMPARE(
        names,
        (QStringList{"checkpoint", "free space", "data", "duplicates", "memory", "devices"}));
    const auto stored = RunStoreReader(RunFolder::storeFileOf(folder / "run")).preflight();
    QCOMPARE(stored.size(), witness.checklist.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        QCOMPARE(stored[i].name, witness.checklist[i].name);
        QCOMPARE(stored[i].text, witness.checklist[i].text);
        QVERIFY(stored[i].result == witness.checklist[i].result);
    }
}

/// The time is that of the whole checklist on the real network, summed up from its lines.
void TestPreflight::Checklist_ofCifar10Size_takesUnderASecond()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(0);
    config.model.name = "cifar10";
    config.evaluateAtEnd = false;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    double seconds = 0.0;
    for (const PreflightRecord& record : witness.checklist) {
        seconds += record.seconds;
    }
    QVERIFY2(!isFarTooSlow(seconds, 1.0), qPrintable(QString::number(seconds)));
    const auto bytes = std::filesystem::file_size(witness.checkpoints.at(0));
    const std::string size = fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
    QVERIFY(lineOf(witness.checklist, "checkpoint").text.find(size) != std::string::npos);
}

// As many threads as there are processors leave nothing to a training; its memory is told once.
void TestPreflight::Stop_beforeTheChecklist_isNoFailure()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({smallConfig(1'000'000), folder / "run"}, witness);
    run.send(command::Stop{});
    run.train();
    const PreflightRecord duplicates = lineOf(witness.checklist, "duplicates");
    QVERIFY(duplicates.result == PreflightResult::Warning);
    QVERIFY2(duplicates.text.starts_with("not looked for"), duplicates.text.c_str());
    QVERIFY(witness.states.back() == RunState::Stopped);
    QVERIFY(!witness.checkpoints.empty());
}

void TestPreflight::Devices_busyProcessors_areNamed()
{
    std::atomic<bool> isEnough = false;
    std::vector<std::jthread> threads;
    for (int i = 0; i < ThreadTeam::processors(); ++i) {
        threads.emplace_back([&] {
            while (!isEnough) {
            }
        });
    }
    const TemporaryFolder folder;
    Witness witness;
    trainWhole({smallConfig(1), folder / "run"}, witness);
    isEnough = true;
    const PreflightRecord devices = lineOf(witness.checklist, "devices");
    QVERIFY2(devices.text.find("cpu is ") != std::string::npos, devices.text.c_str());
    QVERIFY(devices.result == PreflightResult::Warning);
    const std::string memory = lineOf(witness.checklist, "memory").text;
    QVERIFY2(memory.find(" left") == memory.rfind(" left"), memory.c_str());
}

void TestPreflight::Moments_thatAreTooSlow_areWarnedOf()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(1);
    config.model.name = folder / "model.toml";
    std::ofstream(config.model.name) << R"(
name = "normalised"
classes = 10
input = { height = 8, width = 8, channels = 3 }
[[layer]]
name = "norm"
type = "normalization"
[[layer]]
name = "logits"
type = "dense"
units = 10
[[objective]]
logits = "logits"
)";
    std::vector<double> means;
    for (const bool isRamped : {false, true}) {
        config.momentRamp = isRamped;
        Witness witness;
        trainWhole({config, folder / (isRamped ? "ramped" : "plain")}, witness);
        const PreflightRecord moments = lineOf(witness.checklist, "moments");
        QVERIFY2(
            moments.result == (isRamped ? PreflightResult::Passed : PreflightResult::Warning),
            moments.text.c_str());
        const Checkpoint checkpoint = readCheckpoint(witness.checkpoints.at(1));
        const auto mean =
            std::ranges::find(checkpoint.weights, "norm.moving_mean", &NamedTensor::name);
        means.push_back(double{mean->values.front()});
    }
    // They begin at 0; of the same moment one run takes 0.0003, the other 0.9.
    QVERIFY(means[0] != 0.0);
    QVERIFY2(std::abs(means[1] / means[0] - 3000.0) < 1.0, qPrintable(QString::number(means[1])));
}

void TestPreflight::Data_outOfRange_isNamed_data()
{
    addRows<int, int, QString>(
        {"label", "bytes", "word"}, {{"label too high", 10, 3072, "label 10"},
                                     {"label below 0", -1, 3072, "label -1"},
                                     {"too few bytes", 3, 3071, "3071 bytes"}});
}

void TestPreflight::Data_outOfRange_isNamed()
{
    QFETCH(int, label);
    QFETCH(int, bytes);
    QFETCH(QString, word);
    const TemporaryFolder folder;
    RunConfig config = smallConfig(1);
    config.threadsPerTower = {1};
    const auto data = openDataset({config.dataset, config.datasetPath}, Split::Train);
    const TrainingSession session(config, *data);
    RunStart start = findRunStart({config, folder / "run"}, config, session, *data);
    const RunFiles files(
        start, config,
        RunFilesSettings{folder / "run", "small", RunBranch{0, std::nullopt, 2, 8, data->size()}});
    const ExampleView first = data->example(0);
    const Spoilt spoilt(*data, 7, {first.pixels.first(static_cast<std::size_t>(bytes)), label});
    std::vector<PreflightRecord> checklist;
    const QString text = failureOf([&] {
        runPreflight({config, session, spoilt, *data, files}, [&](const auto& record) {
            checklist.push_back(record);
        });
    });
    QVERIFY2(text.contains(word) && text.contains("example 7"), qPrintable(text));
    // All others are told, too.
    QCOMPARE(checklist.size(), std::size_t{6});
    QVERIFY(lineOf(checklist, "data").result == PreflightResult::Failed);
    QVERIFY(lineOf(checklist, "devices").result != PreflightResult::Failed);
}

void TestPreflight::Disk_withoutRoom_isRefusedBeforeTheFirstStep()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "200k"); // a checkpoint of 74 kB, but not three
    if (!disk.isMounted()) {
        QSKIP("no small disk can be mounted here");
    }
    Witness witness;
    const QString text = failureOf([&] { trainWhole({smallConfig(5), folder / "run"}, witness); });
    QVERIFY2(text.contains("make room") || text.contains("No space left"), qPrintable(text));
    QVERIFY(witness.losses.empty());
    QVERIFY(witness.states.back() == RunState::Failed);
}

void TestPreflight::Disk_withLittleRoom_isWarnedOf()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "2m");
    if (!disk.isMounted()) {
        QSKIP("no small disk can be mounted here");
    }
    RunConfig config = smallConfig(1);
    config.checkpointKeep = 1000;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    const PreflightRecord& line = lineOf(witness.checklist, "free space");
    QVERIFY(line.result == PreflightResult::Warning);
    QVERIFY2(line.text.find("checkpoint.keep") != std::string::npos, line.text.c_str());
    QCOMPARE(witness.losses.size(), std::size_t{1});
}

void TestPreflight::Disk_withoutRoomForTheStore_leavesNoRun()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "20k");
    if (!disk.isMounted()) {
        QSKIP("no small disk can be mounted here");
    }
    const QString text = failureOf([&] {
        Witness witness;
        const TrainingRun run({smallConfig(5), folder / "run"}, witness);
    });
    QVERIFY2(text.contains("run"), qPrintable(text));
    QVERIFY(!std::filesystem::exists(folder / "run"));
}

LOCKSTEP_TEST(TestPreflight)
#include "test_preflight.moc"
