// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

namespace lockstep::ui {

/// How far the last tower's loss, which the classic scripts print, lies from the mean of all: step
/// by step, and on average, which stays near 0 unless the last tower's data are not like the
/// others'.
class BiasPlot : public PlotView
{
    Q_OBJECT

public:
    explicit BiasPlot(XRange& range, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;

protected:
    [[nodiscard]] QString captionText() const override;
    [[nodiscard]] Judgement judgement() const override;
    [[nodiscard]] QString explanation() const override;

private:
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
