// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>

class QComboBox;
class QToolButton;

namespace lockstep {
struct PhaseSettings;
}

namespace lockstep::ui {

class DecimalEditor;
class WholeNumberEditor;

/// What the network of a run offers to its phases.
struct PhaseChoices
{
    QStringList objectives;
    QStringList groups; ///< of parameters

    bool operator==(const PhaseChoices&) const = default;
};

/// The inputs of one phase, below each other: what is trained and for how many steps, then the
/// learning rate and what is frozen.
class PhaseLine : public QWidget
{
    Q_OBJECT

public:
    PhaseLine(const PhaseSettings& phase, const PhaseChoices& choices, QWidget* parent);

    /// From 0; the inputs are named after it.
    void setNumber(int number);
    /// What is typed stays; emits nothing.
    void setChoices(const PhaseChoices& choices);
    /// As one reads them.
    [[nodiscard]] QList<QWidget*> inputs() const;
    /// As a TOML table. What is no number goes in as a text, which the engine refuses in its words.
    [[nodiscard]] QString text() const;
    /// None while there is no whole number.
    [[nodiscard]] std::optional<qint64> steps() const;

signals:
    void edited();
    void removed();

private:
    [[nodiscard]] QComboBox* makeCombo();

    QComboBox* m_objective;
    WholeNumberEditor* m_steps;
    DecimalEditor* m_rate;
    QComboBox* m_frozen;
    QToolButton* m_remove;
};

} // namespace lockstep::ui
