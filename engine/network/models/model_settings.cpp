// SPDX-License-Identifier: Apache-2.0
#include "network/models/model_settings.h"

#include "base/error.h"
#include "network/model_file.h"
#include "network/models/catalog.h"
#include "network/models/classifiers.h"
#include "network/models/inception_v3.h"
#include "network/models/segdecnet.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr const char* kSegdecnet = "segdecnet";
constexpr const char* kInceptionV3 = "inception_v3";
// Variants of it.
constexpr const char* kTrainer = "trainer";
constexpr const char* kTorchvision = "torchvision";

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

SegdecnetSettings segdecnetOf(const ModelSettings& settings)
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

/// What networks that tell classes apart have in common.
template<class Settings>
void takeCommon(const ModelSettings& settings, Settings& result)
{
    replace(result.classes, settings.classes);
    replace(result.epsilon, settings.epsilon);
    replace(result.dropoutKeep, settings.dropoutKeep);
    result.labelSmoothing =
        settings.labelSmoothing < 0.0 ? result.labelSmoothing : settings.labelSmoothing;
    result.weightDecay = settings.weightDecay < 0.0 ? result.weightDecay : settings.weightDecay;
}

InceptionV3Settings inceptionV3Of(const ModelSettings& settings)
{
    bool isTorchvision = false;
    choose(
        "variant", settings.variant,
        std::array{std::pair{kTrainer, false}, std::pair{kTorchvision, true}}, isTorchvision);
    InceptionV3Settings result = isTorchvision ? torchvisionInception() : InceptionV3Settings();
    replace(result.inputHeight, settings.inputHeight);
    replace(result.inputWidth, settings.inputWidth);
    replace(result.momentDecay, settings.momentDecay);
    choose("normalization", settings.normalization, kModes, result.normalization);
    result.hasBackground = hasBackgroundClass(settings);
    result.auxiliaryWeight = settings.auxiliaryWeight;
    takeCommon(settings, result);
    return result;
}

ClassifierSettings classifierOf(const ModelSettings& settings)
{
    ClassifierSettings result = classifierSettings(settings.name);
    replace(result.inputHeight, settings.inputHeight);
    replace(result.inputWidth, settings.inputWidth);
    replace(result.momentDecay, settings.momentDecay);
    choose("normalization", settings.normalization, kModes, result.normalization);
    takeCommon(settings, result);
    return result;
}

// Networks that have a setting.
constexpr unsigned kOfSegdecnet = 1;
constexpr unsigned kOfInception = 2;
constexpr unsigned kOfResnets = 4;
constexpr unsigned kOfMobilenet = 8;
constexpr unsigned kOfClassifiers = kOfInception | kOfResnets | kOfMobilenet;
constexpr unsigned kOfAll = kOfSegdecnet | kOfClassifiers;

/// A setting and the networks that have it.
struct Setting
{
    std::string_view key;
    unsigned networks = kOfAll;
    bool (*isGiven)(const ModelSettings&) = nullptr; ///< null: of the run, not of the network alone

    [[nodiscard]] bool isOf(const std::string& model) const
    {
        const unsigned network = model == kSegdecnet              ? kOfSegdecnet
                                 : model == kInceptionV3          ? kOfInception
                                 : model.starts_with("mobilenet") ? kOfMobilenet
                                 : isClassifier(model)            ? kOfResnets
                                                                  : 0;
        return (networks & network) != 0 || (key == "classes" && isModelFile(model));
    }
};

/// Whether a field differs from its default: what is set to just that can't be told from what is
/// left out, and does no harm.
template<auto kField>
bool isGiven(const ModelSettings& settings)
{
    return settings.*kField != ModelSettings().*kField;
}

using M = ModelSettings;
constexpr std::array<Setting, 18> kSettings{
    {{"variant", kOfSegdecnet | kOfInception, isGiven<&M::variant>},
     {"input_height", kOfAll, isGiven<&M::inputHeight>},
     {"input_width", kOfAll, isGiven<&M::inputWidth>},
     {"normalization", kOfAll, isGiven<&M::normalization>},
     {"moments", kOfAll},
     {"moment_decay", kOfAll, isGiven<&M::momentDecay>},
     {"moment_ramp", kOfAll},
     {"scale", kOfSegdecnet, isGiven<&M::scale>},
     {"initializer", kOfSegdecnet, isGiven<&M::initializer>},
     {"mask_activation", kOfSegdecnet, isGiven<&M::maskActivation>},
     {"decision_outputs", kOfSegdecnet, isGiven<&M::decisionOutputs>},
     {"classes", kOfClassifiers, isGiven<&M::classes>},
     {"epsilon", kOfClassifiers, isGiven<&M::epsilon>},
     {"dropout_keep", kOfInception | kOfMobilenet, isGiven<&M::dropoutKeep>},
     {"label_smoothing", kOfClassifiers, isGiven<&M::labelSmoothing>},
     {"weight_decay", kOfClassifiers, isGiven<&M::weightDecay>},
     {"background", kOfInception, isGiven<&M::hasBackground>},
     {"auxiliary_weight", kOfInception, isGiven<&M::auxiliaryWeight>}}};

/// Settings must not be given to networks that have no such ones, where they would do nothing.
void refuseSettings(const ModelSettings& settings)
{
    for (const Setting& setting : kSettings) {
        if (setting.isGiven != nullptr && setting.isGiven(settings)
            && !setting.isOf(settings.name)) {
            fail(
                ErrorCode::BadInput, "model.{} is set, but model '{}' does not have this setting",
                setting.key, settings.name);
        }
    }
}

} // namespace

bool modelHasSetting(const std::string& model, std::string_view key)
{
    return std::ranges::any_of(kSettings, [&](const Setting& setting) {
        return setting.key == key && setting.isOf(model);
    });
}

bool hasBackgroundClass(const ModelSettings& settings)
{
    return settings.name == kInceptionV3 && settings.hasBackground
           && settings.variant != kTorchvision;
}

NetworkSpec makeNetwork(const ModelSettings& settings)
{
    refuseSettings(settings);
    if (settings.name == kSegdecnet) {
        return segdecnetNetwork(segdecnetOf(settings));
    }
    if (settings.name == kInceptionV3) {
        return inceptionV3Network(inceptionV3Of(settings));
    }
    if (isClassifier(settings.name)) {
        return classifierNetwork(settings.name, classifierOf(settings));
    }
    return isModelFile(settings.name) ? readModelFile(settings.name, settings.classes)
                                      : networkByName(settings.name);
}

bool isModelFile(const std::string& nameOrFile)
{
    return nameOrFile.ends_with(".toml");
}

} // namespace lockstep
