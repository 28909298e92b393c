// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint/checkpoint.h"
#include "storage/checkpoint/safetensors.h"
#include "storage/checkpoints.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <algorithm>
#include <functional>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<std::string> namesOf(const SafetensorsFile& file)
{
    std::vector<std::string> names;
    for (const auto& tensor : file.tensors) {
        names.push_back(tensor.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

// Rewrites the file with other metadata or tensors, correctly framed and with valid checksums.
void rewrite(const std::filesystem::path& path, const std::function<void(SafetensorsFile&)>& change)
{
    SafetensorsFile file = readSafetensors(path);
    change(file);
    std::vector<SafetensorsView> views;
    for (const auto& tensor : file.tensors) {
        SafetensorsView view{tensor.name, tensor.shape, {}};
        std::visit([&](const auto& values) { view.values = std::span(values); }, tensor.values);
        views.push_back(view);
    }
    writeSafetensors(path, views, file.metadata);
}

} // namespace

class TestCheckpoint : public QObject
{
    Q_OBJECT
private slots:
    static void Checkpoint_roundTrip_keepsEverything();
    static void Checkpoint_withoutOptionalParts_roundTrips();
    static void Checkpoint_tensorNames_areThoseOfTheFormat();
    static void Checkpoint_flippedBit_isNamed();
    static void Checkpoint_everyFlippedHeaderBit_isRefused();
    static void Checkpoint_wrongContent_isRefused_data();
    static void Checkpoint_wrongContent_isRefused();
    static void ExportWeights_writesPlainNamesOnly_data();
    static void ExportWeights_writesPlainNamesOnly();
    static void ExportWeights_withoutAverages_isRefused();
};

void TestCheckpoint::Checkpoint_roundTrip_keepsEverything()
{
    const TemporaryFolder folder;
    const Checkpoint before = exampleCheckpoint(1000);
    writeCheckpoint(before, folder / "c.safetensors");
    const Checkpoint after = readCheckpoint(folder / "c.safetensors");
    QCOMPARE(after.step, before.step);
    QCOMPARE(after.examplesSeen, before.examplesSeen);
    QCOMPARE(after.model, before.model);
    QCOMPARE(after.configuration, before.configuration);
    QCOMPARE(after.seed, before.seed);
    QCOMPARE(after.towers, before.towers);
    QCOMPARE(after.threadsPerTower, before.threadsPerTower);
    QCOMPARE(after.notes, before.notes);
    QVERIFY(after.weights == before.weights);
    QVERIFY(after.movingAverages == before.movingAverages);
    QVERIFY(after.optimizerState == before.optimizerState);
}

void TestCheckpoint::Checkpoint_withoutOptionalParts_roundTrips()
{
    const TemporaryFolder folder;
    Checkpoint before = exampleCheckpoint(0);
    before.movingAverages.clear();
    before.optimizerState.clear();
    before.notes.clear();
    writeCheckpoint(before, folder / "c.safetensors");
    const Checkpoint after = readCheckpoint(folder / "c.safetensors");
    QVERIFY(after.weights == before.weights);
    QVERIFY(after.movingAverages.empty() && after.optimizerState.empty() && after.notes.empty());
}

void TestCheckpoint::Checkpoint_tensorNames_areThoseOfTheFormat()
{
    const TemporaryFolder folder;
    writeCheckpoint(exampleCheckpoint(7), folder / "c.safetensors");
    QCOMPARE(
        namesOf(readSafetensors(folder / "c.safetensors")),
        (std::vector<std::string>{
            "conv1.bias", "conv1.weight", "moving_average.conv1.bias",
            "moving_average.conv1.weight", "optimizer.momentum.conv1.bias",
            "optimizer.momentum.conv1.weight"}));
}

void TestCheckpoint::Checkpoint_flippedBit_isNamed()
{
    const TemporaryFolder folder;
    const auto path = folder / "c.safetensors";
    writeCheckpoint(exampleCheckpoint(7), path);
    const auto header = readSafetensorsHeader(path);
    for (const auto& tensor : header.tensors) {
        flipBit(path, header.dataStart + tensor.begin, 0);
        QVERIFY(tells(
            errorOf([&] { readCheckpoint(path); }), ErrorCode::Data, path.string(),
            fmt::format("'{}'", tensor.name)));
        flipBit(path, header.dataStart + tensor.begin, 0);
    }
}

void TestCheckpoint::Checkpoint_everyFlippedHeaderBit_isRefused()
{
    const TemporaryFolder folder;
    const auto path = folder / "c.safetensors";
    writeCheckpoint(exampleCheckpoint(7), path);
    const auto header = readSafetensorsHeader(path).dataStart;
    for (std::size_t bit = 0; bit < header * 8; ++bit) {
        flipBit(path, bit / 8, bit % 8);
        QVERIFY2(
            tells(errorOf([&] { readCheckpoint(path); }), ErrorCode::Data, path.string()),
            qPrintable(QString("bit %1 of byte %2").arg(bit % 8).arg(bit / 8)));
        flipBit(path, bit / 8, bit % 8);
    }
    QCOMPARE(readCheckpoint(path).step, 7);
}

using Change = std::function<void(SafetensorsFile&)>;
Q_DECLARE_METATYPE(Change)

void TestCheckpoint::Checkpoint_wrongContent_isRefused_data()
{
    addRows<Change, QString>(
        {"change", "names"},
        {{"no step", Change([](auto& f) { f.metadata.erase("step"); }), "'step'"},
         {"negative step", Change([](auto& f) { f.metadata["step"] = std::string("-5"); }),
          "'step'"},
         {"step with rest", Change([](auto& f) { f.metadata["step"] = std::string("5x"); }),
          "'step'"},
         {"seed too big",
          Change([](auto& f) { f.metadata["seed"] = std::string("18446744073709551616"); }),
          "'seed'"},
         {"newer version",
          Change([](auto& f) { f.metadata["lockstep_checkpoint"] = std::string("3"); }),
          "version 3"},
         {"not a checkpoint", Change([](auto& f) { f.metadata.clear(); }), "'lockstep_checkpoint'"},
         {"an average is missing", Change([](auto& f) { f.tensors.erase(f.tensors.begin() + 2); }),
          "'moving_average.conv1.weight'"},
         {"an average too many", Change([](auto& f) { f.tensors.erase(f.tensors.begin() + 1); }),
          "'moving_average.conv1.bias'"},
         {"an average of another shape", Change([](auto& f) {
              f.tensors[3].shape = {3, 2};
          }),
          "'moving_average.conv1.bias'"},
         {"a slot of another shape", Change([](auto& f) { f.tensors[4].shape = {6}; }),
          "'optimizer.momentum.conv1.weight'"},
         {"a slot without a name", Change([](auto& f) { f.tensors[4].name = "optimizer."; }),
          "'optimizer..conv1.weight'"},
         {"another type",
          Change([](auto& f) { f.tensors[0].values = std::vector<std::int64_t>(6); }),
          "'conv1.weight'"}});
}

void TestCheckpoint::Checkpoint_wrongContent_isRefused()
{
    QFETCH(Change, change);
    QFETCH(QString, names);
    const TemporaryFolder folder;
    const auto path = folder / "c.safetensors";
    writeCheckpoint(exampleCheckpoint(7), path);
    rewrite(path, change);
    const auto error = errorOf([&] { readCheckpoint(path); });
    QVERIFY2(
        tells(error, ErrorCode::Data, path.string(), names.toStdString()),
        error ? error->what() : "accepted");
}

void TestCheckpoint::ExportWeights_writesPlainNamesOnly_data()
{
    QTest::addColumn<bool>("isRaw");
    QTest::newRow("raw") << true;
    QTest::newRow("average") << false;
}

void TestCheckpoint::ExportWeights_writesPlainNamesOnly()
{
    QFETCH(bool, isRaw);
    const TemporaryFolder folder;
    const Checkpoint checkpoint = exampleCheckpoint(7);
    exportWeights(
        checkpoint, isRaw ? WeightsKind::Raw : WeightsKind::Average, folder / "w.safetensors");
    const auto file = readSafetensors(folder / "w.safetensors");
    QCOMPARE(namesOf(file), (std::vector<std::string>{"conv1.bias", "conv1.weight"}));
    const auto& expected = (isRaw ? checkpoint.weights : checkpoint.movingAverages).front();
    QCOMPARE(file.tensors.front().shape, expected.shape);
    QCOMPARE(std::get<std::vector<float>>(file.tensors.front().values), expected.values);
    QCOMPARE(file.metadata.at("format"), std::string("pt"));
    QCOMPARE(file.metadata.at("weights"), std::string(isRaw ? "raw" : "average"));
}

void TestCheckpoint::ExportWeights_withoutAverages_isRefused()
{
    const TemporaryFolder folder;
    Checkpoint checkpoint = exampleCheckpoint(7);
    checkpoint.movingAverages.clear();
    QVERIFY(tells(
        errorOf([&] { exportWeights(checkpoint, WeightsKind::Average, folder / "w.safetensors"); }),
        ErrorCode::BadInput, "step 7"));
    QVERIFY(std::filesystem::is_empty(folder.path()));
}

LOCKSTEP_TEST(TestCheckpoint)
#include "test_checkpoint.moc"
