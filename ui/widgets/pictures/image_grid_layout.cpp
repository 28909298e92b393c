// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/image_grid_layout.h"

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

/// With images of this size on the screen.
ImageGridLayout layOutAt(const ImageGridInput& input, const QSizeF& imageSize)
{
    ImageGridLayout layout;
    layout.imageSize = imageSize;
    const int left = kMargin + input.headingWidth;
    const int width = std::max(
        static_cast<int>(std::ceil(layout.imageSize.width())),
        std::min(input.labelWidth, kMostLabel));
    const int height = static_cast<int>(std::ceil(layout.imageSize.height())) + input.labelHeight;
    const int room = input.room.width() - left - kMargin + kBetweenImages;
    const int columns = std::max(1, room / (width + kBetweenImages));
    int top = kMargin;
    for (const int images : input.groupSizes) {
        const int rows = std::max(1, (images + columns - 1) / columns);
        for (int i = 0; i < images; ++i) {
            layout.cells.emplace_back(
                left + i % columns * (width + kBetweenImages),
                top + i / columns * (height + kBetweenImages), width, height);
        }
        const int groupHeight = rows * (height + kBetweenImages) - kBetweenImages;
        layout.groups.emplace_back(
            kMargin, top, std::max(0, input.room.width() - 2 * kMargin), groupHeight);
        top += groupHeight + kBetweenGroups;
    }
    layout.height = top - kBetweenGroups + kMargin;
    return layout;
}

ImageGridLayout layOutAt(const ImageGridInput& input, int scale)
{
    ImageGridLayout layout =
        layOutAt(input, QSizeF(input.imagePixels) * (scale / input.devicePixelRatio));
    layout.scale = scale;
    return layout;
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
        if (layout.height <= input.room.height() || at <= least) {
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
    for (int scale = most; scale > least; --scale) {
        ImageGridLayout layout = layOutAt(input, scale);
        if (layout.height <= input.room.height()) {
            return layout;
        }
    }
    return layOutAt(input, least);
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
