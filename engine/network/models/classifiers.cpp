// SPDX-License-Identifier: Apache-2.0
#include "network/models/classifiers.h"

#include "base/error.h"
#include "network/models/classifier_blocks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

using Build = void (*)(ClassifierBlocks& blocks);

/// Two convolutions of 3 x 3, or three with the middle one narrow, and what goes past them.
LayerId addResidual(
    ClassifierBlocks& blocks, const std::string& name, std::int64_t channels, std::int64_t stride,
    bool isBottleneck, LayerId top)
{
    const std::int64_t wide = isBottleneck ? 4 * channels : channels;
    LayerId shortcut = top;
    if (stride != 1 || blocks.channels(top) != wide) {
        shortcut = blocks.normalized(
            {name + ".downsample.0", name + ".downsample.1"}, {wide, 1, stride}, top);
    }
    const auto named = [&](int number) {
        return ConvolutionNames{
            fmt::format("{}.conv{}", name, number), fmt::format("{}.bn{}", name, number)};
    };
    const auto relu = Activation::Relu;
    if (isBottleneck) {
        top = blocks.normalized(named(1), {channels, 1}, top, relu);
        top = blocks.normalized(named(2), {channels, 3, stride}, top, relu);
        top = blocks.normalized(named(3), {wide, 1}, top);
    } else {
        top = blocks.normalized(named(1), {channels, 3, stride}, top, relu);
        top = blocks.normalized(named(2), {channels, 3}, top);
    }
    return blocks.net().add(name, Add{relu}, {top, shortcut});
}

void addResnet(ClassifierBlocks& blocks, const std::array<int, 4>& depths, bool isBottleneck)
{
    LayerId top = blocks.normalized({"conv1", "bn1"}, {64, 7, 2}, 0, Activation::Relu);
    top = blocks.net().add("maxpool", MaxPool{{3, 3}, {2, 2}, Padding::Half}, {top});
    for (std::size_t stage = 0; stage < depths.size(); ++stage) {
        for (int i = 0; i < depths.at(stage); ++i) {
            top = addResidual(
                blocks, fmt::format("layer{}.{}", stage + 1, i), std::int64_t{64} << stage,
                i == 0 && stage > 0 ? 2 : 1, isBottleneck, top);
        }
    }
    blocks.finish("fc", blocks.net().add("avgpool", GlobalPool{}, {top}));
}

/// Of section 4.2: what goes past a block that halves the map is every second cell of it, with
/// zeros for the new channels.
void addCifarResnet(ClassifierBlocks& blocks, int depth)
{
    NetworkBuilder& net = blocks.net();
    LayerId top = blocks.normalized({"conv1", "bn1"}, {16, 3}, 0, Activation::Relu);
    for (int stage = 1; stage <= 3; ++stage) {
        const std::int64_t channels = std::int64_t{8} << stage;
        for (int i = 0; i < depth; ++i) {
            const std::string name = fmt::format("layer{}.{}", stage, i);
            const std::int64_t stride = i == 0 && stage > 1 ? 2 : 1;
            const LayerId shortcut =
                stride == 1
                    ? top
                    : net.add(name + ".shortcut", MaxPool{{1, 1}, {2, 2}, Padding::Half}, {top});
            top = blocks.normalized(
                {name + ".conv1", name + ".bn1"}, {channels, 3, stride}, top, Activation::Relu);
            top = blocks.normalized({name + ".conv2", name + ".bn2"}, {channels, 3}, top);
            top = net.add(name, Add{Activation::Relu}, {top, shortcut});
        }
    }
    blocks.finish("fc", net.add("avgpool", GlobalPool{}, {top}));
}

/// A row of the paper's table 2.
struct InvertedResidual
{
    std::int64_t kernel;
    std::int64_t expanded;
    std::int64_t channels;
    bool hasGate;
    Activation activation;
    std::int64_t stride;
};

/// The nearest multiple of 8, not less than nine tenths.
std::int64_t wholeEights(std::int64_t channels)
{
    const std::int64_t rounded = std::max<std::int64_t>(8, (channels + 4) / 8 * 8);
    return 10 * rounded < 9 * channels ? rounded + 8 : rounded;
}

/// Squeeze-and-excitation.
LayerId addGate(ClassifierBlocks& blocks, const std::string& name, LayerId top)
{
    NetworkBuilder& net = blocks.net();
    const std::int64_t channels = blocks.channels(top);
    LayerId gate = net.add(name + ".avgpool", GlobalPool{}, {top});
    gate = net.add(
        name + ".fc1", blocks.dense(wholeEights(channels / 4), HeNormal{}, Activation::Relu),
        {gate});
    gate = net.add(name + ".fc2", blocks.dense(channels, HeNormal{}), {gate});
    gate = net.add(name + ".scale_activation", Elementwise{Activation::HardSigmoid}, {gate});
    return net.add(name, Scale{}, {top, gate});
}

LayerId addInverted(
    ClassifierBlocks& blocks, const std::string& name, const InvertedResidual& row, LayerId top)
{
    const LayerId begin = top;
    int part = 0;
    const auto next = [&] { return fmt::format("{}.block.{}", name, part++); };
    if (row.expanded != blocks.channels(top)) {
        top = blocks.activated(next(), {row.expanded, 1}, top, row.activation);
    }
    top = blocks.activated(
        next(), {row.expanded, row.kernel, row.stride, row.expanded}, top, row.activation);
    if (row.hasGate) {
        top = addGate(blocks, next(), top);
    }
    top = blocks.activated(next(), {row.channels, 1}, top, Activation::None);
    const bool isResidual = row.stride == 1 && blocks.channels(begin) == row.channels;
    return isResidual ? blocks.net().add(name, Add{}, {top, begin}) : top;
}

void addMobilenet(ClassifierBlocks& blocks)
{
    constexpr auto kRelu = Activation::Relu;
    constexpr auto kSwish = Activation::HardSwish;
    constexpr std::array<InvertedResidual, 11> kRows{
        {{3, 16, 16, true, kRelu, 2},
         {3, 72, 24, false, kRelu, 2},
         {3, 88, 24, false, kRelu, 1},
         {5, 96, 40, true, kSwish, 2},
         {5, 240, 40, true, kSwish, 1},
         {5, 240, 40, true, kSwish, 1},
         {5, 120, 48, true, kSwish, 1},
         {5, 144, 48, true, kSwish, 1},
         {5, 288, 96, true, kSwish, 2},
         {5, 576, 96, true, kSwish, 1},
         {5, 576, 96, true, kSwish, 1}}};
    NetworkBuilder& net = blocks.net();
    LayerId top = blocks.activated("features.0", {16, 3, 2}, 0, kSwish);
    int number = 1;
    for (const InvertedResidual& row : kRows) {
        top = addInverted(blocks, fmt::format("features.{}", number++), row, top);
    }
    top = blocks.activated(fmt::format("features.{}", number), {576, 1}, top, kSwish);
    top = net.add("avgpool", GlobalPool{}, {top});
    top = net.add("classifier.0", blocks.dense(1024, Normal{0.01}), {top});
    top = net.add("classifier.1", Elementwise{kSwish}, {top});
    top = net.add("classifier.2", Dropout{blocks.settings().dropoutKeep}, {top});
    blocks.finish("classifier.3", top);
}

struct Classifier
{
    const char* name;
    ClassifierSettings settings;
    Build build;
};

std::vector<Classifier> classifiers()
{
    ClassifierSettings cifar;
    cifar.inputHeight = cifar.inputWidth = 32;
    cifar.classes = 10;
    ClassifierSettings mobile;
    mobile.momentDecay = 0.99;
    mobile.epsilon = 0.001;
    mobile.dropoutKeep = 0.8;
    mobile.weightDecay = 1e-5;
    return {
        {"resnet18",
         {},
         [](ClassifierBlocks& b) {
             addResnet(b, {2, 2, 2, 2}, false);
         }},
        {"resnet20", cifar, [](ClassifierBlocks& b) { addCifarResnet(b, 3); }},
        {"resnet50",
         {},
         [](ClassifierBlocks& b) {
             addResnet(b, {3, 4, 6, 3}, true);
         }},
        {"resnet56", cifar, [](ClassifierBlocks& b) { addCifarResnet(b, 9); }},
        {"mobilenet_v3_small", mobile, addMobilenet}};
}

Classifier classifierNamed(const std::string& name)
{
    for (const Classifier& one : classifiers()) {
        if (one.name == name) {
            return one;
        }
    }
    fail(ErrorCode::BadInput, "model '{}' is not one of the classifiers", name);
}

} // namespace

std::vector<std::string> classifierNames()
{
    std::vector<std::string> names;
    for (const Classifier& one : classifiers()) {
        names.emplace_back(one.name);
    }
    return names;
}

bool isClassifier(const std::string& name)
{
    return std::ranges::any_of(
        classifiers(), [&](const Classifier& one) { return one.name == name; });
}

ClassifierSettings classifierSettings(const std::string& name)
{
    return classifierNamed(name).settings;
}

NetworkSpec classifierNetwork(const std::string& name, const ClassifierSettings& settings)
{
    const Classifier classifier = classifierNamed(name);
    if (settings.classes < 1) {
        fail(ErrorCode::BadInput, "model.classes is {}, but must be at least 1", settings.classes);
    }
    if (settings.weightDecay < 0.0) {
        fail(
            ErrorCode::BadInput, "model.weight_decay is {}, but must be 0 or more",
            settings.weightDecay);
    }
    ClassifierBlocks blocks(name, settings);
    classifier.build(blocks);
    return blocks.net().build();
}

} // namespace lockstep
