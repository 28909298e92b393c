// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pictures/image_grid_layout.h"

#include <QAbstractScrollArea>
#include <QImage>
#include <QString>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// An image as a tower gets it, or an evaluation.
struct ImageTile
{
    static constexpr int kNoTower = -1;

    QImage image;
    QString label; ///< its class
    int tower = 0;
    qint64 example = 0;     ///< its number in the data set
    QString batchText = {}; ///< what the tower's batch is made of; empty: nothing is said of it
    QString name = {};      ///< what the data set calls it; empty: by its number
};

/// Images with their classes, in a group for each tower, in its colour. Every pixel of a small
/// image is a whole number of pixels on the screen; large images are shrunk. The arrow keys go from
/// image to image; what the current one is, is told to screen readers and on hover.
class ImageGrid : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit ImageGrid(QWidget* parent = nullptr);

    /// Tower by tower, all of one size. The current image and the place that is scrolled to stay.
    void setTiles(std::vector<ImageTile> tiles);
    [[nodiscard]] const std::vector<ImageTile>& tiles() const { return m_tiles; }

    /// -1 before a key or a click has chosen one.
    [[nodiscard]] int current() const { return m_current; }
    /// Puts a frame around the images of this example, which is shown beside; none: no frame.
    void setMarked(std::optional<qint64> example);
    /// "ship, example 12,345, tower 0"
    [[nodiscard]] QString tileText(int index) const;
    /// "tower 0 got 1 clean, 3 defective"; empty where nothing is said of its batch.
    [[nodiscard]] QString groupText(int group) const;
    /// Where the image is painted, without its label, in the viewport's coordinates.
    [[nodiscard]] QRectF imageRect(int index) const;

    [[nodiscard]] QSize sizeHint() const override { return {760, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 96}; }

signals:
    /// A person wants to see more of this image.
    void chosen(int index);

protected:
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] ImageGridInput layoutInput() const;
    void relayout();
    void describe();
    void setCurrent(int index);
    [[nodiscard]] int tileAt(QPoint position) const;
    [[nodiscard]] QString toolTipAt(QPoint position) const;
    [[nodiscard]] int scrolled() const;
    void paintGroup(QPainter& painter, const QRect& group, int tower) const;
    void paintTile(QPainter& painter, int index) const;

    std::vector<ImageTile> m_tiles;
    std::vector<int> m_towers; // of each group
    ImageGridLayout m_layout;
    int m_current = -1;
    std::optional<qint64> m_marked;
};

} // namespace lockstep::ui
