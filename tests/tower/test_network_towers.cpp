// SPDX-License-Identifier: Apache-2.0
// Oracle 1 for whole networks: with normalisations that are frozen, two towers of one row each make
// the step of one tower of two.
#include "network/models/classifiers.h"
#include "network/models/inception_v3.h"
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "support/tower_run.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

constexpr std::uint64_t kNetworkSeed = 4;

/// Moving variances that keep values near 1 through the depth, as those of a training do: of a
/// product with random weights over values of which half are 0.
void takeFittingVariances(const NetworkSpec& network, const ParameterArena& arena)
{
    double variance = 1.0;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        const ParameterSpec& parameter = network.parameters[i];
        const auto values = arena.of(arena.weights(), static_cast<int>(i));
        if (parameter.shape.size() == 4) {
            const double length = test::norm<float>(values);
            variance = 0.5 * length * length / static_cast<double>(parameter.shape.front());
        }
        if (parameter.role == ParameterRole::MovingVariance) {
            std::ranges::fill(values, static_cast<float>(variance));
        }
    }
}

} // namespace

class TestNetworkTowers : public QObject
{
    Q_OBJECT

private slots:
    void Towers_ofOneRow_equalOneTowerOfTwo_data()
    {
        QTest::addColumn<NetworkSpec>("network");
        InceptionV3Settings inception;
        inception.inputHeight = inception.inputWidth = kSmallestInceptionSide;
        inception.classes = 10;
        inception.normalization = NormalizationMode::Moving;
        inception.dropoutKeep = 1.0;
        QTest::newRow("inception_v3, without dropout") << inceptionV3Network(inception);
        inception.dropoutKeep = 0.8;
        QTest::newRow("inception_v3, with dropout") << inceptionV3Network(inception);
        for (const std::string& name : classifierNames()) {
            ClassifierSettings settings = classifierSettings(name);
            settings.inputHeight = settings.inputWidth = 32;
            settings.classes = 10;
            settings.normalization = NormalizationMode::Moving;
            QTest::newRow(name.c_str()) << classifierNetwork(name, settings);
        }
    }

    void Towers_ofOneRow_equalOneTowerOfTwo()
    {
        QFETCH(NetworkSpec, network);
        const Batch batch = test::randomBatch(network, 2, 1);
        test::TowerRun one(network, {1, 1, 2}, kNetworkSeed);
        test::TowerRun two(network, {2, 1, 1}, kNetworkSeed);
        for (test::TowerRun* run : {&one, &two}) {
            takeFittingVariances(network, run->arena());
            QCOMPARE(run->step(batch), -1);
        }
        QVERIFY(std::abs(two.lossSum() / one.lossSum() - 1.0) < 1e-5);
        const auto trained = network.trainedParameters();
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            if (!trained[i]) {
                continue;
            }
            const double length = test::norm<float>(one.average(i));
            const double error = test::relativeError(two.average(i), one.average(i));
            QVERIFY2(
                length > 0.0 && error < 1e-4,
                qPrintable(QString("%1: %2, of %3")
                               .arg(QString::fromStdString(network.parameters[i].name))
                               .arg(error)
                               .arg(length)));
        }
    }
};

LOCKSTEP_TEST(TestNetworkTowers)
#include "test_network_towers.moc"
