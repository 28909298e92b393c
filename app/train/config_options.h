// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {
struct RunConfig;
enum class WeightsKind;
} // namespace lockstep

namespace lockstep::train {

class Command;

/// The flags that set keys of a run's configuration: shorthands such as --towers, --config FILE and
/// --set key=value. Must outlive the reading of the command line.
class ConfigOptions
{
public:
    /// Adds the shorthands for these keys to a command.
    ConfigOptions(Command& command, std::initializer_list<std::string_view> keys);
    ConfigOptions(const ConfigOptions&) = delete;
    ConfigOptions& operator=(const ConfigOptions&) = delete;

    /// Adds --config and --set too.
    void addFileAndSet(Command& command);

    /// Puts what was given over `config`: the file first, then --set, then the shorthands.
    /// Error(BadInput) names the key.
    void apply(RunConfig& config) const;

    /// Whether --config names a file.
    [[nodiscard]] bool hasFile() const { return !m_file.empty(); }
    /// Whether the shorthand for the key is given.
    [[nodiscard]] bool isGiven(const std::string& key) const { return m_shorthands.contains(key); }

private:
    struct Assignment
    {
        std::string key;
        std::string value;
    };
    [[nodiscard]] std::vector<Assignment> assignments() const;

    std::string m_file;
    std::vector<std::string> m_set;
    std::map<std::string, std::string> m_shorthands; ///< by key; only what was given
};

/// The flag --weights: which of a checkpoint's weights are meant.
void addWeights(Command& command, WeightsKind& weights, const char* help);

/// A paragraph with every key, its default and its meaning.
std::string keyTable();

} // namespace lockstep::train
