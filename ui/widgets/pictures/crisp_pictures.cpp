// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/crisp_pictures.h"

#include "theme/palette.h"

#include <QLocale>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kAnswerGap = 8;
constexpr int kBarHeight = 5;
constexpr int kBarGap = 6;
constexpr double kMostOfWidth = 0.45; ///< that the image takes beside the bars
constexpr int kMostScale = 64;        ///< of a tile
constexpr int kTileGap = 3;           ///< in pixels of the screen

QString percentText(double share)
{
    return ClassAnswer::tr("%1 %").arg(QLocale().toString(100.0 * share, 'f', 1));
}

} // namespace

QSizeF crispSize(const QSize& picture, const QSizeF& room, double devicePixelRatio)
{
    const double scale = devicePixelRatio
                         * std::min(
                             room.width() / std::max(1, picture.width()),
                             room.height() / std::max(1, picture.height()));
    return QSizeF(picture) * ((scale >= 1.0 ? std::floor(scale) : scale) / devicePixelRatio);
}

ClassAnswer::ClassAnswer(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("An image and its most probable classes"));
}

void ClassAnswer::setAnswer(const QImage& image, std::vector<ClassBar> bars)
{
    m_image = image;
    m_bars = std::move(bars);
    QStringList words;
    for (const ClassBar& bar : m_bars) {
        const QString text = tr("%1 %2").arg(bar.name, percentText(bar.probability));
        words.append(bar.isLabel ? tr("%1 (the label)").arg(text) : text);
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

/// Whole pixels of the screen for each pixel, where there is room for that.
QRectF ClassAnswer::imageRect() const
{
    if (m_image.isNull()) {
        return {};
    }
    const QSizeF room =
        isStacked() ? QSizeF(width(), height() * 0.5) : QSizeF(width() * kMostOfWidth, height());
    return {QPointF(0, 0), crispSize(m_image.size(), room, devicePixelRatioF())};
}

void ClassAnswer::paintEvent(QPaintEvent* /*event*/)
{
    const QRectF image = imageRect();
    if (image.isEmpty()) {
        return;
    }
    QPainter painter(this);
    painter.drawImage(image, m_image);
    const double line = fontMetrics().height() + kBarHeight + kBarGap;
    QRectF place =
        isStacked()
            ? QRectF(0, image.bottom() + kAnswerGap, width(), line)
            : QRectF(image.right() + kAnswerGap, 0, width() - image.right() - kAnswerGap, line);
    for (const ClassBar& bar : m_bars) {
        if (place.bottom() - kBarGap > height()) {
            return; // what has no room is in the tool tip
        }
        paintBar(painter, bar, place);
        place.translate(0, line);
    }
}

void ClassAnswer::paintBar(QPainter& painter, const ClassBar& bar, const QRectF& place) const
{
    const ThemeColors colors = themeColors(palette());
    QFont font = this->font();
    font.setBold(bar.isLabel);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const QString share = percentText(bar.probability);
    const int room =
        static_cast<int>(place.width()) - metrics.horizontalAdvance(share) - kAnswerGap;
    const QRectF words(place.left(), place.top(), place.width(), fontMetrics().height());
    painter.setPen(colors.text);
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(bar.name, Qt::ElideRight, room));
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, share);
    const QRectF track(place.left(), words.bottom(), place.width(), kBarHeight);
    painter.fillRect(track, colors.grid);
    QRectF filled = track;
    filled.setWidth(track.width() * bar.probability);
    painter.fillRect(filled, bar.isLabel ? labelColor() : predictionColor());
}

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
