// SPDX-License-Identifier: Apache-2.0
#include "dataset/layouts/labelled_files.h"
#include "dataset/numbered_images.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <fmt/core.h>

#include <cmath>
#include <set>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Empty files: nothing but their names is looked at here.
void writeNames(const fs::path& folder, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        write(folder / name, "");
    }
}

void writeClass(const fs::path& folder, int count)
{
    for (int i = 0; i < count; ++i) {
        write(folder / fmt::format("{:02}.jpg", i), "");
    }
}

std::set<std::string> namesOf(const LabelledFiles& labelled)
{
    std::set<std::string> names;
    for (const auto& file : labelled.files) {
        names.insert((labelled.folder / file.name).string());
    }
    return names;
}

std::vector<std::int64_t> countsOf(const LabelledFiles& labelled)
{
    std::vector<std::int64_t> counts(labelled.classNames.size());
    for (const auto& file : labelled.files) {
        ++counts.at(static_cast<std::size_t>(file.label));
    }
    return counts;
}

} // namespace

class TestLabelledFiles : public QObject
{
    Q_OBJECT

private slots:
    void DataPartOf_usualSpellings_areKnown();
    void DrawTested_anyCount_isTheShareAndLeavesOne();
    void Find_flatFolder_isSplitClassByClass();
    void Find_partsOfAnySpelling_areTaken_data();
    void Find_partsOfAnySpelling_areTaken();
    void Find_threeParts_testOnTheWantedOne();
    void Find_trainAlone_isSplit();
    void Find_classNamedTrain_isAClass();
    void Find_folderOfNoKind_isRefused_data();
    void Find_folderOfNoKind_isRefused();
    void Table_anyDialect_isRead_data();
    void Table_anyDialect_isRead();
    void Table_parts_areFollowed();
    void Table_besideItsImages_isFound();
    void Table_badLine_isNamed_data();
    void Table_badLine_isNamed();
};

void TestLabelledFiles::DataPartOf_usualSpellings_areKnown()
{
    for (const char* word : {"train", "Training", "TRAIN"}) {
        QVERIFY(dataPartOf(word) == DataPart::Train);
    }
    for (const char* word : {"val", "Valid", "validation"}) {
        QVERIFY(dataPartOf(word) == DataPart::Validation);
    }
    for (const char* word : {"test", "TESTING"}) {
        QVERIFY(dataPartOf(word) == DataPart::Test);
    }
    for (const char* word : {"", "trains", "values", "tes"}) {
        QVERIFY(!dataPartOf(word));
    }
}

void TestLabelledFiles::DrawTested_anyCount_isTheShareAndLeavesOne()
{
    for (const double share : {0.01, 0.2, 0.5, 0.99}) {
        for (std::size_t count = 2; count < 40; ++count) {
            const SplitRules rules{DataPart::Validation, share, 7};
            const auto tested = rules.drawTested(count, 3);
            QCOMPARE(tested.size(), count);
            const auto drawn = std::count(tested.begin(), tested.end(), true);
            const double wanted = share * static_cast<double>(count);
            QVERIFY(drawn >= 1 && drawn < std::ssize(tested));
            QVERIFY(
                std::abs(static_cast<double>(drawn) - wanted) <= 0.5 || drawn == 1
                || drawn == std::ssize(tested) - 1);
            QVERIFY(tested == rules.drawTested(count, 3));
        }
    }
    // Every example has its turn, equally often: of 400 draws of 2 of 10 each gets 80, give or take
    // five deviations of 8.
    std::vector<int> turns(10);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const auto tested = SplitRules{DataPart::Validation, 0.2, seed}.drawTested(10, 0);
        for (std::size_t i = 0; i < 10; ++i) {
            turns[i] += tested[i] ? 1 : 0;
        }
    }
    for (const int count : turns) {
        QVERIFY2(count > 40 && count < 120, qPrintable(QString::number(count)));
    }
}

void TestLabelledFiles::Find_flatFolder_isSplitClassByClass()
{
    const TemporaryFolder folder;
    writeClass(folder / "cat", 10);
    writeClass(folder / "dog", 5);
    writeClass(folder / "eel", 2);
    writeNames(folder.path(), {"notes/readme.txt", ".git/a.jpg", "cover.jpg"});
    const SplitRules rules;
    const auto training = findLabelledFiles(folder.path(), Split::Train, rules);
    const auto test = findLabelledFiles(folder.path(), Split::Test, rules);
    QCOMPARE(training.classNames, (std::vector<std::string>{"cat", "dog", "eel"}));
    QVERIFY(training.classNames == test.classNames && training.layout == test.layout);
    QCOMPARE(countsOf(training), (std::vector<std::int64_t>{8, 4, 1}));
    QCOMPARE(countsOf(test), (std::vector<std::int64_t>{2, 1, 1}));
    std::set<std::string> all = namesOf(training);
    all.merge(namesOf(test));
    QCOMPARE(all.size(), 17U); // none in both
    QVERIFY(training.layout.find("20 % of each class") != std::string::npos);
    const auto other =
        findLabelledFiles(folder.path(), Split::Test, {DataPart::Validation, 0.2, 2});
    QVERIFY(namesOf(other) != namesOf(test));
    const auto half = findLabelledFiles(folder.path(), Split::Test, {DataPart::Validation, 0.5, 1});
    QCOMPARE(countsOf(half).front(), 5);
}

void TestLabelledFiles::Find_partsOfAnySpelling_areTaken_data()
{
    addTextRows(
        {"train", "test"}, {{"imagenet", "train", "val"},
                            {"capitals", "Training", "Validation"},
                            {"valid", "TRAIN", "valid"},
                            {"test alone", "train", "testing"}});
}

void TestLabelledFiles::Find_partsOfAnySpelling_areTaken()
{
    QFETCH(QString, train);
    QFETCH(QString, test);
    const TemporaryFolder folder;
    const fs::path trainFolder = folder / train.toStdString();
    const fs::path testFolder = folder / test.toStdString();
    writeNames(trainFolder, {"a/1.jpg", "a/2.png", "b/1.jpeg"});
    writeNames(testFolder, {"a/3.jpg", "b/4.jpg"});
    const auto training = findLabelledFiles(folder.path(), Split::Train, {});
    QCOMPARE(training.folder, trainFolder);
    QCOMPARE(countsOf(training), (std::vector<std::int64_t>{2, 1}));
    QCOMPARE(training.files.back().name, std::string("b/1.jpeg"));
    const auto tested = findLabelledFiles(folder.path(), Split::Test, {});
    QCOMPARE(tested.folder, testFolder);
    QCOMPARE(countsOf(tested), (std::vector<std::int64_t>{1, 1}));
}

void TestLabelledFiles::Find_threeParts_testOnTheWantedOne()
{
    const TemporaryFolder folder;
    writeNames(folder.path(), {"train/a/1.jpg", "val/a/2.jpg", "test/a/3.jpg"});
    writeNames(folder.path(), {"train/b/1.jpg", "val/b/2.jpg", "test/b/3.jpg"});
    const auto usual = findLabelledFiles(folder.path(), Split::Test, {});
    QCOMPARE(usual.folder, folder / "val");
    QVERIFY(usual.layout.find("val is tested on, test is held back") != std::string::npos);
    const auto wanted = findLabelledFiles(folder.path(), Split::Test, {DataPart::Test});
    QCOMPARE(wanted.folder, folder / "test");
    QVERIFY(wanted.layout.find("val is held back") != std::string::npos);
}

void TestLabelledFiles::Find_trainAlone_isSplit()
{
    const TemporaryFolder folder;
    writeClass(folder / "train/cat", 5);
    writeClass(folder / "train/dog", 5);
    QCOMPARE(
        countsOf(findLabelledFiles(folder.path(), Split::Train, {})),
        (std::vector<std::int64_t>{4, 4}));
    QCOMPARE(
        countsOf(findLabelledFiles(folder.path(), Split::Test, {})),
        (std::vector<std::int64_t>{1, 1}));
}

void TestLabelledFiles::Find_classNamedTrain_isAClass()
{
    const TemporaryFolder folder;
    writeClass(folder / "bus", 2);
    writeClass(folder / "train", 2);
    QCOMPARE(
        findLabelledFiles(folder.path(), Split::Train, {}).classNames,
        (std::vector<std::string>{"bus", "train"}));
}

void TestLabelledFiles::Find_folderOfNoKind_isRefused_data()
{
    addRows<QStringList, QString>(
        {"names", "text"}, {{"nothing", {}, "holds one class or none"},
                            {"images alone", {"a.jpg", "b.jpg"}, "holds one class or none"},
                            {"one class", {"cat/1.jpg", "cat/2.jpg"}, "holds one class or none"},
                            {"a class of one image",
                             {"cat/1.jpg", "cat/2.jpg", "dog/1.jpg", "eel/1.jpg"},
                             "fewer than two images of class dog, eel;"},
                            {"no train", {"val/cat/1.jpg"}, "holds val, but nothing to train on"},
                            {"two spellings",
                             {"train/cat/1.jpg", "Training/cat/1.jpg"},
                             "holds both Training and train"},
                            {"class of training alone",
                             {"train/cat/1.jpg", "train/dog/1.jpg", "val/cat/1.jpg"},
                             "val: lacks a folder for dog"}});
}

void TestLabelledFiles::Find_folderOfNoKind_isRefused()
{
    QFETCH(QStringList, names);
    QFETCH(QString, text);
    const TemporaryFolder folder;
    for (const QString& name : names) {
        writeNames(folder.path(), {name.toStdString()});
    }
    const auto error = errorOf([&] { findLabelledFiles(folder.path(), Split::Train, {}); });
    QVERIFY2(tells(error, ErrorCode::BadInput, folder.path().string()), "the place");
    QVERIFY2(tells(error, ErrorCode::BadInput, text.toStdString()), error ? error->what() : "");
    const auto nowhere = errorOf([&] { findLabelledFiles(folder / "no", Split::Train, {}); });
    QVERIFY(tells(nowhere, ErrorCode::BadInput, "this folder does not exist"));
}

void TestLabelledFiles::Table_anyDialect_isRead_data()
{
    const QString plain = "i/a.jpg,9\ni/b.jpg,10\ni/c.jpg,9\ni/d, e.jpg,10\n";
    const auto quoted = QString(plain).replace("i/d, e.jpg", "\"i/d, e.jpg\"");
    addTextRows(
        {"table"},
        {{"plain", qUtf8Printable(quoted)},
         {"heading", qUtf8Printable("path,label\n" + quoted)},
         {"Windows", qUtf8Printable("\uFEFFpath,label\n" + QString(quoted).replace("\n", "\r\n"))},
         {"semicolons", "i/a.jpg;9\n\ni/b.jpg ; 10\n./i/c.jpg;\"9\"\ni/d, e.jpg;10"},
         {"tabs", "path\tlabel\ni/a.jpg\t9\ni/b.jpg\t10\ni/c.jpg\t9\ni/d, e.jpg\t10\n"}});
}

void TestLabelledFiles::Table_anyDialect_isRead()
{
    QFETCH(QString, table);
    const TemporaryFolder folder;
    writeNames(folder / "i", {"a.jpg", "b.jpg", "c.jpg", "d, e.jpg"});
    write(folder / "table.csv", table.toStdString());
    std::set<std::string> all;
    for (const Split split : {Split::Train, Split::Test}) {
        const auto labelled = findLabelledFiles(folder / "table.csv", split, {});
        QCOMPARE(labelled.classNames, (std::vector<std::string>{"9", "10"})); // as numbers
        QCOMPARE(countsOf(labelled), (std::vector<std::int64_t>{1, 1}));
        for (const auto& file : labelled.files) {
            QCOMPARE(file.label, file.name == "i/a.jpg" || file.name == "i/c.jpg" ? 0 : 1);
            QVERIFY(all.insert(file.name).second);
        }
    }
    QVERIFY(all.contains("i/d, e.jpg"));
}

void TestLabelledFiles::Table_parts_areFollowed()
{
    const TemporaryFolder folder;
    writeNames(folder.path(), {"a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"});
    write(
        folder / "t.csv",
        "a.jpg,x,train\nb.jpg,y,Training\nc.jpg,x,val\nd.jpg,y,test\ne.jpg,x,test\n");
    const auto namesIn = [&](Split split, DataPart tested) {
        return namesOf(findLabelledFiles(folder / "t.csv", split, {tested}));
    };
    const auto at = [&](const char* name) { return (folder / name).string(); };
    for (const DataPart tested : {DataPart::Validation, DataPart::Test}) {
        QCOMPARE(namesIn(Split::Train, tested), (std::set<std::string>{at("a.jpg"), at("b.jpg")}));
    }
    QCOMPARE(namesIn(Split::Test, DataPart::Validation), (std::set<std::string>{at("c.jpg")}));
    QCOMPARE(
        namesIn(Split::Test, DataPart::Test), (std::set<std::string>{at("d.jpg"), at("e.jpg")}));
}

void TestLabelledFiles::Table_besideItsImages_isFound()
{
    const TemporaryFolder folder;
    writeNames(folder / "images", {"a.jpg", "b.jpg", "c.jpg", "d.jpg"});
    write(folder / "l.csv", "images/a.jpg,x\nimages/b.jpg,y\nimages/c.jpg,x\nimages/d.jpg,y\n");
    QCOMPARE(
        findLabelledFiles(folder.path(), Split::Train, {}).classNames,
        (std::vector<std::string>{"x", "y"}));
}

void TestLabelledFiles::Table_badLine_isNamed_data()
{
    addTextRows(
        {"table", "text"},
        {{"one field", "a.jpg,x\nb.jpg\n", "t.csv, line 2: 'b.jpg' is not a path and a label"},
         {"four fields", "a.jpg,x,train,y\n", "t.csv, line 1: "},
         {"no label", "a.jpg,x\nb.jpg,\n", "t.csv, line 2: "},
         {"no image", "path,label\na.jpg,x\n\nz.jpg,x\n", "t.csv, line 4: there is no image"},
         {"no photograph", "a.jpg,x\nt.csv,x\n", "t.csv, line 2: there is no image 't.csv'"},
         {"twice", "a.jpg,x\nb.jpg,y\n./a.jpg,y\n", "line 3: './a.jpg' is in line 1 already"},
         {"unknown part", "a.jpg,x,train\nb.jpg,x,tset\n", "line 2: 'tset' is none of train"},
         {"some parts", "a.jpg,x,train\nb.jpg,x\n", "line 2: either all lines say train"},
         {"no test", "a.jpg,x,train\nb.jpg,y,train\n", "t.csv: no line says val or test"},
         {"no training", "a.jpg,x,test\nb.jpg,y,test\n", "t.csv: no line says train"},
         {"untrained class", "a.jpg,x,train\nb.jpg,y,test\nc.jpg,x,test\n",
          "no image to train on of class y"},
         {"class of one", "a.jpg,x\nb.jpg,x\nc.jpg,y\n", "fewer than two images of class y"},
         {"one class", "a.jpg,x\nb.jpg,x\n", "holds one class or none"},
         {"empty", "path,label\n", "t.csv: names no images"}});
}

void TestLabelledFiles::Table_badLine_isNamed()
{
    QFETCH(QString, table);
    QFETCH(QString, text);
    const TemporaryFolder folder;
    writeNames(folder.path(), {"a.jpg", "b.jpg", "c.jpg"});
    write(folder / "t.csv", table.toStdString());
    const auto error = errorOf([&] { findLabelledFiles(folder / "t.csv", Split::Train, {}); });
    QVERIFY2(tells(error, ErrorCode::BadInput, text.toStdString()), error ? error->what() : "");
    QVERIFY(tells(error, ErrorCode::BadInput, (folder / "t.csv").string()));
}

LOCKSTEP_TEST(TestLabelledFiles)
#include "test_labelled_files.moc"
