// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_picture.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "bridge/session/live_run.h"
#include "engine/base.h"
#include "panels/charts/chart_stack.h"
#include "panels/shared/run_text.h"
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

QMargins marginsOf(const ChartStack& charts)
{
    return {
        kPictureMargin, kAboveTitle + charts.fontMetrics().height() + kPictureMargin,
        kPictureMargin, kPictureMargin};
}

/// The same charts in a window of their own that nobody sees: those that are shown stay as they
/// are.
std::shared_ptr<ChartStack> sheetOf(
    const ChartStack& charts, const PlotView* alone, const PictureLook& look)
{
    auto sheet = std::make_shared<ChartStack>();
    sheet->setAttribute(Qt::WA_DontShowOnScreen);
    sheet->setFont(charts.font());
    sheet->setPalette(look.isDark ? darkPalette() : lightPalette());
    sheet->showAs(charts, alone);
    sheet->resize(alone != nullptr ? look.size : look.size.shrunkBy(marginsOf(*sheet)));
    sheet->show(); // lays the charts out
    return sheet;
}

void paintTitle(QPainter& painter, const ChartStack& charts, const ChartPictureWords& words)
{
    const QRectF line(
        kPictureMargin + kTextMargin, kAboveTitle, charts.width() - 2 * kTextMargin,
        charts.fontMetrics().height());
    paintHeader(
        painter, line, {words.title, words.caption, {}}, charts.font(),
        themeColors(charts.palette()));
}

void paintCharts(QPainter& painter, const ChartStack& charts, QPoint place, double pixelRatio)
{
    for (PlotView* const plot : charts.plots()) {
        if (plot->isHidden()) {
            continue;
        }
        painter.save();
        painter.translate(place + plot->pos());
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
    const QString title = titleOf(run.folder(), run.config());
    const QString described = describedTitle(run.config(), run.isRecorded());
    QStringList parts{
        described, QCoreApplication::translate("ChartPicture", "%1 steps")
                       .arg(countText(run.newestStep() ? run.newestStep()->step + 1 : 0))};
    if (run.isRecorded()) {
        parts.append(recordedText(run.recordedBy()));
    }
    parts.remove(0, title == described ? 1 : 0);
    return {title, parts.join(QStringLiteral(" · "))};
}

ChartPicture pictureOf(
    const ChartStack& charts, const ChartPictureWords& words, const PictureLook& look)
{
    return {
        look.size, words, charts.logicalDpiX(),
        [sheet = sheetOf(charts, nullptr, look), words,
         size = look.size](QPainter& painter, double pixelRatio) {
            const QMargins around = marginsOf(*sheet);
            painter.fillRect(QRect(QPoint(), size), themeColors(sheet->palette()).window);
            paintTitle(painter, *sheet, words);
            paintCharts(painter, *sheet, {around.left(), around.top()}, pixelRatio);
        }};
}

ChartPicture pictureOf(const ChartStack& charts, const PlotView& chart, const PictureLook& look)
{
    return {
        look.size,
        {chart.accessibleName(), chart.summary()},
        charts.logicalDpiX(),
        [sheet = sheetOf(charts, &chart, look)](QPainter& painter, double pixelRatio) {
            painter.fillRect(sheet->rect(), themeColors(sheet->palette()).window);
            paintCharts(painter, *sheet, {}, pixelRatio);
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
