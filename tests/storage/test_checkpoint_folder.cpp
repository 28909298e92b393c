// SPDX-License-Identifier: Apache-2.0
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/checkpoints.h"
#include "storage/files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>
#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::vector<std::int64_t> stepsIn(const std::filesystem::path& folder)
{
    std::vector<std::int64_t> steps;
    for (const auto& file : listCheckpoints(folder)) {
        steps.push_back(file.step);
    }
    return steps;
}

std::set<std::string> namesIn(const std::filesystem::path& folder)
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

// Saving a checkpoint that has no room must fail by name and leave things as they were.
void checkFullDisk(CheckpointFolder& checkpoints)
{
    const auto before = namesIn(checkpoints.path());
    const auto error = errorOf([&] { checkpoints.save(exampleCheckpoint(3, 100'000)); });
    QVERIFY2(
        tells(error, ErrorCode::Io, "step-000000003.safetensors"), error ? error->what() : "saved");
    QCOMPARE(namesIn(checkpoints.path()), before);
    for (const auto& file : listCheckpoints(checkpoints.path())) {
        QCOMPARE(readCheckpoint(file.path).step, file.step);
    }
}

} // namespace

class TestCheckpointFolder : public QObject
{
    Q_OBJECT
private slots:
    static void Folder_save_keepsTheNewest();
    static void Folder_names_sortByStep();
    static void Folder_leftovers_areRemovedOthersKept();
    static void Folder_damagedOnes_areSkippedWithAWord();
    static void Folder_setAside_keepsTheAbandonedOnes();
    static void Folder_pinned_isNeverDeleted();
    static void Folder_pinned_keepsItsPinWhenSetAside();
    static void Folder_best_isKeptHoweverOld();
    static void Folder_best_ofEquals_isTheOlder();
    static void Folder_rate_tellsTheBestSoFar();
    static void Folder_probe_leavesNothing();
    static void Folder_lowerStepThanAllOthers_isNotDeleted();
    static void Folder_fullDisk_leavesOlderOnes();
    static void Folder_fileSizeLimit_leavesOlderOnes();
    static void Folder_failedSave_deletesNothing();
    static void Folder_badArguments_areNamed();
};

void TestCheckpointFolder::Folder_save_keepsTheNewest()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder / "run" / "checkpoints", {3});
    for (std::int64_t step = 0; step <= 5000; step += 1000) {
        const auto file = checkpoints.save(exampleCheckpoint(step));
        QCOMPARE(readCheckpoint(file).step, step);
    }
    QCOMPARE(
        namesIn(checkpoints.path()), (std::set<std::string>{
                                         "step-000003000.safetensors", "step-000004000.safetensors",
                                         "step-000005000.safetensors"}));
}

void TestCheckpointFolder::Folder_names_sortByStep()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {5});
    for (const std::int64_t step :
         {std::int64_t{12'345'678'901}, std::int64_t{999'999'999}, std::int64_t{20}}) {
        checkpoints.save(exampleCheckpoint(step));
    }
    writeBytes(folder / "step-20.safetensors", "not our form of the name");
    writeBytes(folder / "best.safetensors", "a person's own file");
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{20, 999'999'999, 12'345'678'901}));
    QVERIFY(stepsIn(folder / "nothing").empty());
}

void TestCheckpointFolder::Folder_leftovers_areRemovedOthersKept()
{
    const TemporaryFolder folder;
    CheckpointFolder(folder.path(), {5}).save(exampleCheckpoint(1));
    writeBytes(folder / "step-000000002.safetensors.tmp", "half");
    writeBytes(folder / "thesis.tmp", "a person's own file");
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{1}));
    const CheckpointFolder again(folder.path(), {5});
    QCOMPARE(
        namesIn(folder.path()),
        (std::set<std::string>{"step-000000001.safetensors", "thesis.tmp"}));
}

void TestCheckpointFolder::Folder_damagedOnes_areSkippedWithAWord()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {5});
    for (const int step : {1, 2, 3}) {
        checkpoints.save(exampleCheckpoint(step));
    }
    const auto files = listCheckpoints(folder.path());
    std::string bytes = readBytes(files[2].path);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    writeBytes(files[2].path, bytes);
    std::filesystem::resize_file(files[1].path, 100);

    std::vector<std::string> words;
    const auto note = [&](const std::string& text) { words.push_back(text); };
    const auto good = newestGoodCheckpoint(folder.path(), note);
    QVERIFY(good.has_value());
    QCOMPARE(good->file.path, files[0].path);
    QCOMPARE(good->checkpoint.step, 1);
    QCOMPARE(words.size(), 2U);
    QVERIFY(words[0].find(files[2].path.string()) != std::string::npos);
    QVERIFY(words[1].find(files[1].path.string()) != std::string::npos);

    std::filesystem::resize_file(files[0].path, 0);
    QVERIFY(!newestGoodCheckpoint(folder.path(), note).has_value());
    QCOMPARE(words.size(), 5U);
}

void TestCheckpointFolder::Folder_setAside_keepsTheAbandonedOnes()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {2});
    checkpoints.save(exampleCheckpoint(10));
    checkpoints.save(exampleCheckpoint(20));
    QVERIFY(!checkpoints.setAside([](const CheckpointFile& file) { return file.step > 20; })
                 .has_value());
    const auto first =
        checkpoints.setAside([](const CheckpointFile& file) { return file.step > 10; });
    QVERIFY(first.has_value());
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{10}));
    QCOMPARE(stepsIn(*first), (std::vector<std::int64_t>{20}));
    for (const int step : {20, 30, 40}) {
        checkpoints.save(exampleCheckpoint(step));
    }
    const auto second =
        checkpoints.setAside([](const CheckpointFile& file) { return file.step > 30; });
    QVERIFY(second.has_value() && *second != *first);
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{30}));
    QCOMPARE(stepsIn(*first), (std::vector<std::int64_t>{20}));
    QCOMPARE(stepsIn(*second), (std::vector<std::int64_t>{40}));
}

void TestCheckpointFolder::Folder_lowerStepThanAllOthers_isNotDeleted()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {2});
    for (const int step : {20, 30, 5}) {
        checkpoints.save(exampleCheckpoint(step));
    }
    QVERIFY(std::filesystem::exists(folder / "step-000000005.safetensors"));
}

void TestCheckpointFolder::Folder_fullDisk_leavesOlderOnes()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "1m");
    if (!disk.isMounted()) {
        QSKIP("this process may not mount a tmpfs; the file size limit stands in for it");
    }
    CheckpointFolder checkpoints(folder.path(), {2});
    checkpoints.save(exampleCheckpoint(1));
    checkpoints.save(exampleCheckpoint(2));
    checkFullDisk(checkpoints);
    checkpoints.save(exampleCheckpoint(4));
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{2, 4}));
}

void TestCheckpointFolder::Folder_fileSizeLimit_leavesOlderOnes()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {2});
    checkpoints.save(exampleCheckpoint(1));
    checkpoints.save(exampleCheckpoint(2));
    const FileSizeLimit limit(100'000);
    checkFullDisk(checkpoints);
}

// The new name is taken by a folder: all is written, but the rename must fail.
void TestCheckpointFolder::Folder_failedSave_deletesNothing()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {1});
    checkpoints.save(exampleCheckpoint(1));
    std::filesystem::create_directory(folder / "step-000000003.safetensors");
    const auto error = errorOf([&] { checkpoints.save(exampleCheckpoint(3)); });
    QVERIFY(tells(error, ErrorCode::Io, "step-000000003.safetensors"));
    QCOMPARE(readCheckpoint(folder / "step-000000001.safetensors").step, 1);
    QVERIFY(!std::filesystem::exists(folder / "step-000000003.safetensors.tmp"));
}

void TestCheckpointFolder::Folder_badArguments_areNamed()
{
    const TemporaryFolder folder;
    QVERIFY(tells(
        errorOf([&] { CheckpointFolder(folder.path(), {0}); }), ErrorCode::BadInput,
        "checkpoint.keep"));
    writeBytes(folder / "file", "");
    QVERIFY(tells(
        errorOf([&] { CheckpointFolder(folder / "file" / "checkpoints", {5}); }), ErrorCode::Io,
        (folder / "file").string()));
    QVERIFY(tells(
        errorOf([&] { listCheckpoints(folder / "file"); }), ErrorCode::Io,
        (folder / "file").string()));
}

void TestCheckpointFolder::Folder_pinned_isNeverDeleted()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {1});
    const auto first = checkpoints.save(exampleCheckpoint(1));
    setPinned(first, true);
    checkpoints.save(exampleCheckpoint(2));
    checkpoints.save(exampleCheckpoint(3));
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{1, 3}));
    QVERIFY(listCheckpoints(folder.path()).front().isPinned);
    QVERIFY(!listCheckpoints(folder.path()).back().isPinned);
    setPinned(first, false);
    checkpoints.save(exampleCheckpoint(4));
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{4}));
    QCOMPARE(namesIn(folder.path()).size(), std::size_t{1});
    QVERIFY(tells(errorOf([&] { setPinned(first, true); }), ErrorCode::BadInput, first.string()));
    // What is no checkpoint gets no pin.
    writeBytes(folder / "run.toml", "");
    QVERIFY(tells(
        errorOf([&] { setPinned(folder / "run.toml", true); }), ErrorCode::BadInput, "run.toml"));
    QVERIFY(!namesIn(folder.path()).contains("run.pin"));
}

void TestCheckpointFolder::Folder_pinned_keepsItsPinWhenSetAside()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {5});
    setPinned(checkpoints.save(exampleCheckpoint(2)), true);
    const auto aside =
        checkpoints.setAside([](const CheckpointFile& file) { return file.step > 1; });
    QVERIFY(aside.has_value());
    QVERIFY(listCheckpoints(*aside).front().isPinned);
    QVERIFY(stepsIn(folder.path()).empty());
}

void TestCheckpointFolder::Folder_best_isKeptHoweverOld()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {1, 2});
    const std::vector<double> scores{0.5, 0.9, 0.1, 0.7, std::nan(""), 0.2};
    for (std::size_t step = 0; step < scores.size(); ++step) {
        checkpoints.rate(static_cast<std::int64_t>(step), scores[step]);
        checkpoints.save(exampleCheckpoint(static_cast<std::int64_t>(step)));
    }
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{1, 3, 5}));
}

void TestCheckpointFolder::Folder_best_ofEquals_isTheOlder()
{
    const TemporaryFolder folder;
    CheckpointFolder checkpoints(folder.path(), {1, 1});
    for (std::int64_t step = 1; step <= 3; ++step) {
        QCOMPARE(checkpoints.rate(step, 0.5), step == 1);
        checkpoints.save(exampleCheckpoint(step));
    }
    QCOMPARE(stepsIn(folder.path()), (std::vector<std::int64_t>{1, 3}));
}

void TestCheckpointFolder::Folder_rate_tellsTheBestSoFar()
{
    const TemporaryFolder folder;
    CheckpointFolder two(folder / "two", {1, 2});
    QVERIFY(two.rate(1, -3.0));
    QVERIFY(two.rate(2, -5.0));
    QVERIFY(!two.rate(3, -6.0));
    QVERIFY(two.rate(4, -4.0));
    QVERIFY(!two.rate(5, std::nan("")));
    CheckpointFolder none(folder / "none", {1, 0});
    QVERIFY(!none.rate(1, 1.0));
}

void TestCheckpointFolder::Folder_probe_leavesNothing()
{
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path(), {1});
    const Checkpoint checkpoint = exampleCheckpoint(1);
    const auto bytes = checkpoints.probe(checkpoint);
    QVERIFY(namesIn(folder.path()).empty());
    writeCheckpoint(checkpoint, folder / "again");
    QCOMPARE(bytes, std::filesystem::file_size(folder / "again"));
}

LOCKSTEP_TEST(TestCheckpointFolder)
#include "test_checkpoint_folder.moc"
