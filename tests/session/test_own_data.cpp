// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_files.h"
#include "dataset/formats/kolektorsdd.h"
#include "dataset/mask_layouts.h"
#include "dataset/record_files.h"
#include "session/evaluation/evaluate_checkpoint.h"
#include "session/mask_model.h"
#include "session/run/run_facts.h"
#include "session/run_witness.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Two classes that the colour tells apart, each picture another one.
Files photographs(const std::string& folder, int count, int first = 0)
{
    Files files;
    for (int i = first; i < first + count; ++i) {
        const auto shade = static_cast<std::uint8_t>(40 + 4 * i);
        files[fmt::format("{}red/{}.jpg", folder, i)] = jpegOf(flatImage(30, 40, {shade, 20, 20}));
        files[fmt::format("{}blue/{}.jpg", folder, i)] = jpegOf(flatImage(30, 40, {20, 20, shade}));
    }
    return files;
}

Files withTable(Files files)
{
    std::string table = "path,label\n";
    for (const auto& [name, content] : files) {
        table += name + "," + fs::path(name).parent_path().filename().string() + "\n";
    }
    files["labels.csv"] = table;
    return files;
}

RunConfig photoConfig(const fs::path& place)
{
    RunConfig config = smallConfig(6);
    config.dataset = "image_folder";
    config.datasetPath = place.string();
    config.batchPerTower = 2;
    config.evaluateAtEnd = true;
    return config;
}

PreflightRecord duplicatesIn(const Witness& witness)
{
    const auto found = std::ranges::find(witness.checklist, "duplicates", &PreflightRecord::name);
    return found == witness.checklist.end() ? PreflightRecord() : *found;
}

} // namespace

/// A person's own files, as they lie: they are understood, said to be, and trained on.
class TestOwnData : public QObject
{
    Q_OBJECT

private slots:
    void Photographs_anyLayout_train_data();
    void Photographs_anyLayout_train();
    void Evaluation_ofThreeParts_scoresTheWantedOne();
    void Chance_ofUnbalancedClasses_isStored();
    void Chance_ofAStoreThatDoesNotTell_isThatOfItsClasses();
    void Masks_anyLayout_train_data();
    void Masks_anyLayout_train();
    void Duplicates_areWarnedOfRefusedOrIgnored();
    void Duplicates_ofAllImagesInBothSplits_areNotLookedFor();
    void Duplicates_underTwoClasses_areToldOrRefused_data();
    void Duplicates_underTwoClasses_areToldOrRefused();
    void Records_whoseTestSetNamesOtherClasses_areNotTrainedOn_data();
    void Records_whoseTestSetNamesOtherClasses_areNotTrainedOn();
};

void TestOwnData::Photographs_anyLayout_train_data()
{
    Files parts = photographs("Train/", 8);
    parts.merge(photographs("VALID/", 2, 8));
    addRows<Files, QString, QString, int>(
        {"files", "place", "layout", "tested"},
        {{"flat", photographs("", 10), "", "20 % of each class, drawn by the seed", 4},
         {"parts", parts, "", "VALID is tested on", 4},
         {"table", withTable(photographs("all/", 10)), "labels.csv", "a table of paths", 4}});
}

void TestOwnData::Photographs_anyLayout_train()
{
    QFETCH(Files, files);
    QFETCH(QString, place);
    QFETCH(QString, layout);
    QFETCH(int, tested);
    const TemporaryFolder folder;
    writeFiles(folder / "data", files);
    Witness witness;
    trainWhole({photoConfig(folder / "data" / place.toStdString()), folder / "run"}, witness);
    QCOMPARE(witness.losses.size(), 6U);
    QVERIFY(std::ranges::all_of(witness.losses, [](double loss) { return std::isfinite(loss); }));
    QVERIFY(!witness.evaluations.empty());
    QCOMPARE(witness.evaluations.back().examples, tested);
    QVERIFY(std::ranges::any_of(witness.notes, [&](const std::string& note) {
        return note.find(layout.toStdString()) != std::string::npos;
    }));
    QVERIFY(duplicatesIn(witness).result == PreflightResult::Passed);
    QVERIFY(
        duplicatesIn(witness).text.find(fmt::format("of {} test", tested)) != std::string::npos);
}

void TestOwnData::Evaluation_ofThreeParts_scoresTheWantedOne()
{
    const TemporaryFolder folder;
    Files files = photographs("train/", 6);
    files.merge(photographs("val/", 1, 6));
    files.merge(photographs("test/", 3, 7));
    writeFiles(folder / "data", files);
    Witness witness;
    trainWhole({photoConfig(folder / "data"), folder / "run"}, witness);
    QCOMPARE(witness.evaluations.back().examples, 2);
    const auto scored = [&](const std::string& part) {
        CheckpointEvaluationRequest request;
        request.checkpoint = folder / "run";
        request.weights = WeightsKind::Raw;
        request.split = part;
        return evaluateCheckpoint(request).record.examples;
    };
    QCOMPARE(scored(""), 2);
    QCOMPARE(scored("test"), 6);
    QVERIFY(tells(errorOf([&] { scored("val"); }), ErrorCode::BadInput, "--split is 'val'"));
}

/// The network has ten outputs.
void TestOwnData::Chance_ofUnbalancedClasses_isStored()
{
    const TemporaryFolder folder;
    Files files = photographs("train/", 8);
    std::erase_if(files, [](const auto& file) {
        return file.first.starts_with("train/blue/") && file.first[11] > '1';
    });
    files.merge(photographs("val/", 1, 8));
    writeFiles(folder / "data", files); // 8 red ones to learn from, and 2 blue ones
    Witness witness;
    const TrainingRun run({photoConfig(folder / "data"), folder / "run"}, witness);
    const RunStoreReader store(RunFolder::storeFileOf(folder / "run"));
    for (const Chance& chance : {run.chance(), chanceOf(store, run.config().model)}) {
        QCOMPARE(chance.accuracy, 0.8);
        QVERIFY(std::abs(chance.crossEntropy - 0.500402) < 1e-6); // -0.8 ln 0.8 - 0.2 ln 0.2
    }
}

/// Of five classes, or of a background and four.
void TestOwnData::Chance_ofAStoreThatDoesNotTell_isThatOfItsClasses()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.append(RunClasses{{"cat", "dog", "emu", "fox", "gnu"}});
    store.flush();
    const auto chanceWith = [&](const char* model, std::int64_t classes) {
        ModelSettings settings{model};
        settings.classes = classes;
        return chanceOf(RunStoreReader(folder / "run.db"), settings).accuracy;
    };
    QCOMPARE(chanceWith("resnet20", 0), 1.0 / 5.0);
    QCOMPARE(chanceWith("inception_v3", 0), 1.0 / 4.0);
    QCOMPARE(chanceWith("inception_v3", 8), 1.0 / 8.0); // as the configuration says
    QCOMPARE(chanceWith("segdecnet", 0), 0.0);
    store.append(RunValue{kRecordedByFact, "PyTorch"});
    store.flush();
    QCOMPARE(chanceWith("resnet20", 0), 0.0);
}

void TestOwnData::Masks_anyLayout_train_data()
{
    addRows<Files, QString, int>(
        {"files", "layout", "tested"},
        {{"KolektorSDD2", kolektor2Files(6, 4), "their own folders say", 4},
         {"MVTec AD", mvtecFiles(6, 3, 3), "fold 0 of 3 is tested on, because nothing", 4}});
}

void TestOwnData::Masks_anyLayout_train()
{
    QFETCH(Files, files);
    QFETCH(QString, layout);
    QFETCH(int, tested);
    const TemporaryFolder folder;
    writeFiles(folder / "data", files);
    RunConfig config = smallConfig(4);
    config.model.name = writeMaskModel(folder.path()).string();
    config.dataset = "masked_folder";
    config.datasetPath = (folder / "data").string();
    config.batchPerTower = 1;
    config.evaluateAtEnd = true;
    config.phases = {{"segmentation", 2, 0.1, {}}, {"decision", 2, 0.1, {"segmentation"}}};
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    QCOMPARE(witness.losses.size(), 4U);
    QVERIFY(std::ranges::all_of(witness.losses, [](double loss) { return std::isfinite(loss); }));
    QCOMPARE(witness.evaluations.back().examples, tested);
    QVERIFY(std::ranges::any_of(witness.notes, [&](const std::string& note) {
        return note.find(layout.toStdString()) != std::string::npos;
    }));
}

void TestOwnData::Duplicates_areWarnedOfRefusedOrIgnored()
{
    const TemporaryFolder folder;
    Files files = photographs("train/", 6);
    files.merge(photographs("val/", 2, 6));
    files["val/red/7.jpg"] = files.at("train/red/3.jpg");
    writeFiles(folder / "data", files);
    RunConfig config = photoConfig(folder / "data");
    Witness warned;
    trainWhole({config, folder / "warned"}, warned);
    const PreflightRecord line = duplicatesIn(warned);
    QVERIFY(line.result == PreflightResult::Warning);
    const std::string told = fmt::format(
        "1 of 4 test images are training images, too, the first: {} is {}",
        (folder / "data/val/red/7.jpg").string(), (folder / "data/train/red/3.jpg").string());
    QVERIFY2(line.text.starts_with(told), line.text.c_str());
    QCOMPARE(warned.losses.size(), 6U);

    config.split.duplicates = "refuse";
    Witness refused;
    const auto error = errorOf([&] { trainWhole({config, folder / "refused"}, refused); });
    QVERIFY(tells(error, ErrorCode::Data, told));
    QVERIFY(refused.losses.empty());

    config.split.duplicates = "ignore";
    Witness ignored;
    trainWhole({config, folder / "ignored"}, ignored);
    QVERIFY(duplicatesIn(ignored).name.empty());
}

void TestOwnData::Duplicates_ofAllImagesInBothSplits_areNotLookedFor()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", kolektor2Files(2, 2));
    RunConfig config = smallConfig(1);
    config.model.name = writeMaskModel(folder.path()).string();
    config.dataset = "masked_folder";
    config.datasetPath = (folder / "data").string();
    config.batchPerTower = 1;
    config.masked.fold = MaskedDataSettings::kNoFold;
    config.phases = {{"segmentation", 1, 0.1, {}}};
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    QVERIFY(duplicatesIn(witness).name.empty());
}

void TestOwnData::Duplicates_underTwoClasses_areToldOrRefused_data()
{
    addTextRows(
        {"copies", "text", "refused"},
        {{"none", "", "none of 4 test images is a training image", ""},
         {"in training", "train/red/3.jpg>train/blue/9.jpg",
          "none of 4 test images is a training image; 1 of 13 training images are there twice; 2 "
          "of "
          "13 training images are under two classes, the first: DATA/train/blue/9.jpg (blue) is "
          "DATA/train/red/3.jpg (red)",
          "yes"},
         {"in training, under one", "train/red/3.jpg>train/red/9.jpg",
          "none of 4 test images is a training image; 1 of 13 training images are there twice", ""},
         {"in the test set", "train/red/3.jpg>val/blue/9.jpg",
          "1 of 5 test images are training images, too, the first: DATA/val/blue/9.jpg is "
          "DATA/train/red/3.jpg; 1 of them under another class, the first: DATA/val/blue/9.jpg "
          "(blue) is DATA/train/red/3.jpg (red): what the test says of the network is too good",
          "yes"}});
}

void TestOwnData::Duplicates_underTwoClasses_areToldOrRefused()
{
    QFETCH(const QString, copies);
    QFETCH(QString, text);
    QFETCH(const QString, refused);
    const TemporaryFolder folder;
    Files files = photographs("train/", 6);
    files.merge(photographs("val/", 2, 6));
    if (!copies.isEmpty()) {
        files[copies.section('>', 1).toStdString()] =
            files.at(copies.section('>', 0, 0).toStdString());
    }
    writeFiles(folder / "data", files);
    text.replace("DATA", QString::fromStdString((folder / "data").string()));
    RunConfig config = photoConfig(folder / "data");
    Witness witness;
    trainWhole({config, folder / "told"}, witness);
    QCOMPARE(QString::fromStdString(duplicatesIn(witness).text), text);
    QCOMPARE(duplicatesIn(witness).result == PreflightResult::Warning, !copies.isEmpty());
    config.split.duplicates = "refuse";
    const auto error = errorOf([&] { trainWhole({config, folder / "refused"}, witness); });
    QCOMPARE(error.has_value(), !refused.isEmpty());
}

void TestOwnData::Records_whoseTestSetNamesOtherClasses_areNotTrainedOn_data()
{
    addTextRows(
        {"names", "note", "error"},
        {{"the same", "red blue", "", ""},
         {"another word", "red navy",
          "label 1 is 'blue' in the training set, but 'navy' in the test set", ""},
         {"exchanged", "blue red", "", "label 0 is 'red' in the training set, but 'blue' in the"}});
}

void TestOwnData::Records_whoseTestSetNamesOtherClasses_areNotTrainedOn()
{
    QFETCH(const QString, names);
    QFETCH(const QString, note);
    QFETCH(const QString, error);
    const TemporaryFolder folder;
    const auto shard = [](const QStringList& texts, int shade) {
        std::vector<std::string> records;
        for (int i = 0; i < 8; ++i) {
            records.push_back(imageExample(
                jpegOf(flatImage(30, 40, {static_cast<std::uint8_t>(shade + 4 * i), 20, 20})),
                i % 2, bytesFeature("image/class/text", texts.at(i % 2).toStdString())));
        }
        return framed(records);
    };
    writeFiles(
        folder / "data",
        {{"train-0", shard({"red", "blue"}, 40)}, {"val-0", shard(names.split(' '), 90)}});
    RunConfig config = photoConfig(folder / "data");
    config.dataset = "tfrecord";
    Witness witness;
    const auto refusal = errorOf([&] { trainWhole({config, folder / "run"}, witness); });
    QCOMPARE(refusal.has_value(), !error.isEmpty());
    QVERIFY(!refusal || tells(refusal, ErrorCode::Data, error.toStdString()));
    QVERIFY(
        note.isEmpty()
        || std::ranges::find(witness.notes, note.toStdString()) != witness.notes.end());
}

LOCKSTEP_TEST(TestOwnData)
#include "test_own_data.moc"
