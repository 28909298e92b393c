// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/schedule_preview.h"

#include "bridge/preview/batch_text.h"
#include "engine/config.h"
#include "engine/device.h"
#include "plots/charts/line_plot.h"
#include "widgets/forms/note_label.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kLines = 6.0;            ///< height, in lines of text
constexpr std::int64_t kMostStairs = 256; ///< more are not to be told apart
constexpr int kNamedDecays = 3;
constexpr double kLeastShare = 1e-12; ///< of the first rate: below it nothing is shown

/// Decays within the run.
std::int64_t decaysOf(const RunConfig& config, const LearningRateSchedule& schedule)
{
    return config.steps < 1 ? 0 : (config.steps - 1) / schedule.decaySteps();
}

/// Decays until the rate is next to nothing, or all of them.
std::int64_t shownDecaysOf(const RunConfig& config, const LearningRateSchedule& schedule)
{
    const std::int64_t decays = decaysOf(config, schedule);
    const double factor = config.learningRate.decayFactor;
    if (factor >= 1.0) {
        return decays;
    }
    const double most = factor > 0.0 ? std::log(kLeastShare) / std::log(factor) : 0.0;
    return most < static_cast<double>(decays) ? static_cast<std::int64_t>(most) + 1 : decays;
}

/// Its corners.
std::vector<QPointF> staircase(const RunConfig& config, const LearningRateSchedule& schedule)
{
    const std::int64_t decays = shownDecaysOf(config, schedule);
    const std::int64_t stride = decays / kMostStairs + 1;
    std::vector<QPointF> points{{0.0, config.learningRate.initial}};
    for (std::int64_t decay = stride; decay <= decays; decay += stride) {
        const std::int64_t step = decay * schedule.decaySteps();
        const auto x = static_cast<double>(step);
        points.emplace_back(x, points.back().y());
        const double rate = schedule.at(step);
        if (rate < kLeastShare * config.learningRate.initial) {
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
    const QString words =
        SchedulePreview::tr("× %1 at step %2").arg(rateText(config.learningRate.decayFactor), list);
    const std::int64_t shown = shownDecaysOf(config, schedule);
    return shown == decays ? words
                           : SchedulePreview::tr("%1; practically 0 from step %2 on")
                                 .arg(words, countText(shown * schedule.decaySteps()));
}

LinePlot* makeChart(QWidget* parent)
{
    LinePlot::Settings settings;
    settings.title = SchedulePreview::tr("Learning rate");
    settings.meaning =
        SchedulePreview::tr("Learning rate over the steps of the run: initial rate × decay "
                            "factor ^ ⌊step ÷ steps between decays⌋");
    settings.format = {1.0, 4, {}};
    settings.axis = XAxis::Step;
    settings.isLogarithmic = true;
    return new LinePlot(settings, parent);
}

} // namespace

SchedulePreview::SchedulePreview(QWidget* parent)
    : QWidget(parent), m_chart(makeChart(this)),
      m_words(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_chart->setObjectName(QStringLiteral("schedule_chart"));
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
    m_chart->setVisible(points.size() > 2); // a level line tells nothing
    m_chart->setSpan(0.0, points.back().x());
    m_chart->setCurves(
        {{{}, 0, points, LineCurve::Style::Line, Ink::Accent}},
        rateText(config.learningRate.initial));
    m_words->setNote(words);
}

} // namespace lockstep::ui
