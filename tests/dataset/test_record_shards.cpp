// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/record_shards.h"
#include "dataset/numbered_images.h"
#include "dataset/record_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Files by name, with blanks between them; "NAME=text" and the like are no records.
void writeRecords(const TemporaryFolder& folder, const QString& files)
{
    const std::map<QString, std::string> kinds{
        {"", framed({"anything"})},
        {"empty", ""},
        {"text", "path,label\na.jpg,ant\n"},
        {"gzip", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3", 10)},
        {"zlib", "\x78\x9c\x63\x60\x60"},
        {"zstd", "\x28\xb5\x2f\xfd and more"},
        {"tar", std::string(512, 'x')}};
    for (const QString& file : files.split(' ', Qt::SkipEmptyParts)) {
        write(folder / file.section('=', 0, 0).toStdString(), kinds.at(file.section('=', 1, 1)));
    }
}

EncodedDataSettings settingsOf(const QString& pattern, const QString& testOn = {})
{
    EncodedDataSettings settings;
    settings.pattern = pattern.toStdString();
    settings.rules.tested = testOn == "test" ? DataPart::Test : DataPart::Validation;
    return settings;
}

QString namesOf(const TemporaryFolder& folder, const RecordShards& shards)
{
    QStringList names;
    for (const auto& file : shards.files) {
        names.append(QString::fromStdString(file.lexically_relative(folder.path()).string()));
    }
    return names.join(' ');
}

} // namespace

class TestRecordShards : public QObject
{
    Q_OBJECT

private slots:
    void Names_thatPeopleGive_areFound_data();
    void Names_thatPeopleGive_areFound();
    void Names_thatAllowTwoReadings_areRefused_data();
    void Names_thatAllowTwoReadings_areRefused();
    void Account_tellsWhatIsOdd_data();
    void Account_tellsWhatIsOdd();
    void TestFiles_besideValidation_areHeldBackOrWanted();
};

void TestRecordShards::Names_thatPeopleGive_areFound_data()
{
    addTextRows(
        {"files", "pattern", "training", "test"},
        {{"ImageNet", "train-00000-of-00001 validation-00000-of-00001", "auto",
          "train-00000-of-00001", "validation-00000-of-00001"},
         {"val", "train-0 train-1 val-0", "auto", "train-0 train-1", "val-0"},
         {"valid", "training_0.tfrec valid_0.tfrec", "auto", "training_0.tfrec", "valid_0.tfrec"},
         {"one file each", "train.tfrecord test.tfrecord", "auto", "train.tfrecord",
          "test.tfrecord"},
         {"TFDS",
          "mnist-train.tfrecord-00000-of-00002 mnist-train.tfrecord-00001-of-00002 "
          "mnist-test.tfrecord-00000-of-00001 dataset_info.json=text features.json=text",
          "auto", "mnist-train.tfrecord-00000-of-00002 mnist-train.tfrecord-00001-of-00002",
          "mnist-test.tfrecord-00000-of-00001"},
         {"counted", "train00-120.tfrec train01-98.tfrec val00-33.tfrec", "auto",
          "train00-120.tfrec train01-98.tfrec", "val00-33.tfrec"},
         {"in any case", "Train_0.TFRecords VAL_0.TFRecords", "auto", "Train_0.TFRecords",
          "VAL_0.TFRecords"},
         {"folders", "train/00.tfrec train/01.tfrec val/00.tfrec notes/a.txt=text", "auto",
          "train/00.tfrec train/01.tfrec", "val/00.tfrec"},
         {"a name that is no ending", "train-v1.0-a val-v1.0-a", "auto", "train-v1.0-a",
          "val-v1.0-a"},
         {"lists beside", "train-0 val-0 train.csv=text train_labels.txt=text val.tar=tar", "auto",
          "train-0", "val-0"},
         {"another data set that is held back", "train-0 val-0 more-test-0", "auto", "train-0",
          "val-0"},
         {"a list that is called as two", "train-0 test-0 train_val_split.json=text", "auto",
          "train-0", "test-0"},
         {"a list that is called as a split", "train-0 test-0 val.csv=text", "auto", "train-0",
          "test-0"},
         {"any ending with records in it", "train.bin val.bin", "auto", "train.bin", "val.bin"},
         {"a pattern", "a-train-0 b-train-0 a-val-0 b-validation-0", "a-{split}-*", "a-train-0",
          "a-val-0"},
         {"a pattern from the start", "train_0 val_0", "{split}*", "train_0", "val_0"},
         {"a word within a word", "trainset.0 valset.0", "{split}set.*", "trainset.0", "valset.0"},
         {"a pattern of folders", "a/train/0 a/val/0", "a/{split}*", "", ""},
         {"a pattern with a slash", "x/train-0 x/val-0 train-1", "x/{split}-*", "x/train-0",
          "x/val-0"},
         {"without a split", "flowers-0 flowers-1 birds-0", "flowers-*", "flowers-0 flowers-1",
          "flowers-0 flowers-1"},
         {"words within words", "retrained-latest-val-0 retrained-latest-train-0", "*{split}*",
          "retrained-latest-train-0", "retrained-latest-val-0"},
         {"a word that holds another", "latest-train-0 latest-val-0", "*{split}*", "latest-train-0",
          "latest-val-0"}});
}

void TestRecordShards::Names_thatPeopleGive_areFound()
{
    QFETCH(const QString, files);
    QFETCH(const QString, pattern);
    const TemporaryFolder folder;
    writeRecords(folder, files);
    for (const Split split : {Split::Train, Split::Test}) {
        QFETCH(const QString, training);
        QFETCH(const QString, test);
        QString found;
        const auto error = errorOf([&] {
            found = namesOf(folder, findRecordShards(folder.path(), split, settingsOf(pattern)));
        });
        QCOMPARE(found, split == Split::Train ? training : test);
        QVERIFY(!error || tells(error, ErrorCode::BadInput, "no record file's name fits"));
    }
}

void TestRecordShards::Names_thatAllowTwoReadings_areRefused_data()
{
    addTextRows(
        {"files", "pattern", "text"},
        {{"two conversions",
          "train-00000-of-00002 train-00001-of-00002 train-00000-of-00001 val-00000-of-00001",
          "auto", "two conversions lie side by side"},
         {"two conversions by a pattern", "a_train_0_of_3 a_train_0_of_1", "a_{split}_*",
          "dataset.pattern"},
         {"two conversions with an ending",
          "train.tfrecord-00000-of-00002 train.tfrecord-00000-of-00004", "auto",
          "train.tfrecord-*-of-00002 and train.tfrecord-*-of-00004"},
         {"one, its number written in two ways", "train-0-of-2 train-00001-of-00002", "auto",
          "two conversions"},
         {"two data sets", "birds-train-0 flowers-train-0", "auto",
          "begin with 'birds-' and with 'flowers-'"},
         {"a data set to train on, another one to test on",
          "birds_train_0.tfrecord flowers_val_0.tfrecord", "auto",
          "begin with 'birds_' and with 'flowers_'"},
         {"two words", "train-0 training-0", "auto", "both train-0 and training-0"},
         {"two splits in a name", "train-test-0", "auto", "its name says train and test"},
         {"gzip", "train-00000-of-00001=gzip", "auto", "is compressed (gzip); unpack it"},
         {"gzip with its ending", "train.tfrecord.gz=gzip", "auto", "is compressed (gzip)"},
         {"zlib", "train-0=zlib", "auto", "is compressed (zlib)"},
         {"zstd by a pattern", "x-0.tfrecord=zstd", "x-*", "is compressed (zstd)"},
         {"nothing", "", "auto", "no record file's name says train"},
         {"only others", "train.csv=text train.tar=tar", "auto", "1 .csv (train.csv), 1 .tar"},
         {"only without a byte", "train-0=empty", "auto", "1 without a byte (train-0)"},
         {"another pattern", "train-0", "a-{split}-*", "fits 'a-{split}-*' with train"},
         {"Parquet", "train-00000-of-00001.parquet=text", "auto", "1 .parquet"}});
}

void TestRecordShards::Names_thatAllowTwoReadings_areRefused()
{
    QFETCH(const QString, files);
    QFETCH(const QString, pattern);
    QFETCH(const QString, text);
    const TemporaryFolder folder;
    writeRecords(folder, files);
    const auto error =
        errorOf([&] { findRecordShards(folder.path(), Split::Train, settingsOf(pattern)); });
    QVERIFY(tells(error, ErrorCode::BadInput, folder.path().string(), text.toStdString()));
    QVERIFY(error->what() != std::string() && std::string(error->what()).find("damaged") > 999);
}

void TestRecordShards::Account_tellsWhatIsOdd_data()
{
    addTextRows(
        {"files", "account"},
        {{"nothing", "train-0 val-0 train-1", ""},
         {"whole", "train-00000-of-00002 train-00001-of-00002", ""},
         {"whole, counted from 1", "train-1-of-2 train-2-of-2", ""},
         {"two of four", "train-00000-of-00004 train-00002-of-00004",
          "2 of the 4 files train-*-of-00004 are missing: number 1, 3"},
         {"the first", "train.tfrecord-00001-of-00002",
          "1 of the 2 files train.tfrecord-*-of-00002 are missing: number 0"},
         {"many", "train-00007-of-01024.tfrecord",
          "1023 of the 1024 files train-*-of-01024.tfrecord are missing: number 0, 1, 2, 3, 4, 5, "
          "6, 8, …"},
         {"without a byte", "train-00000-of-00002 train-00001-of-00002=empty",
          "1 file left out: 1 without a byte (train-00001-of-00002)"},
         {"one without a byte, one missing", "train-0-of-3 train-1-of-3=empty",
          "1 file left out: 1 without a byte (train-1-of-3)|1 of the 3 files train-*-of-3 are "
          "missing: number 2"},
         {"two kinds", "train-00000-of-00001 train.tfrecord",
          "the train files are named in 2 ways, such as train-00000-of-00001 and train.tfrecord: "
          "if these hold the same images, name one kind alone (dataset.pattern)"},
         {"other files", "train-0 a.json=text b.json=text README=text .x=text",
          "4 files left out: 2 .json (a.json), 1 hidden (.x), 1 without an ending (README)"},
         {"records of no split", "train-0 extra.tfrecord",
          "1 file left out: 1 of records that dataset.pattern does not name (extra.tfrecord)"},
         {"in a folder", "train/0-of-3 train/2-of-3",
          "1 of the 3 files train/*-of-3 are missing: number 1"}});
}

void TestRecordShards::Account_tellsWhatIsOdd()
{
    QFETCH(const QString, files);
    QFETCH(const QString, account);
    const TemporaryFolder folder;
    writeRecords(folder, files);
    const auto lines =
        findRecordShards(folder.path(), Split::Train, settingsOf("auto")).account.lines();
    QStringList told;
    for (const std::string& line : lines) {
        told.append(QString::fromStdString(line));
    }
    QCOMPARE(told.join('|'), account);
}

void TestRecordShards::TestFiles_besideValidation_areHeldBackOrWanted()
{
    const TemporaryFolder folder;
    writeRecords(folder, "train-0 val-0 test-0");
    const auto found = [&](const QString& testOn) {
        return findRecordShards(folder.path(), Split::Test, settingsOf("auto", testOn));
    };
    QCOMPARE(namesOf(folder, found("validation")), QString("val-0"));
    QCOMPARE(
        found("validation").layout,
        std::string("files of records; val is tested on, test is held back"));
    QCOMPARE(namesOf(folder, found("test")), QString("test-0"));
    writeRecords(folder, "validation-0");
    QVERIFY(tells(
        errorOf([&] { found("validation"); }), ErrorCode::BadInput, "both val-0 and validation-0"));
    QCOMPARE(namesOf(folder, found("test")), QString("test-0"));
    std::filesystem::create_symlink("nowhere", folder / "train-1");
    const auto lines =
        findRecordShards(folder.path(), Split::Train, settingsOf("auto")).account.lines();
    QCOMPARE(lines.at(0), std::string("1 file left out: 1 that can't be read (train-1)"));
}

LOCKSTEP_TEST(TestRecordShards)
#include "test_record_shards.moc"
