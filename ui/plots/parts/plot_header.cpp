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
/// Letters of a name where room is short.
constexpr double kShortName = 16.0;
/// With fewer in a list the number says more.
constexpr double kLeastListed = 6.0;
/// A caption that is cut shorter than this says nothing: then the legend makes room.
constexpr double kLeastCaption = 170.0;

bool isOfRun(const LegendKey& key)
{
    return !key.owners.empty() && key.owners.front().kind == ColorOwner::Kind::Overlay;
}

/// As much of its name as is `most` wide; of another run at the least its number.
QString shownName(const LegendKey& key, const QFontMetricsF& metrics, double most)
{
    const QString name = metrics.horizontalAdvance(key.text) <= most ? key.text
                         : most > 0.0 ? metrics.elidedText(key.text, Qt::ElideMiddle, most)
                                      : QString();
    return name.isEmpty() && isOfRun(key) ? QString::number(key.owners.front().number + 1) : name;
}

/// How wide names may be.
struct MostWidth
{
    double own;
    double ofRuns; ///< of other runs

    [[nodiscard]] double of(const LegendKey& key) const { return isOfRun(key) ? ofRuns : own; }
};

double widthOf(
    const std::vector<LegendKey>& keys, const QFontMetricsF& metrics, const MostWidth& most)
{
    double width = keys.empty() ? 0.0 : -kBetweenKeys;
    for (const LegendKey& key : keys) {
        width += kKeyWidth + kKeyGap + kBetweenKeys
                 + metrics.horizontalAdvance(shownName(key, metrics, most.of(key)));
    }
    return std::max(0.0, width);
}

/// A line with a part for each of the colours.
void paintLine(QPainter& painter, const QRectF& rect, const LegendKey& key)
{
    const double width = key.shape == KeyShape::BoldLine ? 2.4 : 1.5;
    const double part = rect.width() / static_cast<double>(key.colors.size());
    QPointF left(rect.left(), rect.center().y());
    for (const QColor& color : key.colors) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(left, left + QPointF(part, 0));
        left.rx() += part;
    }
}

void paintKey(QPainter& painter, const QRectF& rect, const LegendKey& key)
{
    const QColor color = key.colors.front();
    switch (key.shape) {
    case KeyShape::Band:
        painter.fillRect(QRectF(rect.left(), rect.center().y() - 4, rect.width(), 8), color);
        break;
    case KeyShape::Dashes:
        painter.setPen(QPen(color, 2.0, Qt::SolidLine, Qt::FlatCap));
        for (const double left : {rect.left(), rect.right() - 8}) {
            painter.drawLine(QLineF(left, rect.center().y(), left + 8, rect.center().y()));
        }
        break;
    case KeyShape::Dot:
        paintLine(painter, rect, key);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(rect.center(), 3, 3);
        break;
    case KeyShape::Line:
    case KeyShape::BoldLine:
    case KeyShape::Lines:
        paintLine(painter, rect, key);
        break;
    }
}

/// One behind the other from the left of the line, names elided where need be.
void arrange(
    std::vector<LegendKey>& keys, QRectF line, const QFontMetricsF& metrics, const MostWidth& most)
{
    for (LegendKey& key : keys) {
        key.shownText = shownName(key, metrics, most.of(key));
        const double width = metrics.horizontalAdvance(key.shownText);
        key.place = QRectF(line.left(), line.top(), kKeyWidth + kKeyGap + width, line.height());
        line.setLeft(key.place.right() + kBetweenKeys);
    }
}

bool hasDigit(QStringView text)
{
    return std::ranges::any_of(text, [](QChar letter) { return letter.isDigit(); });
}

void arrangeKeys(PlotHeader& header, const QRectF& line, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double title = QFontMetricsF(boldOf(font)).horizontalAdvance(header.title) + kTitleGap;
    const double caption = std::min(metrics.horizontalAdvance(header.caption), kLeastCaption);
    const double room = line.width() - title - 2 * kTitleGap - caption;
    for (const double ofRuns : {line.width(), kShortName * metrics.averageCharWidth(), 0.0}) {
        const MostWidth most{line.width(), ofRuns};
        const double legend = widthOf(header.keys, metrics, most);
        if (legend <= room) { // at the right end
            arrange(header.keys, line.adjusted(line.width() - legend, 0, 0, 0), metrics, most);
            return;
        }
    }
    // The last ones say the least: what is left out is named on hover over the curve.
    std::vector<LegendKey> first = header.keys;
    for (LegendKey& key : header.keys) {
        key.place = {};
    }
    const MostWidth most{line.width(), 0.0};
    while (!first.empty() && widthOf(first, metrics, most) > room) {
        first.pop_back();
    }
    if (first.size() > 1) {
        arrange(
            first, line.adjusted(line.width() - widthOf(first, metrics, most), 0, 0, 0), metrics,
            most);
        std::ranges::copy(first, header.keys.begin());
    }
}

} // namespace

QFont boldOf(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

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

void listKeys(std::vector<LegendKey>& keys, const QRectF& room, int columns, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double width = room.width() / columns;
    const double height = metrics.height() + 1.0;
    const double ofName = width - kKeyWidth - kKeyGap - kBetweenKeys;
    const double most = ofName < kLeastListed * metrics.averageCharWidth() ? 0.0 : ofName;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        LegendKey& key = keys[i];
        key.shownText = shownName(key, metrics, most);
        const auto place = static_cast<int>(i);
        key.place = QRectF(
            room.left() + place % columns * width, room.top() + place / columns * height,
            kKeyWidth + kKeyGap + metrics.horizontalAdvance(key.shownText), height);
    }
}

void paintKeys(
    QPainter& painter, const std::vector<LegendKey>& keys, const QFont& font,
    const ThemeColors& theme)
{
    painter.setFont(font);
    for (const LegendKey& key : keys) {
        if (key.place.isEmpty()) {
            continue;
        }
        QRectF rest = key.place;
        painter.setOpacity(key.isOff ? kOffOpacity : 1.0);
        paintKey(painter, QRectF(rest.topLeft(), QSizeF(kKeyWidth, rest.height())), key);
        rest.setLeft(rest.left() + kKeyWidth + kKeyGap);
        painter.setPen(theme.mutedText);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, key.shownText);
    }
    painter.setOpacity(1.0);
}

bool paintHeader(
    QPainter& painter, const QRectF& line, PlotHeader& header, const QFont& font,
    const ThemeColors& theme)
{
    arrangeKeys(header, line, font);
    const QFont bold = boldOf(font);
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
    paintKeys(painter, header.keys, font, theme);

    QRectF rest = line.adjusted(titleWidth + kTitleGap, 0, 0, 0);
    if (!header.keys.empty() && !header.keys.front().place.isEmpty()) {
        rest.setRight(header.keys.front().place.left() - 2 * kTitleGap);
    }
    const double captionWidth = metrics.horizontalAdvance(header.caption);
    if (rest.width() > 0.0) {
        painter.setPen(theme.mutedText);
        painter.drawText(
            rest, Qt::AlignLeft | Qt::AlignVCenter,
            captionWidth <= rest.width() ? header.caption
                                         : elidedAtParts(header.caption, metrics, rest.width()));
    }
    return captionWidth <= rest.width();
}

QString titleTip(QString cutCaption, QStringList lines)
{
    constexpr qsizetype kLongLine = 90;
    if (!cutCaption.isEmpty()) {
        const QString between = QStringLiteral(" · ");
        const qsizetype middle = cutCaption.indexOf(between, cutCaption.size() / 3);
        if (cutCaption.size() > kLongLine && middle > 0) {
            cutCaption.replace(middle, between.size(), QLatin1Char('\n'));
        }
        lines = cutCaption.split(QLatin1Char('\n')) + lines;
    }
    lines.removeAll(QString());
    return lines.mid(0, 3).join(QLatin1Char('\n'));
}

std::optional<ColorOwner> ownerAt(const LegendKey& key, QPointF point)
{
    if (key.owners.empty() || !key.place.contains(point)) {
        return std::nullopt;
    }
    const double share = (point.x() - key.place.left()) / kKeyWidth;
    const auto count = static_cast<double>(key.owners.size());
    if (count > 1.0 && share >= 1.0) {
        return std::nullopt; // on the name of several
    }
    return key.owners[count > 1.0 ? static_cast<std::size_t>(share * count) : 0];
}

void paintFoldMark(QPainter& painter, const QRectF& place, bool isFolded, const ThemeColors& theme)
{
    constexpr double kHalf = 3.5;
    const QPointF middle = place.center();
    const QPointF down[] = {{-kHalf, -kHalf / 2}, {kHalf, -kHalf / 2}, {0.0, kHalf / 2 + 1.0}};
    const QPointF right[] = {{-kHalf / 2, -kHalf}, {-kHalf / 2, kHalf}, {kHalf / 2 + 1.0, 0.0}};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.mutedText);
    painter.drawConvexPolygon(isFolded ? right : down, 3);
    painter.restore();
}

} // namespace lockstep::ui
