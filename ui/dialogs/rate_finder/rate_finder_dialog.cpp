// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/rate_finder/rate_finder_dialog.h"

#include "bridge/preview/batch_text.h"
#include "plots/charts/line_plot.h"
#include "widgets/forms/note_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

LinePlot* makeChart()
{
    LinePlot::Settings settings;
    settings.title = RateFinderDialog::tr("Smoothed loss over the learning rate");
    settings.meaning = RateFinderDialog::tr(
        "Mean loss of the towers, smoothed over the steps; the suggested rate is where it falls "
        "fastest (Smith, 2017, arXiv:1506.01186)");
    settings.format = {1.0, 4, {}};
    settings.axis = XAxis::Step; // whole numbers: the powers
    settings.xName = RateFinderDialog::tr("Learning rate, as a power of ten");
    settings.placeText = [](double power) { return rateText(std::pow(10.0, power)); };
    return new LinePlot(settings);
}

} // namespace

RateFinderDialog::RateFinderDialog(QWidget* parent)
    : QDialog(parent), m_chart(makeChart()), m_state(selectableLabel()),
      m_try(new QPushButton(tr("&Try Rates"))), m_cancel(new QPushButton(tr("&Cancel"))),
      m_take(new QPushButton(tr("&Use It")))
{
    setWindowTitle(tr("Find Learning Rate"));
    setObjectName(QStringLiteral("rate_finder_dialog"));
    auto* const introduction = selectableLabel();
    introduction->setText(
        tr("Makes up to 100 steps of the run that is set up, whose learning rate rises from "
           "0.00001 to 10, and shows what the loss does. No run is written or changed."));
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
    connect(m_take, &QPushButton::clicked, this, [this] { emit rateTaken(m_rate); });
    connect(close, &QPushButton::clicked, this, &RateFinderDialog::reject);
    auto* const buttons = new QHBoxLayout;
    buttons->addWidget(m_take);
    buttons->addStretch();
    for (QPushButton* const button : {m_try, m_cancel, close}) {
        buttons->addWidget(button);
    }
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(introduction);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_state);
    layout->addLayout(buttons);
    resize(620, 420);
    showState({});
}

void RateFinderDialog::setUp(const RunConfig& config)
{
    RunConfig before = std::exchange(m_config, config);
    // What a trial does not go by.
    before.learningRate = config.learningRate;
    before.epochs = config.epochs;
    before.gradientsEverySteps = config.gradientsEverySteps;
    before.alerts = config.alerts;
    if (toToml(before) != toToml(config)) {
        m_work.cancel();
        m_rate = 0.0;
        m_chart->setCurves({}, {});
        showState({});
    }
}

void RateFinderDialog::setTraining(bool isTraining)
{
    if (m_isTraining != isTraining) {
        m_isTraining = isTraining;
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
    m_rate = 0.0;
    m_work.start(
        [this, config = m_config]() -> std::function<void()> {
            const auto trials = lockstep::tryRates(
                config, RateFinderSettings(), [this](const std::vector<RateTrial>& made) {
                    m_work.report([this, made] { showTrials(made); });
                    return !m_work.isCancelled();
                });
            return [this, rate = steepestRate(trials)] {
                if (m_work.isCancelled()) { // just now
                    return showState({});
                }
                m_rate = rate.value_or(0.0);
                showState(
                    rate ? tr("Suggested: %1").arg(rateText(m_rate))
                         : tr("The loss falls at none of these rates."));
            };
        },
        [this](const QString& text, bool isCancelled) {
            showState(isCancelled ? QString() : text);
        });
    showState(tr("Preparing…"));
}

void RateFinderDialog::reject()
{
    m_work.cancel();
    QDialog::reject();
}

void RateFinderDialog::showTrials(const std::vector<RateTrial>& trials)
{
    if (trials.empty() || m_work.isCancelled()) {
        return;
    }
    std::vector<QPointF> points;
    for (const RateTrial& trial : trials) {
        points.emplace_back(std::log10(trial.rate), trial.smoothed);
    }
    const RateFinderSettings settings;
    m_chart->setSpan(std::log10(settings.low), std::log10(settings.high));
    m_chart->setCurves({{{}, 0, points, LineCurve::Style::Line, Ink::Accent}}, {});
    if (isTrying()) {
        m_state->setText(tr("Rate %1…").arg(rateText(trials.back().rate)));
    }
}

/// What can be done now, and one line about it.
void RateFinderDialog::showState(const QString& text)
{
    m_try->setEnabled(!isTrying() && !m_isTraining);
    m_cancel->setEnabled(isTrying());
    m_take->setEnabled(m_rate > 0.0 && !m_isTraining);
    m_state->setText(
        m_isTraining && text.isEmpty()
            ? tr("A run is being trained on this computer. Stop it first.")
            : text);
}

} // namespace lockstep::ui
