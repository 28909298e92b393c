// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <optional>

class QComboBox;
class QToolButton;

namespace lockstep::ui {

class DecimalEditor;
class LinePlot;
class NoteLabel;
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

/// The learning rate over the steps of a run, before it begins, on a logarithmic axis, and its
/// schedule in words. Hidden where there is none: no rate, no steps, or data
/// that were not counted yet.
class SchedulePreview : public QWidget
{
    Q_OBJECT

public:
    explicit SchedulePreview(QWidget* parent = nullptr);

    /// A valid configuration; `examples` of the training set, none: not known.
    void setConfig(const RunConfig& given, std::optional<std::int64_t> examples);
    /// Shows nothing for a while, but keeps its place.
    void setVoid(bool isVoid);

private:
    void showSchedule(const RunConfig& config, std::int64_t examples);

    LinePlot* m_chart;
    NoteLabel* m_words;
    bool m_hasSchedule = false;
};

} // namespace lockstep::ui
