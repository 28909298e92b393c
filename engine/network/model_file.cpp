// SPDX-License-Identifier: Apache-2.0
#include "network/model_file.h"

#include "base/error.h"
#include "network/model_blocks.h"
#include "network/model_layers.h"
#include "network/model_table.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace lockstep {
namespace {

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
        reader.refuse(
            std::ranges::find(m_all, name) == m_all.end()
                ? fmt::format("there is no layer '{}' before it", name)
                : fmt::format(
                    "layer '{}' comes after it, or is itself; what a layer reads must be listed "
                    "before it, so that nothing goes round in a circle",
                    name));
    }
    [[nodiscard]] const std::string& last() const { return m_layers.back().first; }
    /// Those that will be added.
    void announce(const std::string& name) { m_all.push_back(name); }

private:
    std::vector<std::pair<std::string, LayerId>> m_layers{{"input", 0}};
    std::vector<std::string> m_all;
};

void readOutputs(TableReader& file, const NamedLayers& layers, NetworkBuilder& builder)
{
    if (!file.has("output")) {
        return;
    }
    for (auto& output : file.tables("output")) {
        const auto name = output.get<std::string>("name");
        builder.output(name, layers.find(output.get<std::string>("layer"), output));
        output.finish();
    }
}

void readObjectives(TableReader& file, const NamedLayers& layers, NetworkBuilder& builder)
{
    if (file.has("mask")) {
        auto mask = file.table("mask");
        builder.mask(mask.get<std::int64_t>("height"), mask.get<std::int64_t>("width"));
        mask.finish();
    }
    using Target = SigmoidCrossEntropy::Target;
    using Loss = decltype(Objective::loss);
    for (auto& reader : file.tables("objective")) {
        Objective objective;
        objective.name = reader.get<std::string>("name", "cross_entropy");
        objective.weight = reader.get<double>("weight", 1.0);
        const LayerId logits = layers.find(reader.get<std::string>("logits"), reader);
        const SoftmaxCrossEntropy ofLabel{
            logits, reader.get<double>("label_smoothing", 0.0), reader.numbers("class_weights")};
        objective.loss = reader.choose<Loss>(
            "target", ofLabel,
            {{"label", ofLabel},
             {"mask", SigmoidCrossEntropy{logits, Target::Mask}},
             {"mask_sum", SigmoidCrossEntropy{logits, Target::MaskSum}}});
        for (const char* key : {"label_smoothing", "class_weights"}) {
            if (reader.has(key) && !std::holds_alternative<SoftmaxCrossEntropy>(objective.loss)) {
                reader.refuse(fmt::format("'{}' has no place beside a mask; leave it out", key));
            }
        }
        if (reader.has("groups")) {
            objective.groups = reader.names("groups");
        }
        builder.objective(objective);
        reader.finish();
    }
}

NetworkSpec readNetwork(const toml::table& table, const std::string& origin, std::int64_t wanted)
{
    TableReader file(table, origin);
    auto input = file.table("input");
    const Shape shape{
        input.get<std::int64_t>("height"), input.get<std::int64_t>("width"),
        input.get<std::int64_t>("channels")};
    input.finish();
    const auto own = file.get<std::int64_t>("classes");
    const std::int64_t classes = wanted > 0 ? wanted : own;
    NetworkBuilder builder(file.get<std::string>("name"), shape, classes);
    NamedLayers layers;
    file.know("layer");
    file.know("block");
    const std::vector<toml::table> expanded = expandedLayers(table, classes, origin);
    for (const toml::table& one : expanded) {
        layers.announce(one["name"].value_or(std::string()));
    }
    for (std::size_t i = 0; i < expanded.size(); ++i) {
        TableReader layer = file.inner("layer", expanded[i], i);
        const auto name = layer.get<std::string>("name");
        std::vector<LayerId> inputs;
        for (const std::string& source :
             layer.has("from") ? layer.names("from") : std::vector{layers.last()}) {
            inputs.push_back(layers.find(source, layer));
        }
        layers.add(name, builder.add(name, readLayer(layer), inputs));
        layer.finish();
    }
    readOutputs(file, layers, builder);
    readObjectives(file, layers, builder);
    file.finish();
    NetworkSpec network = builder.build();
    if (std::ranges::find(network.outputs, "logits", &NamedOutput::name) == network.outputs.end()) {
        // The first objective decides what the network's answer is.
        network.outputs.push_back({"logits", sourceOf(network.objectives.front())});
    }
    return network;
}

} // namespace

NetworkSpec parseModel(const std::string& text, const std::string& origin, std::int64_t classes)
{
    try {
        const toml::table table = toml::parse(text, origin);
        return readNetwork(table, origin, classes);
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

NetworkSpec readModelFile(const std::filesystem::path& file, std::int64_t classes)
{
    std::ifstream stream(file);
    if (!stream || std::filesystem::is_directory(file)) {
        fail(
            ErrorCode::BadInput, "{}: can't read the model file{}", file.string(),
            stream ? " (it is a folder)" : errnoText());
    }
    const std::string text{
        std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    return parseModel(text, file.string(), classes);
}

bool describesNetwork(const std::filesystem::path& file)
{
    try {
        const toml::table table = toml::parse_file(file.string());
        return table.contains("layer") || table.contains("block");
    } catch (const toml::parse_error&) { // or it can't be read
        return false;
    }
}

} // namespace lockstep
