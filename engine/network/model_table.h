// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "network/layer_spec.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// For model files; includes the TOML library, so no other header includes this one.
namespace lockstep {

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
        const auto value = valueOf<T>(m_table[key]);
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

    /// A text, or several in an array.
    std::vector<std::string> names(const char* key)
    {
        m_known.insert(key);
        std::vector<std::string> result;
        if (const auto* array = m_table[key].as_array()) {
            for (const auto& node : *array) {
                result.push_back(node.value_or(std::string()));
            }
        } else {
            result.push_back(m_table[key].value_or(std::string()));
        }
        if (result.empty() || std::ranges::find(result, std::string()) != result.end()) {
            refuse(fmt::format("'{}' must be a text in quotes, or several in brackets", key));
        }
        return result;
    }

    /// One of a few words; `fallback` where the key is absent.
    template<class T>
    T choose(const char* key, T fallback, const std::vector<std::pair<std::string, T>>& meanings)
    {
        if (!has(key)) {
            return fallback;
        }
        const auto text = get<std::string>(key);
        std::string known;
        for (const auto& [name, value] : meanings) {
            if (name == text) {
                return value;
            }
            known += (known.empty() ? "" : ", ") + name;
        }
        refuse(fmt::format("'{}' is '{}', but must be one of: {}", key, text, known));
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
            readers.push_back(inner(key, *node.as_table(), readers.size()));
        }
        return readers;
    }

    /// Of a table of several, by its name or else its number.
    [[nodiscard]] TableReader inner(
        const char* key, const toml::table& table, std::size_t number) const
    {
        const std::string name = table["name"].value_or(std::to_string(number + 1));
        return {table, fmt::format("{}: {} '{}'", m_place, key, name)};
    }

    /// Somebody else reads this key.
    void know(const char* key) { m_known.insert(key); }

    /// An array; none where the key is absent.
    std::vector<float> numbers(const char* key)
    {
        m_known.insert(key);
        std::vector<float> result;
        if (const auto* array = m_table[key].as_array()) {
            for (const auto& node : *array) {
                const auto number = node.value<double>();
                if (!number) {
                    refuse(fmt::format("'{}' must be numbers in brackets", key));
                }
                result.push_back(static_cast<float>(*number));
            }
        } else if (has(key)) {
            refuse(fmt::format("'{}' must be numbers in brackets", key));
        }
        return result;
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
    /// A whole number is a number, but it is not true or false.
    template<class T>
    static std::optional<T> valueOf(const toml::node_view<const toml::node>& node)
    {
        if constexpr (std::is_same_v<T, bool>) {
            return node.value_exact<T>();
        } else {
            return node.value<T>();
        }
    }

    template<class T>
    static const char* typeName()
    {
        if constexpr (std::is_same_v<T, std::string>) {
            return "a text in quotes";
        } else if constexpr (std::is_same_v<T, double>) {
            return "a number";
        } else if constexpr (std::is_same_v<T, bool>) {
            return "true or false";
        } else {
            return "a whole number";
        }
    }

    const toml::table& m_table;
    std::string m_place;
    std::set<std::string> m_known;
};

} // namespace lockstep
