// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/gradient_figures.h"
#include "bridge/session/live_run.h"
#include "panels/shared/panel.h"

class QTableView;

namespace lockstep::ui {

class LinePlot;
class NoteLabel;

/// The gradient noise scale, and what it says of the global batch.
QString noiseScaleText(const GradientNoiseScale& noiseScale, qint64 globalBatch);

/// Why there is nothing to see: of a run that measures, that it is yet to come.
QString unmeasuredText(const RunConfig& config);

/// The dock that says how far the towers' gradients agree: for each layer the norms and the cosines
/// of the last measured step, the cosines over the run, and the gradient noise scale in words.
class GradientPanel : public Panel
{
    Q_OBJECT

public:
    /// The run must outlive the panel.
    explicit GradientPanel(LiveRun& run, QWidget* parent = nullptr);

    [[nodiscard]] const GradientFigures& figures() const { return m_figures; }
    /// With room for the table of a network of some layers.
    [[nodiscard]] QSize sizeHint() const override { return {600, 230}; }

protected:
    void inSightChanged() override;

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
    NoteLabel* m_summary;
    QTableView* m_table;
    LinePlot* m_chart;
};

} // namespace lockstep::ui
