// SPDX-License-Identifier: Apache-2.0
// Every op of the CPU device, forward and backward and in every precision, against the float64
// reference (oracle 2). A 1 x 1 convolution in front makes the gradient of the op's source visible:
// in its own weights.
#include "device/op_cases.h"
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

using namespace lockstep;
using test::behindConvolution;
using test::convolution;
using test::fullyConnected;
using test::Random;

namespace {

const std::vector<std::int64_t> kChannels{1, 3, 5, 16, 17, 64};

/// A source for the op under test.
struct Source
{
    std::int64_t rows = 0;
    Shape shape;
};

Source randomSource(Random& random)
{
    return {
        random.oneOf<std::int64_t>({1, 2, 3}),
        {random.oneOf<std::int64_t>({1, 2, 5, 7, 8, 11}),
         random.oneOf<std::int64_t>({1, 3, 4, 7, 9, 12}), random.oneOf(kChannels)}};
}

QByteArray text(const Source& source, const Extent& window, const Extent& stride, Padding padding)
{
    return QString("%1 x %2x%3x%4, window %5x%6, stride %7x%8, %9")
        .arg(source.rows)
        .arg(source.shape.height)
        .arg(source.shape.width)
        .arg(source.shape.channels)
        .arg(window.height)
        .arg(window.width)
        .arg(stride.height)
        .arg(stride.width)
        .arg(padding == Padding::Same ? "same" : "valid")
        .toLatin1();
}

Padding randomPadding(const Shape& src, const Extent& window, Random& random)
{
    const bool fits = window.height <= src.height && window.width <= src.width;
    return fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
}

} // namespace

class TestOps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void Conv2d_randomShapes_equalsTheReference_data()
    {
        addNetworkColumns();
        Random random(101);
        for (int number = 0; number < 70; ++number) {
            const Source source = randomSource(random);
            const Extent kernel{random.integer(1, 7), random.integer(1, 7)};
            const Extent stride{random.integer(1, 3), random.integer(1, 3)};
            const Padding padding = randomPadding(source.shape, kernel, random);
            const std::int64_t channels = random.oneOf(kChannels);
            const auto conv = convolution(
                channels, kernel, stride, padding,
                random.integer(0, 2) == 0 ? Activation::Relu : Activation::None);
            const bool isBlocked = random.integer(0, 3) != 0;
            QTest::newRow(
                text(source, kernel, stride, padding) + ", " + QByteArray::number(qint64{channels})
                + " channels" + (isBlocked ? "" : ", plain"))
                << (isBlocked ? behindConvolution(source.shape, conv)
                              : test::chain(source.shape, {conv}, 4, true))
                << source.rows;
        }
    }
    void Conv2d_randomShapes_equalsTheReference() { check(); }

    void MaxPool_randomShapes_equalsTheReference_data()
    {
        addNetworkColumns();
        Random random(102);
        for (int number = 0; number < 50; ++number) {
            const Source source = randomSource(random);
            const Extent window{random.integer(1, 5), random.integer(1, 5)};
            const Extent stride{random.integer(1, 3), random.integer(1, 3)};
            const Padding padding = randomPadding(source.shape, window, random);
            QTest::newRow(text(source, window, stride, padding))
                << behindConvolution(source.shape, MaxPool{window, stride, padding}) << source.rows;
        }
    }
    void MaxPool_randomShapes_equalsTheReference() { check(); }

    void Lrn_everyRadiusAndBeta_equalsTheReference_data()
    {
        addNetworkColumns();
        Random random(103);
        for (const std::int64_t radius : {1, 2, 4, 5, 9}) {
            for (const double beta : {0.75, 0.5, 1.0, 0.3, 2.0}) {
                for (int repeat = 0; repeat < 2; ++repeat) {
                    const Source source = randomSource(random);
                    const Lrn lrn{
                        radius, random.uniform(0.5, 2.0), random.uniform(0.05, 1.0), beta};
                    QTest::newRow(
                        QByteArray("radius ") + QByteArray::number(qint64{radius}) + ", beta "
                        + QByteArray::number(beta) + ", "
                        + text(source, {1, 1}, {1, 1}, Padding::Same))
                        << behindConvolution(source.shape, lrn) << source.rows;
                }
            }
        }
    }
    void Lrn_everyRadiusAndBeta_equalsTheReference() { check(); }

    void Dense_behindEveryLayout_equalsTheReference_data()
    {
        addNetworkColumns();
        Random random(104);
        for (const std::int64_t units : {1, 3, 16, 65}) {
            for (const bool isRelu : {false, true}) {
                const Source source = randomSource(random);
                const Dense dense =
                    fullyConnected(units, isRelu ? Activation::Relu : Activation::None);
                const QByteArray name = QByteArray::number(qint64{units}) + " units"
                                        + (isRelu ? ", relu, " : ", ")
                                        + text(source, {1, 1}, {1, 1}, Padding::Same);
                QTest::newRow("on an image, " + name)
                    << behindConvolution(source.shape, dense) << source.rows;
                QTest::newRow("on the input, " + name)
                    << test::chain(source.shape, {dense}, 4, true) << source.rows;
                QTest::newRow("on rows of channels, " + name) << test::chain(
                    source.shape, {convolution(source.shape.channels, {1, 1}), Lrn{}, dense}, 4,
                    true) << source.rows;
                QTest::newRow("on a vector, " + name)
                    << test::chain(source.shape, {fullyConnected(7), dense}, 4, true)
                    << source.rows;
            }
        }
    }
    void Dense_behindEveryLayout_equalsTheReference() { check(); }

    void Objectives_thatReadOneTensor_addTheirGradients_data()
    {
        QTest::addColumn<bool>("sharesLogits");
        QTest::newRow("two losses of one layer") << true;
        QTest::newRow("two branches of one layer") << false;
    }

    void Objectives_thatReadOneTensor_addTheirGradients()
    {
        QFETCH(bool, sharesLogits);
        NetworkBuilder builder("joined", {6, 5, 3}, 4);
        const LayerId trunk = builder.add("trunk", convolution(17, {3, 3}), {0});
        const LayerId left = builder.add("left", Lrn{2, 1.0, 0.3, 0.75}, {trunk});
        const LayerId right = builder.add("right", MaxPool{{2, 2}, {2, 2}}, {trunk});
        const LayerId one = builder.add("one", fullyConnected(4), {left});
        const LayerId two = builder.add("two", fullyConnected(4), {right});
        const LayerId unread = builder.add("unread", convolution(3, {1, 1}), {trunk});
        builder.output("unread", unread);
        builder.objective({"first", 1.0, SoftmaxCrossEntropy{one}, {}});
        builder.objective({"second", 0.25, SoftmaxCrossEntropy{sharesLogits ? one : two}, {}});
        checkNetwork(builder.build(), 3);
    }

    void FrozenLayers_getNoGradient_andPassItOn()
    {
        const auto inGroup = [](Conv2d conv, const std::string& group) {
            conv.parameters.group = group;
            return conv;
        };
        NetworkBuilder builder("frozen", {6, 5, 3}, 4);
        LayerId top = builder.add("below", inGroup(convolution(5, {3, 3}), "frozen"), {0});
        top = builder.add("first", inGroup(convolution(16, {3, 3}), "moving"), {top});
        top = builder.add("between", inGroup(convolution(7, {3, 3}), "frozen"), {top});
        Dense logits = fullyConnected(4);
        logits.parameters.group = "moving";
        top = builder.add("logits", logits, {top});
        builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {"moving"}});
        const NetworkSpec network = builder.build();
        checkNetwork(network, 2);

        Random random(6);
        const auto parameters = test::randomParameters(network, random);
        QFETCH_GLOBAL(Precision, precision);
        const auto examples = test::randomExamples(network, 2, random);
        const test::CpuPass pass(network, parameters, examples, {precision});
        for (const std::size_t frozen : {0U, 1U, 4U, 5U}) {
            QCOMPARE(test::norm(pass.gradient(frozen)), 0.0);
        }
    }

private:
    static void addNetworkColumns()
    {
        QTest::addColumn<NetworkSpec>("network");
        QTest::addColumn<std::int64_t>("rows");
    }

    static void check()
    {
        QFETCH(NetworkSpec, network);
        QFETCH(std::int64_t, rows);
        checkNetwork(network, rows);
    }

    static void checkNetwork(const NetworkSpec& network, std::int64_t rows)
    {
        QFETCH_GLOBAL(Precision, precision);
        const bool isFloat = precision == Precision::Float32;
        Random random(static_cast<std::uint64_t>(network.parameterElements() + rows));
        const auto parameters = isFloat ? test::randomParameters(network, random)
                                        : test::coarseParameters(network, random);
        const auto examples = isFloat ? test::randomExamples(network, rows, random)
                                      : test::coarseExamples(network, rows, random);
        const auto errors = test::compareWithReference(network, parameters, examples, {precision});
        const QString message = QString::fromStdString(errors.text());
        using namespace test::tolerance;
        QVERIFY2(errors.forward < (isFloat ? kForward : kOpBfloat16), qPrintable(message));
        QVERIFY2(errors.backward < (isFloat ? kBackward : kOpBfloat16), qPrintable(message));
    }
};

LOCKSTEP_TEST(TestOps)
#include "test_ops.moc"
