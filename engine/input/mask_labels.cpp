// SPDX-License-Identifier: Apache-2.0
#include "input/mask_labels.h"

#include "base/error.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::int64_t kWindow = 17;

/// The part of a window that lies within `size` pixels.
struct Window
{
    std::int64_t first = 0;
    std::int64_t end = 0;

    [[nodiscard]] float pixels() const { return static_cast<float>(end - first); }
};

/// Padding SAME: (cells - 1) * 8 + 17 - size = 9 pixels of it, four before and five after.
Window windowOf(std::int64_t cell, std::int64_t size)
{
    constexpr std::int64_t kBefore = (kWindow - kPixelsPerCell) / 2;
    const std::int64_t first = cell * kPixelsPerCell - kBefore;
    return {std::max<std::int64_t>(0, first), std::min(size, first + kWindow)};
}

Shape cellsOf(std::int64_t height, std::int64_t width)
{
    if (height % kPixelsPerCell != 0 || width % kPixelsPerCell != 0) {
        fail(
            ErrorCode::BadInput,
            "a network that reads {} × {} pixels (height × width) can't be given masks: both have "
            "to be multiples of {}",
            height, width, kPixelsPerCell);
    }
    return {height / kPixelsPerCell, width / kPixelsPerCell, 1};
}

Shape resizedShape(std::int64_t height, std::int64_t width, MaskLabel kind)
{
    return kind == MaskLabel::Pooled ? Shape{height, width, 1} : cellsOf(height, width);
}

} // namespace

MaskLabeller::MaskLabeller(std::int64_t height, std::int64_t width, MaskLabel kind, PixelGrid grid)
    : m_shape(cellsOf(height, width)), m_resized(resizedShape(height, width, kind)), m_kind(kind),
      m_resizer(m_resized.height, m_resized.width, grid)
{
    if (kind == MaskLabel::Pooled) {
        m_marks.resize(static_cast<std::size_t>(m_resized.elements()));
        m_columnSums.resize(static_cast<std::size_t>(m_resized.width));
    }
}

void MaskLabeller::reserve(std::int64_t widest)
{
    m_resizer.reserve(widest);
}

std::int64_t MaskLabeller::bytes(
    std::int64_t height, std::int64_t width, MaskLabel kind, std::int64_t widest)
{
    const Shape resized = resizedShape(height, width, kind);
    const std::int64_t pooled = kind == MaskLabel::Pooled ? resized.elements() + resized.width : 0;
    return BilinearResizer::bytes(resized.height, resized.width, widest)
           + pooled * static_cast<std::int64_t>(sizeof(float));
}

void MaskLabeller::apply(const ByteImage& mask, Mirror mirror, std::span<float> labels)
{
    require(std::ssize(labels) == m_shape.elements(), "labels of another size than the cells");
    if (m_kind == MaskLabel::Pooled) {
        m_resizer.apply(mask, mirror, 1.0F, m_marks);
        pool(labels);
        return;
    }
    m_resizer.apply(mask, mirror, 1.0F, labels);
    constexpr float kLeast = 1.0F / 255.0F;
    std::ranges::transform(
        labels, labels.begin(), [](float share) { return share > kLeast ? 1.0F : 0.0F; });
}

void MaskLabeller::pool(std::span<float> labels)
{
    float* label = labels.data();
    for (std::int64_t cellRow = 0; cellRow < m_shape.height; ++cellRow) {
        const Window rows = windowOf(cellRow, m_resized.height);
        std::ranges::fill(m_columnSums, 0.0F);
        for (std::int64_t y = rows.first; y < rows.end; ++y) {
            const float* const marks = m_marks.data() + y * m_resized.width;
            for (std::size_t x = 0; x < m_columnSums.size(); ++x) {
                m_columnSums[x] += marks[x];
            }
        }
        for (std::int64_t cell = 0; cell < m_shape.width; ++cell) {
            const Window columns = windowOf(cell, m_resized.width);
            float sum = 0.0F;
            for (std::int64_t x = columns.first; x < columns.end; ++x) {
                sum += m_columnSums[static_cast<std::size_t>(x)];
            }
            *label++ = sum / (rows.pixels() * columns.pixels());
        }
    }
}

} // namespace lockstep
