// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/tile_view.h"

#include "theme/palette.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kMostScale = 64;
constexpr int kTileGap = 3; // in pixels of the screen

} // namespace

TileView::TileView(const QString& accessibleName, QWidget* parent) : QWidget(parent)
{
    setAccessibleName(accessibleName);
}

void TileView::setTiles(std::vector<QImage> tiles, const QString& text)
{
    m_tiles = std::move(tiles);
    m_text = text;
    setAccessibleDescription(m_tiles.empty() ? text : tr("%1 pictures").arg(m_tiles.size()));
    update();
}

/// The largest scale at which all have room; 1 where none is.
TileView::Layout TileView::fitting() const
{
    const QSize room = (QSizeF(size()) * devicePixelRatioF()).toSize() + QSize(kTileGap, kTileGap);
    const auto count = static_cast<int>(m_tiles.size());
    for (int scale = kMostScale; scale >= 1; --scale) {
        const QSize tile = m_tiles.front().size() * scale + QSize(kTileGap, kTileGap);
        const int columns = std::min(count, room.width() / tile.width());
        if (columns * (room.height() / tile.height()) >= count) {
            return {scale, columns};
        }
    }
    return {1, std::max(1, room.width() / (m_tiles.front().width() + kTileGap))};
}

QRectF TileView::tileRect(int tile) const
{
    const Layout layout = fitting();
    const QSize pixels = m_tiles.front().size() * layout.scale;
    const double ratio = devicePixelRatioF();
    const QPoint place(
        tile % layout.columns * (pixels.width() + kTileGap),
        tile / layout.columns * (pixels.height() + kTileGap));
    return {QPointF(place) / ratio, QSizeF(pixels) / ratio};
}

void TileView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    if (m_tiles.empty()) {
        painter.setPen(themeColors(palette()).mutedText);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_text);
        return;
    }
    for (int tile = 0; tile < static_cast<int>(m_tiles.size()); ++tile) {
        painter.drawImage(tileRect(tile), m_tiles[static_cast<std::size_t>(tile)]);
    }
}

} // namespace lockstep::ui
