// SPDX-License-Identifier: GPL-3.0-or-later
// The window gathers what the ranks of another program write, while they write it.
#include "dialogs/watch_dialog.h"
#include "engine/storage.h"
#include "gather/rank_scene.h"
#include "panels/start/start_card.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

namespace {

constexpr int kRanks = 4;

} // namespace

class TestWindowGathering : public WindowTest
{
    Q_OBJECT

private slots:
    void cleanup() { END_SCENE(); }

    void Ranks_thatRecord_areGatheredAndFollowed()
    {
        begin();
        write(0, 20);
        window().openCommands().openRun(folder());
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
        QCOMPARE(RunLock::writerOf(folder()), std::optional(int{getpid()}));
        write(20, 15);
        WAIT_FOR_STEPS(35);
        const auto* const pace = find<NoteLabel>("light_2");
        QTRY_VERIFY2(
            pace->note().contains("Tower 2 (rank 2 on node1) makes everyone wait")
                && pace->note().contains("in its forward pass"),
            qPrintable(pace->note()));
        end();
        WAIT_FOR_STATE(Idle);
        QTRY_VERIFY2(m_scene->message().contains("35 steps"), qPrintable(m_scene->message()));
        QVERIFY(!RunLock::writerOf(folder()));
        // The ranks are started again, from a checkpoint.
        begin();
        write(30, 10);
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(40);
        end();
        WAIT_FOR_STATE(Idle);
    }

    void Ranks_thatAreWaitedFor_areFollowedOnceTheyWrite()
    {
        window().findChild<StartCard*>("start_watch")->click();
        auto* const dialog = window().findChild<WatchDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        find<QLineEdit>("watch_folder")->setText(toQString(folder()));
        find<QPushButton>("watch_copy")->click();
        const QString lines = QGuiApplication::clipboard()->text();
        QVERIFY2(lines.contains("Run(\"" + toQString(folder()) + "\")"), qPrintable(lines));
        QVERIFY(lines.contains("run.step(loss=loss)"));
        dialog->look();
        QVERIFY(dialog->isVisible());
        begin();
        write(0, 20);
        dialog->look();
        QVERIFY(!dialog->isVisible());
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
        end();
        WAIT_FOR_STATE(Idle);
    }

    void Gathering_thatIsLeft_isMadeWholeTheNextTime()
    {
        begin();
        write(0, 20'000);
        window().openCommands().openRun(folder());
        WAIT_FOR_STATE(Following);
        window().close(); // while it catches up
        write(20'000, 10);
        end();
        m_scene->open();
        window().openCommands().openRun(folder());
        WAIT_FOR_STEPS(20'010);
        WAIT_FOR_STATE(Idle);
    }

    void Folder_thatCantBeWritten_isToldOf()
    {
        begin();
        std::ofstream(folder() / "run.toml") << "towers = 2\n"; // of a training of our own
        window().openCommands().openRun(folder());
        QTRY_VERIFY2(m_scene->message().contains("own is there"), qPrintable(m_scene->message()));
    }

private:
    [[nodiscard]] std::filesystem::path folder() const { return m_scene->folder() / "ddp"; }

    void begin()
    {
        for (int rank = 0; rank < kRanks; ++rank) {
            appendTo(rankFileOf(folder(), rank), startFrame(rank, kRanks, R"(,"clock":"one")"));
        }
    }
    void write(std::int64_t first, std::int64_t count)
    {
        for (int rank = 0; rank < kRanks; ++rank) {
            std::string bytes;
            for (std::int64_t step = first; step < first + count; ++step) {
                bytes +=
                    stepFrame(stepOf(step, 1000 + 70 * step, {5, rank == 2 ? 30 : 10, 20}, 60));
            }
            appendTo(rankFileOf(folder(), rank), bytes);
        }
    }
    void end()
    {
        for (int rank = 0; rank < kRanks; ++rank) {
            appendTo(rankFileOf(folder(), rank), endFrame());
        }
    }
};
LOCKSTEP_TEST(TestWindowGathering)
#include "test_window_gathering.moc"
