// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/preview/input_picture.h"

#include "engine/base.h"
#include "engine/data.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr float kWhite = 255.0F;

PixelValues extentOf(std::span<const float> values)
{
    const auto [least, greatest] = std::ranges::minmax_element(values);
    return {*least, *greatest};
}

/// What is no number, as a network that has diverged leaves it, is black.
uchar greyLevel(float grey)
{
    return static_cast<uchar>(std::isnan(grey) ? 0 : std::lround(std::clamp(grey, 0.0F, kWhite)));
}

} // namespace

QImage inputPicture(
    std::span<const float> values, const Shape& shape, const std::optional<PixelValues>& known)
{
    const PixelValues range = known ? *known : extentOf(values);
    const float scale = range.white > range.black ? kWhite / (range.white - range.black) : 0.0F;
    const bool isGrey = shape.channels < 3;
    QImage image(
        static_cast<int>(shape.width), static_cast<int>(shape.height),
        isGrey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    const std::int64_t shown = isGrey ? 1 : 3;
    for (int y = 0; y < image.height(); ++y) {
        uchar* line = image.scanLine(y);
        for (std::int64_t i = 0; i < shape.width * shown; ++i) {
            const std::int64_t pixel = y * shape.width + i / shown;
            const auto place = static_cast<std::size_t>(pixel * shape.channels + i % shown);
            line[i] = greyLevel((values[place] - range.black) * scale);
        }
    }
    return image;
}

QImage originalPicture(const ColourImage& image, int longest)
{
    const auto width = static_cast<int>(image.width);
    const QImage whole(
        image.pixels.data(), width, static_cast<int>(image.height), 3 * qsizetype{width},
        QImage::Format_RGB888);
    if (std::max(whole.width(), whole.height()) <= longest) {
        return whole.copy();
    }
    return whole.scaled(longest, longest, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

} // namespace lockstep::ui
