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
#include "theme/tower_colors.h"

#include <QBuffer>
#include <QCoreApplication>
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
    setNamedTower(*sheet, themeColors(charts).namedTower);
    sheet->showAs(charts, alone);
    sheet->resize(alone != nullptr ? look.size : look.size.shrunkBy(marginsOf(*sheet)));
    sheet->show(); // lays the charts out
    return sheet;
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
    const ChartStack& charts, const ChartPictureWords& words, const PictureLook& look,
    const PlotView* alone)
{
    return {
        look.size, words, charts.logicalDpiX(),
        [sheet = sheetOf(charts, alone, look), words, size = look.size,
         isAlone = alone != nullptr](QPainter& painter, double pixelRatio) {
            const ThemeColors theme = themeColors(sheet->palette());
            painter.fillRect(QRect(QPoint(), size), theme.window);
            if (isAlone) {
                return paintCharts(painter, *sheet, {}, pixelRatio);
            }
            const QMargins around = marginsOf(*sheet);
            const QRectF line(
                kPictureMargin + kTextMargin, kAboveTitle, sheet->width() - 2 * kTextMargin,
                sheet->fontMetrics().height());
            PlotHeader header{words.title, words.caption};
            paintHeader(painter, line, header, sheet->font(), theme);
            paintCharts(painter, *sheet, {around.left(), around.top()}, pixelRatio);
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

QImage imageOf(const ChartPicture& picture, double pixelRatio)
{
    QImage image((QSizeF(picture.size) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    QPainter painter(&image);
    picture.paint(painter, pixelRatio);
    painter.end();
    return image.convertToFormat(QImage::Format_RGB32);
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
