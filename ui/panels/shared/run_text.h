// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/whole_number_box.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace lockstep {
struct RunConfig;
}

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
    QString zero;    ///< what 0 stands for
    QString unit;    ///< with the space before it
    QString formula; ///< for the tool tip
    WholeNumberBox::Range range;
};

/// None for a key that is new to the panel.
std::optional<RunFieldText> runFieldText(const std::string& key);

/// Of a run that another program trained, from RunPlan::recordedBy.
QString recordedText(const QString& recorder);

/// The fault on purpose that a run has (ExperimentSettings), in words; empty for a proper one, and
/// for settings that can't be.
QString experimentText(const lockstep::RunConfig& config);

} // namespace lockstep::ui
