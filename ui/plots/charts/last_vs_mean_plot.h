// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

namespace lockstep::ui {

/// How much noisier than the mean the last tower's loss is, against the number of towers.
class LastVsMeanPlot : public PlotView
{
    Q_OBJECT

public:
    explicit LastVsMeanPlot(XRange& range, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;

protected:
    [[nodiscard]] QString captionText() const override;
    [[nodiscard]] Judgement judgement() const override;
    [[nodiscard]] QString explanation() const override;

private:
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
