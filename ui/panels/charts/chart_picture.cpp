// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_picture.h"

#include "bridge/base/file_names.h"
#include "bridge/session/live_run.h"
#include "engine/base.h"
#include "engine/config.h"
#include "panels/charts/chart_stack.h"
#include "plots/axes/number_text.h"
#include "plots/parts/plot_header.h"
#include "plots/view/plot_view.h"
#include "theme/palette.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace lockstep::ui {
namespace {

constexpr int kPictureMargin = 6;
constexpr int kTextMargin = 12;
constexpr int kAboveTitle = 8;
/// Raw curves in a vector picture stay images: twice as fine as on the screen.
constexpr double kVectorRatio = 2.0;

QSize sizeOf(const ChartStack& charts)
{
    return charts.size().grownBy(chartPictureMargins(charts));
}

void paintCharts(
    QPainter& painter, const ChartStack& charts, const ChartPictureWords& words, double pixelRatio)
{
    const ThemeColors theme = themeColors(charts.palette());
    const QSize size = sizeOf(charts);
    painter.fillRect(QRect(QPoint(), size), theme.window);
    const QMargins around = chartPictureMargins(charts);
    const QRectF line(
        kPictureMargin + kTextMargin, kAboveTitle,
        size.width() - 2 * (kPictureMargin + kTextMargin), charts.fontMetrics().height());
    paintHeader(painter, line, {words.title, words.caption, {}}, charts.font(), theme);
    for (PlotView* const plot : charts.plots()) {
        if (plot->isHidden()) {
            continue;
        }
        painter.save();
        painter.translate(plot->pos() + QPoint(around.left(), around.top()));
        plot->paintFrame(painter, pixelRatio);
        painter.restore();
    }
}

bool writeSvg(QIODevice& device, const ChartPicture& picture)
{
    QSvgGenerator drawing;
    drawing.setOutputDevice(&device);
    drawing.setSize(picture.size);
    drawing.setViewBox(QRect(QPoint(), picture.size));
    drawing.setResolution(picture.dotsPerInch); // texts as large as they were laid out
    drawing.setTitle(picture.words.title);
    drawing.setDescription(picture.words.caption);
    QPainter painter(&drawing);
    picture.paint(painter, kVectorRatio);
    return painter.end();
}

QImage imageOf(const ChartPicture& picture, double pixelRatio)
{
    QImage image((QSizeF(picture.size) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    QPainter painter(&image);
    picture.paint(painter, pixelRatio);
    painter.end();
    return image.convertToFormat(QImage::Format_RGB32);
}

} // namespace

ChartPictureWords chartPictureWords(const LiveRun& run)
{
    const RunConfig& config = run.config();
    const std::int64_t done = run.newestStep() ? run.newestStep()->step + 1 : 0;
    return {
        nameOf(run.folder()),
        QCoreApplication::translate("ChartPicture", "%1 on %2 · %3 × %4 · %5 steps")
            .arg(
                toQString(std::filesystem::path(config.model.name).stem()),
                QString::fromStdString(config.dataset), countText(config.towers),
                countText(config.towerShape().batchPerTower), countText(done))};
}

QMargins chartPictureMargins(const ChartStack& charts)
{
    return {
        kPictureMargin, kAboveTitle + charts.fontMetrics().height() + kPictureMargin,
        kPictureMargin, kPictureMargin};
}

ChartPicture pictureOf(const ChartStack& charts, const ChartPictureWords& words)
{
    return {
        sizeOf(charts), words, charts.logicalDpiX(),
        [&charts, words](QPainter& painter, double pixelRatio) {
            paintCharts(painter, charts, words, pixelRatio);
        }};
}

ChartPicture pictureOf(PlotView& chart)
{
    return {
        chart.size(),
        {chart.accessibleName(), chart.summary()},
        chart.logicalDpiX(),
        [&chart](QPainter& painter, double pixelRatio) {
            painter.fillRect(chart.rect(), themeColors(chart.palette()).window);
            chart.paintFrame(painter, pixelRatio);
        }};
}

void writePicture(const ChartPicture& picture, double pixelRatio, const std::filesystem::path& file)
{
    QSaveFile saved(toQString(file));
    const bool isSvg = file.extension() == ".svg";
    const bool isWritten =
        saved.open(QIODevice::WriteOnly)
        && (isSvg ? writeSvg(saved, picture) : imageOf(picture, pixelRatio).save(&saved, "PNG"))
        && saved.commit();
    if (!isWritten) {
        fail(
            ErrorCode::Io, "{}: can't be written ({}); choose another folder or make room",
            file.string(), saved.errorString().toStdString());
    }
}

std::unique_ptr<QMimeData> mimeDataOf(const ChartPicture& picture, double pixelRatio)
{
    auto data = std::make_unique<QMimeData>();
    data->setImageData(imageOf(picture, pixelRatio));
    QBuffer drawing;
    drawing.open(QIODevice::WriteOnly);
    if (writeSvg(drawing, picture)) {
        data->setData(QStringLiteral("image/svg+xml"), drawing.data());
    }
    return data;
}

} // namespace lockstep::ui
