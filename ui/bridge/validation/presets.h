// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QString>

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

} // namespace lockstep::ui
