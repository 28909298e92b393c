// SPDX-License-Identifier: Apache-2.0
// What was chosen on a GPU, kept for later processes.
#include "device/algorithm_store.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using test::TemporaryFolder;

namespace {

std::string textOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestAlgorithmStore : public QObject
{
    Q_OBJECT

private slots:
    static void Kept_isFoundByAnotherStore_ofTheSameMachineOnly();
    static void Kept_byTwoProcesses_isAllThere();
    static void File_damaged_losesThatLineAndSaysSoOnce_data();
    static void File_damaged_losesThatLineAndSaysSoOnce();
    static void File_thatCantBeWritten_isANoteAndNoError();
    static void Forget_saysHowMany();
    static void DefaultFile_isInTheCacheOfTheUser();
};

void TestAlgorithmStore::Kept_isFoundByAnotherStore_ofTheSameMachineOnly()
{
    const TemporaryFolder folder;
    const auto file = folder / "new" / "algorithms.txt";
    AlgorithmStore first(file, "GPU A");
    QCOMPARE(first.find("work"), std::string());
    first.keep("work", "engine 1", 0.25);
    first.keep("work", "engine 2", 0.125);
    first.keep("more work", "engine 3 k1=2 + kernel", 1.0);
    QCOMPARE(first.find("work"), std::string("engine 2"));
    AlgorithmStore second(file, "GPU A");
    QCOMPARE(second.find("work"), std::string("engine 2"));
    QCOMPARE(second.find("more work"), std::string("engine 3 k1=2 + kernel"));
    QVERIFY(second.takeNotes().empty());
    AlgorithmStore other(file, "GPU B");
    QCOMPARE(other.find("work"), std::string());
    other.keep("work", "engine 4", 1.0);
    QCOMPARE(AlgorithmStore(file, "GPU A").find("work"), std::string("engine 2"));
    QCOMPARE(AlgorithmStore(file, "GPU B").find("work"), std::string("engine 4"));
    QVERIFY(textOf(file).find("GPU A\twork\tengine 2\t0.125000\n") != std::string::npos);
}

void TestAlgorithmStore::Kept_byTwoProcesses_isAllThere()
{
    constexpr int kChoices = 40;
    const TemporaryFolder folder;
    const auto file = folder / "algorithms.txt";
    const auto keepAll = [&](const std::string& machine) {
        AlgorithmStore store(file, machine);
        for (int i = 0; i < kChoices; ++i) {
            store.keep(std::to_string(i), "engine", 1.0);
        }
    };
    const pid_t child = fork();
    if (child == 0) {
        keepAll("child");
        _exit(0);
    }
    keepAll("parent");
    int status = -1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    QCOMPARE(AlgorithmStore::forget(file), 2 * kChoices);
}

void TestAlgorithmStore::File_damaged_losesThatLineAndSaysSoOnce_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("half a line") << "GPU\tbad wo";
    QTest::newRow("no algorithm") << "GPU\tbad\t\t1.0";
    QTest::newRow("too much") << "GPU\tbad\tengine\t1.0\t2.0";
    QTest::newRow("noise") << QString(QChar(0x1)) + "\\x7f";
}

void TestAlgorithmStore::File_damaged_losesThatLineAndSaysSoOnce()
{
    QFETCH(QString, line);
    const TemporaryFolder folder;
    const auto file = folder / "algorithms.txt";
    std::ofstream(file) << "# heading\nGPU\twork\tengine 1\t0.5\n" << line.toStdString() << "\n\n";
    AlgorithmStore store(file, "GPU");
    QCOMPARE(store.find("work"), std::string("engine 1"));
    QCOMPARE(store.find("bad"), std::string());
    const auto notes = store.takeNotes();
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY2(notes[0].find("algorithms.txt, line 3: ") != std::string::npos, notes[0].c_str());
    store.keep("bad", "engine 2", 1.0);
    QVERIFY(store.takeNotes().empty());
    AlgorithmStore mended(file, "GPU");
    QCOMPARE(mended.find("work"), std::string("engine 1"));
    QCOMPARE(mended.find("bad"), std::string("engine 2"));
    QVERIFY(mended.takeNotes().empty());
}

void TestAlgorithmStore::File_thatCantBeWritten_isANoteAndNoError()
{
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "no folder";
    AlgorithmStore store(folder / "file" / "algorithms.txt", "GPU");
    QCOMPARE(store.find("work"), std::string());
    store.keep("work", "engine", 1.0);
    store.keep("more", "engine", 1.0);
    QCOMPARE(store.find("work"), std::string("engine"));
    const auto notes = store.takeNotes();
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY2(notes[0].starts_with("the choices of algorithms are not kept: "), notes[0].c_str());
    AlgorithmStore nowhere({}, "GPU");
    nowhere.keep("work", "engine", 1.0);
    QVERIFY(nowhere.takeNotes().empty());
}

void TestAlgorithmStore::Forget_saysHowMany()
{
    const TemporaryFolder folder;
    const auto file = folder / "algorithms.txt";
    QCOMPARE(AlgorithmStore::forget(file), 0);
    AlgorithmStore store(file, "GPU");
    store.keep("work", "engine", 1.0);
    store.keep("more", "engine", 1.0);
    QCOMPARE(AlgorithmStore::forget(file), 2);
    QVERIFY(!std::filesystem::exists(file));
    QCOMPARE(AlgorithmStore(file, "GPU").find("work"), std::string());
}

void TestAlgorithmStore::DefaultFile_isInTheCacheOfTheUser()
{
    const QByteArray cache = qgetenv("XDG_CACHE_HOME");
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/home/me");
    qputenv("XDG_CACHE_HOME", "/cache");
    QCOMPARE(AlgorithmStore::defaultFile().string(), std::string("/cache/lockstep/algorithms.txt"));
    qputenv("XDG_CACHE_HOME", "relative");
    QCOMPARE(
        AlgorithmStore::defaultFile().string(),
        std::string("/home/me/.cache/lockstep/algorithms.txt"));
    qunsetenv("HOME");
    QVERIFY(AlgorithmStore::defaultFile().empty());
    qputenv("HOME", home);
    cache.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
}

LOCKSTEP_TEST(TestAlgorithmStore)
#include "test_algorithm_store.moc"
