// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <QScrollBar>

#include <vector>

namespace lockstep::ui {

/// What views of many pictures have in common: they scroll up and down, are laid out anew when
/// their size or font changes, and one cell of them is the keyboard's.
class PictureArea : public QAbstractScrollArea
{
    Q_OBJECT

protected:
    PictureArea(const QString& accessibleName, QWidget* parent);

    /// Lays the cells out and calls setContentHeight().
    virtual void relayout() = 0;
    void setContentHeight(int height);
    [[nodiscard]] int scrolled() const { return verticalScrollBar()->value(); }
    /// Scrolls as far as it takes, with some room above and below.
    void bringIntoSight(const QRect& cell, int room);
    /// Which of the cells is there, in the viewport's coordinates; -1: none.
    [[nodiscard]] int cellAt(const std::vector<QRect>& cells, QPoint position) const;
    /// Paints an image into a place; smoothly where it is shrunk, since what a painter does by
    /// itself leaves out pixels.
    static void paintSmooth(QPainter& painter, const QRectF& place, const QImage& image);

    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace lockstep::ui
