// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/gradient_figures.h"
#include "bridge/live_run.h"

#include <QTimer>
#include <QWidget>

class QTableView;

namespace lockstep::ui {

class CosineChart;
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
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeTable();
    void begin();
    void take(const std::vector<GradientRecord>& records);
    void showFigures();
    [[nodiscard]] QString summary() const;

    LiveRun& m_run;
    GradientFigures m_figures;
    GradientTableModel m_model;
    QTimer m_timer;
    NoteLabel* m_summary;
    NoteLabel* m_outlier;
    QTableView* m_table;
    CosineChart* m_chart;
};

} // namespace lockstep::ui
