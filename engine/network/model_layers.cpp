// SPDX-License-Identifier: Apache-2.0
#include "network/model_layers.h"

namespace lockstep {
namespace {

Padding padding(TableReader& reader)
{
    return reader.choose<Padding>(
        "padding", Padding::Same, {{"same", Padding::Same}, {"valid", Padding::Valid}});
}

Activation activation(TableReader& reader)
{
    return reader.choose<Activation>(
        "activation", Activation::None,
        {{"none", Activation::None}, {"relu", Activation::Relu}, {"sigmoid", Activation::Sigmoid}});
}

Initializer initializer(TableReader& reader)
{
    const auto stddev = reader.get<double>("stddev", 0.05);
    const auto chosen = reader.choose<Initializer>(
        "initializer", TruncatedNormal{stddev},
        {{"truncated_normal", TruncatedNormal{stddev}},
         {"normal", Normal{stddev}},
         {"xavier_uniform", XavierUniform{}}});
    if (std::holds_alternative<XavierUniform>(chosen) && reader.has("stddev")) {
        reader.refuse("'stddev' has no place beside xavier_uniform, whose range follows from the "
                      "layer; leave one of them out");
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
        reader.get<bool>("has_bias", true)};
}

template<class Pool>
LayerSpec pool(TableReader& reader)
{
    return Pool{reader.extent("window", {2, 2}), reader.extent("stride", {2, 2}), padding(reader)};
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
    result.parameters.group = reader.get<std::string>("group", result.parameters.group);
    return result;
}

LayerSpec globalPool(TableReader& reader)
{
    return GlobalPool{reader.choose<Reduction>(
        "reduction", Reduction::Average,
        {{"average", Reduction::Average}, {"max", Reduction::Max}})};
}

LayerSpec concat(TableReader& /*reader*/)
{
    return Concat{};
}

LayerSpec dropout(TableReader& reader)
{
    return Dropout{reader.get<double>("keep", Dropout().keep)};
}

LayerSpec elementwise(TableReader& reader)
{
    if (!reader.has("activation")) {
        reader.refuse("'activation' is missing: relu or sigmoid");
    }
    return Elementwise{activation(reader)};
}

} // namespace

LayerSpec readLayer(TableReader& reader)
{
    using Read = LayerSpec (*)(TableReader&);
    const std::vector<std::pair<std::string, Read>> kinds{
        {"conv2d", conv2d},
        {"max_pool", pool<MaxPool>},
        {"average_pool", pool<AveragePool>},
        {"lrn", lrn},
        {"dense", dense},
        {"normalization", normalization},
        {"global_pool", globalPool},
        {"concat", concat},
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
