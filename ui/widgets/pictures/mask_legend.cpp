// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/mask_view.h"

#include "theme/palette.h"

#include <QLocale>
#include <QPainter>

#include <numeric>

namespace lockstep::ui {
namespace {

constexpr int kSample = 12;
constexpr int kRamp = 48;
constexpr int kTextGap = 5;
constexpr int kEntryGap = 16;

} // namespace

MaskLegend::MaskLegend(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Colours of the masks"));
    setThreshold(m_threshold);
}

void MaskLegend::setThreshold(double threshold)
{
    m_threshold = threshold;
    QStringList words;
    for (const Entry& entry : entries()) {
        words.append(entry.text);
    }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

std::vector<MaskLegend::Entry> MaskLegend::entries() const
{
    return {
        {Sample::Outline, tr("label")},
        {Sample::Tint, tr("predicted: above %1").arg(QLocale().toString(m_threshold, 'f', 2))},
        {Sample::Ramp, tr("probability 0 to 1")}};
}

QSize MaskLegend::sizeHint() const
{
    const std::vector<Entry> all = entries();
    const int width =
        std::accumulate(all.begin(), all.end(), -kEntryGap, [this](int sum, const Entry& entry) {
            return sum + (entry.sample == Sample::Ramp ? kRamp : kSample) + kTextGap
                   + fontMetrics().horizontalAdvance(entry.text) + kEntryGap;
        });
    return {width, fontMetrics().height() + 2};
}

void MaskLegend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const QColor ink = themeColors(palette()).mutedText;
    const int top = (height() - kSample) / 2;
    int left = 0;
    for (const Entry& entry : entries()) {
        const int width = entry.sample == Sample::Ramp ? kRamp : kSample;
        paintSample(painter, entry.sample, QRectF(left, top, width, kSample));
        left += width + kTextGap;
        const int words = fontMetrics().horizontalAdvance(entry.text);
        painter.setPen(ink);
        painter.drawText(
            QRect(left, 0, words + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        left += words + kEntryGap;
    }
}

void MaskLegend::paintSample(QPainter& painter, Sample sample, const QRectF& place) const
{
    switch (sample) {
    case Sample::Outline:
        painter.fillRect(place, QColor(0x50, 0x50, 0x50));
        painter.setPen(QPen(labelColor(), 2.0));
        painter.drawRect(place.adjusted(1.0, 1.0, -1.0, -1.0));
        return;
    case Sample::Tint:
        painter.fillRect(place, predictionColor());
        return;
    case Sample::Ramp:
        break;
    }
    const auto columns = static_cast<int>(place.width());
    for (int column = 0; column < columns; ++column) {
        const auto share = static_cast<float>(column) / static_cast<float>(columns - 1);
        painter.fillRect(
            QRectF(place.left() + column, place.top(), 1.0, place.height()),
            QColor(shareColor(predictionColor(), share)));
    }
}

} // namespace lockstep::ui
