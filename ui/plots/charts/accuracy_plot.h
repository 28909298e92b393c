// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

namespace lockstep::ui {

/// Share of examples that are classified correctly: training batches, and the test set with and
/// without the moving average of the weights.
class AccuracyPlot : public PlotView
{
    Q_OBJECT

public:
    explicit AccuracyPlot(XRange& range, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;
    void setOverlays(const std::vector<PlotOverlay>& overlays) override;

protected:
    [[nodiscard]] QString captionText() const override;
    [[nodiscard]] QString explanation() const override;

private:
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
