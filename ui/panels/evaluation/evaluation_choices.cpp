// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/evaluation/evaluation_choices.h"

#include "plots/axes/number_text.h"
#include "widgets/forms/wheel_guard.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <algorithm>
#include <functional>
#include <set>

namespace lockstep::ui {

EvaluationChoices::EvaluationChoices(QWidget* parent)
    : QWidget(parent), m_step(new QComboBox(this)), m_weights(new QComboBox(this))
{
    m_step->setObjectName(QStringLiteral("evaluation_step"));
    m_step->setAccessibleName(tr("Evaluation that is shown"));
    m_step->setToolTip(m_step->accessibleName());
    m_step->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_weights->setObjectName(QStringLiteral("evaluation_weights"));
    m_weights->setAccessibleName(tr("Weights that were evaluated"));
    m_weights->setToolTip(
        tr("The moving averages of the weights, or the weights as training updates them"));
    m_weights->addItems({tr("Moving averages"), tr("Weights")});
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    for (QComboBox* const box : {m_step, m_weights}) {
        new WheelGuard(box);
        connect(box, &QComboBox::activated, this, &EvaluationChoices::changed);
        row->addWidget(box);
    }
    reset();
}

void EvaluationChoices::reset()
{
    m_step->clear();
    setEvaluations({});
}

/// The steps that were evaluated, the latest first; above them whichever is the newest.
void EvaluationChoices::setEvaluations(const std::vector<EvaluationRecord>& evaluations)
{
    const QVariant chosen = m_step->currentData();
    std::set<std::int64_t, std::greater<>> steps;
    for (const EvaluationRecord& record : evaluations) {
        steps.insert(record.step);
    }
    m_step->clear();
    m_step->addItem(
        steps.empty() ? tr("Newest") : tr("Newest: step %1").arg(countText(*steps.begin())));
    for (const std::int64_t step : steps) {
        m_step->addItem(tr("Step %1").arg(countText(step)), static_cast<qlonglong>(step));
    }
    m_step->setCurrentIndex(chosen.isValid() ? std::max(0, m_step->findData(chosen)) : 0);
}

std::optional<std::int64_t> EvaluationChoices::step() const
{
    const QVariant chosen = m_step->currentData();
    return chosen.isValid() ? std::optional<std::int64_t>(chosen.toLongLong()) : std::nullopt;
}

WeightsKind EvaluationChoices::weights() const
{
    return m_weights->currentIndex() == 1 ? WeightsKind::Raw : WeightsKind::Average;
}

} // namespace lockstep::ui
