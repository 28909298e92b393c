// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/convolution_plan.h"

#include "base/error.h"
#include "device/cuda/plans/algorithm_text.h"
#include "device/cuda/plans/cudnn_convolution.h"
#include "device/cuda/plans/cudnn_engine.h"
#include "device/cuda/plans/plan_choice.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::cuda {
namespace {

constexpr std::size_t kMostWorkspace = std::size_t{256} << 20U;
// How many engines of each kind are tried, of all variants together.
constexpr int kMostReady = 4;
constexpr int kMostCompiled = 1;
constexpr int kMostBlind = 2; ///< of the ready ones

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
std::shared_ptr<CudnnConvolution> findAgain(
    const CudaContext& context, const ConvolutionSpec& spec, std::string text)
{
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

/// The engines of one variant that can be had, one after the other.
class VariantSearch
{
public:
    VariantSearch(
        const CudaContext& context, const ConvolutionSpec& spec, const ConvolutionVariant& variant)
        : m_context(context), m_spec(spec), m_hasKernel(variant.hasKernel),
          m_graph(convolutionGraph(m_target, spec, variant.options)),
          m_suggestions(suggestEngines(m_target, m_graph, spec.precision))
    {
    }

    /// The next one of which `isWanted`; null: there is none. Why others can't be had goes to
    /// `reason`.
    template<class IsWanted>
    std::shared_ptr<CudnnConvolution> next(IsWanted isWanted, std::string& reason)
    {
        while (m_next < m_suggestions.size()) {
            const CudnnSuggestion& suggestion = m_suggestions[m_next++];
            try {
                if (isWanted(suggestion)) {
                    auto candidate = makeCandidate(
                        m_context, m_spec, makeCudnnPlan(m_target, m_graph, suggestion.engine),
                        m_hasKernel);
                    m_last = suggestion;
                    return candidate;
                }
            } catch (const Error& error) {
                reason = error.what();
            }
        }
        return nullptr;
    }
    /// Of what next() gave.
    [[nodiscard]] const CudnnSuggestion& last() const { return m_last; }

private:
    const CudaContext& m_context;
    const ConvolutionSpec& m_spec;
    bool m_hasKernel;
    CudnnTarget m_target{m_context.cudnn, nullptr};
    CudnnDescriptor m_graph;
    std::vector<CudnnSuggestion> m_suggestions;
    std::size_t m_next = 0;
    CudnnSuggestion m_last;
};

/// Takes turns among the variants, so that all have their most promising engines tried.
Candidates takeTurns(std::vector<VariantSearch>& searches, std::string& reason)
{
    Candidates candidates;
    int ready = 0;
    int compiled = 0;
    int blind = 0;
    const auto isWanted = [&](const CudnnSuggestion& suggestion) {
        return suggestion.isCompiled
                   ? compiled < kMostCompiled
                   : ready < kMostReady && (!suggestion.isBlind || blind < kMostBlind);
    };
    for (bool isMore = true; isMore;) {
        isMore = false;
        for (VariantSearch& search : searches) {
            if (auto candidate = search.next(isWanted, reason)) {
                candidates.push_back(std::move(candidate));
                (search.last().isCompiled ? compiled : ready) += 1;
                blind += search.last().isBlind ? 1 : 0;
                isMore = true;
            }
        }
    }
    return candidates;
}

/// `isFirst`: one only, of the convolution alone where it can be had. Our kernels let a NaN
/// through, and nothing has to be compiled.
Candidates findCandidates(const CudaContext& context, const ConvolutionSpec& spec, bool isFirst)
{
    std::vector<VariantSearch> searches;
    std::string reason = "cuDNN knows no deterministic engine for it";
    for (const ConvolutionVariant& variant : variantsOf(spec)) {
        try {
            searches.emplace_back(context, spec, variant);
        } catch (const Error& error) {
            reason = error.what();
        }
    }
    Candidates candidates;
    if (isFirst) {
        const auto isAny = [](const CudnnSuggestion&) { return true; };
        for (auto search = searches.rbegin(); search != searches.rend() && candidates.empty();
             ++search) {
            if (auto candidate = search->next(isAny, reason)) {
                candidates.push_back(std::move(candidate));
            }
        }
    } else {
        candidates = takeTurns(searches, reason);
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
    return {
        trialValues(spec.examples * spec.src.elements(), spec.type, what),
        trialValues(weightCount(spec), isWeightGradient ? DataType::Float32 : spec.type, what),
        trialValues(spec.dst.channels, DataType::Float32, what),
        trialValues(spec.examples * spec.dst.elements(), spec.type, what),
        TrialMemory(workspaceBytes, what)};
}

TrialMemory& resultOf(const ConvolutionSpec& spec, TrialTensors& tensors)
{
    switch (spec.direction) {
    case ConvolutionDirection::Forward:
        break;
    case ConvolutionDirection::DataGradient:
        return tensors.src;
    case ConvolutionDirection::WeightGradient:
        return tensors.weights;
    }
    return tensors.dst;
}

/// The first of which cuDNN does the convolution alone: there the heuristics know best. (A weight
/// gradient that cuDNN itself leaves in float32 may be one of those that are tried blind.)
std::size_t referenceOf(const Candidates& candidates)
{
    const auto found = std::ranges::find_if(candidates, [](const auto& candidate) {
        return candidate->describe().ends_with(kOwnKernel);
    });
    return found == candidates.end() ? 0 : static_cast<std::size_t>(found - candidates.begin());
}

MeasuredPlan<Convolution> choose(
    CudaContext& context, const ConvolutionSpec& spec, Planning& planning, bool isFirst)
{
    const Candidates candidates = findCandidates(context, spec, isFirst);
    if (isFirst) {
        return {candidates.front()};
    }
    TrialTensors tensors = makeTensors(spec, mostWorkspaceBytes(candidates));
    PlanTask task{toString(spec)};
    task.reference = referenceOf(candidates);
    task.result = &resultOf(spec, tensors);
    const bool isGradient = spec.direction == ConvolutionDirection::WeightGradient;
    task.resultType = isGradient ? DataType::Float32 : spec.type;
    task.precision = spec.precision;
    task.adds = spec.adds;
    if (spec.hasRelu) {
        task.spoilOperand = [&](bool isNan) {
            TrialMemory& operand = spec.hasBias ? tensors.bias : tensors.src;
            const DataType type = spec.hasBias ? DataType::Float32 : spec.type;
            isNan ? operand.spoilFirst(type) : operand.fill(type);
        };
    }
    return measure<Convolution>(context, task, candidates, tensors.buffers(), planning);
}

} // namespace

std::shared_ptr<const Convolution> planConvolution(
    CudaContext& context, const ConvolutionSpec& spec, Planning& planning)
{
    return planOnce(
        context, context.convolutions, spec, planning,
        [&](const std::string& text) { return findAgain(context, spec, text); },
        [&](bool isFirst) { return choose(context, spec, planning, isFirst); });
}

} // namespace lockstep::cuda
