// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

namespace lockstep::ui {

/// Examples per second, with the classic seconds per batch in words.
class ThroughputPlot : public PlotView
{
    Q_OBJECT

public:
    explicit ThroughputPlot(XRange& range, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;

protected:
    [[nodiscard]] QString captionText() const override;
    [[nodiscard]] QString explanation() const override;

private:
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
