// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

/// A run that is ready to start, shipped with the program (resources/presets).
struct Preset
{
    QString name;        ///< of its file, without ending: for settings
    QString title;       ///< for menus, translated
    QString description; ///< one line, translated
    RunConfig config;
};

/// All presets in the order in which they are offered; the first is what a new window shows.
std::vector<Preset> presets();

} // namespace lockstep::ui
