// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/column_image.h"

#include <algorithm>

namespace lockstep::ui {
namespace {

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
                m_strokes.push_back({stroke, m_colors[i]});
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
    struct ColoredStroke
    {
        ColumnLayer::Stroke stroke;
        QRgb color;
    };

    [[nodiscard]] QRgb colorOf(int y) const
    {
        QRgb color = 0;
        for (const ColoredStroke& colored : m_strokes) {
            if (colored.stroke.top <= y && y < colored.stroke.end) {
                color = over(colored.color, color);
            }
        }
        return color;
    }

    QRgb* m_pixels;
    qsizetype m_stride;
    int m_height;
    const std::vector<ColumnLayer>& m_layers;
    std::vector<QRgb> m_colors;
    std::vector<ColoredStroke> m_strokes;
    std::vector<int> m_edges;
};

} // namespace

void paintColumns(QImage& image, const std::vector<ColumnLayer>& layers)
{
    ColumnPainter painter(image, layers);
    for (int column = 0; column < image.width(); ++column) {
        painter.paint(column);
    }
}

} // namespace lockstep::ui
