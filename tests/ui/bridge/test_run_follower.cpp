// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/gradients.h"
#include "ui/headless_run.h"
#include "ui/session_witness.h"

#include <algorithm>
#include <optional>

namespace lockstep::ui {
namespace {

using State = SessionController::State;

/// What of followed runs SessionWitness does not keep.
struct FollowWitness : SessionWitness
{
    FollowWitness()
    {
        using C = SessionController;
        QObject::connect(
            &controller.feed(), &RunFeed::started,
            [this](const auto& /*folder*/, const RunConfig& /*config*/) {
                steps.clear();
                ++starts;
            });
        QObject::connect(
            &controller, &C::followingEnded, [this](const FollowedEnd& told) { end = told; });
    }

    [[nodiscard]] bool isWriter(RunState state) const
    {
        return controller.writerStatus() && controller.writerStatus()->state == state;
    }

    int starts = 0;
    std::optional<FollowedEnd> end;
};

/// A run of two towers in another process, and who follows it.
struct FollowScene
{
    explicit FollowScene(int steps = 100'000'000, std::int64_t awaited = 1)
        : run(test::smallPictures(), witness.run(), steps)
    {
        if (!run.awaitSteps(awaited)) {
            throw std::runtime_error("the other process trains nothing");
        }
        witness.controller.open(run.folder());
        if (!test::waitFor([this] { return witness.controller.state() == State::Following; })) {
            throw std::runtime_error("the run is not followed");
        }
    }

    FollowWitness witness;
    HeadlessRun run;
};

} // namespace

/// The controller on a run that a real lockstep-train trains in another process.
class TestRunFollower : public QObject
{
    Q_OBJECT

private slots:
    void Open_runBeingTrained_followsEveryStep()
    {
        FollowScene scene(1500);
        auto& [witness, run] = scene;
        QCOMPARE(witness.controller.plan().writer.value_or(0), run.process());
        QVERIFY(witness.controller.canStart() && !witness.controller.isBusy());
        QTRY_VERIFY(witness.end.has_value());
        QVERIFY(witness.end->state == RunState::Finished);
        QCOMPARE(witness.end->endStep, 1500);
        QCOMPARE(witness.controller.state(), State::Idle);
        QCOMPARE(witness.starts, 1);
        QVERIFY(witness.hasLosses(storedLosses(run.folder())));
        const auto gradients = storedGradients(run.folder());
        QCOMPARE(gradients.size(), std::size_t{150});
        QCOMPARE(witness.gradients.size(), gradients.size());
        QVERIFY(std::ranges::equal(witness.gradients, gradients, test::sameGradients));
        QCOMPARE(witness.warnings, QStringList());
        // The other process says that it ends before it closes its files; whoever is last leaves
        // one.
        QVERIFY(run.awaitEnd());
        QTRY_VERIFY(!std::filesystem::exists(run.folder() / "run.db-wal"));
    }

    void Commands_reachTheOtherProcess()
    {
        FollowScene scene;
        auto& [witness, run] = scene;
        QTRY_VERIFY(witness.controller.can(command::Pause{}));
        QVERIFY(
            !witness.controller.can(command::Resume{})
            && !witness.controller.can(command::SaveCheckpointAs{}));
        witness.controller.send(command::Pause{});
        QTRY_VERIFY(witness.isWriter(RunState::Paused));
        QTRY_COMPARE(std::ssize(witness.steps), witness.controller.writerStatus()->step);
        const std::int64_t paused = witness.controller.writerStatus()->step;
        QVERIFY(witness.controller.can(command::StepOnce{}));
        witness.controller.send(command::StepOnce{});
        QTRY_COMPARE(std::ssize(witness.steps), paused + 1);
        QTRY_VERIFY(witness.controller.can(command::Resume{}));
        witness.controller.send(command::Resume{});
        QTRY_VERIFY(std::ssize(witness.steps) > paused + 10);
        witness.controller.send(command::Stop{});
        QTRY_VERIFY(witness.end.has_value());
        QVERIFY(witness.end->state == RunState::Stopped);
        QVERIFY(run.awaitEnd());
        QVERIFY(witness.hasLosses(storedLosses(run.folder())));
        QVERIFY(
            !witness.controller.can(command::Stop{}) && !witness.controller.can(command::Pause{}));
    }

    void Checkpoint_andEvaluation_areTold()
    {
        FollowScene scene;
        auto& [witness, run] = scene;
        QTRY_VERIFY(witness.controller.can(command::SaveCheckpoint{}));
        const std::size_t before = witness.checkpoints.size();
        witness.controller.send(command::SaveCheckpoint{});
        QTRY_VERIFY(witness.checkpoints.size() > before);
        QVERIFY(std::filesystem::is_regular_file(witness.checkpoints.back().second));
        const std::size_t evaluations = witness.evaluations.size();
        witness.controller.send(command::Evaluate{});
        QTRY_VERIFY(witness.evaluations.size() >= evaluations + 2);
    }

    void Two_whoFollow_agreeWithTheStore()
    {
        const test::TemporaryFolder folder;
        HeadlessRun run(test::smallPictures(), folder / "run", 1500);
        QVERIFY(run.awaitSteps(1));
        FollowWitness first;
        FollowWitness second;
        first.controller.open(run.folder());
        second.controller.open(run.folder());
        QTRY_VERIFY(first.end && second.end);
        const std::vector<double> losses = storedLosses(run.folder());
        QCOMPARE(losses.size(), std::size_t{1500});
        QVERIFY(first.hasLosses(losses));
        QVERIFY(second.hasLosses(losses));
    }

    void Start_onTheFollowedRun_isRefusedAndFollowsOn()
    {
        FollowScene scene;
        auto& [witness, run] = scene;
        witness.controller.start({smallConfig(kEndless), run.folder(), true});
        QTRY_VERIFY(!witness.failure.isEmpty());
        QVERIFY2(
            witness.failure.contains(QString("process %1").arg(run.process())),
            qPrintable(witness.failure));
        WAIT_FOR(Following); // again
        const auto steps = std::ssize(witness.steps);
        QTRY_VERIFY(std::ssize(witness.steps) > steps);
    }

    void Start_ofAnotherRun_leavesItAlone()
    {
        FollowScene scene;
        auto& [witness, run] = scene;
        witness.controller.start({smallConfig(40), witness.folder / "mine"});
        WAIT_FOR(Finished);
        QVERIFY(witness.hasLosses(storedLosses(witness.folder / "mine")));
        QCOMPARE(RunLock::writerOf(run.folder()), std::optional(run.process()));
    }

    void Killed_isToldAsUnexpected()
    {
        FollowScene scene(100'000'000, 10);
        auto& [witness, run] = scene;
        QTRY_VERIFY(witness.steps.size() > 10);
        run.killHard();
        QTRY_VERIFY(witness.end.has_value());
        QVERIFY(witness.end->state == RunState::Running);
        QVERIFY(witness.controller.endedUnexpectedly());
        const std::vector<double> losses = storedLosses(run.folder());
        QCOMPARE(witness.end->endStep, std::ssize(losses));
        QVERIFY(witness.hasLosses(losses));

        FollowWitness later;
        later.controller.open(run.folder());
        QTRY_COMPARE(later.steps.size(), losses.size());
        QVERIFY(later.controller.endedUnexpectedly());
    }

    void Resumed_elsewhere_isShownAnew()
    {
        const test::TemporaryFolder folder;
        const QStringList resume{"--resume"};
        HeadlessRun first(test::smallPictures(), folder / "run", 100'000'000);
        QVERIFY(first.awaitSteps(200));
        FollowWitness witness;
        witness.controller.open(first.folder());
        WAIT_FOR(Following);
        first.killHard(); // its only checkpoint is the one of step 0
        HeadlessRun second(test::smallPictures(), folder / "run", 2000, resume);
        QTRY_VERIFY(RunLock::writerOf(folder / "run") || witness.end);
        if (witness.end) { // it was seen without a writer: as a person would, look again
            QVERIFY(second.awaitSteps(1));
            witness.end.reset();
            witness.controller.open(folder / "run");
        }
        QTRY_VERIFY(witness.end.has_value());
        QCOMPARE(witness.end->endStep, 2000);
        QVERIFY(witness.starts >= 2);
        QVERIFY(witness.hasLosses(storedLosses(folder / "run")));
    }

    void Close_whileFollowing_tellsNothingMore()
    {
        FollowScene scene;
        auto& [witness, run] = scene;
        witness.controller.close();
        QCOMPARE(witness.controller.state(), State::Idle);
        const std::size_t steps = witness.steps.size();
        QTest::qWait(600);
        QCOMPARE(witness.steps.size(), steps);
        QVERIFY(!witness.end && !witness.controller.can(command::Stop{}));
        QCOMPARE(RunLock::writerOf(run.folder()), std::optional(run.process()));
    }

    void Window_thatTrains_obeysOneThatFollows()
    {
        const test::TemporaryFolder folder;
        FollowWitness witness; // trains
        FollowWitness other;   // follows
        witness.controller.start({smallConfig(kEndless), folder / "run"});
        QTRY_VERIFY(witness.steps.size() > 10);
        other.controller.open(folder / "run");
        QTRY_VERIFY(other.controller.can(command::Pause{}));
        other.controller.send(command::Pause{});
        WAIT_FOR(Paused);
        QTRY_VERIFY(other.controller.can(command::Resume{}));
        witness.controller.send(command::Resume{});
        QCOMPARE(witness.controller.state(), State::Running);
        QTRY_VERIFY(other.controller.can(command::Pause{}));
        witness.controller.send(command::Pause{});
        WAIT_FOR(Paused);
        QTRY_VERIFY(other.controller.can(command::Resume{}));
        other.controller.send(command::Resume{});
        WAIT_FOR(Running);
        other.controller.send(command::Stop{});
        WAIT_FOR(Stopped);
        QTRY_VERIFY(other.end.has_value());
        QVERIFY(other.end->state == RunState::Stopped);
        const std::vector<double> losses = storedLosses(folder / "run");
        QVERIFY(witness.hasLosses(losses));
        QVERIFY(other.hasLosses(losses));
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestRunFollower)
#include "test_run_follower.moc"
