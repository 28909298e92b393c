// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"
#include "dataset/formats/cifar10.h"
#include "support/cifar10_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Makes XDG_DATA_HOME and the current folder empty ones, so that nothing of the user's is found.
class EmptyHome
{
public:
    EmptyHome() : m_before(fs::current_path())
    {
        qputenv("XDG_DATA_HOME", folder.path().c_str());
        fs::current_path(m_current.path());
    }
    ~EmptyHome()
    {
        qunsetenv("XDG_DATA_HOME");
        fs::current_path(m_before);
    }
    EmptyHome(const EmptyHome&) = delete;
    EmptyHome& operator=(const EmptyHome&) = delete;

    TemporaryFolder folder;

private:
    TemporaryFolder m_current;
    fs::path m_before;
};

} // namespace

class TestCatalog : public QObject
{
    Q_OBJECT

private slots:
    void DatasetCatalog_lists_allDataSets();
    void DescribeDataset_unknownName_listsTheKnown();
    void DatasetOfAProgram_isDescribedButNotOpened();
    void OpenDataset_synthetic_needsNoFolderAndUsesTheSeed();
    void OpenDataset_cifar10_readsTheFolder();
    void OpenDataset_cifar10InItsStandardPlace_isFound();
    void DatasetFolder_nothingFound_saysWhereItLooked();
    void StandardDatasetsFolder_followsTheSpecification();
    void Cifar10Candidates_areTheThreePlaces();
    void FindCifar10_severalCandidates_takesTheFirstValid();
};

void TestCatalog::DatasetCatalog_lists_allDataSets()
{
    const auto catalog = datasetCatalog();
    QCOMPARE(catalog.size(), 7U);
    QCOMPARE(catalog[0].name, "cifar10");
    QVERIFY(catalog[0].needsFolder);
    QCOMPARE(catalog[1].name, "synthetic");
    QVERIFY(!catalog[1].needsFolder);
    QVERIFY(!catalog[0].hasMasks && !catalog[1].hasMasks);
    QCOMPARE(catalog[2].name, "kolektorsdd");
    QVERIFY(catalog[2].needsFolder && catalog[2].hasMasks);
    QCOMPARE(catalog[3].name, "synthetic_defects");
    QVERIFY(!catalog[3].needsFolder && catalog[3].hasMasks);
    QCOMPARE(catalog[4].name, "image_folder");
    QCOMPARE(catalog[5].name, "tfrecord");
    QVERIFY(catalog[4].needsFolder && catalog[4].isEncoded && !catalog[4].hasMasks);
    QVERIFY(catalog[5].needsFolder && catalog[5].isEncoded && !catalog[5].hasMasks);
    QVERIFY(!catalog[0].isEncoded);
    QCOMPARE(catalog[6].name, "masked_folder");
    QVERIFY(catalog[6].needsFolder && catalog[6].hasMasks && catalog[6].hasFolds);
    QVERIFY(std::none_of(catalog.begin(), catalog.end(), [](const DatasetDescription& description) {
        return description.description.empty();
    }));
    QCOMPARE(&describeDataset("synthetic"), &catalog[1]);
}

void TestCatalog::DescribeDataset_unknownName_listsTheKnown()
{
    const auto error = errorOf([] { openDataset({"cifar11"}, Split::Train); });
    QVERIFY(tells(error, ErrorCode::BadInput, "'cifar11'"));
    QVERIFY(
        tells(error, ErrorCode::BadInput, "cifar10, synthetic, kolektorsdd, synthetic_defects"));
}

void TestCatalog::DatasetOfAProgram_isDescribedButNotOpened()
{
    QVERIFY(!describeDataset("program:rings").needsFolder);
    QCOMPARE(datasetFolder("program:rings", "/somewhere"), fs::path());
    const auto error = errorOf([] { openDataset({"program:rings"}, Split::Train); });
    QVERIFY(tells(error, ErrorCode::BadInput, "'program:rings'", "only that program"));
}

void TestCatalog::OpenDataset_synthetic_needsNoFolderAndUsesTheSeed()
{
    const auto first = openDataset({"synthetic", "/no/such/folder", 1}, Split::Test);
    const auto second = openDataset({"synthetic", "", 2}, Split::Test);
    QCOMPARE(first->info().name, std::string("synthetic"));
    QCOMPARE(first->size(), 2000);
    const auto one = first->example(0).pixels;
    const auto other = second->example(0).pixels;
    QVERIFY(!std::equal(one.begin(), one.end(), other.begin()));
    QCOMPARE(datasetFolder("synthetic", "/no/such/folder"), fs::path());
}

void TestCatalog::OpenDataset_cifar10_readsTheFolder()
{
    const TemporaryFolder folder;
    writeCifar10Folder(folder.path(), 3);
    QCOMPARE(openDataset({"cifar10", folder.path()}, Split::Train)->size(), 15);
    QCOMPARE(openDataset({"cifar10", folder.path()}, Split::Test)->size(), 3);
    QCOMPARE(datasetFolder("cifar10", folder.path()), folder.path());
    const auto error = errorOf([&] { openDataset({"cifar10", folder / "nowhere"}, Split::Test); });
    QVERIFY(tells(error, ErrorCode::BadInput, (folder / "nowhere").string()));
}

void TestCatalog::OpenDataset_cifar10InItsStandardPlace_isFound()
{
    const EmptyHome home;
    const auto folder = home.folder / "lockstep/datasets/cifar-10-batches-bin";
    writeCifar10Folder(folder, 1);
    QCOMPARE(datasetFolder("cifar10", ""), folder);
    QCOMPARE(openDataset({"cifar10"}, Split::Train)->size(), 5);
}

void TestCatalog::DatasetFolder_nothingFound_saysWhereItLooked()
{
    const EmptyHome home;
    if (looksLikeCifar10("/tmp/cifar10_data")) {
        QSKIP("/tmp/cifar10_data holds CIFAR-10, so there is something to find");
    }
    const auto error = errorOf([] { openDataset({"cifar10"}, Split::Train); });
    const auto standard = (home.folder / "lockstep/datasets").string();
    QVERIFY(tells(error, ErrorCode::BadInput, standard + ", ., /tmp/cifar10_data"));
    QVERIFY(tells(error, ErrorCode::BadInput, "--data DIR"));
}

void TestCatalog::StandardDatasetsFolder_followsTheSpecification()
{
    qputenv("XDG_DATA_HOME", "/somewhere");
    QCOMPARE(standardDatasetsFolder(), fs::path("/somewhere/lockstep/datasets"));
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/home/person");
    // The specification has relative paths ignored.
    qputenv("XDG_DATA_HOME", "relative");
    QCOMPARE(standardDatasetsFolder(), fs::path("/home/person/.local/share/lockstep/datasets"));
    qunsetenv("XDG_DATA_HOME");
    QCOMPARE(standardDatasetsFolder(), fs::path("/home/person/.local/share/lockstep/datasets"));
    qputenv("HOME", home);
}

void TestCatalog::Cifar10Candidates_areTheThreePlaces()
{
    const EmptyHome home;
    const auto places = cifar10Candidates();
    const std::vector<fs::path> expected{
        home.folder / "lockstep/datasets", ".", "/tmp/cifar10_data"};
    QVERIFY(places == expected);
}

void TestCatalog::FindCifar10_severalCandidates_takesTheFirstValid()
{
    const TemporaryFolder folder;
    writeCifar10Folder(folder / "broken", 1);
    fs::remove(folder / "broken/data_batch_5.bin");
    writeCifar10Folder(folder / "parent/cifar-10-batches-bin", 1);
    writeCifar10Folder(folder / "plain", 1);
    const std::vector<fs::path> candidates{
        folder / "nowhere", folder / "broken", folder / "parent", folder / "plain"};
    const auto found = findCifar10(candidates);
    QVERIFY(found.has_value());
    QCOMPARE(*found, folder / "parent/cifar-10-batches-bin");
    QVERIFY(!findCifar10(std::span(candidates).first(2)).has_value());
}

LOCKSTEP_TEST(TestCatalog)
#include "test_catalog.moc"
