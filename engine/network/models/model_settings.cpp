// SPDX-License-Identifier: Apache-2.0
#include "network/models/model_settings.h"

#include "base/error.h"
#include "network/model_file.h"
#include "network/models/catalog.h"
#include "network/models/segdecnet.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr std::array<std::pair<const char*, NormalizationMode>, 4> kModes{
    {{"per_image", NormalizationMode::PerImage},
     {"batch", NormalizationMode::Batch},
     {"synchronised", NormalizationMode::Synchronised},
     {"moving", NormalizationMode::Moving}}};

/// Overwrites `value` by what a text stands for; an empty one leaves it.
template<class T, class Names>
void choose(const char* key, const std::string& text, const Names& names, T& value)
{
    if (text.empty()) {
        return;
    }
    std::string known;
    for (const auto& [name, meaning] : names) {
        if (text == name) {
            value = meaning;
            return;
        }
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    fail(ErrorCode::BadInput, "model.{} is '{}'; choose one of: {}", key, text, known);
}

template<class T>
void replace(T& value, T chosen)
{
    value = chosen == T{} ? value : chosen;
}

SegdecnetSettings chosenSettings(const ModelSettings& settings)
{
    const std::string& variant = settings.variant;
    SegdecnetSettings result =
        segdecnetSettings(segdecnetVariantByName(variant.empty() ? "authors" : variant));
    replace(result.inputHeight, settings.inputHeight);
    replace(result.inputWidth, settings.inputWidth);
    replace(result.decay, settings.momentDecay);
    replace(result.decisionOutputs, settings.decisionOutputs);
    using Named = std::vector<std::pair<const char*, Initializer>>;
    choose("normalization", settings.normalization, kModes, result.normalization);
    choose(
        "initializer", settings.initializer,
        Named{{"normal", Normal{0.01}}, {"xavier", XavierUniform{}}}, result.convolutionWeights);
    choose(
        "scale", settings.scale, std::array{std::pair{"on", true}, std::pair{"off", false}},
        result.hasScale);
    choose(
        "mask_activation", settings.maskActivation,
        std::array{std::pair{"relu", Activation::Relu}, std::pair{"sigmoid", Activation::Sigmoid}},
        result.maskActivation);
    return result;
}

/// Settings that only SegDecNet has must not be given to others, where they would do nothing.
void refuseSettings(const ModelSettings& settings)
{
    const std::array<std::pair<const char*, bool>, 9> given{
        {{"variant", !settings.variant.empty()},
         {"input_height", settings.inputHeight != 0},
         {"input_width", settings.inputWidth != 0},
         {"normalization", !settings.normalization.empty()},
         {"scale", !settings.scale.empty()},
         {"moment_decay", settings.momentDecay != 0.0},
         {"initializer", !settings.initializer.empty()},
         {"mask_activation", !settings.maskActivation.empty()},
         {"decision_outputs", settings.decisionOutputs != 0}}};
    for (const auto& [key, isGiven] : given) {
        if (isGiven) {
            fail(
                ErrorCode::BadInput, "model.{} is set, but model '{}' has no such setting", key,
                settings.name);
        }
    }
}

} // namespace

NormalizationMode normalizationModeByName(const std::string& name)
{
    NormalizationMode mode{};
    choose("normalization", name.empty() ? "''" : name, kModes, mode);
    return mode;
}

std::string toString(NormalizationMode mode)
{
    return kModes.at(static_cast<std::size_t>(mode)).first;
}

NetworkSpec makeNetwork(const ModelSettings& settings)
{
    if (settings.name == "segdecnet") {
        return segdecnetNetwork(chosenSettings(settings));
    }
    refuseSettings(settings);
    return settings.name.ends_with(".toml") ? readModelFile(settings.name)
                                            : networkByName(settings.name);
}

} // namespace lockstep
