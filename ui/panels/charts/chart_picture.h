// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <QSize>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>

class QMimeData;
class QPainter;

namespace lockstep::ui {

class ChartStack;
class LiveRun;
class PlotView;

/// What stands above the charts in a picture of them.
struct ChartPictureWords
{
    QString title;   ///< the run
    QString caption; ///< what was trained, and how far
};

/// Of the run that is shown.
ChartPictureWords chartPictureWords(const LiveRun& run);

/// One chart or all of them as they are shown now, in their colours, without cross-hair and focus.
/// What it is of must outlive it.
struct ChartPicture
{
    QSize size; ///< in pixels of the widgets
    ChartPictureWords words;
    int dotsPerInch = 96; ///< at which texts were laid out
    /// Raw curves are images of so many pixels for each of the widgets'.
    std::function<void(QPainter&, double pixelRatio)> paint;
};

/// All charts as they are laid out, with a line above them.
ChartPicture pictureOf(const ChartStack& charts, const ChartPictureWords& words);
/// One chart.
ChartPicture pictureOf(PlotView& chart);

/// Writes it as SVG if the file is named so, else as PNG with so many pixels for each of the
/// widgets'. The file is written whole or not at all. Error(Io) names it.
void writePicture(
    const ChartPicture& picture, double pixelRatio, const std::filesystem::path& file);
/// For the clipboard: as pixels and as SVG.
std::unique_ptr<QMimeData> mimeDataOf(const ChartPicture& picture, double pixelRatio);

/// What the picture has around the charts, in pixels of the widgets.
QMargins chartPictureMargins(const ChartStack& charts);

} // namespace lockstep::ui
