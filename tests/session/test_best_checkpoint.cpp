// SPDX-License-Identifier: Apache-2.0
#include "session/config/best_checkpoint.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <cmath>

using namespace lockstep;

namespace {

EvaluationRecord evaluation(WeightsKind weights)
{
    EvaluationRecord record;
    record.weights = weights;
    record.accuracy = 0.75;
    record.loss = 0.5;
    return record;
}

} // namespace

/// Which figure of an evaluation chooses the best checkpoint.
class TestBestCheckpoint : public QObject
{
    Q_OBJECT
private slots:
    static void Score_ofEachName_isItsFigure_data();
    static void Score_ofEachName_isItsFigure();
    static void Score_nothingDetected_isNone();
    static void Name_unknown_namesTheOthers();
};

void TestBestCheckpoint::Score_ofEachName_isItsFigure_data()
{
    test::addRows<QString, bool, double>(
        {"name", "isRaw", "score"},
        {{"accuracy", "accuracy", false, 0.75},
         {"top 5", "top5", false, 0.9375},
         {"top 5, raw", "raw_top5", true, 0.9375},
         {"loss: less is better", "loss", false, -0.5},
         {"average precision", "average_precision", false, 0.875},
         {"accuracy, raw", "raw_accuracy", true, 0.75},
         {"loss, raw", "raw_loss", true, -0.5},
         {"average precision, raw", "raw_average_precision", true, 0.875}});
}

void TestBestCheckpoint::Score_ofEachName_isItsFigure()
{
    QFETCH(const QString, name);
    QFETCH(const bool, isRaw);
    QFETCH(const double, score);
    const BestCheckpointRule rule = bestCheckpointByName(name.toStdString());
    EvaluationRecord record = evaluation(isRaw ? WeightsKind::Raw : WeightsKind::Average);
    record.detection.emplace();
    record.detection->averagePrecision = 0.875;
    record.examples = 32;
    record.inTopFive = 30;
    QCOMPARE(rule.scoreOf(record), score);
    record.weights = isRaw ? WeightsKind::Average : WeightsKind::Raw;
    QVERIFY(std::isnan(rule.scoreOf(record)));
}

void TestBestCheckpoint::Score_nothingDetected_isNone()
{
    for (const char* name : {"average_precision", "top5"}) {
        const BestCheckpointRule rule = bestCheckpointByName(name);
        QVERIFY(std::isnan(rule.scoreOf(evaluation(WeightsKind::Average))));
    }
}

void TestBestCheckpoint::Name_unknown_namesTheOthers()
{
    QVERIFY(test::tells(
        test::errorOf([&] { bestCheckpointByName("precision"); }), ErrorCode::BadInput,
        "'precision'", "raw_average_precision"));
}

LOCKSTEP_TEST(TestBestCheckpoint)
#include "test_best_checkpoint.moc"
