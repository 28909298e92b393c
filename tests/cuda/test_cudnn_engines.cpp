// SPDX-License-Identifier: Apache-2.0
// What Lockstep asks of cuDNN, answered by the real library for an H200 that is only described
// (cuDNN 9.8 and later): every graph is understood, and engines are there. Nothing runs; fused
// graphs in bfloat16 are compiled with the help of the driver, which may be missing.
#include "base/error.h"
#include "device/cuda/plans/cudnn_attributes.h"
#include "device/cuda/plans/cudnn_convolution.h"
#include "device/cuda/plans/cudnn_engine.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <array>
#include <optional>

using namespace lockstep;
using cuda::ConvolutionDirection;
using cuda::ConvolutionGraphOptions;
using cuda::ConvolutionSpec;

Q_DECLARE_METATYPE(lockstep::cuda::ConvolutionSpec)

namespace {

/// As cuDNN serialises the properties of an H200.
constexpr const char* kH200 = R"({"version":1,"cudaDeviceId":0,"deviceVer":900,"driverVer":13000,
"totalGlobalMem":150000000000,"maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],
"regsPerBlock":65536,"multiProcessorCount":132,"warpSize":32,"maxSharedMemoryPerBlock":49152,
"maxSharedMemoryPerBlockOptin":232448,"reservedSharedMemoryPerBlock":1024,"maxRegistersPerSM":65536,
"maxCtasPerSM":32,"maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"pciDeviceId":0,"isTccDriver":0,
"supportCoopLaunch":1,"smClockRateKHz":1980000,"memClockRateKHz":3201000,"l2CacheSize":62914560,
"deviceName":"NVIDIA H200"})";

std::optional<cuda::CudnnDescriptor> describeH200()
{
    constexpr cuda::CudnnAttribute<char, CUDNN_TYPE_CHAR> kJson{
        CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, "JSON"};
    try {
        cuda::CudnnDescriptor properties(cuda::cudnn::kDeviceProperties);
        const std::string text = kH200;
        properties.set(kJson, std::vector<char>(text.begin(), text.end()));
        properties.finalize();
        return properties;
    } catch (const Error&) {
        return std::nullopt;
    }
}

struct ConvolutionSizes
{
    std::int64_t examples = 0;
    Shape src;
    Shape dst;
    Extent kernel;
    Extent stride{1, 1};
    bool hasBias = true; ///< and ReLU
};

/// The convolutions of the networks that come with Lockstep, and one with odd sizes.
std::vector<ConvolutionSizes> sizesOf(Precision precision)
{
    const auto stored = [&](std::int64_t channels) {
        return cuda::paddedChannels(channels, precision);
    };
    return {
        {128, {24, 24, stored(3)}, {24, 24, 64}, {5, 5}},
        {128, {12, 12, 64}, {12, 12, 64}, {5, 5}},
        {3, {9, 7, 5}, {4, 6, 7}, {3, 2}, {2, 1}},
        {1, {1408, 512, stored(1)}, {1408, 512, 32}, {5, 5}, {1, 1}, false},
        {1, {176, 64, 64}, {176, 64, 1024}, {15, 15}, {1, 1}, false},
        {1, {176, 64, 1024}, {176, 64, 1}, {1, 1}, {1, 1}, false},
        {1, {88, 32, 1025}, {88, 32, 8}, {5, 5}, {1, 1}, false},
        {1, {44, 16, 8}, {44, 16, 16}, {5, 5}, {1, 1}, false}};
}

/// All of them, in all directions and precisions.
void addConvolutions()
{
    QTest::addColumn<ConvolutionSpec>("spec");
    for (const Precision precision : {Precision::Float32, Precision::Tf32, Precision::Bfloat16}) {
        for (const ConvolutionSizes& sizes : sizesOf(precision)) {
            ConvolutionSpec spec;
            spec.precision = precision;
            spec.type = cuda::activationType(precision);
            spec.examples = sizes.examples;
            spec.src = sizes.src;
            spec.dst = sizes.dst;
            spec.kernel = sizes.kernel;
            spec.stride = sizes.stride;
            const bool isSame = sizes.src.height == sizes.dst.height;
            spec.padding =
                isSame ? Extent{spec.kernel.height / 2, spec.kernel.width / 2} : Extent{0, 0};
            for (const auto direction :
                 {ConvolutionDirection::Forward, ConvolutionDirection::DataGradient,
                  ConvolutionDirection::WeightGradient}) {
                spec.direction = direction;
                spec.hasBias = sizes.hasBias && direction == ConvolutionDirection::Forward;
                spec.hasRelu = spec.hasBias;
                QTest::newRow(toString(spec).c_str()) << spec;
            }
        }
    }
}

/// The variant that does not need a compiler.
ConvolutionGraphOptions readyOptions(const ConvolutionSpec& spec)
{
    return variantsOf(spec).back().options;
}

} // namespace

class TestCudnnEngines : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        m_properties = describeH200();
        if (!m_properties) {
            QSKIP("this cuDNN can't plan for a GPU that is not here");
        }
    }

    static void convolutionGraph_everyVariant_isUnderstood_data() { addConvolutions(); }
    void convolutionGraph_everyVariant_isUnderstood()
    {
        QFETCH(ConvolutionSpec, spec);
        for (const auto& variant : variantsOf(spec)) {
            const auto graph = convolutionGraph(target(), spec, variant.options);
            QVERIFY(graph.get(cuda::cudnn::kGraphEngines) > 0);
        }
    }

    static void suggestEngines_anyConvolution_canBePlannedAgain_data() { addConvolutions(); }
    void suggestEngines_anyConvolution_canBePlannedAgain()
    {
        QFETCH(ConvolutionSpec, spec);
        const auto graph = convolutionGraph(target(), spec, readyOptions(spec));
        int planned = 0;
        for (const auto& suggestion : suggestEngines(target(), graph, spec.precision)) {
            const auto again = cuda::parseCudnnEngine(toString(suggestion.engine));
            QVERIFY(again.has_value());
            QVERIFY(*again == suggestion.engine);
            if (!suggestion.isCompiled && planned < 3) {
                try {
                    QVERIFY(makeCudnnPlan(target(), graph, *again).engine == suggestion.engine);
                    ++planned;
                } catch (const Error&) {
                    // Suggested, but not there: planning goes on to the next one.
                }
            }
        }
        QVERIFY(planned > 0);
    }

    static void suggestEngines_gradientThatIsAdded_needsNoKernelOfOurs_data()
    {
        QTest::addColumn<ConvolutionSpec>("spec");
        // The first layers of Inception's branches.
        for (const Precision precision :
             {Precision::Float32, Precision::Tf32, Precision::Bfloat16}) {
            for (const auto& [cells, from, to] :
                 {std::array<std::int64_t, 3>{35, 288, 64}, {17, 768, 192}, {8, 2048, 448}}) {
                ConvolutionSpec spec;
                spec.direction = ConvolutionDirection::DataGradient;
                spec.precision = precision;
                spec.type = cuda::activationType(precision);
                spec.examples = 32;
                spec.src = {cells, cells, from};
                spec.dst = {cells, cells, to};
                spec.adds = true;
                QTest::newRow(toString(spec).c_str()) << spec;
            }
        }
    }
    void suggestEngines_gradientThatIsAdded_needsNoKernelOfOurs()
    {
        QFETCH(ConvolutionSpec, spec);
        const auto graph = convolutionGraph(target(), spec, variantsOf(spec).front().options);
        int planned = 0;
        for (const auto& suggestion : suggestEngines(target(), graph, spec.precision)) {
            try {
                planned += suggestion.isCompiled
                               ? 0
                               : static_cast<int>(
                                   makeCudnnPlan(target(), graph, suggestion.engine).engine
                                   == suggestion.engine);
            } catch (const Error&) {
                // Suggested, but not there.
            }
        }
        QVERIFY(planned > 0);
    }

    void suggestEngines_float32_usesNoTensorCores()
    {
        ConvolutionSpec spec;
        spec.examples = 128;
        spec.kernel = {5, 5};
        spec.stride = {1, 1};
        spec.padding = {2, 2};
        spec.src = {12, 12, 64};
        spec.dst = {12, 12, 64};
        const auto graph = convolutionGraph(target(), spec, {});
        const auto trueOnes = suggestEngines(target(), graph, Precision::Float32);
        const auto all = suggestEngines(target(), graph, Precision::Tf32);
        QVERIFY(!trueOnes.empty());
        QVERIFY(trueOnes.size() < all.size());
        for (const auto& suggestion : trueOnes) {
            cuda::CudnnDescriptor engine(cuda::cudnn::kEngine);
            engine.set(cuda::cudnn::kEngineGraph, graph);
            engine.set(cuda::cudnn::kEngineIndex, suggestion.engine.index);
            engine.set(cuda::cudnn::kEngineDevice, *m_properties);
            engine.finalize();
            const auto notes = engine.get(
                cuda::cudnn::kNumericalNotes, std::int64_t{CUDNN_NUMERICAL_NOTE_TYPE_COUNT});
            QVERIFY(std::ranges::find(notes, CUDNN_NUMERICAL_NOTE_TENSOR_CORE) == notes.end());
            QVERIFY(std::ranges::find(notes, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) == notes.end());
        }
    }

    void makeCudnnPlan_unknownEngine_namesTheDescriptor()
    {
        ConvolutionSpec spec;
        spec.examples = 1;
        spec.stride = {1, 1};
        spec.src = {4, 4, 4};
        spec.dst = {4, 4, 4};
        const auto graph = convolutionGraph(target(), spec, {});
        try {
            static_cast<void>(makeCudnnPlan(target(), graph, {100000, {}}));
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::Device);
            QVERIFY2(std::string(error.what()).starts_with("cuDNN: engine, "), error.what());
        }
    }

    static void parseCudnnEngine_otherTexts_giveNothing_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << "";
        QTest::newRow("other version") << "cudnn 8.9.7 eng3 k2=4";
        QTest::newRow("other library") << "jit:avx512_core";
        const QString version = QString::fromStdString(cuda::cudnnVersionText());
        QTest::newRow("no number") << version + " eng";
        QTest::newRow("half a knob") << version + " eng3 k2=";
        QTest::newRow("more behind") << version + " eng3 k2=4 and more";
    }
    static void parseCudnnEngine_otherTexts_giveNothing()
    {
        QFETCH(QString, text);
        QVERIFY(!cuda::parseCudnnEngine(text.toStdString()).has_value());
    }

private:
    [[nodiscard]] cuda::CudnnTarget target() const { return {nullptr, &*m_properties}; }

    std::optional<cuda::CudnnDescriptor> m_properties;
};

LOCKSTEP_TEST(TestCudnnEngines)
#include "test_cudnn_engines.moc"
