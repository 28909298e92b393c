// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/cosine_history.h"

#include <QWidget>

namespace lockstep::ui {

/// A small chart of what each tower's gradient has in common with their mean, over the steps: a
/// line for each tower in its colour. Hovering tells the figures of a step.
class CosineChart : public QWidget
{
    Q_OBJECT

public:
    explicit CosineChart(QWidget* parent = nullptr);

    void setPoints(std::vector<CosinePoint> points);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] double leastShown() const;
    [[nodiscard]] double xOf(qint64 step, const QRectF& area) const;
    void paintGrid(QPainter& painter, const QRectF& area) const;
    void paintTower(QPainter& painter, const QRectF& area, std::size_t tower) const;
    [[nodiscard]] QString textAt(double x) const;

    std::vector<CosinePoint> m_points;
    std::size_t m_towers = 0;
};

} // namespace lockstep::ui
