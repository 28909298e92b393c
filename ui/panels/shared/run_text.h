// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/records.h"
#include "models/figures/tower_table_model.h"
#include "theme/palette.h"
#include "widgets/forms/value_editors.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace lockstep::ui {

/// Context of the texts that the panel's free functions say.
struct RunText
{
    Q_DECLARE_TR_FUNCTIONS(RunPanel)
};

/// The engine's names as Qt has them.
QStringList namesOf(const std::vector<std::string>& names);

/// What the panel has to say of a key that it knows, translated, and the range of its arrows.
struct RunFieldText
{
    QString label;   ///< with its mnemonic
    QString least;   ///< what the least value stands for
    QString unit;    ///< with the space before it
    QString formula; ///< for the tool tip
    WholeNumberBox::Range range;
};

/// None for a key that is new to the panel.
std::optional<RunFieldText> runFieldText(const std::string& key);

/// Of a run that another program trained, from RunPlan::recordedBy.
QString recordedText(const QString& recorder);

/// The fault on purpose that a run has (ExperimentSettings), in words, and what found it; empty for
/// a proper one, and for settings that can't be.
QString experimentText(const lockstep::RunConfig& config, const RunVerdicts* verdicts = nullptr);

/// What the engine says in the middle of a line, as a sentence in the language of the window.
QString sentenceOf(const std::string& text);

/// A verdict as a sentence; the tower of one of several ranks with its rank: "Tower 2 (rank 2 on
/// node8) makes …".
QString sentenceOf(const Verdict& verdict, const std::vector<TowerPlacement>& seats);

Judgement judgementOf(Light light);

} // namespace lockstep::ui
