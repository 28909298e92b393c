// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart_export.h"

#include <QStringList>

#include <optional>

class QCoreApplication;

namespace lockstep::ui {

/// What is said on the command line.
struct Arguments
{
    QStringList paths;         ///< what the window opens: absolute, or addresses of machines
    bool hasOwnWindow = false; ///< also where one is open that could show it
    std::optional<ChartExport> chartExport;
};

/// Ends the program with a line about what can't be understood, or after --help and --version.
Arguments parseArguments(const QCoreApplication& application);

} // namespace lockstep::ui
