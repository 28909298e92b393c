// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "dataset/mask_layouts.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <algorithm>
#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Names = std::set<std::string>;
using Change = void (*)(Files& files);

MaskedDataSettings settingsOf(int fold, DataPart tested = DataPart::Validation)
{
    MaskedDataSettings settings;
    settings.fold = fold;
    settings.dilation = 0;
    settings.tested = tested;
    return settings;
}

std::unique_ptr<Dataset> open(
    const Files& files, Split split, const MaskedDataSettings& settings = settingsOf(0))
{
    const TemporaryFolder folder;
    writeFiles(folder.path(), files);
    return openMaskedImages("masked_folder", folder.path(), split, settings);
}

/// Of those with a label: 0 clean, 1 defective.
Names namesOf(const Dataset& dataset, std::int32_t label)
{
    Names names;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        if (dataset.example(i).label == label) {
            names.insert(dataset.exampleName(i));
        }
    }
    return names;
}

} // namespace

Q_DECLARE_METATYPE(Change)

class TestMaskedFolder : public QObject
{
    Q_OBJECT

private slots:
    void Open_kolektorSdd2_followsItsFolders();
    void Open_mvtec_pairsAcrossFoldersAndDealsAnew();
    void Open_pairsOfAnyKind_areFound_data();
    void Open_pairsOfAnyKind_areFound();
    void Open_threeParts_testOnTheWantedOne();
    void Open_trainingPartAndOthers_isRefused();
    void Open_zip_isTheSame();
    void Open_zipWithNamesOfOtherAlphabets_isTheSame();
    void Open_badFiles_areNamed_data();
    void Open_badFiles_areNamed();
    void Open_foldOfDataWithParts_isRefused();
    void Open_moreFoldsThanDefective_namesTheNumberThatHelps();
};

void TestMaskedFolder::Open_kolektorSdd2_followsItsFolders()
{
    const Files files = kolektor2Files(6, 4);
    const auto training = open(files, Split::Train);
    QCOMPARE(namesOf(*training, 1), (Names{"train/10001", "train/10003", "train/10005"}));
    QCOMPARE(namesOf(*training, 0), (Names{"train/10000", "train/10002", "train/10004"}));
    const auto test = open(files, Split::Test);
    QCOMPARE(namesOf(*test, 1), (Names{"test/10007", "test/10009"}));
    QCOMPARE(test->size(), 4);
    QCOMPARE(
        training->info().layout,
        std::string(
            "images with masks (_GT); their own folders say which are tested on, those of test"));
    QCOMPARE(training->info().sizes.text(), std::string("40 × 24 pixels"));
    const ExampleView first = training->example(1);
    QVERIFY(std::ranges::equal(first.pixels, smoothImage(40, 24, 1).pixels));
    QVERIFY(std::ranges::equal(first.mask, squareMask(40, 24, 1).pixels));
}

void TestMaskedFolder::Open_mvtec_pairsAcrossFoldersAndDealsAnew()
{
    const Files files = mvtecFiles(6, 3, 3);
    Names clean;
    Names defective;
    for (const Split split : {Split::Train, Split::Test}) {
        const auto dataset = open(files, split);
        clean.merge(namesOf(*dataset, 0));
        defective.merge(namesOf(*dataset, 1));
        QVERIFY(dataset->info().layout.find("nothing is marked") != std::string::npos);
        // Three defective ones, dealt to three folds.
        QCOMPARE(namesOf(*open(files, split), 1).size(), split == Split::Train ? 2U : 1U);
    }
    QCOMPARE(clean.size(), 9U);
    QVERIFY(clean.contains("bottle/train/good/000") && clean.contains("bottle/test/good/000"));
    QCOMPARE(
        defective,
        (Names{"bottle/test/crack/000", "bottle/test/crack/001", "bottle/test/crack/002"}));
}

void TestMaskedFolder::Open_pairsOfAnyKind_areFound_data()
{
    const auto pairs = [](const char* image, const char* mask) {
        Files files;
        for (int i = 0; i < 6; ++i) {
            files[fmt::format(fmt::runtime(image), i)] = greyPng(i);
            files[fmt::format(fmt::runtime(mask), i)] = maskPng(i % 2 == 1);
        }
        return files;
    };
    addRows<Files, QString>(
        {"files", "prefix"},
        {{"folders", pairs("images/{}.png", "masks/{}.png"), ""},
         {"other folders", pairs("Data/img/{}.png", "Data/Labels/{}.png"), "Data/"},
         {"folder and suffix", pairs("imgs/{}.png", "ground_truth/{}_mask.png"), ""},
         {"suffix", pairs("{}.png", "{}_mask.png"), ""},
         {"capitals", pairs("all/{}.png", "all/{}_LABEL.png"), "all/"},
         {"beside", pairs("x/{}.png", "x/masks/{}.png"), "x/"}});
}

void TestMaskedFolder::Open_pairsOfAnyKind_areFound()
{
    QFETCH(Files, files);
    QFETCH(QString, prefix);
    Names clean;
    Names defective;
    for (int i = 0; i < 6; ++i) {
        (i % 2 == 1 ? defective : clean).insert(prefix.toStdString() + std::to_string(i));
    }
    const auto all = open(files, Split::Train, settingsOf(-1));
    QCOMPARE(namesOf(*all, 0), clean);
    QCOMPARE(namesOf(*all, 1), defective);
    // Each is an item of its own: one of three of each kind is tested on.
    const auto test = open(files, Split::Test);
    QCOMPARE(namesOf(*test, 1).size(), 1U);
    QCOMPARE(test->size(), 2);
}

void TestMaskedFolder::Open_threeParts_testOnTheWantedOne()
{
    Files files;
    for (const char* part : {"train", "valid", "test"}) {
        for (int i = 0; i < 2; ++i) {
            files[fmt::format("{}/images/{}.png", part, i)] = greyPng(i);
            files[fmt::format("{}/masks/{}.png", part, i)] = maskPng(i == 1);
        }
    }
    QCOMPARE(namesOf(*open(files, Split::Train), 1), Names{"train/1"});
    QCOMPARE(namesOf(*open(files, Split::Test), 1), Names{"valid/1"});
    const auto wanted = open(files, Split::Test, settingsOf(0, DataPart::Test));
    QCOMPARE(namesOf(*wanted, 1), Names{"test/1"});
    QVERIFY(wanted->info().layout.ends_with("those of test, 2 of validation are held back"));
    // A pair elsewhere does not undo it.
    files["docs/example.png"] = greyPng(7);
    files["docs/example_mask.png"] = maskPng(true);
    const auto again = open(files, Split::Train);
    QCOMPARE(namesOf(*again, 1), Names{"train/1"});
    QCOMPARE(
        again->info().account.lines(),
        std::vector<std::string>{"not used, as they lie in no folder of a part: docs/example.png"});
}

void TestMaskedFolder::Open_trainingPartAndOthers_isRefused()
{
    Files files;
    for (const char* part : {"train", "more"}) {
        for (int i = 0; i < 2; ++i) {
            files[fmt::format("{}/images/{}.png", part, i)] = greyPng(i);
            files[fmt::format("{}/masks/{}.png", part, i)] = maskPng(i == 1);
        }
    }
    QVERIFY(tells(
        errorOf([&] { open(files, Split::Train); }), ErrorCode::BadInput,
        "none called val or test: more/images/0.png"));
}

void TestMaskedFolder::Open_zip_isTheSame()
{
    const TemporaryFolder folder;
    const Files files = mvtecFiles(3, 3, 3);
    writeFiles(folder.path(), {{"bottle.zip", zipOf(files)}});
    const auto zip =
        openMaskedImages("masked_folder", folder / "bottle.zip", Split::Test, settingsOf(0));
    const auto plain = open(files, Split::Test);
    QCOMPARE(namesOf(*zip, 0), namesOf(*plain, 0));
    QCOMPARE(namesOf(*zip, 1), namesOf(*plain, 1));
}

// In the locale that a program has which never set one: that of lockstep-train.
void TestMaskedFolder::Open_zipWithNamesOfOtherAlphabets_isTheSame()
{
    Files files;
    for (const auto& [name, content] : mvtecFiles(3, 3, 3)) {
        files
            ["Pr\xc3\xbc"
             "fung/"
             + name] = content; // Prüfung
    }
    const auto zipped = zipOf(files);
    const std::string before = std::setlocale(LC_CTYPE, nullptr);
    std::setlocale(LC_CTYPE, "C");
    const TemporaryFolder folder;
    writeFiles(folder.path(), {{"files.zip", zipped}});
    const auto zip =
        openMaskedImages("masked_folder", folder / "files.zip", Split::Test, settingsOf(0));
    std::setlocale(LC_CTYPE, before.c_str());
    const auto plain = open(files, Split::Test);
    QVERIFY(namesOf(*zip, 1).size() > 0);
    QCOMPARE(namesOf(*zip, 1), namesOf(*plain, 1));
}

void TestMaskedFolder::Open_badFiles_areNamed_data()
{
    addRows<Change, QString>(
        {"change", "text"},
        {{"no mask", [](Files& files) { files.erase("bottle/ground_truth/crack/001_mask.png"); },
          "bottle/test/crack/001.png: there is no label for this image"},
         {"no image", [](Files& files) { files.erase("bottle/test/crack/001.png"); },
          "bottle/ground_truth/crack/001_mask.png: there is no image for this label"},
         {"two masks",
          [](Files& files) { files["bottle/ground_truth/crack/001.png"] = maskPng(true); },
          "there is also"},
         {"mask of another size",
          [](Files& files) {
              files["bottle/ground_truth/crack/001_mask.png"] = bmpOf(squareMask(24, 24, 1));
          },
          "001_mask.png: the label has 24 × 24 pixels (height × width), its image 40 × 24"},
         {"no image at all", [](Files& files) { files["bottle/test/good/000.png"] = "<html>"; },
          "bottle/test/good/000.png: is a web page"}});
}

void TestMaskedFolder::Open_badFiles_areNamed()
{
    QFETCH(Change, change);
    QFETCH(QString, text);
    Files files = mvtecFiles(3, 3, 3);
    change(files);
    const auto error = errorOf([&] { open(files, Split::Train, settingsOf(-1)); });
    QVERIFY2(tells(error, ErrorCode::Data, text.toStdString()), error ? error->what() : "");
}

void TestMaskedFolder::Open_foldOfDataWithParts_isRefused()
{
    const auto error = errorOf([&] { open(kolektor2Files(2, 2), Split::Train, settingsOf(1)); });
    QVERIFY(tells(error, ErrorCode::BadInput, "dataset.fold is 1, but the data have folders"));
    QCOMPARE(open(kolektor2Files(2, 2), Split::Test, settingsOf(-1))->size(), 4);
}

void TestMaskedFolder::Open_moreFoldsThanDefective_namesTheNumberThatHelps()
{
    const Files files = mvtecFiles(6, 3, 2);
    MaskedDataSettings settings = settingsOf(0);
    settings.folds = 4;
    const auto first = open(files, Split::Test, settings);
    QCOMPARE(namesOf(*first, 1).size(), 1U);
    const auto lines = first->info().account.lines();
    QCOMPARE(lines.size(), 1U);
    QVERIFY(lines[0].find("with dataset.folds = 2 all have") != std::string::npos);
    settings.fold = 3;
    const auto error = errorOf([&] { open(files, Split::Test, settings); });
    QVERIFY(tells(error, ErrorCode::Data, "test split of fold 3: "));
    QVERIFY(tells(error, ErrorCode::Data, "clean ones: set dataset.folds = 2"));
    settings.folds = 2;
    settings.fold = 1;
    QVERIFY(open(files, Split::Test, settings)->info().account.lines().empty());
    const auto parts = errorOf([&] {
        Files own = kolektor2Files(4, 4);
        own.erase("test/10005.png");
        own.erase("test/10005_GT.png");
        own.erase("test/10007.png");
        own.erase("test/10007_GT.png");
        open(own, Split::Test);
    });
    QVERIFY(tells(parts, ErrorCode::Data, "put some in the folder of this split"));
}

LOCKSTEP_TEST(TestMaskedFolder)
#include "test_masked_folder.moc"
