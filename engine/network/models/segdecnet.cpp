// SPDX-License-Identifier: Apache-2.0
#include "network/models/segdecnet.h"

#include "base/enum_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr const char* kSegmentation = "segmentation";
constexpr const char* kDecision = "decision";
/// Three poolings to the mask, three more to the decision's last map.
constexpr std::int64_t kMaskCells = 8;
constexpr std::int64_t kLastCells = 64;

void checkSide(const char* field, std::int64_t size)
{
    if (size >= kLastCells && size % kLastCells == 0) {
        return;
    }
    const std::int64_t below = size / kLastCells * kLastCells;
    const std::int64_t above = std::max<std::int64_t>(below, 0) + kLastCells;
    fail(
        ErrorCode::BadInput,
        "model 'segdecnet': {} is {}, but must be a multiple of {}, because six poolings halve it; "
        "{}{} fits",
        field, size, kLastCells, below >= kLastCells ? fmt::format("{} or ", below) : "", above);
}

void checkSize(const SegdecnetSettings& settings)
{
    checkSide("input_height", settings.inputHeight);
    checkSide("input_width", settings.inputWidth);
    const std::int64_t lastCells =
        settings.inputHeight / kLastCells * (settings.inputWidth / kLastCells);
    if (settings.normalization == NormalizationMode::PerImage && lastCells < 2) {
        fail(
            ErrorCode::BadInput,
            "model 'segdecnet': an input of {}x{} leaves one cell at the end, which has no "
            "variance to normalise with in a single image; use 128x64 or more, or another "
            "model.normalization",
            settings.inputHeight, settings.inputWidth);
    }
}

/// Adds what the stages consist of, in the parameter group of the one that is being built.
class Stages
{
public:
    explicit Stages(const SegdecnetSettings& settings)
        : m_settings(settings),
          m_net("segdecnet", {settings.inputHeight, settings.inputWidth, 1}, 2)
    {
    }

    [[nodiscard]] NetworkBuilder& net() { return m_net; }

    /// Convolution, normalisation, ReLU.
    LayerId convolution(
        const std::string& name, std::int64_t size, std::int64_t channels, LayerId top,
        Activation activation = Activation::Relu)
    {
        Conv2d conv;
        conv.channels = channels;
        conv.kernel = {size, size};
        conv.hasBias = false;
        conv.parameters = {m_settings.convolutionWeights, Constant{0.0}, 0.0, m_group};
        top = m_net.add(name, conv, {top});
        Normalization normalization;
        normalization.mode = m_settings.normalization;
        normalization.hasScale = m_settings.hasScale;
        normalization.decay = m_settings.decay;
        normalization.activation = activation;
        normalization.parameters.group = m_group;
        return m_net.add(name + "_norm", normalization, {top});
    }
    LayerId pool(const std::string& name, LayerId top)
    {
        return m_net.add(name, MaxPool{{2, 2}, {2, 2}, Padding::Same}, {top});
    }
    void beginDecision() { m_group = kDecision; }

private:
    const SegdecnetSettings& m_settings;
    NetworkBuilder m_net;
    std::string m_group = kSegmentation;
};

struct SegmentationEnd
{
    LayerId features = 0;
    LayerId mask = 0; ///< logits
};

SegmentationEnd addSegmentation(Stages& stages)
{
    LayerId top = 0;
    constexpr std::array<int, 3> kConvolutions{2, 3, 4};
    constexpr std::array<std::int64_t, 3> kChannels{32, 64, 64};
    for (std::size_t stage = 0; stage < kConvolutions.size(); ++stage) {
        for (int i = 1; i <= kConvolutions.at(stage); ++i) {
            top = stages.convolution(
                fmt::format("conv{}_{}", stage + 1, i), 5, kChannels.at(stage), top);
        }
        top = stages.pool(fmt::format("pool{}", stage + 1), top);
    }
    const LayerId features = stages.convolution("conv4", 15, 1024, top);
    return {features, stages.convolution("conv5", 1, 1, features, Activation::None)};
}

/// The decision's logits.
LayerId addDecision(Stages& stages, const SegdecnetSettings& settings, const SegmentationEnd& end)
{
    stages.beginDecision();
    NetworkBuilder& net = stages.net();
    const LayerId mask = net.add("decision_mask", Elementwise{settings.maskActivation}, {end.mask});
    LayerId top = net.add("decision_input", Concat{}, {end.features, mask});
    for (int i = 1; i <= 3; ++i) {
        top = stages.pool(fmt::format("decision_pool{}", i), top);
        top = stages.convolution(fmt::format("decision_conv{}", i), 5, std::int64_t{4} << i, top);
    }
    std::vector<LayerId> summary;
    for (const auto& [name, source] : {std::pair{"features", top}, std::pair{"mask", mask}}) {
        for (const Reduction reduction : {Reduction::Average, Reduction::Max}) {
            const char* kind = reduction == Reduction::Average ? "average" : "max";
            summary.push_back(
                net.add(fmt::format("{}_{}", name, kind), GlobalPool{reduction}, {source}));
        }
    }
    top = net.add("decision_summary", Concat{}, summary);
    Dense logits;
    logits.units = settings.decisionOutputs;
    logits.parameters = {XavierUniform{}, Constant{0.0}, 0.0, kDecision};
    return net.add("decision_logits", logits, {top});
}

} // namespace

SegdecnetVariant segdecnetVariantByName(const std::string& name)
{
    constexpr EnumNames<SegdecnetVariant, 2> kVariants{{"authors", "third_party"}};
    return kVariants.named(name, "model.variant is '{}'; choose authors or third_party");
}

SegdecnetSettings segdecnetSettings(SegdecnetVariant variant)
{
    SegdecnetSettings settings;
    if (variant == SegdecnetVariant::ThirdParty) {
        settings.inputHeight = 1280;
        settings.hasScale = false;
        settings.decay = 0.999;
        settings.convolutionWeights = XavierUniform{};
        settings.maskActivation = Activation::Sigmoid;
        settings.decisionOutputs = 2;
    }
    return settings;
}

NetworkSpec segdecnetNetwork(const SegdecnetSettings& settings)
{
    checkSize(settings);
    if (settings.decisionOutputs != 1 && settings.decisionOutputs != 2) {
        fail(
            ErrorCode::BadInput,
            "model.decision_outputs is {}; choose 1 (sigmoid) or 2 (softmax of two classes)",
            settings.decisionOutputs);
    }
    Stages stages(settings);
    const SegmentationEnd end = addSegmentation(stages);
    const LayerId logits = addDecision(stages, settings, end);
    NetworkBuilder& net = stages.net();
    net.mask(settings.inputHeight / kMaskCells, settings.inputWidth / kMaskCells);
    net.output("mask_logits", end.mask);
    net.output(
        "mask_probabilities",
        net.add("mask_probabilities", Elementwise{Activation::Sigmoid}, {end.mask}));
    net.output("decision_logits", logits);
    using Target = SigmoidCrossEntropy::Target;
    net.objective(
        {kSegmentation, 1.0, SigmoidCrossEntropy{end.mask, Target::Mask}, {kSegmentation}});
    Objective decision{kDecision, 1.0, SoftmaxCrossEntropy{logits}, {kDecision}};
    if (settings.decisionOutputs == 1) {
        decision.loss = SigmoidCrossEntropy{logits, Target::MaskSum};
    }
    net.objective(decision);
    return net.build();
}

double decisionScore(std::span<const float> logits)
{
    const auto last = static_cast<double>(logits.back());
    const double margin = logits.size() == 1 ? last : last - static_cast<double>(logits.front());
    return 1.0 / (1.0 + std::exp(-margin));
}

} // namespace lockstep
