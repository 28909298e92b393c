// SPDX-License-Identifier: Apache-2.0
// How a convolution's engine is chosen, found again and run with the kernels beside it. In place of
// cuDNN: descriptors that only keep what they are told, and engines of our own.
#include "cuda/emulated_runtime.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/plans/cudnn_attributes.h"
#include "device/cuda/plans/cudnn_convolution.h"
#include "device/cuda/plans/cudnn_engine.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_context.h"
#include "network/models/model_settings.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <thread>

using namespace lockstep;
using cuda::ConvolutionDirection;
using cuda::ConvolutionSpec;
using cuda::CudnnEngine;
using cuda::DataType;

namespace {

/// What an engine of the fake library does. The convolution is not computed: its result is filled
/// with `value`, a weight gradient with 1 more.
struct Behaviour
{
    bool isForKernel = false; ///< belongs to the variant that a kernel of ours completes
    int milliseconds = 0;
    bool hidesNan = false;
    bool isMissing = false; ///< suggested, but can't be planned
    std::size_t workspaceBytes = 0;
    bool isCompiled = false;
    float value = 2.0F;
    bool forgetsToAdd = false; ///< where the result is to be added to what is there
};

struct FakeDescriptor
{
    std::map<int, std::vector<std::byte>> attributes;
    bool isForKernel = false; ///< a graph
    std::int64_t engine = 0;  ///< a plan
    ConvolutionSpec spec;     ///< both
};

/// The engines that ran since it was emptied last, by what was planned.
std::map<std::string, std::set<std::int64_t>>& ranEngines()
{
    static std::map<std::string, std::set<std::int64_t>> ran;
    return ran;
}

std::map<std::int64_t, Behaviour>& engines()
{
    static std::map<std::int64_t, Behaviour> behaviours;
    return behaviours;
}

cudaStream_t& currentStream()
{
    static cudaStream_t stream = nullptr;
    return stream;
}

FakeDescriptor& fakeOf(cudnnBackendDescriptor_t descriptor)
{
    return *static_cast<FakeDescriptor*>(descriptor);
}

template<class T>
std::vector<T> attribute(const FakeDescriptor& descriptor, int name)
{
    const std::vector<std::byte>& bytes = descriptor.attributes.at(name);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// The address that a variant pack gives a tensor; null if none.
void* addressOf(const FakeDescriptor& pack, std::int64_t tensor)
{
    const auto ids = attribute<std::int64_t>(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    const auto addresses = attribute<void*>(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
    const auto found = std::ranges::find(ids, tensor);
    return found == ids.end() ? nullptr : addresses[static_cast<std::size_t>(found - ids.begin())];
}

void fill(DataType type, void* data, std::int64_t count, float value)
{
    if (type == DataType::Float32) {
        std::fill_n(static_cast<float*>(data), count, value);
    } else {
        std::fill_n(static_cast<cuda::Bfloat16*>(data), count, cuda::toBfloat16(value));
    }
}

float firstOf(DataType type, const void* data)
{
    return type == DataType::Float32 ? *static_cast<const float*>(data)
                                     : toFloat(*static_cast<const cuda::Bfloat16*>(data));
}

/// Bias and ReLU of an engine that does them itself.
void addEpilogue(const FakeDescriptor& plan, const FakeDescriptor& pack, bool hidesNan)
{
    const ConvolutionSpec& spec = plan.spec;
    const auto* bias = static_cast<const float*>(addressOf(pack, cuda::BiasId));
    void* dst = addressOf(pack, cuda::DstId);
    const auto step = static_cast<std::int64_t>(bytesOf(spec.type));
    for (std::int64_t i = 0; i < spec.examples * spec.dst.elements(); ++i) {
        void* place = static_cast<std::byte*>(dst) + i * step;
        float value = firstOf(spec.type, place);
        value += bias != nullptr ? bias[i % spec.dst.channels] : 0.0F;
        value = std::isnan(value) && !hidesNan ? value : std::fmax(value, 0.0F);
        fill(spec.type, place, 1, value);
    }
}

void execute(const FakeDescriptor& plan, const FakeDescriptor& pack)
{
    const Behaviour behaviour = engines().at(plan.engine);
    std::this_thread::sleep_for(std::chrono::milliseconds(behaviour.milliseconds));
    const ConvolutionSpec& spec = plan.spec;
    ranEngines()[toString(spec)].insert(plan.engine);
    if (spec.direction == ConvolutionDirection::WeightGradient) {
        const auto count =
            spec.dst.channels * spec.kernel.height * spec.kernel.width * spec.src.channels;
        fill(
            behaviour.isForKernel ? DataType::Bfloat16 : DataType::Float32,
            addressOf(pack, cuda::WeightsId), count, behaviour.value + 1.0F);
        return;
    }
    if (spec.direction == ConvolutionDirection::DataGradient) {
        auto* const diffs = static_cast<std::byte*>(addressOf(pack, cuda::SrcId));
        const bool adds = spec.adds && !behaviour.isForKernel && !behaviour.forgetsToAdd;
        for (std::int64_t i = 0; i < spec.examples * spec.src.elements(); ++i) {
            void* const place = diffs + i * static_cast<std::int64_t>(bytesOf(spec.type));
            const float there = adds ? firstOf(spec.type, place) : 0.0F;
            fill(spec.type, place, 1, there + behaviour.value);
        }
        return;
    }
    void* dst = addressOf(pack, cuda::DstId);
    fill(spec.type, dst, spec.examples * spec.dst.elements(), behaviour.value);
    const float first = firstOf(spec.type, addressOf(pack, cuda::SrcId));
    if (std::isnan(first)) {
        fill(spec.type, dst, 1, first);
    }
    if (!behaviour.isForKernel && spec.hasRelu) {
        addEpilogue(plan, pack, behaviour.hidesNan);
    }
}

/// 1 x 1, so that there are few weights.
ConvolutionSpec someSpec()
{
    ConvolutionSpec spec;
    spec.examples = 2;
    spec.src = {3, 3, 4};
    spec.dst = {3, 3, 8};
    spec.hasBias = true;
    spec.hasRelu = true;
    return spec;
}

/// A data gradient that is added to another.
ConvolutionSpec addingSpec()
{
    ConvolutionSpec spec = someSpec();
    spec.direction = ConvolutionDirection::DataGradient;
    spec.hasBias = false;
    spec.hasRelu = false;
    spec.adds = true;
    return spec;
}

/// In bfloat16, all directions; one example, so that it takes little memory.
std::vector<ConvolutionSpec> inceptionConvolutions()
{
    const NetworkSpec network = makeNetwork({.name = "inception_v3"});
    std::vector<ConvolutionSpec> specs;
    for (const Layer& layer : network.layers) {
        const auto* conv = std::get_if<Conv2d>(&layer.spec);
        if (conv == nullptr) {
            continue;
        }
        ConvolutionSpec spec;
        spec.precision = Precision::Bfloat16;
        spec.type = DataType::Bfloat16;
        spec.examples = 1;
        spec.src = network.layers[static_cast<std::size_t>(layer.inputs.front())].shape;
        spec.src.channels = cuda::paddedChannels(spec.src.channels, spec.precision);
        spec.dst = layer.shape;
        spec.kernel = conv->kernel;
        spec.stride = conv->stride;
        for (const auto direction :
             {ConvolutionDirection::Forward, ConvolutionDirection::DataGradient,
              ConvolutionDirection::WeightGradient}) {
            spec.direction = direction;
            spec.hasRelu =
                direction == ConvolutionDirection::Forward && conv->activation == Activation::Relu;
            spec.hasBias = direction == ConvolutionDirection::Forward && conv->hasBias;
            specs.push_back(spec);
        }
    }
    return specs;
}

std::shared_ptr<const cuda::Convolution> plan(
    cuda::CudaContext& context, const ConvolutionSpec& spec)
{
    Planning planning;
    return planConvolution(context, spec, planning);
}

} // namespace

extern "C" {

size_t cudnnGetVersion()
{
    return 91900;
}
const char* cudnnGetErrorString(cudnnStatus_t /*status*/)
{
    return "status";
}
void cudnnGetLastErrorString(char* message, size_t /*size*/)
{
    *message = '\0';
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t /*handle*/, cudaStream_t stream)
{
    currentStream() = stream;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendCreateDescriptor(
    cudnnBackendDescriptorType_t /*type*/, cudnnBackendDescriptor_t* descriptor)
{
    *descriptor = new FakeDescriptor;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor)
{
    delete static_cast<FakeDescriptor*>(descriptor);
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t /*descriptor*/)
{
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendSetAttribute(
    cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
    cudnnBackendAttributeType_t /*type*/, int64_t count, const void* values)
{
    const auto* bytes = static_cast<const std::byte*>(values);
    fakeOf(descriptor).attributes[name] = {bytes, bytes + count * 8}; // the types of a pack
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendGetAttribute(
    cudnnBackendDescriptor_t /*descriptor*/, cudnnBackendAttributeName_t /*name*/,
    cudnnBackendAttributeType_t /*type*/, int64_t /*limit*/, int64_t* /*count*/, void* /*values*/)
{
    return CUDNN_STATUS_NOT_SUPPORTED;
}
cudnnStatus_t cudnnBackendExecute(
    cudnnHandle_t /*handle*/, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack)
{
    const auto work = [plan = fakeOf(plan), pack = fakeOf(pack)] { execute(plan, pack); };
    cuda::checkCuda(emulation::enqueueHostTask(currentStream(), work), "a fake engine");
    return CUDNN_STATUS_SUCCESS;
}

} // extern "C"

namespace lockstep::cuda {

CudnnDescriptor convolutionGraph(
    const CudnnTarget& /*target*/, const ConvolutionSpec& spec,
    const ConvolutionGraphOptions& options)
{
    CudnnDescriptor graph(cudnn::kOperationGraph);
    FakeDescriptor& fake = fakeOf(graph.get());
    fake.spec = spec;
    fake.isForKernel = spec.direction == ConvolutionDirection::WeightGradient
                           ? options.weightGradientType == DataType::Bfloat16
                           : !options.withEpilogue && !options.adds;
    return graph;
}

std::string toString(const CudnnEngine& engine)
{
    return fmt::format("fake eng{}", engine.index);
}

std::optional<CudnnEngine> parseCudnnEngine(const std::string& text)
{
    const std::string prefix = "fake eng";
    return text.starts_with(prefix)
               ? std::optional(CudnnEngine{std::stoll(text.substr(prefix.size())), {}})
               : std::nullopt;
}

std::vector<CudnnSuggestion> suggestEngines(
    const CudnnTarget& /*target*/, const CudnnDescriptor& graph, Precision /*precision*/)
{
    std::vector<CudnnSuggestion> suggestions;
    for (const auto& [index, behaviour] : engines()) {
        if (behaviour.isForKernel == fakeOf(graph.get()).isForKernel) {
            suggestions.push_back({{index, {}}, behaviour.isCompiled, false});
        }
    }
    return suggestions;
}

CudnnPlan makeCudnnPlan(
    const CudnnTarget& /*target*/, const CudnnDescriptor& graph, const CudnnEngine& engine)
{
    const auto found = engines().find(engine.index);
    if (found == engines().end() || found->second.isMissing) {
        fail(ErrorCode::Device, "engine {} is not there", engine.index);
    }
    CudnnDescriptor plan(cudnn::kExecutionPlan);
    fakeOf(plan.get()).engine = engine.index;
    fakeOf(plan.get()).spec = fakeOf(graph.get()).spec;
    return {engine, std::move(plan), found->second.workspaceBytes};
}

} // namespace lockstep::cuda

class TestCudaConvolutionPlan : public QObject
{
    Q_OBJECT
private slots:
    static void init()
    {
        emulation::reset();
        engines().clear();
        ranEngines().clear();
    }
    static void cleanup()
    {
        QCOMPARE(emulation::counters().allocations, 0);
        QCOMPARE(emulation::lastFault(), std::string());
    }

    static void planConvolution_severalEngines_takesTheFastest()
    {
        engines() = {{1, {false, 4}}, {2, {false, 1}}, {3, {true, 3}}};
        cuda::CudaContext context;
        const auto chosen = plan(context, someSpec());
        QCOMPARE(chosen->describe(), std::string("fake eng2"));
        QVERIFY(plan(context, someSpec()) == chosen);
    }

    static void planConvolution_fusedHidesNan_takesOwnKernel()
    {
        engines() = {{1, {.hidesNan = true}}, {2, {true, 2}}};
        cuda::CudaContext context;
        QCOMPARE(plan(context, someSpec())->describe(), std::string("fake eng2 + kernel"));
    }

    static void planConvolution_reluAlone_mustNotHideNanEither()
    {
        engines() = {{1, {.hidesNan = true}}, {2, {false, 2}}};
        cuda::CudaContext context;
        ConvolutionSpec spec = someSpec();
        spec.hasBias = false;
        QCOMPARE(plan(context, spec)->describe(), std::string("fake eng2"));
    }

    static void planConvolution_missingAndGreedyEngines_areLeftOut()
    {
        engines() = {
            {1, {.isMissing = true}},
            {2, {.workspaceBytes = std::size_t{300} << 20U}},
            {3, {false, 2}}};
        cuda::CudaContext context;
        QCOMPARE(plan(context, someSpec())->describe(), std::string("fake eng3"));
    }

    static void planConvolution_algorithmOfBefore_isTakenThoughSlower()
    {
        engines() = {{1, {false, 0}}, {2, {false, 5}}, {3, {true, 5}}};
        for (const std::string text : {"fake eng2", "fake eng3 + kernel"}) {
            cuda::CudaContext context;
            ConvolutionSpec spec = someSpec();
            spec.algorithm = text;
            QCOMPARE(plan(context, spec)->describe(), text);
        }
    }

    static void planConvolution_algorithmIsGone_choosesAnew()
    {
        engines() = {{1, {}}};
        for (const std::string text : {"fake eng2", "jit:avx512_core"}) {
            cuda::CudaContext context;
            ConvolutionSpec spec = someSpec();
            spec.algorithm = text;
            QCOMPARE(plan(context, spec)->describe(), std::string("fake eng1"));
        }
    }

    static void planConvolution_first_isTakenUntried()
    {
        engines() = {{1, {}}, {2, {}}, {3, {.isForKernel = true}}, {4, {.isForKernel = true}}};
        cuda::CudaContext context;
        ConvolutionSpec spec = someSpec();
        spec.algorithm = "first";
        QCOMPARE(plan(context, spec)->describe(), std::string("fake eng3 + kernel"));
        QVERIFY(ranEngines().empty());
    }

    static void planConvolution_wrongEngine_isLeftOut()
    {
        engines() = {{1, {.value = 2.5F}}, {2, {false, 20}}, {3, {true, 30}}};
        cuda::CudaContext context;
        QCOMPARE(plan(context, someSpec())->describe(), std::string("fake eng2"));
    }

    static void planConvolution_anotherProcess_takesWhatWasMeasured()
    {
        const test::TemporaryFolder folder;
        const auto contextOf = [&](const std::string& machine) {
            auto context = std::make_unique<cuda::CudaContext>();
            context->store = std::make_unique<AlgorithmStore>(folder / "store.txt", machine);
            return context;
        };
        engines() = {{1, {false, 30}}, {2, {}}};
        QCOMPARE(plan(*contextOf("a GPU"), someSpec())->describe(), std::string("fake eng2"));
        engines() = {{1, {}}, {2, {false, 30}}};
        ranEngines().clear();
        QCOMPARE(plan(*contextOf("a GPU"), someSpec())->describe(), std::string("fake eng2"));
        QVERIFY(ranEngines().empty());
        // Another GPU, and what this run asks for.
        QCOMPARE(plan(*contextOf("another"), someSpec())->describe(), std::string("fake eng1"));
        ConvolutionSpec spec = someSpec();
        spec.algorithm = "fake eng1";
        QCOMPARE(plan(*contextOf("a GPU"), spec)->describe(), std::string("fake eng1"));
        // What the library no longer has.
        engines() = {{1, {}}};
        QCOMPARE(plan(*contextOf("a GPU"), someSpec())->describe(), std::string("fake eng1"));
    }

    static void planConvolution_inceptionV3_triesFiveEnginesAtMost()
    {
        for (std::int64_t i = 0; i < 64; ++i) {
            engines()[i] = {.isForKernel = i % 2 != 0, .isCompiled = i % 3 == 0};
        }
        cuda::CudaContext context;
        for (const ConvolutionSpec& spec : inceptionConvolutions()) {
            QVERIFY(!plan(context, spec)->describe().empty());
        }
        QVERIFY2(ranEngines().size() > 100, qPrintable(QString::number(ranEngines().size())));
        std::size_t most = 0;
        for (const auto& [spec, ran] : ranEngines()) {
            most = std::max(most, ran.size());
            const auto compiled = std::ranges::count_if(
                ran, [](std::int64_t engine) { return engines().at(engine).isCompiled; });
            QVERIFY2(ran.size() <= 5 && compiled <= 1, spec.c_str());
        }
        QCOMPARE(most, std::size_t{5});
    }

    static void planConvolution_noEngine_saysForWhat()
    {
        engines() = {{1, {.isMissing = true}}};
        cuda::CudaContext context;
        QVERIFY(test::tells(
            test::errorOf([&] { static_cast<void>(plan(context, someSpec())); }), ErrorCode::Device,
            "fprop float32 2x3x3x4 * 8x1x1", "engine 1 is not there"));
    }

    static void planConvolution_thatAdds_isComparedOnWhatWasThere()
    {
        engines() = {{1, {.forgetsToAdd = true}}, {2, {.milliseconds = 3}}, {3, {true, 9}}};
        cuda::CudaContext context;
        QCOMPARE(plan(context, addingSpec())->describe(), std::string("fake eng2"));
    }

    static void run_thatAdds_alsoByOwnKernel()
    {
        for (const bool isForKernel : {false, true}) {
            engines() = {{1, {.isForKernel = isForKernel, .workspaceBytes = 300}}};
            cuda::CudaContext context;
            const auto adding = plan(context, addingSpec());
            QCOMPARE(
                adding->describe(), std::string(isForKernel ? "fake eng1 + kernel" : "fake eng1"));
            constexpr std::size_t kValues = 2 * 3 * 3 * 4;
            QCOMPARE(adding->workspaceBytes(), isForKernel ? 512 + kValues * 4 : 300);
            cudaStream_t stream = nullptr;
            void* diffs = nullptr;
            void* workspace = nullptr;
            cuda::checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
            cuda::checkCuda(cudaMalloc(&diffs, kValues * sizeof(float)), "diffs");
            cuda::checkCuda(cudaMalloc(&workspace, adding->workspaceBytes()), "workspace");
            std::fill_n(static_cast<float*>(diffs), kValues, 0.5F);
            adding->run(stream, {diffs, nullptr, nullptr, nullptr, workspace});
            cuda::checkCuda(cudaStreamSynchronize(stream), "waiting");
            QVERIFY(std::ranges::all_of(
                std::span(static_cast<const float*>(diffs), kValues),
                [](float value) { return value == 2.5F; }));
            cudaFree(diffs);
            cudaFree(workspace);
            cudaStreamDestroy(stream);
        }
    }

    static void run_narrowWeightGradient_isWidened()
    {
        engines() = {{1, {.isForKernel = true, .workspaceBytes = 300}}};
        cuda::CudaContext context;
        ConvolutionSpec spec = someSpec();
        spec.direction = ConvolutionDirection::WeightGradient;
        spec.hasBias = false;
        spec.hasRelu = false;
        spec.type = DataType::Bfloat16;
        spec.precision = Precision::Bfloat16;
        const auto narrow = plan(context, spec);
        QCOMPARE(narrow->describe(), std::string("fake eng1 + kernel"));
        QCOMPARE(narrow->workspaceBytes(), std::size_t{512 + 4 * 8 * 2});
        cudaStream_t stream = nullptr;
        void* weights = nullptr;
        void* workspace = nullptr;
        cuda::checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
        cuda::checkCuda(cudaMalloc(&weights, 32 * sizeof(float)), "weights");
        cuda::checkCuda(cudaMalloc(&workspace, narrow->workspaceBytes()), "workspace");
        narrow->run(stream, {nullptr, weights, nullptr, nullptr, workspace});
        cuda::checkCuda(cudaStreamSynchronize(stream), "waiting");
        for (int i = 0; i < 32; ++i) {
            QCOMPARE(static_cast<const float*>(weights)[i], 3.0F);
        }
        cudaFree(weights);
        cudaFree(workspace);
        cudaStreamDestroy(stream);
    }
};

LOCKSTEP_TEST(TestCudaConvolutionPlan)
#include "test_cuda_convolution_plan.moc"
