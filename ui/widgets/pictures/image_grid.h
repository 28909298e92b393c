// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pictures/picture_area.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockstep::ui {

/// What the layout of an image grid depends on. All lengths in device-independent pixels, except
/// for `imagePixels`.
struct ImageGridInput
{
    std::vector<int> groupSizes; ///< images of each group
    QSize imagePixels;           ///< of every image
    QSize room;                  ///< of the visible part
    double devicePixelRatio = 1.0;
    int headingWidth = 0; ///< left of a group's images
    int labelHeight = 0;  ///< below each image
    int labelWidth = 0;   ///< of the longest; some of it is room for
};

/// Where the parts of an image grid are. Groups lie below each other, each with its heading on the
/// left and its images in as many rows as it takes; beside each other where not all would be seen.
struct ImageGridLayout
{
    int scale = 1;    ///< screen pixels along an image's pixel: whole, so that all are alike; 0:
                      ///< images are shrunk
    QSizeF imageSize; ///< of one on the screen
    std::vector<QRect> groups; ///< heading and images
    std::vector<QRect> cells;  ///< image and label, in the order of the images; a cell may be wider
                               ///< than its image, which is in its middle
    int height = 0;            ///< of all
};

/// The largest images with which everything is visible, between a least and a most size; if there
/// are too many, they have the least size and scroll, with some of every group in sight where that
/// can be. Images beyond the most size are shrunk.
ImageGridLayout layOutImages(const ImageGridInput& input);

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
class ImageGrid : public PictureArea
{
    Q_OBJECT

public:
    explicit ImageGrid(QWidget* parent = nullptr);

    /// Tower by tower, all of one size. The current image and the place that is scrolled to stay.
    void setTiles(std::vector<ImageTile> tiles);
    [[nodiscard]] const std::vector<ImageTile>& tiles() const { return m_tiles; }

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
    void relayout() override;
    [[nodiscard]] const std::vector<QRect>& cells() const override { return m_layout.cells; }
    void describe() override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QString toolTipAt(QPoint position) const;
    void paintGroup(QPainter& painter, const QRect& group, int tower) const;
    void paintTile(QPainter& painter, int index) const;

    std::vector<ImageTile> m_tiles;
    std::vector<int> m_towers; // of each group
    ImageGridLayout m_layout;
    std::optional<qint64> m_marked;
};

} // namespace lockstep::ui
