// SPDX-License-Identifier: Apache-2.0
// Normalisation on the CPU in all its modes against the float64 reference, and what must hold
// whatever the numbers: the same bits on any number of threads, exact moments far from zero, NaN
// stays NaN, frozen layers leave nothing.
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

using namespace lockstep;
using test::convolution;
using test::Random;

namespace {

using Mode = NormalizationMode;

Normalization normalization(Mode mode, bool hasScale, Activation activation)
{
    Normalization norm;
    norm.mode = mode;
    norm.hasScale = hasScale;
    norm.activation = activation;
    return norm;
}

const char* nameOf(Mode mode)
{
    switch (mode) {
    case Mode::PerImage:
        return "per image";
    case Mode::Batch:
        return "batch";
    case Mode::Synchronised:
        return "synchronised";
    case Mode::Moving:
        break;
    }
    return "moving";
}

/// input - 1 x 1 convolution - normalisation - logits, or without the convolution.
NetworkSpec network(const Shape& src, const Normalization& norm, bool isBehindConvolution)
{
    if (!isBehindConvolution) {
        return test::chain(src, {norm}, 4, true);
    }
    return test::chain(
        {src.height, src.width, 3}, {convolution(src.channels, {1, 1}), norm}, 4, true);
}

} // namespace

class TestNormalization : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void Normalization_everyMode_equalsTheReference_data()
    {
        QTest::addColumn<NetworkSpec>("spec");
        QTest::addColumn<std::int64_t>("rows");
        QTest::addColumn<bool>("isTraining");
        QTest::addColumn<int>("threads");
        Random random(301);
        for (const Mode mode : {Mode::PerImage, Mode::Batch, Mode::Synchronised, Mode::Moving}) {
            for (int number = 0; number < 24; ++number) {
                const Shape src{
                    random.integer(1, 9), random.integer(2, 9),
                    random.oneOf<std::int64_t>({1, 3, 8, 16, 17, 64, 100})};
                const auto rows = random.integer(2, 4);
                const bool hasScale = number % 2 == 0;
                const bool isRelu = number % 3 == 0;
                const bool isTraining = number % 4 != 3;
                const bool isBehind = number % 5 != 0;
                const auto norm =
                    normalization(mode, hasScale, isRelu ? Activation::Relu : Activation::None);
                const auto name =
                    QString("%1, %2 x %3x%4x%5%6%7%8%9")
                        .arg(nameOf(mode))
                        .arg(rows)
                        .arg(src.height)
                        .arg(src.width)
                        .arg(src.channels)
                        .arg(
                            hasScale ? "" : ", no gamma", isRelu ? ", relu" : "",
                            isTraining ? "" : ", evaluation", isBehind ? "" : ", on the input");
                QTest::newRow(qPrintable(name + QString(", %1").arg(number)))
                    << network(src, norm, isBehind) << rows << isTraining << 1 + number % 3;
            }
        }
    }

    void Normalization_everyMode_equalsTheReference()
    {
        QFETCH(NetworkSpec, spec);
        QFETCH(std::int64_t, rows);
        QFETCH(bool, isTraining);
        QFETCH(int, threads);
        QFETCH_GLOBAL(Precision, precision);
        const bool isFloat = precision == Precision::Float32;
        Random random(static_cast<std::uint64_t>(spec.parameterElements() + rows));
        const auto parameters =
            isFloat ? test::randomParameters(spec, random) : test::coarseParameters(spec, random);
        const auto examples = isFloat ? test::randomExamples(spec, rows, random)
                                      : test::coarseExamples(spec, rows, random);
        const auto errors = test::compareWithReference(
            spec, parameters, examples, {precision, isTraining, threads});
        const QString message = QString::fromStdString(errors.text());
        using namespace test::tolerance;
        QVERIFY2(errors.forward < (isFloat ? kForward : kOpBfloat16), qPrintable(message));
        QVERIFY2(errors.backward < (isFloat ? kBackward : kOpBfloat16), qPrintable(message));
    }

    void Normalization_onSeveralThreads_givesTheSameBits()
    {
        QFETCH_GLOBAL(Precision, precision);
        for (const Mode mode : {Mode::PerImage, Mode::Batch}) {
            // Many pieces of cells, of different sizes.
            const auto spec =
                network({61, 53, 32}, normalization(mode, true, Activation::Relu), true);
            Random random(302);
            const auto parameters = test::randomParameters(spec, random);
            const auto examples = test::randomExamples(spec, 2, random);
            const auto runOn = [&](int threads) {
                // The products of convolutions may depend on the threads; their source may not.
                const test::CpuPass pass(spec, parameters, examples, {precision, true, threads});
                return pass.replica().output("2-normalization");
            };
            const auto one = runOn(1);
            QCOMPARE(runOn(2), one);
            QCOMPARE(runOn(3), one);
        }
    }

    void Moments_farFromZero_areExact()
    {
        // Values of deviation 1 around 1000: in float32 the mean square keeps nothing of the
        // variance.
        const auto spec =
            network({16, 16, 8}, normalization(Mode::Batch, false, Activation::None), false);
        Random random(303);
        const auto parameters = test::randomParameters(spec, random);
        auto examples = test::randomExamples(spec, 3, random);
        for (float& value : examples.images) {
            value += 1000.0F;
        }
        const auto errors = test::compareWithReference(spec, parameters, examples, {});
        QVERIFY2(errors.forward < 1e-4, qPrintable(QString::number(errors.forward)));
        QVERIFY2(errors.backward < 1e-3, qPrintable(QString::number(errors.backward)));
    }

    void NaN_inTheSource_reachesTheLoss()
    {
        QFETCH_GLOBAL(Precision, precision);
        for (const Mode mode : {Mode::PerImage, Mode::Batch, Mode::Moving}) {
            for (const auto activation : {Activation::None, Activation::Relu}) {
                const auto spec = network({4, 5, 17}, normalization(mode, true, activation), true);
                Random random(304);
                auto examples = test::randomExamples(spec, 2, random);
                examples.images.back() = std::numeric_limits<float>::quiet_NaN();
                const test::CpuPass pass(
                    spec, test::randomParameters(spec, random), examples, {precision});
                QVERIFY(std::isnan(pass.lossSum(spec)));
            }
        }
    }

    void FrozenLayer_inTraining_normalisesAsBefore_andLeavesNoStatistics()
    {
        QFETCH_GLOBAL(Precision, precision);
        NetworkBuilder builder("frozen", {6, 7, 3}, 4);
        LayerId top = builder.add("below", convolution(16, {3, 3}), {0});
        auto norm = normalization(Mode::Batch, true, Activation::Relu);
        norm.parameters.group = "frozen";
        top = builder.add("norm", norm, {top});
        builder.output("norm", top);
        top = builder.add("logits", test::fullyConnected(4), {top});
        builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {"network"}});
        const NetworkSpec spec = builder.build();
        Random random(305);
        const auto parameters = test::coarseParameters(spec, random);
        const auto examples = test::coarseExamples(spec, 3, random);
        const auto errors = test::compareWithReference(spec, parameters, examples, {precision});
        const bool isFloat = precision == Precision::Float32;
        using namespace test::tolerance;
        QVERIFY(errors.forward < (isFloat ? kForward : kOpBfloat16));
        QVERIFY(errors.backward < (isFloat ? kBackward : kOpBfloat16));
        const test::CpuPass pass(spec, parameters, examples, {precision});
        for (const int parameter : spec.layers[2].parameters) {
            QCOMPARE(test::norm(pass.gradient(static_cast<std::size_t>(parameter))), 0.0);
        }
    }
};

LOCKSTEP_TEST(TestNormalization)
#include "test_normalization.moc"
