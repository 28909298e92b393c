// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.h"
#include "network/models/catalog.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "update/moving_average.h"
#include "update/optimizer.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

/// An arena with random weights and gradients, and its optimizer.
struct Trained
{
    explicit Trained(const std::vector<bool>& chosen = std::vector<bool>(4, true))
        : arena(device, spec),
          optimizer(device, spec, arena, chunkParameters(arena.layout(), chosen))
    {
        arena.initialize(spec, 1);
        test::Random random(2);
        for (int parameter = 0; parameter < 4; ++parameter) {
            std::ranges::generate(arena.of(arena.gradient(), parameter), [&] {
                return static_cast<float>(random.uniform(-1.0, 1.0));
            });
        }
    }

    [[nodiscard]] std::vector<float> all(float* part) const
    {
        return {part, part + arena.layout().elements};
    }

    const NetworkSpec spec = test::twoDenseLayers(401, 99, 3, 0.05); // takes several chunks
    cpu::CpuDevice device;
    ParameterArena arena;
    Optimizer optimizer;
    ThreadTeam threads{"update", 2, false};
};

double plainDecayLoss(const Trained& trained)
{
    double sum = 0.0;
    for (const float weight : trained.arena.of(trained.arena.weights(), 0)) {
        sum += double{weight} * double{weight};
    }
    return 0.05 * sum / 2.0;
}

} // namespace

class TestOptimizer : public QObject
{
    Q_OBJECT

private slots:
    void Update_equalsTheRuleInDouble()
    {
        Trained trained;
        const auto before = trained.all(trained.arena.weights());
        const auto gradient = trained.all(trained.arena.gradient());
        trained.optimizer.apply(trained.threads, {0.1, 0.9});
        const auto& layout = trained.arena.layout();
        for (std::size_t parameter = 0; parameter < 4; ++parameter) {
            const double decay = parameter == 0 ? 0.05 : 0.0;
            for (std::int64_t k = 0; k < layout.counts[parameter]; ++k) {
                const auto i = static_cast<std::size_t>(layout.offsets[parameter] + k);
                const auto w = double{before[i]};
                const double moved = w - 0.1 * (double{gradient[i]} + decay * w);
                const double average = 0.9 * w + 0.1 * moved;
                QVERIFY(std::abs(double{trained.arena.weights()[i]} - moved) < 1e-7);
                QVERIFY(std::abs(double{trained.arena.movingAverage()[i]} - average) < 1e-7);
            }
        }
    }

    void Update_ofChosenParameters_leavesTheOthersBitForBit()
    {
        Trained trained({true, false, false, true});
        const auto weights = trained.all(trained.arena.weights());
        const auto average = trained.all(trained.arena.movingAverage());
        const auto gradient = trained.all(trained.arena.gradient());
        trained.optimizer.apply(trained.threads, {0.1, 0.9});
        std::vector<bool> isChosen(weights.size());
        for (const std::size_t parameter : {0U, 3U}) {
            const auto& layout = trained.arena.layout();
            const auto first = isChosen.begin() + layout.offsets[parameter];
            std::fill(first, first + layout.counts[parameter], true);
        }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            // The gaps between parameters count among the others.
            QCOMPARE(trained.arena.weights()[i] == weights[i], !isChosen[i]);
            QVERIFY(isChosen[i] || trained.arena.movingAverage()[i] == average[i]);
        }
        QVERIFY(trained.all(trained.arena.gradient()) == gradient);
    }

    void MovingAverage_followsItsClosedForm()
    {
        // The weights jump from 0 to 1 in the first update and stay. As the average is taken after
        // the update, the old value counts n! 9! / (n + 9)! after n updates.
        Trained trained;
        const auto elements = trained.arena.layout().elements;
        std::fill_n(trained.arena.weights(), elements, 0.0F);
        std::fill_n(trained.arena.movingAverage(), elements, 0.0F);
        std::fill_n(trained.arena.gradient(), elements, -2.0F);
        double initialCounts = 1.0;
        for (std::int64_t step = 0; step < 50; ++step) {
            trained.optimizer.apply(
                trained.threads, {step == 0 ? 0.5 : 0.0, movingAverageDecay(0.9999, step)});
            const auto n = static_cast<double>(step + 1);
            initialCounts *= n / (n + 9.0);
            // Parameter 3 is a bias: no decay.
            const float got = trained.arena.of(trained.arena.movingAverage(), 3).front();
            QVERIFY(std::abs(double{got} - (1.0 - initialCounts)) < 3e-7);
        }
    }

    void MovingAverage_atTheCap_movesByOneTenThousandth()
    {
        Trained trained;
        const auto elements = trained.arena.layout().elements;
        std::fill_n(trained.arena.weights(), elements, 1.0F);
        std::fill_n(trained.arena.movingAverage(), elements, 0.0F);
        trained.optimizer.apply(trained.threads, {0.0, movingAverageDecay(0.9999, 100000)});
        const float got = trained.arena.of(trained.arena.movingAverage(), 3).front();
        QVERIFY(std::abs(double{got} / 1e-4 - 1.0) < 1e-6);
    }

    void WeightDecayLoss_equalsAPlainSum_afterEachUpdate()
    {
        Trained trained;
        trained.optimizer.refreshWeightDecayLoss(trained.threads);
        QVERIFY(
            std::abs(trained.optimizer.weightDecayLoss() / plainDecayLoss(trained) - 1.0) < 1e-12);
        const double first = trained.optimizer.weightDecayLoss();
        trained.optimizer.apply(trained.threads, {0.1, 0.9});
        QVERIFY(
            std::abs(trained.optimizer.weightDecayLoss() / plainDecayLoss(trained) - 1.0) < 1e-12);
        QVERIFY(trained.optimizer.weightDecayLoss() != first);
    }

    void WeightDecayLoss_ofParametersThatAreNotTrained_isNotCounted()
    {
        Trained trained({false, true, true, true});
        trained.optimizer.refreshWeightDecayLoss(trained.threads);
        QCOMPARE(trained.optimizer.weightDecayLoss(), 0.0);
    }

    void Update_anyNumberOfThreads_givesTheSameBits()
    {
        Trained expected;
        expected.optimizer.apply(expected.threads, {0.1, 0.9});
        for (const int threads : {1, 3, 8}) {
            Trained trained;
            ThreadTeam team("update", threads, false);
            trained.optimizer.apply(team, {0.1, 0.9});
            QVERIFY(trained.all(trained.arena.weights()) == expected.all(expected.arena.weights()));
            QVERIFY(
                trained.all(trained.arena.movingAverage())
                == expected.all(expected.arena.movingAverage()));
            QCOMPARE(trained.optimizer.weightDecayLoss(), expected.optimizer.weightDecayLoss());
        }
    }

    void WeightDecayLoss_ofCifar10_isTheGoldenValue()
    {
        // 0.004 / 2 * (884,736 + 73,728) weights * 0.0016 * 0.77374 of the truncated normal.
        const NetworkSpec cifar10 = cifar10Network();
        const cpu::CpuDevice device;
        const ParameterArena arena(device, cifar10);
        arena.initialize(cifar10, 8);
        const std::vector<bool> chosen(cifar10.parameters.size(), true);
        Optimizer optimizer(device, cifar10, arena, chunkParameters(arena.layout(), chosen));
        ThreadTeam threads("update", 2, false);
        optimizer.refreshWeightDecayLoss(threads);
        const double expected = 0.002 * (884736.0 + 73728.0) * 0.0016 * 0.77374;
        // Five standard errors of a sum of a million squares.
        QVERIFY(std::abs(optimizer.weightDecayLoss() / expected - 1.0) < 0.007);
    }
};

LOCKSTEP_TEST(TestOptimizer)
#include "test_optimizer.moc"
