// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/mask_view.h"

#include "theme/palette.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kGap = 6;
constexpr int kCaptionGap = 2;
constexpr int kUsualHeight = 200;
constexpr int kLeastHeight = 80;
constexpr int kLeastWidth = 40; // of a layer
constexpr int kTintAlpha = 150;
constexpr double kOutline = 1.5;
constexpr double kHalo = 3.5; // dark, or the outline would be lost on a light picture

constexpr int kSample = 12; // of a colour, a square
constexpr int kRamp = 48;
constexpr int kTextGap = 5;
constexpr int kEntryGap = 16;

QString nameOf(MaskView::Layer layer)
{
    const std::array names{
        MaskView::tr("Input"), MaskView::tr("Label"), MaskView::tr("Prediction"),
        MaskView::tr("Overlay")};
    return names[static_cast<std::size_t>(layer)];
}

/// A pixel for each cell; null where there are no values.
QImage mapImage(const std::vector<float>& values, int rows, int columns, const QColor& color)
{
    if (values.empty()) {
        return {};
    }
    QImage image(columns, rows, QImage::Format_RGB32);
    auto value = values.begin();
    for (int row = 0; row < rows; ++row) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(row));
        std::transform(value, value + columns, line, [&color](float share) {
            return shareColor(color, share);
        });
        value += columns;
    }
    return image;
}

} // namespace

MaskView::MaskView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("A picture with its masks"));
    describe();
}

void MaskView::setPicture(const MaskPicture& picture)
{
    m_picture = picture;
    m_scaledInput = {};
    const auto& [input, label, probabilities, rows, columns] = m_picture;
    m_label = mapImage(label, rows, columns, labelColor());
    m_prediction = mapImage(probabilities, rows, columns, predictionColor());
    renewTint();
    describe();
    updateGeometry();
    update();
}

void MaskView::setThreshold(double threshold)
{
    m_threshold = threshold;
    renewTint();
    describe();
    update();
}

void MaskView::setLayers(std::vector<Layer> layers)
{
    m_layers = std::move(layers);
    describe();
    updateGeometry();
    update();
}

void MaskView::renewTint()
{
    m_tint = {};
    m_predicted = 0;
    if (m_picture.probabilities.empty()) {
        return;
    }
    m_tint = QImage(m_picture.columns, m_picture.rows, QImage::Format_ARGB32);
    m_tint.fill(Qt::transparent);
    QColor color = predictionColor();
    color.setAlpha(kTintAlpha);
    for (std::size_t cell = 0; cell < m_picture.probabilities.size(); ++cell) {
        if (static_cast<double>(m_picture.probabilities[cell]) > m_threshold) {
            const int place = static_cast<int>(cell);
            m_tint.setPixelColor(place % m_picture.columns, place / m_picture.columns, color);
            ++m_predicted;
        }
    }
}

/// In words, for those who can't see it.
void MaskView::describe()
{
    const QLocale locale;
    QStringList words;
    if (!m_picture.label.empty()) {
        const auto marked =
            std::ranges::count_if(m_picture.label, [](float value) { return value > 0.0F; });
        words.append(tr("%1 of %2 cells marked")
                         .arg(locale.toString(qlonglong{marked}))
                         .arg(locale.toString(qulonglong{m_picture.label.size()})));
    }
    if (!m_picture.probabilities.empty()) {
        words.append(tr("%1 predicted above %2")
                         .arg(locale.toString(m_predicted))
                         .arg(locale.toString(m_threshold, 'f', 2)));
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
}

QSizeF MaskView::proportions() const
{
    return m_picture.input.isNull() ? QSizeF(m_picture.columns, m_picture.rows)
                                    : QSizeF(m_picture.input.size());
}

int MaskView::captionHeight() const
{
    return fontMetrics().height() + kCaptionGap;
}

/// Of the longest of the layers' names.
double MaskView::captionWidth() const
{
    int widest = kLeastWidth;
    for (const Layer layer : m_layers) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(nameOf(layer)));
    }
    return widest;
}

/// Of a layer and its name, where all are as wide as can be.
double MaskView::mostRoom() const
{
    const auto count = static_cast<double>(m_layers.size());
    return (width() - kGap * (count - 1)) / count;
}

/// With edges between pixels of the screen, or they would be blurred.
QSizeF MaskView::layerSize() const
{
    const QSizeF room(mostRoom(), height() - captionHeight());
    const QSizeF size = proportions().scaled(room, Qt::KeepAspectRatio) * devicePixelRatioF();
    return QSizeF(std::floor(size.width()), std::floor(size.height())) / devicePixelRatioF();
}

/// A narrow picture leaves its name the room that there is.
double MaskView::layerRoom() const
{
    return std::min(std::floor(mostRoom()), std::max(layerSize().width(), captionWidth()));
}

QRectF MaskView::layerRect(int place) const
{
    if (proportions().isEmpty() || m_layers.empty()) {
        return {};
    }
    const double step = layerRoom() + kGap;
    const double all = static_cast<double>(m_layers.size()) * step - kGap;
    const double left = std::floor((width() - all) / 2) + place * step;
    return {QPointF(left, captionHeight()), layerSize()};
}

int MaskView::widthFor(int height) const
{
    const QSizeF shape = proportions();
    const auto count = static_cast<int>(m_layers.size());
    const double each =
        shape.isEmpty() ? 0.0 : shape.width() / shape.height() * (height - captionHeight());
    return count * static_cast<int>(std::ceil(std::max(captionWidth(), each))) + (count - 1) * kGap;
}

QSize MaskView::sizeHint() const
{
    return {widthFor(kUsualHeight), kUsualHeight};
}

QSize MaskView::minimumSizeHint() const
{
    const auto count = static_cast<int>(m_layers.size());
    return {count * kLeastWidth + (count - 1) * kGap, kLeastHeight};
}

void MaskView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const QColor ink = themeColors(palette()).mutedText;
    for (int i = 0; i < static_cast<int>(m_layers.size()); ++i) {
        const QRectF place = layerRect(i);
        if (place.isEmpty()) {
            return;
        }
        const Layer layer = m_layers[static_cast<std::size_t>(i)];
        painter.setPen(ink);
        const double room = layerRoom();
        const QRectF caption(place.left(), 0.0, room, fontMetrics().height());
        painter.drawText(
            caption, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(
                nameOf(layer), Qt::ElideRight, static_cast<int>(std::ceil(room))));
        paintLayer(painter, layer, place);
    }
}

void MaskView::paintLayer(QPainter& painter, Layer layer, const QRectF& place)
{
    switch (layer) {
    case Layer::Input:
        return paintInput(painter, place);
    case Layer::Label:
        return painter.drawImage(place, m_label);
    case Layer::Prediction:
        return painter.drawImage(place, m_prediction);
    case Layer::Overlay:
        paintInput(painter, place);
        painter.drawImage(place, m_tint);
        return paintOutline(painter, place);
    }
}

/// Most pictures are larger than their place: all of their pixels count, not only some.
void MaskView::paintInput(QPainter& painter, const QRectF& place)
{
    if (m_picture.input.isNull()) {
        return;
    }
    const QSize pixels = (place.size() * devicePixelRatioF()).toSize();
    if (m_scaledInput.size() != pixels) {
        m_scaledInput =
            m_picture.input.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    }
    painter.drawImage(place, m_scaledInput);
}

/// The edges between marked cells and others.
void MaskView::paintOutline(QPainter& painter, const QRectF& place) const
{
    const auto& label = m_picture.label;
    const int rows = m_picture.rows;
    const int columns = m_picture.columns;
    const auto isMarked = [&](int row, int column) {
        if (row < 0 || row >= rows || column < 0 || column >= columns) {
            return false;
        }
        const int cell = row * columns + column;
        return label[static_cast<std::size_t>(cell)] > 0.0F;
    };
    const auto corner = [&](int row, int column) {
        return place.topLeft()
               + QPointF(column * place.width() / columns, row * place.height() / rows);
    };
    QList<QLineF> edges;
    for (int row = 0; row <= rows && !label.empty(); ++row) {
        for (int column = 0; column <= columns; ++column) {
            const bool isInside = isMarked(row, column);
            if (isInside != isMarked(row - 1, column)) {
                edges.append({corner(row, column), corner(row, column + 1)});
            }
            if (isInside != isMarked(row, column - 1)) {
                edges.append({corner(row, column), corner(row + 1, column)});
            }
        }
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(0x18, 0x18, 0x18), kHalo, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(edges);
    painter.setPen(QPen(labelColor(), kOutline, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(edges);
    painter.restore();
}

MaskLegend::MaskLegend(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Colours of the masks"));
    setThreshold(0.5);
}

void MaskLegend::setThreshold(double threshold)
{
    m_texts = {
        tr("label"), tr("predicted: above %1").arg(QLocale().toString(threshold, 'f', 2)),
        tr("probability 0 to 1")};
    setAccessibleDescription(m_texts.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize MaskLegend::sizeHint() const
{
    int width = 2 * (kSample + kEntryGap) + kRamp;
    for (const QString& text : m_texts) {
        width += kTextGap + fontMetrics().horizontalAdvance(text);
    }
    return {width, fontMetrics().height() + 2};
}

void MaskLegend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    QRect sample(0, (height() - kSample) / 2, kSample, kSample);
    const auto write = [&](const QString& text) {
        const int left = sample.right() + 1 + kTextGap;
        const int width = fontMetrics().horizontalAdvance(text);
        painter.setPen(themeColors(palette()).mutedText);
        painter.drawText(
            QRect(left, 0, width + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        sample.moveLeft(left + width + kEntryGap);
    };
    painter.fillRect(sample, QColor(0x50, 0x50, 0x50));
    painter.setPen(QPen(labelColor(), 2.0));
    painter.drawRect(QRectF(sample).adjusted(1.0, 1.0, -1.0, -1.0));
    write(m_texts[0]);
    painter.fillRect(sample, predictionColor());
    write(m_texts[1]);
    sample.setWidth(kRamp);
    for (int column = 0; column < kRamp; ++column) {
        const float share = static_cast<float>(column) / (kRamp - 1);
        painter.fillRect(
            sample.left() + column, sample.top(), 1, kSample,
            QColor(shareColor(predictionColor(), share)));
    }
    write(m_texts[2]);
}

} // namespace lockstep::ui
