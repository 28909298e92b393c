// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/scaling_store.h"
#include "models/figures/scaling_model.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace lockstep {
struct ScalingReport;
}

namespace lockstep::ui {

class QuietTable;
class LinePlot;

/// A result of the scaling ruler: what was measured and when, the chart with the ideal and Amdahl's
/// line, the table, and what it means in words.
class ScalingView : public QWidget
{
    Q_OBJECT

public:
    explicit ScalingView(QWidget* parent = nullptr);

    void setResult(const KeptScaling& result);
    [[nodiscard]] bool hasResult() const { return m_result.has_value(); }
    /// All of it, for a report.
    [[nodiscard]] QString toPlainText() const;

private:
    void showChart(const ScalingReport& report);
    [[nodiscard]] QString subject() const;

    std::optional<KeptScaling> m_result;
    QLabel* m_subject;
    LinePlot* m_chart;
    ScalingModel m_rows;
    QuietTable* m_table;
    QLabel* m_summary;
};

} // namespace lockstep::ui
