// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"

#include <QRectF>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// One lane for each tower, one under another, behind the tower's colour and number. The base of
/// the parts of the barrier clock, which paint into the lanes.
class TowerLanes : public QWidget
{
    Q_OBJECT

public:
    TowerLanes();

    [[nodiscard]] int towers() const { return m_towers; }
    [[nodiscard]] QRectF lane(int tower) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    /// So many lanes; repaints.
    void setTowers(int towers);
    /// Everything right of the labels, within lane() of each tower.
    virtual void paintLanes(QPainter& painter) = 0;
    /// So many lines of text a lane is high.
    [[nodiscard]] virtual int rowsOfLane() const { return 1; }
    /// What is there; empty: nothing to say.
    [[nodiscard]] virtual QString toolTipAt(int tower, QPointF position) const = 0;

    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int pitch() const;
    /// Where there are more there is no room for them.
    [[nodiscard]] bool hasNumbers() const { return m_towers <= 16; }
    [[nodiscard]] int labelWidth() const;

    int m_towers = 0;
};

/// The latest steps in time: each tower's work in its colour, gaps where it waits, and a tick where
/// the tower arrived that a step waited for. The arrow keys go from step to step and from tower to
/// tower, and tell what the mouse is told.
class BarrierStrip : public TowerLanes
{
    Q_OBJECT

public:
    BarrierStrip();

    /// In order, all of the same number of towers.
    void setSteps(const std::vector<StepRecord>& steps);
    /// All of them together.
    [[nodiscard]] double seconds() const { return m_seconds; }

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Cursor
    {
        std::int64_t step = 0;
        int tower = 0;
    };

    void moveCursor(int steps, int towers);
    void showCursor();
    [[nodiscard]] std::size_t indexOf(const Cursor& cursor) const;
    [[nodiscard]] QRectF placeOf(const Cursor& cursor) const;
    [[nodiscard]] QString textOf(const StepRecord& step, int tower) const;
    void paintStep(QPainter& painter, const StepRecord& step, double begin) const;
    [[nodiscard]] QRectF placeOf(int tower, double begin, double seconds) const;

    std::vector<StepRecord> m_steps;
    double m_seconds = 0.0;
    std::optional<Cursor> m_cursor;
};

} // namespace lockstep::ui
