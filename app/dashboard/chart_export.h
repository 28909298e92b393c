// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include <filesystem>
#include <vector>

namespace lockstep::ui {

/// What --export asks for.
struct ChartExport
{
    std::filesystem::path run;
    std::vector<std::filesystem::path> files; ///< each .svg or .png
    QSize size{1440, 900};                    ///< of the picture, in pixels
    int scale = 1;                            ///< of a PNG: pixels for each of the size
    bool isDark = false;
};

/// Writes the charts of a run, finished or being trained, as pictures; shows no window. Returns
/// once they are there, with a line about them. Needs a QApplication. Errors name run or file.
QString exportCharts(const ChartExport& wanted);

} // namespace lockstep::ui
