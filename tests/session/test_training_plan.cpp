// SPDX-License-Identifier: Apache-2.0
#include "session/synthetic_training.h"
#include "session/training/training_plan.h"
#include "session/two_objectives.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <QTemporaryDir>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Steps 0 to 9 at a rate of their own, then by the schedule.
RunConfig twoPhases(const QTemporaryDir& folder)
{
    RunConfig config = smallConfig(20);
    config.model.name = writeTwoObjectives(folder.path().toStdString());
    config.phases = {{"coarse", 10, 0.05, {}}, {"fine", 10, std::nullopt, {"trunk"}}};
    config.learningRate.initial = 0.2;
    return config;
}

} // namespace

class TestTrainingPlan : public QObject
{
    Q_OBJECT
private slots:
    void rate_inAPhaseOfItsOwn_changesTheRestOfThat();
    void rate_bySchedule_leavesThePhasesAlone();
    void changeRate_changesTheConfigurationAlone();
    void updates_haveTheRatesOfTheirSteps();
    void updates_ofAdam_countThoseOfWhatIsTrained();
    void steps_more_lengthenTheLastPhase();
    void objective_unknown_namesThePhase();

private:
    QTemporaryDir m_folder;
};

void TestTrainingPlan::rate_inAPhaseOfItsOwn_changesTheRestOfThat()
{
    TrainingPlan plan(twoPhases(m_folder), trainingSet());
    plan.setLearningRate(4, 0.01);
    QCOMPARE(plan.learningRateAt(3), 0.05);
    QCOMPARE(plan.learningRateAt(4), 0.01);
    QCOMPARE(plan.learningRateAt(9), 0.01);
    QCOMPARE(plan.learningRateAt(10), 0.2);
    QCOMPARE(plan.phases.size(), std::size_t{3});
    QCOMPARE(plan.config.learningRate.initial, 0.2);
    QCOMPARE(plan.config.steps, 20);
}

void TestTrainingPlan::rate_bySchedule_leavesThePhasesAlone()
{
    TrainingPlan plan(twoPhases(m_folder), trainingSet());
    const auto phases = plan.phases;
    plan.setLearningRate(12, 0.3);
    QVERIFY(plan.phases == phases);
    QCOMPARE(plan.learningRateAt(12), 0.3);
    QCOMPARE(plan.learningRateAt(4), 0.05);
}

void TestTrainingPlan::changeRate_changesTheConfigurationAlone()
{
    const TrainingPlan plan(twoPhases(m_folder), trainingSet());
    RunConfig changed = plan.config;
    plan.changeRate(changed, 4, 0.01);
    QCOMPARE(plan.learningRateAt(4), 0.05);
    QCOMPARE(TrainingPlan(changed, trainingSet()).learningRateAt(4), 0.01);
}

void TestTrainingPlan::updates_haveTheRatesOfTheirSteps()
{
    TrainingPlan plan(twoPhases(m_folder), trainingSet());
    const UpdateSchedule before = plan.updates();
    plan.setLearningRate(0, 0.5);
    const UpdateSchedule after = plan.updates();
    for (const std::int64_t step : {0, 9, 10, 19}) {
        QCOMPARE(before(step).learningRate, step < 10 ? 0.05 : 0.2);
        QCOMPARE(after(step).learningRate, step < 10 ? 0.5 : 0.2);
    }
}

/// Adam corrects the bias of means that begin at 0: those of the second phase do so at step 10, as
/// long as the first one has trained none of them.
void TestTrainingPlan::updates_ofAdam_countThoseOfWhatIsTrained()
{
    for (const bool isFirst : {true, false}) {
        RunConfig config = twoPhases(m_folder);
        config.optimizer.name = "adam";
        config.phases[0].objective = isFirst ? "coarse" : "joint";
        const TrainingPlan plan(config, trainingSet());
        const auto expected = [&](std::int64_t updates) {
            return updateAt(plan.optimizer, 0.2, 0.0, updates).learningRate;
        };
        const UpdateSchedule updates = plan.updates();
        QCOMPARE(updates(10).learningRate, expected(isFirst ? 0 : 10));
        QCOMPARE(updates(14).learningRate, expected(isFirst ? 4 : 14));
        QCOMPARE(updates(4).learningRate, updateAt(plan.optimizer, 0.05, 0.0, 4).learningRate);
    }
}

void TestTrainingPlan::steps_more_lengthenTheLastPhase()
{
    TrainingPlan plan(twoPhases(m_folder), trainingSet());
    plan.setSteps(50);
    QCOMPARE(plan.phases.front().endStep, 10);
    QCOMPARE(plan.phases.back().endStep, 50);
    QCOMPARE(
        plan.stepperSettings(plan.network).schedule(40).learningRate,
        plan.updates()(10).learningRate);
}

void TestTrainingPlan::objective_unknown_namesThePhase()
{
    RunConfig config = twoPhases(m_folder);
    config.phases[1].objective = "finer";
    const QString failure = failureOf([&] { const TrainingPlan plan(config, trainingSet()); });
    QVERIFY2(failure.contains("phase.1: ") && failure.contains("finer"), qPrintable(failure));
}

LOCKSTEP_TEST(TestTrainingPlan)
#include "test_training_plan.moc"
