// SPDX-License-Identifier: Apache-2.0
#include "input/batch_arithmetic.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <limits>

namespace lockstep::test {

class TestBatchArithmetic : public QObject
{
    Q_OBJECT
private slots:
    void Arithmetic_cifar10_isAsCountedByHand();
    void Arithmetic_batchLargerThanTheSet_hasNoWholeStep();
    void Arithmetic_evenSet_carriesNothing();
    void Arithmetic_unusable_isRefused_data();
    void Arithmetic_unusable_isRefused();
    void Split_divisible_givesTheBatchPerTower();
    void Split_notDivisible_namesTheNearest_data();
    void Split_notDivisible_namesTheNearest();
};

void TestBatchArithmetic::Arithmetic_cifar10_isAsCountedByHand()
{
    // 195 * 256 = 49,920 of 50,000; 3,000 * 256 = 768,000 = 15.36 * 50,000.
    const auto result = batchArithmetic(50000, 2, 128, 3000);
    QCOMPARE(result.globalBatch, 256);
    QCOMPARE(result.stepsPerEpoch, 195.3125);
    QCOMPARE(result.wholeStepsPerEpoch, 195);
    QCOMPARE(result.carriedExamples, 80);
    QCOMPARE(result.examplesInRun, 768000);
    QCOMPARE(result.epochsInRun, 15.36);
}

void TestBatchArithmetic::Arithmetic_batchLargerThanTheSet_hasNoWholeStep()
{
    const auto result = batchArithmetic(10, 4, 10, 3);
    QCOMPARE(result.stepsPerEpoch, 0.25);
    QCOMPARE(result.wholeStepsPerEpoch, 0);
    QCOMPARE(result.carriedExamples, 10);
    QCOMPARE(result.epochsInRun, 12.0);
}

void TestBatchArithmetic::Arithmetic_evenSet_carriesNothing()
{
    const auto result = batchArithmetic(100, 5, 4, 0);
    QCOMPARE(result.wholeStepsPerEpoch, 5);
    QCOMPARE(result.carriedExamples, 0);
    QCOMPARE(result.epochsInRun, 0.0);
}

void TestBatchArithmetic::Arithmetic_unusable_isRefused_data()
{
    constexpr qint64 kHuge = std::numeric_limits<qint64>::max() / 2;
    lockstep::test::addRows<qint64, qint64, qint64, qint64, QString>(
        {"examples", "towers", "batch", "steps", "text"},
        {{"no towers", 10, 0, 1, 1, "towers is 0"},
         {"no batch", 10, 1, 0, 1, "batch per tower is 0"},
         {"negative steps", 10, 1, 1, -1, "steps is -1"},
         {"no examples", 0, 1, 1, 1, "no examples"},
         {"overflow of the batch", 10, 3, kHuge, 1, "too large"},
         {"overflow of the run", 10, 1, 3, kHuge, "too large"}});
}

void TestBatchArithmetic::Arithmetic_unusable_isRefused()
{
    QFETCH(qint64, examples);
    QFETCH(qint64, towers);
    QFETCH(qint64, batch);
    QFETCH(qint64, steps);
    QFETCH(QString, text);
    const auto error = errorOf([&] { batchArithmetic(examples, towers, batch, steps); });
    const auto code = examples == 0 ? ErrorCode::Data : ErrorCode::BadInput;
    QVERIFY(tells(error, code, text.toStdString()));
}

void TestBatchArithmetic::Split_divisible_givesTheBatchPerTower()
{
    QCOMPARE(splitGlobalBatch(256, 2), 128);
    QCOMPARE(splitGlobalBatch(7, 7), 1);
    QCOMPARE(splitGlobalBatch(7, 1), 7);
}

void TestBatchArithmetic::Split_notDivisible_namesTheNearest_data()
{
    lockstep::test::addRows<qint64, qint64, QString>(
        {"globalBatch", "towers", "text"}, {{"between two", 100, 3, "use 99 or 102"},
                                            {"one too many", 129, 2, "use 128 or 130"},
                                            {"fewer than towers", 3, 8, "towers: use 8"},
                                            {"nothing", 0, 4, "global batch is 0"},
                                            {"no towers", 8, 0, "towers is 0"}});
}

void TestBatchArithmetic::Split_notDivisible_namesTheNearest()
{
    QFETCH(qint64, globalBatch);
    QFETCH(qint64, towers);
    QFETCH(QString, text);
    const auto error = errorOf([&] { splitGlobalBatch(globalBatch, towers); });
    QVERIFY(tells(error, ErrorCode::BadInput, text.toStdString()));
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestBatchArithmetic)
#include "test_batch_arithmetic.moc"
