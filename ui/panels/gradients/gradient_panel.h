// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/gradient_figures.h"
#include "bridge/session/live_run.h"
#include "panels/shared/refresh_timer.h"

#include <QWidget>

class QTableView;

namespace lockstep {
struct GradientRecord;
}

namespace lockstep::ui {

class LinePlot;
class NoteLabel;

/// The dock that says how far the towers' gradients agree: for each layer the norms and the cosines
/// of the last measured step, the cosines over the run, and the gradient noise scale in words.
/// Names a tower that disagrees with the others.
class GradientPanel : public QWidget
{
    Q_OBJECT

public:
    /// The run must outlive the panel.
    explicit GradientPanel(LiveRun& run, QWidget* parent = nullptr);

    [[nodiscard]] const GradientFigures& figures() const { return m_figures; }
    /// With room for the table of a network of some layers.
    [[nodiscard]] QSize sizeHint() const override;

    /// Whether a person can see it: else it collects, and paints nothing.
    void setInSight(bool isInSight);
    [[nodiscard]] bool isInSight() const noexcept { return m_isInSight; }

private:
    void makeTable();
    void fitTable();
    void begin();
    void take(const std::vector<GradientRecord>& records);
    void showFigures();
    [[nodiscard]] QString summary() const;

    LiveRun& m_run;
    GradientFigures m_figures;
    GradientTableModel m_model;
    RefreshTimer m_refresh;
    bool m_isInSight = false;
    NoteLabel* m_summary;
    NoteLabel* m_outlier;
    QTableView* m_table;
    LinePlot* m_chart;
};

} // namespace lockstep::ui
