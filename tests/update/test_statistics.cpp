// SPDX-License-Identifier: Apache-2.0
// What two towers' moments make of the moving moments of a normalisation, against arithmetic in
// double: averaged as the merge says, then moved by their own decay, whatever the learning rate.
#include "averaging/ordered_all_reduce.h"
#include "device/cpu/cpu_device.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "update/moving_average.h"
#include "update/optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

using namespace lockstep;

namespace {

constexpr double kMomentDecay = 0.9;
constexpr double kWeightDecay = 0.05;
constexpr std::array<std::int64_t, 2> kExamples{1, 3};
constexpr std::size_t kMean = 2;
constexpr std::size_t kVariance = 3;

/// A normalisation (gamma, beta, two statistics) and a fully connected layer whose weights decay.
NetworkSpec network(const std::vector<std::string>& groups = {})
{
    NetworkBuilder builder("net", {2, 2, 5}, 3);
    Normalization normalization;
    normalization.decay = kMomentDecay;
    normalization.parameters.group = "norm";
    Dense dense = test::fullyConnected(3);
    dense.parameters.weightDecay = kWeightDecay;
    const LayerId logits = builder.add("dense", dense, {builder.add("norm", normalization, {0})});
    builder.objective({"loss", 1.0, SoftmaxCrossEntropy{logits}, groups});
    return builder.build();
}

AveragingPlan planFor(const NetworkSpec& network, MomentMerge merge)
{
    const auto updated = network.updatedParameters();
    std::vector<TowerContribution> towers;
    for (const std::int64_t examples : kExamples) {
        auto& tower = towers.emplace_back(TowerContribution{examples, {}});
        for (std::size_t i = 0; i < updated.size(); ++i) {
            const auto form = updated[i] ? GradientForm::Dense : GradientForm::Absent;
            tower.gradients.push_back({form, network.parameters[i].shape});
        }
    }
    return planAveraging(network, towers, MissingGradient::Error, merge);
}

/// Two towers that have left their gradients, and what follows a backward pass.
class Towers
{
public:
    explicit Towers(MomentMerge merge, NetworkSpec spec = network())
        : m_spec(std::move(spec)), m_arena(m_device, m_spec), m_lanes{randomLane(1), randomLane(2)},
          m_average(
              m_device, m_arena.layout(), planFor(m_spec, merge),
              {{0, m_lanes[0].data()}, {1, m_lanes[1].data()}}),
          m_optimizer(m_device, m_spec, m_arena, m_average.chunks())
    {
        m_arena.initialize(m_spec, 4);
        m_optimizer.refreshWeightDecayLoss(m_threads);
    }

    /// Number of the parameter that is not finite, or -1.
    int step(double learningRate, double momentDecay = 1.0)
    {
        const int bad = m_average.run(m_threads, m_arena.gradient());
        m_optimizer.apply(m_threads, {learningRate, 0.5, momentDecay});
        return bad;
    }
    [[nodiscard]] std::vector<float> weights(std::size_t parameter) const
    {
        return m_arena.read(m_arena.weights(), static_cast<int>(parameter));
    }
    [[nodiscard]] std::vector<float> movingAverage(std::size_t parameter) const
    {
        return m_arena.read(m_arena.movingAverage(), static_cast<int>(parameter));
    }
    [[nodiscard]] float& at(std::size_t tower, std::size_t parameter, std::size_t element)
    {
        const auto offset = static_cast<std::size_t>(m_arena.layout().offsets[parameter]);
        return m_lanes.at(tower)[offset + element];
    }
    [[nodiscard]] const Optimizer& optimizer() const { return m_optimizer; }

private:
    [[nodiscard]] std::vector<float> randomLane(std::uint64_t seed) const
    {
        test::Random random(seed);
        return random.floats(static_cast<std::size_t>(m_arena.layout().elements), -2.0, 2.0);
    }

    NetworkSpec m_spec;
    cpu::CpuDevice m_device;
    ParameterArena m_arena;
    std::array<std::vector<float>, 2> m_lanes;
    OrderedAllReduce m_average;
    Optimizer m_optimizer;
    ThreadTeam m_threads{"statistics", 2, false};
};

} // namespace

class TestStatistics : public QObject
{
    Q_OBJECT

private slots:
    void MovingMoments_followTheMergedMoments_data()
    {
        QTest::addColumn<QString>("merge");
        QTest::addColumn<double>("ofFirst");
        QTest::addColumn<double>("ofLast");
        QTest::newRow("mean") << "mean" << 0.25 << 0.75;
        QTest::newRow("last") << "last" << 0.0 << 1.0;
        QTest::newRow("first") << "first" << 1.0 << 0.0;
    }

    void MovingMoments_followTheMergedMoments()
    {
        QFETCH(QString, merge);
        QFETCH(double, ofFirst);
        QFETCH(double, ofLast);
        Towers towers(momentMergeByName(merge.toStdString()));
        constexpr int kSteps = 3;
        for (int step = 0; step < kSteps; ++step) {
            QCOMPARE(towers.step(0.1), -1);
        }
        for (const std::size_t parameter : {kMean, kVariance}) {
            for (std::size_t i = 0; i < 5; ++i) {
                double moving = parameter == kMean ? 0.0 : 1.0;
                double average = moving;
                const double moment = -ofFirst * double{towers.at(0, parameter, i)}
                                      - ofLast * double{towers.at(1, parameter, i)};
                for (int step = 0; step < kSteps; ++step) {
                    moving = kMomentDecay * moving + (1.0 - kMomentDecay) * moment;
                    average = 0.5 * average + 0.5 * moving;
                }
                QVERIFY(std::abs(double{towers.weights(parameter)[i]} - moving) < 1e-6);
                QVERIFY(std::abs(double{towers.movingAverage(parameter)[i]} - average) < 1e-6);
            }
        }
    }

    void Gradients_areAveragedByExamples_whateverTheMerge()
    {
        for (const MomentMerge merge : {MomentMerge::Mean, MomentMerge::Last, MomentMerge::First}) {
            Towers towers(merge);
            const auto before = towers.weights(0);
            towers.step(0.1);
            for (std::size_t i = 0; i < 5; ++i) {
                const double gradient =
                    0.25 * double{towers.at(0, 0, i)} + 0.75 * double{towers.at(1, 0, i)};
                const double expected = double{before[i]} - 0.1 * gradient;
                QVERIFY(std::abs(double{towers.weights(0)[i]} - expected) < 1e-6);
            }
        }
    }

    void MovingMoments_moveWithoutALearningRate()
    {
        Towers towers(MomentMerge::Mean);
        const auto gamma = towers.weights(0);
        towers.step(0.0);
        QVERIFY(towers.weights(0) == gamma);
        QVERIFY(towers.weights(kVariance) != std::vector<float>(5, 1.0F));
    }

    // (1 + n) / (10 + n) is less than 0.9 up to step 79, and more after it.
    void MovingMoments_thatAreRamped_decayByLessAtFirst()
    {
        Towers towers(MomentMerge::Last);
        const double moment = -double{towers.at(1, kVariance, 2)};
        double moving = 1.0;
        for (const std::int64_t n : {0, 1, 9, 79, 80, 5000}) {
            const auto step = static_cast<double>(n);
            const double decay = std::min(kMomentDecay, (1.0 + step) / (10.0 + step));
            towers.step(0.0, movingAverageDecay(1.0, n));
            moving = decay * moving + (1.0 - decay) * moment;
            QVERIFY(std::abs(double{towers.weights(kVariance)[2]} - moving) < 1e-6);
        }
    }

    void WeightDecayLoss_isOfTheWeightsAlone()
    {
        Towers towers(MomentMerge::Mean);
        towers.step(0.1);
        double squares = 0.0;
        for (const float weight : towers.weights(4)) {
            squares += double{weight} * double{weight};
        }
        const double expected = kWeightDecay / 2.0 * squares;
        QVERIFY(std::abs(towers.optimizer().weightDecayLoss() - expected) < 1e-12);
    }

    void FrozenGroup_keepsItsMoments()
    {
        Towers towers(MomentMerge::Mean, network({"network"}));
        towers.step(0.1);
        for (std::size_t parameter = 0; parameter < 4; ++parameter) {
            const float initial = parameter == 0 || parameter == kVariance ? 1.0F : 0.0F;
            QVERIFY(towers.weights(parameter) == std::vector<float>(5, initial));
            QVERIFY(towers.movingAverage(parameter) == std::vector<float>(5, initial));
        }
    }

    void MomentThatIsNotFinite_isFound_inTheTowerThatDoesNotCount()
    {
        for (const MomentMerge merge : {MomentMerge::Mean, MomentMerge::Last}) {
            Towers towers(merge);
            towers.at(0, kVariance, 1) = std::numeric_limits<float>::infinity();
            QCOMPARE(towers.step(0.0), static_cast<int>(kVariance));
        }
    }

    void UnknownMerge_isRefused()
    {
        const QString what = test::failureOf([] { momentMergeByName("sum"); });
        QVERIFY2(what.contains("model.moments is 'sum'"), qPrintable(what));
        QVERIFY2(what.contains("mean, last or first"), qPrintable(what));
    }
};

LOCKSTEP_TEST(TestStatistics)
#include "test_statistics.moc"
