// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/convolution_plan.h"

#include "base/error.h"
#include "device/cuda/algorithm_text.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_context.h"
#include "device/cuda/cudnn_convolution.h"
#include "device/cuda/cudnn_engine.h"
#include "device/cuda/plan_timer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::cuda {
namespace {

constexpr std::size_t kMostWorkspace = std::size_t{256} << 20U;
// How many engines of each kind are timed.
constexpr int kMostReady = 8;
constexpr int kMostCompiled = 4;

using Candidates = std::vector<std::shared_ptr<CudnnConvolution>>;

std::shared_ptr<CudnnConvolution> makeCandidate(
    const CudaContext& context, const ConvolutionSpec& spec, CudnnPlan plan, bool hasKernel)
{
    if (plan.workspaceBytes > kMostWorkspace) {
        fail(
            ErrorCode::Device, "{} wants {} MiB of workspace", toString(plan.engine),
            plan.workspaceBytes >> 20U);
    }
    return std::make_shared<CudnnConvolution>(
        context.cudnn, spec, ConvolutionParts{std::move(plan), hasKernel});
}

/// The plan of an earlier run; null if this cuDNN does not have it.
std::shared_ptr<CudnnConvolution> findAgain(const CudaContext& context, const ConvolutionSpec& spec)
{
    std::string text = spec.algorithm;
    const bool hasKernel = text.ends_with(kOwnKernel);
    text.resize(text.size() - (hasKernel ? kOwnKernel.size() : 0));
    const auto engine = parseCudnnEngine(text);
    if (!engine) {
        return nullptr;
    }
    for (const ConvolutionVariant& variant : variantsOf(spec)) {
        if (variant.hasKernel == hasKernel) {
            try {
                const CudnnTarget target{context.cudnn, nullptr};
                const auto graph = convolutionGraph(target, spec, variant.options);
                return makeCandidate(
                    context, spec, makeCudnnPlan(target, graph, *engine), hasKernel);
            } catch (const Error&) {
                return nullptr; // another GPU: choose anew
            }
        }
    }
    return nullptr;
}

/// Adds the engines of one variant that can be had; why the others can't goes to `reasons`.
void addCandidates(
    const CudaContext& context, const ConvolutionSpec& spec, const ConvolutionVariant& variant,
    Candidates& candidates, std::string& reasons)
{
    const CudnnTarget target{context.cudnn, nullptr};
    const auto graph = convolutionGraph(target, spec, variant.options);
    int ready = 0;
    int compiled = 0;
    for (const auto& [engine, isCompiled] : suggestEngines(target, graph, spec.precision)) {
        int& count = isCompiled ? compiled : ready;
        if (count == (isCompiled ? kMostCompiled : kMostReady)) {
            continue;
        }
        try {
            candidates.push_back(makeCandidate(
                context, spec, makeCudnnPlan(target, graph, engine), variant.hasKernel));
            ++count;
        } catch (const Error& error) {
            reasons = error.what();
        }
    }
}

Candidates findCandidates(const CudaContext& context, const ConvolutionSpec& spec)
{
    Candidates candidates;
    std::string reason = "cuDNN knows no deterministic engine for it";
    for (const ConvolutionVariant& variant : variantsOf(spec)) {
        try {
            addCandidates(context, spec, variant, candidates, reason);
        } catch (const Error& error) {
            reason = error.what();
        }
    }
    if (candidates.empty()) {
        fail(
            ErrorCode::Device, "no convolution algorithm for {} on this GPU: {}", toString(spec),
            reason);
    }
    return candidates;
}

/// Memory in which a convolution is tried.
struct TrialTensors
{
    TrialMemory src;
    TrialMemory weights;
    TrialMemory bias;
    TrialMemory dst;
    TrialMemory workspace;

    [[nodiscard]] ConvolutionBuffers buffers() const
    {
        return {
            src.data(), weights.data(), reinterpret_cast<const float*>(bias.data()), dst.data(),
            workspace.data()};
    }
};

TrialTensors makeTensors(const ConvolutionSpec& spec, std::size_t workspaceBytes)
{
    const std::string what = toString(spec);
    const bool isWeightGradient = spec.direction == ConvolutionDirection::WeightGradient;
    const std::int64_t weights =
        spec.dst.channels * spec.kernel.height * spec.kernel.width * spec.src.channels;
    return {
        trialValues(spec.examples * spec.src.elements(), spec.type, what),
        trialValues(weights, isWeightGradient ? DataType::Float32 : spec.type, what),
        trialValues(spec.dst.channels, DataType::Float32, what),
        trialValues(spec.examples * spec.dst.elements(), spec.type, what),
        TrialMemory(workspaceBytes, what)};
}

/// Drops what turns the NaN of a diverged network into a number. Documents don't say which engines
/// do, so it is tried.
void dropNanHiders(
    const PlanTimer& timer, const ConvolutionSpec& spec, TrialTensors& tensors,
    Candidates& candidates)
{
    TrialMemory& spoilt = spec.hasBias ? tensors.bias : tensors.src;
    const DataType type = spec.hasBias ? DataType::Float32 : spec.type;
    spoilt.spoilFirst(type);
    std::erase_if(candidates, [&](const auto& candidate) {
        try {
            timer.once([&](cudaStream_t stream) { candidate->run(stream, tensors.buffers()); });
            return !tensors.dst.isFirstNan(spec.type);
        } catch (const Error&) {
            return true;
        }
    });
    spoilt.fill(type);
}

std::shared_ptr<CudnnConvolution> choose(const CudaContext& context, const ConvolutionSpec& spec)
{
    Candidates candidates = findCandidates(context, spec);
    std::size_t workspaceBytes = 0;
    for (const auto& candidate : candidates) {
        workspaceBytes = std::max(workspaceBytes, candidate->workspaceBytes());
    }
    const PlanTimer timer;
    TrialTensors tensors = makeTensors(spec, workspaceBytes);
    if (spec.hasRelu) {
        dropNanHiders(timer, spec, tensors, candidates);
    }
    std::vector<Trial> trials;
    for (const auto& candidate : candidates) {
        trials.push_back({candidate->describe(), [&](cudaStream_t stream) {
                              candidate->run(stream, tensors.buffers());
                          }});
    }
    return candidates.at(fastestOf(timer, trials, toString(spec)));
}

} // namespace

std::shared_ptr<const Convolution> planConvolution(
    CudaContext& context, const ConvolutionSpec& spec)
{
    const std::scoped_lock lock(context.planning);
    checkCuda(cudaSetDevice(context.device), "choosing the GPU to plan for");
    auto& plan = context.convolutions[toString(spec) + '|' + spec.algorithm];
    if (!plan) {
        plan = spec.algorithm.empty() ? nullptr : findAgain(context, spec);
    }
    if (!plan) {
        plan = choose(context, spec);
    }
    return plan;
}

} // namespace lockstep::cuda
