// SPDX-License-Identifier: Apache-2.0
#include "network/model_file.h"

#include "base/error.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <fstream>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>

namespace lockstep {
namespace {

/// Reads the keys of one table and, at the end, refuses those that nobody asked for.
class TableReader
{
public:
    TableReader(const toml::table& table, std::string place)
        : m_table(table), m_place(std::move(place))
    {
    }

    [[noreturn]] void refuse(const std::string& what) const
    {
        fail(ErrorCode::BadInput, "{}: {}", m_place, what);
    }

    [[nodiscard]] bool has(const char* key) const { return m_table.contains(key); }

    template<class T>
    T get(const char* key)
    {
        if (!has(key)) {
            refuse(fmt::format("'{}' is missing", key));
        }
        m_known.insert(key);
        const auto value = m_table[key].value<T>();
        if (!value) {
            refuse(fmt::format("'{}' must be {}", key, typeName<T>()));
        }
        return *value;
    }

    template<class T>
    T get(const char* key, T fallback)
    {
        return has(key) ? get<T>(key) : std::move(fallback);
    }

    Extent extent(const char* key, Extent fallback)
    {
        if (!has(key)) {
            return fallback;
        }
        m_known.insert(key);
        const auto* cells = m_table[key].as_array();
        const bool isPair =
            cells != nullptr && cells->size() == 2 && cells->is_homogeneous<std::int64_t>();
        if (!isPair) {
            refuse(fmt::format("'{}' must be [height, width]", key));
        }
        return {cells->at(0).value_or(std::int64_t{0}), cells->at(1).value_or(std::int64_t{0})};
    }

    TableReader table(const char* key)
    {
        m_known.insert(key);
        const auto* inner = m_table[key].as_table();
        if (inner == nullptr) {
            refuse(fmt::format("'{}' must be a table", key));
        }
        return {*inner, fmt::format("{}: {}", m_place, key)};
    }

    std::vector<TableReader> tables(const char* key)
    {
        m_known.insert(key);
        const auto* array = m_table[key].as_array();
        if (array == nullptr || array->empty() || !array->is_homogeneous<toml::table>()) {
            refuse(fmt::format("needs at least one [[{}]]", key));
        }
        std::vector<TableReader> readers;
        for (const auto& node : *array) {
            const toml::table& inner = *node.as_table();
            const std::string name = inner["name"].value_or(std::to_string(readers.size() + 1));
            readers.emplace_back(inner, fmt::format("{}: {} '{}'", m_place, key, name));
        }
        return readers;
    }

    void finish() const
    {
        for (const auto& [key, value] : m_table) {
            if (!m_known.contains(std::string(key.str()))) {
                refuse(fmt::format("the key '{}' is not known", key.str()));
            }
        }
    }

private:
    template<class T>
    static const char* typeName()
    {
        if constexpr (std::is_same_v<T, std::string>) {
            return "a text in quotes";
        } else if constexpr (std::is_same_v<T, double>) {
            return "a number";
        } else {
            return "a whole number";
        }
    }

    const toml::table& m_table;
    std::string m_place;
    std::set<std::string> m_known;
};

template<class T>
T choose(
    TableReader& reader, const char* key, T fallback,
    const std::vector<std::pair<std::string, T>>& names)
{
    if (!reader.has(key)) {
        return fallback;
    }
    const auto text = reader.get<std::string>(key);
    std::string known;
    for (const auto& [name, value] : names) {
        if (name == text) {
            return value;
        }
        known += (known.empty() ? "" : ", ") + name;
    }
    reader.refuse(fmt::format("'{}' is '{}', but must be one of: {}", key, text, known));
}

Padding padding(TableReader& reader)
{
    return choose<Padding>(
        reader, "padding", Padding::Same, {{"same", Padding::Same}, {"valid", Padding::Valid}});
}

Activation activation(TableReader& reader)
{
    return choose<Activation>(
        reader, "activation", Activation::None,
        {{"none", Activation::None}, {"relu", Activation::Relu}});
}

ParameterSettings parameterSettings(TableReader& reader)
{
    ParameterSettings settings;
    settings.weights = TruncatedNormal{reader.get<double>("stddev", 0.05)};
    settings.bias = Constant{reader.get<double>("bias", 0.0)};
    settings.weightDecay = reader.get<double>("weight_decay", 0.0);
    settings.group = reader.get<std::string>("group", "network");
    return settings;
}

LayerSpec layerSpec(TableReader& reader)
{
    const auto type = reader.get<std::string>("type");
    if (type == "conv2d") {
        return Conv2d{
            reader.get<std::int64_t>("channels"),
            reader.extent("kernel", {3, 3}),
            reader.extent("stride", {1, 1}),
            padding(reader),
            activation(reader),
            parameterSettings(reader)};
    }
    if (type == "max_pool") {
        return MaxPool{
            reader.extent("window", {2, 2}), reader.extent("stride", {2, 2}), padding(reader)};
    }
    if (type == "lrn") {
        const Lrn defaults;
        return Lrn{
            reader.get<std::int64_t>("depth_radius", defaults.depthRadius),
            reader.get<double>("bias", defaults.bias), reader.get<double>("alpha", defaults.alpha),
            reader.get<double>("beta", defaults.beta)};
    }
    if (type == "dense") {
        return Dense{
            reader.get<std::int64_t>("units"), activation(reader), parameterSettings(reader)};
    }
    reader.refuse(
        fmt::format("type '{}' is not known; choose one of: conv2d, max_pool, lrn, dense", type));
}

/// Layers by name while a file is read.
class NamedLayers
{
public:
    void add(const std::string& name, LayerId id) { m_layers.emplace_back(name, id); }
    [[nodiscard]] LayerId find(const std::string& name, const TableReader& reader) const
    {
        for (const auto& [known, id] : m_layers) {
            if (known == name) {
                return id;
            }
        }
        reader.refuse(fmt::format("there is no layer '{}' before it", name));
    }
    [[nodiscard]] const std::string& last() const { return m_layers.back().first; }

private:
    std::vector<std::pair<std::string, LayerId>> m_layers{{"input", 0}};
};

NetworkSpec readNetwork(TableReader file)
{
    auto input = file.table("input");
    const Shape shape{
        input.get<std::int64_t>("height"), input.get<std::int64_t>("width"),
        input.get<std::int64_t>("channels")};
    input.finish();
    NetworkBuilder builder(file.get<std::string>("name"), shape, file.get<std::int64_t>("classes"));
    NamedLayers layers;
    for (auto& layer : file.tables("layer")) {
        const auto name = layer.get<std::string>("name");
        const LayerId source = layers.find(layer.get<std::string>("from", layers.last()), layer);
        layers.add(name, builder.add(name, layerSpec(layer), {source}));
        layer.finish();
    }
    for (auto& objective : file.tables("objective")) {
        const auto name = objective.get<std::string>("name", "cross_entropy");
        const LayerId logits = layers.find(objective.get<std::string>("logits"), objective);
        builder.objective(
            {name, objective.get<double>("weight", 1.0), SoftmaxCrossEntropy{logits}, {}});
        objective.finish();
    }
    file.finish();
    NetworkSpec network = builder.build();
    // The first objective decides what the network's answer is.
    network.outputs.push_back({"logits", sourceOf(network.objectives.front())});
    return network;
}

} // namespace

NetworkSpec parseModel(const std::string& text, const std::string& origin)
{
    try {
        const toml::table table = toml::parse(text, origin);
        return readNetwork({table, origin});
    } catch (const toml::parse_error& error) {
        const auto& where = error.source().begin;
        fail(ErrorCode::BadInput, "{}, line {}: {}", origin, where.line, error.description());
    } catch (const Error& error) {
        const std::string what = error.what();
        if (what.starts_with(origin)) {
            throw;
        }
        fail(error.code(), "{}: {}", origin, what);
    }
}

NetworkSpec readModelFile(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    if (!stream || std::filesystem::is_directory(file)) {
        fail(
            ErrorCode::BadInput, "{}: can't read the model file{}", file.string(),
            stream ? " (it is a folder)" : errnoText());
    }
    const std::string text{
        std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    return parseModel(text, file.string());
}

} // namespace lockstep
