// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/chart_picture.h"

#include "bridge/file_names.h"
#include "bridge/live_run.h"
#include "panels/chart_stack.h"
#include "plots/number_text.h"
#include "plots/plot_header.h"
#include "plots/plot_view.h"
#include "theme/palette.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace lockstep::ui {
namespace {

constexpr int kMargin = 6;
constexpr int kTextMargin = 12;
constexpr int kAboveTitle = 8;
/// Raw curves in a vector picture stay images: twice as fine as on the screen.
constexpr double kVectorRatio = 2.0;

QSize pictureSize(const ChartStack& charts)
{
    return charts.size().grownBy(chartPictureMargins(charts));
}

void paintPicture(
    QPainter& painter, const ChartStack& charts, const ChartPictureWords& words, double pixelRatio)
{
    const ThemeColors theme = themeColors(charts.palette());
    const QSize size = pictureSize(charts);
    painter.fillRect(QRect(QPoint(), size), theme.window);
    const QMargins around = chartPictureMargins(charts);
    const QRectF line(
        kMargin + kTextMargin, kAboveTitle, size.width() - 2 * (kMargin + kTextMargin),
        charts.fontMetrics().height());
    paintHeader(painter, line, {words.title, words.caption, {}}, charts.font(), theme);
    for (PlotView* const plot : charts.plots()) {
        painter.save();
        painter.translate(plot->pos() + QPoint(around.left(), around.top()));
        plot->paintFrame(painter, pixelRatio);
        painter.restore();
    }
}

bool writeSvg(QIODevice& device, const ChartStack& charts, const ChartPictureWords& words)
{
    QSvgGenerator picture;
    picture.setOutputDevice(&device);
    picture.setSize(pictureSize(charts));
    picture.setViewBox(QRect(QPoint(), pictureSize(charts)));
    picture.setResolution(charts.logicalDpiX()); // texts as large as they were laid out
    picture.setTitle(words.title);
    picture.setDescription(words.caption);
    QPainter painter(&picture);
    paintPicture(painter, charts, words, kVectorRatio);
    return painter.end();
}

bool writePng(
    QIODevice& device, const ChartStack& charts, const ChartPictureWords& words, double pixelRatio)
{
    QImage picture(
        (QSizeF(pictureSize(charts)) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(pixelRatio);
    QPainter painter(&picture);
    paintPicture(painter, charts, words, pixelRatio);
    painter.end();
    return picture.convertToFormat(QImage::Format_RGB32).save(&device, "PNG");
}

} // namespace

ChartPictureWords chartPictureWords(const LiveRun& run)
{
    const RunConfig& config = run.config();
    const std::int64_t done = run.newestStep() ? run.newestStep()->step + 1 : 0;
    return {
        toQString(run.folder().filename()),
        QCoreApplication::translate("ChartPicture", "%1 on %2 · %3 × %4 · %5 steps")
            .arg(
                toQString(std::filesystem::path(config.model).stem()),
                QString::fromStdString(config.dataset), countText(config.towers),
                countText(config.towerShape().batchPerTower), countText(done))};
}

QMargins chartPictureMargins(const ChartStack& charts)
{
    return {kMargin, kAboveTitle + charts.fontMetrics().height() + kMargin, kMargin, kMargin};
}

void writeChartPicture(
    const ChartStack& charts, const ChartPictureWords& words, double pixelRatio,
    const std::filesystem::path& file)
{
    QSaveFile saved(toQString(file));
    const bool isSvg = file.extension() == ".svg";
    const bool isWritten =
        saved.open(QIODevice::WriteOnly)
        && (isSvg ? writeSvg(saved, charts, words) : writePng(saved, charts, words, pixelRatio))
        && saved.commit();
    if (!isWritten) {
        fail(
            ErrorCode::Io, "{}: can't be written ({}); choose another folder or make room",
            file.string(), saved.errorString().toStdString());
    }
}

} // namespace lockstep::ui
