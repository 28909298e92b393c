// SPDX-License-Identifier: Apache-2.0
#include "session/config/run_data.h"

#include "base/error.h"
#include "dataset/examples/duplicates.h"
#include "input/mask_labels.h"
#include "input/order/balanced_order.h"
#include "network/models/classifiers.h"
#include "network/network_spec.h"
#include "session/config/run_config.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr const char* kAuto = "auto";
constexpr const char* kShuffled = "shuffled";
constexpr std::array kOrientationNames{"turn", "stored"};
constexpr std::array kSamplings{"balanced", kShuffled};

template<class Names>
void checkOneOf(const char* key, const std::string& name, const Names& names)
{
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        fail(
            ErrorCode::BadInput, "{} is '{}', but must be {}", key, name, fmt::join(names, " or "));
    }
}

template<class Names>
void checkName(const char* key, const std::string& name, const Names& names)
{
    if (name != kAuto && std::find(names.begin(), names.end(), name) == names.end()) {
        fail(
            ErrorCode::BadInput, "{} is '{}', but must be {} or {}", key, name, kAuto,
            fmt::join(names, " or "));
    }
}

/// The value that a checked name stands for; for auto that of the model.
template<class Value, class Names>
Value valueOf(const std::string& name, const Names& names, Value automatic)
{
    return name == kAuto
               ? automatic
               : static_cast<Value>(std::find(names.begin(), names.end(), name) - names.begin());
}

template<class Value, class Names>
const char* nameOf(Value value, const Names& names)
{
    return names.at(static_cast<std::size_t>(value));
}

/// What is mixed are images and the labels of their classes.
void checkMixed(const RunConfig& config, const NetworkSpec& network)
{
    const bool hasClasses = std::ranges::all_of(network.objectives, [](const Objective& objective) {
        return std::holds_alternative<SoftmaxCrossEntropy>(objective.loss);
    });
    if (config.distortion.mixup > 0.0 && (!hasClasses || maskedInputOf(config))) {
        fail(
            ErrorCode::BadInput,
            "input.mixup is {}, but only classes of whole images can be mixed, no masks; use 0",
            config.distortion.mixup);
    }
}

} // namespace

void SplitConfig::validate() const
{
    checkOneOf("dataset.test_on", testOn, kTestedPartNames);
    checkOneOf("dataset.duplicates", duplicates, kDuplicateRuleNames);
    if (!(testShare > 0.0 && testShare < 1.0)) {
        fail(
            ErrorCode::BadInput, "dataset.test_share is {}, but must be between 0 and 1",
            testShare);
    }
}

void MaskedDataConfig::validate() const
{
    MaskedDataSettings settings{folds, fold, foldsFile, dilation};
    settings.maskThreshold = maskThreshold;
    settings.validate();
    checkOneOf("dataset.mask_background", maskBackground, kMaskBackgroundNames);
    checkName("dataset.sampling", sampling, kSamplings);
    checkName("input.pixel_range", pixelRange, kPixelRangeNames);
    checkName("input.mask_label", maskLabel, kMaskLabelNames);
}

void EncodedDataConfig::validate() const
{
    checkName("input.photo_pixels", pixels, kPhotoPixelsNames);
    checkOneOf("dataset.damaged", damaged, kDamagedImagesNames);
    if (!(patienceSeconds >= 0.0)) {
        fail(
            ErrorCode::BadInput,
            "dataset.patience_seconds is {}, but must be a number of 0 or more", patienceSeconds);
    }
    if (pattern.empty()) {
        fail(
            ErrorCode::BadInput,
            "dataset.pattern is empty; give the names of the record files, such "
            "as '{{split}}-*'");
    }
}

void PixelConfig::validate() const
{
    checkOneOf("dataset.orientation", orientation, kOrientationNames);
    constexpr int kLeastBits = 8;
    constexpr int kMostBits = 16;
    if (bits != 0 && (bits < kLeastBits || bits > kMostBits)) {
        fail(
            ErrorCode::BadInput, "dataset.bits is {}, but must be 0 or between {} and {}", bits,
            kLeastBits, kMostBits);
    }
}

PixelRules pixelRulesOf(const RunConfig& config)
{
    return {config.pixels.orientation == kOrientationNames[0], config.pixels.bits};
}

DatasetRequest datasetOf(const RunConfig& config)
{
    const MaskedDataConfig& masked = config.masked;
    const DataPart tested =
        config.split.testOn == kTestedPartNames[0] ? DataPart::Validation : DataPart::Test;
    return {
        config.dataset,
        config.datasetPath,
        config.seed,
        {masked.folds, masked.fold, masked.foldsFile, masked.dilation, config.seed, tested,
         pixelRulesOf(config), masked.maskThreshold,
         valueOf(masked.maskBackground, kMaskBackgroundNames, MaskBackground::Auto)},
        {valueOf(config.encoded.damaged, kDamagedImagesNames, DamagedImages::Skip),
         config.encoded.pattern,
         config.encoded.labelOffset,
         hasBackgroundClass(config.model),
         {tested, config.split.testShare},
         pixelRulesOf(config)}};
}

std::optional<PhotoSettings> photoInputOf(const RunConfig& config)
{
    if (!describeDataset(config.dataset).isEncoded) {
        return std::nullopt;
    }
    const DistortionSettings& shared = config.distortion;
    PhotoSettings settings;
    settings.crop = shared.crop;
    settings.flip = shared.flip;
    settings.brightness = shared.brightness;
    settings.contrast = shared.contrast;
    settings.saturation = config.encoded.saturation;
    settings.hue = config.encoded.hue;
    settings.isDecodedScaled = config.encoded.isDecodedScaled;
    settings.pixels = valueOf(
        config.encoded.pixels, kPhotoPixelsNames,
        isClassifier(config.model.name) ? PhotoPixels::ImageNet : PhotoPixels::Symmetric);
    return settings;
}

std::optional<MaskedInputSettings> maskedInputOf(const RunConfig& config)
{
    if (!describeDataset(config.dataset).hasMasks) {
        return std::nullopt;
    }
    const MaskedDataConfig& masked = config.masked;
    MaskedInputSettings settings;
    const bool isThirdParty = config.model.variant == "third_party";
    settings.pixels = valueOf(
        masked.pixelRange, kPixelRangeNames, isThirdParty ? PixelRange::Byte : PixelRange::Unit);
    settings.label = valueOf(
        masked.maskLabel, kMaskLabelNames, isThirdParty ? MaskLabel::Reduced : MaskLabel::Pooled);
    // Each kind of labels comes with the resizing of those who train with it.
    settings.grid = settings.label == MaskLabel::Pooled ? PixelGrid::Corners : PixelGrid::Centers;
    settings.mirrorHorizontal = masked.mirrorHorizontal;
    settings.mirrorVertical = masked.mirrorVertical;
    return settings;
}

ExampleOrder trainingOrderOf(const RunConfig& config)
{
    const bool isBalanced =
        describeDataset(config.dataset).hasMasks && config.masked.sampling != kShuffled;
    return isBalanced ? ExampleOrder::Balanced : ExampleOrder::Shuffled;
}

bool takesClasses(const ModelSettings& model)
{
    return model.classes == 0 && !isModelFile(model.name) && modelHasSetting(model.name, "classes");
}

void takeClasses(RunConfig& config, const Dataset& training)
{
    const DatasetInfo& info = training.info();
    const bool hasBackground = info.isEncoded && hasBackgroundClass(config.model);
    const auto classes =
        static_cast<std::int64_t>(info.classNames.size()) - (hasBackground ? 1 : 0);
    if (takesClasses(config.model) && classes > 0) {
        config.model.classes = classes;
    }
}

std::int64_t epochExamples(const RunConfig& config, const Dataset& training)
{
    return trainingOrderOf(config) == ExampleOrder::Balanced ? balancedEpoch(training)
                                                             : training.size();
}

std::string describeMaskedData(
    const RunConfig& config, const DatasetInfo& training, const Shape& input)
{
    const MaskedDataConfig& masked = config.masked;
    const MaskedInputSettings settings = maskedInputOf(config).value();
    std::string text = training.layout.empty() ? "generated images" : training.layout;
    text += fmt::format(
        "; marks dilated by {}, {} labels; images resized to {} × {}, {} pixels", masked.dilation,
        nameOf(settings.label, kMaskLabelNames), input.height, input.width,
        nameOf(settings.pixels, kPixelRangeNames));
    const bool isBalanced = trainingOrderOf(config) == ExampleOrder::Balanced;
    return text + (isBalanced ? "; half of each global batch is defective" : "; shuffled");
}

std::string describeEncodedData(const EncodedDataset& training, const Shape& input, int loaders)
{
    const std::string& layout = training.info().layout;
    std::string text = layout.empty() ? "" : layout + "; ";
    text += fmt::format(
        "images of up to {:.2f} megapixels, resized to {} × {}; each of {} loader threads takes up "
        "to {:.1f} MiB for one",
        static_cast<double>(training.largest().pixels) / 1e6, input.height, input.width, loaders,
        static_cast<double>(PhotoInput::bytes(input, training)) / (1024.0 * 1024.0));
    if (!training.leftOut().empty()) {
        text += fmt::format(
            "; {} damaged ones left out, the first: {}", training.leftOut().size(),
            training.leftOut().front());
    }
    return text;
}

DistortionSettings distortionFor(const RunConfig& config, const NetworkSpec& network)
{
    DistortionSettings settings = config.distortion;
    settings.cropHeight = network.inputShape().height;
    settings.cropWidth = network.inputShape().width;
    settings.masked = maskedInputOf(config);
    if (settings.masked) {
        // They are for images without masks.
        settings.crop = settings.flip = false;
        settings.brightness = settings.contrast = settings.standardize = false;
        settings.erase = 0.0;
        settings.pad = 0;
    }
    settings.photo = photoInputOf(config);
    return settings;
}

PipelineSettings pipelineFor(const RunConfig& config, const NetworkSpec& network)
{
    checkMixed(config, network);
    PipelineSettings settings;
    settings.globalBatch = config.towerShape().globalBatch();
    settings.prefetchBatches = config.inputPrefetchBatches;
    settings.seed = config.seed;
    settings.distortion = distortionFor(config, network);
    settings.order = trainingOrderOf(config);
    settings.shards = config.experiment.shardSettings(config.towers);
    return settings;
}

void checkDataset(const RunConfig& config, const NetworkSpec& network, const Dataset& dataset)
{
    const DatasetInfo& info = dataset.info();
    const Shape& image = info.imageShape;
    const Shape& input = network.inputShape();
    if (network.maskShape && !info.hasMasks) {
        fail(
            ErrorCode::BadInput,
            "model '{}' learns from masks, which data set '{}' does not have; choose one that does",
            network.name, info.name);
    }
    const Shape cells{input.height / kPixelsPerCell, input.width / kPixelsPerCell, 1};
    if (network.maskShape && *network.maskShape != cells) {
        fail(
            ErrorCode::BadInput,
            "model '{}' learns masks of {} × {} cells, but inputs of {} × {} have labels of {} × "
            "{}: a cell stands for {} × {} pixels",
            network.name, network.maskShape->height, network.maskShape->width, input.height,
            input.width, cells.height, cells.width, kPixelsPerCell, kPixelsPerCell);
    }
    // Images with masks and photographs are resized.
    const std::int64_t border = 2 * config.distortion.pad;
    const bool isTooSmall =
        !info.hasMasks && !info.isEncoded
        && (image.height + border < input.height || image.width + border < input.width);
    if (image.channels != input.channels || isTooSmall) {
        fail(
            ErrorCode::BadInput, "model '{}' needs images of at least {}, data set '{}' has {}",
            network.name, toString(input), info.name, toString(image));
    }
    if (static_cast<std::int64_t>(info.classNames.size()) > network.classes) {
        fail(
            ErrorCode::BadInput, "model '{}' tells {} classes apart, data set '{}' has {}",
            network.name, network.classes, info.name, info.classNames.size());
    }
}

} // namespace lockstep
