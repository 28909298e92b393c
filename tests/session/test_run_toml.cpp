// SPDX-License-Identifier: Apache-2.0
#include "session/config/run_config.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <QDir>

#include <algorithm>

using namespace lockstep;

namespace {

/// "towers" of "towers = 2 # …", of every line that is no comment.
QStringList keysIn(const std::string& toml)
{
    QStringList keys;
    for (const QString& line : QString::fromStdString(toml).split('\n')) {
        if (const auto end = line.indexOf(QStringLiteral(" = ")); end > 0 && line[0] != '#') {
            keys.append(line.left(end));
        }
    }
    return keys;
}

/// A value that the key does not have.
std::string otherThan(const ConfigKey& key)
{
    const std::string& value = key.value;
    if (key.name == "phase") {
        return "[{objective = 'a', steps = 5, learning_rate = 0.5}]";
    }
    if (value == "true" || value == "false") {
        return value == "true" ? "false" : "true";
    }
    if (value.empty()) {
        return "7";
    }
    switch (value.front()) {
    case '\'':
        return "other";
    case '[':
        return "['other']";
    default:
        return value.find_first_of(".e") == std::string::npos
                   ? std::to_string(std::stoll(value) + 1)
                   : "0.375";
    }
}

/// As run.toml was until every key was no longer told.
std::string everyKeyOf(const RunConfig& config)
{
    std::string text;
    for (const ConfigKey& key : configKeys(config)) {
        const bool isGiven = !key.value.empty();
        text += (isGiven ? "" : "# ") + key.name + " = " + key.value + " # " + key.meaning + "\n";
    }
    return text;
}

RunConfig parsed(const std::string& text)
{
    RunConfig config;
    parseConfig(config, text, "run.toml");
    return config;
}

RunConfig fromKeys(const QString& assignments)
{
    RunConfig config;
    for (const QString& assignment : assignments.split(' ', Qt::SkipEmptyParts)) {
        const QStringList parts = assignment.split('=');
        setConfigValue(config, parts[0].toStdString(), parts[1].toStdString());
    }
    config.asked.clear();
    return config;
}

/// One of each model, kind of data set and optimizer.
void addKindsOfRuns()
{
    test::addTextRows(
        {"keys"},
        {{"pictures", ""},
         {"masks", "model.name=segdecnet dataset.name=synthetic_defects optimizer.name=momentum "
                   "optimizer.momentum=0.9"},
         {"phases", "model.name=segdecnet dataset.name=kolektorsdd phase.0.steps=8 "
                    "phase.0.learning_rate=0.5 optimizer.name=adam"},
         {"records", "model.name=inception_v3 dataset.name=tfrecord optimizer.name=rmsprop"},
         {"photographs", "model.name=inception_v3 dataset.name=image_folder optimizer.name=adam"},
         {"model file", "model.name=net.toml dataset.name=cifar10 global_batch=64"},
         {"fine-tuned", "initial_weights.checkpoint=runs/a experiment.shards=skewed"}});
}

/// Every key that is of use has the same value in both; the text says nothing of the others.
void compareUsed(const RunConfig& read, const RunConfig& written, const std::string& text)
{
    const QStringList told = keysIn(text);
    const auto before = configKeys(written);
    const auto after = configKeys(read);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const QString name = QString::fromStdString(before[i].name);
        if (isOfUse(written, before[i].name)) {
            QVERIFY2(after[i].value == before[i].value, qPrintable(name));
        } else {
            QVERIFY2(!told.contains(name), qPrintable(name));
        }
    }
}

} // namespace

class TestRunToml : public QObject
{
    Q_OBJECT

private slots:
    void Toml_ofAKindOfRun_tellsTheKeysThatDecide_data();
    void Toml_ofAKindOfRun_tellsTheKeysThatDecide();
    void Toml_withOneKeyChanged_readsBackEqual_data();
    void Toml_withOneKeyChanged_readsBackEqual();
    void Toml_readOverOtherDefaults_saysWhatIsComputed_data();
    void Toml_readOverOtherDefaults_saysWhatIsComputed();
    void Toml_ofAPreset_readsBackEqual();
    void Toml_tellsADefaultThatWasAskedFor();
    void Toml_ofWrongNames_isWritten();
    void Toml_beforeOrientations_leavesImagesAsStored();
};

void TestRunToml::Toml_ofAKindOfRun_tellsTheKeysThatDecide_data()
{
    const QString always = QStringLiteral(
        "seed precision learning_rate.initial learning_rate.schedule learning_rate.decay_factor "
        "learning_rate.epochs_per_decay learning_rate.ignore_towers optimizer.name "
        "moving_average.decay averaging.missing_gradient model.name dataset.name towers "
        "threads_per_tower device steps ");
    const QString distortions =
        QStringLiteral("input.crop input.flip input.brightness input.contrast ");
    const QString photographs = QStringLiteral(
        "input.saturation input.hue input.scaled_decoding dataset.orientation dataset.damaged "
        "model.moments "
        "model.moment_ramp model.background "
        "model.label_smoothing model.auxiliary_weight model.weight_decay ");
    test::addRows<QString, QString>(
        {"keys", "told"},
        {{"pictures", "", always + distortions + "input.standardize"},
         {"masks", "model.name=segdecnet dataset.name=synthetic_defects phase=[]",
          always
              + "model.moments model.moment_ramp dataset.folds dataset.fold "
                "dataset.dilation input.mirror_horizontal "
                "input.mirror_vertical"},
         {"photographs", "model.name=inception_v3 dataset.name=image_folder optimizer.name=adam",
          always + distortions + photographs
              + "dataset.test_on dataset.test_share optimizer.epsilon optimizer.epsilon_as "
                "optimizer.beta1 "
                "optimizer.beta2"},
         {"records",
          "model.name=inception_v3 dataset.name=tfrecord optimizer.name=rmsprop "
          "alerts.tower_wait=0.5",
          always + distortions + photographs
              + "dataset.test_on dataset.label_offset optimizer.momentum optimizer.decay "
                "optimizer.epsilon alerts.tower_wait"},
         {"momentum", "optimizer.name=momentum batch_per_tower=8",
          always + distortions
              + "input.standardize optimizer.momentum optimizer.nesterov "
                "batch_per_tower"},
         {"fine-tuned", "initial_weights.checkpoint=a",
          always + distortions
              + "input.standardize initial_weights.checkpoint initial_weights.weights "
                "initial_weights.fresh_layers"},
         {"cosine", "learning_rate.schedule=cosine learning_rate.warmup=2",
          QString(always).remove("learning_rate.decay_factor learning_rate.epochs_per_decay "
                                 "learning_rate.ignore_towers ")
              + distortions
              + "input.standardize learning_rate.warmup learning_rate.unit "
                "learning_rate.final_share"},
         {"experiment", "experiment.shards=same",
          always + distortions
              + "input.standardize experiment.delay_ms experiment.delay_tower experiment.shards "
                "experiment.tower experiment.class"}});
}

void TestRunToml::Toml_ofAKindOfRun_tellsTheKeysThatDecide()
{
    QFETCH(const QString, keys);
    QFETCH(const QString, told);
    QStringList expected = told.split(' ', Qt::SkipEmptyParts);
    QStringList written = keysIn(toToml(fromKeys(keys)));
    expected.sort();
    written.sort();
    QCOMPARE(written, expected);
}

void TestRunToml::Toml_withOneKeyChanged_readsBackEqual_data()
{
    addKindsOfRuns();
}

void TestRunToml::Toml_withOneKeyChanged_readsBackEqual()
{
    QFETCH(const QString, keys);
    const RunConfig run = fromKeys(keys);
    compareUsed(parsed(toToml(run)), run, toToml(run));
    QCOMPARE(everyKeyOf(parsed(everyKeyOf(run))), everyKeyOf(run));
    for (const ConfigKey& key : configKeys(run)) {
        RunConfig changed = run;
        setConfigValue(changed, key.name, otherThan(key));
        changed.asked.clear(); // told because it differs
        const std::string text = toToml(changed);
        const QString name = QString::fromStdString(key.name);
        // Of the steps the phases have the say, and other phases have other steps.
        const bool isTold = isOfUse(changed, key.name) && key.name != "steps";
        QVERIFY2(!isTold || keysIn(text).contains(name), qPrintable(name));
        const RunConfig read = parsed(text);
        compareUsed(read, changed, text);
        QCOMPARE(read.steps, changed.steps);
        QVERIFY2(toToml(read) == text, qPrintable(name));
    }
}

void TestRunToml::Toml_readOverOtherDefaults_saysWhatIsComputed_data()
{
    addKindsOfRuns();
}

// A later version may have other defaults; what they are is no matter to what a run computes.
void TestRunToml::Toml_readOverOtherDefaults_saysWhatIsComputed()
{
    QFETCH(const QString, keys);
    // These decide nothing, or are nothing by default.
    const QStringList free{
        "dataset.path",
        "dataset.duplicates",
        "dataset.folds_file",
        "dataset.bits",
        "dataset.mask_threshold",
        "dataset.patience_seconds",
        "algorithms",
        "convolution",
        "capture",
        "checkpoint.",
        "events.",
        "gradients.",
        "evaluate.",
        "input.threads",
        "input.prefetch_batches",
        "input.erase",
        "input.mixup",
        "input.pad",
        "batch_per_tower",
        "global_batch",
        "phase",
        "initial_weights.",
        "experiment.",
        "alerts.",
        "gpu.",
        "epochs",
        "accumulate_passes",
        "stop.",
        "learning_rate.warmup",
        "learning_rate.unit",
        "optimizer.weight_decay",
        "optimizer.decay_all",
        "optimizer.clip_norm"};
    const RunConfig run = fromKeys(keys);
    RunConfig others;
    const auto isFree = [&](const ConfigKey& key) {
        const QString name = QString::fromStdString(key.name);
        const bool isOpen = (key.value == "'auto'" && key.name != "device")
                            || (key.name.starts_with("model.")
                                && (key.value == "''" || key.value == "0" || key.value == "0.0"));
        return isOpen || std::ranges::any_of(free, [&](const QString& start) {
                   return name.startsWith(start);
               });
    };
    for (const ConfigKey& key : configKeys(RunConfig())) {
        if (!isFree(key)) {
            setConfigValue(others, key.name, otherThan(key));
        }
    }
    parseConfig(others, toToml(run), "run.toml");
    compareUsed(others, run, toToml(run));
}

void TestRunToml::Toml_ofAPreset_readsBackEqual()
{
    const QDir folder(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/presets"));
    const auto files = folder.entryInfoList({QStringLiteral("*.toml")}, QDir::Files);
    QVERIFY(files.size() >= 8);
    for (const QFileInfo& file : files) {
        RunConfig preset;
        readConfigFile(preset, file.filePath().toStdString());
        const std::string text = toToml(preset);
        compareUsed(parsed(text), preset, text);
        compareUsed(parsed(everyKeyOf(preset)), preset, text);
    }
}

void TestRunToml::Toml_tellsADefaultThatWasAskedFor()
{
    RunConfig config;
    QVERIFY(!keysIn(toToml(config)).contains("checkpoint.keep"));
    setConfigValue(config, "checkpoint.keep", "5");
    QVERIFY(keysIn(toToml(config)).contains("checkpoint.keep"));
    const RunConfig read = parsed(toToml(config));
    QCOMPARE(toToml(read), toToml(config));
    QVERIFY(keysIn(toToml(parsed("[checkpoint]\nkeep = 5"))).contains("checkpoint.keep"));
    // What is of no use isn't told for all that.
    setConfigValue(config, "model.classes", "5");
    QVERIFY(!keysIn(toToml(config)).contains("model.classes"));
}

// A form is saved as it stands; what is wrong with it is said by validate().
void TestRunToml::Toml_ofWrongNames_isWritten()
{
    RunConfig config;
    config.dataset = "imagenet21k";
    config.optimizer.name = "adamax";
    config.experiment.shards = "torn";
    const RunConfig read = parsed(toToml(config));
    QCOMPARE(read.dataset, config.dataset);
    QCOMPARE(read.optimizer.name, config.optimizer.name);
    QCOMPARE(read.experiment.shards, config.experiment.shards);
}

void TestRunToml::Toml_beforeOrientations_leavesImagesAsStored()
{
    const auto orientationIn = [](const std::string& text) {
        return parsed(text).pixels.orientation;
    };
    for (const char* data : {"image_folder", "tfrecord", "masked_folder", "kolektorsdd"}) {
        RunConfig config;
        config.dataset = data;
        std::string text = toToml(config);
        QCOMPARE(orientationIn(text), std::string("turn"));
        const std::size_t line = text.find("dataset.orientation");
        text.erase(line, text.find('\n', line) + 1 - line);
        QCOMPARE(orientationIn(text), std::string("stored"));
        // What a person wrote has today's default.
        QCOMPARE(orientationIn(fmt::format("dataset.name = '{}'", data)), std::string("turn"));
    }
    QCOMPARE(orientationIn(toToml(RunConfig())), std::string("turn"));
    // Likewise Adam's epsilon, which adamw had as it is the default now.
    for (const auto& [name, before] :
         {std::pair("adam", "tensorflow"), std::pair("adamw", "pytorch")}) {
        std::string text = toToml(parsed(fmt::format("optimizer.name = '{}'", name)));
        QCOMPARE(parsed(text).optimizer.epsilonAs, std::string("pytorch"));
        const std::size_t line = text.find("optimizer.epsilon_as");
        QVERIFY(line != std::string::npos);
        text.erase(line, text.find('\n', line) + 1 - line);
        QCOMPARE(parsed(text).optimizer.epsilonAs, std::string(before));
    }
}

LOCKSTEP_TEST(TestRunToml)
#include "test_run_toml.moc"
