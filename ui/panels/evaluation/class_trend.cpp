// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/class_trend.h"

#include "engine/records.h"
#include "plots/axes/number_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

const ValueFormat kPercentOfShare{100.0, 2, QStringLiteral(" %")};

LineCurve curveOf(
    const std::vector<EvaluationRecord>& evaluations, WeightsKind weights, const QString& name,
    int color, double (*figure)(const EvaluationRecord&))
{
    LineCurve curve{name, color};
    for (const EvaluationRecord& record : evaluations) {
        if (record.weights == weights && std::isfinite(figure(record))) {
            curve.points.emplace_back(static_cast<double>(record.step), figure(record));
        }
    }
    return curve;
}

double topOne(const EvaluationRecord& record)
{
    return record.accuracy;
}

double topFive(const EvaluationRecord& record)
{
    return record.topFive();
}

} // namespace

ClassTrend::ClassTrend(QWidget* parent)
    : LinePlot(
        {tr("Accuracy on the test set"),
         tr("Share of the test examples whose label is the most probable class (top-1), or among "
            "the five most probable ones (top-5), by step"),
         kPercentOfShare, XAxis::Step, 1.0},
        parent)
{
    setObjectName(QStringLiteral("evaluation_accuracy"));
    setEmptyText(tr("Not evaluated yet"));
}

void ClassTrend::setEvaluations(const std::vector<EvaluationRecord>& evaluations)
{
    std::vector<LineCurve> curves{
        curveOf(evaluations, WeightsKind::Average, tr("top-1, moving averages"), 0, topOne),
        curveOf(evaluations, WeightsKind::Raw, tr("top-1, weights"), 1, topOne),
        curveOf(evaluations, WeightsKind::Average, tr("top-5, moving averages"), 2, topFive),
        curveOf(evaluations, WeightsKind::Raw, tr("top-5, weights"), 3, topFive)};
    std::erase_if(curves, [](const LineCurve& curve) { return curve.points.empty(); });
    if (!evaluations.empty()) {
        const auto [first, last] = std::ranges::minmax(evaluations, {}, &EvaluationRecord::step);
        setSpan(static_cast<double>(first.step), static_cast<double>(last.step));
    }
    QStringList captions;
    for (const LineCurve& curve : curves) {
        if (curve.color % 2 == 0) {
            captions.append(
                tr("%1 %2").arg(curve.name, numberText(curve.points.back().y(), kPercentOfShare)));
        }
    }
    setCurves(std::move(curves), captions.join(QStringLiteral(" · ")));
}

} // namespace lockstep::ui
