// SPDX-License-Identifier: Apache-2.0
#include "network/models/inception_v3.h"

#include "base/error.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr const char* kFeatures = "features";
constexpr const char* kHeads = "heads";
constexpr Extent kThree{3, 3};
constexpr Extent kRow{1, 7};
constexpr Extent kColumn{7, 1};

void checkSettings(const InceptionV3Settings& settings)
{
    for (const auto& [key, size] :
         {std::pair{"input_height", settings.inputHeight},
          std::pair{"input_width", settings.inputWidth}}) {
        if (size < kSmallestInceptionSide) {
            fail(
                ErrorCode::BadInput,
                "model.{} is {}, but model 'inception_v3' needs at least {}: with less, no cell is "
                "left after five halvings",
                key, size, kSmallestInceptionSide);
        }
    }
    if (settings.classes < 1) {
        fail(ErrorCode::BadInput, "model.classes is {}, but must be at least 1", settings.classes);
    }
    if (settings.normalization == NormalizationMode::PerImage) {
        fail(
            ErrorCode::BadInput,
            "model.normalization is per_image, but the auxiliary head of model 'inception_v3' "
            "normalises one cell of each image; choose batch, synchronised or moving");
    }
    for (const auto& [key, value] :
         {std::pair{"auxiliary_weight", settings.auxiliaryWeight},
          std::pair{"weight_decay", settings.weightDecay}}) {
        if (!std::isfinite(value) || value < 0.0) {
            fail(
                ErrorCode::BadInput, "model.{} is {}, but must be a number of 0 or more", key,
                value);
        }
    }
}

/// One convolution of a branch.
struct Filter
{
    std::int64_t channels = 0;
    Extent kernel = {1, 1};
    std::int64_t stride = 1;
    Padding padding = Padding::Same;
    double stddev = 0.1;
};

/// Adds what the network consists of, in the parameter group of the part that is being built.
class Blocks
{
public:
    explicit Blocks(const InceptionV3Settings& settings)
        : m_settings(settings), m_outputs(settings.classes + (settings.hasBackground ? 1 : 0)),
          m_net("inception_v3", {settings.inputHeight, settings.inputWidth, 3}, m_outputs)
    {
    }

    [[nodiscard]] NetworkBuilder& net() { return m_net; }
    void beginHeads() { m_group = kHeads; }

    /// Convolution, normalisation, ReLU.
    LayerId convolution(const std::string& name, const Filter& filter, LayerId top)
    {
        Conv2d conv;
        conv.channels = filter.channels;
        conv.kernel = filter.kernel;
        conv.stride = {filter.stride, filter.stride};
        conv.padding = filter.padding;
        conv.hasBias = false;
        conv.parameters = {
            TruncatedNormal{filter.stddev}, Constant{0.0}, m_settings.weightDecay, m_group};
        top = m_net.add(name, conv, {top});
        Normalization normalization;
        normalization.mode = m_settings.normalization;
        normalization.hasScale = m_settings.isTorchvision;
        normalization.isUnbiased = m_settings.isTorchvision;
        normalization.epsilon = m_settings.epsilon;
        normalization.decay = m_settings.momentDecay;
        normalization.activation = Activation::Relu;
        normalization.parameters.group = m_group;
        return m_net.add(name + "_norm", normalization, {top});
    }

    /// Convolutions one after the other.
    LayerId branch(const std::string& name, LayerId top, const std::vector<Filter>& filters)
    {
        for (std::size_t i = 0; i < filters.size(); ++i) {
            top = convolution(fmt::format("{}/conv{}", name, i + 1), filters[i], top);
        }
        return top;
    }

    /// Halves the map.
    LayerId maxPool(const std::string& name, LayerId top)
    {
        return m_net.add(name, MaxPool{kThree, {2, 2}, Padding::Valid}, {top});
    }

    /// The branch that looks at the neighbourhood's mean.
    LayerId pooledBranch(const std::string& block, LayerId top, std::int64_t channels)
    {
        const AveragePool mean{kThree, {1, 1}, Padding::Same, m_settings.isTorchvision};
        const LayerId pool = m_net.add(block + "/branch_pool/pool", mean, {top});
        return branch(block + "/branch_pool", pool, {{channels}});
    }

    /// The logits of a head, which are an output, and what trains it.
    void finishHead(
        const std::string& name, double stddev, LayerId top, const char* objective, double weight)
    {
        Dense dense;
        dense.units = m_outputs;
        dense.parameters = {
            TruncatedNormal{stddev}, Constant{0.0}, m_settings.weightDecay, m_group};
        const LayerId logits = m_net.add(name, dense, {top});
        m_net.output(name, logits);
        m_net.objective(
            {objective, weight, SoftmaxCrossEntropy{logits, m_settings.labelSmoothing}, {}});
    }

private:
    const InceptionV3Settings& m_settings;
    std::int64_t m_outputs;
    NetworkBuilder m_net;
    std::string m_group = kFeatures;
};

/// 299 cells a side become 35.
LayerId addStem(Blocks& blocks)
{
    LayerId top = blocks.convolution("conv0", {32, kThree, 2, Padding::Valid}, 0);
    top = blocks.convolution("conv1", {32, kThree, 1, Padding::Valid}, top);
    top = blocks.convolution("conv2", {64, kThree}, top);
    top = blocks.maxPool("pool1", top);
    top = blocks.convolution("conv3", {80}, top);
    top = blocks.convolution("conv4", {192, kThree, 1, Padding::Valid}, top);
    return blocks.maxPool("pool2", top);
}

/// Of maps of 35 cells a side.
LayerId addBlock35(Blocks& blocks, const std::string& name, std::int64_t pooled, LayerId top)
{
    const LayerId one = blocks.branch(name + "/branch1x1", top, {{64}});
    const LayerId five = blocks.branch(name + "/branch5x5", top, {{48}, {64, {5, 5}}});
    const LayerId twice =
        blocks.branch(name + "/branch3x3dbl", top, {{64}, {96, kThree}, {96, kThree}});
    const LayerId pool = blocks.pooledBranch(name, top, pooled);
    return blocks.net().add(name, Concat{}, {one, five, twice, pool});
}

/// From 35 cells a side to 17.
LayerId addReduction17(Blocks& blocks, const std::string& name, LayerId top)
{
    const Filter halving{96, kThree, 2, Padding::Valid};
    const LayerId three =
        blocks.branch(name + "/branch3x3", top, {{384, kThree, 2, Padding::Valid}});
    const LayerId twice = blocks.branch(name + "/branch3x3dbl", top, {{64}, {96, kThree}, halving});
    const LayerId pool = blocks.maxPool(name + "/branch_pool/pool", top);
    return blocks.net().add(name, Concat{}, {three, twice, pool});
}

/// Of maps of 17 cells a side; `inner` channels between a 1 x 7 and a 7 x 1 convolution.
LayerId addBlock17(Blocks& blocks, const std::string& name, std::int64_t inner, LayerId top)
{
    const LayerId one = blocks.branch(name + "/branch1x1", top, {{192}});
    const LayerId seven =
        blocks.branch(name + "/branch7x7", top, {{inner}, {inner, kRow}, {192, kColumn}});
    const LayerId twice = blocks.branch(
        name + "/branch7x7dbl", top,
        {{inner}, {inner, kColumn}, {inner, kRow}, {inner, kColumn}, {192, kRow}});
    const LayerId pool = blocks.pooledBranch(name, top, 192);
    return blocks.net().add(name, Concat{}, {one, seven, twice, pool});
}

/// From 17 cells a side to 8.
LayerId addReduction8(Blocks& blocks, const std::string& name, LayerId top)
{
    const Filter halving{192, kThree, 2, Padding::Valid};
    const LayerId three =
        blocks.branch(name + "/branch3x3", top, {{192}, {320, kThree, 2, Padding::Valid}});
    const LayerId seven =
        blocks.branch(name + "/branch7x7x3", top, {{192}, {192, kRow}, {192, kColumn}, halving});
    const LayerId pool = blocks.maxPool(name + "/branch_pool/pool", top);
    return blocks.net().add(name, Concat{}, {three, seven, pool});
}

/// A branch that ends in a row and a column side by side.
std::vector<LayerId> addFork(
    Blocks& blocks, const std::string& name, const std::vector<Filter>& filters, LayerId top)
{
    top = blocks.branch(name, top, filters);
    return {
        blocks.convolution(name + "/conv1x3", {384, {1, 3}}, top),
        blocks.convolution(name + "/conv3x1", {384, {3, 1}}, top)};
}

/// Of maps of 8 cells a side.
LayerId addBlock8(Blocks& blocks, const std::string& name, LayerId top)
{
    std::vector<LayerId> sources{blocks.branch(name + "/branch1x1", top, {{320}})};
    for (const LayerId end : addFork(blocks, name + "/branch3x3", {{384}}, top)) {
        sources.push_back(end);
    }
    for (const LayerId end : addFork(blocks, name + "/branch3x3dbl", {{448}, {384, kThree}}, top)) {
        sources.push_back(end);
    }
    sources.push_back(blocks.pooledBranch(name, top, 192));
    return blocks.net().add(name, Concat{}, sources);
}

/// From maps of 17 cells a side.
void addAuxiliaryHead(Blocks& blocks, double weight, LayerId top)
{
    NetworkBuilder& net = blocks.net();
    const Shape map = net.shapeOf(top);
    constexpr std::int64_t kWindow = 5;
    const Extent window{std::min(kWindow, map.height), std::min(kWindow, map.width)};
    top = net.add("aux_logits/pool", AveragePool{window, {3, 3}, Padding::Valid}, {top});
    top = blocks.convolution("aux_logits/proj", {128}, top);
    const Shape rest = net.shapeOf(top);
    top = blocks.convolution(
        "aux_logits/conv", {768, {rest.height, rest.width}, 1, Padding::Valid, 0.01}, top);
    blocks.finishHead("aux_logits", 0.001, top, "auxiliary", weight);
}

void addMainHead(Blocks& blocks, double keep, LayerId top)
{
    NetworkBuilder& net = blocks.net();
    top = net.add("logits/pool", GlobalPool{Reduction::Average}, {top});
    top = net.add("logits/dropout", Dropout{keep}, {top});
    blocks.finishHead("logits", 0.01, top, "main", 1.0);
}

} // namespace

InceptionV3Settings torchvisionInception()
{
    InceptionV3Settings settings;
    settings.hasBackground = false;
    settings.momentDecay = 0.9;
    settings.dropoutKeep = 0.5;
    settings.isTorchvision = true;
    return settings;
}

NetworkSpec inceptionV3Network(const InceptionV3Settings& settings)
{
    checkSettings(settings);
    Blocks blocks(settings);
    LayerId top = addStem(blocks);
    top = addBlock35(blocks, "mixed_35x35x256a", 32, top);
    top = addBlock35(blocks, "mixed_35x35x288a", 64, top);
    top = addBlock35(blocks, "mixed_35x35x288b", 64, top);
    top = addReduction17(blocks, "mixed_17x17x768a", top);
    top = addBlock17(blocks, "mixed_17x17x768b", 128, top);
    top = addBlock17(blocks, "mixed_17x17x768c", 160, top);
    top = addBlock17(blocks, "mixed_17x17x768d", 160, top);
    top = addBlock17(blocks, "mixed_17x17x768e", 192, top);
    const LayerId middle = top;
    top = addReduction8(blocks, "mixed_17x17x1280a", top);
    top = addBlock8(blocks, "mixed_8x8x2048a", top);
    top = addBlock8(blocks, "mixed_8x8x2048b", top);
    blocks.beginHeads();
    // The first objective is the judge of what is classified correctly.
    addMainHead(blocks, settings.dropoutKeep, top);
    addAuxiliaryHead(blocks, settings.auxiliaryWeight, middle);
    return blocks.net().build();
}

} // namespace lockstep
