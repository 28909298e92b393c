// SPDX-License-Identifier: Apache-2.0
// Moments, normalisation and its way back against float64, by group and by the sums that several
// replicas add up.
#include "cuda/kernel_test.h"
#include "device/cuda/arrays/join_counters.h"
#include "device/cuda/kernels/normalization_kernel.h"

#include <limits>

using namespace lockstep;
using namespace lockstep::cuda;
using namespace lockstep::test;

Q_DECLARE_METATYPE(lockstep::cuda::NormalizationShape)

namespace {

constexpr double kEpsilon = 0.001;

/// Values and gradients of a normalisation, on the host, as they are stored.
struct Values
{
    std::vector<float> src;
    std::vector<float> diffDst;
    std::vector<float> gamma;
    std::vector<float> beta;
};

template<class T>
Values randomValues(const NormalizationShape& shape, float offset, Random& random)
{
    const auto count = static_cast<std::size_t>(shape.groups * shape.positions * shape.channels);
    const auto channels = static_cast<std::size_t>(shape.channels);
    Values values{
        random.floats(count, -1.0, 1.0), random.floats(count, -1.0, 1.0),
        random.floats(channels, 0.5, 1.5), random.floats(channels, -0.5, 0.5)};
    for (std::size_t i = 0; i < count; ++i) {
        // Every channel has a mean and a spread of its own.
        const auto channel = static_cast<float>(i % channels);
        values.src[i] = values.src[i] * (1.0F + 0.1F * channel) + offset + 0.3F * channel;
    }
    values.src = rounded<T>(values.src);
    values.diffDst = rounded<T>(values.diffDst);
    return values;
}

Gaps gapsOf(const NormalizationShape& shape, float rest)
{
    return {
        static_cast<std::size_t>(shape.channels), static_cast<std::size_t>(shape.dstStride), rest};
}

/// By the definition, in float64.
struct Expected
{
    std::vector<double> mean; ///< by group and channel
    std::vector<double> variance;
    std::vector<double> dst;
    std::vector<double> diffSrc;
    std::vector<double> diffGamma;
    std::vector<double> diffBeta;
};

struct Options
{
    bool hasScale = true;
    bool hasRelu = true;
    bool areConstants = false;   ///< the moments
    bool isJoinedInPlace = true; ///< where there is one group
};

class Reference
{
public:
    Reference(const NormalizationShape& shape, const Values& values, const Options& options)
        : m_shape(shape), m_values(values), m_options(options),
          m_channels(static_cast<std::size_t>(shape.channels))
    {
        m_expected.dst.resize(values.src.size());
        m_expected.diffSrc.resize(values.src.size());
        m_expected.diffGamma.resize(m_channels);
        m_expected.diffBeta.resize(m_channels);
        for (std::int64_t group = 0; group < shape.groups; ++group) {
            for (std::size_t channel = 0; channel < m_channels; ++channel) {
                addChannel(static_cast<std::size_t>(group), channel);
            }
        }
    }
    [[nodiscard]] const Expected& expected() const { return m_expected; }

private:
    void addChannel(std::size_t group, std::size_t channel)
    {
        const auto positions = static_cast<std::size_t>(m_shape.positions);
        const auto place = [&](std::size_t i) {
            return (group * positions + i) * m_channels + channel;
        };
        double mean = 0.0;
        for (std::size_t i = 0; i < positions; ++i) {
            mean += double{m_values.src[place(i)]} / static_cast<double>(positions);
        }
        double variance = 0.0;
        for (std::size_t i = 0; i < positions; ++i) {
            const double distance = double{m_values.src[place(i)]} - mean;
            variance += distance * distance / static_cast<double>(positions);
        }
        m_expected.mean.push_back(mean);
        m_expected.variance.push_back(variance);
        const double gamma = m_options.hasScale ? double{m_values.gamma[channel]} : 1.0;
        const double deviation = std::sqrt(variance + kEpsilon);
        std::vector<double> dy(positions);
        std::vector<double> hat(positions);
        double meanDy = 0.0;
        double meanDyHat = 0.0;
        for (std::size_t i = 0; i < positions; ++i) {
            hat[i] = (double{m_values.src[place(i)]} - mean) / deviation;
            const double y = gamma * hat[i] + double{m_values.beta[channel]};
            const bool isOff = m_options.hasRelu && y <= 0.0;
            m_expected.dst[place(i)] = isOff ? 0.0 : y;
            dy[i] = isOff ? 0.0 : double{m_values.diffDst[place(i)]};
            meanDy += dy[i] / static_cast<double>(positions);
            meanDyHat += dy[i] * hat[i] / static_cast<double>(positions);
        }
        for (std::size_t i = 0; i < positions; ++i) {
            const double toMoments = m_options.areConstants ? 0.0 : meanDy + hat[i] * meanDyHat;
            m_expected.diffSrc[place(i)] = gamma / deviation * (dy[i] - toMoments);
        }
        m_expected.diffBeta[channel] += meanDy * static_cast<double>(positions);
        m_expected.diffGamma[channel] += meanDyHat * static_cast<double>(positions);
    }

    const NormalizationShape& m_shape;
    const Values& m_values;
    Options m_options;
    std::size_t m_channels;
    Expected m_expected;
};

/// What the kernels made of the same.
struct Found
{
    std::vector<float> mean;
    std::vector<float> variance;
    std::vector<float> dst;
    std::vector<float> diffSrc;
    std::vector<float> diffGamma;
    std::vector<float> diffBeta;
    std::vector<float> meanLeft; ///< in the gradient of the statistic
    std::vector<float> varianceLeft;

    bool operator==(const Found&) const = default;
};

constexpr double kMomentScale = -0.25;
/// Between the channels of dst, which nobody may touch.
constexpr float kRest = 3.0F;

/// Arrays of a normalisation on the device.
template<class T>
class Scene
{
public:
    Scene(const NormalizationShape& shape, const Values& values, const Options& options)
        : m_shape(shape), m_options(options), m_src(stored<T>(values.src)),
          m_diffDst(stored<T>(
              gapsOf(shape, std::numeric_limits<float>::quiet_NaN()).spread(values.diffDst))),
          m_gamma(values.gamma), m_beta(values.beta), m_moments(2 * momentCount()),
          m_diffs(2 * momentCount()), m_scratch(normalizationScratchBytes(shape) / sizeof(float)),
          m_dst(stored<T>(gapsOf(shape, kRest).spread(std::vector<float>(values.src.size())))),
          m_diffSrc(values.src.size()), m_gradients(4 * values.beta.size()),
          m_sums(2 * values.beta.size()),
          m_counters(std::vector<std::uint32_t>(joinCounterBytes(shape.channels) / 4))
    {
    }

    /// By groups.
    Found run()
    {
        computeMoments(
            m_stream.get(), m_shape,
            {m_src.bytes(), m_scratch.data(), counters(), mean(), variance()});
        return runRest(nullptr);
    }
    /// By way of the sums, as one of `towers` replicas that all have the same rows.
    Found runBySums(std::int64_t towers)
    {
        computeMoments(
            m_stream.get(), m_shape,
            {m_src.bytes(), m_scratch.data(), counters(), nullptr, nullptr, m_sums.data()});
        meet(towers);
        finishMoments(m_stream.get(), sums(towers), mean(), variance());
        m_towers = towers;
        return runRest(m_sums.data());
    }

private:
    [[nodiscard]] std::size_t momentCount() const
    {
        return static_cast<std::size_t>(m_shape.groups * m_shape.channels);
    }
    [[nodiscard]] std::uint32_t* counters() const
    {
        return m_options.isJoinedInPlace && m_shape.groups == 1 ? m_counters.data() : nullptr;
    }
    [[nodiscard]] float* mean() const { return m_moments.data(); }
    [[nodiscard]] float* variance() const { return m_moments.data() + momentCount(); }
    [[nodiscard]] MomentDiffs diffs() const
    {
        return m_options.areConstants ? MomentDiffs{}
                                      : MomentDiffs{m_diffs.data(), m_diffs.data() + momentCount()};
    }
    [[nodiscard]] NormalizationFactors factors() const
    {
        return {
            mean(),
            variance(),
            m_shape.groups == 1 ? 0 : m_shape.channels,
            m_options.hasScale ? m_gamma.data() : nullptr,
            m_beta.data(),
            static_cast<float>(kEpsilon),
            m_options.hasRelu};
    }
    [[nodiscard]] MomentSums sums(std::int64_t towers) const
    {
        return {m_sums.data(), towers * m_shape.positions, m_shape.channels};
    }
    void meet(std::int64_t towers)
    {
        m_stream.synchronize();
        for (double& sum : m_sums.span()) {
            sum *= static_cast<double>(towers);
        }
    }
    Found runRest(double* sums)
    {
        const auto channels = static_cast<std::size_t>(m_shape.channels);
        float* const gradients = m_gradients.data();
        normalizeForward(m_stream.get(), m_shape, factors(), m_src.bytes(), m_dst.bytes());
        sumDiffs(
            m_stream.get(), m_shape, factors(),
            {m_src.bytes(),
             m_diffDst.bytes(),
             m_scratch.data(),
             counters(),
             {gradients, gradients + channels, gradients + 2 * channels, gradients + 3 * channels,
              kMomentScale},
             sums == nullptr ? diffs() : MomentDiffs{},
             sums});
        if (sums != nullptr) {
            meet(m_towers);
            finishDiffs(m_stream.get(), this->sums(m_towers), factors(), diffs());
        }
        normalizeBackward(
            m_stream.get(), m_shape, factors(),
            {m_src.bytes(), m_diffDst.bytes(), diffs(), m_diffSrc.bytes()});
        m_stream.synchronize();
        const auto part = [&](std::size_t number) {
            return std::vector<float>(
                gradients + number * channels, gradients + (number + 1) * channels);
        };
        return {
            {mean(), mean() + momentCount()},
            {variance(), variance() + momentCount()},
            gapsOf(m_shape, kRest).gathered(floatsOf<T>(m_dst.span())),
            floatsOf<T>(m_diffSrc.span()),
            part(0),
            part(1),
            part(2),
            part(3)};
    }

    NormalizationShape m_shape;
    Options m_options;
    TestStream m_stream;
    DeviceArray<T> m_src;
    DeviceArray<T> m_diffDst;
    DeviceArray<float> m_gamma;
    DeviceArray<float> m_beta;
    DeviceArray<float> m_moments;
    DeviceArray<float> m_diffs;
    DeviceArray<float> m_scratch;
    DeviceArray<T> m_dst;
    DeviceArray<T> m_diffSrc;
    DeviceArray<float> m_gradients;
    DeviceArray<double> m_sums;
    DeviceArray<std::uint32_t> m_counters;
    std::int64_t m_towers = 1;
};

template<class T>
void compare(const Found& found, const Expected& expected, const NormalizationShape& shape)
{
    constexpr double kRelative = test::kRelative<T>;
    const auto all = static_cast<double>(shape.groups * shape.positions);
    QCOMPARE(firstDifference(found.mean, expected.mean, 1e-6, 1e-6), -1);
    QCOMPARE(firstDifference(found.variance, expected.variance, 1e-5, 1e-9), -1);
    QCOMPARE(firstDifference(found.dst, expected.dst, kRelative, 1e-5), -1);
    QCOMPARE(firstDifference(found.diffSrc, expected.diffSrc, kRelative, 2e-4), -1);
    QCOMPARE(firstDifference(found.diffGamma, expected.diffGamma, 1e-5, 1e-6 * all), -1);
    QCOMPARE(firstDifference(found.diffBeta, expected.diffBeta, 1e-5, 1e-6 * all), -1);
    for (std::size_t channel = 0; channel < found.diffBeta.size(); ++channel) {
        double mean = 0.0;
        double variance = 0.0;
        for (std::size_t i = channel; i < expected.mean.size(); i += found.diffBeta.size()) {
            mean += kMomentScale * expected.mean[i];
            variance += kMomentScale * expected.variance[i];
        }
        QVERIFY(std::abs(double{found.meanLeft[channel]} - mean) <= 1e-5 * std::abs(mean) + 1e-6);
        QVERIFY(
            std::abs(double{found.varianceLeft[channel]} - variance)
            <= 1e-5 * std::abs(variance) + 1e-9);
    }
}

void addShapes()
{
    QTest::addColumn<NormalizationShape>("shape");
    for (const DataType type : {DataType::Float32, DataType::Bfloat16}) {
        for (const auto& [groups, positions, channels, dstStride] :
             std::vector<std::array<std::int64_t, 4>>{
                 {1, 1, 1, 1},
                 {1, 7, 3, 3},
                 {3, 40, 5, 5},
                 {2, 130, 8, 8},
                 {1, 2500, 24, 24},
                 {4, 1100, 1, 1},
                 {1, 300, 40, 40},
                 {1, 300, 40, 48},
                 {1, 90, 5, 8},
                 {3, 70, 16, 64}}) {
            QTest::addRow(
                "%s %lld x %lld x %lld of %lld", type == DataType::Float32 ? "float32" : "bfloat16",
                static_cast<long long>(groups), static_cast<long long>(positions),
                static_cast<long long>(channels), static_cast<long long>(dstStride))
                << NormalizationShape{type, groups, positions, channels, dstStride};
        }
    }
}

/// Calls body with a T of the type.
template<class Body>
void withType(DataType type, Body body)
{
    type == DataType::Float32 ? body(0.0F) : body(Bfloat16{});
}

} // namespace

class TestCudaKernelsNormalization : public QObject
{
    Q_OBJECT

private slots:
    void init() { emulation::reset(); }
    void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    void AnyShape_bothWays_isTheDefinition_data() { addShapes(); }
    void AnyShape_bothWays_isTheDefinition()
    {
        QFETCH(NormalizationShape, shape);
        withType(shape.type, [&](auto zero) {
            using T = decltype(zero);
            for (const Options& options :
                 {Options{true, true}, Options{false, false}, Options{true, false, true}}) {
                Random random(50);
                const Values values = randomValues<T>(shape, 0.0F, random);
                const Reference reference(shape, values, options);
                compare<T>(Scene<T>(shape, values, options).run(), reference.expected(), shape);
            }
        });
    }

    /// Every tower has the same rows: the moments, and a tower's gradients, are those of one.
    void SumsOfSeveralTowers_bothWays_areTheMomentsOfAllRows_data() { addShapes(); }
    void SumsOfSeveralTowers_bothWays_areTheMomentsOfAllRows()
    {
        QFETCH(NormalizationShape, shape);
        if (shape.groups > 1) {
            shape.positions *= shape.groups;
            shape.groups = 1;
        }
        withType(shape.type, [&](auto zero) {
            using T = decltype(zero);
            Random random(51);
            const Values values = randomValues<T>(shape, 0.0F, random);
            const Reference reference(shape, values, {});
            compare<T>(Scene<T>(shape, values, {}).runBySums(3), reference.expected(), shape);
        });
    }

    /// A mean that is far larger than the spread, and a first value unlike all others.
    void MeanFarFromZero_keepsTheVariance()
    {
        const NormalizationShape shape{DataType::Float32, 1, 3000, 4, 4};
        Random random(52);
        Values values = randomValues<float>(shape, 1000.0F, random);
        for (const bool hasOutlier : {false, true}) {
            if (hasOutlier) {
                std::fill_n(values.src.begin(), 4, 0.0F);
            }
            const Reference reference(shape, values, {});
            const Found found = Scene<float>(shape, values, {}).run();
            // Sums of squares about the outlier are a few hundred times those about the mean.
            const double relative = hasOutlier ? 5e-4 : 1e-5;
            QCOMPARE(
                firstDifference(found.variance, reference.expected().variance, relative, 0.0), -1);
        }
    }

    void ConstantChannel_hasNoVariance_andBecomesBeta()
    {
        const NormalizationShape shape{DataType::Float32, 1, 500, 4, 4};
        Random random(53);
        Values values = randomValues<float>(shape, 0.0F, random);
        std::ranges::fill(values.src, 0.1F);
        const Found found = Scene<float>(shape, values, {true, false}).run();
        for (std::size_t i = 0; i < found.dst.size(); ++i) {
            QCOMPARE(found.variance[i % 4], 0.0F);
            QVERIFY(std::abs(found.dst[i] - values.beta[i % 4]) < 1e-5F);
        }
    }

    void NotANumber_spoilsItsGroupAndChannelOnly()
    {
        const NormalizationShape shape{DataType::Bfloat16, 2, 50, 8, 8};
        Random random(54);
        Values values = randomValues<Bfloat16>(shape, 0.0F, random);
        values.src[std::size_t{3} * 8 + 5] = std::numeric_limits<float>::quiet_NaN();
        const Found found = Scene<Bfloat16>(shape, values, {}).run();
        for (std::size_t i = 0; i < found.dst.size(); ++i) {
            const bool isSpoilt = i < std::size_t{50} * 8 && i % 8 == 5;
            QCOMPARE(std::isnan(found.dst[i]), isSpoilt);
            QCOMPARE(std::isnan(found.diffSrc[i]), isSpoilt);
        }
        QVERIFY(std::isnan(found.diffGamma[5]) && std::isnan(found.meanLeft[5]));
        QVERIFY(std::isfinite(found.diffGamma[4]) && std::isfinite(found.meanLeft[4]));
    }

    void Repeated_orJoinedByAKernelOfItsOwn_givesTheSameBits_data() { addShapes(); }
    void Repeated_orJoinedByAKernelOfItsOwn_givesTheSameBits()
    {
        QFETCH(NormalizationShape, shape);
        withType(shape.type, [&](auto zero) {
            using T = decltype(zero);
            Random random(55);
            const Values values = randomValues<T>(shape, 0.0F, random);
            Scene<T> scene(shape, values, {});
            const Found first = scene.run();
            QVERIFY(scene.run() == first);
            QVERIFY(Scene<T>(shape, values, {.isJoinedInPlace = false}).run() == first);
        });
    }
};

LOCKSTEP_TEST(TestCudaKernelsNormalization)
#include "test_cuda_kernels_normalization.moc"
