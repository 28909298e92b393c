// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/phase_row.h"

#include "plots/axes/number_text.h"
#include "plots/axes/x_range.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kTint = 0.06; // of the text's colour on the card's
constexpr double kBesideName = 6.0;
constexpr double kAboveName = 2.0;
constexpr double kLeastLetters = 3.0; // of a name, to be worth painting

double nameHeight(const QFont& font)
{
    return std::ceil(QFontMetricsF(font).height()) + kAboveName;
}

} // namespace

PhaseRow::PhaseRow(const XRange& range, QObject* parent) : QObject(parent), m_range(range) {}

void PhaseRow::setBands(std::vector<PhaseBand> bands)
{
    bands = bands.size() > 1 ? std::move(bands) : std::vector<PhaseBand>();
    if (bands != m_bands) {
        m_bands = std::move(bands);
        emit changed();
    }
}

QRectF PhaseRow::placeOf(const PhaseBand& band, const PlotScale& scale) const
{
    const QRectF& area = scale.area;
    const auto edge = [&](std::int64_t step) {
        const double x = std::floor(scale.pixelX(positionAfter(m_range, step)));
        return std::clamp(x, area.left(), area.right());
    };
    const double left = band.firstStep == 0 ? area.left() : edge(band.firstStep);
    const double right = edge(band.endStep);
    return right > left ? QRectF(left, area.top(), right - left, area.height()) : QRectF();
}

QRectF PhaseRow::namePlaceOf(const PhaseBand& band, const PlotScale& scale, const QFont& font) const
{
    QRectF place = placeOf(band, scale);
    place.setHeight(std::min(place.height(), nameHeight(font)));
    return place;
}

double PhaseRow::topAbove(const PlotScale& scale, const QFont& font)
{
    const double height = scale.area.height();
    const double rest = height - nameHeight(font);
    return rest < 0.5 * height ? scale.top
                               : scale.valueAtPixel(scale.area.bottom() - height * height / rest);
}

const PhaseBand* PhaseRow::bandNamedAt(
    const PlotScale& scale, const QFont& font, QPointF point) const
{
    const auto found = std::ranges::find_if(m_bands, [&](const PhaseBand& band) {
        return namePlaceOf(band, scale, font).contains(point);
    });
    return found == m_bands.end() ? nullptr : &*found;
}

QString PhaseRow::summary() const
{
    QStringList parts;
    for (const PhaseBand& band : m_bands) {
        parts << tr("%1 from step %2").arg(band.name, countText(band.firstStep));
    }
    return parts.isEmpty() ? QString() : parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

void paintPhases(
    QPainter& painter, const PlotScale& scale, const PhaseRow& row, const ThemeColors& theme)
{
    const QColor tint = mixed(theme.text, theme.card, kTint);
    for (std::size_t i = 1; i < row.bands().size(); i += 2) {
        painter.fillRect(row.placeOf(row.bands()[i], scale), tint);
    }
}

void paintPhaseNames(
    QPainter& painter, const PlotScale& scale, const PhaseRow& row, const QFont& font,
    const ThemeColors& theme)
{
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.mutedText);
    for (const PhaseBand& band : row.bands()) {
        const QRectF place =
            row.namePlaceOf(band, scale, font).adjusted(kBesideName, kAboveName, -kBesideName, 0.0);
        if (place.width() >= kLeastLetters * metrics.averageCharWidth()) {
            painter.drawText(
                place, Qt::AlignLeft | Qt::AlignVCenter,
                metrics.elidedText(band.name, Qt::ElideRight, place.width()));
        }
    }
}

} // namespace lockstep::ui
