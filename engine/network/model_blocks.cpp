// SPDX-License-Identifier: Apache-2.0
#include "network/model_blocks.h"

#include "base/error.h"

#include <fmt/core.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

/// Puts values in the place of "$name".
class Parameters
{
public:
    Parameters(std::string place, std::int64_t classes) : m_place(std::move(place))
    {
        m_values.insert_or_assign("classes", classes);
        m_used.insert("classes");
    }

    void set(std::string_view name, const toml::node& value)
    {
        m_values.insert_or_assign(name, value);
    }

    [[nodiscard]] toml::table filled(const toml::table& from)
    {
        toml::table table;
        for (const auto& [key, node] : from) {
            toml::array value;
            add(node, value);
            table.insert_or_assign(key.str(), *value.get(0));
        }
        return table;
    }

    /// Those that nothing asks for are mistakes.
    void checkUsed() const
    {
        for (const auto& [key, node] : m_values) {
            if (!m_used.contains(std::string(key.str()))) {
                fail(
                    ErrorCode::BadInput, "{}: the block has no place for '{}'", m_place, key.str());
            }
        }
    }

private:
    /// Adds what a node means to an array.
    void add(const toml::node& node, toml::array& to)
    {
        const std::string text = node.value_or(std::string());
        if (const auto* array = node.as_array()) {
            toml::array inner;
            for (const toml::node& one : *array) {
                add(one, inner);
            }
            to.push_back(std::move(inner));
        } else if (text.starts_with('$')) {
            const std::string name = text.substr(1);
            const toml::node* value = m_values.get(name);
            if (value == nullptr) {
                fail(
                    ErrorCode::BadInput, "{}: '{}' stands for nothing; give '{}' a value", m_place,
                    text, name);
            }
            m_used.insert(name);
            to.push_back(*value);
        } else {
            to.push_back(node);
        }
    }

    std::string m_place;
    toml::table m_values;
    std::set<std::string> m_used;
};

class Expansion
{
public:
    Expansion(const toml::table& file, std::int64_t classes, std::string origin)
        : m_classes(classes), m_origin(std::move(origin))
    {
        if (const auto* blocks = file["block"].as_array()) {
            for (const toml::node& node : *blocks) {
                addBlock(node);
            }
        }
    }

    void add(const toml::table& layer)
    {
        const auto type = layer["type"].value_or(std::string());
        const auto found = m_blocks.find(type);
        if (found == m_blocks.end()) {
            Parameters parameters(placeOf("layer", layer), m_classes);
            push(parameters.filled(layer));
            return;
        }
        const std::int64_t repeat = layer["repeat"].value_or(std::int64_t{1});
        if (repeat < 1) {
            fail(
                ErrorCode::BadInput, "{}: repeat is {}, but must be at least 1",
                placeOf("layer", layer), repeat);
        }
        const auto name = layer["name"].value_or(std::string());
        for (std::int64_t i = 0; i < repeat; ++i) {
            const bool isNumbered = layer.contains("repeat");
            const std::int64_t number = layer["first"].value_or(std::int64_t{0}) + i;
            addInstance(
                *found->second, layer, isNumbered ? fmt::format("{}.{}", name, number) : name,
                i == 0);
        }
    }

    [[nodiscard]] std::vector<toml::table> take() { return std::move(m_layers); }

private:
    [[nodiscard]] std::string placeOf(const char* what, const toml::table& table) const
    {
        return fmt::format("{}: {} '{}'", m_origin, what, table["name"].value_or(std::string()));
    }

    void addBlock(const toml::node& node)
    {
        const toml::table* block = node.as_table();
        const auto name =
            block == nullptr ? std::string() : (*block)["name"].value_or(std::string());
        const auto* layers = block == nullptr ? nullptr : (*block)["layer"].as_array();
        const bool hasLayers =
            layers != nullptr && !layers->empty() && layers->is_homogeneous<toml::table>();
        if (name.empty() || !hasLayers) {
            fail(
                ErrorCode::BadInput, "{}: block '{}' needs a name and at least one [[block.layer]]",
                m_origin, name);
        }
        for (const auto& [key, value] : *block) {
            if (key != "name" && key != "layer" && key != "defaults") {
                fail(
                    ErrorCode::BadInput, "{}: block '{}': the key '{}' is not known", m_origin,
                    name, key.str());
            }
        }
        if (!m_blocks.emplace(name, block).second) {
            fail(ErrorCode::BadInput, "{}: block '{}': the name is used twice", m_origin, name);
        }
    }

    void addInstance(
        const toml::table& block, const toml::table& layer, const std::string& name, bool isFirst)
    {
        Parameters parameters(fmt::format("{}: layer '{}'", m_origin, name), m_classes);
        if (const auto* defaults = block["defaults"].as_table()) {
            for (const auto& [key, value] : *defaults) {
                parameters.set(key.str(), value);
            }
        }
        for (const auto& [key, value] : layer) {
            static const std::set<std::string_view> kOwn{"name", "type", "from", "repeat", "first"};
            if (!kOwn.contains(key.str())) {
                parameters.set(key.str(), value);
            }
        }
        const auto given = layer["from"].value_or(std::string());
        const std::string source = isFirst && !given.empty() ? given : m_last;
        const toml::array& layers = *block["layer"].as_array();
        std::map<std::string, std::string> names{{"input", source}};
        for (const toml::node& node : layers) {
            const auto inner = (*node.as_table())["name"].value_or(std::string());
            names.insert_or_assign(inner, &node == &layers.back() ? name : name + "." + inner);
        }
        bool isBegin = true;
        for (const toml::node& node : layers) {
            toml::table one = parameters.filled(*node.as_table());
            one.insert_or_assign("name", names[one["name"].value_or(std::string())]);
            rename(one, names);
            if (isBegin && !one.contains("from")) {
                one.insert_or_assign("from", source);
            }
            push(std::move(one));
            isBegin = false;
        }
        parameters.checkUsed();
    }

    static void rename(toml::table& layer, const std::map<std::string, std::string>& names)
    {
        const auto renamed = [&](const toml::node& node) {
            const auto name = node.value_or(std::string());
            const auto found = names.find(name);
            return found == names.end() ? name : found->second;
        };
        if (const auto* several = layer["from"].as_array()) {
            toml::array from;
            for (const toml::node& one : *several) {
                from.push_back(renamed(one));
            }
            layer.insert_or_assign("from", std::move(from));
        } else if (const auto* one = layer["from"].node()) {
            layer.insert_or_assign("from", renamed(*one));
        }
    }

    void push(toml::table layer)
    {
        m_last = layer["name"].value_or(std::string());
        m_layers.push_back(std::move(layer));
    }

    std::int64_t m_classes;
    std::string m_origin;
    std::map<std::string, const toml::table*> m_blocks;
    std::vector<toml::table> m_layers;
    std::string m_last = "input";
};

} // namespace

std::vector<toml::table> expandedLayers(
    const toml::table& file, std::int64_t classes, const std::string& origin)
{
    const auto* layers = file["layer"].as_array();
    if (layers == nullptr || layers->empty() || !layers->is_homogeneous<toml::table>()) {
        fail(ErrorCode::BadInput, "{}: needs at least one [[layer]]", origin);
    }
    Expansion expansion(file, classes, origin);
    for (const toml::node& layer : *layers) {
        expansion.add(*layer.as_table());
    }
    return expansion.take();
}

} // namespace lockstep
