// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/matmul_plan.h"

#include "base/error.h"
#include "device/cuda/plans/cublas_matmul.h"
#include "device/cuda/plans/plan_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::cuda {
namespace {

using MatmulCandidates = std::vector<std::shared_ptr<CublasMatmul>>;

/// Of all variants together.
constexpr std::size_t kMostTried = 4;

/// What can be had in one way: the epilogue in cuBLASLt, or in a kernel of ours. Why nothing can
/// goes to `reason`.
MatmulCandidates findVariant(
    const CudaContext& context, const MatmulSpec& spec, bool hasKernel, std::string& reason)
{
    MatmulCandidates candidates;
    try {
        for (const CublasAlgorithm& algorithm :
             suggestAlgorithms(context.cublas, spec, hasKernel)) {
            candidates.push_back(std::make_shared<CublasMatmul>(context.cublas, spec, algorithm));
        }
    } catch (const Error& error) {
        reason = error.what();
    }
    return candidates;
}

/// What is tried, and which of it is cuBLASLt's product with our epilogue.
struct Trials
{
    MatmulCandidates candidates;
    std::size_t reference = 0;
};

/// The variants in turn. `isFirst`: one only, with our epilogue where there is one, which lets a
/// NaN through.
Trials findTrials(const CudaContext& context, const MatmulSpec& spec, bool isFirst)
{
    std::string reason = "cuBLASLt knows no algorithm for it";
    const bool canSplit =
        spec.epilogue != MatmulEpilogue::None && spec.epilogue != MatmulEpilogue::BiasReluMask;
    const MatmulCandidates whole = findVariant(context, spec, false, reason);
    const MatmulCandidates split =
        canSplit ? findVariant(context, spec, true, reason) : MatmulCandidates{};
    Trials trials;
    if (isFirst && !(split.empty() && whole.empty())) {
        return {{split.empty() ? whole.front() : split.front()}};
    }
    for (std::size_t i = 0; i < std::max(whole.size(), split.size()); ++i) {
        for (const MatmulCandidates* variant : {&whole, &split}) {
            if (i < variant->size() && trials.candidates.size() < kMostTried) {
                trials.reference =
                    variant == &split && i == 0 ? trials.candidates.size() : trials.reference;
                trials.candidates.push_back((*variant)[i]);
            }
        }
    }
    if (trials.candidates.empty()) {
        fail(ErrorCode::Device, "no algorithm for {} on this GPU: {}", toString(spec), reason);
    }
    return trials;
}

/// Memory in which a product is tried.
struct TrialMatrices
{
    TrialMemory a;
    TrialMemory b;
    TrialMemory bias;
    TrialMemory roundedBias;
    TrialMemory dst;
    TrialMemory workspace;
    TrialMemory mask;
    TrialMemory reluDst;
    TrialMemory diffBias;

    [[nodiscard]] MatmulBuffers buffers() const
    {
        return {a.data(),           b.data(),       reinterpret_cast<const float*>(bias.data()),
                roundedBias.data(), dst.data(),     workspace.data(),
                mask.data(),        reluDst.data(), reinterpret_cast<float*>(diffBias.data())};
    }
};

TrialMatrices makeMatrices(const MatmulSpec& spec, std::size_t workspaceBytes)
{
    const std::string what = toString(spec);
    TrialMatrices matrices{
        trialValues(spec.rows * spec.depth, spec.type, what),
        trialValues(spec.depth * spec.columns, spec.type, what),
        trialValues(spec.columns, DataType::Float32, what),
        trialValues(spec.columns, DataType::Bfloat16, what),
        trialValues(spec.rows * spec.columns, spec.dstType, what),
        TrialMemory(workspaceBytes, what),
        TrialMemory(maskBytes(spec), what),
        {},
        trialValues(spec.rows, DataType::Float32, what)};
    if (spec.epilogue == MatmulEpilogue::ReluGradient) {
        matrices.reluDst = trialValues(spec.rows * spec.columns, spec.dstType, what);
        // Both say that every value has passed the ReLU.
        matrices.mask.spoil(0xFF);
        matrices.reluDst.spoil(0x3F);
    }
    return matrices;
}

MeasuredPlan<Matmul> choose(
    CudaContext& context, const MatmulSpec& spec, Planning& planning, bool isFirst)
{
    const Trials trials = findTrials(context, spec, isFirst);
    if (isFirst) {
        return {trials.candidates.front()};
    }
    TrialMatrices matrices = makeMatrices(spec, mostWorkspaceBytes(trials.candidates));
    PlanTask task{toString(spec)};
    task.reference = trials.reference;
    task.result = &matrices.dst;
    task.resultType = spec.dstType;
    task.precision = spec.precision;
    if (spec.epilogue == MatmulEpilogue::BiasGradient) {
        task.sums = &matrices.diffBias;
    }
    if (spec.epilogue == MatmulEpilogue::ReluGradient) {
        task.spoilOperand = [&](bool isNan) {
            isNan ? matrices.a.spoilFirst(spec.type) : matrices.a.fill(spec.type);
        };
    } else if (
        spec.epilogue == MatmulEpilogue::BiasRelu
        || spec.epilogue == MatmulEpilogue::BiasReluMask) {
        task.spoilOperand = [&](bool isNan) {
            for (const auto& [bias, type] :
                 {std::pair{&matrices.bias, DataType::Float32},
                  std::pair{&matrices.roundedBias, DataType::Bfloat16}}) {
                isNan ? bias->spoilFirst(type) : bias->fill(type);
            }
        };
    }
    return measure<Matmul>(context, task, trials.candidates, matrices.buffers(), planning);
}

/// The algorithm of an earlier run; null if this cuBLASLt does not have it.
std::shared_ptr<CublasMatmul> findAgain(
    const CudaContext& context, const MatmulSpec& spec, const std::string& text)
{
    const auto algorithm = findAlgorithm(context.cublas, spec, text);
    return algorithm ? std::make_shared<CublasMatmul>(context.cublas, spec, *algorithm) : nullptr;
}

} // namespace

std::shared_ptr<const Matmul> planMatmul(
    CudaContext& context, const MatmulSpec& spec, Planning& planning)
{
    return planOnce(
        context, context.matmuls, spec, planning,
        [&](const std::string& text) { return findAgain(context, spec, text); },
        [&](bool isFirst) { return choose(context, spec, planning, isFirst); });
}

} // namespace lockstep::cuda
