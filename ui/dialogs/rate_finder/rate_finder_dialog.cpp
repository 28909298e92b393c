// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/rate_finder/rate_finder_dialog.h"

#include "bridge/preview/batch_text.h"
#include "plots/charts/line_plot.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

LinePlot* makeChart()
{
    LinePlot::Settings settings;
    settings.title = RateFinderDialog::tr("Cross-entropy");
    settings.meaning = RateFinderDialog::tr(
        "Line: steps whose rate rises, smoothed (Smith, 2017, arXiv:1506.01186). Dots: the end of "
        "short trainings at one rate each, from the same weights and with the same batches. What "
        "is above the untrained network is left out.");
    settings.format = {1.0, 4, {}};
    settings.axis = XAxis::Epoch; // numbers with decimals
    settings.isXLogarithmic = true;
    settings.xName = RateFinderDialog::tr("rate");
    settings.placeText = [](double rate) { return rateText(rate); };
    return new LinePlot(settings);
}

/// Above the untrained network there is nothing to look for.
void showValues(LinePlot& chart, const RateFinding& finding)
{
    constexpr double kRoom = 0.06;                     // of what is in between
    const double top = finding.sweep.front().smoothed; // its rate is next to none
    double bottom = top;
    for (const RateStep& step : finding.sweep) {
        bottom = std::min(bottom, step.smoothed);
    }
    for (const RateTrial& trial : finding.trials) {
        bottom = std::min(bottom, trial.crossEntropy());
    }
    const double room = std::max(kRoom * (top - bottom), 1e-3 * top);
    chart.setValueSpan(bottom - room, top + room);
}

QString progressText(const RateFinding& finding)
{
    const auto steps = [&](std::size_t made) {
        return RateFinderDialog::tr("step %1 of %2")
            .arg(countText(static_cast<qint64>(made)), countText(finding.trialSteps));
    };
    if (!finding.trials.empty()) {
        const RateTrial& trial = finding.trials.back();
        return RateFinderDialog::tr("Training at %1: %2")
            .arg(rateText(trial.rate), steps(trial.crossEntropies.size()));
    }
    if (!finding.sweep.empty()) {
        return RateFinderDialog::tr("Rising rate, now %1: %2")
            .arg(rateText(finding.sweep.back().rate), steps(finding.sweep.size()));
    }
    return finding.untrained.empty()
               ? RateFinderDialog::tr("Preparing…")
               : RateFinderDialog::tr("Untrained network: %1").arg(steps(finding.untrained.size()));
}

QString resultText(const RateFinding& finding)
{
    if (!finding.rate) {
        return RateFinderDialog::tr("No suggestion: the network learns at none of these rates in "
                                    "%1 steps.")
            .arg(countText(finding.trialSteps));
    }
    const auto value = [&](double rate) {
        const RateTrial& trial = *finding.trialOf(rate);
        return trial.isDiverged ? RateFinderDialog::tr("no number")
                                : numberText(trial.crossEntropy(), {});
    };
    return RateFinderDialog::tr("%1 was tried for %2 steps: cross-entropy %3, at a tenth %4.")
        .arg(
            rateText(*finding.rate), countText(finding.trialSteps), value(*finding.rate),
            value(*finding.rate / 10.0));
}

} // namespace

RateFinderDialog::RateFinderDialog(QWidget* parent)
    : QDialog(parent), m_chart(makeChart()), m_state(selectableLabel()),
      m_try(new QPushButton(tr("&Try Rates"))), m_cancel(new QPushButton(tr("&Cancel"))),
      m_take(new QPushButton(tr("&Use It")))
{
    setWindowTitle(tr("Find Learning Rate"));
    setObjectName(QStringLiteral("rate_finder_dialog"));
    auto* const introduction = selectableLabel(
        tr("Makes 100 steps of the run that is set up with a learning rate that rises from "
           "0.00001 to 10, then 100 or 200 at each of a few rates, and suggests the best of these. "
           "No run is written or changed."));
    m_chart->setObjectName(QStringLiteral("rate_chart"));
    m_try->setObjectName(QStringLiteral("try_rates"));
    m_try->setDefault(true);
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_take->setObjectName(QStringLiteral("take_rate"));
    m_take->setToolTip(tr("Makes it the learning rate of the run that is set up"));
    m_state->setObjectName(QStringLiteral("trial_state"));
    m_state->setAccessibleName(tr("State of the trial"));
    auto* const close = new QPushButton(tr("C&lose"));
    connect(m_try, &QPushButton::clicked, this, &RateFinderDialog::tryRates);
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_work.cancel(); });
    connect(m_take, &QPushButton::clicked, this, [this] { emit rateTaken(m_found.value_or(0.0)); });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, [this] { m_work.cancel(); });
    auto* const buttons = rowOf({m_take, space(), m_try, m_cancel, close});
    filled(new QVBoxLayout(this), kUsualSpacing, {introduction, {m_chart, 1}, m_state, buttons});
    resize(620, 420);
    showState({});
}

void RateFinderDialog::setUp(const RunConfig& config)
{
    if (!areTriedAlike(std::exchange(m_config, config), config)) {
        m_work.cancel();
        setFound({});
        m_chart->setCurves({}, {});
        m_chart->setMarks({});
        showState({});
    }
}

void RateFinderDialog::setFound(std::optional<double> rate)
{
    if (std::exchange(m_found, rate) != rate) {
        emit foundChanged();
    }
}

void RateFinderDialog::setTraining(bool isTraining)
{
    if (std::exchange(m_isTraining, isTraining) != isTraining) {
        if (isTraining) {
            m_work.cancel();
        }
        showState({});
    }
}

void RateFinderDialog::tryRates()
{
    if (m_isTraining || isTrying()) {
        return;
    }
    setFound({});
    m_work.start(
        [this, config = m_config]() -> std::function<void()> {
            const auto finding = findRate(config, {}, [this](const RateFinding& soFar) {
                m_work.report([this, soFar] { showFinding(soFar); });
                return !m_work.isCancelled();
            });
            return [this, finding] {
                if (m_work.isCancelled()) { // just now
                    return showState({});
                }
                setFound(finding.rate.value_or(0.0));
                showFinding(finding);
                showState(resultText(finding));
            };
        },
        [this](const QString& text, bool isCancelled) {
            showState(isCancelled ? QString() : text);
        });
    showState(tr("Preparing…"));
}

void RateFinderDialog::showFinding(const RateFinding& finding)
{
    if (m_work.isCancelled()) {
        return;
    }
    LineCurve rising{tr("rising rate"), 0, {}, KeyShape::Line, Ink::Accent};
    for (const RateStep& step : finding.sweep) {
        rising.points.emplace_back(step.rate, step.smoothed);
    }
    LineCurve single{tr("one rate"), 0, {}, KeyShape::Dot, Ink::Text};
    for (const RateTrial& trial : finding.trials) {
        if (static_cast<int>(trial.crossEntropies.size()) == finding.trialSteps) {
            single.points.emplace_back(trial.rate, trial.crossEntropy());
        }
    }
    std::ranges::sort(single.points, {}, &QPointF::x);
    if (!finding.sweep.empty()) {
        showValues(*m_chart, finding);
    }
    m_chart->setSpan(RateFinderSettings().low, RateFinderSettings().high);
    std::vector<LineCurve> curves{rising};
    if (!single.points.empty()) {
        curves.push_back(single);
    }
    m_chart->setCurves(curves, {});
    m_chart->setMarks(
        finding.rate ? std::vector<LineMark>{{*finding.rate, rateText(*finding.rate), true}}
                     : std::vector<LineMark>());
    if (isTrying()) {
        m_state->setText(progressText(finding));
    }
}

/// What can be done now, and one line about it.
void RateFinderDialog::showState(const QString& text)
{
    m_try->setEnabled(!isTrying() && !m_isTraining);
    m_cancel->setEnabled(isTrying());
    m_take->setEnabled(m_found.value_or(0.0) > 0.0 && !m_isTraining);
    m_state->setText(
        m_isTraining && text.isEmpty()
            ? tr("A run is being trained on this computer. Stop it first.")
            : text);
}

} // namespace lockstep::ui
