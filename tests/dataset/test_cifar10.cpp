// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/cifar10.h"
#include "support/cifar10_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "support/text_rows.h"

#include <algorithm>
#include <array>
#include <fstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// A folder with `records` records in each file, to be damaged by a test.
struct SmallFolder
{
    explicit SmallFolder(int records = 2) { writeCifar10Folder(folder.path(), records); }
    TemporaryFolder folder;
};

bool hasContent(const ExampleView& example, const Cifar10Record& record)
{
    return example.label == record[0]
           && std::equal(
               example.pixels.begin(), example.pixels.end(), record.begin() + 1, record.end());
}

const std::vector<std::string> kOfficialNames{"airplane", "automobile", "bird",  "cat",  "deer",
                                              "dog",      "frog",       "horse", "ship", "truck"};

} // namespace

class TestCifar10 : public QObject
{
    Q_OBJECT

private slots:
    void OpenCifar10_constantPlanes_areReadAsInTheOfficialReaderTest();
    void OpenCifar10_filesOfDifferentSizes_followEachOtherInOrder();
    void OpenCifar10_filesOfOtherLengths_areTold_data();
    void OpenCifar10_filesOfOtherLengths_areTold();
    void OpenCifar10_moreFiles_areTold();
    void OpenCifar10_parentFolder_isAccepted();
    void OpenCifar10_info_describesPlanarPictures();
    void OpenCifar10_classNames_areThoseOfTheFolderOrTheOfficialOnes_data();
    void OpenCifar10_classNames_areThoseOfTheFolderOrTheOfficialOnes();
    void OpenCifar10_missingFolder_isNamed();
    void OpenCifar10_missingFile_isNamed();
    void OpenCifar10_folderInPlaceOfFile_isNamed();
    void OpenCifar10_brokenSize_isExplained_data();
    void OpenCifar10_brokenSize_isExplained();
    void OpenCifar10_labelTen_namesFileRecordAndValue();
    void OpenCifar10_testSplit_ignoresBrokenTrainingFile();
    void LooksLikeCifar10_brokenFolders_areNot();
    void ValidateCifar10_eitherSplitBroken_throws();
    void RealCifar10_sizesAndLabelCounts_areTheOfficialOnes_data();
    void RealCifar10_sizesAndLabelCounts_areTheOfficialOnes();
    void RealCifar10_examples_areTheBytesOfTheFiles();
};

void TestCifar10::OpenCifar10_constantPlanes_areReadAsInTheOfficialReaderTest()
{
    const SmallFolder data;
    const std::vector<Cifar10Record> records{
        constantCifar10Record(9, 0, 128, 255), constantCifar10Record(3, 255, 0, 1),
        constantCifar10Record(0, 254, 255, 0)};
    writeCifar10File(data.folder / "test_batch.bin", records);

    const auto dataset = openCifar10(data.folder.path(), Split::Test);
    QCOMPARE(dataset->size(), 3);
    const std::array<int, 3> labels{9, 3, 0};
    const std::array<std::array<int, 3>, 3> colours{{{0, 128, 255}, {255, 0, 1}, {254, 255, 0}}};
    for (std::size_t number = 0; number < 3; ++number) {
        const auto example = dataset->example(static_cast<std::int64_t>(number));
        QCOMPARE(example.label, labels[number]);
        QCOMPARE(example.pixels.size(), 3072U);
        for (std::size_t i = 0; i < 3072; ++i) {
            QCOMPARE(int{example.pixels[i]}, colours[number][i / 1024]);
        }
    }
}

void TestCifar10::OpenCifar10_filesOfDifferentSizes_followEachOtherInOrder()
{
    const TemporaryFolder folder;
    writeCifar10Folder(folder.path(), 1);
    std::vector<Cifar10Record> expected;
    for (int file = 0; file < 5; ++file) {
        std::vector<Cifar10Record> records;
        for (int i = 0; i <= file; ++i) {
            records.push_back(patternedCifar10Record(100 * file + i));
        }
        writeCifar10File(folder / kCifar10Files[static_cast<std::size_t>(file)], records);
        expected.insert(expected.end(), records.begin(), records.end());
    }
    const auto dataset = openCifar10(folder.path(), Split::Train);
    QCOMPARE(dataset->size(), 15);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY(hasContent(dataset->example(static_cast<std::int64_t>(i)), expected[i]));
    }
}

void TestCifar10::OpenCifar10_filesOfOtherLengths_areTold_data()
{
    addTextRows(
        {"records", "training", "test"},
        {{"4 4 1 4 4 4",
          "CIFAR-10 has 10000 images in each file, this folder has 1 in data_batch_3.bin, 4 in "
          "data_batch_1.bin, data_batch_2.bin, data_batch_4.bin, data_batch_5.bin: some may be cut "
          "short",
          "CIFAR-10 has 10000 images in each file, this folder has 4 in test_batch.bin"},
         {"2 2 2 2 2 10000",
          "CIFAR-10 has 10000 images in each file, this folder has 2 in data_batch_1.bin, "
          "data_batch_2.bin, data_batch_3.bin, data_batch_4.bin, data_batch_5.bin",
          ""}});
}

void TestCifar10::OpenCifar10_filesOfOtherLengths_areTold()
{
    QFETCH(const QString, records);
    const SmallFolder data;
    const QStringList counts = records.split(' ');
    for (std::size_t i = 0; i < kCifar10Files.size(); ++i) {
        writeCifar10File(
            data.folder / kCifar10Files.at(i),
            std::vector(
                static_cast<std::size_t>(counts.at(static_cast<qsizetype>(i)).toInt()),
                constantCifar10Record(1, 2, 3, 4)));
    }
    for (const Split split : {Split::Train, Split::Test}) {
        QFETCH(const QString, training);
        QFETCH(const QString, test);
        const auto lines = openCifar10(data.folder.path(), split)->info().account.lines();
        QCOMPARE(
            lines.empty() ? QString() : QString::fromStdString(lines.front()),
            split == Split::Train ? training : test);
    }
}

void TestCifar10::OpenCifar10_moreFiles_areTold()
{
    const SmallFolder data;
    fs::copy_file(data.folder / "data_batch_1.bin", data.folder / "data_batch_1 (1).bin");
    const auto lines = openCifar10(data.folder.path(), Split::Train)->info().account.lines();
    QCOMPARE(
        lines.front(),
        std::string("1 file left out: 1 that are none of CIFAR-10's six (data_batch_1 (1).bin)"));
}

void TestCifar10::OpenCifar10_parentFolder_isAccepted()
{
    const TemporaryFolder folder;
    writeCifar10Folder(folder / "cifar-10-batches-bin", 1);
    QCOMPARE(openCifar10(folder.path(), Split::Train)->size(), 5);
    QCOMPARE(openCifar10(folder / "cifar-10-batches-bin", Split::Train)->size(), 5);
    QCOMPARE(locateCifar10(folder.path()), folder / "cifar-10-batches-bin");
    QVERIFY(looksLikeCifar10(folder.path()));
    QVERIFY(!hasCifar10Files(folder.path()));
}

void TestCifar10::OpenCifar10_info_describesPlanarPictures()
{
    const SmallFolder data;
    const auto train = openCifar10(data.folder.path(), Split::Train);
    const auto test = openCifar10(data.folder.path(), Split::Test);
    QCOMPARE(train->info().name, std::string("cifar10"));
    QCOMPARE(train->info().split, std::string("train"));
    QCOMPARE(test->info().split, std::string("test"));
    QVERIFY((train->info().imageShape == Shape{32, 32, 3}));
    QVERIFY(train->info().pixelOrder == PixelOrder::Planar);
}

void TestCifar10::OpenCifar10_classNames_areThoseOfTheFolderOrTheOfficialOnes_data()
{
    const QByteArray own("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
    QByteArray wide("\xFF\xFE", 2);
    for (const char letter : own) {
        wide += QByteArray(1, letter) + QByteArray(1, '\0');
    }
    addRows<QByteArray, QByteArray, QByteArray>(
        {"meta", "first", "last"},
        {{"absent", QByteArray(), "airplane", "truck"},
         {"ten names", own, "a", "j"},
         {"Windows line ends", QByteArray(own).replace("\n", "\r\n"), "a", "j"},
         {"UTF-16", wide, "a", "j"},
         {"with a mark", "\xEF\xBB\xBF" + own, "a", "j"},
         {"nine names", own.mid(2), "airplane", "truck"},
         {"eleven names", "z\n" + own, "airplane", "truck"},
         {"a name twice", QByteArray(own).replace("j", "a"), "airplane", "truck"}});
}

void TestCifar10::OpenCifar10_classNames_areThoseOfTheFolderOrTheOfficialOnes()
{
    QFETCH(const QByteArray, meta);
    QFETCH(const QByteArray, first);
    QFETCH(const QByteArray, last);
    const SmallFolder data;
    if (!meta.isEmpty()) {
        std::ofstream(data.folder / "batches.meta.txt", std::ios::binary) << meta.toStdString();
    }
    const auto dataset = openCifar10(data.folder.path(), Split::Test);
    const auto& names = dataset->info().classNames;
    QCOMPARE(names.size(), 10U);
    QCOMPARE(names.front(), first.toStdString());
    QCOMPARE(names.back(), last.toStdString());
    const auto lines = dataset->info().account.lines();
    QCOMPARE(
        lines.front().starts_with("batches.meta.txt does not hold ten different names"),
        !meta.isEmpty() && names.front() == "airplane");
}

void TestCifar10::OpenCifar10_missingFolder_isNamed()
{
    const TemporaryFolder folder;
    const auto error = errorOf([&] { openCifar10(folder / "nowhere", Split::Train); });
    QVERIFY(tells(error, ErrorCode::BadInput, (folder / "nowhere").string()));
    QVERIFY(tells(error, ErrorCode::BadInput, "lockstep-train download cifar10"));
}

void TestCifar10::OpenCifar10_missingFile_isNamed()
{
    const SmallFolder data;
    fs::remove(data.folder / "data_batch_4.bin");
    const auto error = errorOf([&] { openCifar10(data.folder.path(), Split::Train); });
    QVERIFY(tells(error, ErrorCode::Data, (data.folder / "data_batch_4.bin").string()));
    const TemporaryFolder empty;
    const auto other = errorOf([&] { openCifar10(empty.path(), Split::Test); });
    QVERIFY(tells(other, ErrorCode::Data, (empty / "test_batch.bin").string()));
}

void TestCifar10::OpenCifar10_folderInPlaceOfFile_isNamed()
{
    const SmallFolder data;
    fs::remove(data.folder / "test_batch.bin");
    fs::create_directory(data.folder / "test_batch.bin");
    const auto error = errorOf([&] { openCifar10(data.folder.path(), Split::Test); });
    QVERIFY(tells(error, ErrorCode::Data, (data.folder / "test_batch.bin").string()));
}

void TestCifar10::OpenCifar10_brokenSize_isExplained_data()
{
    addRows<int, QString, QString>(
        {"bytes", "found", "suggested"},
        {{"empty", 0, "has 0 bytes", "3073 (= 1 × 3073)"},
         {"less than a record", 3072, "has 3072 bytes", "3073 (= 1 × 3073)"},
         {"one byte too many", 6147, "has 6147 bytes", "6146 (= 2 × 3073) or 9219 (= 3 × 3073)"}});
}

void TestCifar10::OpenCifar10_brokenSize_isExplained()
{
    QFETCH(const int, bytes);
    QFETCH(const QString, found);
    QFETCH(const QString, suggested);
    const SmallFolder data(4);
    const auto path = data.folder / "data_batch_3.bin";
    fs::resize_file(path, static_cast<std::uintmax_t>(bytes));
    const auto error = errorOf([&] { openCifar10(data.folder.path(), Split::Train); });
    QVERIFY(tells(error, ErrorCode::Data, path.string()));
    QVERIFY(tells(error, ErrorCode::Data, found.toStdString()));
    QVERIFY(tells(error, ErrorCode::Data, suggested.toStdString()));
}

void TestCifar10::OpenCifar10_labelTen_namesFileRecordAndValue()
{
    const SmallFolder data;
    const auto path = data.folder / "data_batch_2.bin";
    writeCifar10File(path, {patternedCifar10Record(0), constantCifar10Record(10, 1, 2, 3)});
    const auto error = errorOf([&] { openCifar10(data.folder.path(), Split::Train); });
    QVERIFY(tells(error, ErrorCode::Data, path.string()));
    QVERIFY(tells(error, ErrorCode::Data, "record 1 (from 0) has label 10"));
}

void TestCifar10::OpenCifar10_testSplit_ignoresBrokenTrainingFile()
{
    const SmallFolder data;
    fs::resize_file(data.folder / "data_batch_1.bin", 100);
    QCOMPARE(openCifar10(data.folder.path(), Split::Test)->size(), 2);
}

void TestCifar10::LooksLikeCifar10_brokenFolders_areNot()
{
    const SmallFolder data;
    QVERIFY(looksLikeCifar10(data.folder.path()));
    QVERIFY(!looksLikeCifar10(data.folder / "nowhere"));
    fs::resize_file(data.folder / "test_batch.bin", 3074);
    QVERIFY(!looksLikeCifar10(data.folder.path()));
}

void TestCifar10::ValidateCifar10_eitherSplitBroken_throws()
{
    for (const char* name : {"data_batch_5.bin", "test_batch.bin"}) {
        const SmallFolder data;
        validateCifar10(data.folder.path());
        writeCifar10File(data.folder / name, {constantCifar10Record(255, 1, 2, 3)});
        const auto error = errorOf([&] { validateCifar10(data.folder.path()); });
        QVERIFY(tells(error, ErrorCode::Data, name));
    }
}

void TestCifar10::RealCifar10_sizesAndLabelCounts_areTheOfficialOnes_data()
{
    QTest::addColumn<bool>("isTrain");
    QTest::addColumn<int>("examplesPerLabel");
    QTest::newRow("train") << true << 5000;
    QTest::newRow("test") << false << 1000;
}

void TestCifar10::RealCifar10_sizesAndLabelCounts_areTheOfficialOnes()
{
    QFETCH(const bool, isTrain);
    QFETCH(const int, examplesPerLabel);
    if (!fs::exists(testData("cifar-10-batches-bin"))) {
        QSKIP("CIFAR-10 is not in LOCKSTEP_TEST_DATA");
    }
    const auto dataset =
        openCifar10(testData("cifar-10-batches-bin"), isTrain ? Split::Train : Split::Test);
    QCOMPARE(dataset->size(), 10 * examplesPerLabel);
    std::array<int, 10> counts{};
    for (std::int64_t i = 0; i < dataset->size(); ++i) {
        ++counts.at(static_cast<std::size_t>(dataset->example(i).label));
    }
    QVERIFY(std::all_of(
        counts.begin(), counts.end(), [&](int count) { return count == examplesPerLabel; }));
    QCOMPARE(dataset->info().classNames, kOfficialNames);
}

void TestCifar10::RealCifar10_examples_areTheBytesOfTheFiles()
{
    const auto folder = testData("cifar-10-batches-bin");
    if (!fs::exists(folder)) {
        QSKIP("CIFAR-10 is not in LOCKSTEP_TEST_DATA");
    }
    const auto dataset = openCifar10(folder, Split::Train);
    for (const std::int64_t number : {0, 9'999, 10'000, 37'123, 49'999}) {
        std::ifstream file(
            folder / kCifar10Files[static_cast<std::size_t>(number / 10'000)], std::ios::binary);
        file.seekg(number % 10'000 * 3073);
        Cifar10Record record(3073);
        file.read(reinterpret_cast<char*>(record.data()), 3073);
        QVERIFY(hasContent(dataset->example(number), record));
    }
}

LOCKSTEP_TEST(TestCifar10)
#include "test_cifar10.moc"
