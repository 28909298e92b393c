// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/training_plan/plan_parts.h"
#include "widgets/forms/value_editors.h"

#include <optional>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace lockstep::ui {

/// What a run trains when, as a table that can be changed; speaks the list of tables of "phase".
/// While none are given it shows what the model is usually trained in; the first change of those
/// makes them the run's own.
class PhaseEditor : public FieldEditor
{
    Q_OBJECT

public:
    explicit PhaseEditor(QWidget* parent = nullptr);

    /// The table, to be put under the field.
    [[nodiscard]] QWidget* table() const { return m_table; }
    [[nodiscard]] QString text() const override;
    void setText(const QString& text) override;

    /// Shown while none are given; a run of one phase has no table.
    void showUsual(const std::vector<PhaseSettings>& phases);
    /// For the phases that are shown and those that will be.
    void setChoices(const PhaseChoices& choices);
    /// Of all phases that are shown; none while those of one can't be read.
    [[nodiscard]] std::optional<qint64> steps() const;

private:
    void show(const std::vector<PhaseSettings>& phases);
    void add();
    void append(const PhaseSettings& phase);
    void remove(PhaseLine* line);
    void arrange();
    void change();

    QPushButton* m_add;
    QWidget* m_table;
    QVBoxLayout* m_rows;
    std::vector<PhaseLine*> m_lines;
    std::vector<PhaseSettings> m_shown; ///< as they were before a person changed anything
    PhaseChoices m_choices;
    bool m_areGiven = false;
};

/// What the model offers to its phases; nothing for one that can't be made.
PhaseChoices phaseChoices(const RunConfig& config);

/// What becomes of the phases where the run is not as long as all of them; empty where it is.
QString phaseNote(const RunConfig& config);

/// "Phase 1: steps must be a whole number" of "phase.0.steps must be a whole number"; empty for
/// what is not about a phase.
QString phaseProblem(const QString& message);

} // namespace lockstep::ui
