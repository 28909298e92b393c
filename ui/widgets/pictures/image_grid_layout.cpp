// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/image_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lockstep::ui {
namespace {

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

/// Of an image on the screen.
QSizeF sizeAt(const ImageGridInput& input, int scale)
{
    return QSizeF(input.imagePixels) * (scale / input.devicePixelRatio);
}

/// Of images with a side of more than the most size: that side takes every size that there is.
ImageGridLayout layOutShrunk(const ImageGridInput& input)
{
    const QSizeF whole = QSizeF(input.imagePixels) / input.devicePixelRatio;
    const double factor = kMostSize / std::max(whole.width(), whole.height());
    const double least = std::min(factor, kLeastSize / std::min(whole.width(), whole.height()));
    ImageGridLayout layout;
    for (double at = factor;; at = std::max(least, at * kShrinking)) {
        layout = layOutAt(input, whole * at);
        if (layout.height <= input.room.height()) {
            break;
        }
        if (at <= least) {
            layout = layOutLeast(input, whole * least);
            break;
        }
    }
    layout.scale = 0;
    return layout;
}

} // namespace

ImageGridLayout layOutImages(const ImageGridInput& input)
{
    if (input.groupSizes.empty() || input.imagePixels.isEmpty()) {
        return {};
    }
    const int longest = std::max(input.imagePixels.width(), input.imagePixels.height());
    if (longest / input.devicePixelRatio > kMostSize) {
        return layOutShrunk(input);
    }
    const double side = input.imagePixels.width() / input.devicePixelRatio;
    const int least = std::max(1, static_cast<int>(std::ceil(kLeastSize / side)));
    const int most = std::max(least, static_cast<int>(kMostSize / side));
    for (int scale = most; scale >= least; --scale) {
        ImageGridLayout layout = layOutAt(input, sizeAt(input, scale));
        layout.scale = scale;
        if (layout.height <= input.room.height()) {
            return layout;
        }
    }
    ImageGridLayout layout = layOutLeast(input, sizeAt(input, least));
    layout.scale = least;
    return layout;
}

int cellInNextRow(const ImageGridLayout& layout, int index, int direction)
{
    const QRect from = layout.cells[static_cast<std::size_t>(index)];
    int best = index;
    std::pair<int, int> bestDistance; // the nearest row comes first, then the nearest column
    for (int i = 0; i < static_cast<int>(layout.cells.size()); ++i) {
        const QRect& cell = layout.cells[static_cast<std::size_t>(i)];
        const std::pair distance{
            (cell.top() - from.top()) * direction, std::abs(cell.left() - from.left())};
        if (distance.first > 0 && (best == index || distance < bestDistance)) {
            best = i;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace lockstep::ui
