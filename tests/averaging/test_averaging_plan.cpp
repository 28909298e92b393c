// SPDX-License-Identifier: Apache-2.0
// What may be averaged, what is refused and in which words (reference-systems.md, section D.3).
#include "averaging/averaging_plan.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/tower_run.h"

#include <numeric>

using namespace lockstep;

namespace {

/// Parameters: 0 hidden.weight, 1 hidden.bias, 2 logits.weight, 3 logits.bias.
const NetworkSpec kSmallNetwork = test::twoDenseLayers(3, 4, 2);

std::vector<TowerContribution> towers(const std::vector<std::int64_t>& examples)
{
    return test::denseContributions(kSmallNetwork, examples);
}

void expectError(const std::vector<TowerContribution>& from, const QStringList& named)
{
    const auto error =
        test::errorOf([&] { (void)planAveraging(kSmallNetwork, from, MissingGradient::Error); });
    QVERIFY(test::tells(error, ErrorCode::BadInput));
    for (const QString& word : named) {
        QVERIFY(test::tells(error, ErrorCode::BadInput, word.toStdString()));
    }
}

} // namespace

class TestAveragingPlan : public QObject
{
    Q_OBJECT

private slots:
    void Plan_ofDenseGradients_averagesAll()
    {
        const auto plan = planAveraging(kSmallNetwork, towers({3, 3}), MissingGradient::Error);
        QVERIFY(plan.isAveraged == std::vector<bool>(4, true));
        QVERIFY((plan.towerWeights == std::vector<float>{0.5F, 0.5F}));
    }

    void Weights_ofUnequalBatches_areTheirExamples()
    {
        const auto plan = planAveraging(kSmallNetwork, towers({3, 4, 1}), MissingGradient::Error);
        QVERIFY((plan.towerWeights == std::vector<float>{0.375F, 0.5F, 0.125F}));
    }

    void Weights_ofManyTowers_addUpToOne()
    {
        for (std::size_t count = 1; count <= 64; ++count) {
            const auto plan = planAveraging(
                kSmallNetwork, towers(std::vector<std::int64_t>(count, 7)), MissingGradient::Error);
            const double sum =
                std::accumulate(plan.towerWeights.begin(), plan.towerWeights.end(), 0.0);
            QVERIFY(std::abs(sum - 1.0) < 1e-6);
        }
    }

    void AbsentEverywhere_isNotAveraged()
    {
        auto from = towers({2, 2});
        for (auto& tower : from) {
            tower.gradients.at(1) = {GradientForm::Absent, {}};
        }
        for (const auto policy : {MissingGradient::Error, MissingGradient::Zeros}) {
            const auto plan = planAveraging(kSmallNetwork, from, policy);
            QVERIFY((plan.isAveraged == std::vector<bool>{true, false, true, true}));
        }
    }

    void AbsentOnSome_isAnErrorThatNamesTowerAndParameter()
    {
        auto from = towers({2, 2, 2});
        from.at(1).gradients.at(2) = {GradientForm::Absent, {}};
        expectError(from, {"tower 1", "'logits.weight'", "averaging.missing_gradient", "zeros"});
    }

    void AbsentOnSome_asZeros_isAveragedOverAllTowers()
    {
        auto from = towers({2, 2, 4});
        from.at(1).gradients.at(2) = {GradientForm::Absent, {}};
        const auto plan = planAveraging(kSmallNetwork, from, MissingGradient::Zeros);
        QVERIFY(plan.isAveraged == std::vector<bool>(4, true));
        // The others still count by all examples, so that the missing one counts as zeros.
        QVERIFY((plan.towerWeights == std::vector<float>{0.25F, 0.25F, 0.5F}));
        QVERIFY((plan.isPresent.at(1) == std::vector<bool>{true, true, false, true}));
        QVERIFY(plan.isPresent.at(0) == std::vector<bool>(4, true));
    }

    void Shapes_thatDiffer_areNamed()
    {
        auto from = towers({2, 2});
        from.at(1).gradients.at(0).shape = {3, 4};
        expectError(from, {"tower 1", "'hidden.weight'", "[3, 4]", "[4, 3]"});
    }

    void RowSparse_isRefusedWithTheReason()
    {
        auto from = towers({2, 2});
        from.at(0).gradients.at(3).form = GradientForm::RowSparse;
        expectError(from, {"tower 0", "'logits.bias'", "row-sparse", "dense"});
    }

    void EmptyBatch_isRefused() { expectError(towers({2, 0}), {"tower 1", "empty"}); }

    void Policy_namesAreThoseOfTheConfiguration()
    {
        for (const auto policy : {MissingGradient::Error, MissingGradient::Zeros}) {
            QVERIFY(missingGradientByName(toString(policy)) == policy);
        }
        QVERIFY(test::tells(
            test::errorOf([&] { missingGradientByName("skip"); }), ErrorCode::BadInput, "'skip'"));
    }
};

LOCKSTEP_TEST(TestAveragingPlan)
#include "test_averaging_plan.moc"
