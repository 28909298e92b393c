// SPDX-License-Identifier: Apache-2.0
#include "session/config/phase_keys.h"

#include "base/error.h"
#include "session/config/name_list.h"

#include <fmt/core.h>

#include <charconv>
#include <sstream>

namespace lockstep {
namespace {

constexpr const char* kKnown = "objective, steps, learning_rate and frozen";

template<class Toml>
std::string tomlText(const Toml& value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

std::string phaseText(const PhaseSettings& phase)
{
    std::string text = fmt::format(
        "{{objective = {}, steps = {}", tomlText(toml::value<std::string>(phase.objective)),
        phase.steps);
    if (phase.learningRate) {
        text += ", learning_rate = " + decimalText(*phase.learningRate);
    }
    if (!phase.frozen.empty()) {
        text += ", frozen = " + namesText(phase.frozen);
    }
    return text + "}";
}

[[noreturn]] void refuse(const std::string& key, const char* kind)
{
    fail(ErrorCode::BadInput, "{} must be {}", key, kind);
}

/// `place` is "phase.0".
void readKey(
    PhaseSettings& phase, const std::string& place, const std::string& name, const toml::node& node)
{
    const std::string key = place + "." + name;
    if (name == "objective") {
        const auto text = node.value_exact<std::string>();
        phase.objective = text ? *text : (refuse(key, "a text in quotes"), "");
    } else if (name == "steps") {
        const auto steps = node.value_exact<std::int64_t>();
        phase.steps = steps ? *steps : (refuse(key, "a whole number"), 0);
    } else if (name == "learning_rate") {
        const auto rate = node.is_number() ? node.value<double>() : std::nullopt;
        phase.learningRate = rate ? *rate : (refuse(key, "a number"), 0.0);
    } else if (name == "frozen") {
        phase.frozen = readNames(key, node);
    } else {
        fail(ErrorCode::BadInput, "the key '{}' is not known; a phase has {}", key, kKnown);
    }
}

/// "0.steps" is phase 0 and "steps".
std::pair<std::size_t, std::string> split(const std::string& key)
{
    const std::size_t dot = key.find('.');
    std::size_t number = 0;
    const char* const end = key.data() + std::min(dot, key.size());
    const auto [stop, error] = std::from_chars(key.data(), end, number);
    if (dot == std::string::npos || error != std::errc() || stop != end) {
        fail(
            ErrorCode::BadInput,
            "the key 'phase.{}' is not known; say which phase, from 0, and what of it: "
            "phase.0.steps",
            key);
    }
    return {number, key.substr(dot + 1)};
}

} // namespace

std::string decimalText(double value)
{
    // TOML tells floats from integers by their point or exponent.
    const std::string text = fmt::format("{}", value);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

std::string phasesText(const std::vector<PhaseSettings>& phases)
{
    std::string text;
    for (const PhaseSettings& phase : phases) {
        text += (text.empty() ? "" : ", ") + phaseText(phase);
    }
    return "[" + text + "]";
}

std::vector<PhaseSettings> readPhases(const toml::node& node)
{
    const toml::array* const list = node.as_array();
    if (list == nullptr) {
        refuse("phase", "a list of tables: [[phase]]");
    }
    std::vector<PhaseSettings> phases;
    for (const toml::node& each : *list) {
        const std::string place = fmt::format("phase.{}", phases.size());
        const toml::table* const table = each.as_table();
        if (table == nullptr) {
            refuse(place, "a table");
        }
        PhaseSettings phase;
        for (const auto& [name, value] : *table) {
            readKey(phase, place, std::string(name.str()), value);
        }
        phases.push_back(std::move(phase));
    }
    return phases;
}

std::vector<PhaseSettings> readPhases(const std::string& text)
{
    if (text.empty()) {
        return {};
    }
    try {
        return readPhases(*toml::parse("phase = " + text).get("phase"));
    } catch (const toml::parse_error& error) {
        fail(ErrorCode::BadInput, "phase is not a list of phases in TOML: {}", error.description());
    }
}

void setPhaseValue(
    std::vector<PhaseSettings>& phases, const std::string& key, const std::string& value)
{
    const auto [number, name] = split(key);
    if (number > phases.size()) {
        fail(
            ErrorCode::BadInput, "phase.{} is set, but there are {} phases; the next is phase.{}",
            number, phases.size(), phases.size());
    }
    std::vector<PhaseSettings> changed = phases;
    changed.resize(std::max(phases.size(), number + 1));
    // Texts need no quotes, and one group no list.
    const bool isText = name == "objective" || (name == "frozen" && !value.starts_with('['));
    const std::string text = isText ? tomlText(toml::value<std::string>(value)) : value;
    try {
        const toml::table table = toml::parse("value = " + text);
        readKey(changed[number], fmt::format("phase.{}", number), name, *table.get("value"));
    } catch (const toml::parse_error&) {
        fail(ErrorCode::BadInput, "phase.{} is '{}', which can't be read", key, value);
    }
    phases = std::move(changed);
}

} // namespace lockstep
