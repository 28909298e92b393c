// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_files.h"
#include "dataset/examples/data_check.h"
#include "dataset/formats/image_folder.h"
#include "dataset/mask_layouts.h"
#include "session/evaluation/evaluate_checkpoint.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <condition_variable>
#include <mutex>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

enum class Damage { None, Cut, Within, Page, Empty };

std::string damaged(const std::string& jpeg, Damage damage)
{
    const std::size_t scan = jpeg.rfind("\xFF\xDA");
    const std::string half = jpeg.substr(0, scan + (jpeg.size() - scan) / 2);
    switch (damage) {
    case Damage::None:
        return jpeg;
    case Damage::Cut:
        return half;
    case Damage::Within:
        return half + "\xFF\xD9";
    case Damage::Page:
        return "<html><body>404</body></html>";
    case Damage::Empty:
        return "";
    }
    return {};
}

/// Two classes that the colour tells apart, each picture another one; `count` in all, of which the
/// first ones of class blue are damaged.
Files photographs(const std::string& split, int count, Damage damage = Damage::None, int bad = 1)
{
    Files files;
    for (int i = 0; i < count; ++i) {
        const auto shade = static_cast<std::uint8_t>(40 + i);
        const bool isRed = i % 2 == 1;
        const std::string jpeg =
            jpegOf(isRed ? flatImage(30, 40, {shade, 20, 20}) : flatImage(30, 40, {20, 20, shade}));
        files[fmt::format("{}/{}/{:03}.jpg", split, isRed ? "red" : "blue", i)] =
            damaged(jpeg, i % 2 == 0 && i / 2 < bad ? damage : Damage::None);
    }
    return files;
}

RunConfig photoConfig(const fs::path& place, std::int64_t steps = 6)
{
    RunConfig config = smallConfig(steps);
    config.dataset = "image_folder";
    config.datasetPath = place.string();
    config.batchPerTower = 2;
    config.inputPrefetchBatches = 1;
    config.evaluateAtEnd = true;
    config.split.duplicates = "ignore";
    return config;
}

int countOf(const std::vector<std::string>& notes, const std::string& words)
{
    return static_cast<int>(std::ranges::count_if(
        notes, [&](const std::string& note) { return note.find(words) != std::string::npos; }));
}

} // namespace

Q_DECLARE_METATYPE(Damage)

/// Damage is found before the first step, or does not end the run; what ends it loses no step.
class TestDamagedData : public QObject
{
    Q_OBJECT

private slots:
    static void Structure_ofFewOfMany_isLeftOut_data();
    static void Structure_ofFewOfMany_isLeftOut();
    static void Structure_ofTooMany_isRefusedBeforeTheFirstStep();
    static void Pixels_ofOneImage_doNotEndTheRun();
    static void Pixels_ofATestImage_areNotScored();
    static void Pixels_ofTooMany_endTheRun_savedFirst();
    static void Pixels_refused_endTheRun_savedFirst();
    static void Data_thatGo_areWaitedFor();
    static void Data_thatStayAway_endTheRun_savedFirst();
    static void Stop_whileDataAreAway_isAtOnce();
    static void Evaluate_damagedTestImages_areLeftOutAndTold();
    static void DataCheck_findsWhatIsDamaged();
};

void TestDamagedData::Structure_ofFewOfMany_isLeftOut_data()
{
    QTest::addColumn<Damage>("damage");
    QTest::newRow("cut") << Damage::Cut;
    QTest::newRow("a page") << Damage::Page;
    QTest::newRow("empty") << Damage::Empty;
}

void TestDamagedData::Structure_ofFewOfMany_isLeftOut()
{
    QFETCH(Damage, damage);
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 120, damage));
    writeFiles(folder / "data", photographs("val", 100, damage));
    Witness witness;
    trainWhole({photoConfig(folder / "data"), folder / "run"}, witness);
    QCOMPARE(witness.losses.size(), 6U);
    QCOMPARE(witness.evaluations.back().examples, 99);
}

void TestDamagedData::Structure_ofTooMany_isRefusedBeforeTheFirstStep()
{
    for (const char* split : {"train", "val"}) {
        const TemporaryFolder folder;
        for (const char* each : {"train", "val"}) {
            const Damage damage = std::string(each) == split ? Damage::Cut : Damage::None;
            writeFiles(folder / "data", photographs(each, 20, damage));
        }
        const QString error = refusal({photoConfig(folder / "data"), folder / "run"});
        QVERIFY2(error.contains("1 of 20 images can't be used"), qPrintable(error));
        QVERIFY(error.contains(QString(split) + "/blue/000.jpg: the image is damaged"));
        QVERIFY(error.contains("dataset.damaged = skip_all"));
        QVERIFY(!fs::exists(folder / "run"));
        RunConfig config = photoConfig(folder / "data");
        config.encoded.damaged = "skip_all";
        Witness witness;
        QCOMPARE(trainWhole({config, folder / "run"}, witness).size(), 6U);
    }
}

void TestDamagedData::Pixels_ofOneImage_doNotEndTheRun()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 100, Damage::Within));
    writeFiles(folder / "data", photographs("val", 4));
    std::vector<std::vector<double>> losses;
    for (const int threads : {1, 3}) {
        RunConfig config = photoConfig(folder / "data", 60); // two epochs
        config.inputThreads = threads;
        Witness witness;
        losses.push_back(trainWhole({config, folder / ("run" + std::to_string(threads))}, witness));
        QCOMPARE(countOf(witness.notes, "blue/000.jpg: the image is damaged"), 1);
        QCOMPARE(countOf(witness.notes, "the next one is trained instead"), 1);
    }
    QVERIFY(losses[0] == losses[1]);
}

void TestDamagedData::Pixels_ofATestImage_areNotScored()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 10));
    writeFiles(folder / "data", photographs("val", 200, Damage::Within, 2));
    Witness witness;
    trainWhole({photoConfig(folder / "data"), folder / "run"}, witness);
    const EvaluationRecord& evaluation = witness.evaluations.back();
    QCOMPARE(evaluation.examples, 198);
    QCOMPARE(evaluation.classified.size(), 198U);
    QCOMPARE(evaluation.classified.front().example, 2);
    QVERIFY(std::ranges::is_sorted(evaluation.classified, {}, &ClassifiedImage::example));
    QCOMPARE(
        evaluation.correct,
        std::ranges::count_if(evaluation.classified, &ClassifiedImage::isCorrect));
    QCOMPARE(countOf(witness.notes, "it is left out of the scores"), 2);
    // As if they were not there.
    fs::remove(folder / "data/val/blue/000.jpg");
    fs::remove(folder / "data/val/blue/002.jpg");
    Witness without;
    trainWhole({photoConfig(folder / "data"), folder / "other"}, without);
    QCOMPARE(without.evaluations.back().accuracy, evaluation.accuracy);
    QVERIFY(std::abs(without.evaluations.back().loss - evaluation.loss) < 1e-6);
}

void TestDamagedData::Pixels_ofTooMany_endTheRun_savedFirst()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 100, Damage::Within, 2));
    writeFiles(folder / "data", photographs("val", 4));
    RunConfig config = photoConfig(folder / "data", 200);
    config.checkpointEverySteps = 0;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    const auto error = errorOf([&] { run.train(); });
    const std::int64_t done = run.session().progress().step;
    QVERIFY(done < 200);
    QVERIFY(tells(
        error, ErrorCode::Data, "2 of 100 images can't be used", run.lastCheckpoint().string(),
        "(--resume)"));
    QVERIFY(witness.checkpoints.contains(done));
}

void TestDamagedData::Pixels_refused_endTheRun_savedFirst()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 100, Damage::Within));
    writeFiles(folder / "data", photographs("val", 4));
    RunConfig config = photoConfig(folder / "data", 200);
    config.encoded.damaged = "refuse";
    config.checkpointEverySteps = 0;
    {
        Witness witness;
        TrainingRun run({config, folder / "run"}, witness);
        const auto error = errorOf([&] { run.train(); });
        QVERIFY(tells(
            error, ErrorCode::Data, "blue/000.jpg: the image is damaged",
            run.lastCheckpoint().string()));
        QVERIFY(witness.checkpoints.contains(run.session().progress().step));
    }
    // It goes on from there once the rule lets it.
    config.encoded.damaged = "skip";
    Witness resumed;
    TrainingRun next({config, folder / "run", true}, resumed);
    next.train();
    QCOMPARE(next.session().progress().step, 200);
}

void TestDamagedData::Data_thatGo_areWaitedFor()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 20));
    writeFiles(folder / "data", photographs("val", 4));
    RunConfig config = photoConfig(folder / "data", 20);
    config.inputThreads = 1; // of several each could miss them for itself
    Witness whole;
    const auto expected = trainWhole({config, folder / "whole"}, whole);
    class BackWhenMissed : public Witness
    {
    public:
        void onEvent(const TrainingEvent& event) override
        {
            if (const auto* const alert = std::get_if<AlertRecord>(&event);
                alert != nullptr && !alert->isOver) {
                fs::rename(data.string() + "-away", data); // who waits tells it
            }
            Witness::onEvent(event);
        }
        fs::path data;
    };
    BackWhenMissed witness;
    witness.data = folder / "data";
    witness.afterStep = [&](std::int64_t step) {
        if (step == 7) {
            fs::rename(folder / "data", folder / "data-away");
        }
    };
    QVERIFY(trainWhole({config, folder / "run"}, witness) == expected);
    const auto alerts = witness.alerts(AlertKind::InputBound);
    QCOMPARE(alerts.size(), 2U);
    QVERIFY(alerts[0].text.find("can't be read (No such file") != std::string::npos);
    QVERIFY(!alerts[0].isOver && alerts[1].isOver);
}

void TestDamagedData::Data_thatStayAway_endTheRun_savedFirst()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 20));
    writeFiles(folder / "data", photographs("val", 4));
    RunConfig config = photoConfig(folder / "data", 100);
    config.encoded.patienceSeconds = 0.0;
    config.checkpointEverySteps = 0;
    Witness witness;
    witness.afterStep = [&](std::int64_t step) {
        if (step == 7) {
            fs::rename(folder / "data", folder / "away");
        }
    };
    auto run = std::make_unique<TrainingRun>(RunRequest{config, folder / "run"}, witness);
    const auto error = errorOf([&] { run->train(); });
    const std::int64_t done = run->session().progress().step;
    QVERIFY(done >= 8);
    QVERIFY(tells(
        error, ErrorCode::Io, ".jpg: can't be read (No such file", run->lastCheckpoint().string()));
    QVERIFY(witness.checkpoints.contains(done));
    QVERIFY(witness.states.back() == RunState::Failed);
    // Not a step is lost.
    run.reset();
    fs::rename(folder / "away", folder / "data");
    Witness resumed;
    trainWhole({config, folder / "run", true}, resumed);
    QCOMPARE(witness.losses.size() + resumed.losses.size(), 100U);
}

void TestDamagedData::Stop_whileDataAreAway_isAtOnce()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 20));
    writeFiles(folder / "data", photographs("val", 4));
    RunConfig config = photoConfig(folder / "data", 1000);
    config.encoded.patienceSeconds = 1e6;
    config.checkpointEverySteps = 0;
    class StopWhenMissed : public Witness
    {
    public:
        void onEvent(const TrainingEvent& event) override
        {
            if (std::holds_alternative<AlertRecord>(event)) {
                run->send(command::Stop{});
            }
            Witness::onEvent(event);
        }
        TrainingRun* run = nullptr;
    };
    StopWhenMissed witness;
    witness.afterStep = [&](std::int64_t step) {
        if (step == 7) {
            fs::rename(folder / "data", folder / "away");
        }
    };
    TrainingRun run({config, folder / "run"}, witness);
    witness.run = &run;
    run.train();
    QVERIFY(witness.states.back() == RunState::Stopped);
    QVERIFY(witness.checkpoints.contains(run.session().progress().step));
}

void TestDamagedData::Evaluate_damagedTestImages_areLeftOutAndTold()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 10));
    writeFiles(folder / "data", photographs("val", 10));
    Witness witness;
    trainWhole({photoConfig(folder / "data"), folder / "run"}, witness);
    writeFiles(folder / "data", photographs("val", 2, Damage::Cut));
    Files within = photographs("val", 3, Damage::Within, 2);
    within.erase("val/blue/000.jpg");
    writeFiles(folder / "data", within);
    std::vector<std::string> notes;
    CheckpointEvaluationRequest request;
    request.checkpoint = folder / "run";
    const auto evaluation =
        evaluateCheckpoint(request, [&](const std::string& text) { notes.push_back(text); });
    QCOMPARE(evaluation.record.examples, 8);
    QCOMPARE(countOf(notes, "val/blue/000.jpg: the image is damaged (it is cut short)"), 1);
    QCOMPARE(countOf(notes, "val/blue/002.jpg: the image is damaged"), 1);
    QCOMPARE(countOf(notes, "damaged test images that are left out of the score: 2"), 1);
}

void TestDamagedData::DataCheck_findsWhatIsDamaged()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", photographs("train", 200));
    writeFiles(folder / "data", photographs("val", 4));
    const auto dataset = openImageFolder(folder / "data", Split::Train, {});
    writeFiles(folder / "data", photographs("train", 1, Damage::Cut)); // since
    std::mutex mutex;
    std::condition_variable told;
    std::string text;
    const DataCheck check({dataset.get()}, [&](const std::string& sentence) {
        const std::scoped_lock lock(mutex);
        text = sentence;
        told.notify_all();
    });
    std::unique_lock lock(mutex);
    told.wait(lock, [&] { return !text.empty(); });
    QVERIFY(text.find("all 200 images") != std::string::npos);
    QVERIFY(text.find("1 are damaged") != std::string::npos);
    const auto found = dataset->damage().takeNew();
    QCOMPARE(found.size(), 1U);
    QVERIFY(found[0].find("blue/000.jpg: the image is damaged") != std::string::npos);
}

LOCKSTEP_TEST(TestDamagedData)
#include "test_damaged_data.moc"
