// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/x_range.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QSlider;
class QSplitter;
class QToolButton;

namespace lockstep::ui {

class LiveRun;
class PlotView;

/// The middle of the window: the charts of a run, which share their x axis, and one line of
/// controls above them.
class ChartsPanel : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kMostSmoothing = 99; ///< hundredths

    /// The run must outlive the panel.
    explicit ChartsPanel(LiveRun& run, QWidget* parent = nullptr);
    ~ChartsPanel() override;

    [[nodiscard]] XRange& range() noexcept { return m_range; }
    [[nodiscard]] const std::vector<PlotView*>& plots() const noexcept { return m_plots; }
    /// Of the loss chart.
    [[nodiscard]] bool isLogarithmic() const;

    /// Heights of the charts, for keeping and restoring.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);
    void resetHeights();
    /// What the loss chart says while it is empty.
    void setEmptyText(const QString& text);

public slots:
    void setLogarithmic(bool isLogarithmic);
    /// Weight of the moving average, in hundredths: 0 to 99.
    void setSmoothing(int hundredths);
    void setAxis(lockstep::ui::XAxis axis);

signals:
    void logarithmicChanged(bool isLogarithmic);
    void smoothingChanged(int hundredths);

private:
    void makePlots();
    [[nodiscard]] QLayout* makeControls();
    void onRunBegun();
    void onDataChanged();
    void refresh();
    void showSmoothing();

    LiveRun& m_run;
    XRange m_range;
    std::vector<PlotView*> m_plots; ///< the loss first
    QTimer m_refresh;               ///< runs while something new is to be painted
    QSplitter* m_splitter;
    QSlider* m_smoothing = nullptr;
    QLabel* m_smoothingText = nullptr;
    QComboBox* m_axis = nullptr;
    QToolButton* m_logarithm = nullptr;
    QToolButton* m_follow = nullptr;
};

} // namespace lockstep::ui
