// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training_plan/phase_line.h"

#include "engine/config.h"
#include "widgets/forms/value_editors.h"
#include "widgets/forms/wheel_guard.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

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

QStringList groupsOf(const QString& text)
{
    QStringList groups;
    for (const QString& group : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        groups << group.trimmed();
    }
    groups.removeAll(QString());
    return groups;
}

QString joined(const std::vector<std::string>& groups)
{
    QStringList names;
    for (const std::string& group : groups) {
        names << QString::fromStdString(group);
    }
    return names.join(QStringLiteral(", "));
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
    m_frozen->setEditText(joined(phase.frozen));
    m_frozen->lineEdit()->setPlaceholderText(tr("none"));
    m_frozen->lineEdit()->setCursorPosition(0);

    m_remove->setText(QStringLiteral("×"));
    m_remove->setAutoRaise(true);
    m_remove->setToolTip(tr("Removes this phase"));
    auto* const above = new QHBoxLayout;
    above->setSpacing(kSpacing);
    above->addWidget(m_objective, 1);
    above->addWidget(m_remove);
    auto* const between = new QHBoxLayout;
    between->setSpacing(kSpacing);
    between->addWidget(m_steps, 3);
    between->addWidget(new QLabel(tr("rate"), this));
    between->addWidget(m_rate, 2);
    auto* const below = new QHBoxLayout;
    below->setSpacing(kSpacing);
    below->addWidget(new QLabel(tr("frozen"), this));
    below->addWidget(m_frozen, 1);
    auto* const rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, kSpacing, 0, kSpacing);
    rows->setSpacing(kSpacing);
    for (QHBoxLayout* const row : {above, between, below}) {
        rows->addLayout(row);
    }

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
    QStringList groups = groupsOf(m_frozen->currentText());
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

} // namespace lockstep::ui
