// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/barrier/barrier_text.h"
#include "panels/barrier/tower_lanes.h"

#include <vector>

namespace lockstep::ui {

/// The phases of a step, how they are painted, and what they took: mean over its towers. As many
/// columns as there is room for. Every phase keeps its place, so that figures can be read while
/// they change.
class PhaseLegend : public QWidget
{
    Q_OBJECT

public:
    explicit PhaseLegend(QWidget* parent = nullptr);

    void setStep(const StepRecord& step, bool isRecorded = false);

    [[nodiscard]] QSize sizeHint() const override { return {width(), heightForWidth(width())}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {1, rowHeight()}; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Entry
    {
        StepPhase phase;
        double seconds;
    };
    [[nodiscard]] int rowHeight() const { return fontMetrics().height() + 1; }
    [[nodiscard]] int columnsIn(int width) const;
    [[nodiscard]] QRect placeOf(int entry) const;

    std::vector<Entry> m_entries;
    int m_widest = 0; ///< of the names
    bool m_isRecorded = false;
};

/// What each tower did in one step, as a bar of its phases; as wide as the step was long.
class BarrierBars : public TowerLanes
{
    Q_OBJECT

public:
    void setStep(const StepRecord& step, bool isRecorded = false);
    /// The phase that is painted there; none beside the bars and between two steps.
    [[nodiscard]] std::optional<PhaseSpan> phaseAt(int tower, double x) const;

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;

private:
    StepRecord m_step;
    bool m_isRecorded = false;
};

/// What the backward passes of several ranks take, two bars for each: above as it is measured from
/// outside, where it ends with the sum over all ranks, below, in the tower's colour, its own.
class BackwardBars : public TowerLanes
{
    Q_OBJECT

public:
    void setSummary(const BarrierSummary& summary);

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;
    [[nodiscard]] int rowsOfLane() const override { return 2; }

private:
    BarrierSummary m_summary;
    double m_most = 0.0; ///< seconds that the longest bar stands for
};

/// In which share of a window of steps each tower was the one that the others waited for.
class BarrierTally : public TowerLanes
{
    Q_OBJECT

public:
    void setSummary(const BarrierSummary& summary, bool isRecorded = false);

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;

private:
    [[nodiscard]] double shareOf(int tower) const;

    BarrierSummary m_summary;
    bool m_isRecorded = false;
};

} // namespace lockstep::ui
