// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "dataset/formats/image_folder.h"
#include "dataset/numbered_images.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

#include <atomic>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Two classes; of the training set four images, not written in the order of their names.
void writeSmallFolder(const fs::path& folder)
{
    write(folder / "train/zebra/2.JPEG", numbered(40));
    write(folder / "train/zebra/10.jpg", numbered(30, 50, 70));
    write(folder / "train/ant/b.Jpg", numbered(20));
    write(folder / "train/ant/a.JPEG", numbered(10));
    write(folder / "train/ant/notes.txt", "no image");
    write(folder / "train/.hidden/a.jpg", "no image");
    write(folder / "train/ant/.b.jpg", "no image");
    write(folder / "val/ant/v.jpeg", numbered(50));
    write(folder / "val/zebra/w.jpeg", numbered(60));
}

} // namespace

class TestImageFolder : public QObject
{
    Q_OBJECT

private slots:
    void Open_smallSet_isInTheOrderOfNames();
    void Open_withBackground_labelsBeginAtOne();
    void Open_fromTheCatalog_isTheSame();
    void Open_classesOfOneSplitAlone_areRefusedByName();
    void Open_withoutSplitOrImages_isRefused();
    void Open_damagedHeader_isRefusedByName();
    void Open_skipping_leavesOutDamagedAndCountsThem();
    void Read_fileThatWentAway_isNamed();
    void Open_longHeader_isReadToItsEnd();
    void Open_cancelled_stops();
    void Open_imagenette_hasTenClasses();
};

void TestImageFolder::Open_smallSet_isInTheOrderOfNames()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    const auto training = openImageFolder(folder.path(), Split::Train, {});
    QCOMPARE(training->info().classNames, (std::vector<std::string>{"ant", "zebra"}));
    QVERIFY(training->info().isEncoded);
    QCOMPARE(training->size(), 4);
    const std::vector<int> numbers{10, 20, 30, 40};
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(numberOf(*training, i), numbers[static_cast<std::size_t>(i)]);
        QCOMPARE(training->example(i).label, i / 2);
    }
    QCOMPARE(training->exampleName(2), std::string("zebra/10.jpg"));
    QCOMPARE(training->largest().pixels, 50 * 70);
    QCOMPARE(training->largest().longestSide, 70);
    QCOMPARE(examplesPerClass(*training), (std::vector<std::int64_t>{2, 2}));
    const auto tested = openImageFolder(folder.path(), Split::Test, {});
    QCOMPARE(tested->size(), 2);
    QCOMPARE(numberOf(*tested, 0), 50);
    QCOMPARE(tested->info().split, std::string("test"));
}

void TestImageFolder::Open_withBackground_labelsBeginAtOne()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    EncodedDataSettings settings;
    settings.hasBackground = true;
    const auto plain = openImageFolder(folder.path(), Split::Train, {});
    const auto shifted = openImageFolder(folder.path(), Split::Train, settings);
    QCOMPARE(shifted->info().classNames, (std::vector<std::string>{"background", "ant", "zebra"}));
    QCOMPARE(shifted->size(), plain->size());
    for (std::int64_t i = 0; i < plain->size(); ++i) {
        QCOMPARE(shifted->example(i).label, plain->example(i).label + 1);
        QCOMPARE(shifted->fullName(i), plain->fullName(i));
        QCOMPARE(numberOf(*shifted, i), numberOf(*plain, i));
    }
}

void TestImageFolder::Open_fromTheCatalog_isTheSame()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    const auto dataset = openDataset({"image_folder", folder.path()}, Split::Train);
    QCOMPARE(dataset->size(), 4);
    const auto error = errorOf([] { datasetFolder("image_folder", {}); });
    QVERIFY(tells(error, ErrorCode::BadInput, "train/CLASS/IMAGE.JPEG"));
}

void TestImageFolder::Open_classesOfOneSplitAlone_areRefusedByName()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    write(folder / "train/bee/a.jpg", numbered(10));
    auto error = errorOf([&] { openImageFolder(folder.path(), Split::Train, {}); });
    QVERIFY(tells(error, ErrorCode::BadInput, "val: lacks a folder for bee;"));
    fs::remove_all(folder / "train/bee");
    write(folder / "val/cow/a.jpg", numbered(10));
    write(folder / "val/dog/a.jpg", numbered(10));
    error = errorOf([&] { openImageFolder(folder.path(), Split::Test, {}); });
    QVERIFY(tells(error, ErrorCode::BadInput, "train: lacks a folder for cow, dog;"));
}

void TestImageFolder::Open_withoutSplitOrImages_isRefused()
{
    const TemporaryFolder folder;
    auto error = errorOf([&] { openImageFolder(folder / "none", Split::Train, {}); });
    QVERIFY(tells(error, ErrorCode::BadInput, "this folder does not exist"));
    fs::create_directories(folder / "train/ant");
    fs::create_directories(folder / "val/ant");
    error = errorOf([&] { openImageFolder(folder.path(), Split::Train, {}); });
    QVERIFY(tells(error, ErrorCode::BadInput, "holds one class or none"));
}

void TestImageFolder::Open_damagedHeader_isRefusedByName()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    write(folder / "train/ant/c.jpg", "");
    auto error = errorOf([&] { openImageFolder(folder.path(), Split::Train, {}); });
    QVERIFY(tells(error, ErrorCode::Data, "train/ant/c.jpg: the file is empty"));
    write(folder / "train/ant/c.jpg", "some text");
    error = errorOf([&] { openImageFolder(folder.path(), Split::Train, {}); });
    QVERIFY(tells(error, ErrorCode::Data, "train/ant/c.jpg: is not a JPEG"));
}

void TestImageFolder::Open_skipping_leavesOutDamagedAndCountsThem()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    const std::string whole = numbered(90, 64, 64);
    write(folder / "train/ant/aa.jpg", "");
    write(folder / "train/ant/ab.jpg", whole.substr(0, whole.size() - 40));
    write(folder / "train/zebra/a.jpg", "some text");
    const EncodedDataSettings settings{DamagedImages::SkipAll};
    const auto dataset = openImageFolder(folder.path(), Split::Train, settings);
    QCOMPARE(dataset->size(), 4);
    QCOMPARE(dataset->leftOut().size(), 3U);
    QVERIFY(dataset->leftOut()[1].find("ab.jpg: the image is damaged") != std::string::npos);
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(numberOf(*dataset, i), 10 * (i + 1));
    }
    // All of the other split are whole.
    QVERIFY(openImageFolder(folder.path(), Split::Test, settings)->leftOut().empty());
    for (const char* name : {"v.jpeg", "w.jpeg"}) {
        const std::string place = std::string("val/") + (name[0] == 'v' ? "ant/" : "zebra/") + name;
        write(folder / place, "");
    }
    const auto error = errorOf([&] { openImageFolder(folder.path(), Split::Test, settings); });
    QVERIFY(tells(error, ErrorCode::Data, "all 2 images can't be used"));
}

void TestImageFolder::Read_fileThatWentAway_isNamed()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    fs::remove(folder / "train/ant/a.JPEG");
    const auto error = errorOf([&] { numberOf(*dataset, 0); });
    QVERIFY(tells(error, ErrorCode::Io, "train/ant/a.JPEG: can't be read"));
}

// A profile of colours may take hundreds of kilobytes before the size is told.
void TestImageFolder::Open_longHeader_isReadToItsEnd()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    std::string file = numbered(10, 33, 44);
    std::string segment("\xFF\xE2\xFF\xFE", 4); // APP2 of 65,534 bytes
    segment.resize(2 + 0xFFFE, 'p');
    for (int i = 0; i < 3; ++i) {
        file.insert(2, segment);
    }
    write(folder / "train/ant/a.JPEG", file);
    const auto dataset = openImageFolder(folder.path(), Split::Train, {});
    QCOMPARE(dataset->largest().fileBytes, std::ssize(file));
    QCOMPARE(numberOf(*dataset, 0), 10);
}

void TestImageFolder::Open_cancelled_stops()
{
    const TemporaryFolder folder;
    writeSmallFolder(folder.path());
    for (int i = 0; i < 200; ++i) {
        write(folder / ("train/ant/n" + std::to_string(i) + ".jpg"), numbered(10));
    }
    std::atomic<bool> isAsked = false;
    const LoadProgress no = [&](double done) {
        isAsked = done >= 0.0 && done <= 1.0;
        return false;
    };
    const auto error = errorOf([&] { openImageFolder(folder.path(), Split::Train, {}, no); });
    // The thread that asks may get none of the work.
    QVERIFY(!isAsked || tells(error, ErrorCode::Cancelled, "cancelled"));
}

void TestImageFolder::Open_imagenette_hasTenClasses()
{
    const fs::path folder = testData("imagenette-sample");
    if (!fs::exists(folder)) {
        QSKIP("imagenette-sample is not there (LOCKSTEP_TEST_DATA)");
    }
    for (const Split split : {Split::Train, Split::Test}) {
        const auto dataset = openImageFolder(folder, split, {DamagedImages::Skip});
        QCOMPARE(dataset->info().classNames.size(), 10U);
        QVERIFY(dataset->leftOut().empty());
        // Counted by the shell's means: files below each folder.
        const auto counts = examplesPerClass(*dataset);
        const fs::path place = folder / (split == Split::Train ? "train" : "val");
        for (std::size_t label = 0; label < counts.size(); ++label) {
            const fs::directory_iterator files(place / dataset->info().classNames[label]);
            QCOMPARE(counts[label], std::distance(begin(files), end(files)));
        }
    }
}

LOCKSTEP_TEST(TestImageFolder)
#include "test_image_folder.moc"
