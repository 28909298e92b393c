// SPDX-License-Identifier: Apache-2.0
// lockstep-train, the real program, on emulated GPUs: whole runs with everything that belongs to
// them.
#include "cli/program.h"
#include "cuda/emulated_gpus.h"
#include "dataset/formats/catalog.h"
#include "session/config/run_data.h"
#include "session/control/run_remote.h"
#include "session/mask_model.h"
#include "session/training/training_session.h"
#include "storage/events/event_index.h"
#include "storage/store/run_folder.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/near_masks.h"
#include "support/temporary_folder.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;

class TestEmulatedTraining : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Run_onGpus_isThatOfTheCpu_data();
    void Run_onGpus_isThatOfTheCpu();
    void Run_onGpus_tellsOfThem();
    void Run_twice_isTheSame();
    void Run_resumed_isThatOfOneNeverStopped();
    void Run_interrupted_leavesACheckpointToResumeFrom();
    void Run_gone_notANumber_keepsTheLastGoodCheckpoint();
    static void Algorithms_areRecordedAndTakenAgain_data();
    void Algorithms_areRecordedAndTakenAgain();
    void Algorithms_keptOnDisk_makeARepeatOneWhateverTheClockSays();
    void Algorithms_first_areTakenUntimed();
    void Planning_interrupted_endsTheRun();
    void Bench_afterARun_measuresNoAlgorithms();
    void Threads_toBeMeasured_areAsIfNotAskedFor();
    void Evaluation_onGpu_isThatOfTheCpu();
    void Bench_traced_tellsWhatKernelsTake();
    void Capture_failed_isTold();
    void Views_fromAnotherProcess_areThoseOfTheCpu_data();
    void Views_fromAnotherProcess_areThoseOfTheCpu();

private:
    [[nodiscard]] QStringList training(const std::string& run, const QString& device, int steps)
    {
        QStringList arguments = smallTraining(m_folder / "data", m_folder / run, steps);
        arguments[arguments.indexOf("--device") + 1] = device;
        // Emulated, the test set would take longer than the training.
        arguments << "--json"
                  << "--set"
                  << "evaluate.at_end=false";
        return arguments;
    }
    [[nodiscard]] static QList<double> losses(const Outcome& outcome)
    {
        QList<double> values;
        for (const QJsonObject& step : outcome.events("step")) {
            values.append(step["loss_mean"].toDouble());
        }
        return values;
    }

    TemporaryFolder m_folder;
    EmulatedGpus m_gpus{3};
};

void TestEmulatedTraining::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 60);
}

void TestEmulatedTraining::Run_onGpus_isThatOfTheCpu_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("one GPU, two towers") << "cuda:0" << 1e-3;
    QTest::newRow("two GPUs") << "cuda:2,0" << 1e-3;
    QTest::newRow("as many as there are towers") << "cuda" << 1e-3;
}

void TestEmulatedTraining::Run_onGpus_isThatOfTheCpu()
{
    QFETCH(QString, device);
    QFETCH(double, tolerance);
    constexpr int kSteps = 50;
    static const auto expected = losses(runProgram(training("cpu", "cpu", kSteps)));
    QCOMPARE(expected.size(), kSteps);
    const Outcome outcome = runProgram(training("on " + device.toStdString(), device, kSteps));
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY(outcome.out.contains(device == "cuda:2,0" ? "cuda:2: 1 of the towers" : "cuda:0"));
    const auto got = losses(outcome);
    QCOMPARE(got.size(), kSteps);
    for (int i = 0; i < kSteps; ++i) {
        QVERIFY2(
            std::abs(got[i] - expected[i]) < tolerance * expected[i],
            qPrintable(QString("step %1: %2, %3").arg(i).arg(got[i]).arg(expected[i])));
    }
}

void TestEmulatedTraining::Run_onGpus_tellsOfThem()
{
    const Outcome outcome = runProgram(training("read", "cuda:0,2", 30));
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const auto readings = outcome.events("device_reading");
    QVERIFY2(readings.size() >= 2, outcome.text().constData());
    const QJsonObject& reading = readings[1];
    QCOMPARE(reading["device"].toString(), QString("cuda:2"));
    QCOMPARE(reading["memory_used_bytes"].toDouble(), 3.0 * (1LL << 30));
    QCOMPARE(reading["memory_total_bytes"].toDouble(), 8.0 * (1LL << 30));
    QCOMPARE(reading["load"].toDouble(), 0.75);
    QCOMPARE(reading["temperature"].toDouble(), 52.0);
    QCOMPARE(reading["power_watts"].toDouble(), 300.5);
    QCOMPARE(reading["throttle_reason"].toString(), QString("power limit"));
    QVERIFY(reading["step"].toInt(-1) >= 0 && reading["step"].toInt() <= 30);
    QVERIFY(reading["time"].toDouble() > 1e9);
}

void TestEmulatedTraining::Run_twice_isTheSame()
{
    const auto first = losses(runProgram(training("first", "cuda:0,1", 20)));
    QCOMPARE(first.size(), 20);
    QVERIFY(losses(runProgram(training("second", "cuda:0,1", 20))) == first);
}

void TestEmulatedTraining::Run_resumed_isThatOfOneNeverStopped()
{
    const auto straight = losses(runProgram(training("straight", "cuda:0", 24)));
    auto pieces = losses(runProgram(training("pieces", "cuda:0", 9)));
    const Outcome rest = runProgram(
        {"train", "--run", toText(m_folder / "pieces"), "--resume", "--steps", "24", "--json"});
    QVERIFY2(rest.exitCode == 0, rest.text().constData());
    pieces += losses(rest);
    QVERIFY(pieces == straight);
}

void TestEmulatedTraining::Run_interrupted_leavesACheckpointToResumeFrom()
{
    QProcess process;
    process.start(LOCKSTEP_TRAIN_PROGRAM, training("stopped", "cuda:0", 10'000'000));
    QByteArray out;
    while (!out.contains(R"("event":"step")")) {
        QVERIFY(process.waitForReadyRead(60'000));
        out += process.readAllStandardOutput();
    }
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(60'000));
    Outcome outcome;
    outcome.out = out + process.readAllStandardOutput();
    QCOMPARE(process.exitCode(), 1);
    // Steps that were ahead are in the record, and the checkpoint is the state after the last one.
    const int steps = static_cast<int>(outcome.events("step").size());
    QCOMPARE(outcome.events("stopped").last()["step"].toInt(), steps);
    QCOMPARE(outcome.events("checkpoint").last()["step"].toInt(), steps);
    const Outcome resumed = runProgram(
        {"train", "--run", toText(m_folder / "stopped"), "--resume", "--steps",
         QString::number(steps + 3), "--json"});
    QVERIFY2(resumed.exitCode == 0, resumed.text().constData());
    QCOMPARE(resumed.events("step").first()["step"].toInt(), steps);
    const auto straight = losses(runProgram(training("not stopped", "cuda:0", steps + 3)));
    QVERIFY(losses(outcome) + losses(resumed) == straight);
}

void TestEmulatedTraining::Run_gone_notANumber_keepsTheLastGoodCheckpoint()
{
    QStringList arguments = training("lost", "cuda:0", 500);
    arguments << "--set"
              << "learning_rate.initial=1e12";
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.isExited && outcome.exitCode != 0, outcome.text().constData());
    QVERIFY2(outcome.err.contains("tower "), outcome.text().constData());
    QVERIFY2(outcome.err.contains("step-000000000.safetensors"), outcome.text().constData());
    QVERIFY(outcome.events("step").size() < 20);
    const Outcome evaluated =
        runProgram({"evaluate", "--checkpoint", toText(m_folder / "lost"), "--device", "cpu"});
    QVERIFY2(evaluated.exitCode == 0, evaluated.text().constData());
}

void TestEmulatedTraining::Algorithms_areRecordedAndTakenAgain_data()
{
    QTest::addColumn<QString>("given");
    QTest::newRow("chosen anew") << QString();
    QTest::newRow("a processor's before") << "conv1: own minimal filtering, " + QString(99, 'x');
}
void TestEmulatedTraining::Algorithms_areRecordedAndTakenAgain()
{
    QFETCH(QString, given);
    const std::string recorded = QTest::currentDataTag();
    const QStringList chosen{"--set", "algorithms=" + given};
    QCOMPARE(runProgram(training(recorded, "cuda:0", 2) + chosen).exitCode, 0);
    QFile file(toText(m_folder / recorded / "run.toml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray configuration = file.readAll();
    QVERIFY2(
        configuration.contains("algorithms = 'conv1: fprop fake convolution; wgrad"),
        configuration.constData());
    // A repeat from the file asks for them.
    const Outcome repeated = runProgram(
        {"train", "--config", file.fileName(), "--run", toText(m_folder / (recorded + " again")),
         "--json"});
    QVERIFY2(repeated.exitCode == 0, repeated.text().constData());
    QCOMPARE(repeated.events("step").size(), 2);
}

/// The emulated libraries have a choice, and the clock says anything.
class Choosing
{
public:
    Choosing()
    {
        qputenv("LOCKSTEP_EMULATED_CHOICE", "1");
        qputenv("LOCKSTEP_EMULATED_CLOCK", "random");
    }
    ~Choosing()
    {
        qunsetenv("LOCKSTEP_EMULATED_CHOICE");
        qunsetenv("LOCKSTEP_EMULATED_CLOCK");
    }
};

/// The line that says how algorithms were chosen.
QString choicesNote(const Outcome& outcome)
{
    for (const QJsonObject& note : outcome.events("note")) {
        if (note["text"].toString().startsWith("algorithms: ")) {
            return note["text"].toString();
        }
    }
    return {};
}

int forgetAlgorithms()
{
    const Outcome outcome = runProgram({"devices", "--forget-algorithms", "--json"});
    return outcome.events().last()["forgotten"].toInt(-1);
}

void TestEmulatedTraining::Algorithms_keptOnDisk_makeARepeatOneWhateverTheClockSays()
{
    const Choosing choosing;
    forgetAlgorithms();
    const Outcome first = runProgram(training("kept 1", "cuda:0,1", 8));
    QVERIFY2(first.exitCode == 0, first.text().constData());
    QVERIFY2(choicesNote(first).contains(" 0 as they were measured before, "), first.out);
    for (const char* run : {"kept 2", "kept 3"}) {
        const Outcome again = runProgram(training(run, "cuda:0,1", 8));
        QVERIFY2(choicesNote(again).contains(", 0 measured now"), again.text().constData());
        QVERIFY(losses(again) == losses(first));
    }
    // Without them the clock decides: what the above rests on is the store.
    bool isOther = false;
    for (int i = 0; i < 10 && !isOther; ++i) {
        QVERIFY(forgetAlgorithms() > 0);
        const Outcome anew = runProgram(training("anew " + std::to_string(i), "cuda:0,1", 8));
        QCOMPARE(losses(anew).size(), 8);
        isOther = losses(anew) != losses(first);
    }
    QVERIFY(isOther);
}

void TestEmulatedTraining::Algorithms_first_areTakenUntimed()
{
    const Choosing choosing;
    forgetAlgorithms();
    QStringList arguments = training("untimed", "cuda:0", 2);
    arguments << "--set"
              << "algorithms=first";
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(choicesNote(outcome), QString());
    QCOMPARE(forgetAlgorithms(), 0);
    QFile file(toText(m_folder / "untimed" / "run.toml"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray configuration = file.readAll();
    QVERIFY2(
        configuration.contains("conv1: fprop fake convolution; wgrad fake convolution"),
        configuration.constData());
}

void TestEmulatedTraining::Planning_interrupted_endsTheRun()
{
    const Choosing choosing;
    forgetAlgorithms();
    const QString log = toText(m_folder / "plan.log");
    qputenv("LOCKSTEP_PLAN_LOG", log.toLocal8Bit());
    QProcess process;
    QStringList arguments = training("not planned", "cuda:0", 2);
    arguments << "--set"
              << "batch_per_tower=256"; // so that it takes a while
    process.start(LOCKSTEP_TRAIN_PROGRAM, arguments);
    QTRY_VERIFY(QFileInfo(log).size() > 0);
    qunsetenv("LOCKSTEP_PLAN_LOG");
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished(60'000));
    const QByteArray error = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(error.contains("stopped while an algorithm was chosen for "), error.constData());
    QVERIFY(!QFileInfo::exists(toText(m_folder / "not planned" / "run.toml")));
}

void TestEmulatedTraining::Bench_afterARun_measuresNoAlgorithms()
{
    const Choosing choosing;
    forgetAlgorithms();
    const QStringList arguments{"bench",    "--model",   LOCKSTEP_SMALL_MODEL,
                                "--towers", "2",         "--batch-per-tower",
                                "4",        "--device",  "cuda:0",
                                "--json",   "--seconds", "0.1"};
    const QJsonObject first = runProgram(arguments).events().last();
    QVERIFY(first["algorithms_measured"].toInt() > 0);
    QVERIFY(first["planning_seconds"].toDouble() > 0.0);
    const QJsonObject second = runProgram(arguments).events().last();
    QCOMPARE(second["algorithms_measured"].toInt(-1), 0);
    QCOMPARE(second["algorithms_stored"].toInt(), first["algorithms_measured"].toInt());
    QCOMPARE(second["algorithms"].toString(), first["algorithms"].toString());
    QStringList forPeople = arguments;
    forPeople.removeOne("--json");
    const Outcome text = runProgram(forPeople);
    QVERIFY2(text.out.contains(", 0 measured now, in 0.0 s"), text.text().constData());
}

// Threads per tower mean nothing to a GPU.
void TestEmulatedTraining::Threads_toBeMeasured_areAsIfNotAskedFor()
{
    const Outcome outcome = runProgram(
        training("threads", "cuda:0", 1) + QStringList{"--set", "threads_per_tower=measure"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject started = outcome.events("started").first();
    const int towers = started["configuration"]["towers"].toInt();
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    QCOMPARE(
        started["configuration"]["threads_per_tower"].toInt(), std::max(1, processors / towers));
    for (const QJsonObject& note : outcome.events("note")) {
        QVERIFY2(!note["text"].toString().contains("measured"), outcome.text().constData());
    }
}

void TestEmulatedTraining::Evaluation_onGpu_isThatOfTheCpu()
{
    QCOMPARE(runProgram(training("trained", "cuda:0", 30)).exitCode, 0);
    const QStringList arguments{
        "evaluate", "--checkpoint", toText(m_folder / "trained"), "--json", "--device"};
    const Outcome cpu = runProgram(arguments + QStringList{"cpu"});
    const Outcome gpu = runProgram(arguments + QStringList{"cuda:1"});
    QVERIFY2(gpu.exitCode == 0, gpu.text().constData());
    const QJsonObject expected = cpu.events().last();
    const QJsonObject got = gpu.events().last();
    QCOMPARE(got["examples"].toInt(), expected["examples"].toInt());
    QCOMPARE(got["correct"].toInt(), expected["correct"].toInt());
    QVERIFY(std::abs(got["loss"].toDouble() - expected["loss"].toDouble()) < 1e-4);
}

void TestEmulatedTraining::Bench_traced_tellsWhatKernelsTake()
{
    const QStringList arguments{"bench",    "--model",   LOCKSTEP_SMALL_MODEL,
                                "--towers", "2",         "--batch-per-tower",
                                "4",        "--device",  "cuda:0",
                                "--trace",  "--seconds", "1"};
    const Outcome text = runProgram(arguments);
    QVERIFY2(text.exitCode == 0, text.text().constData());
    QVERIFY2(text.out.contains("% outside kernels"), text.text().constData());
    QVERIFY2(text.out.contains("us in  2 runs  emulatedKernel"), text.text().constData());
    const Outcome json = runProgram(arguments + QStringList{"--json"});
    const QJsonObject result = json.events().last();
    QVERIFY(result["outside_kernels_share"].isDouble());
    const QJsonObject kernel = result["kernels"].toArray().at(0).toObject();
    QCOMPARE(kernel["name"].toString(), QString("emulatedKernel"));
    QVERIFY(kernel["microseconds"].toDouble() > 0.0);
    const Outcome cpu = runProgram(
        {"bench", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cpu", "--trace", "--seconds",
         "0.1"});
    QVERIFY2(cpu.exitCode == 2, cpu.text().constData());
    QVERIFY2(cpu.err.contains("'cpu'"), cpu.text().constData());
    const Outcome layers = runProgram(
        {"bench", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cuda:0", "--profile", "--seconds",
         "0.1"});
    QVERIFY2(layers.exitCode == 2, layers.text().constData());
    QVERIFY2(layers.err.contains("--trace"), layers.text().constData());
}

void TestEmulatedTraining::Capture_failed_isTold()
{
    const auto captured = losses(runProgram(training("captured", "cuda:0", 5)));
    const auto eager =
        losses(runProgram(training("eager", "cuda:0", 5) + QStringList{"--set", "capture=false"}));
    QCOMPARE(captured.size(), 5);
    QVERIFY(eager == captured);
    qputenv("LOCKSTEP_EMULATED_FAULT", "capture:0");
    const Outcome outcome = runProgram(training("not captured", "cuda:0", 5));
    const Outcome bench = runProgram(
        {"bench", "--model", LOCKSTEP_SMALL_MODEL, "--batch-per-tower", "4", "--device", "cuda:0",
         "--seconds", "0.1"});
    qunsetenv("LOCKSTEP_EMULATED_FAULT");
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY(losses(outcome) == captured);
    const auto notes = outcome.events("note");
    QVERIFY2(
        std::ranges::any_of(
            notes,
            [](const QJsonObject& note) {
                return note["text"].toString().contains("can't be captured");
            }),
        outcome.text().constData());
    QVERIFY2(bench.exitCode == 0, bench.text().constData());
    QVERIFY2(bench.out.contains("can't be captured"), bench.text().constData());
}

void TestEmulatedTraining::Views_fromAnotherProcess_areThoseOfTheCpu_data()
{
    QTest::addColumn<QString>("device");
    QTest::newRow("one GPU") << "cuda:0";
    QTest::newRow("two GPUs") << "cuda:0,2";
}

namespace {

/// Nothing while the run is not up, or has none yet.
std::shared_ptr<const MaskRecord> masksAfter(std::int64_t step, const RunRemote& run)
{
    try {
        return run.masks(step);
    } catch (const Error&) {
        return nullptr;
    }
}

bool holds(const EventRecord& record, const std::string& tag)
{
    return std::ranges::find(record.values, tag, &EventValue::tag) != record.values.end();
}

} // namespace

/// Masks over the control socket, of weights and activations what the run writes down meanwhile.
void TestEmulatedTraining::Views_fromAnotherProcess_areThoseOfTheCpu()
{
    QFETCH(QString, device);
    const TemporaryFolder folder;
    RunConfig config;
    config.model.name = writeMaskModel(folder.path()).string();
    config.dataset = "synthetic_defects";
    config.device = device.toStdString();
    config.batchPerTower = 2;
    config.phases = {{"joint", 1'000'000, 0.001, {}}};
    config.steps = 1'000'000;
    config.eventsEverySteps = 5;
    std::ofstream(folder / "run.toml") << toToml(config);
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(
        LOCKSTEP_TRAIN_PROGRAM,
        {"train", "--config", toText(folder / "run.toml"), "--run", toText(folder / "run")});
    RunRemote run(folder / "run");
    std::shared_ptr<const MaskRecord> first;
    QTRY_VERIFY((first = masksAfter(-1, run)) != nullptr);
    std::shared_ptr<const MaskRecord> masks;
    QTRY_VERIFY((masks = masksAfter(first->step, run)) != nullptr);
    EventIndex events(RunFolder::eventsOf(folder / "run"));
    const auto records = [&events] {
        static_cast<void>(events.update());
        return events.places().size();
    };
    QTRY_VERIFY(records() > 1);
    const EventRecord event = events.read(events.places().back());
    QVERIFY(holds(event, "conv1/weights") && holds(event, "conv1/activations"));
    run.send(command::Stop{});
    QVERIFY(process.waitForFinished(60'000));

    config.device = "cpu";
    const auto training = openDataset(datasetOf(config), Split::Train);
    TrainingSession session(config, *training);
    while (session.progress().step < masks->step) {
        session.step();
    }
    session.setMasksWanted(true);
    const MaskRecord expected = session.step().masks.value();
    QCOMPARE(masks->towers.size(), expected.towers.size());
    for (std::size_t tower = 0; tower < expected.towers.size(); ++tower) {
        QCOMPARE(masks->towers[tower].images.size(), std::size_t{2});
        QVERIFY(areNear(masks->towers[tower], expected.towers[tower], 1e-3, 0.51 / 255.0));
    }
}

LOCKSTEP_TEST(TestEmulatedTraining)
#include "test_emulated_training.moc"
