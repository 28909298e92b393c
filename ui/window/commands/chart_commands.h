// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;
class QPoint;
class QSettings;

namespace lockstep::ui {

struct ChartPicture;
class ChartsPanel;
class LiveRun;
class MessageBar;
class PlotView;
struct PictureChoice;
class WindowActions;

/// What a person does with pictures of the charts: all of them or one, as a file or on the
/// clipboard, by the File menu, by a chart's own menu, or by Ctrl+C in a chart.
class ChartCommands : public QObject
{
    Q_OBJECT

public:
    /// They must outlive the desk, which is the window's.
    struct Parts
    {
        QMainWindow& window;
        ChartsPanel& charts;
        LiveRun& run;
        MessageBar& messages;
        QSettings& settings;
    };

    ChartCommands(const Parts& parts, WindowActions& actions);

private:
    void addChart(PlotView& chart, WindowActions& actions);
    void showMenu(PlotView& chart, QPoint position);
    /// nullptr: all of them.
    void exportPicture(const PlotView* chart);
    void chooseTarget(const PlotView* chart, const PictureChoice& choice);
    void write(const PlotView* chart, const PictureChoice& choice, const QString& file);
    [[nodiscard]] ChartPicture pictureFor(const PlotView* chart, const PictureChoice& choice) const;
    [[nodiscard]] PictureChoice asShown(const PlotView* chart) const;
    void copy(PlotView& chart);

    Parts m_parts;
};

} // namespace lockstep::ui
