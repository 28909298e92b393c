// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/kolektorsdd.h"
#include "dataset/masked_files.h"
#include "dataset/numbered_images.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "support/text_rows.h"

#include <algorithm>
#include <set>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

MaskedDataSettings settingsOf(int fold)
{
    MaskedDataSettings settings;
    settings.fold = fold;
    settings.dilation = 0;
    return settings;
}

std::string itemOf(const std::string& name)
{
    return name.substr(0, name.find('/'));
}

std::set<std::string> namesOf(const Dataset& dataset)
{
    std::set<std::string> names;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        names.insert(dataset.exampleName(i));
    }
    return names;
}

std::int64_t defectiveOf(const Dataset& dataset)
{
    std::int64_t defective = 0;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        defective += dataset.example(i).label;
    }
    return defective;
}

bool isSame(const Dataset& a, const Dataset& b)
{
    bool isEqual = namesOf(a) == namesOf(b);
    for (std::int64_t i = 0; isEqual && i < a.size(); ++i) {
        const ExampleView x = a.example(i);
        const ExampleView y = b.example(i);
        isEqual = std::ranges::equal(x.pixels, y.pixels) && std::ranges::equal(x.mask, y.mask)
                  && x.label == y.label && x.ownShape == y.ownShape;
    }
    return isEqual;
}

using Change = void (*)(Files& files);

} // namespace

Q_DECLARE_METATYPE(Change)

class TestKolektorSdd : public QObject
{
    Q_OBJECT

private slots:
    void Open_folder_hasImagesMasksAndSizes();
    void Open_zipOrInnerFolder_isTheSame();
    void Open_dilation_widensTheMarks();
    void Open_folds_everyItemIsTestedOnceAndNeverTrainedThen();
    void Open_noFold_isAllInBothSplits();
    void Open_foldsFile_isFollowed();
    void Open_otherFiles_areLeftOut();
    void Open_badFiles_areNamed_data();
    void Open_badFiles_areNamed();
    void Open_splitWithoutDefects_isRefused();
    void Open_badPlaces_areNamed();
    void Open_damagedZip_isNamed();
    void Open_progress_risesToOneAndMayCancel();
    void Open_realZip_has28ItemsHalfDefective();
};

void TestKolektorSdd::Open_folder_hasImagesMasksAndSizes()
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), kolektorFiles(3));
    const auto dataset = openKolektorSdd(folder.path(), Split::Train, settingsOf(-1));
    QCOMPARE(dataset->info().name, std::string("kolektorsdd"));
    QCOMPARE(dataset->info().classNames, (std::vector<std::string>{"clean", "defective"}));
    QVERIFY(dataset->info().hasMasks);
    QVERIFY((dataset->info().imageShape == Shape{44, 24, 1}));
    QCOMPARE(dataset->size(), 6);
    for (std::int64_t i = 0; i < 6; ++i) {
        const ExampleView example = dataset->example(i);
        const std::int64_t height = i / 2 == 1 ? 44 : 40;
        QCOMPARE(
            dataset->exampleName(i),
            "kos0" + std::to_string(i / 2) + "/Part" + std::to_string(i % 2));
        QVERIFY((shapeOf(dataset->info(), example) == Shape{height, 24, 1}));
        QCOMPARE(example.label, static_cast<std::int32_t>(i % 2));
        const GrayImage expected = smoothImage(height, 24, static_cast<int>(i));
        QCOMPARE(example.pixels.size(), expected.pixels.size());
        const GrayImage mask = squareMask(height, 24, 1);
        QVERIFY(i % 2 == 0 ? example.mask.empty() : std::ranges::equal(example.mask, mask.pixels));
        QVERIFY(std::abs(int{example.pixels[30]} - int{expected.pixels[30]}) < 12);
    }
}

void TestKolektorSdd::Open_zipOrInnerFolder_isTheSame()
{
    const TemporaryFolder folder;
    const Files files = kolektorFiles(6);
    writeFiles(folder / "unpacked", files);
    writeFiles(folder.path(), {{"data.zip", zipOf(files)}});
    for (const Split split : {Split::Train, Split::Test}) {
        const auto whole = openKolektorSdd(folder / "unpacked", split, settingsOf(1));
        const auto inner = openKolektorSdd(folder / "unpacked/KolektorSDD", split, settingsOf(1));
        const auto zip = openKolektorSdd(folder / "data.zip", split, settingsOf(1));
        QVERIFY(isSame(*whole, *inner));
        QVERIFY(isSame(*whole, *zip));
    }
}

void TestKolektorSdd::Open_dilation_widensTheMarks()
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), kolektorFiles(2));
    MaskedDataSettings settings = settingsOf(-1);
    settings.dilation = 5;
    const auto dataset = openKolektorSdd(folder.path(), Split::Train, settings);
    // A diamond of 13 pixels about each pixel of a 2 x 2 square.
    QCOMPARE(std::ranges::count(dataset->example(1).mask, 1), 24);
    QVERIFY(dataset->example(0).mask.empty());
}

void TestKolektorSdd::Open_folds_everyItemIsTestedOnceAndNeverTrainedThen()
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), kolektorFiles(9));
    std::set<std::string> tested;
    for (int fold = 0; fold < 3; ++fold) {
        const auto train = openKolektorSdd(folder.path(), Split::Train, settingsOf(fold));
        const auto test = openKolektorSdd(folder.path(), Split::Test, settingsOf(fold));
        QCOMPARE(train->size() + test->size(), 18);
        QCOMPARE(defectiveOf(*test), 3);
        std::set<std::string> trained;
        for (const std::string& name : namesOf(*train)) {
            trained.insert(itemOf(name));
        }
        for (const std::string& name : namesOf(*test)) {
            QVERIFY(!trained.contains(itemOf(name)));
            QVERIFY(tested.insert(name).second);
        }
    }
    QCOMPARE(tested.size(), 18U);
}

void TestKolektorSdd::Open_noFold_isAllInBothSplits()
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), kolektorFiles(2));
    QCOMPARE(openKolektorSdd(folder.path(), Split::Train, settingsOf(-1))->size(), 4);
    QCOMPARE(openKolektorSdd(folder.path(), Split::Test, settingsOf(-1))->size(), 4);
}

void TestKolektorSdd::Open_foldsFile_isFollowed()
{
    const TemporaryFolder folder;
    writeFiles(folder / "data", kolektorFiles(3));
    MaskedDataSettings settings = settingsOf(1);
    settings.folds = 2;
    settings.foldsFile = folder / "folds.txt";
    std::ofstream(settings.foldsFile) << "kos00 1\nkos01 0\nkos02 0\n";
    const auto test = openKolektorSdd(folder / "data", Split::Test, settings);
    QCOMPARE(namesOf(*test), (std::set<std::string>{"kos00/Part0", "kos00/Part1"}));
    std::ofstream(settings.foldsFile, std::ios::app) << "kos00 0\n";
    const auto error = errorOf([&] { openKolektorSdd(folder / "data", Split::Test, settings); });
    QVERIFY(tells(error, ErrorCode::BadInput, "item 'kos00' is in fold 0"));
}

void TestKolektorSdd::Open_otherFiles_areLeftOut()
{
    const TemporaryFolder folder;
    Files files = kolektorFiles(2);
    files["KolektorSDD/README.txt"] = "hello";
    files["KolektorSDD/.hidden/Part0.jpg"] = "hello";
    files["__MACOSX/KolektorSDD/kos01/._Part0.jpg"] = "hello";
    files["KolektorSDD/kos01/Thumbs.db"] = "hello";
    writeFiles(folder / "unpacked", files);
    writeFiles(folder.path(), {{"data.zip", zipOf(files)}});
    QCOMPARE(openKolektorSdd(folder / "unpacked", Split::Train, settingsOf(-1))->size(), 4);
    QCOMPARE(openKolektorSdd(folder / "data.zip", Split::Train, settingsOf(-1))->size(), 4);
}

void TestKolektorSdd::Open_badFiles_areNamed_data()
{
    addRows<Change, QString, QString>(
        {"change", "file", "text"},
        {{"no label", [](Files& files) { files.erase("KolektorSDD/kos01/Part1_label.bmp"); },
          "kos01/Part1.jpg", "no label for this image"},
         {"no image", [](Files& files) { files.erase("KolektorSDD/kos01/Part1.jpg"); },
          "kos01/Part1_label.bmp", "no image for this label"},
         {"label of another size",
          [](Files& files) {
              files["KolektorSDD/kos01/Part1_label.bmp"] = bmpOf(squareMask(44, 25, 1));
          },
          "kos01/Part1_label.bmp", "44 × 25 pixels (height × width), its image 44 × 24"},
         {"not an image",
          [](Files& files) { files["KolektorSDD/kos01/Part1.jpg"] = "<html>not found</html>"; },
          "kos01/Part1.jpg", "is a web page"},
         {"label is a jpeg",
          [](Files& files) {
              files["KolektorSDD/kos01/Part1_label.bmp"] = jpegOf(squareMask(44, 24, 255));
          },
          "kos01/Part1_label.bmp", "has to be a BMP or PNG"},
         {"damaged jpeg",
          [](Files& files) {
              std::string& jpeg = files["KolektorSDD/kos01/Part1.jpg"];
              jpeg.resize(jpeg.size() / 2);
          },
          "kos01/Part1.jpg", "damaged"},
         {"empty image", [](Files& files) { files["KolektorSDD/kos01/Part1.jpg"].clear(); },
          "kos01/Part1.jpg", "is empty"},
         {"empty label", [](Files& files) { files["KolektorSDD/kos01/Part1_label.bmp"].clear(); },
          "kos01/Part1_label.bmp", "is empty"},
         {"two images of one name",
          [](Files& files) { files["KolektorSDD/kos01/Part1.png"] = "x"; }, "kos01/Part1.png",
          "there is also"},
         {"two items of one name", [](Files& files) { files["other/kos01/Part7.jpg"] = "x"; },
          "other/kos01/Part7.jpg", "item 'kos01' is also in"},
         {"no item", [](Files& files) { files["Part9.jpg"] = "x"; }, "Part9.jpg",
          "no label for this image"}});
}

void TestKolektorSdd::Open_badFiles_areNamed()
{
    QFETCH(Change, change);
    QFETCH(QString, file);
    QFETCH(QString, text);
    const TemporaryFolder folder;
    Files files = kolektorFiles(3);
    change(files);
    writeFiles(folder / "unpacked", files);
    writeFiles(folder.path(), {{"data.zip", zipOf(files)}});
    for (const char* place : {"unpacked", "data.zip"}) {
        const auto error =
            errorOf([&] { openKolektorSdd(folder / place, Split::Train, settingsOf(-1)); });
        QVERIFY2(
            tells(error, ErrorCode::Data, file.toStdString() + ": "),
            error ? error->what() : place);
        QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error ? error->what() : place);
    }
}

void TestKolektorSdd::Open_splitWithoutDefects_isRefused()
{
    const TemporaryFolder folder;
    Files files = kolektorFiles(3);
    for (const char* item : {"kos00", "kos02"}) {
        files[std::string("KolektorSDD/") + item + "/Part1_label.bmp"] =
            bmpOf(squareMask(40, 24, 0));
    }
    writeFiles(folder.path(), files);
    // One item of three has a defect: two folds test on none, one trains on none.
    int refusedTests = 0;
    int refusedTrainings = 0;
    for (int fold = 0; fold < 3; ++fold) {
        for (const Split split : {Split::Train, Split::Test}) {
            const auto error =
                errorOf([&] { openKolektorSdd(folder.path(), split, settingsOf(fold)); });
            if (error) {
                const auto said =
                    std::string(toString(split)) + " split of fold " + std::to_string(fold) + ": ";
                QVERIFY(tells(error, ErrorCode::Data, said));
                QVERIFY(tells(error, ErrorCode::Data, "0 are defective"));
                QVERIFY(tells(error, ErrorCode::Data, "only one of 3 items has a defective image"));
                QVERIFY(!tells(error, ErrorCode::Data, "dataset.folds"));
                ++(split == Split::Test ? refusedTests : refusedTrainings);
            }
        }
    }
    QCOMPARE(refusedTests, 2);
    QCOMPARE(refusedTrainings, 1);
}

void TestKolektorSdd::Open_badPlaces_areNamed()
{
    const TemporaryFolder folder;
    fs::create_directories(folder / "empty");
    std::ofstream(folder / "text.zip") << "I am no archive";
    std::ofstream(folder / "zero.zip").close();
    writeFiles(folder.path(), {{"hollow.zip", zipOf({})}, {"texts.zip", zipOf({{"a.txt", "b"}})}});
    const auto refusal = [&](const char* place) {
        return errorOf([&] { openKolektorSdd(folder / place, Split::Train, settingsOf(0)); });
    };
    for (const char* place : {"nowhere", "empty", "text.zip", "zero.zip", "texts.zip"}) {
        const auto error = refusal(place);
        QVERIFY2(tells(error, ErrorCode::BadInput, (folder / place).string() + ": "), place);
        QVERIFY2(tells(error, ErrorCode::BadInput, "dataset.path"), place);
    }
    const auto hollow = refusal("hollow.zip"); // an archive, but libarchive wants some file in it
    QVERIFY(tells(hollow, ErrorCode::Data, (folder / "hollow.zip").string() + ": "));
    QVERIFY(tells(refusal("empty"), ErrorCode::BadInput, "holds no images; give the folder"));
    const auto withFile = [&](const char* name) {
        const TemporaryFolder place;
        write(place / name, "what it holds is not looked at");
        const auto error =
            errorOf([&] { openMaskedImages("masked_folder", place.path(), Split::Train, {}); });
        return tells(error, ErrorCode::BadInput, "holds no images", "dataset.path")
                   ? QString::fromStdString(error->what())
                         .remove(QString::fromStdString(place.path().string() + "/"))
                   : QString();
    };
    for (const char* const zip : {"KolektorSDD.zip", "in/a.ZIP"}) {
        QVERIFY2(
            withFile(zip).contains(QString("; give %1 (dataset.path), or give").arg(zip)), zip);
    }
    for (const char* const packed :
         {"a.tar", "a.tar.gz", "b.tgz", "a.tar.bz2", "a.tar.xz", "a.7z", "in/A.RAR", "a.tar.zst"}) {
        QVERIFY2(
            withFile(packed).contains(QString("; unpack %1 first, and give").arg(packed)), packed);
    }
    QVERIFY(withFile("notes.txt").contains("1 .txt (notes.txt)); give the folder"));
    write(folder / "a.tar.gz", "packed");
    QVERIFY(tells(refusal("a.tar.gz"), ErrorCode::BadInput, "unpack it, and give the folder"));
    QVERIFY(tells(refusal("text.zip"), ErrorCode::BadInput, "neither a folder nor a zip"));
}

void TestKolektorSdd::Open_damagedZip_isNamed()
{
    const TemporaryFolder folder;
    const std::string whole = zipOf(kolektorFiles(3));
    const auto refusal = [&](const std::string& bytes) {
        writeFiles(folder.path(), {{"data.zip", bytes}});
        return errorOf([&] { openKolektorSdd(folder / "data.zip", Split::Train, settingsOf(0)); });
    };
    QVERIFY(!refusal(whole));
    for (const double share : {0.1, 0.5, 0.9, 0.99}) {
        const auto bytes = static_cast<std::size_t>(share * static_cast<double>(whole.size()));
        const auto error = refusal(whole.substr(0, bytes));
        QVERIFY(tells(error, ErrorCode::Data, (folder / "data.zip").string()));
    }
    // Bytes in the middle that are other ones: the checksum of a file in it tells.
    std::string spoilt = whole;
    for (std::size_t i = spoilt.size() / 3; i < spoilt.size() / 3 + 64; ++i) {
        spoilt[i] = static_cast<char>(~spoilt[i]);
    }
    const auto error = refusal(spoilt);
    QVERIFY2(
        tells(error, ErrorCode::Data, (folder / "data.zip").string()),
        error ? error->what() : "not seen");
}

void TestKolektorSdd::Open_progress_risesToOneAndMayCancel()
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), kolektorFiles(8));
    std::vector<double> told;
    openKolektorSdd(folder.path(), Split::Train, settingsOf(0), [&](double share) {
        told.push_back(share);
        return true;
    });
    QVERIFY(told.size() >= 2 && std::ranges::is_sorted(told));
    QVERIFY(told.front() > 0.0 && told.front() < 0.5 && told.back() > 0.5 && told.back() <= 1.0);
    const auto error = errorOf([&] {
        openKolektorSdd(
            folder.path(), Split::Train, settingsOf(0), [](double share) { return share < 0.5; });
    });
    QVERIFY(tells(error, ErrorCode::Cancelled, folder.path().string()));
}

void TestKolektorSdd::Open_realZip_has28ItemsHalfDefective()
{
    const auto zip = testData("KolektorSDD/KolektorSDD.zip");
    if (!fs::exists(zip)) {
        QSKIP("KolektorSDD is not at hand");
    }
    const auto all = openKolektorSdd(zip, Split::Train, settingsOf(-1));
    QCOMPARE(all->size(), 56);
    QCOMPARE(defectiveOf(*all), 28);
    QVERIFY((all->info().imageShape == Shape{1282, 500, 1}));
    std::set<std::string> items;
    std::int64_t tested = 0;
    for (int fold = 0; fold < 3; ++fold) {
        const auto test = openKolektorSdd(zip, Split::Test, settingsOf(fold));
        const auto train = openKolektorSdd(zip, Split::Train, settingsOf(fold));
        QCOMPARE(train->size() + test->size(), 56);
        QVERIFY(defectiveOf(*test) == 9 || defectiveOf(*test) == 10);
        QCOMPARE(2 * defectiveOf(*test), test->size());
        tested += test->size();
        for (const std::string& name : namesOf(*test)) {
            items.insert(itemOf(name));
        }
    }
    QCOMPARE(tested, 56);
    QCOMPARE(items.size(), 28U);
}

LOCKSTEP_TEST(TestKolektorSdd)
#include "test_kolektorsdd.moc"
