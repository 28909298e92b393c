// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/value_editors.h"

#include <string>

namespace lockstep::ui {

/// Values of a key that is about data sets with masks or photographs; none for all others, and
/// where any text or number is a value.
QList<ChoiceEditor::Choice> maskedDataChoices(const std::string& key);

} // namespace lockstep::ui
