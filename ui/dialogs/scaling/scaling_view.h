// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/scaling_store.h"
#include "models/figures/scaling_model.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace lockstep::ui {

class QuietTable;
class LinePlot;

/// What was measured: "cifar10 on cpu, float32: 128 examples a step for each tower, 1 thread each".
QString scalingSubject(const ScalingReport& report);

/// What came out, for the most towers that could be measured: what they do, where the rest is lost,
/// what Amdahl's law makes of it, whether towers take turns, and which numbers were left out.
QString scalingSummary(const ScalingReport& report);

/// A word of caution where so much of the processors was in use before anything was measured; empty
/// where that is next to nothing.
QString othersText(double load);

/// The rows of the table.
std::vector<ScalingRow> scalingRows(const ScalingReport& report);

/// A result of the scaling ruler: what was measured and when, the chart with the ideal and Amdahl's
/// line, the table, and what it means in words.
class ScalingView : public QWidget
{
    Q_OBJECT

public:
    explicit ScalingView(QWidget* parent = nullptr);

    void setResult(const KeptScaling& result);
    [[nodiscard]] bool hasResult() const { return m_rows.rowCount() > 0; }
    /// All of it, for a report; of a result.
    [[nodiscard]] QString toPlainText() const;

private:
    void showChart(const ScalingReport& report);

    QLabel* m_subject;
    LinePlot* m_chart;
    ScalingModel m_rows;
    QuietTable* m_table;
    QLabel* m_summary;
};

} // namespace lockstep::ui
