// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/phase_editor.h"

#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::int64_t kNewSteps = 1000;

/// None of a text that can't be read.
std::vector<PhaseSettings> phasesOf(const QString& text)
{
    RunConfig config;
    try {
        setConfigValue(config, "phase", text.toStdString());
    } catch (const Error&) {
        return {};
    }
    return config.phases;
}

} // namespace

PhaseEditor::PhaseEditor(QWidget* parent)
    : FieldEditor(parent), m_add(new QPushButton(tr("Add phase"), this)),
      m_table(new QWidget(this)), m_rows(new QVBoxLayout(m_table))
{
    setInput(m_add);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(0);
    m_table->hide();
    connect(m_add, &QPushButton::clicked, this, &PhaseEditor::add);
}

QString PhaseEditor::text() const
{
    return m_areGiven ? textOfLines() : QString();
}

QString PhaseEditor::textOfLines() const
{
    QStringList phases;
    for (const PhaseLine* const line : m_lines) {
        phases << line->text();
    }
    return QLatin1Char('[') + phases.join(QStringLiteral(", ")) + QLatin1Char(']');
}

void PhaseEditor::setText(const QString& text)
{
    if (phasesOf(text) != phasesOf(this->text())) {
        const std::vector<PhaseSettings> phases = phasesOf(text);
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
        show(phasesOf(textOfLines()));
    }
}

qint64 PhaseEditor::steps() const
{
    qint64 steps = 0;
    for (const PhaseLine* const line : m_lines) {
        steps += m_areGiven ? line->steps() : 0;
    }
    return steps;
}

/// Those of before may be the ones that ask for it: they go when they are done.
void PhaseEditor::show(const std::vector<PhaseSettings>& phases)
{
    for (PhaseLine* const line : std::exchange(m_lines, {})) {
        line->hide();
        line->setParent(nullptr);
        line->deleteLater();
    }
    m_shown = phases;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        auto* const line = new PhaseLine(phases[i], static_cast<int>(i), m_choices, m_table);
        m_rows->addWidget(line);
        m_lines.push_back(line);
        connect(line, &PhaseLine::edited, this, &PhaseEditor::change);
        connect(line, &PhaseLine::removed, this, [this, i] { remove(i); });
    }
    m_table->setVisible(!phases.empty());
}

void PhaseEditor::change()
{
    m_areGiven = !m_lines.empty();
    emit edited();
}

void PhaseEditor::add()
{
    std::vector<PhaseSettings> phases = phasesOf(textOfLines());
    phases.push_back(
        phases.empty() ? PhaseSettings{{}, kNewSteps, std::nullopt, {}} : phases.back());
    show(phases);
    change();
}

void PhaseEditor::remove(std::size_t number)
{
    std::vector<PhaseSettings> phases = phasesOf(textOfLines());
    if (number < phases.size()) {
        phases.erase(phases.begin() + static_cast<std::ptrdiff_t>(number));
        show(phases);
        change();
    }
}

} // namespace lockstep::ui
