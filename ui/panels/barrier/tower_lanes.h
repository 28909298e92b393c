// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QWidget>

namespace lockstep::ui {

/// One lane for each tower, one under another, behind the tower's colour and number. The base of
/// the parts of the barrier clock, which paint into the lanes.
class TowerLanes : public QWidget
{
    Q_OBJECT

public:
    explicit TowerLanes(QWidget* parent = nullptr);

    [[nodiscard]] int towers() const { return m_towers; }
    /// Where the tower's lane is.
    [[nodiscard]] QRectF lane(int tower) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    /// So many lanes; repaints.
    void setTowers(int towers);
    /// Everything right of the labels, within lane() of each tower.
    virtual void paintLanes(QPainter& painter) = 0;
    /// What is there; empty: nothing to say.
    [[nodiscard]] virtual QString toolTipAt(int tower, QPointF position) const = 0;

    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int pitch() const;
    [[nodiscard]] bool hasNumbers() const;
    [[nodiscard]] int labelWidth() const;

    int m_towers = 0;
};

} // namespace lockstep::ui
