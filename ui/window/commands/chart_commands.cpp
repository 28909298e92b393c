// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/commands/chart_commands.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "bridge/session/live_run.h"
#include "dialogs/picture_dialog.h"
#include "engine/base.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"
#include "theme/palette.h"
#include "widgets/bars/message_bar.h"
#include "window/base/window_actions.h"
#include "window/commands/file_choice.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QtMath>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsOfNote = 4000;

/// "1,440 × 900 pixels"
QString sizeText(QSize pixels)
{
    return ChartCommands::tr("%1 × %2 pixels")
        .arg(countText(pixels.width()), countText(pixels.height()));
}

/// "Loss" within a name; all of them: "charts".
QString namedInFile(const PlotView* chart)
{
    return chart != nullptr ? QLocale().toLower(chart->accessibleName())
                            : ChartCommands::tr("charts");
}

} // namespace

ChartCommands::ChartCommands(const Parts& parts, WindowActions& actions)
    : QObject(&parts.window), m_parts(parts)
{
    connect(actions.exportCharts, &QAction::triggered, this, [this] { exportPicture(nullptr); });
    for (PlotView* const chart : parts.charts.charts().allPlots()) {
        addChart(*chart, actions);
    }
}

void ChartCommands::addChart(PlotView& chart, WindowActions& actions)
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
    connect(entry, &QAction::triggered, this, [this, &chart] { exportPicture(&chart); });

    auto* const copying = new QAction(tr("&Copy Chart"), &chart);
    copying->setObjectName(QStringLiteral("copy_chart"));
    copying->setShortcut(QKeySequence::Copy);
    copying->setShortcutContext(Qt::WidgetShortcut);
    connect(copying, &QAction::triggered, this, [this, &chart] { copy(chart); });
    chart.addAction(copying);
    auto* const exporting = new QAction(tr("&Export Chart…"), &chart);
    connect(exporting, &QAction::triggered, this, [this, &chart] { exportPicture(&chart); });
    chart.addAction(exporting);

    chart.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&chart, &QWidget::customContextMenuRequested, this, [this, &chart](QPoint position) {
        showMenu(chart, position);
    });
}

void ChartCommands::showMenu(PlotView& chart, QPoint position)
{
    if (m_parts.run.series() == nullptr) {
        return;
    }
    auto* const menu = new QMenu(&chart);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(chart.actions());
    menu->popup(chart.mapToGlobal(position));
}

PictureChoice ChartCommands::asShown(const PlotView* chart) const
{
    const QWidget& shown = chart != nullptr ? static_cast<const QWidget&>(*chart) : m_parts.charts;
    return {shown.size(), qCeil(m_parts.window.devicePixelRatioF()), isDark(shown.palette())};
}

void ChartCommands::exportPicture(const PlotView* chart)
{
    auto* const dialog = new PictureDialog(
        {chart != nullptr ? tr("Export %1").arg(chart->accessibleName()) : tr("Export Charts"),
         chart != nullptr ? QStringLiteral("chart") : QStringLiteral("charts"), asShown(chart)},
        m_parts.settings, &m_parts.window);
    connect(dialog, &PictureDialog::chosen, this, [this, chart](const PictureChoice& choice) {
        chooseTarget(chart, choice);
    });
    dialog->show();
}

void ChartCommands::chooseTarget(const PlotView* chart, const PictureChoice& choice)
{
    const QString suffix = choice.isSvg ? QStringLiteral("svg") : QStringLiteral("png");
    const QString name =
        QStringLiteral("%1 - %2.%3")
            .arg(titleOf(m_parts.run.folder(), m_parts.run.config()), namedInFile(chart), suffix);
    chooseFile(
        m_parts.window,
        {tr("Save Picture"), choice.isSvg ? tr("Drawings (*.svg)") : tr("Pictures (*.png)"),
         proposedFile(m_parts.settings, QStandardPaths::PicturesLocation, name), suffix},
        [this, chart, choice](const std::filesystem::path& file) {
            keepFolder(m_parts.settings, QStandardPaths::PicturesLocation, file);
            write(chart, choice, toQString(file));
        });
}

ChartPicture ChartCommands::pictureFor(const PlotView* chart, const PictureChoice& choice) const
{
    const ChartStack& charts = m_parts.charts.charts();
    const PictureLook look{choice.size, choice.isDark};
    return chart != nullptr ? pictureOf(charts, *chart, look)
                            : pictureOf(charts, chartPictureWords(m_parts.run), look);
}

void ChartCommands::write(const PlotView* chart, const PictureChoice& choice, const QString& file)
{
    try {
        writePicture(pictureFor(chart, choice), choice.scale, toPath(file));
        m_parts.messages.showMessage(
            MessageBar::Kind::Information,
            tr("Written: %1 (%2)").arg(file, sizeText(choice.pixels())));
    } catch (const Error& error) {
        m_parts.messages.showMessage(MessageBar::Kind::Error, engineText(error.what()));
    }
}

void ChartCommands::copy(PlotView& chart)
{
    if (m_parts.run.series() == nullptr) {
        return;
    }
    const PictureChoice choice = asShown(&chart);
    QGuiApplication::clipboard()->setMimeData(
        mimeDataOf(pictureFor(&chart, choice), choice.scale).release());
    m_parts.window.statusBar()->showMessage(
        tr("Copied: %1 (%2)").arg(chart.accessibleName(), sizeText(choice.pixels())),
        kMillisecondsOfNote);
}

} // namespace lockstep::ui
