// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/config/training_phases.h"

#include <toml++/toml.h>

#include <string>
#include <vector>

namespace lockstep {

/// A number as TOML, in as few digits as read back equal.
std::string decimalText(double value);

/// The phases of a run as TOML: a list of tables on one line, "[]" without any.
std::string phasesText(const std::vector<PhaseSettings>& phases);

/// From what stands under the key "phase". Error(BadInput) names phase and key.
std::vector<PhaseSettings> readPhases(const toml::node& node);
/// From a text as phasesText() makes it; an empty text is no phase.
std::vector<PhaseSettings> readPhases(const std::string& text);

/// Sets "0.steps" from text, as after `--set phase.0.steps=100`. The number behind the last phase
/// makes a new one. Error(BadInput) names phase and key.
void setPhaseValue(
    std::vector<PhaseSettings>& phases, const std::string& key, const std::string& value);

} // namespace lockstep
