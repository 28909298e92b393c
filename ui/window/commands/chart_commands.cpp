// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "dialogs/picture_dialog.h"
#include "panels/charts/chart_picture.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"
#include "theme/palette.h"
#include "window/commands/files.h"
#include "window/commands/window_commands.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QtMath>

namespace lockstep::ui {
namespace {

constexpr int kMillisecondsOfNote = 4000;

class ChartCommands : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::ChartCommands)

public:
    explicit ChartCommands(const WindowParts& parts)
        : QObject(&parts.owner), m_parts(parts), m_settings(parts.settings.settings())
    {
        connect(parts.actions.exportCharts, &QAction::triggered, this, [this] {
            exportPicture(nullptr);
        });
        for (PlotView* const chart : parts.charts.charts().allPlots()) {
            addChart(*chart);
        }
    }

private:
    /// "1,440 × 900 pixels"
    static QString sizeText(QSize pixels)
    {
        return tr("%1 × %2 pixels").arg(countText(pixels.width()), countText(pixels.height()));
    }

    void addChart(PlotView& chart)
    {
        const ChartStack& charts = m_parts.charts.charts();
        QAction* const entry = m_parts.actions.exportOne->addAction(
            QString(), this, [this, &chart] { exportPicture(&chart); });
        const auto show = [entry, &chart, &charts] {
            entry->setText(tr("%1…").arg(chart.accessibleName()));
            entry->setVisible(charts.isShown(chart));
        };
        show();
        connect(&charts, &ChartStack::plotsChanged, entry, show);

        QAction* const copying = chart.addAction(
            tr("&Copy Chart"), QKeySequence::Copy, this, [this, &chart] { copy(chart); });
        copying->setObjectName(QStringLiteral("copy_chart"));
        copying->setShortcutContext(Qt::WidgetShortcut);
        chart.addAction(tr("&Export Chart…"), this, [this, &chart] { exportPicture(&chart); });

        chart.setContextMenuPolicy(Qt::CustomContextMenu);
        connect(&chart, &QWidget::customContextMenuRequested, this, [this, &chart](QPoint place) {
            if (m_parts.run.series() != nullptr) {
                auto* const menu = new QMenu(&chart);
                menu->setAttribute(Qt::WA_DeleteOnClose);
                menu->addActions(chart.actions());
                menu->popup(chart.mapToGlobal(place));
            }
        });
    }

    PictureChoice asShown(const PlotView* chart) const
    {
        const QWidget& shown =
            chart != nullptr ? static_cast<const QWidget&>(*chart) : m_parts.charts;
        return {shown.size(), qCeil(m_parts.window.devicePixelRatioF()), isDark(shown.palette())};
    }

    /// nullptr: all of them.
    void exportPicture(const PlotView* chart)
    {
        auto* const dialog = new PictureDialog(
            {chart != nullptr ? tr("Export %1").arg(chart->accessibleName()) : tr("Export Charts"),
             chart != nullptr ? QStringLiteral("chart") : QStringLiteral("charts"), asShown(chart)},
            m_settings, &m_parts.window);
        connect(dialog, &PictureDialog::chosen, this, [this, chart](const PictureChoice& choice) {
            chooseTargetOf(chart, choice);
        });
        dialog->show();
    }

    void chooseTargetOf(const PlotView* chart, const PictureChoice& choice)
    {
        const QString suffix = choice.isSvg ? QStringLiteral("svg") : QStringLiteral("png");
        const QString what =
            chart != nullptr ? QLocale().toLower(chart->accessibleName()) : tr("charts");
        const QString run = titleOf(m_parts.run.folder(), m_parts.run.config());
        const QString name = QStringLiteral("%1 - %2.%3").arg(run, what, suffix);
        chooseTarget(
            m_parts.window, m_settings, QStandardPaths::PicturesLocation,
            {tr("Save Picture"), choice.isSvg ? tr("Drawings (*.svg)") : tr("Pictures (*.png)"),
             suffix, toPath(name)},
            [this, chart, choice](const std::filesystem::path& file) {
                m_parts.notices.attempt([&] {
                    writePicture(pictureFor(chart, choice), choice.scale, file);
                    m_parts.notices.show(
                        tr("Written: %1 (%2)").arg(toQString(file), sizeText(choice.pixels())));
                });
            });
    }

    ChartPicture pictureFor(const PlotView* chart, const PictureChoice& choice) const
    {
        const ChartStack& charts = m_parts.charts.charts();
        const PictureLook look{choice.size, choice.isDark};
        const ChartPictureWords words =
            chart != nullptr ? ChartPictureWords{chart->accessibleName(), chart->summary()}
                             : chartPictureWords(m_parts.run);
        return pictureOf(charts, words, look, chart);
    }

    void copy(PlotView& chart)
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

    const WindowParts m_parts;
    QSettings& m_settings;
};

} // namespace

void addChartCommands(const WindowParts& parts)
{
    new ChartCommands(parts);
}

} // namespace lockstep::ui
