// SPDX-License-Identifier: Apache-2.0
// Minimal filtering with every instruction set of this processor, against sums by the definition in
// float64.
#include "device/cpu/convolution/minimal_convolution.h"
#include "support/compare.h"
#include "support/elements.h"
#include "support/instruction_sets.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::cpu;
using test::Random;

namespace {

struct Case
{
    PointSet points = PointSet::Eight;
    std::int64_t filter = 3;
    Shape src;
    std::int64_t channels = 16; ///< of dst
    std::int64_t images = 2;
    Padding padding = Padding::Same;
    int threads = 1;
};

/// A tensor with its channels in blocks, those that fill up the last one being zeros.
class Tensor
{
public:
    Tensor(std::int64_t images, const Shape& shape, std::int64_t block, Element element)
        : m_map{{images, shape.height * shape.width, (shape.channels + block - 1) / block, block, element}, shape},
          m_values(
              static_cast<std::size_t>(
                  images * m_map.layout.positions * m_map.layout.blocks * block),
              0.0F)
    {
    }

    [[nodiscard]] const TiledMap& map() const { return m_map; }
    /// As a convolution gets it.
    [[nodiscard]] std::byte* data()
    {
        if (m_map.layout.element == Element::Float32) {
            return reinterpret_cast<std::byte*>(m_values.data());
        }
        m_rounded.resize(m_values.size());
        std::ranges::transform(m_values, m_rounded.begin(), test::toBfloat16);
        return reinterpret_cast<std::byte*>(m_rounded.data());
    }
    /// What a convolution left there.
    void takeData() { std::ranges::transform(m_rounded, m_values.begin(), test::fromBfloat16); }

    /// Zero outside.
    [[nodiscard]] double at(
        std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t channel) const
    {
        const Shape& shape = m_map.shape;
        const bool isInside = row >= 0 && row < shape.height && column >= 0 && column < shape.width;
        return isInside ? static_cast<double>(m_values[place(image, row, column, channel)]) : 0.0;
    }
    float& value(std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t channel)
    {
        return m_values[place(image, row, column, channel)];
    }
    /// Calls body(image, row, column, channel) for each value.
    template<class Body>
    void forEach(Body body) const
    {
        const Shape& shape = m_map.shape;
        for (std::int64_t i = 0; i < m_map.layout.images * shape.elements(); ++i) {
            const std::int64_t cell = i / shape.channels;
            const std::int64_t row = cell / shape.width;
            body(row / shape.height, row % shape.height, cell % shape.width, i % shape.channels);
        }
    }
    void fill(Random& random)
    {
        const bool isRounded = m_map.layout.element == Element::Bfloat16;
        forEach([&](auto... at) {
            const auto number = static_cast<float>(random.uniform(-1.0, 1.0));
            value(at...) = isRounded ? test::fromBfloat16(test::toBfloat16(number)) : number;
        });
    }
    /// In the order of forEach().
    [[nodiscard]] std::vector<float> list() const
    {
        std::vector<float> all;
        forEach([&](auto... at) { all.push_back(m_values[place(at...)]); });
        return all;
    }

private:
    [[nodiscard]] std::size_t place(
        std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t channel) const
    {
        const ChannelLayout& layout = m_map.layout;
        const std::int64_t plane = image * layout.blocks + channel / layout.block;
        return static_cast<std::size_t>(
            (plane * layout.positions + row * m_map.shape.width + column) * layout.block
            + channel % layout.block);
    }

    TiledMap m_map;
    std::vector<float> m_values;
    std::vector<std::uint16_t> m_rounded; ///< the same, if they are stored in bfloat16
};

/// A convolution, its tensors and what it should make of them.
class Trial
{
public:
    Trial(
        const Case& shape, std::int64_t block, bool isRelu = false,
        Element element = Element::Float32)
        : m_case(shape), m_src(shape.images, shape.src, block, element),
          m_dst(shape.images, dstShape(shape), block, element), m_work(workOf(isRelu)),
          m_random(static_cast<std::uint64_t>(shape.src.elements() + shape.channels)),
          m_weights(randomValues(shape.channels * shape.src.channels * area())),
          m_bias(randomValues(shape.channels)), m_convolution(m_work, shape.points),
          m_scratch(m_convolution.scratchBytes() / sizeof(Line) + 1)
    {
        m_src.fill(m_random);
        m_convolution.bind(reinterpret_cast<std::byte*>(m_scratch.data()));
    }

    [[nodiscard]] const TiledWork& work() const { return m_work; }
    Tensor& src() { return m_src; }
    Tensor& dst() { return m_dst; }

    void forward()
    {
        m_convolution.forward(m_src.data(), m_weights.data(), m_bias.data(), m_dst.data());
        m_dst.takeData();
    }

    /// How far the three products are from the sums, as shares of their norms.
    double forwardError()
    {
        forward();
        std::vector<double> sums;
        m_dst.forEach(
            [&](std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t to) {
                double sum = m_bias[static_cast<std::size_t>(to)];
                for (std::int64_t k = 0; k < m_case.src.channels * area(); ++k) {
                    const auto [from, y, x] = tap(k);
                    sum += weight(to, k) * m_src.at(image, row + y, column + x, from);
                }
                sums.push_back(m_work.isRelu ? std::max(sum, 0.0) : sum);
            });
        return test::relativeError<float, double>(m_dst.list(), sums);
    }

    double dataError()
    {
        m_dst.fill(m_random);
        const ChannelLayout& layout = m_src.map().layout;
        Tensor diffSrc(m_case.images, m_case.src, layout.block, layout.element);
        m_convolution.backwardData(m_dst.data(), m_weights.data(), diffSrc.data());
        diffSrc.takeData();
        std::vector<double> sums;
        diffSrc.forEach(
            [&](std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t from) {
                double sum = 0.0;
                for (std::int64_t to = 0; to < m_case.channels; ++to) {
                    for (std::int64_t k = from * area(); k < (from + 1) * area(); ++k) {
                        const auto [channel, y, x] = tap(k);
                        sum += weight(to, k) * m_dst.at(image, row - y, column - x, to);
                    }
                }
                sums.push_back(sum);
            });
        return test::relativeError<float, double>(diffSrc.list(), sums);
    }

    /// Of the weights and of the bias, the larger one.
    double weightsError()
    {
        m_dst.fill(m_random);
        std::vector<float> weights(m_weights.size());
        std::vector<float> bias(m_bias.size());
        m_convolution.backwardWeights(m_src.data(), m_dst.data(), weights.data(), bias.data());
        std::vector<double> sums(weights.size(), 0.0);
        std::vector<double> biasSums(bias.size(), 0.0);
        const auto taps = static_cast<std::size_t>(m_case.src.channels * area());
        m_dst.forEach(
            [&](std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t to) {
                const double diff = m_dst.at(image, row, column, to);
                biasSums[static_cast<std::size_t>(to)] += diff;
                for (std::size_t k = 0; k < taps; ++k) {
                    const auto [from, y, x] = tap(static_cast<std::int64_t>(k));
                    sums[static_cast<std::size_t>(to) * taps + k] +=
                        diff * m_src.at(image, row + y, column + x, from);
                }
            });
        return std::max(
            test::relativeError<float, double>(weights, sums),
            test::relativeError<float, double>(bias, biasSums));
    }

private:
    /// As aligned as the memory of a device.
    struct alignas(64) Line
    {
        std::byte bytes[64];
    };
    struct Tap
    {
        std::int64_t channel;
        std::int64_t row; ///< from that of dst
        std::int64_t column;
    };

    static Shape dstShape(const Case& shape)
    {
        const std::int64_t less = shape.padding == Padding::Valid ? shape.filter - 1 : 0;
        return {shape.src.height - less, shape.src.width - less, shape.channels};
    }
    TiledWork workOf(bool isRelu) const
    {
        TiledWork work;
        work.conv.channels = m_case.channels;
        work.conv.kernel = {m_case.filter, m_case.filter};
        work.conv.stride = {1, 1};
        work.conv.padding = m_case.padding;
        work.window = windowDims(work.conv.kernel, work.conv.stride, m_case.padding, m_case.src);
        work.src = m_src.map();
        work.dst = m_dst.map();
        work.isRelu = isRelu;
        work.threads = m_case.threads;
        return work;
    }
    std::vector<float> randomValues(std::int64_t count)
    {
        return m_random.floats(static_cast<std::size_t>(count), -1.0, 1.0);
    }
    [[nodiscard]] std::int64_t area() const { return m_case.filter * m_case.filter; }
    [[nodiscard]] Tap tap(std::int64_t k) const
    {
        const std::int64_t cell = k % area();
        return {
            k / area(), cell / m_case.filter - m_work.window.before.front(),
            cell % m_case.filter - m_work.window.before.back()};
    }
    [[nodiscard]] double weight(std::int64_t to, std::int64_t k) const
    {
        return m_weights[static_cast<std::size_t>(to * m_case.src.channels * area() + k)];
    }

    Case m_case;
    Tensor m_src;
    Tensor m_dst;
    TiledWork m_work;
    Random m_random;
    std::vector<float> m_weights;
    std::vector<float> m_bias;
    MinimalConvolution m_convolution;
    std::vector<Line> m_scratch;
};

/// What vectors of this processor can take, and all channels side by side; of bfloat16 one of them.
std::vector<std::int64_t> blocksFor(const Case& shape, Element element)
{
    std::vector<std::int64_t> blocks{16};
    if (vectorChannels() <= 8) {
        blocks.push_back(8);
    }
    if (shape.src.channels == shape.channels && shape.channels % 16 == 0) {
        blocks.push_back(shape.channels);
    }
    if (element == Element::Bfloat16) {
        blocks.erase(blocks.begin(), blocks.end() - 1);
    }
    return blocks;
}

} // namespace

Q_DECLARE_METATYPE(Case)

class TestMinimalConvolution : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addInstructionSetsAndElements(); }

    void Products_ofAnyShape_areTheSums_data()
    {
        QTest::addColumn<Case>("shape");
        QTest::newRow("whole tiles, 5 x 5") << Case{PointSet::Eight, 5, {12, 12, 32}, 32};
        QTest::newRow("whole tiles, 3 x 3") << Case{PointSet::Eight, 3, {12, 6, 16}, 16};
        QTest::newRow("2 x 2 cells of 7 x 7") << Case{PointSet::Eight, 7, {5, 9, 16}, 16};
        QTest::newRow("4 x 4") << Case{PointSet::Eight, 4, {7, 6, 16}, 16};
        QTest::newRow("6 x 6") << Case{PointSet::Eight, 6, {7, 6, 16}, 16};
        QTest::newRow("six points, 3 x 3") << Case{PointSet::Six, 3, {8, 8, 48}, 48};
        QTest::newRow("six points, 4 x 4") << Case{PointSet::Six, 4, {5, 7, 16}, 16};
        QTest::newRow("six points, 5 x 5") << Case{PointSet::Six, 5, {7, 3, 16}, 16};
        QTest::newRow("borders within tiles") << Case{PointSet::Eight, 3, {7, 13, 16}, 32};
        QTest::newRow("one row") << Case{PointSet::Eight, 5, {1, 11, 16}, 16};
        QTest::newRow("one cell") << Case{PointSet::Eight, 3, {1, 1, 16}, 16};
        QTest::newRow("valid") << Case{PointSet::Eight, 3, {9, 10, 16}, 32, 2, Padding::Valid};
        QTest::newRow("half") << Case{PointSet::Six, 3, {9, 10, 16}, 16, 2, Padding::Half};
        QTest::newRow("one channel") << Case{PointSet::Eight, 5, {9, 9, 1}, 24, 3};
        QTest::newRow("odd channels") << Case{PointSet::Eight, 3, {9, 9, 35}, 27};
        QTest::newRow("more threads than tiles")
            << Case{PointSet::Eight, 3, {5, 5, 16}, 16, 2, Padding::Same, 4};
        QTest::newRow("many blocks of tiles") << Case{PointSet::Eight, 5, {32, 36, 40}, 16};
    }

    void Products_ofAnyShape_areTheSums()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH_GLOBAL(cpu::Element, element);
        QFETCH(Case, shape);
        constexpr double kMost = 1e-5;
        const double mostStored =
            element == Element::Float32 ? kMost : test::tolerance::kBfloat16Rounding;
        for (const std::int64_t block : blocksFor(shape, element)) {
            Trial trial(shape, block, false, element);
            const double forward = trial.forwardError();
            const double data = trial.dataError();
            const double weights = trial.weightsError();
            QVERIFY2(
                std::max(forward, data) < mostStored && weights < kMost,
                qPrintable(QString("blocks of %1: forward %2, data %3, weights %4")
                               .arg(block)
                               .arg(forward)
                               .arg(data)
                               .arg(weights)));
        }
    }

    void Relu_atTheEnd_cutsNegativeSums()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH_GLOBAL(cpu::Element, element);
        Trial trial({PointSet::Eight, 3, {9, 9, 16}, 16}, 16, true, element);
        const double error = trial.forwardError();
        const double most = element == Element::Float32 ? 1e-5 : test::tolerance::kBfloat16Rounding;
        QVERIFY2(error < most, qPrintable(QString::number(error)));
    }

    void Nan_inTheSource_reachesAllThatReadsIt()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH_GLOBAL(cpu::Element, element);
        Trial trial({PointSet::Eight, 3, {9, 9, 16}, 16, 1}, 16, true, element);
        trial.src().value(0, 4, 5, 3) = std::numeric_limits<float>::quiet_NaN();
        trial.forward();
        for (const std::int64_t row : {3, 4, 5}) {
            for (const std::int64_t column : {4, 5, 6}) {
                QVERIFY(std::isnan(trial.dst().at(0, row, column, 7)));
            }
        }
    }

    void Points_ofCheapSums_areNone_data()
    {
        QTest::addColumn<Case>("shape");
        QTest::addColumn<bool>("isWorthIt");
        QTest::newRow("CIFAR-10's conv2")
            << Case{PointSet::Eight, 5, {12, 12, 64}, 64, 128} << true;
        QTest::newRow("three channels") << Case{PointSet::Eight, 5, {24, 24, 3}, 64, 128} << false;
        QTest::newRow("one cell") << Case{PointSet::Eight, 3, {1, 1, 64}, 64, 128} << false;
    }

    void Points_ofCheapSums_areNone()
    {
        QFETCH_GLOBAL(qint64, target);
        const test::InstructionSet only(target);
        QFETCH(Case, shape);
        QFETCH(bool, isWorthIt);
        QCOMPARE(
            MinimalConvolution::bestPoints(Trial(shape, 16).work(), 1.0).has_value(), isWorthIt);
    }
};

LOCKSTEP_TEST(TestMinimalConvolution)
#include "test_minimal_convolution.moc"
