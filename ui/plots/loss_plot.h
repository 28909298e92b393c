// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/plot_view.h"

namespace lockstep::ui {

/// Loss of every tower, their band, their mean, and the last tower, which the classic scripts
/// print.
class LossPlot : public PlotView
{
    Q_OBJECT

public:
    explicit LossPlot(XRange& range, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;
    void setOverlays(const std::vector<PlotOverlay>& overlays) override;

protected:
    [[nodiscard]] QString captionText() const override;
    [[nodiscard]] QString explanation() const override;

private:
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
