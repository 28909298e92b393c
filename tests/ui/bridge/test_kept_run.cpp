// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/mask_model.h"
#include "ui/session_witness.h"

#include <csignal>
#include <memory>
#include <optional>
#include <unistd.h>

namespace lockstep::ui {
namespace {

using State = SessionController::State;

constexpr std::int64_t kSteps = 1500;

/// A witness that also keeps masks, and whether a run was told of as one of somebody else.
struct KeptWitness : SessionWitness
{
    KeptWitness()
    {
        using C = SessionController;
        QObject::connect(
            &controller, &C::followingEnded, [this](const FollowedEnd& told) { end = told; });
        QObject::connect(&controller.feed(), &RunFeed::masksArrived, [this](const auto& record) {
            masks.push_back(record);
        });
        QObject::connect(&controller.feed(), &RunFeed::preflightArrived, [this](const auto& line) {
            checklist.push_back(line);
        });
    }
    /// No run outlives a test that failed.
    ~KeptWitness()
    {
        if (const auto writer = RunLock::writerOf(run()); writer && *writer != ::getpid()) {
            ::kill(*writer, SIGKILL);
        }
    }
    KeptWitness(const KeptWitness&) = delete;
    KeptWitness& operator=(const KeptWitness&) = delete;

    void launch(const RunConfig& config, bool isResume = false)
    {
        controller.launch({config, run(), isResume});
    }

    std::optional<FollowedEnd> end;
    std::vector<std::shared_ptr<const MaskRecord>> masks;
    std::vector<PreflightRecord> checklist;
};

bool isTrained(const std::filesystem::path& run)
{
    return RunLock::writerOf(run).has_value();
}

/// Its files are made, and its socket answers.
bool isUp(const std::filesystem::path& run)
{
    try {
        static_cast<void>(RunRemote(run).status());
        return true;
    } catch (const Error&) {
        return false;
    }
}

void stop(const std::filesystem::path& run)
{
    RunRemote(run).send(command::Stop{});
    QTRY_VERIFY(!isTrained(run));
}

} // namespace

/// A run that a controller starts as a process of its own.
class TestKeptRun : public QObject
{
    Q_OBJECT

private slots:
    void Launch_isFollowed_andEndsAsARunOfOnesOwn()
    {
        KeptWitness witness;
        witness.launch(smallConfig(kSteps));
        QCOMPARE(witness.controller.state(), State::Preparing);
        QVERIFY(witness.controller.isBusy() && !witness.controller.trainsHere());
        WAIT_FOR(Following);
        QCOMPARE(witness.controller.plan().folder, witness.run());
        QVERIFY(witness.controller.plan().writer.value_or(::getpid()) != ::getpid());
        WAIT_FOR(Finished);
        const std::vector<State> expected{State::Preparing, State::Following, State::Finished};
        QCOMPARE(witness.states, expected);
        QVERIFY(!witness.end);
        QCOMPARE(storedLosses(witness.run()).size(), std::size_t{kSteps});
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
        QCOMPARE(witness.gradients.size(), storedGradients(witness.run()).size());
        QVERIFY(!witness.checklist.empty());
        QVERIFY(witness.controller.canStart());
        // And it goes on, on a thread of this process if that is wanted.
        witness.steps.clear();
        witness.train(smallConfig(kSteps + 5), true);
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
    }

    void LaunchAgain_goesOn()
    {
        KeptWitness witness;
        witness.launch(smallConfig(5));
        WAIT_FOR(Finished);
        witness.steps.clear();
        witness.launch(smallConfig(12), true);
        QCOMPARE(witness.controller.state(), State::Preparing);
        WAIT_FOR(Finished);
        QCOMPARE(storedLosses(witness.run()).size(), std::size_t{12});
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
    }

    void Launch_thatCantBegin_tellsTheErrorOfTheTraining()
    {
        KeptWitness witness;
        RunConfig config = smallConfig(5);
        config.datasetPath = (witness.folder / "nowhere").string();
        witness.launch(config);
        WAIT_FOR(Failed);
        QVERIFY2(witness.failure.contains("nowhere"), qPrintable(witness.failure));
        QVERIFY(!std::filesystem::exists(witness.run()));
        witness.launch(smallConfig(5)); // the next one is none the worse
        WAIT_FOR(Finished);
    }

    void Run_thatFails_tellsItsError()
    {
        KeptWitness witness;
        RunConfig config = smallConfig(kSteps);
        config.learningRate.initial = 1e30; // the loss is no number soon
        witness.launch(config);
        WAIT_FOR(Failed);
        QVERIFY2(witness.failure.contains("lower learning rate"), qPrintable(witness.failure));
        QVERIFY(!witness.alerts.empty());
        QVERIFY(!witness.end);
    }

    void Killed_isToldAsUnexpected()
    {
        KeptWitness witness;
        witness.launch(smallConfig(kEndless));
        WAIT_FOR(Following);
        QTRY_VERIFY(witness.steps.size() > 10);
        ::kill(witness.controller.plan().writer.value(), SIGKILL);
        WAIT_FOR(Idle);
        QVERIFY(witness.end && witness.end->state == RunState::Running);
        QVERIFY(witness.controller.endedUnexpectedly());
    }

    void Cancelled_whileItIsStarted_leavesNoRun()
    {
        KeptWitness witness;
        witness.launch(smallConfig(kEndless));
        QVERIFY(witness.controller.can(command::Stop{}));
        witness.controller.send(command::Stop{});
        QCOMPARE(witness.controller.state(), State::Stopping);
        QTRY_VERIFY(witness.controller.canStart());
        QCOMPARE(witness.controller.state(), State::Stopped);
        QCOMPARE(witness.failure, QString());
        QVERIFY(!isTrained(witness.run()));
    }

    void Controllers_comeAndGo_theRunGoesOn()
    {
        auto first = std::make_unique<KeptWitness>();
        KeptWitness second;
        KeptWitness third;
        const auto run = second.run();
        first->controller.launch({smallConfig(kEndless), run});
        first.reset(); // before it is up
        QTRY_VERIFY(isUp(run));
        second.controller.open(run);
        third.controller.open(run);
        QTRY_VERIFY(second.steps.size() > 10 && third.steps.size() > 10);
        // Both command it.
        QTRY_VERIFY(second.controller.can(command::Pause{}));
        second.controller.send(command::Pause{});
        QTRY_VERIFY(third.controller.can(command::Resume{}));
        third.controller.send(command::Resume{});
        QTRY_VERIFY(second.controller.can(command::Pause{}));
        second.controller.send(command::Stop{});
        QTRY_VERIFY(second.end && third.end);
        const std::vector<double> losses = storedLosses(run);
        QVERIFY(second.hasLosses(losses) && third.hasLosses(losses));
        QVERIFY(third.end->state == RunState::Stopped);
    }

    void Masks_comeWhileTheyAreWanted()
    {
        KeptWitness witness;
        RunConfig config = smallConfig(kEndless);
        config.model.name = test::writeMaskModel(witness.folder.path()).string();
        config.dataset = "synthetic_defects";
        config.batchPerTower = 1;
        config.phases = {{"joint", kEndless, 0.01, {}}};
        witness.launch(config);
        WAIT_FOR(Following);
        QTRY_VERIFY(witness.steps.size() > 10);
        QVERIFY(witness.masks.empty());
        KeptWitness other;
        other.controller.open(witness.run());
        witness.controller.wantMasks(true);
        other.controller.wantMasks(true); // before it is followed
        QTRY_VERIFY(witness.masks.size() >= 2 && other.masks.size() >= 2);
        QVERIFY(witness.masks[0]->step < witness.masks[1]->step);
        QCOMPARE(witness.masks[0]->towers.size(), std::size_t{2});
        QCOMPARE(witness.masks[0]->towers[1].images.size(), std::size_t{1});
        witness.controller.wantMasks(false);
        other.controller.wantMasks(false);
        QTest::qWait(200); // what was on its way
        const auto count = witness.masks.size();
        QTest::qWait(1000);
        QCOMPARE(witness.masks.size(), count);
        stop(witness.run());
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestKeptRun)
#include "test_kept_run.moc"
