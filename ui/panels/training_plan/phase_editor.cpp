// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/phase_editor.h"

#include "engine/network.h"
#include "panels/shared/run_text.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/layouts.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QRegularExpression>
#include <QStringList>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::int64_t kNewSteps = 1000;

/// Nothing of a text that can't be read.
std::optional<std::vector<PhaseSettings>> phasesOf(const QString& text)
{
    RunConfig config;
    try {
        setConfigValue(config, "phase", text.toStdString());
    } catch (const Error&) {
        return std::nullopt;
    }
    return config.phases;
}

QString textOf(const std::vector<PhaseLine*>& lines)
{
    QStringList phases;
    for (const PhaseLine* const line : lines) {
        phases << line->text();
    }
    return QLatin1Char('[') + phases.join(QStringLiteral(", ")) + QLatin1Char(']');
}

/// A line may be the one that asks for it: it goes when it is done.
void discard(PhaseLine* line)
{
    line->hide();
    line->setParent(nullptr);
    line->deleteLater();
}

struct PhaseFactsText
{
    Q_DECLARE_TR_FUNCTIONS(PhaseFacts)
};

} // namespace

PhaseEditor::PhaseEditor(QWidget* parent)
    : FieldEditor(parent), m_add(new QPushButton(tr("Add phase"), this)),
      m_table(new QWidget(this)), m_rows(columnIn(m_table, {}, 0, {}))
{
    setInput(m_add);
    m_table->hide();
    connect(m_add, &QPushButton::clicked, this, &PhaseEditor::add);
}

QString PhaseEditor::text() const
{
    return m_areGiven ? textOf(m_lines) : QString();
}

void PhaseEditor::setText(const QString& text)
{
    const auto phases = phasesOf(text).value_or(std::vector<PhaseSettings>());
    if (phasesOf(this->text()) != phases) {
        show(phases);
        m_areGiven = !phases.empty();
    }
}

void PhaseEditor::showUsual(const std::vector<PhaseSettings>& phases)
{
    if (!m_areGiven && phases != m_shown) {
        show(phases);
    }
}

void PhaseEditor::setChoices(const PhaseChoices& choices)
{
    if (choices != m_choices) {
        m_choices = choices;
        for (PhaseLine* const line : m_lines) {
            line->setChoices(choices);
        }
    }
}

std::optional<qint64> PhaseEditor::steps() const
{
    qint64 all = 0;
    for (const PhaseLine* const line : m_lines) {
        const std::optional<qint64> steps = line->steps();
        if (!steps) {
            return std::nullopt;
        }
        all += *steps;
    }
    return all;
}

void PhaseEditor::show(const std::vector<PhaseSettings>& phases)
{
    for (PhaseLine* const line : std::exchange(m_lines, {})) {
        discard(line);
    }
    m_shown = phases;
    for (const PhaseSettings& phase : phases) {
        append(phase);
    }
    arrange();
}

void PhaseEditor::append(const PhaseSettings& phase)
{
    auto* const line = new PhaseLine(phase, m_choices, m_table);
    m_rows->addWidget(line);
    m_lines.push_back(line);
    connect(line, &PhaseLine::edited, this, &PhaseEditor::change);
    connect(line, &PhaseLine::removed, this, [this, line] { remove(line); });
}

/// Numbers the lines. The Tab key goes through them as they stand, after the button; without that
/// they came last in the window, being its newest.
void PhaseEditor::arrange()
{
    QWidget* before = m_add;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i]->setNumber(static_cast<int>(i));
        for (QWidget* const input : m_lines[i]->inputs()) {
            setTabOrder(before, input);
            before = input;
        }
    }
    m_table->setVisible(!m_lines.empty());
}

void PhaseEditor::change()
{
    m_areGiven = !m_lines.empty();
    emit edited();
}

/// One like the last, where that can be read.
void PhaseEditor::add()
{
    std::vector<PhaseSettings> like{{{}, kNewSteps, std::nullopt, {}}};
    if (!m_lines.empty()) {
        like = phasesOf(textOf({m_lines.back()})).value_or(like);
    }
    append(like.front());
    arrange();
    change();
}

void PhaseEditor::remove(PhaseLine* line)
{
    std::erase(m_lines, line);
    discard(line);
    if (m_lines.empty()) {
        m_shown.clear(); // the usual ones may come back
    }
    arrange();
    change();
}

PhaseChoices phaseChoices(const RunConfig& config)
{
    PhaseChoices choices;
    try {
        const NetworkSpec network = makeNetwork(config.model);
        choices.objectives = namesOf(objectiveNames(network));
        if (choices.objectives.size() > 1) {
            choices.objectives << QStringLiteral("joint");
        }
        choices.groups = namesOf(network.groups());
    } catch (const std::exception&) { // RunValidator says why
        return {};
    }
    return choices;
}

QString phaseNote(const RunConfig& config)
{
    const std::int64_t given = stepsOf(config.phases);
    if (config.phases.empty() || given == config.steps) {
        return {};
    }
    const QString text =
        given > config.steps
            ? PhaseFactsText::tr("%1 steps in all, but the run has %2: the last are cut")
            : PhaseFactsText::tr("%1 steps in all, but the run has %2: the last phase "
                                 "is extended");
    return text.arg(countText(given), countText(config.steps));
}

QString phaseProblem(const QString& message)
{
    static const QRegularExpression ofPhase(QStringLiteral(R"(^phase\.(\d+)\.(\w+) (.*)$)"));
    const QRegularExpressionMatch match = ofPhase.match(message);
    if (!match.hasMatch()) {
        return {};
    }
    const QString name = match.captured(2).replace(QLatin1Char('_'), QLatin1Char(' '));
    return PhaseFactsText::tr("Phase %1: %2 %3")
        .arg(match.captured(1).toInt() + 1)
        .arg(name, match.captured(3));
}

} // namespace lockstep::ui
