// SPDX-License-Identifier: Apache-2.0
// How a convolution's engine is chosen, found again and run with the kernels beside it. In place of
// cuDNN: descriptors that only keep what they are told, and engines of our own.
#include "base/error.h"
#include "cuda/emulated_runtime.h"
#include "device/cuda/bfloat16.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_context.h"
#include "device/cuda/cudnn_attributes.h"
#include "device/cuda/cudnn_convolution.h"
#include "device/cuda/cudnn_engine.h"

#include <QtTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <thread>

using namespace lockstep;
using cuda::ConvolutionDirection;
using cuda::ConvolutionSpec;
using cuda::CudnnEngine;
using cuda::DataType;

namespace {

/// What an engine of the fake library does. The convolution is not computed: dst is filled with 2,
/// a weight gradient with 3.
struct Behaviour
{
    bool isForKernel = false; ///< belongs to the variant that a kernel of ours completes
    int milliseconds = 0;
    bool hidesNan = false;
    bool isMissing = false; ///< suggested, but can't be planned
    std::size_t workspaceBytes = 0;
};

struct FakeDescriptor
{
    std::map<int, std::vector<std::byte>> attributes;
    bool isForKernel = false; ///< a graph
    std::int64_t engine = 0;  ///< a plan
    ConvolutionSpec spec;     ///< both
};

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

void fillFloats(void* data, std::int64_t count, float value)
{
    std::fill_n(static_cast<float*>(data), count, value);
}

void execute(const FakeDescriptor& plan, const FakeDescriptor& pack)
{
    const Behaviour behaviour = engines().at(plan.engine);
    std::this_thread::sleep_for(std::chrono::milliseconds(behaviour.milliseconds));
    const ConvolutionSpec& spec = plan.spec;
    if (spec.direction == ConvolutionDirection::WeightGradient) {
        auto* narrow = static_cast<cuda::Bfloat16*>(addressOf(pack, cuda::WeightsId));
        const auto count = spec.dst.channels * spec.src.channels;
        if (behaviour.isForKernel) {
            std::fill_n(narrow, count, cuda::toBfloat16(3.0F));
        } else {
            fillFloats(addressOf(pack, cuda::WeightsId), count, 3.0F);
        }
        return;
    }
    auto* dst = static_cast<float*>(addressOf(pack, cuda::DstId));
    fillFloats(dst, spec.examples * spec.dst.elements(), 2.0F);
    const auto* bias = static_cast<const float*>(addressOf(pack, cuda::BiasId));
    if (bias != nullptr && !behaviour.hidesNan) {
        dst[0] += bias[0];
    } else if (!behaviour.hidesNan) {
        const float first = *static_cast<const float*>(addressOf(pack, cuda::SrcId));
        dst[0] += std::isnan(first) ? first : 0.0F;
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
                           : !options.withEpilogue;
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
            suggestions.push_back({{index, {}}, false});
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
        const auto plan = planConvolution(context, someSpec());
        QCOMPARE(plan->describe(), std::string("fake eng2"));
        QVERIFY(planConvolution(context, someSpec()) == plan);
    }

    static void planConvolution_fusedHidesNan_takesOwnKernel()
    {
        engines() = {{1, {.hidesNan = true}}, {2, {true, 2}}};
        cuda::CudaContext context;
        QCOMPARE(
            planConvolution(context, someSpec())->describe(), std::string("fake eng2 + kernel"));
    }

    static void planConvolution_reluAlone_mustNotHideNanEither()
    {
        engines() = {{1, {.hidesNan = true}}, {2, {false, 2}}};
        cuda::CudaContext context;
        ConvolutionSpec spec = someSpec();
        spec.hasBias = false;
        QCOMPARE(planConvolution(context, spec)->describe(), std::string("fake eng2"));
    }

    static void planConvolution_missingAndGreedyEngines_areLeftOut()
    {
        engines() = {
            {1, {.isMissing = true}},
            {2, {.workspaceBytes = std::size_t{300} << 20U}},
            {3, {false, 2}}};
        cuda::CudaContext context;
        QCOMPARE(planConvolution(context, someSpec())->describe(), std::string("fake eng3"));
    }

    static void planConvolution_algorithmOfBefore_isTakenThoughSlower()
    {
        engines() = {{1, {false, 0}}, {2, {false, 5}}, {3, {true, 5}}};
        for (const std::string text : {"fake eng2", "fake eng3 + kernel"}) {
            cuda::CudaContext context;
            ConvolutionSpec spec = someSpec();
            spec.algorithm = text;
            QCOMPARE(planConvolution(context, spec)->describe(), text);
        }
    }

    static void planConvolution_algorithmIsGone_choosesAnew()
    {
        engines() = {{1, {}}};
        for (const std::string text : {"fake eng2", "jit:avx512_core"}) {
            cuda::CudaContext context;
            ConvolutionSpec spec = someSpec();
            spec.algorithm = text;
            QCOMPARE(planConvolution(context, spec)->describe(), std::string("fake eng1"));
        }
    }

    static void planConvolution_noEngine_saysForWhat()
    {
        engines() = {{1, {.isMissing = true}}};
        cuda::CudaContext context;
        try {
            static_cast<void>(planConvolution(context, someSpec()));
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::Device);
            const QString text = error.what();
            QVERIFY2(text.contains("fprop float32 2x3x3x4 * 8x1x1"), error.what());
            QVERIFY2(text.contains("engine 1 is not there"), error.what());
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
        const auto plan = planConvolution(context, spec);
        QCOMPARE(plan->describe(), std::string("fake eng1 + kernel"));
        QCOMPARE(plan->workspaceBytes(), std::size_t{512 + 4 * 8 * 2});
        cudaStream_t stream = nullptr;
        void* weights = nullptr;
        void* workspace = nullptr;
        cuda::checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
        cuda::checkCuda(cudaMalloc(&weights, 32 * sizeof(float)), "weights");
        cuda::checkCuda(cudaMalloc(&workspace, plan->workspaceBytes()), "workspace");
        plan->run(stream, {nullptr, weights, nullptr, nullptr, workspace});
        cuda::checkCuda(cudaStreamSynchronize(stream), "waiting");
        for (int i = 0; i < 32; ++i) {
            QCOMPARE(static_cast<const float*>(weights)[i], 3.0F);
        }
        cudaFree(weights);
        cudaFree(workspace);
        cudaStreamDestroy(stream);
    }
};

QTEST_GUILESS_MAIN(TestCudaConvolutionPlan)
#include "test_cuda_convolution_plan.moc"
