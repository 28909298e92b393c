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

void writeClass(const fs::path& folder, int count)
{
    for (int i = 0; i < count; ++i) {
        write(folder / fmt::format("{:02}.jpg", i), "");
    }
}

/// A file whose name ends in "=jpg", "=png" or "=bmp" gets the first bytes of one, and the name
/// before it; "->" makes a link.
void layOut(const fs::path& folder, const QStringList& files)
{
    for (const QString& file : files) {
        const QStringList link = file.split(QStringLiteral("->"));
        const QStringList kind = file.split(u'=');
        const std::string name = (link.size() > 1 ? link : kind).first().toStdString();
        if (link.size() > 1) {
            fs::create_directories((folder / name).parent_path());
            fs::create_symlink(link.last().toStdString(), folder / name);
        } else if (name.ends_with('/')) {
            fs::create_directories(folder / name);
        } else {
            const std::string bitmap =
                std::string("BM\x46\0\0\0\0\0\0\0\x36\0\0\0", 14) + std::string("\x28\0\0\0", 4);
            write(
                folder / name, kind.last() == QStringLiteral("jpg") ? "\xFF\xD8\xFF\xE0 and so on"
                               : kind.last() == QStringLiteral("png")
                                   ? "\x89PNG\r\n\x1A\n and so on"
                               : kind.last() == QStringLiteral("bmp") ? bitmap
                                                                      : "text");
        }
    }
}

std::vector<std::int64_t> countsOf(const LabelledFiles& labelled)
{
    std::vector<std::int64_t> counts(labelled.classNames.size());
    for (const auto& file : labelled.files) {
        ++counts.at(static_cast<std::size_t>(file.label));
    }
    return counts;
}

/// "ant 3, bee 2": the classes and how many images of them both splits have.
QString classesOf(const fs::path& place, const SplitRules& rules = {})
{
    const auto training = findLabelledFiles(place, Split::Train, rules);
    auto counts = countsOf(training);
    const auto ofTest = countsOf(findLabelledFiles(place, Split::Test, rules));
    QStringList classes;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        classes.append(QStringLiteral("%1 %2")
                           .arg(QString::fromStdString(training.classNames[i]))
                           .arg(counts[i] + ofTest[i]));
    }
    return classes.join(QStringLiteral(", "));
}

/// What the account says, a line each.
QString accountOf(const fs::path& place)
{
    QStringList lines;
    for (const std::string& line : findLabelledFiles(place, Split::Train, {}).account.lines()) {
        lines.append(QString::fromStdString(line));
    }
    return lines.join(u'\n');
}

std::set<std::string> namesOf(const LabelledFiles& labelled)
{
    std::set<std::string> names;
    for (const auto& file : labelled.files) {
        names.insert((labelled.folder / file.name).string());
    }
    return names;
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
    void Find_anyFile_isTakenOrCounted_data();
    void Find_anyFile_isTakenOrCounted();
    void Find_anyPlace_isOneLayout_data();
    void Find_anyPlace_isOneLayout();
    void Find_doubtfulPlace_isRefused_data();
    void Find_doubtfulPlace_isRefused();
    void Find_folderOfNoKind_isRefused_data();
    void Find_folderOfNoKind_isRefused();
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

void TestLabelledFiles::Find_anyFile_isTakenOrCounted_data()
{
    addRows<QStringList, QString, QString>(
        {"files", "classes", "account"},
        {{"by their bytes",
          {"a/1.jfif=jpg", "a/2=jpg", "a/3.bmp=bmp", "a/4.jpg?size=large=jpg", "a/5.txt=png"},
          "a 5, b 2",
          ""},
         {"other pictures",
          {"a/1.webp", "a/2.webp", "a/3.tif", "a/x", "a/1.jpg", "a/2.jpg"},
          "a 2, b 2",
          "4 files left out: 2 .webp (a/1.webp), 1 .tif (a/3.tif), 1 without an ending (a/x); the "
          "engine reads JPEG, PNG and BMP"},
         {"text that begins as a bitmap",
          {"a/1.jpg", "a/2.jpg", "a/BMW.txt"},
          "a 2, b 2",
          "1 .txt"},
         {"a class of other pictures alone",
          {"a/1.jpg", "a/2.jpg", "c/1.webp"},
          "a 2, b 2",
          "1 .webp (c/1.webp)"},
         {"the same",
          {"a/1.jpg", "a/2.jpg", "c/1.webp"},
          "a 2, b 2",
          "no class, as there are no images: c"},
         {"sub-folders", {"a/x/1.jpg", "a/x/y/2.jpg", "a/3.jpg"}, "a 3, b 2", ""},
         {"of systems",
          {"a/1.jpg", "a/2.jpg", "a/._1.jpg", "a/Thumbs.db", "@eaDir/1.jpg", "__MACOSX/a/1.jpg",
           "$RECYCLE.BIN/1.jpg", ".ipynb_checkpoints/1.jpg", "lost+found/1.jpg"},
          "a 2, b 2",
          "7 files left out: 7 of systems and tools ($RECYCLE.BIN)"},
         {"a link to an image", {"a/1.jpg", "a/2.jpg", "a/3.jpg->1.jpg"}, "a 3, b 2", ""},
         {"a link to a folder", {"a/1.jpg", "c->a", "a/2.jpg"}, "a 2, b 2, c 2", ""},
         {"a link to nothing",
          {"a/1.jpg", "a/2.jpg", "a/z.jpg->gone.jpg"},
          "a 2, b 2",
          "1 file left out: 1 by a link whose target is gone (a/z.jpg)"},
         {"a link back",
          {"a/1.jpg", "a/2.jpg", "a/up->.."},
          "a 2, b 2",
          "1 file left out: 1 by a link to a folder above (a/up)"},
         {"a link to itself",
          {"a/1.jpg", "a/2.jpg", "a/x->x"},
          "a 2, b 2",
          "1 by a link whose target is gone (a/x)"},
         {"images beside the classes",
          {"a/1.jpg", "a/2.jpg", "1.jpg", "2=jpg", "notes.md"},
          "a 2, b 2",
          "2 beside the folders of the classes (1.jpg), 1 .md (notes.md)"},
         {"an empty class",
          {"a/1.jpg", "a/2.jpg", "c/"},
          "a 2, b 2",
          "no class, as there are no images: c"}});
}

void TestLabelledFiles::Find_anyFile_isTakenOrCounted()
{
    QFETCH(QStringList, files);
    QFETCH(QString, account);
    const TemporaryFolder folder;
    layOut(folder.path(), files);
    layOut(folder.path(), {"b/1.jpg", "b/2.png"});
    QTEST(classesOf(folder.path()), "classes");
    const QString told = accountOf(folder.path());
    QVERIFY2(account.isEmpty() ? told.isEmpty() : told.contains(account), qPrintable(told));
}

void TestLabelledFiles::Find_anyPlace_isOneLayout_data()
{
    addRows<QStringList, QString, QString, QString>(
        {"files", "classes", "layout", "account"},
        {{"train and eval",
          {"train/a/1.jpg", "train/b/1.jpg", "eval/a/1.jpg", "eval/b/1.jpg"},
          "a 2, b 2",
          "in train and eval; eval is tested on",
          ""},
         {"Intel's",
          {"seg_train/seg_train/a/1.jpg", "seg_train/seg_train/b/1.jpg",
           "seg_test/seg_test/a/1.jpg", "seg_test/seg_test/b/1.jpg", "seg_pred/1.jpg"},
          "a 2, b 2",
          "in seg_train and seg_test",
          "the images in seg_pred are not used"},
         {"by year",
          {"train2017/a/1.jpg", "train2017/b/1.jpg", "val2017/a/1.jpg", "val2017/b/1.jpg"},
          "a 2, b 2",
          "val2017 is tested on",
          ""},
         {"ImageNet as it is downloaded",
          {"train/a/1.jpg", "train/a/2.jpg", "train/b/1.jpg", "train/b/2.jpg", "val/1.jpg"},
          "a 2, b 2",
          "in train, nothing to test on",
          "the images in val are not used (1): they lie in no"},
         {"test without classes",
          {"train/a/1.jpg", "train/b/1.jpg", "val/a/1.jpg", "val/b/1.jpg", "test/1.jpg"},
          "a 2, b 2",
          "val is tested on",
          "the images in test are not used"},
         {"loose files in a part",
          {"train/a/1.jpg", "train/b/1.jpg", "train/1.webp", "val/a/1.jpg", "val/b/1.jpg",
           "val/z.jpg"},
          "a 2, b 2",
          "val is tested on",
          "1 beside the folders of the classes (z.jpg)"},
         {"a class in one part alone",
          {"train/a/1.jpg", "train/b/1.jpg", "val/a/1.jpg", "val/b/x.txt"},
          "a 2, b 1",
          "val is tested on",
          "class b has no image in val"},
         {"a wrapper and what lies beside it",
          {"images/a/1.jpg", "images/a/2.jpg", "images/b/1.jpg", "images/b/2.jpg", "docs/x.txt",
           "more.zip", "z.webp"},
          "a 2, b 2",
          "no train and val",
          "1 .webp (z.webp)"},
         {"train and test sets",
          {"trainset/a/1.jpg", "trainset/b/1.jpg", "testset/a/1.jpg", "testset/b/1.jpg"},
          "a 2, b 2",
          "testset is tested on",
          ""},
         {"shortened",
          {"trn/a/1.jpg", "trn/b/1.jpg", "tst/a/1.jpg", "tst/b/1.jpg"},
          "a 2, b 2",
          "tst is tested on",
          ""},
         {"more of a part",
          {"train/a/1.jpg", "train/b/1.jpg", "train_extra/a/1.jpg", "train_extra/b/1.jpg",
           "val/a/1.jpg", "val/b/1.jpg"},
          "a 2, b 2",
          "val is tested on",
          "the images in train_extra are not used (2): there is train; put them together"},
         {"a class that can't be read",
          {"train/a/1.jpg", "train/b/1.jpg", "train/c/1.webp", "val/a/1.jpg", "val/b/1.jpg"},
          "a 2, b 2",
          "val is tested on",
          "no class, as there are no images: train/c"},
         {"a class that is empty",
          {"train/a/1.jpg", "train/a/2.jpg", "train/b/1.jpg", "train/b/2.jpg", "train/c/"},
          "a 2, b 2",
          "nothing to test on",
          "no class, as there are no images: train/c"},
         {"classes or domains",
          {"photo/a/1.jpg", "photo/b/1.jpg", "sketch/a/1.jpg", "sketch/b/1.jpg"},
          "photo 2, sketch 2",
          "no train and val",
          "each of which holds a, b; if those are the classes, give one of the folders"},
         {"a wrapper",
          {"flowers/a/1.jpg", "flowers/a/2.jpg", "flowers/b/1.jpg", "flowers/b/2.jpg"},
          "a 2, b 2",
          "no train and val",
          ""},
         {"trains among vehicles",
          {"bus/1.jpg", "bus/2.jpg", "car/1.jpg", "car/2.jpg", "train/1.jpg", "train/2.jpg"},
          "bus 2, car 2, train 2",
          "no train and val",
          "train is taken for a class"},
         {"numbers",
          {"10/1.jpg", "10/2.jpg", "9/1.jpg", "9/2.jpg", "0/1.jpg", "0/2.jpg"},
          "0 2, 9 2, 10 2",
          "a folder for each class",
          ""},
         {"Kaggle's folders and a table",
          {"train/1.jpg", "train/2.jpg", "train/3.jpg", "train/4.jpg", "test/5.jpg", "labels.csv"},
          "a 2, b 2",
          "a table of paths and labels, labels.csv",
          "1 that no line of the table names (test/5.jpg)"},
         {"Kaggle's images",
          {"train_images/1.jpg", "train_images/2.jpg", "train_images/3.jpg", "train_images/4.jpg",
           "test_images/1.jpg", "train.csv"},
          "a 2, b 2",
          "a table of paths and labels, train.csv",
          "1 that no line of the table names (test_images/1.jpg)"},
         {"with a sample of an answer",
          {"train/1.png", "train/2.png", "train/3.png", "train/4.png", "test/1.png", "train.csv",
           "sample_submission.csv"},
          "a 2, b 2",
          "train.csv",
          "sample_submission.csv is not used"},
         {"a table of the same",
          {"a/1.jpg", "a/3.jpg", "b/2.jpg", "b/4.jpg", "labels.csv"},
          "a 2, b 2",
          "a folder for each class",
          "labels.csv is not used: the folders say the same"},
         {"a table of something else",
          {"a/7.jpg", "a/8.jpg", "b/7.jpg", "b/8.jpg", "labels.csv"},
          "a 2, b 2",
          "a folder for each class",
          "labels.csv is not used: "}});
}

void TestLabelledFiles::Find_anyPlace_isOneLayout()
{
    QFETCH(QStringList, files);
    QFETCH(QString, layout);
    QFETCH(QString, account);
    const TemporaryFolder folder;
    layOut(folder.path(), files);
    for (const char* table : {"labels.csv", "train.csv"}) {
        if (files.contains(QLatin1String(table))) {
            write(folder / table, "id,label\n1,a\n2,b\n3,a\n4,b\n");
        }
    }
    QTEST(classesOf(folder.path()), "classes");
    const std::string told = findLabelledFiles(folder.path(), Split::Train, {}).layout;
    QVERIFY2(QString::fromStdString(told).contains(layout), told.c_str());
    const QString lines = accountOf(folder.path());
    QVERIFY2(account.isEmpty() ? lines.isEmpty() : lines.contains(account), qPrintable(lines));
}

void TestLabelledFiles::Find_doubtfulPlace_isRefused_data()
{
    addRows<QStringList, QString, QString>(
        {"files", "table", "text"},
        {{"train and test alone",
          {"train/1.jpg", "train/2.jpg", "test/1.jpg", "test/2.jpg"},
          "",
          "are called test, train, which names no class"},
         {"images and labels",
          {"images/1.jpg", "images/2.jpg", "labels/1.png", "labels/2.png"},
          "",
          "are called images, labels, which names no class"},
         {"YOLO's",
          {"train/images/1.jpg", "train/labels/1.txt", "val/images/1.jpg", "val/labels/1.txt"},
          "",
          "are called images, which names no class"},
         {"a part or a class",
          {"train/steam/1.jpg", "train/diesel/1.jpg", "bus/1.jpg", "bus/2.jpg"},
          "",
          "if its folders are the classes (dataset.path)"},
         {"a table that says otherwise",
          {"a/1.jpg", "a/2.jpg", "b/3.jpg", "b/4.jpg"},
          "a/1.jpg,a\na/2.jpg,b\nb/3.jpg,a\nb/4.jpg,b\n",
          "and b/3.jpg is 'a' in the table; "},
         {"an image in two folders",
          {"train/1.jpg", "train/2.jpg", "test/1.jpg", "test/2.jpg"},
          "1,a\n2,b\n",
          "'1' may be test/1.jpg or train/1.jpg; "},
         {"no image of the table",
          {"train/1.jpg", "test/2.jpg"},
          "id,label\n1,a\n7,b\n",
          "labels.csv, line 3: there is no image '7' (JPEG, PNG or BMP)"},
         {"parts by a letter",
          {"trainA/1.jpg", "trainB/1.jpg", "testA/1.jpg", "testB/1.jpg"},
          "",
          "which names no class"},
         {"parts and a word",
          {"training_set/1.jpg", "test_set/1.jpg", "extra/1.jpg"},
          "",
          "which names no class"},
         {"stages", {"stage1_train/1.jpg", "stage1_test/1.jpg"}, "", "which names no class"},
         {"numbered images",
          {"HAM_images_part_1/1.jpg", "HAM_images_part_2/1.jpg"},
          "",
          "which names no class"},
         {"folds",
          {"fold1/a/1.jpg", "fold1/b/1.jpg", "fold2/a/1.jpg", "fold2/b/1.jpg"},
          "",
          "each of fold1, fold2 holds folders a, b"},
         {"parts of each class",
          {"a/train/1.jpg", "a/test/1.jpg", "b/train/1.jpg", "b/test/1.jpg"},
          "",
          "each of a, b holds folders test, train"},
         {"parts of each class, not all the same",
          {"a/train/1.jpg", "a/test/1.jpg", "b/train/1.jpg", "b/test/1.jpg", "b/val/1.jpg"},
          "",
          "each of a, b holds folders test, train"},
         {"sets",
          {"setA/a/1.jpg", "setA/b/1.jpg", "setB/a/1.jpg", "setB/b/1.jpg"},
          "",
          "each of setA, setB holds folders a, b"},
         {"magnifications",
          {"100X/a/1.jpg", "100X/b/1.jpg", "200X/a/1.jpg", "200X/b/1.jpg"},
          "",
          "each of 100X, 200X holds folders a, b"},
         {"a class of another format",
          {"cats/a/1.jpg", "cats/b/1.jpg", "dogs/1.webp"},
          "",
          "cats holds images, dogs none that can be read"},
         {"a table that splits",
          {"a/1.jpg", "a/2.jpg", "b/3.jpg", "b/4.jpg"},
          "a/1.jpg,a,train\na/2.jpg,a,test\nb/3.jpg,b,train\nb/4.jpg,b,test\n",
          "says which images are tested on, the folders of classes do not"},
         {"an archive", {}, "", "if it is an archive, unpack it"}});
}

void TestLabelledFiles::Find_doubtfulPlace_isRefused()
{
    QFETCH(QStringList, files);
    QFETCH(QString, table);
    QFETCH(QString, text);
    const TemporaryFolder folder;
    layOut(folder.path(), files);
    write(folder / "photos.zip", "PK");
    if (!table.isEmpty()) {
        write(folder / "labels.csv", table.toStdString());
    }
    const fs::path place = files.isEmpty() ? folder / "photos.zip" : folder.path();
    const auto error = errorOf([&] { findLabelledFiles(place, Split::Train, {}); });
    QVERIFY2(tells(error, ErrorCode::BadInput, text.toStdString()), error ? error->what() : "none");
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

LOCKSTEP_TEST(TestLabelledFiles)
#include "test_labelled_files.moc"
