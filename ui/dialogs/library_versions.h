// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

/// A library that the program uses.
struct LibraryVersion
{
    QString name;
    QString version; ///< of what is loaded; for what is compiled in, of what it was built with
    QString use;     ///< what for, translated
    QString licence; ///< SPDX; empty where this program does not know it
};

/// Version of the program: "0.1.0".
QString programVersion();
/// "GCC 12.2.0".
QString compilerVersion();
/// Qt, what drives the devices that were found, and the rest.
std::vector<LibraryVersion> libraryVersions(const std::vector<DeviceRow>& devices);

} // namespace lockstep::ui
