// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/chart_desk.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/session/live_run.h"
#include "engine/base.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"
#include "widgets/bars/message_bar.h"
#include "window/base/window_actions.h"
#include "window/commands/file_choice.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsOfNote = 4000;

QString png()
{
    return QStringLiteral("png");
}

QString svg()
{
    return QStringLiteral("svg");
}

/// The kind that is meant first, so that it is the one a dialog begins with.
QString filterOf(const QString& suffix)
{
    const QString pixels = ChartDesk::tr("Pictures (*.png)");
    const QString drawing = ChartDesk::tr("Drawings (*.svg)");
    return suffix == svg() ? drawing + QStringLiteral(";;") + pixels
                           : pixels + QStringLiteral(";;") + drawing;
}

/// "1,440 × 900 pixels"
QString sizeText(const ChartPicture& picture, double pixelRatio)
{
    const QSize pixels = (QSizeF(picture.size) * pixelRatio).toSize();
    return ChartDesk::tr("%1 × %2 pixels")
        .arg(countText(pixels.width()), countText(pixels.height()));
}

} // namespace

ChartDesk::ChartDesk(const Parts& parts, WindowActions& actions)
    : QObject(&parts.window), m_parts(parts)
{
    connect(actions.exportCharts, &QAction::triggered, this, [this] { exportAll(png()); });
    connect(actions.exportDrawing, &QAction::triggered, this, [this] { exportAll(svg()); });
    for (PlotView* const chart : parts.charts.charts().allPlots()) {
        addChart(*chart, actions);
    }
}

void ChartDesk::addChart(PlotView& chart, WindowActions& actions)
{
    const ChartStack& charts = m_parts.charts.charts();
    auto* const entry = new QAction(actions.exportOne);
    const auto show = [entry, &chart, &charts] {
        entry->setText(tr("%1…").arg(chart.accessibleName()));
        entry->setVisible(charts.isShown(chart));
    };
    show();
    connect(&charts, &ChartStack::plotsChanged, entry, show);
    actions.exportOne->addAction(entry);
    connect(entry, &QAction::triggered, this, [this, &chart] { exportOne(chart, png()); });

    auto* const copying = new QAction(tr("&Copy Chart"), &chart);
    copying->setObjectName(QStringLiteral("copy_chart"));
    copying->setShortcut(QKeySequence::Copy);
    copying->setShortcutContext(Qt::WidgetShortcut);
    connect(copying, &QAction::triggered, this, [this, &chart] { copy(chart); });
    chart.addAction(copying);
    auto* const pixels = new QAction(tr("Export as &PNG…"), &chart);
    connect(pixels, &QAction::triggered, this, [this, &chart] { exportOne(chart, png()); });
    chart.addAction(pixels);
    auto* const drawing = new QAction(tr("Export as &SVG…"), &chart);
    connect(drawing, &QAction::triggered, this, [this, &chart] { exportOne(chart, svg()); });
    chart.addAction(drawing);

    chart.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&chart, &QWidget::customContextMenuRequested, this, [this, &chart](QPoint position) {
        showMenu(chart, position);
    });
}

void ChartDesk::showMenu(PlotView& chart, QPoint position)
{
    if (m_parts.run.series() == nullptr) {
        return;
    }
    auto* const menu = new QMenu(&chart);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(chart.actions());
    menu->popup(chart.mapToGlobal(position));
}

void ChartDesk::exportAll(const QString& suffix)
{
    chooseFile(
        m_parts.window, {tr("Export Charts"), filterOf(suffix), {}, suffix},
        [this](const std::filesystem::path& file) {
            write(
                pictureOf(m_parts.charts.charts(), chartPictureWords(m_parts.run)),
                toQString(file));
        });
}

void ChartDesk::exportOne(PlotView& chart, const QString& suffix)
{
    chooseFile(
        m_parts.window, {tr("Export %1").arg(chart.accessibleName()), filterOf(suffix), {}, suffix},
        [this, &chart](const std::filesystem::path& file) {
            write(pictureOf(chart), toQString(file));
        });
}

void ChartDesk::write(const ChartPicture& picture, const QString& file)
{
    const double pixelRatio = m_parts.window.devicePixelRatioF();
    const double shown = file.endsWith(QStringLiteral(".svg")) ? 1.0 : pixelRatio;
    try {
        writePicture(picture, pixelRatio, toPath(file));
        m_parts.messages.showMessage(
            MessageBar::Kind::Information,
            tr("Written: %1 (%2)").arg(file, sizeText(picture, shown)));
    } catch (const Error& error) {
        m_parts.messages.showMessage(MessageBar::Kind::Error, engineText(error.what()));
    }
}

void ChartDesk::copy(PlotView& chart)
{
    if (m_parts.run.series() == nullptr) {
        return;
    }
    const ChartPicture picture = pictureOf(chart);
    const double pixelRatio = m_parts.window.devicePixelRatioF();
    QGuiApplication::clipboard()->setMimeData(mimeDataOf(picture, pixelRatio).release());
    m_parts.window.statusBar()->showMessage(
        tr("Copied: %1 (%2)").arg(chart.accessibleName(), sizeText(picture, pixelRatio)),
        kMillisecondsOfNote);
}

} // namespace lockstep::ui
