// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/forms/form_field.h"

namespace lockstep {
struct ConfigKey;
}

namespace lockstep::ui {

/// Makes the field for any key of the configuration: a known one gets its words and its own input,
/// a new one those that fit its name and the kind of its value.
FormField* makeRunField(const ConfigKey& key, QWidget* parent);

/// The field for the folder of the run (kRunFolderKey), which is no key of the configuration.
FormField* makeRunFolderField(QWidget* parent);

/// The value of a key as setConfigValue() reads it: texts without their quotes.
QString plainValue(const ConfigKey& key);

} // namespace lockstep::ui
