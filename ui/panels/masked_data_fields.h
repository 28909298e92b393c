// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/value_editors.h"

#include <QString>

#include <string>

namespace lockstep::ui {

/// Values of a key that is about data sets with masks; none for all others, and where any text or
/// number is a value.
QList<ChoiceEditor::Choice> maskedDataChoices(const std::string& key);

/// Whether a key means anything for data sets with masks, or for those without.
bool isOfUse(const QString& key, bool hasMasks);

} // namespace lockstep::ui
