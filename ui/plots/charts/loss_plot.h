// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

namespace lockstep::ui {

/// Loss of every tower, their band, their mean, and the last tower, which the classic scripts
/// print: of what is trained, or of one of the network's objectives alone.
class LossPlot : public PlotView
{
    Q_OBJECT

public:
    /// Of the objective with this number; without curves for a run that has none such.
    explicit LossPlot(
        XRange& range, std::optional<std::size_t> objective = {}, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;
    void setOverlays(const std::vector<PlotOverlay>& overlays) override;

protected:
    [[nodiscard]] QString captionText() const override;
    [[nodiscard]] QString explanation() const override;

private:
    [[nodiscard]] bool isShown(const RunSeries& run) const;
    [[nodiscard]] int meanOf(const RunSeries& run) const;
    [[nodiscard]] int lastTowerOf(const RunSeries& run) const;
    /// Of the towers' losses: the number of the greatest is the next one.
    [[nodiscard]] int belowMeanOf(const RunSeries& run) const;
    [[nodiscard]] std::vector<Curve> curvesOf(const RunSeries& run) const;

    std::optional<std::size_t> m_objective;
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
