// SPDX-License-Identifier: Apache-2.0
#include "network/model_layers.h"

namespace lockstep {
namespace {

Padding padding(TableReader& reader)
{
    return reader.choose<Padding>(
        "padding", Padding::Same,
        {{"same", Padding::Same}, {"valid", Padding::Valid}, {"half", Padding::Half}});
}

Activation activation(TableReader& reader)
{
    std::vector<std::pair<std::string, Activation>> names;
    for (const auto one :
         {Activation::None, Activation::Relu, Activation::Sigmoid, Activation::Silu,
          Activation::Gelu, Activation::HardSwish, Activation::HardSigmoid}) {
        names.emplace_back(toString(one), one);
    }
    return reader.choose<Activation>("activation", Activation::None, names);
}

Initializer initializer(TableReader& reader)
{
    const auto stddev = reader.get<double>("stddev", 0.05);
    const auto chosen = reader.choose<Initializer>(
        "initializer", TruncatedNormal{stddev},
        {{"truncated_normal", TruncatedNormal{stddev}},
         {"normal", Normal{stddev}},
         {"xavier_uniform", XavierUniform{}},
         {"he_normal", HeNormal{}}});
    const bool followsLayer =
        std::holds_alternative<XavierUniform>(chosen) || std::holds_alternative<HeNormal>(chosen);
    if (followsLayer && reader.has("stddev")) {
        reader.refuse(fmt::format(
            "'stddev' has no place beside {}, whose range follows from the layer; leave one of "
            "them out",
            reader.get<std::string>("initializer")));
    }
    return chosen;
}

ParameterSettings parameterSettings(TableReader& reader)
{
    ParameterSettings settings;
    settings.weights = initializer(reader);
    settings.bias = Constant{reader.get<double>("bias", 0.0)};
    settings.weightDecay = reader.get<double>("weight_decay", 0.0);
    settings.group = reader.get<std::string>("group", "network");
    return settings;
}

LayerSpec conv2d(TableReader& reader)
{
    return Conv2d{
        reader.get<std::int64_t>("channels"),
        reader.extent("kernel", {3, 3}),
        reader.extent("stride", {1, 1}),
        padding(reader),
        activation(reader),
        parameterSettings(reader),
        reader.get<bool>("has_bias", true),
        reader.get<std::int64_t>("groups", 1)};
}

LayerSpec convTranspose2d(TableReader& reader)
{
    return ConvTranspose2d{
        reader.get<std::int64_t>("channels"),
        reader.extent("kernel", {2, 2}),
        reader.extent("stride", {2, 2}),
        padding(reader),
        parameterSettings(reader),
        reader.get<bool>("has_bias", true)};
}

LayerSpec maxPool(TableReader& reader)
{
    return MaxPool{
        reader.extent("window", {2, 2}), reader.extent("stride", {2, 2}), padding(reader)};
}

LayerSpec averagePool(TableReader& reader)
{
    return AveragePool{
        reader.extent("window", {2, 2}), reader.extent("stride", {2, 2}), padding(reader),
        reader.get<bool>("counts_padding", false)};
}

LayerSpec lrn(TableReader& reader)
{
    const Lrn defaults;
    return Lrn{
        reader.get<std::int64_t>("depth_radius", defaults.depthRadius),
        reader.get<double>("bias", defaults.bias), reader.get<double>("alpha", defaults.alpha),
        reader.get<double>("beta", defaults.beta)};
}

LayerSpec dense(TableReader& reader)
{
    return Dense{reader.get<std::int64_t>("units"), activation(reader), parameterSettings(reader)};
}

LayerSpec normalization(TableReader& reader)
{
    Normalization result;
    result.mode = reader.choose<NormalizationMode>(
        "mode", result.mode,
        {{"per_image", NormalizationMode::PerImage},
         {"batch", NormalizationMode::Batch},
         {"synchronised", NormalizationMode::Synchronised},
         {"moving", NormalizationMode::Moving}});
    result.hasScale = reader.get<bool>("has_scale", result.hasScale);
    result.epsilon = reader.get<double>("epsilon", result.epsilon);
    result.decay = reader.get<double>("decay", result.decay);
    result.activation = activation(reader);
    result.isUnbiased = reader.get<bool>("unbiased", result.isUnbiased);
    result.parameters.group = reader.get<std::string>("group", result.parameters.group);
    return result;
}

LayerSpec layerNorm(TableReader& reader)
{
    LayerNorm result;
    result.epsilon = reader.get<double>("epsilon", result.epsilon);
    result.parameters.group = reader.get<std::string>("group", result.parameters.group);
    return result;
}

LayerSpec globalPool(TableReader& reader)
{
    return GlobalPool{reader.choose<Reduction>(
        "reduction", Reduction::Average,
        {{"average", Reduction::Average}, {"max", Reduction::Max}})};
}

template<class Spec>
LayerSpec bare(TableReader& /*reader*/)
{
    return Spec{};
}

LayerSpec add(TableReader& reader)
{
    return Add{activation(reader)};
}

LayerSpec dropout(TableReader& reader)
{
    return Dropout{reader.get<double>("keep", Dropout().keep)};
}

LayerSpec elementwise(TableReader& reader)
{
    if (!reader.has("activation")) {
        reader.refuse("'activation' is missing: relu, sigmoid, silu, gelu, hard_swish or "
                      "hard_sigmoid");
    }
    return Elementwise{activation(reader)};
}

} // namespace

LayerSpec readLayer(TableReader& reader)
{
    using Read = LayerSpec (*)(TableReader&);
    const std::vector<std::pair<std::string, Read>> kinds{
        {"conv2d", conv2d},
        {"conv_transpose2d", convTranspose2d},
        {"max_pool", maxPool},
        {"average_pool", averagePool},
        {"lrn", lrn},
        {"dense", dense},
        {"normalization", normalization},
        {"layer_norm", layerNorm},
        {"global_pool", globalPool},
        {"concat", bare<Concat>},
        {"add", add},
        {"scale", bare<Scale>},
        {"dropout", dropout},
        {"elementwise", elementwise}};
    const auto type = reader.get<std::string>("type");
    std::string known;
    for (const auto& [name, read] : kinds) {
        if (name == type) {
            return read(reader);
        }
        known += (known.empty() ? "" : ", ") + name;
    }
    reader.refuse(fmt::format("type '{}' is not known; choose one of: {}", type, known));
}

} // namespace lockstep
