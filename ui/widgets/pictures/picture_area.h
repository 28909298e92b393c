// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <QScrollBar>

#include <vector>

namespace lockstep::ui {

/// What views of many pictures have in common: they scroll up and down, are laid out anew when
/// their size or font changes, and one cell of them is the current one, to which the arrow keys and
/// the mouse go.
class PictureArea : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// -1: none has been chosen yet.
    [[nodiscard]] int current() const { return m_current; }

signals:
    /// By a person.
    void currentChanged(int cell);

protected:
    PictureArea(const QString& accessibleName, QWidget* parent);

    /// Lays the cells out and calls setContentHeight().
    virtual void relayout() = 0;
    /// Where the pictures are, before scrolling.
    [[nodiscard]] virtual const std::vector<QRect>& cells() const = 0;
    /// Tells screen readers about the current one.
    virtual void describe() = 0;

    void setContentHeight(int height);
    [[nodiscard]] int scrolled() const { return verticalScrollBar()->value(); }
    /// Without a word.
    void setCurrent(int cell);
    /// Which of the cells is there, in the viewport's coordinates; -1: none.
    [[nodiscard]] int cellAt(const std::vector<QRect>& cells, QPoint position) const;
    /// Paints an image into a place; smoothly where it is shrunk, since what a painter does by
    /// itself leaves out pixels.
    static void paintSmooth(QPainter& painter, const QRectF& place, const QImage& image);

    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void goTo(int cell);

    int m_current = -1;
};

} // namespace lockstep::ui
