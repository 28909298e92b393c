// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMainWindow;
class QPoint;

namespace lockstep::ui {

struct ChartPicture;
class ChartsPanel;
class LiveRun;
class MessageBar;
class PlotView;
class WindowActions;

/// What a person does with pictures of the charts: all of them or one, as a file or on the
/// clipboard, by the File menu, by a chart's own menu, or by Ctrl+C in a chart.
class ChartDesk : public QObject
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
    };

    ChartDesk(const Parts& parts, WindowActions& actions);

private:
    void addChart(PlotView& chart, WindowActions& actions);
    void showMenu(PlotView& chart, QPoint position);
    void exportAll(const QString& suffix);
    void exportOne(PlotView& chart, const QString& suffix);
    void write(const ChartPicture& picture, const QString& file);
    void copy(PlotView& chart);

    Parts m_parts;
};

} // namespace lockstep::ui
