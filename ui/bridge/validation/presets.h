// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/device.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// A run that is ready to start: shipped with the program (resources/presets), or saved by a
/// person.
struct Preset
{
    QString name;        ///< of its file, without ending: for settings
    QString title;       ///< for menus, translated
    QString description; ///< one line, translated
    RunConfig config;
    bool isOwn = false; ///< a person's
};

/// All presets in the order in which they are offered; the first is what a new window shows.
std::vector<Preset> presets();

/// Those that a person saved, by name; what can't be read is left out.
std::vector<Preset> ownPresets();
/// Whether there is one of this title, be it one that can't be read.
bool hasOwnPreset(const QString& title);
/// Replaces one of the same title. Error(Io) names the file.
void saveOwnPreset(const QString& title, const RunConfig& config);
/// Error(Io) names the file.
void removeOwnPreset(const Preset& preset);

/// What a run is expected to take on this machine.
struct RunEstimate
{
    double seconds = 0.0;  ///< of its steps
    std::size_t bytes = 0; ///< of its towers' memory
};

/// By the arithmetic of its phases and what the processors reach, within about a factor of two.
/// Plans a tower's memory, which takes up to some tenths of a second: any thread. Nothing where the
/// network can't be made, or where the towers are on GPUs.
std::optional<RunEstimate> estimateRun(const RunConfig& config, const HostCeilings& ceilings);

} // namespace lockstep::ui
