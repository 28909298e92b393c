// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/mask_outline.h"

#include "engine/base.h"

#include <QColor>
#include <QPainter>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// Stands out from every grey, for all who see colours in whatever way.
constexpr QRgb kOutline = qRgb(230, 159, 0);

} // namespace

QImage withMaskOutline(const QImage& image, std::span<const float> mask, const Shape& maskShape)
{
    const float most = mask.empty() ? 0.0F : *std::ranges::max_element(mask);
    if (most <= 0.0F) {
        return image;
    }
    const auto isMarked = [&](std::int64_t row, std::int64_t column) {
        return row >= 0 && column >= 0 && row < maskShape.height && column < maskShape.width
               && mask[static_cast<std::size_t>(row * maskShape.width + column)] >= most / 2.0F;
    };
    QImage outlined = image.convertToFormat(QImage::Format_RGB888);
    QPainter painter(&outlined);
    const int height = image.height() / static_cast<int>(maskShape.height);
    const int width = image.width() / static_cast<int>(maskShape.width);
    for (int row = 0; row < maskShape.height; ++row) {
        for (int column = 0; column < maskShape.width; ++column) {
            if (!isMarked(row, column)) {
                continue;
            }
            const QRect cell(column * width, row * height, width, height);
            const auto edge = [&](int rowAt, int columnAt, const QRect& line) {
                if (!isMarked(rowAt, columnAt)) {
                    painter.fillRect(line, QColor(kOutline));
                }
            };
            edge(row - 1, column, {cell.topLeft(), QSize(width, 1)});
            edge(row + 1, column, {cell.bottomLeft(), QSize(width, 1)});
            edge(row, column - 1, {cell.topLeft(), QSize(1, height)});
            edge(row, column + 1, {cell.topRight(), QSize(1, height)});
        }
    }
    return outlined;
}

} // namespace lockstep::ui
