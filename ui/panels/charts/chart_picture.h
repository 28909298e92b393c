// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
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

ChartPictureWords chartPictureWords(const LiveRun& run);

/// What a picture looks like, whatever the window does.
struct PictureLook
{
    QSize size; ///< for which it is laid out
    bool isDark = false;
};

/// One chart or all of them: curves and part of the run that are shown now, without anything that
/// is for the hand. The run must outlive it.
struct ChartPicture
{
    QSize size;
    ChartPictureWords words;
    int dotsPerInch = 96; ///< at which texts were laid out
    /// Raw curves are images of so many pixels for each of the picture's.
    std::function<void(QPainter&, double pixelRatio)> paint;
};

/// All charts with the words above them, or one of them alone, whose own ones say enough.
ChartPicture pictureOf(
    const ChartStack& charts, const ChartPictureWords& words, const PictureLook& look,
    const PlotView* alone = nullptr);

/// Writes it as SVG if the file is named so, else as PNG with so many pixels for each of the
/// picture's. The file is written whole or not at all. Error(Io) names it.
void writePicture(
    const ChartPicture& picture, double pixelRatio, const std::filesystem::path& file);
/// So many pixels for each of the picture's.
QImage imageOf(const ChartPicture& picture, double pixelRatio);
/// For the clipboard: as pixels and as SVG.
std::unique_ptr<QMimeData> mimeDataOf(const ChartPicture& picture, double pixelRatio);

} // namespace lockstep::ui
