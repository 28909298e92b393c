// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

bool isShown(float value, bool isLogarithmic)
{
    return std::isfinite(value) && (!isLogarithmic || value > 0.0F);
}

/// Where the curve crosses the edge of a column; not a number where it does not.
float valueAtEdge(const Series& series, std::int64_t row, float share, bool isLogarithmic)
{
    if (row <= 0 || row >= series.size()) {
        return NAN;
    }
    const float before = series.at(row - 1);
    const float behind = series.at(row);
    if (!isShown(before, isLogarithmic) || !isShown(behind, isLogarithmic)) {
        return NAN;
    }
    return isLogarithmic ? before * std::pow(behind / before, share)
                         : before + share * (behind - before);
}

ColumnValues valuesOf(const Extent& extent, bool isLogarithmic)
{
    ColumnValues values;
    values.hasNotFinite = extent.notFinite > 0;
    values.hasNotPositive = isLogarithmic && extent.hasValues() && extent.minimum <= 0.0F;
    if (isLogarithmic ? extent.hasPositive() : extent.hasValues()) {
        values.low = isLogarithmic ? extent.minimumPositive : extent.minimum;
        values.high = extent.maximum;
    }
    return values;
}

QRgb over(QRgb upper, QRgb lower)
{
    const auto rest = static_cast<quint32>(255 - qAlpha(upper));
    const auto channel = [rest](int above, int below) {
        return static_cast<int>(
            static_cast<quint32>(above) + (static_cast<quint32>(below) * rest + 127U) / 255U);
    };
    return qRgba(
        channel(qRed(upper), qRed(lower)), channel(qGreen(upper), qGreen(lower)),
        channel(qBlue(upper), qBlue(lower)), channel(qAlpha(upper), qAlpha(lower)));
}

/// A painter of columns: keeps its lists from one column to the next.
class ColumnPainter
{
public:
    ColumnPainter(QImage& image, const std::vector<ColumnLayer>& layers)
        : m_pixels(reinterpret_cast<QRgb*>(image.bits())), m_stride(image.bytesPerLine() / 4),
          m_height(image.height()), m_layers(layers)
    {
        for (const ColumnLayer& layer : layers) {
            m_colors.push_back(qPremultiply(layer.color.rgba()));
        }
    }

    void collect(int column)
    {
        m_edges.clear();
        m_strokes.clear();
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            ColumnLayer::Stroke stroke = m_layers[i].strokes[static_cast<std::size_t>(column)];
            stroke.top = std::clamp(stroke.top, 0, m_height);
            stroke.end = std::clamp(stroke.end, 0, m_height);
            if (stroke.top < stroke.end) {
                m_strokes.emplace_back(stroke, m_colors[i]);
                m_edges.insert(m_edges.end(), {stroke.top, stroke.end});
            }
        }
        std::sort(m_edges.begin(), m_edges.end());
    }

    void paint(int column)
    {
        collect(column);
        for (std::size_t i = 0; i + 1 < m_edges.size(); ++i) {
            const QRgb color = m_edges[i] < m_edges[i + 1] ? colorOf(m_edges[i]) : 0U;
            QRgb* pixel = m_pixels + m_edges[i] * m_stride + column;
            for (int y = m_edges[i]; color != 0U && y < m_edges[i + 1]; ++y, pixel += m_stride) {
                *pixel = color;
            }
        }
    }

private:
    [[nodiscard]] QRgb colorOf(int y) const
    {
        QRgb color = 0;
        for (const auto& [stroke, ink] : m_strokes) {
            if (stroke.top <= y && y < stroke.end) {
                color = over(ink, color);
            }
        }
        return color;
    }

    QRgb* m_pixels;
    qsizetype m_stride;
    int m_height;
    const std::vector<ColumnLayer>& m_layers;
    std::vector<QRgb> m_colors;
    std::vector<std::pair<ColumnLayer::Stroke, QRgb>> m_strokes;
    std::vector<int> m_edges;
};

} // namespace

void ColumnValues::add(float value) noexcept
{
    if (std::isnan(value)) {
        return;
    }
    const bool isFirst = isEmpty();
    low = isFirst ? value : std::min(low, value);
    high = isFirst ? value : std::max(high, value);
}

ColumnGrid columnGrid(const Timeline& timeline, const PlotScale& scale, int columns)
{
    ColumnGrid grid;
    grid.rows.reserve(static_cast<std::size_t>(columns) + 1);
    grid.shares.reserve(static_cast<std::size_t>(columns) + 1);
    for (int column = 0; column <= columns; ++column) {
        const double edge = static_cast<double>(column) / columns;
        const double position = scale.positionAt(edge);
        const std::int64_t row = timeline.firstRowFrom(scale.axis, position);
        grid.rows.push_back(row);
        double share = 0.0;
        if (row > 0 && row < timeline.size()) {
            const double before = scale.shareOf(timeline.positionAt(scale.axis, row - 1));
            const double width = scale.shareOf(timeline.positionAt(scale.axis, row)) - before;
            share = width > 0.0 ? (edge - before) / width : 1.0;
        }
        grid.shares.push_back(static_cast<float>(share));
    }
    return grid;
}

std::vector<ColumnValues> curveColumns(
    const Series& series, const ColumnGrid& grid, bool isLogarithmic)
{
    std::vector<ColumnValues> columns;
    columns.reserve(grid.rows.size());
    float atLeftEdge = valueAtEdge(series, grid.rows.front(), grid.shares.front(), isLogarithmic);
    for (std::size_t column = 0; column + 1 < grid.rows.size(); ++column) {
        const std::int64_t end = grid.rows[column + 1];
        const float atRightEdge = valueAtEdge(series, end, grid.shares[column + 1], isLogarithmic);
        ColumnValues values = valuesOf(series.extent(grid.rows[column], end), isLogarithmic);
        values.add(atLeftEdge);
        values.add(atRightEdge);
        columns.push_back(values);
        atLeftEdge = atRightEdge;
    }
    return columns;
}

void paintColumns(QImage& image, const std::vector<ColumnLayer>& layers)
{
    ColumnPainter painter(image, layers);
    for (int column = 0; column < image.width(); ++column) {
        painter.paint(column);
    }
}

} // namespace lockstep::ui
