// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_library.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <fstream>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// Something that looks like a run, last written to `age` ago.
fs::path makeRun(const fs::path& folder, std::chrono::hours age = std::chrono::hours(0))
{
    fs::create_directories(folder / "checkpoints");
    std::ofstream(folder / "run.toml") << "towers = 2\n";
    std::ofstream(folder / "run.db") << "store";
    fs::last_write_time(folder / "run.db", fs::file_time_type::clock::now() - age);
    return folder;
}

QStringList names(const std::vector<fs::path>& paths)
{
    QStringList all;
    for (const fs::path& path : paths) {
        all.append(QString::fromStdString(path.string()));
    }
    return all;
}

} // namespace

class TestRunLibrary : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_settings.reset();
        m_folder.emplace();
        m_settings.emplace(
            QString::fromStdString((*m_folder / "settings.ini").string()), QSettings::IniFormat);
    }

    void Recent_used_comesFirstAndOnce()
    {
        RunLibrary library(*m_settings);
        const QSignalSpy changes(&library, &RunLibrary::recentChanged);
        const fs::path a = makeRun(*m_folder / "a");
        const fs::path b = makeRun(*m_folder / "b ü");
        library.addRun(a);
        library.addRun(b);
        library.addRun(a);
        QCOMPARE(library.recentRuns(), names({a, b}));
        QCOMPARE(changes.size(), 3);
        QVERIFY(library.recentCheckpoints().isEmpty());
        library.clearRuns();
        QVERIFY(library.recentRuns().isEmpty());
        QCOMPARE(changes.size(), 4);
    }

    void Recent_many_keepsTheNewest()
    {
        RunLibrary library(*m_settings);
        for (int i = 0; i < RunLibrary::kMostRecent + 3; ++i) {
            const fs::path file = *m_folder / (std::to_string(i) + ".safetensors");
            std::ofstream(file) << "weights";
            library.addCheckpoint(file);
        }
        const QStringList recent = library.recentCheckpoints();
        QCOMPARE(recent.size(), RunLibrary::kMostRecent);
        QVERIFY(recent.front().endsWith("12.safetensors"));
        QVERIFY(recent.back().endsWith("/3.safetensors"));
    }

    void Recent_thatIsGone_isLeftOut()
    {
        RunLibrary library(*m_settings);
        const fs::path a = makeRun(*m_folder / "a");
        const fs::path b = makeRun(*m_folder / "b");
        library.addRun(a);
        library.addRun(b);
        fs::remove_all(b);
        QCOMPARE(library.recentRuns(), names({a}));
    }

    void Recent_isKept_betweenSessions()
    {
        const fs::path a = makeRun(*m_folder / "a");
        RunLibrary(*m_settings).addRun(a);
        m_settings->sync();
        QSettings again(m_settings->fileName(), QSettings::IniFormat);
        QCOMPARE(RunLibrary(again).recentRuns(), names({a}));
    }

    void KnownRuns_areThoseOfTheDefaultPlace_newestFirst()
    {
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_folder->path().string()));
        QVERIFY(RunLibrary::knownRuns().empty());
        const fs::path runs = *m_folder / "lockstep" / "runs";
        const fs::path old = makeRun(runs / "old", std::chrono::hours(48));
        const fs::path young = makeRun(runs / "young", std::chrono::hours(1));
        fs::create_directories(runs / "no run");
        QCOMPARE(names(RunLibrary::knownRuns()), names({young, old}));
    }

    void Checkpoints_ofARun_areListed()
    {
        const fs::path run = makeRun(*m_folder / "run");
        QVERIFY(RunLibrary::checkpointsOf(run).empty());
        std::ofstream(run / "checkpoints" / "step-000000020.safetensors") << "12345";
        std::ofstream(run / "checkpoints" / "notes.txt") << "mine";
        const auto items = RunLibrary::checkpointsOf(run);
        QCOMPARE(items.size(), std::size_t{1});
        QCOMPARE(items[0].step, 20);
        QCOMPARE(items[0].bytes, 5);
        QVERIFY(items[0].file.endsWith("checkpoints/step-000000020.safetensors"));
        QVERIFY(items[0].written.secsTo(QDateTime::currentDateTime()) < 60);
    }

private:
    std::optional<test::TemporaryFolder> m_folder;
    std::optional<QSettings> m_settings;
};
LOCKSTEP_TEST(TestRunLibrary)
#include "test_run_library.moc"
