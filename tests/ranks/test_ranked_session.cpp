// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/synthetic_defects.h"
#include "ranks/synchronised_model.h"
#include "session/config/run_data.h"
#include "session/evaluation/evaluation.h"
#include "session/mask_model.h"
#include "session/synthetic_training.h"
#include "session/training/training_session.h"
#include "support/failure_of.h"
#include "support/fake_dataset.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/thread_ranks.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kRankedSteps = 6;

/// What a training came to.
struct Trained
{
    std::vector<double> losses; ///< of all towers, step by step
    std::vector<GradientRecord> gradients;
    Checkpoint end;
    double testLoss = 0.0;
};

/// What is trained, on what, and where it is looked at again.
struct Scene
{
    RunConfig config;
    const Dataset* training = nullptr;
    const Dataset* test = nullptr;
};

RunConfig rankedConfig(int towers)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.towers = towers;
    config.threadsPerTower = {1};
    config.batchPerTower = 6;
    config.steps = kRankedSteps;
    config.gradientsEverySteps = 2;
    return config;
}

const Dataset& testPictures()
{
    static const FakeDataset pictures(333);
    return pictures;
}

Scene pictureScene(int towers, int threads = 1)
{
    Scene scene{rankedConfig(towers), &trainingSet(), &testPictures()};
    scene.config.threadsPerTower = {threads};
    return scene;
}

/// Two objectives in two phases, masks.
Scene maskScene(const std::filesystem::path& model, int towers)
{
    static const auto training = openSyntheticDefects(Split::Train, {3, 16, 5});
    static const auto test = openSyntheticDefects(Split::Test, {3, 16, 5});
    Scene scene{rankedConfig(towers), training.get(), test.get()};
    scene.config.model.name = model.string();
    scene.config.dataset = "synthetic_defects";
    scene.config.batchPerTower = 2;
    scene.config.phases = {{"segmentation", 3, 0.5, {}}, {"decision", 3, 0.5, {"segmentation"}}};
    return scene;
}

/// As TrainingRun does it on rank 0; `meanwhile` may change things before a step.
Trained trainFirst(
    TrainingSession& session, const std::function<void(TrainingSession&)>& meanwhile = {})
{
    Trained trained;
    while (session.progress().step < kRankedSteps) {
        if (meanwhile) {
            meanwhile(session);
        }
        const TrainingStep& step = session.step();
        for (const TowerRecord& tower : step.record.towers) {
            trained.losses.push_back(tower.loss);
        }
        if (step.gradients) {
            trained.gradients.push_back(*step.gradients);
        }
    }
    session.order({RankOrder::Kind::End});
    trained.end = session.capture();
    return trained;
}

double testLoss(const Scene& scene, const TrainingSession& session, Ranks* ranks)
{
    Evaluation evaluation(
        session.plan().devices.first(), session.plan().network, session.stepper().arena().layout(),
        *scene.test, distortionFor(scene.config, session.plan().network));
    if (ranks != nullptr) {
        evaluation.shareAmong(*ranks);
    }
    ThreadTeam& threads = session.stepper().threads();
    session.stepper().arena().roundOperands();
    return evaluation.run(threads, threads.size(), session.stepper().arena().weightsView()).loss;
}

Trained trainAlone(const Scene& scene, const std::function<void(TrainingSession&)>& meanwhile = {})
{
    TrainingSession session(scene.config, *scene.training);
    Trained trained = trainFirst(session, meanwhile);
    trained.testLoss = testLoss(scene, session, nullptr);
    return trained;
}

/// What rank 0 has of it.
Trained trainOnRanks(
    const Scene& scene, int ranks, const std::function<void(TrainingSession&)>& meanwhile = {})
{
    Trained trained;
    runRanks(ranks, [&](Ranks& own) {
        TrainingSession session(scene.config, *scene.training, {}, &own);
        if (own.rank() == 0) {
            trained = trainFirst(session, meanwhile);
        } else {
            while (session.obey().kind != RankOrder::Kind::End) {
            }
        }
        const double loss = testLoss(scene, session, &own);
        if (own.rank() == 0) {
            trained.testLoss = loss;
        }
    });
    return trained;
}

void compare(const Trained& found, const Trained& expected)
{
    QCOMPARE(found.losses, expected.losses);
    QVERIFY(found.end.weights == expected.end.weights);
    QVERIFY(found.end.movingAverages == expected.end.movingAverages);
    QVERIFY(found.end.optimizerState == expected.end.optimizerState);
    QCOMPARE(found.end.examplesSeen, expected.end.examplesSeen);
    QCOMPARE(found.testLoss, expected.testLoss);
    QCOMPARE(found.gradients.size(), expected.gradients.size());
    for (std::size_t i = 0; i < expected.gradients.size(); ++i) {
        QVERIFY(sameGradients(found.gradients[i], expected.gradients[i]));
    }
}

} // namespace

/// The same towers, on one rank or several, are the same training, bit for bit.
class TestRankedSession : public QObject
{
    Q_OBJECT

private slots:
    void Towers_onAnyRanks_trainAsOnOne_data();
    void Towers_onAnyRanks_trainAsOnOne();
    void Phases_withMasks_onAnyRanks_areThoseOfOne();
    void Synchronised_normalisation_onAnyRanks_isThatOfOne();
    void Restore_andAnotherRate_reachAllRanks();
    void Gradient_notFinite_namesTowerAndRank();
    void Algorithms_thatWereMeasured_areThoseOfTheFirstRank();
    void Towers_fewerThanRanks_areRefused();
    void Data_thatDiffers_isRefused();
};

void TestRankedSession::Towers_onAnyRanks_trainAsOnOne_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("ranks");
    QTest::newRow("4 towers on 2 ranks") << 4 << 1 << 2;
    QTest::newRow("4 towers on 4 ranks") << 4 << 1 << 4;
    QTest::newRow("5 towers of 2 threads on 3 ranks") << 5 << 2 << 3;
}

void TestRankedSession::Towers_onAnyRanks_trainAsOnOne()
{
    QFETCH(int, towers);
    QFETCH(int, threads);
    QFETCH(int, ranks);
    const Scene scene = pictureScene(towers, threads);
    const Trained expected = trainAlone(scene);
    QCOMPARE(expected.gradients.size(), std::size_t{3});
    compare(trainOnRanks(scene, ranks), expected);
}

void TestRankedSession::Phases_withMasks_onAnyRanks_areThoseOfOne()
{
    const TemporaryFolder folder;
    const Scene scene = maskScene(writeMaskModel(folder / ""), 3);
    compare(trainOnRanks(scene, 2), trainAlone(scene));
}

void TestRankedSession::Synchronised_normalisation_onAnyRanks_isThatOfOne()
{
    const TemporaryFolder folder;
    Scene scene = pictureScene(4);
    scene.config.model.name = writeSynchronisedModel(folder / "model.toml").string();
    const Trained expected = trainAlone(scene);
    compare(trainOnRanks(scene, 2), expected);
    compare(trainOnRanks(scene, 3), expected);
}

void TestRankedSession::Restore_andAnotherRate_reachAllRanks()
{
    const Scene scene = pictureScene(4);
    const Checkpoint other = trainAlone(pictureScene(3)).end;
    const auto meanwhile = [&](TrainingSession& session) {
        if (session.progress().step == 2 && session.progress().examplesSeen == 48) {
            Checkpoint before = other;
            before.step = 2;
            before.examplesSeen = 36;
            session.restore(before);
        } else if (session.progress().step == 4) {
            session.setLearningRate(0.01);
        }
    };
    compare(trainOnRanks(scene, 3, meanwhile), trainAlone(scene, meanwhile));
}

/// All know it, and say the same.
void TestRankedSession::Gradient_notFinite_namesTowerAndRank()
{
    Scene scene = pictureScene(4);
    scene.config.learningRate.initial = 1e20;
    const auto alone = errorOf([&] { trainAlone(scene); });
    const auto ranked = errorOf([&] { trainOnRanks(scene, 2); });
    QVERIFY(tells(alone, ErrorCode::Numeric, "tower "));
    QVERIFY(tells(ranked, ErrorCode::Numeric, "tower ", "(rank ", " on node0)"));
    const QString said = ranked->what();
    QCOMPARE(
        QString(said).replace(QRegularExpression(" \\(rank . on node0\\)"), ""),
        QString(alone->what()));
}

void TestRankedSession::Algorithms_thatWereMeasured_areThoseOfTheFirstRank()
{
    Scene scene = pictureScene(2);
    scene.config.model = {};
    scene.config.batchPerTower = 9;
    scene.config.precision = "bfloat16";
    std::array<std::string, 2> chosen; // evaluations take these
    runRanks(2, [&](Ranks& own) {
        const TrainingSession session(scene.config, *scene.training, {}, &own);
        chosen.at(static_cast<std::size_t>(own.rank())) = session.plan().config.algorithms;
    });
    QVERIFY(chosen[0].starts_with("conv1: "));
    QCOMPARE(chosen[1], chosen[0]);
}

void TestRankedSession::Towers_fewerThanRanks_areRefused()
{
    const Scene scene = pictureScene(2);
    QVERIFY(tells(
        errorOf([&] { trainOnRanks(scene, 3); }), ErrorCode::BadInput, "towers is 2", "3 ranks"));
}

void TestRankedSession::Data_thatDiffers_isRefused()
{
    const Scene scene = pictureScene(2);
    const FakeDataset other(trainingSet().size());
    QVERIFY(tells(
        errorOf([&] {
            runRanks(2, [&](Ranks& own) {
                const TrainingSession session(
                    scene.config, own.rank() == 1 ? other : *scene.training, {}, &own);
            });
        }),
        ErrorCode::BadInput, "rank 1 on node0"));
}

LOCKSTEP_TEST(TestRankedSession)
#include "test_ranked_session.moc"
