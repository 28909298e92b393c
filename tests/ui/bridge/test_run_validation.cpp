// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_validation.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

QStringList keysOf(const QList<ConfigProblem>& problems)
{
    QStringList keys;
    for (const ConfigProblem& problem : problems) {
        keys.append(problem.key);
    }
    return keys;
}

constexpr const char* kSmallModel = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";

/// A checkpoint with the weights of a network, all zero.
void writeWeights(
    const NetworkSpec& network, const std::filesystem::path& file, std::int64_t step = 0)
{
    Checkpoint checkpoint;
    checkpoint.step = step;
    checkpoint.model = network.name;
    RunConfig config;
    config.model.name = network.name == "cifar10" ? network.name : kSmallModel;
    checkpoint.configuration = toToml(config);
    for (const ParameterSpec& parameter : network.parameters) {
        checkpoint.weights.push_back(
            {parameter.name, parameter.shape,
             std::vector<float>(static_cast<std::size_t>(parameter.elements()))});
    }
    writeCheckpoint(checkpoint, file);
}

} // namespace

class TestRunValidation : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder.emplace();
        // Nothing of this machine's user counts.
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_folder->path().string()));
    }

    void Run_asItComes_hasNoProblem()
    {
        const auto problems = check(RunRequest());
        QVERIFY2(problems.isEmpty(), problems.isEmpty() ? "" : qPrintable(problems[0].message));
    }

    void DatasetOfAProgram_cantBeTrainedHere()
    {
        RunRequest request;
        request.config.dataset = "program:rings";
        QVERIFY(check(request).front().message.contains("program:rings"));
    }

    void Value_bad_isReportedAtItsKey_data()
    {
        test::addTextRows(
            {"key", "value"}, {{"towers", "0"},
                               {"towers", "100000"},
                               {"threads_per_tower", "-1"},
                               {"batch_per_tower", "0"},
                               {"global_batch", "0"},
                               {"global_batch", "3"},
                               {"global_batch", "1"},
                               {"steps", "-1"},
                               {"precision", "float8"},
                               {"precision", "tf32"},
                               {"device", "cuda"},
                               {"device", "abacus"},
                               {"learning_rate.initial", "-1"},
                               {"learning_rate.decay_factor", "2"},
                               {"learning_rate.epochs_per_decay", "0"},
                               {"moving_average.decay", "1.5"},
                               {"averaging.missing_gradient", "whatever"},
                               {"checkpoint.keep", "0"},
                               {"evaluate.towers", "3"},
                               {"input.prefetch_batches", "0"},
                               {"experiment.shards", "sometimes"},
                               {"experiment.tower", "2"},
                               {"experiment.class", "-1"},
                               {"model.name", "no_such_model"},
                               {"model.name", "no_such_file.toml"},
                               {"dataset.name", "no_such_data"}});
    }

    void Value_bad_isReportedAtItsKey()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        RunRequest request;
        setConfigValue(request.config, key.toStdString(), value.toStdString());
        const auto problems = check(request);
        QCOMPARE(keysOf(problems), QStringList{key});
        QVERIFY(!problems[0].message.isEmpty());
    }

    void Values_severalBad_areAllReported()
    {
        RunRequest request;
        request.config.towers = 0;
        request.config.steps = -5;
        request.config.learningRate.initial = -1.0;
        request.config.device = "abacus";
        request.config.globalBatch = 128;
        QStringList keys = keysOf(check(request));
        keys.sort();
        QCOMPARE(keys, (QStringList{"device", "learning_rate.initial", "steps", "towers"}));
    }

    void Dataset_folder_isChecked()
    {
        const QStringList atPath{"dataset.path"};
        RunRequest request;
        request.config.dataset = "cifar10";
        request.config.datasetPath = (*m_folder / "data").string();
        const auto missing = check(request);
        QCOMPARE(keysOf(missing), atPath);
        QVERIFY(missing[0].message.contains(QString::fromStdString(request.config.datasetPath)));
        test::writeCifar10Folder(*m_folder / "data", 3);
        QVERIFY(check(request).isEmpty());
        std::filesystem::resize_file(*m_folder / "data" / "data_batch_3.bin", 3073 + 5);
        QCOMPARE(keysOf(check(request)), atPath);
        std::filesystem::remove(*m_folder / "data" / "data_batch_3.bin");
        QCOMPARE(keysOf(check(request)), atPath);
    }

    void RunFolder_isChecked_data()
    {
        QTest::addColumn<QString>("content");
        QTest::addColumn<bool>("isResume");
        QTest::addColumn<bool>("isGood");
        QTest::newRow("new") << "" << false << true;
        QTest::newRow("a run is there") << "run.toml" << false << false;
        QTest::newRow("something else is there") << "letter.txt" << false << false;
        QTest::newRow("resume a run") << "run.toml" << true << true;
        QTest::newRow("resume nothing") << "" << true << false;
    }

    void RunFolder_isChecked()
    {
        QFETCH(const QString, content);
        QFETCH(const bool, isResume);
        QFETCH(const bool, isGood);
        const std::filesystem::path folder = *m_folder / "run";
        if (!content.isEmpty()) {
            std::filesystem::create_directories(folder);
            std::ofstream(folder / content.toStdString()) << "towers = 2\n";
        }
        const auto problems = check({RunConfig(), folder, isResume});
        QCOMPARE(keysOf(problems), isGood ? QStringList() : QStringList{kRunFolderKey});
    }

    void RunFolder_thatCantBeWritten_isReported()
    {
        // A file in the way and a file system without room for ours: true for the superuser too.
        std::ofstream(*m_folder / "file") << "in the way";
        QCOMPARE(
            keysOf(check({RunConfig(), *m_folder / "file" / "run"})), QStringList{kRunFolderKey});
        QCOMPARE(keysOf(check({RunConfig(), *m_folder / "file"})), QStringList{kRunFolderKey});
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((*m_folder / "file").string()));
        QCOMPARE(keysOf(check(RunRequest())), QStringList{kRunFolderKey});
    }

    void Checkpoint_ofAnotherModel_isReported()
    {
        RunRequest request;
        request.checkpoint = *m_folder / "small.safetensors";
        writeWeights(makeNetwork({kSmallModel}), *request.checkpoint);
        const auto problems = check(request);
        QCOMPARE(keysOf(problems), QStringList{kCheckpointKey});
        QVERIFY(problems[0].message.contains("cifar10"));
        request.config.model.name = kSmallModel;
        QVERIFY(check(request).isEmpty());
    }

    void Checkpoint_damagedOrMissing_isReported()
    {
        RunRequest request;
        request.checkpoint = *m_folder / "none.safetensors";
        QCOMPARE(keysOf(check(request)), QStringList{kCheckpointKey});
        std::ofstream(*request.checkpoint) << "this is no checkpoint";
        QCOMPARE(keysOf(check(request)), QStringList{kCheckpointKey});
    }

    void Resume_checksTheNewestCheckpoint()
    {
        RunRequest request;
        request.folder = *m_folder / "run";
        request.isResume = true;
        std::filesystem::create_directories(request.folder / "checkpoints");
        std::ofstream(request.folder / "run.toml") << "towers = 2\n";
        writeWeights(
            makeNetwork({kSmallModel}),
            request.folder / "checkpoints" / "step-000000005.safetensors", 5);
        QCOMPARE(keysOf(check(request)), QStringList{kCheckpointKey});
        request.config.model.name = kSmallModel;
        QVERIFY(check(request).isEmpty());
        request.config.seed = 99; // may not change when a run goes on
        const auto problems = check(request);
        QCOMPARE(keysOf(problems), QStringList{kCheckpointKey});
        QVERIFY(problems[0].message.contains("seed"));
        request.checkpoint = request.folder / "checkpoints" / "step-000000005.safetensors";
        request.config.seed = 1;
        request.config.steps = 5; // are made already
        QCOMPARE(keysOf(check(request)), QStringList("steps"));
        request.config.steps = 6;
        QVERIFY(check(request).isEmpty());
    }

    void FineTune_checksWhatFits()
    {
        RunRequest request;
        const auto file = *m_folder / "small.safetensors";
        writeWeights(makeNetwork({kSmallModel}), file);
        request.config.initialWeights.checkpoint = file.string();
        const auto problems = check(request); // cifar10's layers are of other shapes, all of them
        QCOMPARE(keysOf(problems), QStringList("initial_weights.checkpoint"));
        QVERIFY2(
            problems[0].message.contains("nothing of it fits"), qPrintable(problems[0].message));
        request.config.model.name = kSmallModel;
        request.config.seed = 99;
        QVERIFY(check(request).isEmpty());
        request.config.initialWeights.freshLayers = {"logits"};
        QVERIFY(check(request).isEmpty());
        request.config.initialWeights.freshLayers = {"logit"};
        const auto unknown = check(request);
        QCOMPARE(keysOf(unknown), QStringList("initial_weights.fresh_layers"));
        QVERIFY2(unknown[0].message.contains("'logits'"), qPrintable(unknown[0].message));
    }

    void FineTune_ofNothing_namesTheField()
    {
        RunRequest request;
        request.config.initialWeights.checkpoint = (*m_folder / "nothing").string();
        QCOMPARE(keysOf(check(request)), QStringList("initial_weights.checkpoint"));
        std::filesystem::create_directory(*m_folder / "empty");
        request.config.initialWeights.checkpoint = (*m_folder / "empty").string();
        QCOMPARE(keysOf(check(request)), QStringList("initial_weights.checkpoint"));
        // A run that goes on needs them no more.
        request.isResume = true;
        QVERIFY(!keysOf(check(request)).contains("initial_weights.checkpoint"));
        RunRequest random;
        random.config.initialWeights.freshLayers = {"logits"};
        QCOMPARE(keysOf(check(random)), QStringList("initial_weights.fresh_layers"));
        random.config.initialWeights = {{}, "mean", {}};
        QCOMPARE(keysOf(check(random)), QStringList("initial_weights.weights"));
    }

    void TrainingExamples_areCountedByTheFiles()
    {
        RunConfig config;
        QCOMPARE(trainingExamples(config).value(), 10'000);
        config.dataset = "cifar10";
        config.datasetPath = (*m_folder / "data").string();
        QVERIFY(!trainingExamples(config));
        test::writeCifar10Folder(*m_folder / "data", 7);
        QCOMPARE(trainingExamples(config).value(), 35);
    }

private:
    [[nodiscard]] QList<ConfigProblem> check(const RunRequest& request)
    {
        return m_validator.check(request).problems;
    }

    RunValidator m_validator;
    std::optional<test::TemporaryFolder> m_folder;
};
LOCKSTEP_TEST(TestRunValidation)
#include "test_run_validation.moc"
