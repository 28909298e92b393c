// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/cublas_matmul.h"

#include "base/error.h"
#include "device/cuda/plans/algorithm_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace lockstep::cuda {
namespace {

constexpr std::uint64_t kMostMatmulWorkspace = std::uint64_t{32} << 20U;
constexpr int kMostAlgorithms = 8;
constexpr std::uint32_t kAlignment = 16; // what MatmulBuffers promises

void check(cublasStatus_t status, const std::string& what)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        fail(
            status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorCode::OutOfMemory : ErrorCode::Device,
            "cuBLASLt: {}: {}", what, cublasLtGetStatusString(status));
    }
}

cudaDataType_t cublasType(DataType type)
{
    return type == DataType::Float32 ? CUDA_R_32F : CUDA_R_16BF;
}

cublasComputeType_t computeType(Precision precision)
{
    return precision == Precision::Tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

/// What cuBLASLt wants to know of a product. It counts by columns, so that our matrices are
/// transposed to it, and dst^T = b^T a^T: its A is our b, its B our a. Plain structs that the
/// library fills; nothing has to be given back.
struct Product
{
    cublasLtMatmulDescOpaque_t description{};
    cublasLtMatrixLayoutOpaque_t first{};  ///< our b
    cublasLtMatrixLayoutOpaque_t second{}; ///< our a
    cublasLtMatrixLayoutOpaque_t dst{};
};

template<class T>
void describe(
    Product& product, cublasLtMatmulDescAttributes_t name, const T& value, const char* what)
{
    check(
        cublasLtMatmulDescSetAttribute(&product.description, name, &value, sizeof(value)),
        std::string("matmul description, set ") + what);
}

/// A matrix that lies row by row, as the library sees it.
void initLayout(
    cublasLtMatrixLayoutOpaque_t& layout, DataType type, std::int64_t rows, std::int64_t columns)
{
    check(
        cublasLtMatrixLayoutInit(
            &layout, cublasType(type), static_cast<std::uint64_t>(columns),
            static_cast<std::uint64_t>(rows), columns),
        "init a matrix layout");
}

/// Our bias is one of rows of the library's dst, its first dimension; diffBias, of our rows, one of
/// the library's B.
cublasLtEpilogue_t libraryEpilogue(MatmulEpilogue epilogue)
{
    switch (epilogue) {
    case MatmulEpilogue::None:
        return CUBLASLT_EPILOGUE_DEFAULT;
    case MatmulEpilogue::Bias:
        return CUBLASLT_EPILOGUE_BIAS;
    case MatmulEpilogue::BiasRelu:
        return CUBLASLT_EPILOGUE_RELU_BIAS;
    case MatmulEpilogue::BiasReluMask:
        return CUBLASLT_EPILOGUE_RELU_AUX_BIAS;
    case MatmulEpilogue::ReluGradient:
        return CUBLASLT_EPILOGUE_DRELU;
    case MatmulEpilogue::BiasGradient:
        return CUBLASLT_EPILOGUE_BGRADB;
    }
    return CUBLASLT_EPILOGUE_DEFAULT;
}

/// What an epilogue reads or writes besides. Any address as long as nothing runs: its alignment
/// counts.
struct EpiloguePlaces
{
    const void* bias = nullptr;
    const void* mask = nullptr;
};

EpiloguePlaces placesIn(const MatmulSpec& spec, const MatmulBuffers& buffers)
{
    if (spec.epilogue == MatmulEpilogue::BiasGradient) {
        return {buffers.diffBias, nullptr};
    }
    return {spec.dstType == DataType::Float32 ? buffers.bias : buffers.roundedBias, buffers.mask};
}

void describeEpilogue(Product& product, const MatmulSpec& spec, const EpiloguePlaces& places)
{
    const std::uint32_t epilogue = libraryEpilogue(spec.epilogue);
    describe(product, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue, "epilogue");
    if (spec.epilogue != MatmulEpilogue::ReluGradient) {
        const std::int32_t biasType = cublasType(spec.dstType);
        describe(product, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, biasType, "bias type");
        describe(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, places.bias, "bias");
    }
    if (spec.epilogue == MatmulEpilogue::BiasReluMask
        || spec.epilogue == MatmulEpilogue::ReluGradient) {
        const std::int64_t stride = maskStride(spec);
        describe(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, places.mask, "mask");
        describe(product, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, stride, "mask stride");
    }
}

Product makeProduct(const MatmulSpec& spec, bool hasKernel, const EpiloguePlaces& places)
{
    Product product;
    check(
        cublasLtMatmulDescInit(&product.description, computeType(spec.precision), CUDA_R_32F),
        "init a matmul description");
    const std::int32_t transposeFirst = spec.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N;
    const std::int32_t transposeSecond = spec.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N;
    describe(product, CUBLASLT_MATMUL_DESC_TRANSA, transposeFirst, "transpose a");
    describe(product, CUBLASLT_MATMUL_DESC_TRANSB, transposeSecond, "transpose b");
    if (spec.epilogue != MatmulEpilogue::None && !hasKernel) {
        describeEpilogue(product, spec, places);
    }
    const bool a = spec.transposeA;
    const bool b = spec.transposeB;
    initLayout(
        product.first, spec.type, b ? spec.columns : spec.depth, b ? spec.depth : spec.columns);
    initLayout(product.second, spec.type, a ? spec.depth : spec.rows, a ? spec.rows : spec.depth);
    initLayout(product.dst, spec.dstType, spec.rows, spec.columns);
    return product;
}

/// Addresses of the alignment that callers promise.
EpiloguePlaces anyPlaces()
{
    alignas(kAlignment) static const std::byte place{};
    return {&place, &place};
}

/// What an algorithm and the kernel after it work in, one after the other.
std::size_t workspaceFor(const MatmulSpec& spec, bool hasKernel, std::size_t algorithmBytes)
{
    return std::max(algorithmBytes, hasKernel ? epilogueScratchBytes(spec) : 0);
}

template<class T>
void prefer(
    cublasLtMatmulPreferenceOpaque_t& preference, cublasLtMatmulPreferenceAttributes_t name,
    const T& value, const char* what)
{
    check(
        cublasLtMatmulPreferenceSetAttribute(&preference, name, &value, sizeof(value)),
        std::string("matmul preference, set ") + what);
}

cublasLtMatmulPreferenceOpaque_t makePreference(const MatmulSpec& spec)
{
    cublasLtMatmulPreferenceOpaque_t preference{};
    check(cublasLtMatmulPreferenceInit(&preference), "init a matmul preference");
    prefer(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kMostMatmulWorkspace,
        "workspace limit");
    // Parts of a split sum are kept in float32.
    const std::uint32_t schemes = spec.dstType == DataType::Float32
                                      ? CUBLASLT_REDUCTION_SCHEME_MASK
                                      : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    prefer(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes, "reduction schemes");
    if (spec.precision == Precision::Float32) {
        const std::uint64_t implementations = ~CUBLASLT_NUMERICAL_IMPL_FLAGS_TENSOR_OP_MASK;
        prefer(preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations, "implementations");
    }
    for (const auto name :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
        prefer(preference, name, kAlignment, "alignment");
    }
    return preference;
}

std::string versionText()
{
    const std::size_t version = cublasLtGetVersion();
    return fmt::format("cublaslt {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

} // namespace

std::string toString(const CublasAlgorithm& algorithm)
{
    std::string text = versionText();
    char separator = ' ';
    std::size_t used = std::size(algorithm.algorithm.data);
    while (used > 1 && algorithm.algorithm.data[used - 1] == 0) {
        --used;
    }
    for (std::size_t i = 0; i < used; ++i) {
        text += fmt::format("{}{:x}", separator, algorithm.algorithm.data[i]);
        separator = '.';
    }
    return text + std::string(algorithm.hasKernel ? kOwnKernel : "");
}

std::optional<CublasAlgorithm> findAlgorithm(
    cublasLtHandle_t handle, const MatmulSpec& spec, const std::string& text)
{
    const std::string prefix = versionText() + ' ';
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    CublasAlgorithm result;
    result.hasKernel = text.ends_with(kOwnKernel);
    const char* words = text.c_str() + prefix.size();
    for (std::uint64_t& word : result.algorithm.data) {
        char* end = nullptr;
        word = std::strtoull(words, &end, 16);
        words = *end == '.' ? end + 1 : end;
    }
    if (toString(result) != text) {
        return std::nullopt;
    }
    Product product = makeProduct(spec, result.hasKernel, anyPlaces());
    cublasLtMatmulHeuristicResult_t answer{};
    const cublasStatus_t status = cublasLtMatmulAlgoCheck(
        handle, &product.description, &product.first, &product.second, &product.dst, &product.dst,
        &result.algorithm, &answer);
    if (status != CUBLAS_STATUS_SUCCESS || answer.workspaceSize > kMostMatmulWorkspace) {
        return std::nullopt;
    }
    result.workspaceBytes = workspaceFor(spec, result.hasKernel, answer.workspaceSize);
    return result;
}

std::vector<CublasAlgorithm> suggestAlgorithms(
    cublasLtHandle_t handle, const MatmulSpec& spec, bool hasKernel)
{
    Product product = makeProduct(spec, hasKernel, anyPlaces());
    cublasLtMatmulPreferenceOpaque_t preference = makePreference(spec);
    std::array<cublasLtMatmulHeuristicResult_t, kMostAlgorithms> answers{};
    int count = 0;
    check(
        cublasLtMatmulAlgoGetHeuristic(
            handle, &product.description, &product.first, &product.second, &product.dst,
            &product.dst, &preference, kMostAlgorithms, answers.data(), &count),
        "algorithms for " + toString(spec));
    std::vector<CublasAlgorithm> algorithms;
    for (int i = 0; i < count; ++i) {
        const auto& answer = answers.at(static_cast<std::size_t>(i));
        if (answer.state == CUBLAS_STATUS_SUCCESS) {
            algorithms.push_back(
                {answer.algo, workspaceFor(spec, hasKernel, answer.workspaceSize), hasKernel});
        }
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
    // Made anew, because addresses are part of it.
    Product product = makeProduct(m_spec, m_algorithm.hasKernel, placesIn(m_spec, buffers));
    const float alpha = 1.0F;
    const float beta = 0.0F;
    check(
        cublasLtMatmul(
            m_handle, &product.description, &alpha, buffers.b, &product.first, buffers.a,
            &product.second, &beta, buffers.dst, &product.dst, buffers.dst, &product.dst,
            &m_algorithm.algorithm, buffers.workspace, m_algorithm.workspaceBytes, stream),
        toString(m_spec));
    if (m_algorithm.hasKernel) {
        applyEpilogue(stream, m_spec, buffers);
    }
}

} // namespace lockstep::cuda
