// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/cosine_curves.h"

#include "plots/axes/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

struct CosineText
{
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::CosineText)
};

void append(const CosinePoint& point, std::size_t tower, std::vector<QPointF>& points)
{
    const double x = static_cast<double>(point.firstStep + point.lastStep) / 2.0;
    if (tower >= point.least.size() || !std::isfinite(point.least[tower])) {
        points.emplace_back(x, std::numeric_limits<double>::quiet_NaN());
        return;
    }
    const double middle = (point.least[tower] + point.most[tower]) / 2.0;
    points.emplace_back(x, middle);
    if (point.most[tower] > point.least[tower]) {
        points.emplace_back(x, point.least[tower]);
        points.emplace_back(x, point.most[tower]);
        points.emplace_back(x, middle);
    }
}

} // namespace

std::vector<LineCurve> cosineCurves(const CosineHistory& history)
{
    std::size_t towers = 0;
    for (const CosinePoint& point : history.points()) {
        towers = std::max(towers, point.least.size());
    }
    std::vector<LineCurve> curves;
    for (std::size_t tower = 0; tower < towers; ++tower) {
        const int number = static_cast<int>(tower);
        curves.push_back({CosineText::tr("tower %1").arg(number), number});
        for (const CosinePoint& point : history.points()) {
            append(point, tower, curves.back().points);
        }
    }
    return curves;
}

QString lowestCosineText(const CosineHistory& history)
{
    if (history.points().empty()) {
        return {};
    }
    const std::vector<double>& cosines = history.points().back().least;
    std::size_t lowest = cosines.size();
    for (std::size_t tower = 0; tower < cosines.size(); ++tower) {
        const bool isLower = lowest == cosines.size() || cosines[tower] < cosines[lowest];
        lowest = std::isfinite(cosines[tower]) && isLower ? tower : lowest;
    }
    return lowest == cosines.size() ? QString()
                                    : CosineText::tr("lowest %1 (tower %2)")
                                          .arg(numberText(cosines[lowest], {1.0, 2, {}}))
                                          .arg(lowest);
}

} // namespace lockstep::ui
