// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "dataset/formats/image_record.h"
#include "dataset/formats/tfrecord.h"
#include "dataset/numbered_images.h"
#include "dataset/record_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "support/text_rows.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Three shards with two records each; image and label tell the number of a record.
void writeSmallShards(const fs::path& folder)
{
    for (int shard = 0; shard < 3; ++shard) {
        std::vector<std::string> records;
        for (int i = 0; i < 2; ++i) {
            const int number = shard * 2 + i + 1;
            records.push_back(imageExample(numbered(10 * number, 24, 40), number));
        }
        write(folder / ("train-0000" + std::to_string(shard) + "-of-00003"), framed(records));
    }
    write(folder / "validation-00000-of-00001", framed({imageExample(numbered(90), 2)}));
    write(folder / "labels.txt", "not a record");
}

ImageRecord parsed(const std::string& bytes)
{
    ImageRecord record;
    parseImageRecord(asBytes(bytes), "train-0, record 7", record);
    return record;
}

} // namespace

class TestTfRecord : public QObject
{
    Q_OBJECT

private slots:
    void Parse_allFeatures_areRead();
    void Parse_optionalFeatures_mayBeMissing();
    void Parse_refused_data();
    void Parse_refused();
    void Open_shards_areOneSetInTheOrderOfNames();
    void Open_labelOffset_isAdded();
    void Open_patternWithoutMatch_isRefused();
    void Open_textsOfALabel_areNamesOrTold_data();
    void Open_textsOfALabel_areNamesOrTold();
    void Open_damaged_data();
    void Open_damaged();
    void Read_fileThatWasChanged_isNamed();
    void Open_flowers_isWhole();
    void Open_recordsWithoutLabel_areRefusedByName();
};

void TestTfRecord::Parse_allFeatures_areRead()
{
    const ImageRecord record = parsed(example(
        bytesFeature("image/encoded", "abc") + integerFeature("image/class/label", 812)
        + bytesFeature("image/class/text", "space shuttle") + integerFeature("image/height", 7)
        + floatFeature("image/object/bbox/xmin", {0.1F, 0.9F, 0.5F})
        + floatFeature("image/object/bbox/xmax", {0.4F, 0.2F, 0.5F})
        + floatFeature("image/object/bbox/ymin", {0.2F, -1.0F, 0.1F})
        + floatFeature("image/object/bbox/ymax", {0.8F, 2.0F, 0.9F})));
    QCOMPARE(record.label, 812);
    QCOMPARE(record.text, std::string("space shuttle"));
    QCOMPARE(record.image.file.size(), 3U);
    QCOMPARE(record.image.file[1], std::byte{'b'});
    // The second one's sides are exchanged and reach out of the image, the third one has no area.
    const std::vector<ObjectBox> expected{{0.2F, 0.1F, 0.8F, 0.4F}, {0.0F, 0.2F, 1.0F, 0.9F}};
    QVERIFY(record.image.boxes == expected);
}

void TestTfRecord::Parse_optionalFeatures_mayBeMissing()
{
    const ImageRecord record = parsed(imageExample("abc", -1));
    QCOMPARE(record.label, -1);
    QVERIFY(record.text.empty());
    QVERIFY(record.image.boxes.empty());
}

void TestTfRecord::Parse_refused_data()
{
    QTest::addColumn<QByteArray>("record");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const std::string& record, const char* text) {
        QTest::newRow(name) << QByteArray::fromStdString(record) << QString(text);
    };
    row("text", "hello there", "is not a tf.train.Example");
    row("nothing", "", "has no image (image/encoded)");
    row("no label", example(bytesFeature("image/encoded", "abc")), "has no label");
    row("label as text",
        example(bytesFeature("image/encoded", "a") + bytesFeature("image/class/label", "3")),
        "image/class/label has another type than expected (bytes, not int64)");
    row("label as a fraction",
        example(bytesFeature("image/encoded", "a") + floatFeature("image/class/label", {3.0F})),
        "(float, not int64)");
    row("image as a number",
        example(integerFeature("image/encoded", 7) + integerFeature("image/class/label", 3)),
        "image/encoded has another type than expected (int64, not bytes)");
    row("three labels",
        example(
            bytesFeature("image/encoded", "a")
            + feature("image/class/label", 3, field(1, std::string("\2\0\1", 3)))),
        "has 3 labels (image/class/label), but one is read");
    row("two images",
        example(
            feature("image/encoded", 1, field(1, "a") + field(1, "b"))
            + integerFeature("image/class/label", 3)),
        "has 2 images (image/encoded)");
    row("a list of labels without one",
        example(bytesFeature("image/encoded", "a") + feature("image/class/label", 3, "")),
        "has no label (image/class/label)");
    row("features of other names", example(bytesFeature("image", "a") + integerFeature("label", 3)),
        "has no image (image/encoded) among its features (image, label)");
    row("sides", imageExample("a", 1, floatFeature("image/object/bbox/xmin", {0.1F})),
        "0 ymin, 1 xmin, 0 ymax and 0 xmax");
}

void TestTfRecord::Parse_refused()
{
    QFETCH(QByteArray, record);
    QFETCH(QString, text);
    const auto error = errorOf([&] { parsed(record.toStdString()); });
    QVERIFY(tells(error, ErrorCode::Data, "train-0, record 7: "));
    QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error->what());
}

void TestTfRecord::Open_shards_areOneSetInTheOrderOfNames()
{
    const TemporaryFolder folder;
    writeSmallShards(folder.path());
    const auto dataset = openTfRecords(folder.path(), Split::Train, {});
    QCOMPARE(dataset->size(), 6);
    for (int i : {5, 0, 3, 1, 4, 2}) { // in any order
        QCOMPARE(numberOf(*dataset, i), 10 * (i + 1));
        QCOMPARE(dataset->example(i).label, i + 1);
    }
    QCOMPARE(dataset->exampleName(3), std::string("train-00001-of-00003, record 1"));
    QCOMPARE(dataset->info().classNames.size(), 7U); // 0 is the background of ImageNet
    QCOMPARE(dataset->info().classNames[6], std::string("6"));
    QCOMPARE(dataset->largest().pixels, 24 * 40);
    const auto tested = openDataset({"tfrecord", folder.path()}, Split::Test);
    QCOMPARE(tested->size(), 1);
    QCOMPARE(tested->example(0).label, 2);
}

void TestTfRecord::Open_labelOffset_isAdded()
{
    const TemporaryFolder folder;
    writeSmallShards(folder.path());
    const auto dataset =
        openTfRecords(folder.path(), Split::Train, {DamagedImages::Refuse, "{split}-*", -1});
    QCOMPARE(dataset->example(0).label, 0);
    QCOMPARE(examplesPerClass(*dataset), (std::vector<std::int64_t>(6, 1)));
    for (const DamagedImages damaged : {DamagedImages::Refuse, DamagedImages::Skip}) {
        const auto error = errorOf([&] {
            openTfRecords(folder.path(), Split::Train, {damaged, "{split}-*", -2});
        });
        QVERIFY(tells(error, ErrorCode::BadInput, "record 0: its label is 1"));
        QVERIFY(tells(error, ErrorCode::BadInput, "dataset.label_offset -2"));
    }
}

void TestTfRecord::Open_patternWithoutMatch_isRefused()
{
    const TemporaryFolder folder;
    writeSmallShards(folder.path());
    const EncodedDataSettings settings{DamagedImages::Refuse, "flowers_{split}_*"};
    auto error = errorOf([&] { openTfRecords(folder.path(), Split::Test, settings); });
    QVERIFY(
        tells(error, ErrorCode::BadInput, "fits 'flowers_{split}_*' with validation, val or test"));
    error = errorOf([&] { openTfRecords(folder / "none", Split::Test, {}); });
    QVERIFY(tells(error, ErrorCode::BadInput, "this folder does not exist"));
}

void TestTfRecord::Open_textsOfALabel_areNamesOrTold_data()
{
    addTextRows(
        {"records", "names", "told"},
        {{"one text each", "0:ant 1:bee 0:ant", "ant bee", ""},
         {"some without", "0: 0:ant 1: 0:", "ant 1", ""},
         {"one text of two labels", "0:crane 1:crane", "crane crane", ""},
         {"a rare one first", "1:ant 1:bee 1:bee 0:ant", "ant bee",
          "label 1 is 'bee' in 2 records, but 'ant' in 1 (train-0, record 0): the numbers count"},
         {"as often", "0:b 0:a", "b",
          "label 0 is 'b' in 1 records, but 'a' in 1 (train-0, record 1): the numbers count"},
         {"several labels", "0:a 0:b 1:c 1:d 2:e", "a c e",
          "label 0 is 'a' in 1 records, but 'b' in 1 (train-0, record 1): the numbers count; 2 "
          "labels have several names"}});
}

void TestTfRecord::Open_textsOfALabel_areNamesOrTold()
{
    QFETCH(const QString, records);
    QFETCH(const QString, names);
    QFETCH(const QString, told);
    const TemporaryFolder folder;
    std::vector<std::string> examples;
    for (const QString& each : records.split(' ')) {
        const std::string text = each.section(':', 1).toStdString();
        examples.push_back(imageExample(
            numbered(10), each.section(':', 0, 0).toInt(),
            text.empty() ? "" : bytesFeature("image/class/text", text)));
    }
    write(folder / "train-0", framed(examples));
    const auto dataset = openTfRecords(folder.path(), Split::Train, {});
    QStringList found;
    for (const std::string& name : dataset->info().classNames) {
        found.append(QString::fromStdString(name));
    }
    QCOMPARE(found.join(' '), names);
    const auto lines = dataset->info().account.lines();
    QCOMPARE(lines.empty() ? QString() : QString::fromStdString(lines.front()), told);
    QCOMPARE(lines.size(), told.isEmpty() ? 0U : 1U);
}

// The second of three records is damaged in one way or another.
void TestTfRecord::Open_damaged_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("left");
    const std::string first = framed({imageExample(numbered(10), 1)});
    const std::string second = framed({imageExample(numbered(20), 1)});
    const std::string third = framed({imageExample(numbered(30), 1)});
    const auto row = [&](const char* name, const std::string& damaged, const char* text,
                         const QList<int>& left) {
        QTest::newRow(name) << QByteArray::fromStdString(damaged) << QString(text) << left;
    };
    std::string changed = second;
    changed[second.size() / 2] = static_cast<char>(changed[second.size() / 2] ^ 1);
    row("content", first + changed + third, "its content does not match its checksum", {10, 30});
    changed = second;
    changed[0] = static_cast<char>(changed[0] ^ 1);
    row("length", first + changed + third, "its length does not match its checksum", {10});
    row("cut short", first + second.substr(0, second.size() - 1), "the file ends within", {10});
    row("cut in its head", first + second.substr(0, 5), "the file ends within", {10});
    row("no message", first + framed({"hello there"}) + third, "is not a tf.train.Example",
        {10, 30});
    row("no image", first + framed({imageExample("hello", 1)}) + third, "is not a JPEG", {10, 30});
}

void TestTfRecord::Open_damaged()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, text);
    QFETCH(QList<int>, left);
    const TemporaryFolder folder;
    write(folder / "train-0", file.toStdString());
    const auto error =
        errorOf([&] { openTfRecords(folder.path(), Split::Train, {DamagedImages::Refuse}); });
    QVERIFY(tells(error, ErrorCode::Data, "train-0, record 1: "));
    QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error->what());
    const auto dataset = openTfRecords(folder.path(), Split::Train, {DamagedImages::SkipAll});
    QCOMPARE(
        dataset->info().account.lines(),
        std::vector<std::string>{"1 file left out: 1 that can't be used (train-0, record 1)"});
    QCOMPARE(dataset->leftOut().size(), 1U);
    QCOMPARE(dataset->leftOut()[0], std::string(error->what()));
    QList<int> numbers;
    for (std::int64_t i = 0; i < dataset->size(); ++i) {
        numbers.append(numberOf(*dataset, i));
    }
    QCOMPARE(numbers, left);
    // How many there were behind it nobody knows: one in a hundred says nothing.
    const auto skipped =
        errorOf([&] { openTfRecords(folder.path(), Split::Train, {DamagedImages::Skip}); });
    QCOMPARE(
        tells(skipped, ErrorCode::Data, "what follows in this file is lost"), left.size() == 1);
}

void TestTfRecord::Read_fileThatWasChanged_isNamed()
{
    const TemporaryFolder folder;
    writeSmallShards(folder.path());
    const auto dataset = openTfRecords(folder.path(), Split::Train, {});
    std::fstream file(
        folder / "train-00000-of-00003", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(300);
    file << "changed";
    file.close();
    const auto error = errorOf([&] { numberOf(*dataset, 0); });
    QVERIFY(tells(error, ErrorCode::Data, "train-00000-of-00003, record 0: does not match"));
    QCOMPARE(numberOf(*dataset, 2), 30);
}

void TestTfRecord::Open_flowers_isWhole()
{
    const fs::path folder = testData("tfrecord-sample");
    if (!fs::exists(folder)) {
        QSKIP("tfrecord-sample is not there (LOCKSTEP_TEST_DATA)");
    }
    const EncodedDataSettings settings{DamagedImages::Skip, "flowers_*.tfrecord"};
    const auto dataset = openTfRecords(folder, Split::Test, settings);
    QVERIFY(dataset->leftOut().empty());
    QCOMPARE(dataset->info().classNames.size(), 5U); // daisy to tulips
    QVERIFY(dataset->size() > 10);
    for (std::int64_t i = 0; i < dataset->size(); i += 7) {
        EncodedImage encoded;
        dataset->read(i, encoded);
        ColourImage image;
        decodeColours(encoded.file, dataset->fullName(i), {}, image);
        QVERIFY(image.height * image.width <= dataset->largest().pixels);
        QVERIFY(image.height >= 100 && image.width >= 100);
    }
    const auto single =
        openTfRecords(folder, Split::Test, {DamagedImages::Refuse, "cifar10_train.tfrecord"});
    QCOMPARE(single->size(), 1);
    QCOMPARE(single->largest().pixels, 32 * 32); // a PNG
}

void TestTfRecord::Open_recordsWithoutLabel_areRefusedByName()
{
    const fs::path folder = testData("tfrecord-sample");
    if (!fs::exists(folder)) {
        QSKIP("tfrecord-sample is not there (LOCKSTEP_TEST_DATA)");
    }
    const EncodedDataSettings settings{DamagedImages::Refuse, "pets_examples.record"};
    const auto error = errorOf([&] { openTfRecords(folder, Split::Train, settings); });
    QVERIFY(tells(
        error, ErrorCode::Data,
        "pets_examples.record, record 0: has no label (image/class/label)"));
}

LOCKSTEP_TEST(TestTfRecord)
#include "test_tfrecord.moc"
