// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/class_answer.h"

#include "theme/palette.h"

#include <QLocale>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kAnswerGap = 8;
constexpr int kBarHeight = 5;
constexpr int kBarGap = 6;
constexpr double kMostOfWidth = 0.45; ///< that the image takes beside the bars

QString percentText(double share)
{
    return ClassAnswer::tr("%1 %").arg(QLocale().toString(100.0 * share, 'f', 1));
}

} // namespace

ClassAnswer::ClassAnswer(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("An image and its most probable classes"));
}

void ClassAnswer::setAnswer(const QImage& image, std::vector<ClassBar> bars)
{
    m_image = image;
    m_bars = std::move(bars);
    QStringList words;
    for (const ClassBar& bar : m_bars) {
        const QString text = tr("%1 %2").arg(bar.name, percentText(bar.probability));
        words.append(bar.isLabel ? tr("%1 (the label)").arg(text) : text);
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

/// Whole pixels of the screen for each pixel, where there is room for that.
QRectF ClassAnswer::imageRect() const
{
    if (m_image.isNull()) {
        return {};
    }
    const QSizeF room =
        isStacked() ? QSizeF(width(), height() * 0.5) : QSizeF(width() * kMostOfWidth, height());
    const QSizeF image = m_image.size();
    const double ratio = devicePixelRatioF();
    const double fitting =
        ratio * std::min(room.width() / image.width(), room.height() / image.height());
    const double factor = (fitting >= 1.0 ? std::floor(fitting) : fitting) / ratio;
    return {QPointF(0, 0), image * factor};
}

void ClassAnswer::paintEvent(QPaintEvent* /*event*/)
{
    const QRectF image = imageRect();
    if (image.isEmpty()) {
        return;
    }
    QPainter painter(this);
    painter.drawImage(image, m_image);
    const double line = fontMetrics().height() + kBarHeight + kBarGap;
    QRectF place =
        isStacked()
            ? QRectF(0, image.bottom() + kAnswerGap, width(), line)
            : QRectF(image.right() + kAnswerGap, 0, width() - image.right() - kAnswerGap, line);
    for (const ClassBar& bar : m_bars) {
        if (place.bottom() - kBarGap > height()) {
            return; // what has no room is in the tool tip
        }
        paintBar(painter, bar, place);
        place.translate(0, line);
    }
}

void ClassAnswer::paintBar(QPainter& painter, const ClassBar& bar, const QRectF& place) const
{
    const ThemeColors colors = themeColors(palette());
    QFont font = this->font();
    font.setBold(bar.isLabel);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const QString share = percentText(bar.probability);
    const int room =
        static_cast<int>(place.width()) - metrics.horizontalAdvance(share) - kAnswerGap;
    const QRectF words(place.left(), place.top(), place.width(), fontMetrics().height());
    painter.setPen(colors.text);
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(bar.name, Qt::ElideRight, room));
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, share);
    const QRectF track(place.left(), words.bottom(), place.width(), kBarHeight);
    painter.fillRect(track, colors.grid);
    QRectF filled = track;
    filled.setWidth(track.width() * bar.probability);
    painter.fillRect(filled, bar.isLabel ? labelColor() : predictionColor());
}

} // namespace lockstep::ui
