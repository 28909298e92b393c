// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/cudnn_engine.h"

#include "base/error.h"
#include "device/cuda/plans/cudnn_attributes.h"

#include <algorithm>
#include <sstream>

namespace lockstep::cuda {
namespace {

using Notes = std::vector<cudnnBackendNumericalNote_t>;

/// Whether an engine with such notes keeps what the precision promises. A tensor core rounds
/// float32 operands; Winograd's large tiles lose some five bits.
bool isAccurate(const Notes& notes, Precision precision)
{
    Notes refused{
        CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC, CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION};
    if (precision == Precision::Float32) {
        refused.insert(
            refused.end(),
            {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS,
             CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13});
    }
    return std::ranges::find_first_of(notes, refused) == notes.end();
}

bool isCompiled(const CudnnDescriptor& engine)
{
    const auto notes = engine.get(cudnn::kBehaviorNotes, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT);
    return std::ranges::find(notes, CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION) != notes.end();
}

Notes notesOf(const CudnnDescriptor& engine)
{
    return engine.get(cudnn::kNumericalNotes, CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
}

CudnnEngine readEngine(const CudnnDescriptor& config, const CudnnDescriptor& engine)
{
    CudnnEngine result{engine.get(cudnn::kEngineIndex), {}};
    for (const CudnnDescriptor& knob :
         config.get(cudnn::kConfigKnobs, cudnn::kKnobChoice, CUDNN_KNOB_TYPE_COUNTS)) {
        result.knobs.emplace_back(knob.get(cudnn::kKnobType), knob.get(cudnn::kKnobValue));
    }
    return result;
}

struct Question
{
    const CudnnTarget& target;
    const CudnnDescriptor& graph;
    Precision precision;
};

/// Adds the accurate engines that one heuristic recommends and that are not yet in the list.
void addSuggestions(
    const Question& question, cudnnBackendHeurMode_t mode,
    std::vector<CudnnSuggestion>& suggestions)
{
    CudnnDescriptor heuristic(cudnn::kHeuristic);
    heuristic.set(cudnn::kHeuristicGraph, question.graph);
    heuristic.set(cudnn::kHeuristicMode, mode);
    if (question.target.properties != nullptr) {
        heuristic.set(cudnn::kHeuristicDevice, *question.target.properties);
    }
    heuristic.finalize();
    const auto count = heuristic.count(cudnn::kHeuristicResults);
    for (const CudnnDescriptor& config :
         heuristic.get(cudnn::kHeuristicResults, cudnn::kEngineConfig, count)) {
        const auto parts = config.get(cudnn::kConfigEngine, cudnn::kEngine, 1);
        if (parts.empty() || !isAccurate(notesOf(parts.front()), question.precision)) {
            continue;
        }
        CudnnEngine engine = readEngine(config, parts.front());
        if (std::ranges::find(suggestions, engine, &CudnnSuggestion::engine) == suggestions.end()) {
            suggestions.push_back({std::move(engine), isCompiled(parts.front()), false});
        }
    }
}

CudnnDescriptor makeEngine(
    const CudnnTarget& target, const CudnnDescriptor& graph, std::int64_t index)
{
    CudnnDescriptor engine(cudnn::kEngine);
    engine.set(cudnn::kEngineGraph, graph);
    engine.set(cudnn::kEngineIndex, index);
    if (target.properties != nullptr) {
        engine.set(cudnn::kEngineDevice, *target.properties);
    }
    engine.finalize();
    return engine;
}

/// For graphs that the heuristics know nothing of though engines do, as weight gradients in float32
/// of bfloat16 tensors (seen in cuDNN 9.19).
void addAllEngines(const Question& question, std::vector<CudnnSuggestion>& suggestions)
{
    // Weight gradients are long sums of few values: unsplit they leave most of the GPU idle.
    constexpr std::int64_t kParts = 16;
    const auto count = question.graph.get(cudnn::kGraphEngines);
    std::vector<CudnnSuggestion> unsplit;
    for (std::int64_t index = 0; index < count; ++index) {
        try {
            const auto engine = makeEngine(question.target, question.graph, index);
            if (isAccurate(notesOf(engine), question.precision)) {
                suggestions.push_back(
                    {{index, {{CUDNN_KNOB_TYPE_SPLIT_K_SLC, kParts}}}, isCompiled(engine), true});
                unsplit.push_back({{index, {}}, isCompiled(engine), true});
            }
        } catch (const Error&) {
            // An engine that is not for this GPU or this graph.
        }
    }
    suggestions.insert(suggestions.end(), unsplit.begin(), unsplit.end());
}

CudnnDescriptor makeConfig(const CudnnDescriptor& engine, const CudnnEngine& choice)
{
    std::vector<CudnnDescriptor> knobs;
    std::vector<cudnnBackendDescriptor_t> addresses;
    for (const auto& [type, value] : choice.knobs) {
        CudnnDescriptor& knob = knobs.emplace_back(cudnn::kKnobChoice);
        knob.set(cudnn::kKnobType, type);
        knob.set(cudnn::kKnobValue, value);
        knob.finalize();
        addresses.push_back(knob.get());
    }
    CudnnDescriptor config(cudnn::kEngineConfig);
    config.set(cudnn::kConfigEngine, engine);
    if (!addresses.empty()) {
        config.set(cudnn::kConfigKnobs, addresses);
    }
    config.finalize();
    return config;
}

} // namespace

std::string toString(const CudnnEngine& engine)
{
    std::string text = fmt::format("{} eng{}", cudnnVersionText(), engine.index);
    for (const auto& [type, value] : engine.knobs) {
        text += fmt::format(" k{}={}", static_cast<int>(type), value);
    }
    return text;
}

std::optional<CudnnEngine> parseCudnnEngine(const std::string& text)
{
    const std::string prefix = cudnnVersionText() + " eng";
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    std::istringstream words(text.substr(prefix.size()));
    CudnnEngine engine;
    words >> engine.index;
    char letter = 0;
    char equals = 0;
    int type = 0;
    std::int64_t value = 0;
    while (words >> letter >> type >> equals >> value) {
        engine.knobs.emplace_back(static_cast<cudnnBackendKnobType_t>(type), value);
    }
    return words.eof() && toString(engine) == text ? std::optional(engine) : std::nullopt;
}

std::vector<CudnnSuggestion> suggestEngines(
    const CudnnTarget& target, const CudnnDescriptor& graph, Precision precision)
{
    const Question question{target, graph, precision};
    std::vector<CudnnSuggestion> suggestions;
    for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK}) {
        try {
            addSuggestions(question, mode, suggestions);
        } catch (const Error&) {
            // A heuristic without an opinion says "not supported"; the others may know more.
        }
    }
    if (suggestions.empty()) {
        addAllEngines(question, suggestions);
    }
    return suggestions;
}

CudnnPlan makeCudnnPlan(
    const CudnnTarget& target, const CudnnDescriptor& graph, const CudnnEngine& engine)
{
    const CudnnDescriptor config = makeConfig(makeEngine(target, graph, engine.index), engine);
    CudnnDescriptor plan(cudnn::kExecutionPlan);
    if (target.handle != nullptr) {
        plan.set(cudnn::kPlanHandle, target.handle);
    }
    if (target.properties != nullptr) {
        plan.set(cudnn::kPlanDevice, *target.properties);
    }
    plan.set(cudnn::kPlanConfig, config);
    plan.finalize();
    const auto bytes = static_cast<std::size_t>(plan.get(cudnn::kPlanWorkspace));
    return {engine, std::move(plan), bytes};
}

} // namespace lockstep::cuda
