// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/matmul_plan.h"

#include "base/error.h"
#include "device/cuda/cublas_matmul.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_context.h"
#include "device/cuda/plan_timer.h"

#include <algorithm>
#include <vector>

namespace lockstep::cuda {
namespace {

using Candidates = std::vector<std::shared_ptr<CublasMatmul>>;

/// All in cuBLASLt, then with the epilogue in a kernel of ours.
Candidates findCandidates(const CudaContext& context, const MatmulSpec& spec)
{
    Candidates candidates;
    std::string reason = "cuBLASLt knows no algorithm for it";
    for (const bool hasKernel : {false, true}) {
        if (hasKernel && spec.epilogue == MatmulEpilogue::None) {
            continue;
        }
        try {
            for (const CublasAlgorithm& algorithm :
                 suggestAlgorithms(context.cublas, spec, hasKernel)) {
                candidates.push_back(
                    std::make_shared<CublasMatmul>(context.cublas, spec, algorithm));
            }
        } catch (const Error& error) {
            reason = error.what();
        }
    }
    if (candidates.empty()) {
        fail(ErrorCode::Device, "no algorithm for {} on this GPU: {}", toString(spec), reason);
    }
    return candidates;
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

    [[nodiscard]] MatmulBuffers buffers() const
    {
        return {a.data(),           b.data(),   reinterpret_cast<const float*>(bias.data()),
                roundedBias.data(), dst.data(), workspace.data()};
    }
};

TrialMatrices makeMatrices(const MatmulSpec& spec, std::size_t workspaceBytes)
{
    const std::string what = toString(spec);
    return {
        trialValues(spec.rows * spec.depth, spec.type, what),
        trialValues(spec.depth * spec.columns, spec.type, what),
        trialValues(spec.columns, DataType::Float32, what),
        trialValues(spec.columns, DataType::Bfloat16, what),
        trialValues(spec.rows * spec.columns, spec.dstType, what),
        TrialMemory(workspaceBytes, what)};
}

/// Drops what turns the NaN of a diverged network into a number. Documents don't say which
/// algorithms do, so it is tried.
void dropNanHiders(
    const PlanTimer& timer, const MatmulSpec& spec, TrialMatrices& matrices, Candidates& candidates)
{
    matrices.bias.spoilFirst(DataType::Float32);
    matrices.roundedBias.spoilFirst(DataType::Bfloat16);
    std::erase_if(candidates, [&](const auto& candidate) {
        try {
            timer.once([&](cudaStream_t stream) { candidate->run(stream, matrices.buffers()); });
            return !matrices.dst.isFirstNan(spec.dstType);
        } catch (const Error&) {
            return true;
        }
    });
    matrices.bias.fill(DataType::Float32);
    matrices.roundedBias.fill(DataType::Bfloat16);
}

std::shared_ptr<CublasMatmul> choose(const CudaContext& context, const MatmulSpec& spec)
{
    Candidates candidates = findCandidates(context, spec);
    std::size_t workspaceBytes = 0;
    for (const auto& candidate : candidates) {
        workspaceBytes = std::max(workspaceBytes, candidate->workspaceBytes());
    }
    const PlanTimer timer;
    TrialMatrices matrices = makeMatrices(spec, workspaceBytes);
    if (spec.epilogue == MatmulEpilogue::BiasRelu) {
        dropNanHiders(timer, spec, matrices, candidates);
    }
    std::vector<Trial> trials;
    for (const auto& candidate : candidates) {
        trials.push_back({candidate->describe(), [&](cudaStream_t stream) {
                              candidate->run(stream, matrices.buffers());
                          }});
    }
    return candidates.at(fastestOf(timer, trials, toString(spec)));
}

/// The algorithm of an earlier run; null if this cuBLASLt does not have it.
std::shared_ptr<CublasMatmul> findAgain(const CudaContext& context, const MatmulSpec& spec)
{
    const auto algorithm = findAlgorithm(context.cublas, spec, spec.algorithm);
    return algorithm ? std::make_shared<CublasMatmul>(context.cublas, spec, *algorithm) : nullptr;
}

} // namespace

std::shared_ptr<const Matmul> planMatmul(CudaContext& context, const MatmulSpec& spec)
{
    const std::scoped_lock lock(context.planning);
    checkCuda(cudaSetDevice(context.device), "choosing the GPU to plan for");
    auto& plan = context.matmuls[toString(spec) + '|' + spec.algorithm];
    if (!plan) {
        plan = spec.algorithm.empty() ? nullptr : findAgain(context, spec);
    }
    if (!plan) {
        plan = choose(context, spec);
    }
    return plan;
}

} // namespace lockstep::cuda
