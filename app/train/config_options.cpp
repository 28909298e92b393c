// SPDX-License-Identifier: Apache-2.0
#include "config_options.h"

#include "command_line.h"
#include "engine/base.h"
#include "engine/config.h"
#include "engine/records.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace lockstep::train {
namespace {

struct Shorthand
{
    std::string_view key;
    const char* flag;
    const char* value;
    const char* help;
};

constexpr std::array kShorthands{
    Shorthand{
        "model.name", "--model", "NAME|FILE.toml",
        "Built-in network (cifar10) or a model file; default cifar10"},
    Shorthand{
        "dataset.name", "--dataset", "NAME",
        "What to train on: cifar10, kolektorsdd, image_folder, masked_folder, tfrecord, synthetic "
        "or synthetic_defects; the last two need no files; default synthetic"},
    Shorthand{
        "dataset.path", "--data", "DIR|FILE.zip",
        "Folder or archive of the data set; default: where it is already found"},
    Shorthand{"towers", "--towers", "N", "Towers that train in lockstep; default 2"},
    Shorthand{
        "device", "--device", "auto|cpu|cuda|cuda:I[,J]",
        "auto takes what is there and says so, a named one is strict; default auto"},
    Shorthand{
        "batch_per_tower", "--batch-per-tower", "B",
        "Examples of one tower in one step; default 128"},
    Shorthand{
        "global_batch", "--global-batch", "G",
        "Examples of all towers in one step, instead of --batch-per-tower; a multiple of N"},
    Shorthand{
        "steps", "--steps", "S", "Updates in all, those before a resume included; default 1000"},
    Shorthand{
        "learning_rate.initial", "--learning-rate", "RATE",
        "Learning rate of the first step; it decays from there; default 0.1"},
    Shorthand{
        "seed", "--seed", "K",
        "Key of every random number: on the same machine the same seed repeats the run bit for "
        "bit; default 1"},
    Shorthand{
        "precision", "--precision", "float32|tf32|bfloat16",
        "Number format of the arithmetic; default float32"}};

} // namespace

ConfigOptions::ConfigOptions(Command& command, std::initializer_list<std::string_view> keys)
{
    for (const Shorthand& shorthand : kShorthands) {
        if (std::ranges::find(keys, shorthand.key) == keys.end()) {
            continue;
        }
        const auto keep = [this, key = std::string(shorthand.key)](const std::string& value) {
            m_shorthands[key] = value;
        };
        command.optionFunction(shorthand.flag, keep, shorthand.value, shorthand.help);
    }
}

void ConfigOptions::addFileAndSet(Command& command)
{
    command.option("--config", m_file, "FILE.toml", "Configuration with the keys below");
    command
        .option(
            "--set", m_set, "KEY=VALUE",
            "Sets one of the keys below; may be given several times. Flags win over --set, --set "
            "wins over --config")
        .mayRepeat();
}

std::vector<ConfigOptions::Assignment> ConfigOptions::assignments() const
{
    std::vector<Assignment> result;
    for (const std::string& text : m_set) {
        const auto equals = text.find('=');
        if (equals == std::string::npos) {
            fail(ErrorCode::BadInput, "--set {}: needs the form key=value", text);
        }
        result.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    for (const auto& [key, value] : m_shorthands) {
        result.push_back({key, value});
    }
    // A model says how many steps it is usually trained for, unless they are given.
    const auto isOfModel = [](const Assignment& assignment) {
        return assignment.key == "model" || assignment.key.starts_with("model.");
    };
    std::stable_partition(result.begin(), result.end(), isOfModel);
    return result;
}

void ConfigOptions::apply(RunConfig& config) const
{
    replaceSettings(config, [&] {
        if (!m_file.empty()) {
            readConfigFile(config, m_file);
        }
        replaceBatch(config, [&] {
            for (const Assignment& assignment : assignments()) {
                setConfigValue(config, assignment.key, assignment.value);
            }
        });
    });
}

void addWeights(Command& command, WeightsKind& weights, const char* help)
{
    const auto take = [&weights](const std::string& name) {
        weights = name == "raw" ? WeightsKind::Raw : WeightsKind::Average;
    };
    command.optionFunction("--weights", take, "average|raw", help).isOneOf({"average", "raw"});
}

std::string keyTable()
{
    std::string table = "Keys of --set and --config, with their defaults:\n";
    const RunConfig defaults;
    for (const ConfigKey& key : configKeys(defaults)) {
        table += fmt::format(
            "  {:<40} {}\n", key.name + " = " + (key.value.empty() ? "…" : key.value), key.meaning);
    }
    return table;
}

} // namespace lockstep::train
