// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_files.h"
#include "dataset/examples/relabelled_dataset.h"
#include "dataset/mask_layouts.h"
#include "session/evaluation/evaluate_checkpoint.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

using Colour = std::array<std::uint8_t, 3>;
using Classes = std::map<std::string, Colour>; ///< and what their images look like

constexpr Colour kRed{210, 30, 30};
constexpr Colour kGreen{30, 210, 30};
constexpr Colour kBlue{30, 30, 210};
constexpr int kImages = 6; // of a class

const Classes kTrained{{"ant", kRed}, {"bee", kGreen}, {"cow", kBlue}};

Files imagesOf(
    const Classes& classes, const std::string& before, const std::string& after = "/",
    int first = 10)
{
    Files files;
    for (const auto& [name, colour] : classes) {
        for (int i = 0; i < kImages; ++i) {
            Colour shade = colour;
            shade[static_cast<std::size_t>(i % 3)] =
                static_cast<std::uint8_t>(shade[static_cast<std::size_t>(i % 3)] + 3 * i);
            files[before + name + after + std::to_string(first + i) + ".jpg"] =
                jpegOf(flatImage(30, 40, shade));
        }
    }
    return files;
}

/// The same images in one of the ways in which people have them.
Files laidOut(const std::string& layout, const Classes& classes)
{
    if (layout == "parts") {
        Files files = imagesOf(classes, "train/");
        files.merge(imagesOf(classes, "val/"));
        return files;
    }
    if (layout == "three parts") {
        Files files = laidOut("parts", classes);
        files.merge(imagesOf(classes, "test/"));
        return files;
    }
    if (layout == "sub-folders") {
        return imagesOf(classes, "", "/day/1/");
    }
    if (layout == "table") { // the last class first
        Files files;
        std::string rows;
        for (const auto& [name, content] : imagesOf(classes, "all/", "_")) {
            const std::string label = fs::path(name).stem().string();
            rows = fmt::format("{},\"{}\"\n", name, label.substr(0, label.rfind('_'))) + rows;
            files[name] = content;
        }
        files["labels.csv"] = rows;
        return files;
    }
    return imagesOf(classes, "");
}

/// Labels without images, for the names alone.
class Named final : public Dataset
{
public:
    Named(std::vector<std::string> names, std::vector<std::int32_t> labels)
        : m_labels(std::move(labels))
    {
        m_info.name = "named";
        m_info.classNames = std::move(names);
    }
    [[nodiscard]] const DatasetInfo& info() const override { return m_info; }
    [[nodiscard]] std::int64_t size() const override { return std::ssize(m_labels); }
    [[nodiscard]] ExampleView example(std::int64_t index) const override
    {
        return {{}, m_labels[static_cast<std::size_t>(index)]};
    }

private:
    DatasetInfo m_info;
    std::vector<std::int32_t> m_labels;
};

} // namespace

/// A network that is always right on the colours of its three classes is asked about others' data.
class TestEvaluationData : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Evaluation_ofAnyData_goesByNamesOrIsRefused_data();
    void Evaluation_ofAnyData_goesByNamesOrIsRefused();
    void Evaluation_ofAPart_scoresIt_data();
    void Evaluation_ofAPart_scoresIt();
    void Evaluation_ofAFolderThatGrew_warns();
    void Evaluation_ofOldCheckpointOfNumbers_goesByName();
    void Relabelled_repeatedNames_goByTheirPlace();

private:
    [[nodiscard]] CheckpointEvaluation evaluated(
        const fs::path& data, const std::string& split = "") const
    {
        CheckpointEvaluationRequest request;
        request.checkpoint = m_folder / "run";
        request.weights = WeightsKind::Raw;
        request.dataPath = data.string();
        request.split = split;
        return evaluateCheckpoint(request);
    }

    TemporaryFolder m_folder;
};

void TestEvaluationData::initTestCase()
{
    writeFiles(m_folder / "trained", imagesOf(kTrained, "", "/", 0));
    RunConfig config = smallConfig(120);
    config.dataset = "image_folder";
    config.datasetPath = (m_folder / "trained").string();
    config.batchPerTower = 6;
    config.learningRate.initial = 0.05;
    for (const char* key : {"hue", "saturation", "brightness", "contrast"}) {
        setConfigValue(config, std::string("input.") + key, "false");
    }
    Witness witness;
    trainWhole({config, m_folder / "run"}, witness);
    QCOMPARE(evaluated({}, "all").record.accuracy, 1.0);
}

void TestEvaluationData::Evaluation_ofAnyData_goesByNamesOrIsRefused_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QStringList>("classes"); // each with the class of the training that it shows
    QTest::addColumn<bool>("isRefused");
    const std::vector<std::tuple<const char*, QStringList, bool>> variants{
        {"same", {"ant=ant", "bee=bee", "cow=cow"}, false},
        {"without the first", {"bee=bee", "cow=cow"}, false},
        {"without the middle", {"ant=ant", "cow=cow"}, false},
        {"without the last", {"ant=ant", "bee=bee"}, false},
        {"one alone", {"bee=bee"}, false},
        {"other order", {"1cow=cow", "2bee=bee", "3ant=ant"}, true},
        {"one more, first", {"aab=ant", "ant=ant", "bee=bee", "cow=cow"}, true},
        {"one more, last", {"ant=ant", "bee=bee", "cow=cow", "dog=cow"}, true},
        {"a name in capitals", {"Ant=ant", "bee=bee", "cow=cow"}, true},
        {"a name with a blank", {"ant x=ant", "bee=bee", "cow=cow"}, true},
        {"numbers", {"0=ant", "1=bee", "2=cow"}, true}};
    for (const char* layout : {"folders", "parts", "sub-folders", "table"}) {
        for (const auto& [name, classes, isRefused] : variants) {
            QTest::newRow(qPrintable(QStringLiteral("%1, %2").arg(layout, name)))
                << QString::fromLatin1(layout) << classes << isRefused;
        }
    }
}

void TestEvaluationData::Evaluation_ofAnyData_goesByNamesOrIsRefused()
{
    QFETCH(QString, layout);
    QFETCH(QStringList, classes);
    QFETCH(bool, isRefused);
    Classes shown;
    for (const QString& each : classes) {
        const QStringList name = each.split(u'=');
        shown[name.first().toStdString()] = kTrained.at(name.last().toStdString());
    }
    const TemporaryFolder folder;
    writeFiles(folder / "data", laidOut(layout.toStdString(), shown));
    if (isRefused) {
        const auto error = errorOf([&] { static_cast<void>(evaluated(folder / "data")); });
        QVERIFY2(
            tells(error, ErrorCode::BadInput, "classes that the network was not trained on"),
            error ? error->what() : "none");
        QVERIFY(tells(error, ErrorCode::BadInput, "it was trained on ant, bee, cow"));
        return;
    }
    const CheckpointEvaluation evaluation = evaluated(folder / "data");
    QCOMPARE(evaluation.record.accuracy, 1.0);
    QCOMPARE(evaluation.record.examples, kImages * std::ssize(shown)); // all, or all of val
    QCOMPARE(evaluation.classes, (std::vector<std::string>{"ant", "bee", "cow"}));
}

void TestEvaluationData::Evaluation_ofAPart_scoresIt_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QString>("split");
    QTest::addColumn<int>("examples"); // 0: refused
    QTest::newRow("folders, all") << "folders"
                                  << "all" << 18;
    QTest::newRow("folders, test") << "folders"
                                   << "test" << 0;
    QTest::newRow("folders, validation") << "folders"
                                         << "validation" << 0;
    QTest::newRow("parts, all") << "parts"
                                << "all" << 36;
    QTest::newRow("parts, train") << "parts"
                                  << "train" << 18;
    QTest::newRow("parts, validation") << "parts"
                                       << "validation" << 18;
    QTest::newRow("three parts, all") << "three parts"
                                      << "all" << 54;
    QTest::newRow("three parts, test") << "three parts"
                                       << "test" << 18;
    QTest::newRow("no such part") << "parts"
                                  << "holdout" << 0;
}

void TestEvaluationData::Evaluation_ofAPart_scoresIt()
{
    QFETCH(QString, layout);
    QFETCH(QString, split);
    QFETCH(int, examples);
    const TemporaryFolder folder;
    writeFiles(folder / "data", laidOut(layout.toStdString(), kTrained));
    const auto score = [&] { return evaluated(folder / "data", split.toStdString()); };
    if (examples == 0) {
        QVERIFY(tells(
            errorOf([&] { static_cast<void>(score()); }), ErrorCode::BadInput,
            split == "holdout" ? "--split is 'holdout'" : "no images of the data are set apart"));
        return;
    }
    const CheckpointEvaluation evaluation = score();
    QCOMPARE(evaluation.record.examples, examples);
    QCOMPARE(evaluation.record.accuracy, 1.0);
    QVERIFY(std::ranges::any_of(evaluation.dataNotes, [](const std::string& note) {
        return note.ends_with("trained on some of them, the figures are too good");
    }));
}

void TestEvaluationData::Evaluation_ofAFolderThatGrew_warns()
{
    const auto notesOf = [](const CheckpointEvaluation& evaluation) {
        return fmt::format("{}", fmt::join(evaluation.dataNotes, "; "));
    };
    QCOMPARE(notesOf(evaluated({})), std::string());
    QVERIFY(notesOf(evaluated({}, "all")).find("that were trained on") != std::string::npos);
    // Elsewhere, but the same.
    fs::copy(m_folder / "trained", m_folder / "copy", fs::copy_options::recursive);
    QCOMPARE(evaluated(m_folder / "copy").record.examples, evaluated({}).record.examples);
    QVERIFY(notesOf(evaluated(m_folder / "copy", "train")).find("trained on") != std::string::npos);
    writeFiles(m_folder / "trained", imagesOf(kTrained, "", "/", 20)); // twice as many are drawn
    for (const char* split : {"", "test", "validation"}) {
        QVERIFY(notesOf(evaluated({}, split)).find("may be among them now") != std::string::npos);
    }
    for (const auto& [name, content] : imagesOf(kTrained, "", "/", 20)) {
        fs::remove(m_folder / "trained" / name);
    }
    QCOMPARE(notesOf(evaluated({})), std::string());
}

/// As folders were sorted before: "1", "10", "2".
void TestEvaluationData::Evaluation_ofOldCheckpointOfNumbers_goesByName()
{
    const std::vector<std::string> then{"1", "10", "2"};
    const auto now = std::make_shared<Named>(
        std::vector<std::string>{"1", "2", "10"}, std::vector<std::int32_t>{0, 1, 2});
    bool isByNumber = false;
    const auto mapped = relabelled({now}, then, isByNumber);
    QVERIFY(!isByNumber);
    QCOMPARE(mapped->example(0).label, 0);
    QCOMPARE(mapped->example(1).label, 2);
    QCOMPARE(mapped->example(2).label, 1);
}

void TestEvaluationData::Relabelled_repeatedNames_goByTheirPlace()
{
    const std::vector<std::string> known{"maillot", "maillot", "crane"};
    bool isByNumber = false;
    const auto same = std::make_shared<Named>(known, std::vector<std::int32_t>{0, 1, 2});
    const auto both = relabelled({same, same}, known, isByNumber);
    for (std::int64_t i = 0; i < 6; ++i) {
        QCOMPARE(both->example(i).label, static_cast<std::int32_t>(i % 3));
    }
    const auto other = std::make_shared<Named>(
        std::vector<std::string>{"crane", "maillot", "maillot"},
        std::vector<std::int32_t>{0, 1, 2});
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(relabelled({other}, known, isByNumber)); }),
        ErrorCode::BadInput, "several classes of the network are called 'maillot'"));
}

LOCKSTEP_TEST(TestEvaluationData)
#include "test_evaluation_data.moc"
