// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/schedule_preview.h"

#include "bridge/batch_words.h"
#include "plots/small_chart.h"
#include "widgets/note_label.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kLines = 6.5;            ///< height, in lines of text
constexpr std::int64_t kMostStairs = 256; ///< more are not to be told apart
constexpr int kNamedDecays = 3;
constexpr double kLeastShare = 1e-12; ///< of the first rate: below it nothing is shown
constexpr double kRoom = 1.6;         ///< above and below the curve

/// Decays within the run.
std::int64_t decaysOf(const RunConfig& config, const LearningRateSchedule& schedule)
{
    return config.steps < 1 ? 0 : (config.steps - 1) / schedule.decaySteps();
}

/// Its corners, as far as the rate is above 0.
std::vector<QPointF> staircase(const RunConfig& config, const LearningRateSchedule& schedule)
{
    const std::int64_t decays = decaysOf(config, schedule);
    const std::int64_t stride = decays / kMostStairs + 1;
    const double least = kLeastShare * config.learningRate.initial;
    std::vector<QPointF> points{{0.0, config.learningRate.initial}};
    for (std::int64_t decay = stride; decay <= decays; decay += stride) {
        const std::int64_t step = decay * schedule.decaySteps();
        const auto x = static_cast<double>(step);
        points.emplace_back(x, points.back().y());
        const double rate = schedule.at(step);
        if (rate < least) {
            return points;
        }
        points.emplace_back(x, rate);
    }
    points.emplace_back(static_cast<double>(config.steps), points.back().y());
    return points;
}

QString decayWords(const RunConfig& config, const LearningRateSchedule& schedule)
{
    const std::int64_t decays = decaysOf(config, schedule);
    const QString rate = rateText(config.learningRate.initial);
    if (config.learningRate.decayFactor == 1.0) {
        return SchedulePreview::tr("%1 in every step").arg(rate);
    }
    if (decays == 0) {
        return SchedulePreview::tr("%1 in every step; the first decay would come at step %2")
            .arg(rate, countText(schedule.decaySteps()));
    }
    QStringList steps;
    for (std::int64_t decay = 1; decay <= std::min<std::int64_t>(decays, kNamedDecays); ++decay) {
        steps.append(countText(decay * schedule.decaySteps()));
    }
    QString list = steps.join(SchedulePreview::tr(", ", "between steps"));
    if (decays > kNamedDecays) {
        list = SchedulePreview::tr("%1 and %2 more").arg(list, countText(decays - kNamedDecays));
    }
    return SchedulePreview::tr("× %1 at step %2")
        .arg(rateText(config.learningRate.decayFactor), list);
}

} // namespace

SchedulePreview::SchedulePreview(QWidget* parent)
    : QWidget(parent), m_chart(new SmallChart(this)),
      m_words(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_chart->setObjectName(QStringLiteral("schedule_chart"));
    m_chart->setAccessibleName(tr("Learning rate over the steps"));
    m_chart->setToolTip(tr("Learning rate over the steps of the run: initial rate × decay "
                           "factor ^ ⌊step ÷ steps between decays⌋"));
    m_chart->setFixedHeight(qRound(kLines * fontMetrics().height()));
    auto* const rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 2, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_chart);
    rows->addWidget(m_words);
    hide();
}

void SchedulePreview::setConfig(const RunConfig& config, std::optional<std::int64_t> examples)
{
    // Phases with rates of their own have no need of a schedule.
    const auto phases = config.trainedPhases();
    const bool isOfPhases = std::any_of(phases.begin(), phases.end(), [](const auto& phase) {
        return phase.learningRate.has_value();
    });
    m_hasSchedule =
        examples && config.steps > 0 && config.learningRate.initial > 0.0 && !isOfPhases;
    if (m_hasSchedule) {
        showSchedule(config, *examples);
    }
    setVisible(m_hasSchedule);
}

void SchedulePreview::setVoid(bool isVoid)
{
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(isVoid && m_hasSchedule);
    setSizePolicy(policy);
    setVisible(!isVoid && m_hasSchedule);
}

void SchedulePreview::showSchedule(const RunConfig& config, std::int64_t examples)
{
    const TowerShape shape = config.towerShape();
    const LearningRateSchedule schedule(
        config.learningRate, examples, shape.towers, shape.batchPerTower);
    const auto points = staircase(config, schedule);
    const QString words = decayWords(config, schedule);
    m_chart->setAxes(
        {0.0, static_cast<double>(config.steps), false, true, {1.0, 0, {}}, {}},
        {points.back().y() / kRoom, points.front().y() * kRoom, true, false, {1.0, 4, {}}, {}});
    m_chart->setCurves({{{}, points, SmallCurve::Style::Line, SmallCurve::Ink::Accent}});
    m_chart->setAccessibleDescription(words);
    m_words->setNote(words);
}

} // namespace lockstep::ui
