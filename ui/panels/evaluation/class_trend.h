// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/charts/line_plot.h"

#include <vector>

namespace lockstep {
struct EvaluationRecord;
}

namespace lockstep::ui {

/// Top-1, and of more than five classes top-5, of all evaluations of a run, by both kinds of
/// weights.
class ClassTrend : public LinePlot
{
    Q_OBJECT

public:
    explicit ClassTrend(QWidget* parent = nullptr);

    void setEvaluations(const std::vector<EvaluationRecord>& evaluations);
};

} // namespace lockstep::ui
