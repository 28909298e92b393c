// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/image_grid.h"

#include "theme/palette.h"
#include "theme/tower_colors.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kBarWidth = 4;
constexpr int kHeadingGap = 10;
constexpr int kLabelGap = 2;
constexpr double kLeastSize = 64.0; // room for most names of classes
constexpr double kMostSize = 176.0;
constexpr double kShrinking = 0.95; // from one size that is tried to the next
constexpr int kMostLabel = 104;     // longer ones are cut
constexpr int kMargin = 10;
constexpr int kBetweenImages = 8;
constexpr int kBetweenGroups = 10;

QSize cellSize(const ImageGridInput& input, const QSizeF& imageSize)
{
    return {
        std::max(
            static_cast<int>(std::ceil(imageSize.width())), std::min(input.labelWidth, kMostLabel)),
        static_cast<int>(std::ceil(imageSize.height())) + input.labelHeight};
}

/// The width of a group, where so many stand beside each other.
int groupWidth(const ImageGridInput& input, int beside)
{
    return (input.room.width() - 2 * kMargin + kBetweenGroups) / beside - kBetweenGroups;
}

/// With images of this size on the screen, and so many groups beside each other.
ImageGridLayout layOutAt(const ImageGridInput& input, const QSizeF& imageSize, int beside = 1)
{
    ImageGridLayout layout;
    layout.imageSize = imageSize;
    const QSize cell = cellSize(input, imageSize);
    const QSize step = cell + QSize(kBetweenImages, kBetweenImages);
    const int width = groupWidth(input, beside);
    const int columns = std::max(1, (width - input.headingWidth + kBetweenImages) / step.width());
    int left = kMargin;
    int top = kMargin;
    int bottom = kMargin; // of the groups beside each other
    for (const int images : input.groupSizes) {
        if (left + width > input.room.width()) {
            left = kMargin;
            top = bottom + kBetweenGroups;
        }
        const int rows = std::max(1, (images + columns - 1) / columns);
        for (int i = 0; i < images; ++i) {
            layout.cells.emplace_back(
                QPoint(
                    left + input.headingWidth + i % columns * step.width(),
                    top + i / columns * step.height()),
                cell);
        }
        const int height = rows * step.height() - kBetweenImages;
        layout.groups.emplace_back(left, top, std::max(0, width), height);
        bottom = std::max(bottom, top + height);
        left += width + kBetweenGroups;
    }
    layout.height = bottom + kMargin;
    return layout;
}

/// With images of the least size, more than fit: groups are put beside each other until each has
/// some images in sight, or there is no room for one of each.
ImageGridLayout layOutLeast(const ImageGridInput& input, const QSizeF& imageSize)
{
    const QSize cell = cellSize(input, imageSize);
    ImageGridLayout layout = layOutAt(input, imageSize);
    const int groups = static_cast<int>(input.groupSizes.size());
    for (int beside = 2;
         beside <= groups && groupWidth(input, beside) >= input.headingWidth + cell.width()
         && layout.groups.back().top() + cell.height() > input.room.height();
         ++beside) {
        layout = layOutAt(input, imageSize, beside);
    }
    return layout;
}

QString headingText(int tower)
{
    return tower == ImageTile::kNoTower ? ImageGrid::tr("test set")
                                        : ImageGrid::tr("tower %1").arg(QLocale().toString(tower));
}

} // namespace

ImageGridLayout layOutImages(const ImageGridInput& input)
{
    if (input.groupSizes.empty() || input.imagePixels.isEmpty()) {
        return {};
    }
    const QSizeF whole = QSizeF(input.imagePixels) / input.devicePixelRatio;
    const double longest = std::max(whole.width(), whole.height());
    const bool isShrunk = longest > kMostSize;
    double least = std::max(1.0, std::ceil(kLeastSize / whole.width()));
    double most = std::max(least, std::floor(kMostSize / whole.width()));
    if (isShrunk) {
        most = kMostSize / longest;
        least = std::min(most, kLeastSize / std::min(whole.width(), whole.height()));
    }
    for (double scale = most;; scale = std::max(least, isShrunk ? scale * kShrinking : scale - 1)) {
        const QSizeF size = QSizeF(input.imagePixels) * (scale / input.devicePixelRatio);
        ImageGridLayout layout = layOutAt(input, size);
        const bool hasRoom = layout.height <= input.room.height();
        if (hasRoom || scale <= least) {
            layout = hasRoom ? layout : layOutLeast(input, size);
            layout.scale = static_cast<int>(scale);
            return layout;
        }
    }
}

ImageGrid::ImageGrid(QWidget* parent) : PictureArea(tr("Images that the towers get"), parent) {}

void ImageGrid::setTiles(std::vector<ImageTile> tiles)
{
    m_tiles = std::move(tiles);
    m_towers.clear();
    for (const ImageTile& tile : m_tiles) {
        if (m_towers.empty() || m_towers.back() != tile.tower) {
            m_towers.push_back(tile.tower);
        }
    }
    relayout();
    setCurrent(std::min(current(), static_cast<int>(m_tiles.size()) - 1));
}

void ImageGrid::relayout()
{
    ImageGridInput input;
    const QFontMetrics metrics = fontMetrics();
    for (const int tower : m_towers) {
        input.groupSizes.push_back(
            static_cast<int>(std::ranges::count(m_tiles, tower, &ImageTile::tower)));
        const int width = metrics.horizontalAdvance(headingText(tower));
        input.headingWidth =
            std::max(input.headingWidth, kBarWidth + kHeadingGap + width + 2 * kHeadingGap);
    }
    for (const ImageTile& tile : m_tiles) {
        input.labelWidth = std::max(input.labelWidth, metrics.horizontalAdvance(tile.label));
    }
    input.imagePixels = m_tiles.empty() ? QSize() : m_tiles.front().image.size();
    input.room = viewport()->size();
    input.devicePixelRatio = devicePixelRatioF();
    input.labelHeight = kLabelGap + metrics.height();
    m_layout = layOutImages(input);
    setContentHeight(m_layout.height);
}

QString ImageGrid::tileText(int index) const
{
    const ImageTile& tile = m_tiles[static_cast<std::size_t>(index)];
    const QString number = QLocale().toString(tile.example);
    const QString example = tile.name.isEmpty()
                                ? number
                                : tr("%1 (%2)", "an example: number, name").arg(number, tile.name);
    return tr("%1, example %2, %3").arg(tile.label, example, headingText(tile.tower));
}

QString ImageGrid::groupText(int group) const
{
    const int tower = m_towers[static_cast<std::size_t>(group)];
    const auto tile = std::ranges::find(m_tiles, tower, &ImageTile::tower);
    return tile->batchText.isEmpty() ? QString()
                                     : tr("%1 got %2").arg(headingText(tower), tile->batchText);
}

/// Of the image there, and of the batch of the tower that it belongs to.
QString ImageGrid::toolTipAt(QPoint position) const
{
    QStringList lines;
    if (const int index = cellAt(m_layout.cells, position); index >= 0) {
        lines << tileText(index);
    }
    if (const int group = cellAt(m_layout.groups, position); group >= 0) {
        lines << groupText(group);
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

/// In words: the current image, or what there is of each tower.
void ImageGrid::describe()
{
    if (current() >= 0) {
        setAccessibleDescription(tileText(current()));
        return;
    }
    QStringList groups;
    for (const int tower : m_towers) {
        QStringList labels;
        for (const ImageTile& tile : m_tiles) {
            if (tile.tower == tower) {
                labels.append(tile.label);
            }
        }
        groups.append(tr("%1: %2", "a tower: its images")
                          .arg(headingText(tower), labels.join(QStringLiteral(", "))));
    }
    setAccessibleDescription(groups.join(QStringLiteral("; ")));
}

QRectF ImageGrid::imageRect(int index) const
{
    const QRect& cell = m_layout.cells[static_cast<std::size_t>(index)];
    const double beside = std::floor((cell.width() - m_layout.imageSize.width()) / 2.0);
    return {
        QPointF(cell.left() + std::max(0.0, beside), cell.top() - scrolled()), m_layout.imageSize};
}

void ImageGrid::setMarked(std::optional<qint64> example)
{
    m_marked = example;
    viewport()->update();
}

void ImageGrid::keyPressEvent(QKeyEvent* event)
{
    const bool isChoice = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
                          || event->key() == Qt::Key_Space;
    if (isChoice && current() >= 0) {
        emit chosen(current());
    } else {
        PictureArea::keyPressEvent(event);
    }
}

void ImageGrid::mousePressEvent(QMouseEvent* event)
{
    PictureArea::mousePressEvent(event);
    if (cellAt(cells(), event->pos()) >= 0) {
        emit chosen(current());
    }
}

bool ImageGrid::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<const QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return PictureArea::viewportEvent(event);
}

void ImageGrid::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
    for (std::size_t i = 0; i < m_layout.groups.size(); ++i) {
        paintGroup(painter, m_layout.groups[i].translated(0, -scrolled()), m_towers[i]);
    }
    for (int i = 0; i < static_cast<int>(m_tiles.size()); ++i) {
        paintTile(painter, i);
    }
}

void ImageGrid::paintGroup(QPainter& painter, const QRect& group, int tower) const
{
    const ThemeColors theme = themeColors(*this);
    painter.fillRect(
        QRect(group.topLeft(), QSize(kBarWidth, group.height())),
        tower == ImageTile::kNoTower ? theme.mutedText : towerColor(tower, theme));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(
        group.adjusted(kBarWidth + kHeadingGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
        headingText(tower));
}

void ImageGrid::paintTile(QPainter& painter, int index) const
{
    const ImageTile& tile = m_tiles[static_cast<std::size_t>(index)];
    const ThemeColors theme = themeColors(palette());
    const QRectF image = imageRect(index);
    if (!image.adjusted(0, 0, 0, fontMetrics().height() * 2).intersects(viewport()->rect())) {
        return;
    }
    paintSmooth(painter, image, tile.image);
    const bool isCurrent = index == current();
    if (tile.example == m_marked || (isCurrent && hasFocus())) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(image.adjusted(-2.0, -2.0, 2.0, 2.0));
    }
    painter.setFont(font());
    painter.setPen(isCurrent ? theme.text : theme.mutedText);
    const QRect& cell = m_layout.cells[static_cast<std::size_t>(index)];
    const QRectF line(
        cell.left(), image.bottom() + kLabelGap, cell.width(), fontMetrics().height());
    painter.drawText(
        line, Qt::AlignHCenter | Qt::AlignVCenter,
        fontMetrics().elidedText(tile.label, Qt::ElideRight, static_cast<int>(line.width())));
}

} // namespace lockstep::ui
