// SPDX-License-Identifier: Apache-2.0
#include "session/synthetic_training.h"
#include "session/training/describe_training.h"
#include "session/training/step_refused.h"
#include "session/training/training_session.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <vector>

using namespace lockstep;
using test::trainingSet;

namespace {

RunConfig shardConfig(const std::string& shards, int tower = -1)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.towers = 3;
    config.batchPerTower = 16;
    config.experiment.shards = shards;
    config.experiment.tower = tower;
    return config;
}

/// Losses of all towers, step by step.
std::vector<double> lossesOf(TrainingSession& session, int steps)
{
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        for (const TowerRecord& tower : session.step().record.towers) {
            losses.push_back(tower.loss);
        }
    }
    return losses;
}

QString textOf(const TrainingSession& session)
{
    QString text;
    for (const std::string& line : describe(session.plan(), session.stepper())) {
        text += QString::fromStdString(line) + '\n';
    }
    return text;
}

} // namespace

/// Faults on purpose, in real trainings, and what a check of the last tower would have made of a
/// fault that is none.
class TestExperiment : public QObject
{
    Q_OBJECT

private slots:
    void Experiment_isSaidByTheSession();
    void Experiment_offTower_changesThatTowerAlone();
    void Experiment_afterARestore_sameBits_data();
    void Experiment_afterARestore_sameBits();
    void Experiment_thatFitsNothing_isRefused();
    void LastTowerCheck_ofAFault_saysWhatItMisses();
};

void TestExperiment::Experiment_isSaidByTheSession()
{
    const auto said = [](const RunConfig& config) {
        return textOf(TrainingSession(config, trainingSet()));
    };
    QVERIFY(!said(shardConfig("distinct")).contains("experiment"));
    QVERIFY(said(shardConfig("same")).contains("experiment: all towers get the same rows"));
    QVERIFY(said(shardConfig("poisoned")).contains("the labels of tower 2 are random"));
    RunConfig skewed = shardConfig("skewed", 1);
    skewed.experiment.exampleClass = 4;
    QVERIFY(said(skewed).contains("tower 1 gets only examples of class 4"));
}

void TestExperiment::Experiment_offTower_changesThatTowerAlone()
{
    TrainingSession proper(shardConfig("distinct"), trainingSet());
    TrainingSession poisoned(shardConfig("poisoned", 1), trainingSet());
    TrainingSession same(shardConfig("same"), trainingSet());
    const std::vector<double> expected = lossesOf(proper, 1);
    const std::vector<double> found = lossesOf(poisoned, 1);
    QCOMPARE(found[0], expected[0]);
    QVERIFY(found[1] != expected[1]);
    QCOMPARE(found[2], expected[2]);
    for (const double loss : lossesOf(same, 1)) {
        QCOMPARE(loss, expected[0]);
    }
}

void TestExperiment::Experiment_afterARestore_sameBits_data()
{
    QTest::addColumn<QString>("shards");
    for (const char* const shards : {"same", "skewed", "poisoned"}) {
        QTest::newRow(shards) << QString(shards);
    }
}

void TestExperiment::Experiment_afterARestore_sameBits()
{
    QFETCH(const QString, shards);
    const RunConfig config = shardConfig(shards.toStdString());
    TrainingSession whole(config, trainingSet());
    const std::vector<double> all = lossesOf(whole, 12);
    TrainingSession before(config, trainingSet());
    lossesOf(before, 7);
    // As the checkpoint tells it.
    RunConfig recorded;
    parseConfig(recorded, before.capture().configuration, "checkpoint");
    TrainingSession after(recorded, trainingSet());
    after.restore(before.capture());
    QCOMPARE(
        lossesOf(after, 5), std::vector<double>(all.begin() + std::ptrdiff_t{7} * 3, all.end()));
}

void TestExperiment::Experiment_thatFitsNothing_isRefused()
{
    const auto refusal = [](const RunConfig& config) {
        return test::failureOf([&] { const TrainingSession session(config, trainingSet()); });
    };
    QVERIFY(refusal(shardConfig("odd")).contains("experiment.shards"));
    QVERIFY(refusal(shardConfig("skewed", 3)).contains("experiment.tower"));
    RunConfig noClass = shardConfig("skewed");
    noClass.experiment.exampleClass = 10;
    QVERIFY(refusal(noClass).contains("experiment.class"));
}

void TestExperiment::LastTowerCheck_ofAFault_saysWhatItMisses()
{
    const auto said = [](const FaultInSight& fault) {
        return QString::fromStdString(lastTowerCheckText(fault));
    };
    // Another tower's loss, or a gradient: passed, updated, seen a step later.
    const QString missed = said({812, 2.5, 0});
    QVERIFY2(missed.contains("would have passed this step"), qPrintable(missed));
    QVERIFY2(missed.contains("at step 813 at the earliest"), qPrintable(missed));
    QVERIFY(!missed.contains("checkpoint"));
    // A checkpoint after 1,000 updates is due after step 999.
    QVERIFY(said({999, 2.5, 1000}).contains("checkpoint 1000 would have been saved"));
    QVERIFY(!said({1000, 2.5, 1000}).contains("checkpoint"));
    // The last tower's own is seen, too late; an infinite loss is no NaN.
    QVERIFY(said({812, std::nan(""), 0}).contains("too late for the weights"));
    QVERIFY(said({812, HUGE_VAL, 0}).contains("would have passed this step"));
}

LOCKSTEP_TEST(TestExperiment)
#include "test_experiment.moc"
