// SPDX-License-Identifier: Apache-2.0
#include "cli/background.h"
#include "cli/program.h"
#include "engine/storage.h"
#include "gather/rank_scene.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Rank `rank` of 2, of which the second one is 20 ms late in its forward pass.
std::string steps(int rank, std::int64_t first, std::int64_t count)
{
    std::string bytes;
    for (std::int64_t step = first; step < first + count; ++step) {
        bytes += stepFrame(stepOf(step, 1000 + 70 * step, {5, rank == 1 ? 30 : 10, 20}, 60));
    }
    return bytes;
}

std::string startOf(int rank)
{
    return startFrame(rank, 2, R"(,"clock":"one")");
}

} // namespace

class TestGather : public QObject
{
    Q_OBJECT

private slots:
    void gather_ofRankFiles_makesARunAndNamesTheSlowRank();
    void follow_endsWithTheRanks();
    void killed_isMadeAnew();
    void gather_ofNothing_isWrongUsage();
    void resume_ofARecordedRun_isRefused();
};

void TestGather::gather_ofRankFiles_makesARunAndNamesTheSlowRank()
{
    const TemporaryFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        appendTo(rankFileOf(folder.path(), rank), startOf(rank) + steps(rank, 0, 50) + endFrame());
    }
    const QString run = toText(folder.path());
    const Outcome outcome = runProgram({"gather", run, "--json"});
    QCOMPARE(outcome.exitCode, 0);
    const QJsonObject found = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(found["steps"].toInt(), 50);
    QCOMPARE(found["rows"].toInt(), 100);
    QCOMPARE(found["state"].toString(), QString("finished"));
    QCOMPARE(found["straggler"].toInt(-1), 1);
    const QJsonObject slow = found["barrier"]["ranks"][1].toObject();
    QCOMPARE(slow["phase"].toString(), QString("forward"));
    QCOMPARE(slow["steps_last"].toInt(), 50);
    const Outcome told = runProgram({"gather", run});
    QVERIFY(
        told.out.contains("tower 1 makes everyone wait")
        && told.out.contains("20 ms a step, most of it in its forward pass"));
    QCOMPARE(runProgram({"export", run, "--csv", run + "/losses.csv"}).exitCode, 0);
    QCOMPARE(runProgram({"inspect", run}).exitCode, 0);
}

void TestGather::follow_endsWithTheRanks()
{
    const TemporaryFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        appendTo(rankFileOf(folder.path(), rank), startOf(rank) + steps(rank, 0, 10));
    }
    Background program({"gather", toText(folder.path()), "--follow"});
    const auto stepsThere = [&] {
        try {
            return RunStoreReader(RunFolder::storeFileOf(folder.path())).nextStep();
        } catch (const Error&) {
            return std::int64_t{0};
        }
    };
    QTRY_COMPARE(stepsThere(), 10);
    for (int rank = 0; rank < 2; ++rank) {
        appendTo(rankFileOf(folder.path(), rank), steps(rank, 10, 10) + endFrame());
    }
    QCOMPARE(program.finish(), 0);
    QCOMPARE(stepsThere(), 20);
}

void TestGather::killed_isMadeAnew()
{
    const TemporaryFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        appendTo(rankFileOf(folder.path(), rank), startOf(rank) + steps(rank, 0, 20'000));
    }
    {
        Background program({"gather", toText(folder.path()), "--follow"});
        QTRY_VERIFY(RunFolder::isRun(folder.path()));
        program.signal(SIGKILL);
        program.finish();
    }
    const Outcome outcome = runProgram({"gather", toText(folder.path())});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(RunStoreReader(RunFolder::storeFileOf(folder.path())).nextStep(), 20'000);
}

void TestGather::gather_ofNothing_isWrongUsage()
{
    const TemporaryFolder folder;
    const QString run = toText(folder.path());
    const Outcome nothing = runProgram({"gather", run});
    QCOMPARE(nothing.exitCode, 2);
    QVERIFY(nothing.err.contains("no rank has recorded anything there"));
    QVERIFY(runProgram({"gather", run, "--from", "csv"}).err.contains("name a source"));
    QCOMPARE(runProgram({"gather", run, "--from", "elsewhere", "x"}).exitCode, 2);
    QCOMPARE(runProgram({"gather", run, "nowhere"}).exitCode, 2);
}

void TestGather::resume_ofARecordedRun_isRefused()
{
    const TemporaryFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        appendTo(rankFileOf(folder.path(), rank), startOf(rank) + steps(rank, 0, 5) + endFrame());
    }
    QCOMPARE(runProgram({"gather", toText(folder.path())}).exitCode, 0);
    const Outcome outcome = runProgram({"train", "--run", toText(folder.path()), "--resume"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains("recorded"), outcome.text().constData());
}

LOCKSTEP_TEST(TestGather)
#include "test_gather.moc"
