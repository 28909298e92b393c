// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"
#include "session/config/run_config.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"
#include "tower/layer_algorithms.h"

#include <algorithm>
#include <fstream>

using namespace lockstep;
using namespace lockstep::test;

class TestRunConfig : public QObject
{
    Q_OBJECT

private slots:
    void Toml_ofAnyConfig_readsBackEqual();
    void Key_set_changesThatKeyOnly_data();
    void Key_set_changesThatKeyOnly();
    void Key_unknown_namesNearest();
    void File_withError_namesFileAndKey_data();
    void File_withError_namesFileAndKey();
    void Value_outOfRange_namesKey_data();
    void Value_outOfRange_namesKey();
    void GlobalBatch_notDivisible_namesNearest();
    void Mixup_ofAnOddBatch_isRefused();
    void GlobalBatch_isSplitAmongTowers();
    void Algorithms_first_standsForEveryLayer();
    void Threads_byDefault_shareTheProcessors();
    void WeightDecay_isTheModelsOwn_unlessAskedFor();
    void Threads_toBeMeasured_areAWordInTomlAndOnTheCommandLine();
};

void TestRunConfig::Toml_ofAnyConfig_readsBackEqual()
{
    RunConfig config;
    config.model.name = R"(a "quoted" \ name.toml)";
    config.dataset = "cifar10"; // one that has a path
    config.datasetPath = "/tmp/ü";
    config.globalBatch = 96;
    config.learningRate.initial = 1.0;
    config.movingAverageDecay = 0.1 + 0.2;
    config.seed = 9007199254740993ULL;
    config.distortion.flip = false;
    config.initialWeights = {"a 'run'", "raw", {"conv1", "a \"layer\""}};
    RunConfig read;
    parseConfig(read, toToml(config), "run.toml");
    const auto before = configKeys(config);
    const auto after = configKeys(read);
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        QCOMPARE(QString::fromStdString(after[i].value), QString::fromStdString(before[i].value));
    }
    QCOMPARE(read.movingAverageDecay, config.movingAverageDecay);
    QCOMPARE(read.seed, config.seed);
    QVERIFY(!read.batchPerTower);
}

void TestRunConfig::Key_set_changesThatKeyOnly_data()
{
    addTextRows(
        {"key", "text", "toml"},
        {{"text", "model.name", "net.toml", "'net.toml'"},
         {"whole number", "towers", "8", "8"},
         {"long", "steps", "1000000", "1000000"},
         {"number", "learning_rate.initial", "1e-3", "0.001"},
         {"truth", "input.flip", "false", "false"},
         {"number of a number or word", "threads_per_tower", "3", "3"},
         {"word of a number or word", "threads_per_tower", "measure", "'measure'"},
         {"one name", "initial_weights.fresh_layers", "logits", "['logits']"},
         {"names", "initial_weights.fresh_layers", " conv1, logits,", "['conv1', 'logits']"},
         {"names as TOML", "initial_weights.fresh_layers", "['conv1', \"logits\"]",
          "['conv1', 'logits']"},
         {"optional", "global_batch", "512", "512"}});
}

void TestRunConfig::Key_set_changesThatKeyOnly()
{
    QFETCH(QString, key);
    QFETCH(QString, text);
    QFETCH(QString, toml);
    RunConfig config;
    setConfigValue(config, key.toStdString(), text.toStdString());
    const auto before = configKeys(RunConfig());
    const auto after = configKeys(config);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const bool isIt = after[i].name == key.toStdString();
        QCOMPARE(after[i].value, isIt ? toml.toStdString() : before[i].value);
    }
}

void TestRunConfig::Key_unknown_namesNearest()
{
    RunConfig config;
    QVERIFY(tells(
        errorOf([&] { setConfigValue(config, "batch_per_towers", "1"); }), ErrorCode::BadInput,
        "'batch_per_towers'", "did you mean 'batch_per_tower'"));
}

void TestRunConfig::File_withError_namesFileAndKey_data()
{
    addTextRows(
        {"text", "says"},
        {{"unknown key", "tower = 2", "'tower'"},
         {"unknown key in a table", "[checkpoint]\nkep = 2", "'checkpoint.kep'"},
         {"text for a number", "towers = \"two\"", "towers must be a whole number"},
         {"fraction for a whole number", "steps = 1.5", "steps must be a whole number"},
         {"number for a text", "model.name = 1", "model.name must be a text"},
         {"number for a truth", "input.flip = 1", "input.flip must be true or false"},
         {"negative seed", "seed = -1", "seed is -1"},
         {"number for names", "[initial_weights]\nfresh_layers = [\"conv1\", 2]",
          "initial_weights.fresh_layers must be a list of names"},
         {"too many towers for an int", "towers = 4294967297", "towers is 4294967297"},
         {"another word for a number or word", "threads_per_tower = \"fast\"",
          "threads_per_tower must be a whole number or 'measure'"},
         {"fraction for a number or word", "threads_per_tower = 1.5",
          "threads_per_tower must be a whole number or 'measure'"},
         {"too many for a number or word", "threads_per_tower = 4294967297",
          "threads_per_tower is 4294967297"},
         {"not TOML", "towers = = 2", "line 1"}});
}

void TestRunConfig::File_withError_namesFileAndKey()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const TemporaryFolder folder;
    std::ofstream(folder / "bad.toml") << text.toStdString();
    RunConfig config;
    QVERIFY(tells(
        errorOf([&] { readConfigFile(config, folder / "bad.toml"); }), ErrorCode::BadInput,
        "bad.toml", says.toStdString()));
}

void TestRunConfig::Value_outOfRange_namesKey_data()
{
    addTextRows(
        {"key", "value"}, {{"no towers", "towers", "0"},
                           {"negative towers", "towers", "-1"},
                           {"absurd towers", "towers", "1000000"},
                           {"negative threads", "threads_per_tower", "-1"},
                           {"no batch", "batch_per_tower", "0"},
                           {"no global batch", "global_batch", "0"},
                           {"negative steps", "steps", "-1"},
                           {"precision", "precision", "float8"},
                           {"convolution", "convolution", "fast"},
                           {"negative rate", "learning_rate.initial", "-0.1"},
                           {"rate that is none", "learning_rate.initial", "nan"},
                           {"growing rate", "learning_rate.decay_factor", "1.5"},
                           {"no epochs", "learning_rate.epochs_per_decay", "0"},
                           {"optimizer", "optimizer.name", "adamax"},
                           {"epsilon of nobody", "optimizer.epsilon_as", "keras"},
                           {"decay that is none", "optimizer.weight_decay", "nan"},
                           {"momentum without any", "optimizer.name", "momentum"},
                           {"momentum that stays", "optimizer.momentum", "1"},
                           {"negative decay", "optimizer.decay", "-0.1"},
                           {"beta that is none", "optimizer.beta2", "nan"},
                           {"negative epsilon", "optimizer.epsilon", "-1e-8"},
                           {"epsilon that is 0 in float32", "optimizer.epsilon", "1e-60"},
                           {"average", "moving_average.decay", "1.01"},
                           {"policy", "averaging.missing_gradient", "maybe"},
                           {"keep nothing", "checkpoint.keep", "0"},
                           {"clip to less than nothing", "optimizer.clip_norm", "-1"},
                           {"passes of unlike sizes", "accumulate_passes", "3"},
                           {"less than not mixed", "input.mixup", "-0.2"},
                           {"patience without evaluations", "stop.patience", "1"},
                           {"schedule", "learning_rate.schedule", "cosinus"},
                           {"negative epochs", "epochs", "-1"},
                           {"data set", "dataset.name", "imagenet21k"},
                           {"prefetch", "input.prefetch_batches", "0"},
                           {"more than there are", "evaluate.towers", "3"}});
}

void TestRunConfig::Value_outOfRange_namesKey()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    RunConfig config;
    setConfigValue(config, key.toStdString(), value.toStdString());
    const auto error = errorOf([&] { config.validate(); });
    QVERIFY(tells(error, ErrorCode::BadInput));
    const QString text = error->what();
    const QString last = key.section('.', -1) == "name" ? value : key;
    QVERIFY2(text.contains(last) || text.contains(value), qPrintable(text));
}

void TestRunConfig::GlobalBatch_notDivisible_namesNearest()
{
    RunConfig config;
    config.towers = 3;
    config.globalBatch = 128;
    const auto error = errorOf([&] { config.validate(); });
    QVERIFY(tells(error, ErrorCode::BadInput, "126", "129"));
}

void TestRunConfig::Mixup_ofAnOddBatch_isRefused()
{
    RunConfig config;
    config.distortion.mixup = 0.2;
    config.validate();
    config.batchPerTower = 7;
    QVERIFY(tells(errorOf([&] { config.validate(); }), ErrorCode::BadInput, "input.mixup", "even"));
}

void TestRunConfig::GlobalBatch_isSplitAmongTowers()
{
    RunConfig config;
    config.towers = 4;
    config.globalBatch = 512;
    config.validate();
    QCOMPARE(config.towerShape().batchPerTower, 128);
    config.batchPerTower = 64;
    QVERIFY(errorOf([&] { config.validate(); }));
}

void TestRunConfig::Algorithms_first_standsForEveryLayer()
{
    const std::map<std::string, std::string> all{{"*", "first"}};
    QVERIFY(parseAlgorithms("first") == all);
    QVERIFY(parseAlgorithms(algorithmsText(all)) == all);
    const std::map<std::string, std::string> some{{"*", "first"}, {"conv1", "fprop a; wgrad b"}};
    QVERIFY(parseAlgorithms(algorithmsText(some)) == some);
    RunConfig config;
    setConfigValue(config, "algorithms", "first");
    config.validate();
    config.algorithms = "fastest";
    QVERIFY(tells(errorOf([&] { config.validate(); }), ErrorCode::BadInput, "'first'"));
}

void TestRunConfig::Threads_byDefault_shareTheProcessors()
{
    RunConfig config;
    for (const int towers : {1, 2, 64}) {
        config.towers = towers;
        QCOMPARE(
            config.towerShape().threadsPerTower, std::max(1, ThreadTeam::processors() / towers));
    }
}

void TestRunConfig::Threads_toBeMeasured_areAWordInTomlAndOnTheCommandLine()
{
    RunConfig config;
    parseConfig(config, "threads_per_tower = 'measure'", "text");
    QVERIFY(config.threadsPerTower.isMeasured);
    RunConfig read;
    parseConfig(read, toToml(config), "run.toml");
    QCOMPARE(read.threadsPerTower, config.threadsPerTower);
    // Until they are, there is room for as many as by default.
    QCOMPARE(config.towerShape().threadsPerTower, RunConfig().towerShape().threadsPerTower);
    setConfigValue(config, "threads_per_tower", "2");
    QCOMPARE(config.threadsPerTower, (ThreadsPerTower{2, false}));
    QVERIFY(tells(
        errorOf([&] { setConfigValue(config, "threads_per_tower", "fast"); }), ErrorCode::BadInput,
        "threads_per_tower is 'fast'", "or 'measure'"));
    QCOMPARE(config.threadsPerTower.number, 2);
}

void TestRunConfig::WeightDecay_isTheModelsOwn_unlessAskedFor()
{
    const auto decayOf = [](const OptimizerConfig& config, const std::string& name) {
        const NetworkSpec network = withWeightDecay(makeNetwork({}), config);
        return std::ranges::find(network.parameters, name, &ParameterSpec::name)->weightDecay;
    };
    OptimizerConfig config;
    QCOMPARE(decayOf(config, "conv1.weight"), 0.0);
    QCOMPARE(decayOf(config, "local3.weight"), 0.004);
    QCOMPARE(decayOf(config, "local3.bias"), 0.0);
    config.decaysAll = true;
    QCOMPARE(decayOf(config, "local3.bias"), 0.004);
    QCOMPARE(decayOf(config, "conv1.bias"), 0.0);
    config.weightDecay = 1e-4;
    QCOMPARE(decayOf(config, "conv1.weight"), 1e-4);
    QCOMPARE(decayOf(config, "conv1.bias"), 1e-4);
    config.decaysAll = false;
    QCOMPARE(decayOf(config, "local3.weight"), 1e-4);
    QCOMPARE(decayOf(config, "local3.bias"), 0.0);
}

LOCKSTEP_TEST(TestRunConfig)
#include "test_run_config.moc"
