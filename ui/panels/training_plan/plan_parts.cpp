// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/plan_parts.h"

#include "bridge/preview/batch_text.h"
#include "engine/device.h"
#include "panels/shared/run_text.h"
#include "plots/charts/line_plot.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"
#include "widgets/forms/value_editors.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kSpacing = 4;

/// In the quotes of TOML.
QString quoted(QString text)
{
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\\\""))
           + QLatin1Char('"');
}

QString numberOrQuoted(const QString& text)
{
    bool isNumber = false;
    text.toDouble(&isNumber);
    return isNumber ? text : quoted(text);
}

void setItems(QComboBox* combo, const QStringList& items)
{
    const QSignalBlocker isNotEdited(combo);
    const QString typed = combo->currentText();
    combo->clear();
    combo->addItems(items);
    combo->setEditText(typed);
    combo->lineEdit()->setCursorPosition(0);
}

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

/// Points of a course that is no staircase from the first step on.
std::vector<QPointF> curve(const RunConfig& config, const LearningRateSchedule& schedule)
{
    std::vector<QPointF> points;
    const std::int64_t count = std::min<std::int64_t>(2 * kMostStairs, config.steps);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t step = count == 1 ? 0 : (config.steps - 1) * i / (count - 1);
        const double rate = schedule.at(step);
        if (rate >= kLeastShare * config.learningRate.initial) { // the axis is a logarithmic one
            points.emplace_back(static_cast<double>(step), rate);
        }
    }
    return points;
}

QString courseWords(const RunConfig& config, const LearningRateSchedule& schedule)
{
    switch (schedule.course()) {
    case RateCourse::Exponential:
        return decayWords(config, schedule);
    case RateCourse::Step: {
        QStringList steps;
        for (const std::int64_t step : schedule.milestones()) {
            steps.append(countText(step));
        }
        return SchedulePreview::tr("× %1 at step %2")
            .arg(
                rateText(config.learningRate.decayFactor),
                steps.join(SchedulePreview::tr(", ", "between steps")));
    }
    case RateCourse::Cosine:
    case RateCourse::Polynomial:
        break;
    }
    return SchedulePreview::tr("%1, falls to %2 at step %3")
        .arg(
            rateText(config.learningRate.initial),
            rateText(config.learningRate.initial * config.learningRate.finalShare),
            countText(config.steps));
}

LinePlot* makeChart(QWidget* parent)
{
    return new LinePlot(
        {.title = SchedulePreview::tr("Learning rate"),
         .meaning = SchedulePreview::tr("Learning rate over the steps of the run, by its schedule"),
         .format = {1.0, 4, {}},
         .axis = XAxis::Step,
         .isLogarithmic = true},
        parent);
}

} // namespace

PhaseLine::PhaseLine(const PhaseSettings& phase, const PhaseChoices& choices, QWidget* parent)
    : QWidget(parent), m_objective(makeCombo()), m_steps(new WholeNumberEditor(this)),
      m_rate(new DecimalEditor(this)), m_frozen(makeCombo()), m_remove(new QToolButton(this))
{
    setChoices(choices);
    m_objective->setEditText(QString::fromStdString(phase.objective));
    m_objective->lineEdit()->setPlaceholderText(tr("all"));
    m_objective->lineEdit()->setCursorPosition(0);
    m_steps->box()->setRange({0, 1'000'000'000, 100});
    m_steps->box()->setUnit(tr(" steps"));
    m_steps->setText(QString::number(phase.steps));
    m_rate->setText(
        phase.learningRate
            ? QString::number(*phase.learningRate, 'g', QLocale::FloatingPointShortest)
            : QString());
    static_cast<QLineEdit*>(m_rate->input())->setPlaceholderText(tr("schedule"));
    m_frozen->setEditText(namesOf(phase.frozen).join(QStringLiteral(", ")));
    m_frozen->lineEdit()->setPlaceholderText(tr("none"));
    m_frozen->lineEdit()->setCursorPosition(0);

    m_remove->setText(QStringLiteral("×"));
    m_remove->setAutoRaise(true);
    m_remove->setToolTip(tr("Removes this phase"));
    columnIn(
        this, {0, kSpacing, 0, kSpacing}, kSpacing,
        {rowOf({{m_objective, 1}, m_remove}, kSpacing),
         rowOf({{m_steps, 3}, new QLabel(tr("rate"), this), {m_rate, 2}}, kSpacing),
         rowOf({new QLabel(tr("frozen"), this), {m_frozen, 1}}, kSpacing)});

    connect(m_remove, &QToolButton::clicked, this, &PhaseLine::removed);
    connect(m_objective, &QComboBox::editTextChanged, this, &PhaseLine::edited);
    connect(m_steps, &FieldEditor::edited, this, &PhaseLine::edited);
    connect(m_rate, &FieldEditor::edited, this, &PhaseLine::edited);
    connect(m_frozen, &QComboBox::editTextChanged, this, &PhaseLine::edited);
}

void PhaseLine::setNumber(int number)
{
    const auto describe =
        [number](QWidget* input, const char* part, const QString& name, const QString& toolTip) {
            describeInput(
                *input, QStringLiteral("phase.%1.%2").arg(number).arg(QLatin1String(part)),
                tr("%1, phase %2").arg(name).arg(number + 1), toolTip);
        };
    describe(
        m_objective, "objective", tr("Objective"),
        tr("What is trained: one objective, several joined with +, or joint for all"));
    describe(m_steps->box(), "steps", tr("Steps of the phase"), tr("Updates in this phase"));
    describe(
        m_rate->input(), "learning_rate", tr("Learning rate of the phase"),
        tr("Constant over the phase; empty: by the schedule of the run"));
    describe(
        m_frozen, "frozen", tr("Frozen in the phase"),
        tr("Groups of parameters that stay as they are, with commas between them"));
    m_remove->setObjectName(QStringLiteral("phase.%1.remove").arg(number));
    m_remove->setAccessibleName(tr("Remove phase %1").arg(number + 1));
}

void PhaseLine::setChoices(const PhaseChoices& choices)
{
    setItems(m_objective, choices.objectives);
    setItems(m_frozen, choices.groups);
}

QList<QWidget*> PhaseLine::inputs() const
{
    return {m_objective, m_steps->box(), m_remove, m_rate->input(), m_frozen};
}

QComboBox* PhaseLine::makeCombo()
{
    auto* const combo = new QComboBox(this);
    combo->setEditable(true);
    combo->setInsertPolicy(QComboBox::NoInsert);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(3);
    new WheelGuard(combo);
    return combo;
}

QString PhaseLine::text() const
{
    QString text =
        QStringLiteral("{objective = %1, steps = %2")
            .arg(quoted(m_objective->currentText().trimmed()), numberOrQuoted(m_steps->text()));
    if (!m_rate->text().isEmpty()) {
        text += QStringLiteral(", learning_rate = ") + numberOrQuoted(m_rate->text());
    }
    static const QRegularExpression comma(QStringLiteral("\\s*,\\s*"));
    QStringList groups = m_frozen->currentText().trimmed().split(comma, Qt::SkipEmptyParts);
    if (!groups.isEmpty()) {
        std::transform(groups.begin(), groups.end(), groups.begin(), quoted);
        text += QStringLiteral(", frozen = [%1]").arg(groups.join(QStringLiteral(", ")));
    }
    return text + QLatin1Char('}');
}

std::optional<qint64> PhaseLine::steps() const
{
    return m_steps->box()->value();
}

SchedulePreview::SchedulePreview(QWidget* parent)
    : QWidget(parent), m_chart(makeChart(this)),
      m_words(new NoteLabel(NoteLabel::Tone::Muted, this))
{
    m_chart->setObjectName(QStringLiteral("schedule_chart"));
    m_chart->setFixedHeight(qRound(kLines * fontMetrics().height()));
    columnIn(this, {0, 2, 0, 0}, 0, {m_chart, m_words});
    hide();
}

void SchedulePreview::setConfig(const RunConfig& given, std::optional<std::int64_t> examples)
{
    RunConfig config = given;
    config.takeEpochs(examples.value_or(0));
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
        config.learningRate, examples, shape.towers, shape.batchPerTower, config.steps);
    const bool isStaircase =
        schedule.course() == RateCourse::Exponential && schedule.warmupSteps() == 0;
    const auto points = isStaircase ? staircase(config, schedule) : curve(config, schedule);
    QString words = courseWords(config, schedule);
    if (schedule.warmupSteps() > 0) {
        words = tr("Warm-up of %1 steps; %2").arg(countText(schedule.warmupSteps()), words);
    }
    m_chart->setVisible(points.size() > 2); // a level line tells nothing
    m_chart->setSpan(0.0, points.back().x());
    m_chart->setCurves(
        {{{}, 0, points, KeyShape::Line, Ink::Accent}}, rateText(config.learningRate.initial));
    m_words->setNote(words);
}

} // namespace lockstep::ui
