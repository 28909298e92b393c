// SPDX-License-Identifier: Apache-2.0
// Every optimizer against closed forms of its rule, and against the float64 reference.
#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "update/optimizer.h"
#include "update/optimizer_reference.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

constexpr double kDecay = 0.05;
constexpr double kRate = 0.1;

OptimizerSettings settingsOf(UpdateKind kind, double momentum = 0.9, double epsilon = 1e-8)
{
    OptimizerSettings settings;
    settings.kind = kind;
    settings.momentum = momentum;
    settings.epsilon = epsilon;
    return settings;
}

/// An arena with random weights, and its optimizer.
struct RuleTrial
{
    explicit RuleTrial(
        const OptimizerSettings& with, const std::vector<bool>& chosen = std::vector<bool>(4, true),
        int threadCount = 2)
        : settings(with), arena(device, spec, Precision::Float32, settings.kind),
          optimizer(device, spec, arena, chunkParameters(arena.layout(), chosen), settings),
          threads("update", threadCount, false)
    {
        arena.initialize(spec, 1);
    }

    void step(double learningRate)
    {
        optimizer.apply(threads, updateAt(settings, learningRate, 0.9, updates++));
    }
    /// The only weight that is looked at in closed forms: a bias, which does not decay.
    [[nodiscard]] double bias() const { return double{arena.of(arena.weights(), 3).front()}; }
    [[nodiscard]] double slotOfBias(std::size_t number) const
    {
        return double{arena.of(arena.slot(number), 3).front()};
    }
    void setGradient(float value) const
    {
        std::fill_n(arena.gradient(), arena.layout().elements, value);
    }
    [[nodiscard]] std::vector<float> all(const float* part) const
    {
        return {part, part + arena.layout().elements};
    }

    const OptimizerSettings settings;
    const NetworkSpec spec = test::twoDenseLayers(401, 99, 3, kDecay);
    cpu::CpuDevice device;
    ParameterArena arena;
    Optimizer optimizer;
    ThreadTeam threads;
    std::int64_t updates = 0;
};

double relativeError(std::span<const float> got, const std::vector<double>& expected)
{
    double difference = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += std::pow(double{got[i]} - expected[i], 2.0);
        norm += expected[i] * expected[i];
    }
    return std::sqrt(difference / norm);
}

} // namespace

class TestOptimizerRules : public QObject
{
    Q_OBJECT

private slots:
    void RmsProp_firstStep_isTheKnownValue()
    {
        // s stays 1, as g^2 is 1: 0.1 / sqrt(1 + 1).
        RuleTrial trained(settingsOf(UpdateKind::RmsProp, 0.0, 1.0));
        trained.setGradient(1.0F);
        const double before = trained.bias();
        trained.step(kRate);
        QVERIFY(std::abs(before - trained.bias() - 0.070711) < 1e-6);
    }
    /// The square of a finite gradient may be infinite, which no later step would mend.
    void HugeGradient_leavesTheNextStepFinite()
    {
        for (const UpdateKind kind : {UpdateKind::RmsProp, UpdateKind::Adam}) {
            RuleTrial trained(settingsOf(kind));
            trained.setGradient(1e25F);
            trained.step(kRate);
            trained.setGradient(1.0F);
            trained.step(kRate);
            QVERIFY(std::isfinite(trained.bias()));
            QVERIFY(std::isfinite(trained.slotOfBias(0)) && std::isfinite(trained.slotOfBias(1)));
        }
    }

    void RmsProp_ofAConstantGradient_followsItsClosedForm()
    {
        // s = g^2 + (1 - g^2) decay^n; without momentum every step is rate g / sqrt(s + epsilon).
        RuleTrial trained(settingsOf(UpdateKind::RmsProp, 0.0, 1.0));
        trained.setGradient(3.0F);
        double expected = trained.bias();
        for (int n = 1; n <= 20; ++n) {
            trained.step(kRate);
            const double square = 9.0 - 8.0 * std::pow(0.9, n);
            expected -= kRate * 3.0 / std::sqrt(square + 1.0);
            QVERIFY(std::abs(trained.slotOfBias(0) - square) < 1e-5);
            QVERIFY(std::abs(trained.bias() - expected) < 1e-6);
        }
    }

    void Momentum_ofAConstantGradient_followsItsClosedForm_data()
    {
        QTest::addColumn<bool>("isNesterov");
        QTest::newRow("plain") << false;
        QTest::newRow("Nesterov's") << true;
    }

    void Momentum_ofAConstantGradient_followsItsClosedForm()
    {
        // m after n steps is g (1 - momentum^n) / (1 - momentum); looking ahead is one step more.
        QFETCH(bool, isNesterov);
        OptimizerSettings settings = settingsOf(UpdateKind::Momentum, 0.75);
        settings.isNesterov = isNesterov;
        RuleTrial trained(settings);
        trained.setGradient(0.5F);
        double expected = trained.bias();
        for (int n = 1; n <= 20; ++n) {
            trained.step(kRate);
            expected -= kRate * 0.5 * (1.0 - std::pow(0.75, isNesterov ? n + 1 : n)) / 0.25;
            QVERIFY(std::abs(trained.bias() - expected) < 1e-6);
        }
        QVERIFY(std::abs(trained.slotOfBias(0) - 2.0 * (1.0 - std::pow(0.75, 20))) < 1e-6);
    }

    void Adam_ofAConstantGradient_movesByTheRate()
    {
        // Both means, corrected, are those of the gradient from the first step on, whatever it is.
        for (const float gradient : {1e-3F, 2.0F, -500.0F}) {
            RuleTrial trained(settingsOf(UpdateKind::Adam, 0.0, 1e-12));
            trained.setGradient(gradient);
            double expected = trained.bias();
            for (int n = 1; n <= 20; ++n) {
                trained.step(0.01);
                expected -= std::copysign(0.01, double{gradient});
                QVERIFY(std::abs(trained.bias() - expected) < 2e-6);
            }
        }
    }

    void Epsilon_ofEitherKind_standsBesideTheRootThatIsWanted()
    {
        for (const UpdateKind kind : {UpdateKind::Adam, UpdateKind::AdamW}) {
            for (const EpsilonAs as : {EpsilonAs::TensorFlow, EpsilonAs::PyTorch}) {
                OptimizerSettings settings = settingsOf(kind, 0.0, 1.0);
                settings.epsilonAs = as;
                RuleTrial trained(settings);
                trained.setGradient(1.0F);
                const double before = trained.bias();
                trained.step(kRate);
                // The corrected means of the first step are those of the gradient: 1 / (1 + 1).
                // Else the rate is 0.1 sqrt(0.001) / 0.1 with m = 0.1, s = 0.001.
                const double expected = as == EpsilonAs::PyTorch
                                            ? kRate * 0.5
                                            : std::sqrt(0.001) * 0.1 / (std::sqrt(0.001) + 1.0);
                QVERIFY(std::abs(before - trained.bias() - expected) < 1e-7);
            }
        }
    }

    void AdamW_withoutAGradient_decaysByRateTimesDecay()
    {
        RuleTrial trained(settingsOf(UpdateKind::AdamW));
        trained.setGradient(0.0F);
        const double before{trained.arena.of(trained.arena.weights(), 0).front()};
        const double bias = trained.bias();
        trained.step(kRate);
        const double after{trained.arena.of(trained.arena.weights(), 0).front()};
        QVERIFY(std::abs(after - before * (1.0 - kRate * kDecay)) < 1e-7 * std::abs(before));
        QCOMPARE(trained.bias(), bias);
        QCOMPARE(trained.optimizer.weightDecayLoss(), 0.0); // it is not a part of the loss
    }

    /// As a hundred steps of the reference with a gradient that is scaled beforehand: the norm is
    /// that of all parameters together.
    void ClippedSteps_equalTheReference()
    {
        for (const UpdateKind kind : updateKinds()) {
            OptimizerSettings settings = settingsOf(kind, 0.9, 1e-4);
            settings.clipNorm = 3.0;
            RuleTrial trained(settings);
            std::vector<ReferenceOptimizer> references;
            for (int parameter = 0; parameter < 4; ++parameter) {
                references.emplace_back(
                    settings, trained.arena.of(trained.arena.weights(), parameter));
            }
            test::Random random(2);
            int clipped = 0;
            for (int step = 0; step < 10; ++step) {
                // Every other gradient is smaller than the norm.
                const double most = step % 2 == 0 ? 1.0 : 1e-3;
                double squares = 0.0;
                for (int parameter = 0; parameter < 4; ++parameter) {
                    for (float& g : trained.arena.of(trained.arena.gradient(), parameter)) {
                        g = static_cast<float>(random.uniform(-most, most));
                        squares += double{g} * double{g};
                    }
                }
                const double norm = std::sqrt(squares);
                const double scale = norm + 1e-6 > 3.0 ? 3.0 / (norm + 1e-6) : 1.0;
                clipped += scale < 1.0 ? 1 : 0;
                for (int parameter = 0; parameter < 4; ++parameter) {
                    const auto gradient = trained.arena.of(trained.arena.gradient(), parameter);
                    std::vector<float> scaled;
                    for (const float g : gradient) {
                        scaled.push_back(static_cast<float>(scale * double{g}));
                    }
                    references[static_cast<std::size_t>(parameter)].apply(
                        scaled, parameter == 0 ? kDecay : 0.0, 0.001);
                }
                trained.step(0.001);
                QVERIFY(std::abs(trained.optimizer.gradientNorm() / norm - 1.0) < 1e-12);
            }
            QCOMPARE(clipped, 5);
            for (int parameter = 0; parameter < 4; ++parameter) {
                const auto got = trained.arena.of(trained.arena.weights(), parameter);
                const auto& expected = references[static_cast<std::size_t>(parameter)].weights();
                QVERIFY(relativeError(got, expected) < 1e-6);
            }
        }
    }

    void HundredRandomSteps_equalTheReference_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isNesterov");
        QTest::addColumn<qint64>("target");
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            const char* const set = hwy::TargetName(target);
            for (const UpdateKind kind : updateKinds()) {
                QTest::addRow("%s, %s", toString(kind).c_str(), set)
                    << static_cast<int>(kind) << false << qint64{target};
            }
            QTest::addRow("nesterov, %s", set)
                << static_cast<int>(UpdateKind::Momentum) << true << qint64{target};
        }
    }

    void HundredRandomSteps_equalTheReference()
    {
        QFETCH(int, kind);
        QFETCH(bool, isNesterov);
        QFETCH(qint64, target);
        const test::InstructionSet set(target);
        OptimizerSettings settings = settingsOf(static_cast<UpdateKind>(kind), 0.9, 1e-4);
        settings.isNesterov = isNesterov;
        RuleTrial trained(settings);
        std::vector<ReferenceOptimizer> references;
        for (int parameter = 0; parameter < 4; ++parameter) {
            references.emplace_back(settings, trained.arena.of(trained.arena.weights(), parameter));
        }
        test::Random random(2);
        for (int step = 0; step < 100; ++step) {
            for (int parameter = 0; parameter < 4; ++parameter) {
                const auto gradient = trained.arena.of(trained.arena.gradient(), parameter);
                std::ranges::generate(
                    gradient, [&] { return static_cast<float>(random.uniform(-1.0, 1.0)); });
                references[static_cast<std::size_t>(parameter)].apply(
                    gradient, parameter == 0 ? kDecay : 0.0, 0.001);
            }
            trained.step(0.001);
        }
        for (int parameter = 0; parameter < 4; ++parameter) {
            const ReferenceOptimizer& reference = references[static_cast<std::size_t>(parameter)];
            const auto got = trained.arena.of(trained.arena.weights(), parameter);
            QVERIFY(relativeError(got, reference.weights()) < 1e-6);
            for (std::size_t i = 0; i < trained.arena.slotSpecs().size(); ++i) {
                const auto slot = trained.arena.of(trained.arena.slot(i), parameter);
                QVERIFY(relativeError(slot, reference.slot(i)) < 1e-6);
            }
        }
    }

    void Slots_ofParametersThatAreNotChosen_stayBitForBit()
    {
        for (const UpdateKind kind : updateKinds()) {
            RuleTrial trained(settingsOf(kind), {false, true, false, true});
            trained.setGradient(0.5F);
            std::vector<std::vector<float>> before;
            for (const float* part : trained.arena.stateParts()) {
                before.push_back(trained.all(part));
            }
            trained.step(kRate);
            const auto parts = trained.arena.stateParts();
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const auto after = trained.all(parts[i]);
                for (std::size_t k = 0; k < after.size(); ++k) {
                    const int of = trained.arena.layout().parameterAt(static_cast<std::int64_t>(k));
                    QCOMPARE(after[k] != before[i][k], of == 1 || of == 3);
                }
            }
        }
    }

    void Update_anyNumberOfThreads_givesTheSameBits()
    {
        for (const UpdateKind kind : updateKinds()) {
            const std::vector<bool> chosen(4, true);
            RuleTrial expected(settingsOf(kind), chosen, 1);
            RuleTrial trained(settingsOf(kind), chosen, 3);
            for (RuleTrial* one : {&expected, &trained}) {
                one->setGradient(0.3F);
                one->step(kRate);
                one->step(kRate);
            }
            const auto parts = trained.arena.stateParts();
            for (std::size_t i = 0; i < parts.size(); ++i) {
                QVERIFY(trained.all(parts[i]) == expected.all(expected.arena.stateParts()[i]));
            }
        }
    }

    void Name_unknown_isRefused()
    {
        QVERIFY_THROWS_EXCEPTION(Error, updateKindByName("adamax"));
        for (const UpdateKind kind : updateKinds()) {
            QVERIFY(updateKindByName(toString(kind)) == kind);
            QVERIFY(describe(settingsOf(kind)).starts_with(toString(kind)));
        }
    }
};

LOCKSTEP_TEST(TestOptimizerRules)
#include "test_optimizer_rules.moc"
