// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/plot_header.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr double kTitleGap = 12.0;
constexpr double kKeyWidth = 20.0;
constexpr double kKeyGap = 6.0;
constexpr double kBetweenKeys = 14.0;
constexpr double kOffOpacity = 0.35;
/// A caption that is cut shorter than this says nothing: then the legend makes room.
constexpr double kLeastCaption = 170.0;

double widthOf(const std::vector<LegendKey>& keys, const QFontMetricsF& metrics)
{
    double width = keys.empty() ? 0.0 : -kBetweenKeys;
    for (const LegendKey& key : keys) {
        width += kKeyWidth + kKeyGap + metrics.horizontalAdvance(key.text) + kBetweenKeys;
    }
    return std::max(0.0, width);
}

void paintLines(QPainter& painter, const QRectF& rect, const std::vector<QColor>& colors)
{
    const double part = rect.width() / static_cast<double>(colors.size());
    for (std::size_t i = 0; i < colors.size(); ++i) {
        painter.setPen(QPen(colors[i], 1.5, Qt::SolidLine, Qt::FlatCap));
        const double left = rect.left() + part * static_cast<double>(i);
        painter.drawLine(QPointF(left, rect.center().y()), QPointF(left + part, rect.center().y()));
    }
}

void paintKey(QPainter& painter, const QRectF& rect, const LegendKey& key)
{
    const QPointF left(rect.left(), rect.center().y());
    const QPointF right(rect.right(), rect.center().y());
    const QColor color = key.colors.front();
    switch (key.shape) {
    case KeyShape::Lines:
        paintLines(painter, rect, key.colors);
        break;
    case KeyShape::Band:
        painter.fillRect(QRectF(rect.left(), rect.center().y() - 4, rect.width(), 8), color);
        break;
    case KeyShape::Dashes:
        painter.setPen(QPen(color, 2.0, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(left, left + QPointF(8, 0));
        painter.drawLine(right - QPointF(8, 0), right);
        break;
    case KeyShape::Dot:
    case KeyShape::Line:
    case KeyShape::BoldLine:
        painter.setPen(
            QPen(color, key.shape == KeyShape::BoldLine ? 2.4 : 1.5, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(left, right);
        break;
    }
    if (key.shape == KeyShape::Dot) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(rect.center(), 3, 3);
    }
}

void paintLegend(
    QPainter& painter, QRectF line, const std::vector<LegendKey>& keys,
    const QFontMetricsF& metrics, const ThemeColors& theme)
{
    for (const LegendKey& key : keys) {
        painter.setOpacity(key.isOff ? kOffOpacity : 1.0);
        paintKey(painter, QRectF(line.left(), line.top(), kKeyWidth, line.height()), key);
        line.setLeft(line.left() + kKeyWidth + kKeyGap);
        painter.setPen(theme.mutedText);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, key.text);
        line.setLeft(line.left() + metrics.horizontalAdvance(key.text) + kBetweenKeys);
    }
    painter.setOpacity(1.0);
}

QFont titleFont(const QFont& font)
{
    QFont bold(font);
    bold.setWeight(QFont::DemiBold);
    return bold;
}

/// How wide the legend at the end of the line is; 0 where the caption needs the room.
double legendWidth(const PlotHeader& header, double roomForBoth, const QFontMetricsF& metrics)
{
    const double width = widthOf(header.keys, metrics);
    const double captionWidth = metrics.horizontalAdvance(header.caption);
    return roomForBoth - width - 2 * kTitleGap >= std::min(captionWidth, kLeastCaption) ? width
                                                                                        : 0.0;
}

bool hasDigit(QStringView text)
{
    return std::ranges::any_of(text, [](QChar letter) { return letter.isDigit(); });
}

} // namespace

QString elidedAtParts(const QString& text, const QFontMetricsF& metrics, double width)
{
    QString shown = text;
    while (metrics.horizontalAdvance(shown) > width) {
        qsizetype end = -1;
        for (const char* const between : {" · ", ": ", ", ", " ("}) {
            end = std::max(end, shown.lastIndexOf(QString::fromUtf8(between)));
        }
        if (end <= 0) {
            return metrics.elidedText(shown, Qt::ElideRight, width);
        }
        // Half a name says nothing: "test" of "test, raw 12 %".
        const auto part = std::max<qsizetype>(shown.lastIndexOf(QStringLiteral(" · "), end - 1), 0);
        const QStringView all(shown);
        const bool losesFigure = hasDigit(all.mid(part)) && !hasDigit(all.mid(part, end - part));
        shown.truncate(part > 0 && losesFigure ? part : end);
    }
    return shown;
}

bool paintHeader(
    QPainter& painter, const QRectF& line, const PlotHeader& header, const QFont& font,
    const ThemeColors& theme)
{
    const QFont bold = titleFont(font);
    const QFontMetricsF boldMetrics(bold);
    const QFontMetricsF metrics(font);
    painter.setFont(bold);
    painter.setPen(theme.text);
    // Texts are measured no more often than need be: it costs more than all the lines of a chart.
    const double titleWidth = boldMetrics.horizontalAdvance(header.title);
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        titleWidth <= line.width()
            ? header.title
            : boldMetrics.elidedText(header.title, Qt::ElideRight, line.width()));
    painter.setFont(font);

    QRectF rest = line.adjusted(titleWidth + kTitleGap, 0, 0, 0);
    if (header.judgement != Judgement::None) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(judgementColor(header.judgement, theme));
        painter.drawEllipse(
            QRectF(rest.left(), rest.center().y() - 0.5 * kDotSize, kDotSize, kDotSize));
        rest.setLeft(rest.left() + kDotSize + kDotGap);
    }
    const double captionWidth = metrics.horizontalAdvance(header.caption);
    if (const double legend = legendWidth(header, rest.width(), metrics); legend > 0.0) {
        paintLegend(
            painter, line.adjusted(line.width() - legend, 0, 0, 0), header.keys, metrics, theme);
        rest.setRight(rest.right() - legend - 2 * kTitleGap);
    }
    if (rest.width() > 0.0) {
        painter.setPen(theme.mutedText);
        painter.drawText(
            rest, Qt::AlignLeft | Qt::AlignVCenter,
            captionWidth <= rest.width() ? header.caption
                                         : elidedAtParts(header.caption, metrics, rest.width()));
    }
    return captionWidth <= rest.width();
}

int keyAt(const PlotHeader& header, const QRectF& line, const QFont& font, QPointF point)
{
    const QFontMetricsF metrics(font);
    const double title = QFontMetricsF(titleFont(font)).horizontalAdvance(header.title) + kTitleGap;
    const double legend = legendWidth(header, line.width() - title, metrics);
    double left = line.right() - legend;
    for (std::size_t key = 0; legend > 0.0 && key < header.keys.size(); ++key) {
        const double width = kKeyWidth + kKeyGap + metrics.horizontalAdvance(header.keys[key].text);
        if (QRectF(left, line.top(), width, line.height()).contains(point)) {
            return static_cast<int>(key);
        }
        left += width + kBetweenKeys;
    }
    return -1;
}

double paintKeys(
    QPainter& painter, const QRectF& line, const std::vector<LegendKey>& keys, const QFont& font,
    const ThemeColors& theme)
{
    const QFontMetricsF metrics(font);
    std::vector<LegendKey> fitting = keys;
    const double excess = widthOf(keys, metrics) - line.width();
    if (excess > 0.0) {
        const double share = (line.width() + kBetweenKeys) / static_cast<double>(keys.size());
        for (LegendKey& key : fitting) {
            key.text = metrics.elidedText(
                key.text, Qt::ElideMiddle, share - kKeyWidth - kKeyGap - kBetweenKeys);
        }
    }
    painter.setFont(font);
    paintLegend(painter, line, fitting, metrics, theme);
    return line.left() + widthOf(fitting, metrics);
}

} // namespace lockstep::ui
