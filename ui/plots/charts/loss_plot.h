// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

namespace lockstep::ui {

/// Cross-entropy of every tower, their band, their mean, and the last tower, which the classic
/// scripts print; of a network with several objectives each one's mean, too. What the scripts print
/// has weight decay in it, which hides whether a network learns: it is a curve that a click on its
/// key shows.
class LossPlot : public PlotView
{
    Q_OBJECT

public:
    explicit LossPlot(XRange& range, QWidget* parent = nullptr);

    /// Whether the mean with weight decay is shown, too.
    [[nodiscard]] bool isTotalShown() const;
    void setTotalShown(bool isShown);
};

} // namespace lockstep::ui
