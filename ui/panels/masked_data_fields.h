// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/value_editors.h"

#include <QString>

#include <optional>
#include <string>

namespace lockstep::ui {

/// Values of a key that is about data sets with masks or photographs; none for all others, and
/// where any text or number is a value.
QList<ChoiceEditor::Choice> maskedDataChoices(const std::string& key);

/// Whether a key that is not for all data sets means anything for this one; empty for other keys.
std::optional<bool> isOfUse(const QString& key, const std::string& dataset);

} // namespace lockstep::ui
