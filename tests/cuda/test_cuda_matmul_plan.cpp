// SPDX-License-Identifier: Apache-2.0
// How a product's algorithm is chosen, remembered and found again, with algorithms of our own in
// place of cuBLASLt's.
#include "cuda/kernel_test.h"
#include "device/cuda/plans/cublas_matmul.h"
#include "device/cuda/runtime/cuda_check.h"
#include "device/cuda/runtime/cuda_context.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>
#include <utility>

using namespace lockstep;
using cuda::CublasAlgorithm;
using cuda::MatmulEpilogue;
using cuda::MatmulSpec;

namespace {

/// What an algorithm of the fake library does.
struct Behaviour
{
    int milliseconds = 0;
    bool hidesNan = false;
    bool fails = false;
    bool hasKernel = false;
    bool missesBiasGradient = false;
};

/// By number, which is the algorithm's first word.
std::map<std::uint64_t, Behaviour>& library()
{
    static std::map<std::uint64_t, Behaviour> behaviours;
    return behaviours;
}

int& askedForSuggestions()
{
    static int count = 0;
    return count;
}

MatmulSpec someSpec(MatmulEpilogue epilogue = MatmulEpilogue::BiasRelu)
{
    MatmulSpec spec;
    spec.rows = 4;
    spec.columns = 3;
    spec.depth = 5;
    spec.epilogue = epilogue;
    return spec;
}

std::shared_ptr<const cuda::Matmul> plan(cuda::CudaContext& context, const MatmulSpec& spec)
{
    Planning planning;
    return planMatmul(context, spec, planning);
}

} // namespace

namespace lockstep::cuda {

std::string toString(const CublasAlgorithm& algorithm)
{
    return fmt::format("fake {}", algorithm.algorithm.data[0]);
}

std::optional<CublasAlgorithm> findAlgorithm(
    cublasLtHandle_t /*handle*/, const MatmulSpec& /*spec*/, const std::string& text)
{
    for (const auto& [number, behaviour] : library()) {
        CublasAlgorithm algorithm;
        algorithm.algorithm.data[0] = number;
        if (toString(algorithm) == text) {
            return algorithm;
        }
    }
    return std::nullopt;
}

std::vector<CublasAlgorithm> suggestAlgorithms(
    cublasLtHandle_t /*handle*/, const MatmulSpec& spec, bool hasKernel)
{
    ++askedForSuggestions();
    std::vector<CublasAlgorithm> algorithms;
    for (const auto& [number, behaviour] : library()) {
        if (behaviour.hasKernel == hasKernel) {
            CublasAlgorithm algorithm;
            algorithm.algorithm.data[0] = number;
            algorithm.workspaceBytes = 100 * number;
            algorithms.push_back(algorithm);
        }
    }
    if (algorithms.empty()) {
        fail(ErrorCode::Device, "nothing for {}", toString(spec));
    }
    return algorithms;
}

CublasMatmul::CublasMatmul(
    cublasLtHandle_t handle, MatmulSpec spec, const CublasAlgorithm& algorithm)
    : m_handle(handle), m_spec(std::move(spec)), m_algorithm(algorithm)
{
}

void CublasMatmul::run(cudaStream_t stream, const MatmulBuffers& buffers) const
{
    const Behaviour behaviour = library().at(m_algorithm.algorithm.data[0]);
    if (behaviour.fails) {
        fail(ErrorCode::Device, "{} fails", describe());
    }
    const bool isReluGradient = m_spec.epilogue == MatmulEpilogue::ReluGradient;
    const auto work = [behaviour, buffers, isReluGradient, rows = m_spec.rows,
                       count = m_spec.rows * m_spec.columns] {
        std::this_thread::sleep_for(std::chrono::milliseconds(behaviour.milliseconds));
        const float first = isReluGradient ? *static_cast<const float*>(buffers.a) : *buffers.bias;
        const bool isHidden = behaviour.hidesNan && std::isnan(first);
        std::fill_n(static_cast<float*>(buffers.dst), count, isHidden ? 0.0F : first);
        if (!behaviour.missesBiasGradient) {
            std::fill_n(buffers.diffBias, rows, first);
        }
    };
    checkCuda(emulation::enqueueHostTask(stream, work), "a fake product");
}

} // namespace lockstep::cuda

class TestCudaMatmulPlan : public QObject
{
    Q_OBJECT
private slots:
    static void init()
    {
        emulation::reset();
        library().clear();
        askedForSuggestions() = 0;
    }
    static void cleanup() { QCOMPARE(emulation::counters().allocations, 0); }

    static void planMatmul_severalAlgorithms_takesTheFastest()
    {
        library() = {{1, {4}}, {2, {1}}, {3, {3}}};
        cuda::CudaContext context;
        const auto chosen = plan(context, someSpec());
        QCOMPARE(chosen->describe(), std::string("fake 2"));
        QCOMPARE(chosen->workspaceBytes(), std::size_t{200});
    }

    static void planMatmul_sameAgain_isNotChosenAgain()
    {
        library() = {{1, {}}};
        cuda::CudaContext context;
        const auto first = plan(context, someSpec());
        const int asked = askedForSuggestions();
        QVERIFY(plan(context, someSpec()) == first);
        QCOMPARE(askedForSuggestions(), asked);
        QVERIFY(plan(context, someSpec(MatmulEpilogue::None)) != first);
    }

    static void planMatmul_algorithmOfBefore_isTakenThoughSlower()
    {
        library() = {{1, {5}}, {2, {0}}};
        cuda::CudaContext context;
        MatmulSpec spec = someSpec();
        spec.algorithm = "fake 1";
        QCOMPARE(plan(context, spec)->describe(), std::string("fake 1"));
        QCOMPARE(askedForSuggestions(), 0);
    }

    static void planMatmul_unknownAlgorithm_choosesAnew()
    {
        library() = {{2, {}}};
        cuda::CudaContext context;
        MatmulSpec spec = someSpec();
        spec.algorithm = "fake 1";
        QCOMPARE(plan(context, spec)->describe(), std::string("fake 2"));
    }

    static void planMatmul_fastestHidesNan_isNotTaken()
    {
        library() = {{1, {.milliseconds = 0, .hidesNan = true}}, {2, {3}}};
        for (const MatmulEpilogue epilogue :
             {MatmulEpilogue::BiasRelu, MatmulEpilogue::BiasReluMask,
              MatmulEpilogue::ReluGradient}) {
            cuda::CudaContext context;
            QCOMPARE(plan(context, someSpec(epilogue))->describe(), std::string("fake 2"));
        }
    }

    static void planMatmul_fastestMissesTheBiasGradient_isNotTaken()
    {
        library() = {
            {1, {.missesBiasGradient = true}}, {2, {.milliseconds = 3, .hasKernel = true}}};
        cuda::CudaContext context;
        const auto chosen = plan(context, someSpec(MatmulEpilogue::BiasGradient));
        QCOMPARE(chosen->describe(), std::string("fake 2"));
    }

    /// Kernels of ours don't know how the library lays out its masks.
    static void planMatmul_maskUnknown_saysSo()
    {
        library() = {{7, {.hasKernel = true}}};
        cuda::CudaContext context;
        QVERIFY(test::tells(
            test::errorOf(
                [&] { static_cast<void>(plan(context, someSpec(MatmulEpilogue::BiasReluMask))); }),
            ErrorCode::Device, "+ bias + relu + mask"));
    }

    static void applyEpilogue_gradients_areThoseOfTheLibrary()
    {
        const test::TestStream stream;
        const test::DeviceArray<float> dst(std::vector<float>{1, 2, 3, 4, 5, 6});
        const test::DeviceArray<float> reluDst(std::vector<float>{0, 1, 0, 7, 0, 1});
        MatmulSpec spec = someSpec(MatmulEpilogue::ReluGradient);
        spec.rows = 2;
        cuda::MatmulBuffers buffers;
        buffers.dst = dst.data();
        buffers.reluDst = reluDst.data();
        applyEpilogue(stream.get(), spec, buffers);
        stream.synchronize();
        QCOMPARE(dst.values(), (std::vector<float>{0, 2, 0, 4, 0, 6}));

        const test::DeviceArray<float> a(std::vector<float>{1, 2, 3, 4, 5, 6});
        const test::DeviceArray<float> diffBias(2);
        spec.epilogue = MatmulEpilogue::BiasGradient;
        spec.depth = 3;
        buffers.a = a.data();
        buffers.diffBias = diffBias.data();
        applyEpilogue(stream.get(), spec, buffers);
        stream.synchronize();
        QCOMPARE(diffBias.values(), (std::vector<float>{9, 12}));
    }

    static void planMatmul_noFusedAlgorithm_takesOneWithKernel()
    {
        library() = {{7, {.hasKernel = true}}};
        cuda::CudaContext context;
        QCOMPARE(plan(context, someSpec())->describe(), std::string("fake 7"));
    }

    static void planMatmul_someFail_takesAnother()
    {
        library() = {{1, {.fails = true}}, {2, {}}};
        cuda::CudaContext context;
        QCOMPARE(plan(context, someSpec(MatmulEpilogue::None))->describe(), std::string("fake 2"));
    }

    static void planMatmul_nothingWorks_saysForWhat()
    {
        for (const bool isEmpty : {true, false}) {
            library().clear();
            if (!isEmpty) {
                library() = {{1, {.fails = true}}};
            }
            cuda::CudaContext context;
            QVERIFY(test::tells(
                test::errorOf(
                    [&] { static_cast<void>(plan(context, someSpec(MatmulEpilogue::None))); }),
                ErrorCode::Device, "matmul float32 4x3x5 nn to float32"));
        }
    }

    static void planMatmul_outOfMemory_saysSoAndCanBeTriedAgain()
    {
        library() = {{1, {}}};
        cuda::CudaContext context;
        emulation::failNext("cudaMalloc", cudaErrorMemoryAllocation, 2);
        QVERIFY(test::tells(
            test::errorOf([&] { static_cast<void>(plan(context, someSpec())); }),
            ErrorCode::OutOfMemory));
        QCOMPARE(plan(context, someSpec())->describe(), std::string("fake 1"));
    }
};

LOCKSTEP_TEST(TestCudaMatmulPlan)
#include "test_cuda_matmul_plan.moc"
