// SPDX-License-Identifier: Apache-2.0
#include "api/scene.h"
#include "support/lockstep_test.h"

#include <stop_token>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;
using api::ErrorCode;
namespace fs = std::filesystem;

class TestTrain : public QObject
{
    Q_OBJECT

private slots:
    void Train_tellsTheObserver();
    void Train_again_isTheSame();
    void Train_twiceAtOnce_isAsOneAfterTheOther();
    void Train_anotherSeed_isNot();
    void UnknownKey_isNamedWithTheNearest();
    void Stop_fromTheObserver_thenResume_isAsWithoutStop();
    void Resume_withTheOtherNameOfTheBatch_goesOn();
    void Stop_fromAnotherThread_keepsACheckpoint();
    void Stop_beforeTheRun_leavesNone();
    void ThrowingObserver_stopsAndComesOut();
    void ExistingRun_withoutResume_isRefused();
    void Test_tellsWhatTheNetworkMakesOfEachExample();
    void Test_withoutACheckpoint_isRefused();
    void Version_isThatOfTheProject();
};

void TestTrain::Train_tellsTheObserver()
{
    Scene scene;
    Kept kept;
    const auto result = api::train(scene.request, kept);
    QVERIFY(result.isFinished);
    QCOMPARE(result.steps, 6);
    QCOMPARE(result.folder, scene.request.folder);
    QVERIFY(fs::exists(result.checkpoint));
    QVERIFY(fs::exists(result.folder / "run.db"));
    QCOMPARE(kept.steps.size(), std::size_t{6});
    for (const api::Step& step : kept.steps) {
        QCOMPARE(step.towers.size(), std::size_t{2});
        QCOMPARE(step.lossMean, (step.towers[0].loss + step.towers[1].loss) / 2.0);
        QCOMPARE(step.lossLast, step.towers[1].loss);
        QCOMPARE(step.examples, 8 * (step.step + 1));
        QCOMPARE(step.towers[0].examples, 4);
    }
    QCOMPARE(kept.checkpoints, (std::vector<std::int64_t>{0, 6}));
    QCOMPARE(kept.evaluations.size(), std::size_t{2});
    QVERIFY(kept.evaluations[0].weights == api::Weights::Raw);
    QVERIFY(kept.evaluations[1].weights == api::Weights::Average);
    QCOMPARE(kept.evaluations[1].step, 6);
    QVERIFY(kept.notes.find("finished at step 6") != std::string::npos);
    QVERIFY(kept.notes.find("data: program:patterns: 40 training and 8 test") != std::string::npos);
}

void TestTrain::Train_again_isTheSame()
{
    Scene scene;
    Kept first;
    Kept second;
    api::train(scene.request, first);
    scene.request.folder = scene.folder / "again";
    api::train(scene.request, second);
    QCOMPARE(first.losses(), second.losses());
}

void TestTrain::Train_twiceAtOnce_isAsOneAfterTheOther()
{
    Scene alone;
    Kept expected;
    api::train(alone.request, expected);
    Scene one;
    Scene two;
    Kept first;
    Kept second;
    {
        const std::jthread other([&] { api::train(one.request, first); });
        api::train(two.request, second);
    }
    QCOMPARE(first.losses(), expected.losses());
    QCOMPARE(second.losses(), expected.losses());
}

void TestTrain::Train_anotherSeed_isNot()
{
    Scene scene;
    Kept first;
    Kept second;
    api::train(scene.request, first);
    scene.request.folder = scene.folder / "other";
    scene.set("seed", "2");
    api::train(scene.request, second);
    QVERIFY(first.losses() != second.losses());
}

void TestTrain::UnknownKey_isNamedWithTheNearest()
{
    Scene scene;
    scene.set("tower", "3");
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "'tower'",
        "did you mean 'towers'"));
    scene.request.settings.back() = {"towers", "none"};
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "towers", "none"));
}

void TestTrain::Stop_fromTheObserver_thenResume_isAsWithoutStop()
{
    Scene scene;
    Kept whole;
    api::train(scene.request, whole);

    std::stop_source stop;
    scene.request.folder = scene.folder / "stopped";
    scene.request.stop = stop.get_token();
    Kept kept;
    kept.afterStep = [&](const api::Step& step) {
        if (step.step == 2) {
            stop.request_stop();
        }
    };
    const auto stopped = api::train(scene.request, kept);
    QVERIFY(!stopped.isFinished);
    QCOMPARE(stopped.steps, 3);
    scene.request.stop = {};
    scene.request.isResume = true;
    const auto finished = api::train(scene.request, kept);
    QVERIFY(finished.isFinished);
    QCOMPARE(kept.losses(), whole.losses());
}

/// As lockstep-train takes settings: one name of the batch replaces the other.
void TestTrain::Resume_withTheOtherNameOfTheBatch_goesOn()
{
    Scene scene;
    api::train(scene.request);
    scene.request.isResume = true;
    scene.request.settings = {{"global_batch", "8"}, {"steps", "8"}};
    QCOMPARE(api::train(scene.request).steps, 8);
}

void TestTrain::Stop_fromAnotherThread_keepsACheckpoint()
{
    Scene scene;
    scene.set("steps", "1000000");
    std::stop_source stop;
    scene.request.stop = stop.get_token();
    std::jthread other;
    Kept kept;
    kept.afterStep = [&](const api::Step& step) {
        if (step.step == 1) {
            other = std::jthread([&] { stop.request_stop(); });
        }
    };
    const auto result = api::train(scene.request, kept);
    QVERIFY(!result.isFinished);
    QCOMPARE(result.steps, std::ssize(kept.steps));
    QVERIFY(fs::exists(result.checkpoint));
}

void TestTrain::Stop_beforeTheRun_leavesNone()
{
    Scene scene;
    std::stop_source stop;
    scene.request.stop = stop.get_token();
    scene.training.onExample = [&](std::int64_t) { stop.request_stop(); };
    QVERIFY(refuses(ErrorCode::Cancelled, [&] { api::train(scene.request); }));
    QVERIFY(!fs::exists(scene.request.folder));
}

void TestTrain::ThrowingObserver_stopsAndComesOut()
{
    struct Mine
    {
        int step;
    };
    Scene scene;
    Kept kept;
    kept.afterStep = [](const api::Step& step) {
        if (step.step == 2) {
            throw Mine{2};
        }
    };
    try {
        api::train(scene.request, kept);
        QFAIL("nothing came out");
    } catch (const Mine& mine) {
        QCOMPARE(mine.step, 2);
    }
    scene.request.isResume = true;
    kept.afterStep = [](const api::Step&) {};
    api::train(scene.request, kept);
    QCOMPARE(kept.steps[3].step, 3); // from the checkpoint on
}

void TestTrain::ExistingRun_withoutResume_isRefused()
{
    Scene scene;
    api::train(scene.request);
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::train(scene.request); }, "a run is"));
}

void TestTrain::Test_tellsWhatTheNetworkMakesOfEachExample()
{
    Scene scene;
    const auto trained = api::train(scene.request);
    const auto tested = api::test(
        {.checkpoint = trained.folder, .data = &scene.unseen, .weights = api::Weights::Raw});
    QCOMPARE(tested.checkpoint, trained.checkpoint);
    QCOMPARE(tested.evaluation.step, 6);
    QCOMPARE(tested.predictions.size(), std::size_t{8});
    std::int64_t correct = 0;
    for (std::size_t i = 0; i < tested.predictions.size(); ++i) {
        const api::Prediction& prediction = tested.predictions[i];
        QCOMPARE(prediction.label, static_cast<int>((40 + i) % 10));
        QVERIFY(prediction.probability >= 0.1 && prediction.probability <= 1.0);
        correct += prediction.label == prediction.predicted ? 1 : 0;
    }
    QCOMPARE(tested.evaluation.correct, correct);
}

void TestTrain::Test_withoutACheckpoint_isRefused()
{
    Scene scene;
    int made = 0; // which may take minutes
    scene.unseen.onExample = [&](std::int64_t) { ++made; };
    const api::TestRequest request{.checkpoint = scene.folder / "nowhere", .data = &scene.unseen};
    QVERIFY(refuses(
        ErrorCode::BadInput, [&] { api::test(request); }, "nowhere"));
    QCOMPARE(made, 0);
}

void TestTrain::Version_isThatOfTheProject()
{
    QCOMPARE(api::version(), std::string(LOCKSTEP_VERSION));
}

LOCKSTEP_TEST(TestTrain)
#include "test_train.moc"
