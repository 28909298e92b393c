// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_facts.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kModel = R"(
name = "{0}"
classes = {1}
input = {{ height = 24, width = 24, channels = 3 }}
[[layer]]
name = "conv1"
type = "conv2d"
channels = {2}
stride = [2, 2]
has_bias = false
stddev = 0.1
[[layer]]
name = "norm1"
type = "normalization"
mode = "synchronised"
decay = 0.9
activation = "relu"
[[layer]]
name = "pool1"
type = "max_pool"
[[layer]]
name = "logits"
type = "dense"
units = {1}
[[objective]]
name = "cross_entropy"
logits = "logits"
)";

constexpr std::size_t kTensors = 7; // conv1's weights, norm1's four, weights and bias of logits

/// Keeps what was taken over, too.
class TuningWitness : public Witness
{
public:
    void onEvent(const TrainingEvent& event) override
    {
        Witness::onEvent(event);
        if (const auto* const taken = std::get_if<InitialWeights>(&event)) {
            initial = *taken;
        }
    }

    [[nodiscard]] bool hasNote(const std::string& text) const
    {
        return std::ranges::any_of(
            notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
    }

    std::optional<InitialWeights> initial;
};

const NamedTensor& tensorOf(const std::vector<NamedTensor>& tensors, const std::string& name)
{
    return *std::ranges::find(tensors, name, &NamedTensor::name);
}

bool isOfHead(const NamedTensor& tensor)
{
    return tensor.name.starts_with("logits.");
}

double greatestDifference(const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b)
{
    double greatest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = 0; k < a[i].values.size(); ++k) {
            greatest =
                std::max(greatest, std::abs(static_cast<double>(a[i].values[k]) - b[i].values[k]));
        }
    }
    return greatest;
}

} // namespace

/// Fine-tuning: a new run that begins with weights of another one. The source is a network with
/// moving moments for 10 classes, trained with momentum, so that weights, averages, slots and
/// statistics all differ from where they began.
class TestInitialWeights : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void OtherHead_restIsTheSources_headIsTheSeeds();
    void OtherHead_isToldTensorByTensor();
    void OtherHead_trainsAllLayers();
    void Weights_areAveragesOrRaw_data();
    void Weights_areAveragesOrRaw();
    void Averages_ofAFileWithout_areRefused();
    void ExportedWeights_areTakenToo();
    void FreshLayer_beginsAnewAlthoughItFits();
    void FreshLayer_unknown_namesTheNearest();
    void FirstStep_hasAFreshOptimizer();
    void TwoTowers_beginAsOne();
    void Run_standsForItsNewestGoodCheckpoint();
    void File_thatCantBeUsed_isRefused_data();
    void File_thatCantBeUsed_isRefused();
    void NothingFits_isRefused();
    void LittleFits_isWarnedOf();
    void Resume_needsTheSourceNoMore();
    void Resume_withoutACheckpoint_takesThemAgain();
    void Resume_withTheRunAsGiven_keepsItsFile_data();
    void Resume_withTheRunAsGiven_keepsItsFile();
    void Resume_withOtherInitialWeights_isRefused();

private:
    [[nodiscard]] std::string model(const std::string& name, int classes, int channels = 8) const;
    [[nodiscard]] RunConfig config(std::int64_t steps, int classes = 10) const;
    /// Of 10 or 12 classes, with the source's weights.
    [[nodiscard]] RunRequest tuning(
        const fs::path& folder, std::int64_t steps, int classes = 12) const;
    /// The state of a run before its first step.
    [[nodiscard]] static Checkpoint startOf(const RunRequest& request, TuningWitness& witness);

    TemporaryFolder m_folder;
    fs::path m_file; ///< the source's last checkpoint
    Checkpoint m_source;
};

std::string TestInitialWeights::model(const std::string& name, int classes, int channels) const
{
    const fs::path file = m_folder / fmt::format("{}-{}-{}.toml", name, classes, channels);
    std::ofstream(file) << fmt::format(fmt::runtime(kModel), name, classes, channels);
    return file.string();
}

RunConfig TestInitialWeights::config(std::int64_t steps, int classes) const
{
    RunConfig config = smallConfig(steps);
    config.model.name = model("net", classes);
    config.optimizer.name = "momentum";
    config.optimizer.momentum = 0.9;
    config.learningRate.initial = 0.01;
    return config;
}

RunRequest TestInitialWeights::tuning(const fs::path& folder, std::int64_t steps, int classes) const
{
    RunRequest request{config(steps, classes), folder};
    request.config.initialWeights.checkpoint = m_file.string();
    return request;
}

Checkpoint TestInitialWeights::startOf(const RunRequest& request, TuningWitness& witness)
{
    trainWhole(request, witness);
    return readCheckpoint(witness.checkpoints.at(0));
}

void TestInitialWeights::initTestCase()
{
    Witness witness;
    trainWhole({config(10), m_folder / "source"}, witness);
    m_file = witness.checkpoints.at(10);
    m_source = readCheckpoint(m_file);
    QCOMPARE(m_source.weights.size(), kTensors);
    QVERIFY(m_source.weights != m_source.movingAverages);
    QVERIFY(m_source.weights != readCheckpoint(witness.checkpoints.at(0)).weights);
}

void TestInitialWeights::OtherHead_restIsTheSources_headIsTheSeeds()
{
    const TemporaryFolder folder;
    TuningWitness witness;
    const Checkpoint tuned = startOf(tuning(folder / "tuned", 0), witness);
    TuningWitness random;
    const Checkpoint fresh = startOf({config(0, 12), folder / "fresh"}, random);
    QCOMPARE(tuned.weights.size(), kTensors);
    for (const NamedTensor& tensor : tuned.weights) { // norm1's statistics among them
        const auto& source = isOfHead(tensor) ? fresh.weights : m_source.movingAverages;
        QVERIFY2(tensor == tensorOf(source, tensor.name), tensor.name.c_str());
    }
    QVERIFY(
        tensorOf(tuned.weights, "norm1.moving_mean")
        != tensorOf(fresh.weights, "norm1.moving_mean"));
    QVERIFY(tuned.movingAverages == tuned.weights); // they begin there, too
    QCOMPARE(tuned.step, 0);
    QCOMPARE(tuned.examplesSeen, 0);
    QVERIFY(tuned.optimizerState == fresh.optimizerState);
    QVERIFY(tuned.optimizerState != m_source.optimizerState);
}

void TestInitialWeights::OtherHead_isToldTensorByTensor()
{
    const TemporaryFolder folder;
    TuningWitness witness;
    trainWhole(tuning(folder / "tuned", 0), witness);
    QVERIFY(witness.initial.has_value());
    QCOMPARE(witness.initial->tensors.size(), kTensors);
    QCOMPARE(witness.initial->taken(), kTensors - 2);
    QCOMPARE(witness.initial->run, m_source.run);
    QCOMPARE(witness.initial->step, 10);
    const std::vector<std::string> said{
        "5 of 7 tensors", "(net, step 10, moving averages)", m_file.string(),
        "logits.weight: shape 12x288 here, 10x288 there", "logits.bias: shape 12 here, 10 there"};
    const auto facts = RunStoreReader(RunFolder::storeFileOf(folder / "tuned")).values();
    for (const std::string& text : said) {
        QVERIFY2(witness.hasNote(text), text.c_str());
    }
    const std::string& all = facts.at(kInitialWeightsFact);
    for (const NamedTensor& tensor : m_source.weights) {
        QVERIFY2(all.find("\n" + tensor.name + " [") != std::string::npos, all.c_str());
    }
    QCOMPARE(facts.at(kWeightsFromFact), m_file.string());
    QCOMPARE(facts.at(kWeightsFromRunFact), m_source.run);
    QCOMPARE(facts.at(kWeightsFromStepFact), std::string("10"));
    const auto line = std::ranges::find(witness.checklist, "weights", &PreflightRecord::name);
    QVERIFY(line != witness.checklist.end());
    QVERIFY(line->result == PreflightResult::Passed);
    // A run from random weights has nothing of this.
    TuningWitness other;
    trainWhole({config(0), folder / "fresh"}, other);
    QVERIFY(!other.initial.has_value() && !other.hasNote("fine-tuning"));
}

void TestInitialWeights::OtherHead_trainsAllLayers()
{
    const TemporaryFolder folder;
    TuningWitness witness;
    const Checkpoint start = startOf(tuning(folder / "tuned", 5), witness);
    const Checkpoint end = readCheckpoint(witness.checkpoints.at(5));
    QCOMPARE(witness.losses.size(), std::size_t{5});
    QVERIFY(std::ranges::all_of(witness.losses, [](double loss) { return std::isfinite(loss); }));
    for (const NamedTensor& tensor : end.weights) {
        QVERIFY2(tensor != tensorOf(start.weights, tensor.name), tensor.name.c_str());
    }
}

void TestInitialWeights::Weights_areAveragesOrRaw_data()
{
    QTest::addColumn<QString>("setting");
    QTest::addColumn<bool>("areAverages");
    QTest::newRow("auto") << "auto" << true;
    QTest::newRow("average") << "average" << true;
    QTest::newRow("raw") << "raw" << false;
}

void TestInitialWeights::Weights_areAveragesOrRaw()
{
    QFETCH(QString, setting);
    QFETCH(bool, areAverages);
    const TemporaryFolder folder;
    RunRequest request = tuning(folder / "tuned", 0, 10);
    request.config.initialWeights.weights = setting.toStdString();
    TuningWitness witness;
    const Checkpoint tuned = startOf(request, witness);
    QVERIFY(tuned.weights == (areAverages ? m_source.movingAverages : m_source.weights));
    QVERIFY(tuned.movingAverages == tuned.weights);
    QCOMPARE(witness.initial->taken(), kTensors);
    QVERIFY(!witness.hasNote("begins anew"));
}

void TestInitialWeights::Averages_ofAFileWithout_areRefused()
{
    const TemporaryFolder folder;
    const fs::path file = folder / "weights.safetensors";
    exportWeights(m_source, WeightsKind::Raw, file);
    RunRequest request = tuning(folder / "tuned", 0, 10);
    request.config.initialWeights = {file.string(), "average"};
    const QString text = refusal(request);
    QVERIFY2(
        text.contains("initial_weights.weights") && text.contains("no moving averages"),
        qPrintable(text));
}

void TestInitialWeights::ExportedWeights_areTakenToo()
{
    const TemporaryFolder folder;
    const fs::path file = folder / "weights.safetensors";
    Checkpoint source = m_source;
    source.weights.push_back({"auxiliary.weight", {2}, {1.0F, 2.0F}});
    exportWeights(source, WeightsKind::Raw, file);
    RunRequest request = tuning(folder / "tuned", 0, 10);
    request.config.initialWeights.checkpoint = file.string();
    TuningWitness witness;
    QVERIFY(startOf(request, witness).weights == m_source.weights);
    QVERIFY(witness.hasNote("not used of the file: auxiliary.weight"));
}

void TestInitialWeights::FreshLayer_beginsAnewAlthoughItFits()
{
    const TemporaryFolder folder;
    RunRequest request = tuning(folder / "tuned", 0, 10);
    request.config.initialWeights.freshLayers = {"logits"};
    TuningWitness witness;
    const Checkpoint tuned = startOf(request, witness);
    TuningWitness random;
    const Checkpoint fresh = startOf({config(0), folder / "fresh"}, random);
    for (const NamedTensor& tensor : tuned.weights) {
        const auto& source = isOfHead(tensor) ? fresh.weights : m_source.movingAverages;
        QVERIFY2(tensor == tensorOf(source, tensor.name), tensor.name.c_str());
    }
    QVERIFY(witness.hasNote("logits.weight: named in fresh_layers"));
}

void TestInitialWeights::FreshLayer_unknown_namesTheNearest()
{
    const TemporaryFolder folder;
    RunRequest request = tuning(folder / "tuned", 0);
    request.config.initialWeights.freshLayers = {"logit"};
    const QString text = refusal(request);
    QVERIFY2(text.contains("'logit'") && text.contains("did you mean 'logits'"), qPrintable(text));
    QVERIFY(!fs::exists(folder / "tuned"));
    request.config.initialWeights = {"", "auto", {"logits"}};
    QVERIFY(refusal(request).contains("initial_weights.checkpoint"));
}

// Momentum that begins at 0 makes the first step w - r (0.9 * 0 + g): that of plain gradient
// descent. The source's own momentum would make it another one.
void TestInitialWeights::FirstStep_hasAFreshOptimizer()
{
    const TemporaryFolder folder;
    TuningWitness withMomentum;
    trainWhole(tuning(folder / "momentum", 1, 10), withMomentum);
    RunRequest request = tuning(folder / "sgd", 1, 10);
    request.config.optimizer = {};
    TuningWitness plain;
    trainWhole(request, plain);
    const Checkpoint a = readCheckpoint(withMomentum.checkpoints.at(1));
    const Checkpoint b = readCheckpoint(plain.checkpoints.at(1));
    QVERIFY(greatestDifference(a.weights, b.weights) < 1e-7);
    const Checkpoint start = readCheckpoint(plain.checkpoints.at(0));
    QVERIFY(greatestDifference(b.weights, start.weights) > 1e-4);
}

void TestInitialWeights::TwoTowers_beginAsOne()
{
    const TemporaryFolder folder;
    RunRequest request = tuning(folder / "two", 1);
    TuningWitness two;
    trainWhole(request, two);
    request = tuning(folder / "one", 1);
    request.config.towers = 1;
    request.config.batchPerTower = 16;
    TuningWitness one;
    trainWhole(request, one);
    const double difference = std::abs(one.losses.front() - two.losses.front());
    QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
}

void TestInitialWeights::Run_standsForItsNewestGoodCheckpoint()
{
    const TemporaryFolder folder;
    fs::copy(m_folder / "source", folder / "source", fs::copy_options::recursive);
    RunRequest request = tuning(folder / "tuned", 0, 10);
    request.config.initialWeights.checkpoint = (folder / "source").string();
    TuningWitness witness;
    QVERIFY(startOf(request, witness).weights == m_source.movingAverages);
    const fs::path newest = folder / "source" / "checkpoints" / m_file.filename();
    QCOMPARE(
        configOfRun(folder / "tuned").initialWeights.checkpoint, newest.string()); // not the run
    fs::resize_file(newest, fs::file_size(newest) - 4);
    request.folder = folder / "again";
    TuningWitness other;
    trainWhole(request, other);
    QCOMPARE(other.initial->step, 5);
    QVERIFY(other.hasNote(m_file.filename().string())); // that was skipped
}

void TestInitialWeights::File_thatCantBeUsed_isRefused_data()
{
    addTextRows(
        {"how", "says"}, {{"missing", "missing", "no file or run of this name"},
                          {"a folder without checkpoints", "folder", "no good checkpoint"},
                          {"cut off", "cut", "cut short"},
                          {"a byte that has changed", "byte", "damaged"},
                          {"not a number", "nan", "not finite"}});
}

void TestInitialWeights::File_thatCantBeUsed_isRefused()
{
    QFETCH(QString, how);
    QFETCH(QString, says);
    const TemporaryFolder folder;
    const fs::path file = folder / "source.safetensors";
    if (how == "folder") {
        fs::create_directory(file);
    } else if (how == "nan") {
        Checkpoint spoilt = m_source;
        spoilt.movingAverages.front().values.front() = std::numeric_limits<float>::quiet_NaN();
        writeCheckpoint(spoilt, file);
    } else if (how != "missing") {
        fs::copy_file(m_file, file);
    }
    if (how == "cut") {
        fs::resize_file(file, fs::file_size(file) - 1);
    } else if (how == "byte") {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(-1, std::ios::end);
        const auto changed = static_cast<char>(stream.get() ^ 1);
        stream.seekp(-1, std::ios::end);
        stream.put(changed);
    }
    RunRequest request = tuning(folder / "tuned", 0);
    request.config.initialWeights.checkpoint = file.string();
    const QString text = refusal(request);
    QVERIFY2(text.contains(says), qPrintable(text));
    QVERIFY2(text.contains(QString::fromStdString(file.string())), qPrintable(text));
    QVERIFY(!fs::exists(folder / "tuned"));
}

void TestInitialWeights::NothingFits_isRefused()
{
    const TemporaryFolder folder;
    RunRequest request = tuning(folder / "tuned", 0);
    request.config.model.name = model("other", 12, 16);
    const QString text = refusal(request);
    QVERIFY2(
        text.contains("nothing of it fits model 'other'") && text.contains("model 'net'"),
        qPrintable(text));
    QVERIFY(!fs::exists(folder / "tuned"));
}

void TestInitialWeights::LittleFits_isWarnedOf()
{
    const TemporaryFolder folder;
    RunRequest request = tuning(folder / "tuned", 0, 10);
    request.config.initialWeights.freshLayers = {"norm1"};
    TuningWitness witness;
    trainWhole(request, witness);
    const auto line = std::ranges::find(witness.checklist, "weights", &PreflightRecord::name);
    QVERIFY(line != witness.checklist.end());
    QVERIFY(line->result == PreflightResult::Warning);
    QVERIFY(line->text.find("3 of 7 tensors") != std::string::npos);
}

void TestInitialWeights::Resume_needsTheSourceNoMore()
{
    const TemporaryFolder folder;
    const fs::path file = folder / "source.safetensors";
    fs::copy_file(m_file, file);
    RunRequest request = tuning(folder / "straight", 6);
    request.config.initialWeights.checkpoint = file.string();
    TuningWitness straight;
    trainWhole(request, straight);
    request.folder = folder / "resumed";
    request.config.steps = 3;
    TuningWitness first;
    trainWhole(request, first);
    fs::remove(file);
    RunRequest resume{configOfRun(folder / "resumed"), folder / "resumed", true};
    resume.config.steps = 6;
    TuningWitness second;
    trainWhole(resume, second);
    QVERIFY(!second.initial.has_value());
    QCOMPARE(storedLosses(folder / "resumed"), straight.losses);
}

/// As after a kill before the first checkpoint.
void TestInitialWeights::Resume_withoutACheckpoint_takesThemAgain()
{
    const TemporaryFolder folder;
    TuningWitness first;
    const RunRequest request = tuning(folder / "tuned", 2);
    const Checkpoint start = startOf(request, first);
    for (const CheckpointFile& file : listCheckpoints(folder / "tuned" / "checkpoints")) {
        fs::remove(file.path);
    }
    TuningWitness second;
    const Checkpoint again =
        startOf({configOfRun(folder / "tuned"), folder / "tuned", true}, second);
    QVERIFY(again.weights == start.weights);
    QCOMPARE(second.losses, first.losses);
}

void TestInitialWeights::Resume_withTheRunAsGiven_keepsItsFile_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<bool>("hasCheckpoint");
    QTest::newRow("run") << "source" << true;
    QTest::newRow("run, no checkpoint yet") << "source" << false;
    QTest::newRow("folder of checkpoints") << "source/checkpoints/" << true;
}

/// As the same command line does, by which time the run of the weights may have newer ones.
void TestInitialWeights::Resume_withTheRunAsGiven_keepsItsFile()
{
    QFETCH(const QString, given);
    QFETCH(const bool, hasCheckpoint);
    const TemporaryFolder folder;
    fs::copy(m_folder / "source", folder / "source", fs::copy_options::recursive);
    const fs::path newest = folder / "source" / "checkpoints" / m_file.filename();
    RunRequest request = tuning(folder / "tuned", 2, 10);
    request.config.initialWeights.checkpoint = (folder / given.toStdString()).string();
    TuningWitness first;
    trainWhole(request, first);
    Checkpoint newer = m_source;
    newer.movingAverages.front().values.front() += 1.0F;
    writeCheckpoint(newer, newest.parent_path() / "step-000000011.safetensors");
    for (const CheckpointFile& file : listCheckpoints(folder / "tuned" / "checkpoints")) {
        if (!hasCheckpoint) {
            fs::remove(file.path);
        }
    }
    request.isResume = true;
    request.config.steps = 4;
    TuningWitness second;
    trainWhole(request, second);
    QCOMPARE(second.losses.size(), std::size_t{hasCheckpoint ? 2U : 4U});
    QCOMPARE(second.initial.has_value(), !hasCheckpoint);
    QCOMPARE(configOfRun(folder / "tuned").initialWeights.checkpoint, newest.string());
    request.config.initialWeights.checkpoint = m_file.string(); // of another folder
    QVERIFY(refusal(request).contains("[initial_weights]"));
}

void TestInitialWeights::Resume_withOtherInitialWeights_isRefused()
{
    const TemporaryFolder folder;
    TuningWitness witness;
    trainWhole(tuning(folder / "tuned", 1), witness);
    RunConfig config = configOfRun(folder / "tuned");
    config.steps = 2;
    config.initialWeights.weights = "raw";
    const QString text = refusal({config, folder / "tuned", true});
    QVERIFY2(text.contains("[initial_weights]"), qPrintable(text));
}

LOCKSTEP_TEST(TestInitialWeights)
#include "test_initial_weights.moc"
