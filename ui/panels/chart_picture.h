// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <QString>

#include <filesystem>

namespace lockstep::ui {

class ChartStack;
class LiveRun;

/// What stands above the charts in a picture of them.
struct ChartPictureWords
{
    QString title;   ///< the run
    QString caption; ///< what was trained, and how far
};

/// Of the run that is shown.
ChartPictureWords chartPictureWords(const LiveRun& run);

/// Writes the charts as they are laid out, with a line above them: as SVG if the file is named so,
/// else as PNG with so many pixels for each of the widgets'. The file is written whole or not at
/// all. Error(Io) names it.
void writeChartPicture(
    const ChartStack& charts, const ChartPictureWords& words, double pixelRatio,
    const std::filesystem::path& file);

/// What the picture has around the charts, in pixels of the widgets.
QMargins chartPictureMargins(const ChartStack& charts);

} // namespace lockstep::ui
