// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/whole_number_box.h"

#include <QCoreApplication>

#include <optional>
#include <string>

namespace lockstep::ui {

/// Context of the texts that the panel's free functions say.
struct RunText
{
    Q_DECLARE_TR_FUNCTIONS(RunPanel)
};

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

} // namespace lockstep::ui
