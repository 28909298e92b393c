// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

/// Small pictures of one size beside and below each other, as large as there is room, each of their
/// pixels a whole number of pixels on the screen.
class TileView : public QWidget
{
    Q_OBJECT

public:
    /// `accessibleName` says what the pictures are of.
    explicit TileView(const QString& accessibleName, QWidget* parent = nullptr);

    /// None: `text` is shown instead.
    void setTiles(std::vector<QImage> tiles, const QString& text);
    [[nodiscard]] const std::vector<QImage>& tiles() const noexcept { return m_tiles; }
    /// Where a picture is painted.
    [[nodiscard]] QRectF tileRect(int tile) const;

    [[nodiscard]] QSize sizeHint() const override { return {240, 160}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Pixels of the screen for one of a picture, and pictures in a row.
    struct Layout
    {
        int scale = 1;
        int columns = 1;
    };
    [[nodiscard]] Layout fitting() const;

    std::vector<QImage> m_tiles;
    QString m_text;
};

} // namespace lockstep::ui
