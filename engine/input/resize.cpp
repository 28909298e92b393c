// SPDX-License-Identifier: Apache-2.0
#include "input/resize.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

BilinearResizer::BilinearResizer(std::int64_t height, std::int64_t width, PixelGrid grid)
    : m_grid(grid), m_rows(static_cast<std::size_t>(height)),
      m_columns(static_cast<std::size_t>(width))
{
}

void BilinearResizer::reserve(std::int64_t widest)
{
    m_line.reserve(static_cast<std::size_t>(widest));
}

std::int64_t BilinearResizer::bytes(std::int64_t height, std::int64_t width, std::int64_t widest)
{
    return (height + width) * static_cast<std::int64_t>(sizeof(Tap))
           + widest * static_cast<std::int64_t>(sizeof(float));
}

void BilinearResizer::plan(std::int64_t size, bool isMirrored, std::vector<Tap>& taps) const
{
    const double scale = static_cast<double>(size) / static_cast<double>(taps.size());
    const auto last = static_cast<double>(size - 1);
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const auto number = static_cast<double>(i);
        const double wanted =
            m_grid == PixelGrid::Corners ? number * scale : (number + 0.5) * scale - 0.5;
        const double place = std::clamp(wanted, 0.0, last);
        const double first = std::floor(place);
        const double second = std::min(first + 1.0, last);
        taps[i].first = static_cast<std::int32_t>(isMirrored ? last - first : first);
        taps[i].second = static_cast<std::int32_t>(isMirrored ? last - second : second);
        taps[i].share = static_cast<float>(place - first);
    }
}

void BilinearResizer::apply(
    const ByteImage& image, Mirror mirror, float scale, std::span<float> destination)
{
    require(
        std::ssize(image.pixels) == image.height * image.width
            && destination.size() == m_rows.size() * m_columns.size(),
        "an image to resize has another size than it says");
    plan(image.height, mirror.isVertical, m_rows);
    plan(image.width, mirror.isHorizontal, m_columns);
    m_line.resize(static_cast<std::size_t>(image.width));
    float* result = destination.data();
    for (const Tap& row : m_rows) {
        const std::uint8_t* const first = image.pixels.data() + row.first * image.width;
        const std::uint8_t* const second = image.pixels.data() + row.second * image.width;
        for (std::size_t x = 0; x < m_line.size(); ++x) {
            const auto value = static_cast<float>(first[x]);
            m_line[x] = (value + (static_cast<float>(second[x]) - value) * row.share) * scale;
        }
        for (const Tap& column : m_columns) {
            const float value = m_line[static_cast<std::size_t>(column.first)];
            const float next = m_line[static_cast<std::size_t>(column.second)];
            *result++ = value + (next - value) * column.share;
        }
    }
}

} // namespace lockstep
