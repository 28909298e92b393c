// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"

#include <QString>
#include <QStringList>
#include <QWidget>

class QComboBox;

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
    /// `number` from 0.
    PhaseLine(const PhaseSettings& phase, int number, const PhaseChoices& choices, QWidget* parent);

    /// As a TOML table. What is no number goes in as a text, which the engine refuses in its words.
    [[nodiscard]] QString text() const;
    /// 0 where none are typed.
    [[nodiscard]] qint64 steps() const;

signals:
    void edited();
    void removed();

private:
    [[nodiscard]] QComboBox* makeCombo(const QString& part, const QStringList& choices);
    void describe(QWidget* input, const QString& part, const QString& name, const QString& toolTip);

    int m_number;
    QComboBox* m_objective;
    WholeNumberEditor* m_steps;
    DecimalEditor* m_rate;
    QComboBox* m_frozen;
};

} // namespace lockstep::ui
