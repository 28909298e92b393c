// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/accuracy_page.h"

#include "plots/line_plot.h"
#include "plots/number_text.h"
#include "widgets/note_label.h"

#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

LineCurve accuracyCurve(
    const std::vector<EvaluationRecord>& evaluations, WeightsKind weights, const QString& name)
{
    LineCurve curve{name, weights == WeightsKind::Average ? 0 : 1};
    for (const EvaluationRecord& record : evaluations) {
        if (record.weights == weights) {
            curve.points.emplace_back(static_cast<double>(record.step), record.accuracy);
        }
    }
    return curve;
}

} // namespace

AccuracyPage::AccuracyPage(QWidget* parent)
    : QWidget(parent), m_message(new NoteLabel(NoteLabel::Tone::Muted, this)),
      m_chart(new LinePlot(
          {tr("Accuracy on the test set"),
           tr("Share of the test examples that are classified correctly, by step"),
           {100.0, 2, tr(" %")},
           XAxis::Step,
           1.0},
          this))
{
    m_message->setObjectName(QStringLiteral("evaluation_message"));
    m_chart->setObjectName(QStringLiteral("evaluation_accuracy"));
    m_chart->setEmptyText(tr("Not evaluated yet"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_message);
    layout->addWidget(m_chart, 1);
}

void AccuracyPage::setMessage(const QString& text)
{
    m_message->setNote(text);
    m_message->setAlignment(Qt::AlignCenter);
    m_chart->hide();
}

void AccuracyPage::setEvaluations(
    const std::vector<EvaluationRecord>& evaluations, const QString& text)
{
    m_message->setNote(text);
    m_message->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_chart->show();
    std::vector<LineCurve> curves{
        accuracyCurve(evaluations, WeightsKind::Average, tr("moving averages")),
        accuracyCurve(evaluations, WeightsKind::Raw, tr("weights"))};
    QStringList captions;
    for (const LineCurve& curve : curves) {
        if (!curve.points.empty()) {
            captions.append(tr("%1 %2").arg(
                curve.name, numberText(curve.points.back().y(), {100.0, 2, tr(" %")})));
        }
    }
    if (!evaluations.empty()) {
        const auto [first, last] = std::ranges::minmax(evaluations, {}, &EvaluationRecord::step);
        m_chart->setSpan(static_cast<double>(first.step), static_cast<double>(last.step));
    }
    m_chart->setCurves(std::move(curves), captions.join(QStringLiteral(" · ")));
}

} // namespace lockstep::ui
