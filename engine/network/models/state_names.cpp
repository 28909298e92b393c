// SPDX-License-Identifier: Apache-2.0
#include "network/models/state_names.h"

#include "network/models/classifiers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

using Renamed = std::pair<std::string_view, std::string_view>;

constexpr std::array<Renamed, 19> kInceptionParts{
    {{"conv0", "Conv2d_1a_3x3"},
     {"conv1", "Conv2d_2a_3x3"},
     {"conv2", "Conv2d_2b_3x3"},
     {"conv3", "Conv2d_3b_1x1"},
     {"conv4", "Conv2d_4a_3x3"},
     {"mixed_35x35x256a", "Mixed_5b"},
     {"mixed_35x35x288a", "Mixed_5c"},
     {"mixed_35x35x288b", "Mixed_5d"},
     {"mixed_17x17x768a", "Mixed_6a"},
     {"mixed_17x17x768b", "Mixed_6b"},
     {"mixed_17x17x768c", "Mixed_6c"},
     {"mixed_17x17x768d", "Mixed_6d"},
     {"mixed_17x17x768e", "Mixed_6e"},
     {"mixed_17x17x1280a", "Mixed_7a"},
     {"mixed_8x8x2048a", "Mixed_7b"},
     {"mixed_8x8x2048b", "Mixed_7c"},
     {"aux_logits/proj", "AuxLogits.conv0"},
     {"aux_logits/conv", "AuxLogits.conv1"},
     {"aux_logits", "AuxLogits.fc"}}};

bool hasLayer(const NetworkSpec& network, const std::string& name)
{
    return std::ranges::find(network.layers, name, &Layer::name) != network.layers.end();
}

/// "branch5x5/conv2" of a block is "branch5x5_2"; the only convolution of a branch has no number.
std::string inceptionBranch(
    const NetworkSpec& network, const std::string& block, const std::string& rest)
{
    const std::size_t slash = rest.find('/');
    const std::string branch = rest.substr(0, slash);
    const std::string conv = rest.substr(slash + 1);
    const std::string place = block + "/" + branch;
    const bool isFork = hasLayer(network, place + "/conv1x3");
    if (conv == "conv1x3" || conv == "conv3x1") {
        const int before = hasLayer(network, place + "/conv2") ? 3 : 2;
        return fmt::format("{}_{}{}", branch, before, conv == "conv1x3" ? 'a' : 'b');
    }
    const bool isOnly = !isFork && !hasLayer(network, place + "/conv2");
    return isOnly ? branch : branch + "_" + conv.substr(std::string_view("conv").size());
}

/// Without "conv" or "bn" behind it.
std::string inceptionLayer(const NetworkSpec& network, const std::string& layer)
{
    const auto* const part = std::ranges::find(kInceptionParts, layer, &Renamed::first);
    if (part != kInceptionParts.end()) {
        return std::string(part->second);
    }
    const std::size_t slash = layer.find('/');
    const std::string block = layer.substr(0, slash);
    const auto* const mixed = std::ranges::find(kInceptionParts, block, &Renamed::first);
    if (slash == std::string::npos || mixed == kInceptionParts.end()) {
        return layer == "logits" ? "fc" : layer;
    }
    return fmt::format(
        "{}.{}", mixed->second, inceptionBranch(network, block, layer.substr(slash + 1)));
}

std::string layerName(const NetworkSpec& network, const Layer& layer)
{
    if (network.name != "inception_v3") {
        return layer.name;
    }
    constexpr std::string_view kNorm = "_norm";
    if (std::holds_alternative<Normalization>(layer.spec)) {
        return inceptionLayer(network, layer.name.substr(0, layer.name.size() - kNorm.size()))
               + ".bn";
    }
    const bool isConv = std::holds_alternative<Conv2d>(layer.spec);
    return inceptionLayer(network, layer.name) + (isConv ? ".conv" : "");
}

} // namespace

StateTensor stateTensor(const NetworkSpec& network, const ParameterSpec& parameter)
{
    const Layer& layer = network.layers[static_cast<std::size_t>(parameter.layer)];
    constexpr std::array<const char*, 4> kRoles{"weight", "bias", "running_mean", "running_var"};
    StateTensor tensor{
        fmt::format(
            "{}.{}", layerName(network, layer),
            kRoles.at(static_cast<std::size_t>(parameter.role))),
        parameter.shape};
    // The gates of MobileNet.
    const bool isGate = network.name.starts_with("mobilenet")
                        && layer.name.find(".fc") != std::string::npos
                        && parameter.role == ParameterRole::Weights;
    if (isGate) {
        tensor.shape.insert(tensor.shape.end(), {1, 1});
    }
    return tensor;
}

std::string expectedPictures(const NetworkSpec& network)
{
    if (network.name == "inception_v3") {
        return "weights of torchvision expect pixels from -1 to 1";
    }
    const std::vector<std::string> names = classifierNames();
    return std::ranges::find(names, network.name) == names.end()
               ? ""
               : "weights of torchvision expect pixels less the mean of ImageNet's colours, "
                 "divided "
                 "by their deviation";
}

} // namespace lockstep
